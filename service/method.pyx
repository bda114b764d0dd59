# cython: language_level=3, auto_pickle=False
"""From the bytes of a request to the bytes of its answer: parsing, limits, deadline, errors, metrics and log.

The transport hands requests over unparsed, because what it says itself about bytes that are no message is INTERNAL.
Compiled, because every call comes through here: beside other threads, what Python interprets costs several times what
it costs alone.
"""

cimport cython

import logging

import grpc
from google.protobuf.message import DecodeError

from libc.stdint cimport uint64_t
from posix.time cimport CLOCK_MONOTONIC, clock_gettime, timespec

from service.call import CancelledError
from service.errors import Refusal, code_of, status_of
from service.guard import Guard
from service.handler import Direct

from service.call cimport Call
from service.counters cimport Count, Durations

_LOG = logging.getLogger("shinpan.method")
_DETAILS_KEY = "grpc-status-details-bin"
_REQUEST_ID_KEY = "x-request-id"


cdef uint64_t _now() noexcept nogil:
    """Nanoseconds of a clock that only goes forward."""
    cdef timespec now
    clock_gettime(CLOCK_MONOTONIC, &now)
    return <uint64_t>now.tv_sec * 1_000_000_000 + <uint64_t>now.tv_nsec


@cython.final
cdef class Method:
    """One method as the transport calls it: bytes in, bytes out."""

    cdef readonly str path
    cdef str service
    cdef str name
    cdef object request
    cdef object handler
    cdef object plain
    cdef object settings
    cdef object metrics
    cdef Count arrived
    cdef Count succeeded
    cdef Durations took
    cdef object ids
    cdef object access_log
    cdef object guard
    cdef Py_ssize_t max_request_bytes
    cdef Py_ssize_t max_answer_bytes

    def __init__(self, str service, str name, request, handler, settings, metrics, ids, access_log, guard=None):
        """The method `name` of a service, whose request messages are of this class.

        Without an access log nothing is logged of calls that succeed or are refused; without a guard all are admitted.
        """
        self.path = f"/{service}/{name}"
        self.service = service
        self.name = name
        self.request = request
        self.handler = handler
        self.plain = handler.plain if isinstance(handler, Direct) else None
        self.settings = settings
        self.metrics = metrics
        self.arrived, self.succeeded, self.took = metrics.counters(service, name)
        self.ids = ids
        self.access_log = access_log
        self.guard = Guard() if guard is None else guard
        self.max_request_bytes = settings.max_request_bytes
        self.max_answer_bytes = settings.max_answer_bytes

    def __call__(self, bytes data not None, context):
        """Answer a call, or abort it with the status of its error."""
        cdef uint64_t started = _now()
        cdef Call call = None
        self.arrived.total += 1
        try:
            caller, tokens = self.guard.admit(context)
            call = Call(context, self.max_answer_bytes, caller, tokens)
            answer = self._answer(data, call)
        except Refusal as error:
            refusal = error
        except CancelledError:
            self.metrics.failed(self.service, self.name, "Canceled")
            self._finish(call, context, started, "Canceled", "")
            return context.abort(grpc.StatusCode.CANCELLED, "")
        except Exception:
            request_id = self._request_id(context)
            _LOG.exception("failed in %s, request id %s", self.path, request_id)
            refusal = Refusal(
                "SERVER_FAULT",
                f"The server failed; its log has the details under request id {request_id}.",
                request_id=request_id,
            )
        else:
            self.succeeded.total += 1
            self._finish(call, context, started, "OK", "")
            return answer
        return self._abort(refusal, call, context, started)

    def overloaded(self, _, context):
        """Refuse a call because too many are waiting."""
        cdef uint64_t started = _now()
        self.arrived.total += 1
        limit = self.settings.max_waiting_calls
        refusal = Refusal(
            "OVERLOADED",
            f"More than {limit} calls are waiting.",
            retry_after=self.settings.overload_retry_seconds,
            limit=limit,
        )
        return self._abort(refusal, None, context, started)

    cdef bytes _answer(self, bytes data, Call call):
        call.check()
        if len(data) > self.max_request_bytes:
            raise Refusal(
                "MESSAGE_TOO_LARGE",
                f"The request has {len(data)} bytes; the limit is {self.max_request_bytes}.",
                size=len(data),
                limit=self.max_request_bytes,
            )
        cdef bytes answer = None if self.plain is None else self.plain(data, call)
        if answer is None:
            answer = self._answer_message(data, call)
        if len(answer) > self.max_answer_bytes:
            call.add_answer_bytes(len(answer))
        return answer

    cdef bytes _answer_message(self, bytes data, Call call):
        try:
            request = self.request.FromString(data)
        except DecodeError:
            message = self.request.DESCRIPTOR.full_name
            raise Refusal("MALFORMED_REQUEST", f"The request is not a {message}.", message=message) from None
        answer = self.handler(request, call)
        return answer if isinstance(answer, bytes) else answer.SerializeToString(deterministic=True)

    cdef object _abort(self, refusal, Call call, context, uint64_t started):
        code = code_of(refusal.reason)
        spelled = code.name.title().replace("_", "")
        self.metrics.failed(self.service, self.name, spelled)
        self.metrics.refused(refusal.reason)
        self._finish(call, context, started, spelled, refusal.reason)
        status = status_of(refusal)
        context.set_trailing_metadata(((_DETAILS_KEY, status.SerializeToString(deterministic=True)),))
        return context.abort(code, status.message)

    cdef object _finish(self, Call call, context, uint64_t started, str code, str reason):
        cdef uint64_t nanos = _now() - started
        self.took.note(nanos)
        if self.access_log is not None:
            seen_by = "" if call is None else " ".join(call.used)
            self.access_log.write(self._request_id(context), self.path, code, reason, seen_by, nanos // 1000)

    cdef object _request_id(self, context):
        for key, value in context.invocation_metadata():
            if key == _REQUEST_ID_KEY:
                return self.ids.choose(value)
        return self.ids.choose(None)
