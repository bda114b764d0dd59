package shinpan;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.ClientCalls;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Calls with a deadline; what fails becomes a {@link ShinpanException}. */
record Caller(Channel channel, String address, Duration timeout) {
    <Q, A> A call(MethodDescriptor<Q, A> method, Q request) {
        CallOptions options = CallOptions.DEFAULT.withDeadlineAfter(timeout.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return ClientCalls.blockingUnaryCall(channel, method, options, request);
        } catch (StatusRuntimeException error) {
            throw ShinpanException.ofCall(error, address);
        }
    }

    Caller within(Duration timeout) {
        return new Caller(channel, address, timeout);
    }
}
