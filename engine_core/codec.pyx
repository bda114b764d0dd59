# cython: language_level=3, auto_pickle=False
"""Reading states: any bytes are safe input, and only what `State.to_bytes` writes is accepted.

A state is an envelope (see `engine_core.envelope`) around a body (see `engine_core.state`). Version 2 of the format is
written; version 1 is still read.
"""

from libc.stdint cimport uint8_t

from engine_core.envelope import KNOWLEDGE
from engine_core.errors import StateError
from engine_core.knowledge_codec import decode_knowledge

from engine_core.envelope cimport Envelope, opened
from engine_core.evidence cimport note_heralds
from engine_core.integrity cimport fault_of
from engine_core.match cimport State, new_state
from engine_core.state cimport History, is_written, read_body

cdef History scratch


def decode(data):
    """The State that these bytes are, or the Knowledge. StateError (with a reason) or RulesetUnavailable otherwise."""
    cdef bytes state = data if type(data) is bytes else bytes(memoryview(data))
    if state and state[0] >= KNOWLEDGE:
        return decode_knowledge(state)
    cdef Envelope envelope = opened(state, "state")
    cdef State result = new_state(envelope.game, envelope.match_id)
    cdef const uint8_t *body = state
    cdef const char *fault = read_body(
        body + envelope.body,
        len(state) - 4 - envelope.body,
        <uint8_t>envelope.version,
        False,
        &result.tables.rules,
        &result.header,
        &result.position,
        &result.evidence,
        &scratch,
    )
    if fault == NULL:
        if envelope.version == 1:
            note_heralds(&result.tables.rules, &result.position, &result.evidence)
        fault = fault_of(&result.tables.rules, &result.header, &result.position, &result.evidence, &scratch, True)
    if fault != NULL:
        reason, text = (<bytes>fault).decode().split(": ")
        raise StateError(reason, f"The state contradicts itself or its rules: {text}.", fault=text)
    result.keep_history(&scratch)
    if not is_written(
        body + envelope.body,
        len(state) - 4 - envelope.body,
        <uint8_t>envelope.version,
        &result.tables.rules,
        &result.header,
        &result.position,
        &result.evidence,
        &scratch,
    ):
        raise StateError("STATE_HEADER", "The state is not written as this referee writes it.")
    return result
