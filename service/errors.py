"""Errors: from what the engine or the service refuses to the `google.rpc.Status` that the caller gets."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, NamedTuple

import grpc
from google.protobuf import any_pb2, duration_pb2
from google.rpc import error_details_pb2, status_pb2

import engine_core
from engine_core import errors as engine_errors
from service.tokens import TokenFormatError

DOMAIN: Final = "shinpan"

_MAX_TEXT: Final = 64
_MAX_MESSAGE: Final = 500
_MAX_VIOLATION_BYTES: Final = 4_500
"""What the violations of one error may take: details travel base64 in a header, and clients accept 8 KiB of headers."""

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
    "STALE_STATE": grpc.StatusCode.ABORTED,
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


def refusal_of(error: engine_core.RefereeError, field: str, squares: Sequence[str] = ()) -> Refusal:
    """What the engine refuses, as a refusal about the field at `field`.

    `squares` are those of the placements in the arrangement at that path, so that each violation names its own.
    """
    if isinstance(error, engine_errors.InvalidArrangement):
        return _arrangement_refusal(error, field, squares)
    violations = []
    if code_of(error.reason) is grpc.StatusCode.INVALID_ARGUMENT:
        violations.append(Violation(field, str(error)))
    refusal = Refusal(error.reason, str(error), violations=violations)
    refusal.metadata = dict(error.details)
    return refusal


def _arrangement_refusal(error: engine_errors.InvalidArrangement, field: str, squares: Sequence[str]) -> Refusal:
    places = {square: index for index, square in enumerate(squares)}  # of a square that is used twice, the last
    violations = []
    for one in error.violations:
        index = places.get(one.square)
        path = f"{field}.placements" if index is None else f"{field}.placements[{index}]"
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


def token_refusal(error: TokenFormatError, field: str) -> Refusal:
    """A token whose header is not one of ours, as a refusal about the field at `field`."""
    return Refusal(
        "STATE_FORMAT", str(error), violations=[Violation(field, str(error))], part=error.part, value=error.value
    )


def _shorten(text: str, length: int) -> str:
    return text if len(text) <= length else text[: length - 1] + "…"


def status_of(refusal: Refusal) -> status_pb2.Status:
    """The status of a refusal: one ErrorInfo, then BadRequest and RetryInfo where they apply, within 8 KiB."""
    code: int = code_of(refusal.reason).value[0]
    metadata = {name: _shorten(value, 4 * _MAX_TEXT) for name, value in refusal.metadata.items()}
    info = error_details_pb2.ErrorInfo(reason=refusal.reason, domain=DOMAIN, metadata=metadata)
    details = [_pack(info)]
    if refusal.violations:
        details.append(_pack(_bad_request(refusal.violations)))
    if refusal.retry_after is not None:
        delay = duration_pb2.Duration()
        delay.FromMilliseconds(round(refusal.retry_after * 1000))
        details.append(_pack(error_details_pb2.RetryInfo(retry_delay=delay)))
    return status_pb2.Status(code=code, message=_shorten(refusal.message, _MAX_MESSAGE), details=details)


def _bad_request(violations: Sequence[Violation]) -> error_details_pb2.BadRequest:
    bad_request = error_details_pb2.BadRequest()
    for one in violations:
        bad_request.field_violations.add(
            field=_shorten(one.field, 200),
            description=_shorten(one.description, 200),
            reason=one.reason,
        )
    # Too much to send: rather every violation without its sentence than some of them with it.
    if bad_request.ByteSize() > _MAX_VIOLATION_BYTES:
        for shown in bad_request.field_violations:
            shown.description = ""
    while bad_request.ByteSize() > _MAX_VIOLATION_BYTES:
        del bad_request.field_violations[-1]
    return bad_request


def _pack(
    message: error_details_pb2.ErrorInfo | error_details_pb2.BadRequest | error_details_pb2.RetryInfo,
) -> any_pb2.Any:
    packed = any_pb2.Any()
    packed.Pack(message)
    return packed
