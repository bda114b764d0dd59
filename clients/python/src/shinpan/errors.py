"""Errors of the service as exceptions."""

from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

import grpc
from google.protobuf import any_pb2
from google.protobuf.message import DecodeError
from google.rpc import error_details_pb2, status_pb2

_DETAILS_KEY = "grpc-status-details-bin"
_DOMAIN = "shinpan"
_CODES = {code.value[0]: code for code in grpc.StatusCode}


class FieldViolation(NamedTuple):
    """A field of the request and what is wrong with it."""

    field: str
    """Path from the request message, for example `action.arrange.placements[3]`."""
    description: str
    """A sentence, shortened when there are many violations."""
    reason: str
    """A word for it, such as OUTSIDE_ZONE, or ""."""


class ServiceError(Exception):
    """A call, or an item of a batch, was refused or failed."""

    def __init__(self, code: grpc.StatusCode, status: status_pb2.Status) -> None:
        super().__init__(status.message)
        self.code = code
        """The gRPC code."""
        self.message = status.message
        """What happened, in English."""
        self.reason = ""
        """Name of a `shinpan.v1.error_reason_pb2.ErrorReason` without its prefix, such as ILLEGAL_MOVE; "" when the
        error does not come from the service, for example because it cannot be reached."""
        self.metadata: dict[str, str] = {}
        """Everything that varies in the message."""
        self.violations: tuple[FieldViolation, ...] = ()
        """The fields at fault, for errors about bad input."""
        self.retry_after: float | None = None
        """Seconds after which to try again, where the service says so."""
        for detail in status.details:
            with suppress(DecodeError):
                self._take(detail)

    def _take(self, detail: any_pb2.Any) -> None:
        info = error_details_pb2.ErrorInfo()
        request = error_details_pb2.BadRequest()
        retry = error_details_pb2.RetryInfo()
        if detail.Unpack(info):
            if info.domain == _DOMAIN:  # others have reasons of their own
                self.reason = info.reason
                self.metadata = dict(info.metadata)
        elif detail.Unpack(request):
            self.violations = tuple(_violations(request))
        elif detail.Unpack(retry):
            self.retry_after = retry.retry_delay.ToMilliseconds() / 1000

    @classmethod
    def of_status(cls, status: status_pb2.Status) -> "ServiceError":
        """The error in an item of a batch."""
        return cls(_CODES.get(status.code, grpc.StatusCode.UNKNOWN), status)

    @classmethod
    def of_rpc(cls, error: grpc.RpcError) -> "ServiceError":
        """The error of a call."""
        if not isinstance(error, grpc.Call):
            raise error
        status = status_pb2.Status(message=error.details() or "")
        for key, value in error.trailing_metadata() or ():
            if key == _DETAILS_KEY and isinstance(value, bytes):
                with suppress(DecodeError):  # whatever is between may write its own
                    status.MergeFrom(status_pb2.Status.FromString(value))
        return cls(error.code(), status)


def _violations(request: error_details_pb2.BadRequest) -> Iterable[FieldViolation]:
    for one in request.field_violations:
        yield FieldViolation(one.field, one.description, one.reason)
