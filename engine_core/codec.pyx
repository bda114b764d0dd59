# cython: language_level=3, auto_pickle=False
"""Reading states: any bytes are safe input, and only what `State.to_bytes` writes is accepted.

A state is an envelope (see `engine_core.envelope`) around a body (see `engine_core.state`). Version 2 of the format is
written; version 1 is still read.
"""

from libc.stdint cimport uint8_t
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_GET_SIZE

from engine_core.envelope import KNOWLEDGE
from engine_core.errors import StateError
from engine_core.knowledge_codec import decode_knowledge

from engine_core.envelope cimport Envelope, opened
from engine_core.evidence cimport note_heralds
from engine_core.integrity cimport fault_of
from engine_core.match cimport State, new_state
from engine_core.state cimport History, read_body

cdef History scratch


def decode(data):
    """The State that these bytes are, or the Knowledge. StateError (with a reason) or RulesetUnavailable otherwise."""
    cdef bytes content = data if type(data) is bytes else bytes(memoryview(data))
    return decoded(<const uint8_t *>PyBytes_AS_STRING(content), PyBytes_GET_SIZE(content))


cdef object decoded(const uint8_t *data, Py_ssize_t size):
    """The same of bytes anywhere."""
    cdef Envelope envelope
    if size and data[0] >= <uint8_t>KNOWLEDGE:
        return decode_knowledge(data[:size])
    game = opened(data, size, "state", &envelope)
    cdef State result = new_state(game, data[envelope.match_id:envelope.body])
    cdef const char *fault = read_body(
        data + envelope.body,
        envelope.end - envelope.body,
        <uint8_t>envelope.version,
        False,
        &result.tables.rules,
        &result.header,
        result.position,
        result.evidence,
        &scratch,
    )
    if fault == NULL:
        if envelope.version == 1:
            note_heralds(&result.tables.rules, result.position, result.evidence)
        fault = fault_of(&result.tables.rules, &result.header, result.position, result.evidence, &scratch, True)
    if fault != NULL:
        reason, text = (<bytes>fault).decode().split(": ")
        raise StateError(reason, f"The state contradicts itself or its rules: {text}.", fault=text)
    result.keep_history(&scratch)
    return result
