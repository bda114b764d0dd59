"""Errors: from what the engine or the service refuses to the `google.rpc.Status` that the caller gets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

import engine_core
from engine_core import errors as engine_errors
from service.tokens import TokenError

DOMAIN: Final = "shinpan"

_MAX_HEADERS: Final = 8 * 1024 - 512
"""What the message and the details of an error may take: clients accept 8 KiB of headers, and there are others."""
_MAX_MESSAGE: Final = 600
"""Bytes of a message as it travels, percent-encoded."""
_MAX_METADATA: Final = 256
"""Bytes of one value of the metadata."""
_MAX_FIELD: Final = 120
_DESCRIPTION_SIZES: Final = (200, 100, 60, 40)
"""Bytes of a violation's sentence: the most with which all violations of an error fit."""
_VIOLATION_OVERHEAD: Final = 3
"""Bytes of the tag and the size of a violation."""

_CODES: Final[Mapping[str, grpc.StatusCode]] = {
    "ILLEGAL_MOVE": grpc.StatusCode.FAILED_PRECONDITION,
    "NOT_YOUR_TURN": grpc.StatusCode.FAILED_PRECONDITION,
    "MATCH_OVER": grpc.StatusCode.FAILED_PRECONDITION,
    "ARRANGEMENT_PENDING": grpc.StatusCode.FAILED_PRECONDITION,
    "ALREADY_ARRANGED": grpc.StatusCode.FAILED_PRECONDITION,
    "SEAT_OUT": grpc.StatusCode.FAILED_PRECONDITION,
    "DRAW_OFFER_OPEN": grpc.StatusCode.FAILED_PRECONDITION,
    "NO_DRAW_OFFER": grpc.StatusCode.FAILED_PRECONDITION,
    "RULESET_UNAVAILABLE": grpc.StatusCode.FAILED_PRECONDITION,
    "TOKEN_SEALED": grpc.StatusCode.FAILED_PRECONDITION,
    "TOKEN_NOT_SEALED": grpc.StatusCode.FAILED_PRECONDITION,
    "TOKEN_KEY_UNKNOWN": grpc.StatusCode.FAILED_PRECONDITION,
    "HYPOTHETICAL_STATE": grpc.StatusCode.FAILED_PRECONDITION,
    "REAL_STATE": grpc.StatusCode.FAILED_PRECONDITION,
    "STALE_STATE": grpc.StatusCode.ABORTED,
    "BEARER_MISSING": grpc.StatusCode.UNAUTHENTICATED,
    "BEARER_UNKNOWN": grpc.StatusCode.UNAUTHENTICATED,
    "PERMISSION_MISSING": grpc.StatusCode.PERMISSION_DENIED,
    "REFEREE_DISABLED": grpc.StatusCode.PERMISSION_DENIED,
    "MESSAGE_TOO_LARGE": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "ANSWER_TOO_LARGE": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "BATCH_TOO_LARGE": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "BUDGET_EXCEEDED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "OVERLOADED": grpc.StatusCode.RESOURCE_EXHAUSTED,
    "DEADLINE_EXCEEDED": grpc.StatusCode.DEADLINE_EXCEEDED,
    "SERVER_FAULT": grpc.StatusCode.INTERNAL,
}
"""The code of every reason that is not about bad input; the others are INVALID_ARGUMENT."""


class Violation(NamedTuple):
    """A field of the request and what is wrong with it."""

    field: str
    """Path from the request message, for example `action.arrange.placements[3].square`."""
    description: str
    """A sentence."""
    reason: str = ""
    """A word for it, upper-case, or ""."""


class Refusal(Exception):
    """What the service refuses, with everything that the caller is told."""

    def __init__(
        self,
        reason: str,
        message: str,
        /,
        *,
        violations: Iterable[Violation] = (),
        retry_after: float | None = None,
        **metadata: object,
    ) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message
        self.violations = tuple(violations)
        self.retry_after = retry_after
        self.metadata = {name: str(value) for name, value in metadata.items()}

    @classmethod
    def of_field(cls, reason: str, field: str, problem: str, /, **metadata: object) -> "Refusal":
        """A refusal because of one field; its message is the field's path and the problem."""
        message = f"{field} {problem}"
        refusal = cls(reason, message, violations=[Violation(field, message)], field=field)
        refusal.metadata.update({name: str(value) for name, value in metadata.items()})
        return refusal


