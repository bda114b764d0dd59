package shinpan;

import com.google.protobuf.ByteString;
import java.util.Objects;
import shinpan.v1.State;

/**
 * A state of a match, opaque: keep it, send it with the next call, and never give it to a player. Printed it shows how
 * long it is; messages that hold a state print its bytes, so print tokens instead of them.
 */
public final class StateToken {
    private final ByteString token;

    private StateToken(ByteString token) {
        this.token = Objects.requireNonNull(token);
    }

    /** From an answer. */
    public static StateToken of(State state) {
        return new StateToken(state.getToken());
    }

    /** From the bytes that were kept of an earlier one. */
    public static StateToken of(byte[] bytes) {
        return new StateToken(ByteString.copyFrom(bytes));
    }

    /** The bytes, to be kept. */
    public byte[] bytes() {
        return token.toByteArray();
    }

    /** For a request. */
    public State state() {
        return State.newBuilder().setToken(token).build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StateToken that && token.equals(that.token);
    }

    @Override
    public int hashCode() {
        return token.hashCode();
    }

    @Override
    public String toString() {
        return "StateToken(" + token.size() + " bytes)";
    }
}
