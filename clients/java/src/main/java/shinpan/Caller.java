package shinpan;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** Calls with a deadline, made once more when their answers break off; what fails becomes a {@link ShinpanException}. */
record Caller(Channel channel, String address, Duration timeout) {
    private static final Duration LONGEST = Duration.ofDays(1);
    private static final Set<Status.Code> BROKEN_OFF =
            EnumSet.of(Status.Code.UNKNOWN, Status.Code.INTERNAL, Status.Code.UNAVAILABLE);

    <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        Duration limit = timeout.compareTo(LONGEST) < 0 ? timeout : LONGEST; // clocks cannot count on for ever
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(limit.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return attempt(method, options, request);
        } catch (ShinpanException error) {
            if (!brokeOff(error)) {
                throw error;
            }
            return attempt(method, options, request);
        }
    }

    private <Q, A> A attempt(MethodDescriptor<Q, A> method, CallOptions options, Q request) {
        try {
            return ClientCalls.blockingUnaryCall(channel, method, options, request);
        } catch (StatusRuntimeException error) {
            throw ShinpanException.ofCall(error, address);
        }
    }

    /**
     * Whether an answer may have broken off after its beginning, as when a server is killed: a channel repeats no such
     * call by itself. Which code it has depends on what is between; errors of the service have a reason.
     */
    private static boolean brokeOff(ShinpanException error) {
        return error.reason().isEmpty() && BROKEN_OFF.contains(error.code());
    }

    Caller within(Duration timeout) {
        return new Caller(channel, address, timeout);
    }
}
