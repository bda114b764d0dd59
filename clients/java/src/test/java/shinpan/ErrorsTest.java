package shinpan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import shinpan.v1.Action;
import shinpan.v1.ApplyActionRequest;
import shinpan.v1.Arrangement;
import shinpan.v1.BatchApplyActionsRequest;
import shinpan.v1.GetGameRequest;
import shinpan.v1.MatchSetup;
import shinpan.v1.Move;
import shinpan.v1.Placement;
import shinpan.v1.StartMatchRequest;

/** What the exception tells of a refusal. */
class ErrorsTest {
    private final ShinpanClient client = Servers.plain();

    @AfterEach
    void close() {
        client.close();
    }

    /** A move of seat 1 that is none: from a square to itself. */
    private ApplyActionRequest illegal() {
        var start = StartMatchRequest.newBuilder().setSetup(Servers.arranged(client)).build();
        Action action = Action.newBuilder().setSeat(1).setMove(Move.newBuilder().setText("a1a1")).build();
        return ApplyActionRequest.newBuilder()
                .setState(client.referee().startMatch(start).getState())
                .setAction(action)
                .build();
    }

    @Test
    void aRefusalHasCodeReasonMessageAndMetadata() {
        ApplyActionRequest request = illegal();
        var error = assertThrows(ShinpanException.class, () -> client.referee().applyAction(request));
        assertEquals(Status.Code.FAILED_PRECONDITION, error.code());
        assertEquals(Optional.of("ILLEGAL_MOVE"), error.reason());
        assertTrue(error.is("ILLEGAL_MOVE"));
        assertFalse(error.is("MATCH_OVER"));
        assertTrue(error.getMessage().startsWith("a1a1 is not legal"), error.getMessage());
        assertEquals("a1a1", error.metadata().get("move"));
        assertEquals("shinpan.ShinpanException: ILLEGAL_MOVE: " + error.getMessage(), error.toString());
    }

    @Test
    void anItemOfABatchHasTheSameError() {
        ApplyActionRequest request = illegal();
        var alone = assertThrows(ShinpanException.class, () -> client.referee().applyAction(request));
        var batch = BatchApplyActionsRequest.newBuilder().addItems(request).build();
        var item = ShinpanException.ofItem(client.referee().batchApplyActions(batch).getItems(0).getError());
        assertEquals(alone.toString(), item.toString());
        assertEquals(alone.metadata(), item.metadata());
        assertEquals(alone.code(), item.code());
    }

    @Test
    void badFieldsAreNamed() {
        var dragon = Placement.newBuilder().setSquare("a1").setKind("dragon");
        var setup = MatchSetup.newBuilder()
                .setGame("hidden-hasami")
                .putArrangements(1, Arrangement.newBuilder().addPlacements(dragon).build());
        var request = StartMatchRequest.newBuilder().setSetup(setup).build();
        var error = assertThrows(ShinpanException.class, () -> client.referee().startMatch(request));
        assertEquals(Status.Code.INVALID_ARGUMENT, error.code());
        assertTrue(error.is("INVALID_ARRANGEMENT"), error::toString);
        assertTrue(error.violations().stream().anyMatch(violation ->
                violation.field().startsWith("setup.arrangements") && violation.description().contains("dragon")),
                () -> error.violations().toString());
    }

    @Test
    void aBearerTokenIsSent() {
        var request = GetGameRequest.newBuilder().setGame("hidden-hasami").build();
        String address = Servers.variable("SHINPAN_GUARDED");
        var known = ShinpanClient.builder().bearer(Servers.variable("SHINPAN_BEARER"));
        try (var nobody = ShinpanClient.connect(address);
                var stranger = ShinpanClient.builder().bearer("nobody-has-this-token").connect(address);
                var caller = known.connect(address)) {
            assertEquals("hidden-hasami", caller.referee().getGame(request).getGame().getId());
            var missing = assertThrows(ShinpanException.class, () -> nobody.referee().getGame(request));
            assertTrue(missing.is("BEARER_MISSING") && missing.code() == Status.Code.UNAUTHENTICATED, missing::toString);
            var unknown = assertThrows(ShinpanException.class, () -> stranger.referee().getGame(request));
            assertTrue(unknown.is("BEARER_UNKNOWN"), unknown::toString);
        }
    }

    @Test
    void aBearerTokenThatIsNoneIsNotShown() {
        var error = assertThrows(
                IllegalArgumentException.class, () -> ShinpanClient.builder().bearer("secret\n"));
        assertFalse(error.toString().contains("secret"));
    }
}
