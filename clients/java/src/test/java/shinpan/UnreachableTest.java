package shinpan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import shinpan.v1.ListGamesRequest;
import shinpan.v1.ListGamesResponse;
import shinpan.v1.RefereeServiceGrpc;

/** Addresses that are wrong and servers that do not answer: an exception in time, never a hang. */
@Timeout(60)
class UnreachableTest {
    private static ShinpanException failure(ShinpanClient.Builder builder, String address) {
        try (ShinpanClient client = builder.connect(address)) {
            return assertThrows(ShinpanException.class, () -> listGames(client));
        }
    }

    private static ListGamesResponse listGames(ShinpanClient client) {
        return client.referee().listGames(ListGamesRequest.getDefaultInstance());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "localhost", "localhost:", ":50051", "localhost:0", "localhost:70000", "http://a:1",
        "a:1/b", "u@a:1", "a b:1", "a:1,b:2"})
    void whatIsNoAddressIsRefusedBeforeAnyCall(String text) {
        var error = assertThrows(IllegalArgumentException.class, () -> ShinpanClient.connect(text));
        assertTrue(error.getMessage().startsWith("'" + text + "' is not an address"), error.getMessage());
    }

    @Test
    void aNameThatIsNotFoundIsUnavailable() {
        ShinpanException error = failure(ShinpanClient.builder(), "nowhere.invalid:50051");
        assertEquals(Status.Code.UNAVAILABLE, error.code());
        assertEquals(Optional.empty(), error.reason());
        assertTrue(error.getMessage().startsWith("nowhere.invalid:50051: "), error.getMessage());
    }

    @Test
    void aServerThatIsAwayIsUnavailable() {
        String address = Servers.variable("SHINPAN_AWAY");
        ShinpanException error = failure(ShinpanClient.builder(), address);
        assertEquals(Status.Code.UNAVAILABLE, error.code());
        assertEquals(Optional.empty(), error.reason());
        assertTrue(error.getMessage().startsWith(address + ": "), error.getMessage());
        assertTrue(error.getMessage().contains("Connection refused"), error.getMessage());
    }

    @Test
    void aServerThatNeverAnswersExceedsTheDeadline() {
        var builder = ShinpanClient.builder().timeout(Duration.ofMillis(300));
        ShinpanException error = failure(builder, Servers.variable("SHINPAN_SILENT"));
        assertEquals(Status.Code.DEADLINE_EXCEEDED, error.code());
        assertEquals(Optional.empty(), error.reason());
    }

    @Test
    void aDeadlineCanBeAsLateAsNever() {
        var builder = ShinpanClient.builder().timeout(Duration.ofSeconds(Long.MAX_VALUE));
        assertEquals(Status.Code.UNAVAILABLE, failure(builder, Servers.variable("SHINPAN_AWAY")).code());
    }

    @Test
    void oneCallCanHaveADeadlineOfItsOwn() {
        try (ShinpanClient client = ShinpanClient.connect(Servers.variable("SHINPAN_SILENT"))) {
            Referee hasty = client.referee().within(Duration.ofMillis(200));
            var error = assertThrows(
                    ShinpanException.class, () -> hasty.listGames(ListGamesRequest.getDefaultInstance()));
            assertEquals(Status.Code.DEADLINE_EXCEEDED, error.code());
        }
    }

    @Test
    void anAnswerThatBreaksOffIsAskedForOnceMore() {
        try (ShinpanClient client = ShinpanClient.connect(Servers.variable("SHINPAN_BREAKING"))) {
            for (int time = 0; time < 2; time++) {
                assertEquals(ListGamesResponse.getDefaultInstance(), listGames(client));
            }
            assertEquals(Optional.empty(), assertThrows(ShinpanException.class, () -> listGames(client)).reason());
        }
    }

    @Test
    void whatTheServiceSaysIsNotAskedAgain() {
        try (ShinpanClient client = ShinpanClient.connect(Servers.variable("SHINPAN_SCRIPTED"))) {
            assertTrue(assertThrows(ShinpanException.class, () -> listGames(client)).is("SERVER_FAULT"));
            assertEquals(ListGamesResponse.getDefaultInstance(), listGames(client));
            ShinpanException foreign = assertThrows(ShinpanException.class, () -> listGames(client));
            assertEquals(Status.Code.NOT_FOUND, foreign.code());
            assertEquals(Optional.empty(), foreign.reason());
            assertTrue(foreign.getMessage().contains("no route"), foreign.getMessage());
            ShinpanException overload = assertThrows(ShinpanException.class, () -> listGames(client));
            assertTrue(overload.is("OVERLOADED"));
            assertEquals(Optional.of(Duration.ofMillis(250)), overload.retryAfter());
        }
    }

    /** A server that turns away calls, and counts them. */
    private static final class Turning extends RefereeServiceGrpc.RefereeServiceImplBase {
        private final AtomicInteger calls = new AtomicInteger();
        private final int away;

        Turning(int away) {
            this.away = away;
        }

        @Override
        public void listGames(ListGamesRequest request, StreamObserver<ListGamesResponse> answer) {
            if (calls.incrementAndGet() <= away) {
                answer.onError(Status.UNAVAILABLE.asRuntimeException());
                return;
            }
            answer.onNext(ListGamesResponse.getDefaultInstance());
            answer.onCompleted();
        }
    }

    /** Five times by the channel, and once more as if its answer had broken off: that looks the same. */
    @ParameterizedTest
    @ValueSource(ints = {0, 4, 9, 10})
    void aCallIsMadeTwiceFiveTimesAtMost(int away) throws Exception {
        Turning service = new Turning(away);
        var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = NettyServerBuilder.forAddress(address).addService(service).build().start();
        try (ShinpanClient client = ShinpanClient.connect("127.0.0.1:" + server.getPort())) {
            if (away < 10) {
                listGames(client);
            } else {
                assertEquals(
                        Status.Code.UNAVAILABLE,
                        assertThrows(ShinpanException.class, () -> listGames(client)).code());
            }
            assertEquals(Math.min(away + 1, 10), service.calls.get());
        } finally {
            server.shutdownNow();
        }
    }
}
