package shinpan;

import com.google.protobuf.Any;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.rpc.BadRequest;
import com.google.rpc.ErrorInfo;
import com.google.rpc.RetryInfo;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.StatusProto;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Why a call, or an item of a batch, was refused or failed. Its message says what happened, in English. */
public final class ShinpanException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final String DOMAIN = "shinpan";

    private final Status.Code code;
    private final transient com.google.rpc.Status status;

    /** What is wrong with one field of a request: its path from the request, and a sentence. */
    public record FieldViolation(String field, String description) {}

    private ShinpanException(com.google.rpc.Status status, String message, Throwable cause) {
        super(message, cause);
        this.code = Status.fromCodeValue(status.getCode()).getCode();
        this.status = status;
    }

    /** From the error of an item of a batch. */
    public static ShinpanException ofItem(com.google.rpc.Status status) {
        return new ShinpanException(status, status.getMessage(), null);
    }

    /** From the error of a call; what does not come from the service says which server was called, and its cause. */
    static ShinpanException ofCall(StatusRuntimeException error, String address) {
        com.google.rpc.Status status = statusOf(error);
        String message = status.getMessage();
        if (status.getDetailsCount() == 0) {
            Throwable innermost = error;
            while (innermost.getCause() != null) {
                innermost = innermost.getCause();
            }
            message = address + ": " + (innermost == error ? message : message + ": " + innermost.getMessage());
        }
        return new ShinpanException(status, message, error);
    }

    private static com.google.rpc.Status statusOf(StatusRuntimeException error) {
        try {
            return StatusProto.fromThrowable(error);
        } catch (IllegalArgumentException foreign) { // details that something between wrote, and not as gRPC does
            String message = error.getStatus().getDescription();
            return com.google.rpc.Status.newBuilder()
                    .setCode(error.getStatus().getCode().value())
                    .setMessage(message == null ? "" : message)
                    .build();
        }
    }

    /** The code of gRPC. */
    public Status.Code code() {
        return code;
    }

    /**
     * The reason that the service gave, such as {@code ILLEGAL_MOVE}: a name of the enum in {@code
     * proto/shinpan/v1/error_reason.proto} without its prefix. Empty where the service gave no answer.
     */
    public Optional<String> reason() {
        return info().map(ErrorInfo::getReason);
    }

    /** Whether the service gave this reason. */
    public boolean is(String reason) {
        return reason().filter(reason::equals).isPresent();
    }

    /** What varies in the message, by name. */
    public Map<String, String> metadata() {
        return info().map(ErrorInfo::getMetadataMap).orElse(Map.of());
    }

    /** What is wrong with the request, field by field. */
    public List<FieldViolation> violations() {
        List<BadRequest.FieldViolation> found =
                detail(BadRequest.class).map(BadRequest::getFieldViolationsList).orElse(List.of());
        return found.stream().map(one -> new FieldViolation(one.getField(), one.getDescription())).toList();
    }

    /** How long to wait before another attempt, where the service says so. */
    public Optional<Duration> retryAfter() {
        return detail(RetryInfo.class)
                .map(RetryInfo::getRetryDelay)
                .map(delay -> Duration.ofSeconds(delay.getSeconds(), delay.getNanos()));
    }

    @Override
    public String toString() {
        return ShinpanException.class.getName() + ": " + reason().orElse(code.name()) + ": " + getMessage();
    }

    private Optional<ErrorInfo> info() {
        return detail(ErrorInfo.class).filter(info -> info.getDomain().equals(DOMAIN));
    }

    private <M extends Message> Optional<M> detail(Class<M> type) {
        for (Any detail : status.getDetailsList()) {
            if (detail.is(type)) {
                try {
                    return Optional.of(detail.unpack(type));
                } catch (InvalidProtocolBufferException error) {
                    return Optional.empty(); // not of the service, which writes whole messages
                }
            }
        }
        return Optional.empty();
    }
}
