package shinpan

import (
	"fmt"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	spb "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// Error is why a call, or an item of a batch, was refused or failed; [errors.As] finds it.
type Error struct {
	// Code is the gRPC code.
	Code codes.Code
	// Reason is the name of a shinpanv1.ErrorReason without its prefix, such as "ILLEGAL_MOVE"; "" when the error does
	// not come from the service, for example because it cannot be reached.
	Reason string
	// Message is what happened, in English.
	Message string
	// Metadata is everything that varies in the message.
	Metadata map[string]string

	status *status.Status
}

// Error is the code, the reason and the message.
func (e *Error) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("shinpan: %s: %s", e.Code, e.Message)
	}
	return fmt.Sprintf("shinpan: %s: %s: %s", e.Code, e.Reason, e.Message)
}

// GRPCStatus is the whole status, with the fields at fault and when to try again where the service says so; the
// functions of the package google.golang.org/grpc/status find it.
func (e *Error) GRPCStatus() *status.Status {
	return e.status
}

// ErrorOfItem is the error in an item of a batch; nil when there is none.
func ErrorOfItem(item *spb.Status) error {
	if item == nil {
		return nil
	}
	return errorOf(status.FromProto(item).Err())
}

// domain is whose reasons an ErrorInfo has; what is between may add one of its own.
const domain = "shinpan"

// brokeOff is whether an answer may have broken off after its beginning, as when a server is killed: a connection repeats
// no such call by itself. Which code it has depends on what is between; errors of the service have a reason.
func brokeOff(err error) bool {
	failed, ok := err.(*Error)
	if !ok || failed.Reason != "" {
		return false
	}
	return failed.Code == codes.Unknown || failed.Code == codes.Internal || failed.Code == codes.Unavailable
}

func errorOf(err error) error {
	if err == nil {
		return nil
	}
	failed := status.Convert(err)
	ours := &Error{Code: failed.Code(), Message: failed.Message(), status: failed}
	for _, detail := range failed.Details() {
		if info, ok := detail.(*errdetails.ErrorInfo); ok && info.GetDomain() == domain {
			ours.Reason, ours.Metadata = info.GetReason(), info.GetMetadata()
		}
	}
	return ours
}