def code_of(reason: str) -> grpc.StatusCode:
    """The gRPC code of a reason."""
    return _CODES.get(reason, grpc.StatusCode.INVALID_ARGUMENT)


def refusal_of(error: engine_core.RefereeError, field: str) -> Refusal:
    """What the engine refuses, as a refusal about the field at `field`."""
    if isinstance(error, engine_errors.InvalidArrangement):
        return _arrangement_refusal(error, field)
    violations = []
    if code_of(error.reason) is grpc.StatusCode.INVALID_ARGUMENT:
        violations.append(Violation(field, str(error)))
    refusal = Refusal(error.reason, str(error), violations=violations)
    refusal.metadata = dict(error.details)
    return refusal


def _arrangement_refusal(error: engine_errors.InvalidArrangement, field: str) -> Refusal:
    violations = []
    for one in error.violations:
        path = f"{field}.placements" if one.place < 0 else f"{field}.placements[{one.place}]"
        violations.append(Violation(path, one.description, one.problem.upper().replace("-", "_")))
    count = len(violations)
    seat = error.details["seat"]
    refusal = Refusal(
        error.reason,
        f"The arrangement of seat {seat} breaks the rules in {count} {'place' if count == 1 else 'places'}.",
        violations=violations,
        violations_found=count,
    )
    refusal.metadata.update(error.details)
    return refusal


def token_refusal(error: TokenError, field: str) -> Refusal:
    """A token that is not opened, as a refusal about the field at `field`."""
    violations = []
    if code_of(error.reason) is grpc.StatusCode.INVALID_ARGUMENT:
        violations.append(Violation(field, str(error)))
    refusal = Refusal(error.reason, str(error), violations=violations)
    refusal.metadata = dict(error.details)
    return refusal


def _shorten(text: str, size: int, size_of: Callable[[str], int]) -> str:
    """The text, or as much of its beginning as has the given size together with the mark that it is shortened."""
    kept = text[: size + 1]  # no character has a size of less than 1
    if len(kept) == len(text) and size_of(text) <= size:
        return text
    room = size - size_of("…")
    end = 0
    while end < len(kept) and (room := room - size_of(kept[end])) >= 0:
        end += 1
    return kept[:end] + "…"


def _bytes(text: str) -> int:
    return len(text.encode())


def _percent_encoded(text: str) -> int:
    """Bytes of a text in the header grpc-message: 3 for each byte that is not printable ASCII, and for "%"."""
    return sum(1 if " " <= letter <= "~" and letter != "%" else 3 * _bytes(letter) for letter in text)


def status_of(refusal: Refusal) -> status_pb2.Status:
    """The status of a refusal: one ErrorInfo, then BadRequest and RetryInfo where they apply, within 8 KiB."""
    code: int = code_of(refusal.reason).value[0]
    message = _shorten(refusal.message, _MAX_MESSAGE, _percent_encoded)
    metadata = {name: _shorten(value, _MAX_METADATA, _bytes) for name, value in refusal.metadata.items()}
    info = error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=metadata)
    status = status_pb2.Status(code=code, message=message, details=[_pack(info)])
    if refusal.violations:
        room = (_MAX_HEADERS - _percent_encoded(message)) * 3 // 4 - status.ByteSize()  # details travel as base64
        status.details.append(_pack(_bad_request(refusal.violations, room)))
    if refusal.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(refusal.retry_after * 1000))
        status.details.append(_pack(error_details_pb2.RetryInfo(retry_delay=delay)))
    return status


def _bad_request(violations: Sequence[Violation], room: int) -> error_details_pb2.BadRequest:
    """The violations in so many bytes: rather every one with a shorter sentence than some of them with the whole."""
    bad_request = error_details_pb2.BadRequest()
    for size in _DESCRIPTION_SIZES:
        bad_request = error_details_pb2.BadRequest()
        left = room
        for one in violations:
            shown = error_details_pb2.BadRequest.FieldViolation(
                field=_shorten(one.field, _MAX_FIELD, _bytes),
                description=_shorten(one.description, size, _bytes),
                reason=one.reason,
            )
            left -= shown.ByteSize() + _VIOLATION_OVERHEAD
            if left < 0:
                break
            bad_request.field_violations.append(shown)
        if left >= 0:
            break
    return bad_request


def _pack(
    message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest | error_details_pb2.RetryInfo,
) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message, deterministic=True)
    return packed
