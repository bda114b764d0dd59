package shinpan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import shinpan.v1.Action;
import shinpan.v1.ApplyActionRequest;
import shinpan.v1.Arrangement;
import shinpan.v1.CapturedPieces;
import shinpan.v1.DescribeStateRequest;
import shinpan.v1.Game;
import shinpan.v1.Kind;
import shinpan.v1.MatchSetup;
import shinpan.v1.Move;
import shinpan.v1.Placement;
import shinpan.v1.StartMatchRequest;
import shinpan.v1.StartMatchResponse;
import shinpan.v1.View;
import shinpan.v1.Viewer;

/** Moves, pieces and tokens. */
class ValuesTest {
    private final ShinpanClient client = Servers.plain();
    private final Game game = Servers.game(client, "hidden-hasami", Map.of());
    private final Moves moves = new Moves(game);

    @AfterEach
    void close() {
        client.close();
    }

    /** 7 by 7 squares, rank by rank from a1: b1 is 1, a2 is 7, g7 is 48. */
    @ParameterizedTest
    @CsvSource({"a1b1,1", "b1a2,263", "a2a1,1792", "g7a1,12288", "a1g7,48"})
    void aPackedMoveIsTheIndicesOfTwoSquares(String text, int packed) {
        assertEquals(packed, moves.packed(text));
        assertEquals(text, moves.text(packed));
    }

    /** 10 by 10 places without the eight of the lakes: a10 is square 82, j10 square 91. */
    @Test
    void squaresWithTwoDigitsAreToldApart() {
        Moves large = new Moves(Servers.game(client, "hidden-capture-flag", Map.of()));
        assertEquals(82 * 256 + 91, large.packed("a10j10"));
        assertEquals(82, large.packed("a1a10"));
        assertEquals("a10a1", large.text(82 * 256));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "a1", "a1h1", "a1a0", "A1B1", "a1b1c1", "審判"})
    void textThatIsNotTwoSquaresIsRefused(String text) {
        var error = assertThrows(IllegalArgumentException.class, () -> moves.packed(text));
        assertTrue(error.getMessage().startsWith("'" + text + "' is not a move"), error.getMessage());
    }

    @ParameterizedTest
    @ValueSource(ints = {49, 49 << 8, 1 << 16, -1})
    void numbersThatAreNotTwoSquaresAreRefused(int packed) {
        var error = assertThrows(IllegalArgumentException.class, () -> moves.text(packed));
        assertTrue(error.getMessage().startsWith(Integer.toUnsignedString(packed) + " is not a move"));
    }

    private StartMatchResponse start(MatchSetup setup) {
        return client.referee().startMatch(StartMatchRequest.newBuilder()
                .setSetup(setup)
                .addViewers(Viewer.VIEWER_SEAT_1)
                .addViewers(Viewer.VIEWER_REFEREE)
                .build());
    }

    /** Kinds of one seat's pieces by square; what is hidden is "?". */
    private static Map<String, String> ofSeat(List<Piece> pieces, int seat) {
        return pieces.stream().filter(piece -> piece.seat() == seat).collect(Collectors.toMap(
                piece -> piece.square().getName(), piece -> piece.kind().map(Kind::getId).orElse("?")));
    }

    private static Map<String, String> placed(Arrangement arrangement) {
        return arrangement.getPlacementsList().stream()
                .collect(Collectors.toMap(Placement::getSquare, Placement::getKind));
    }

    @Test
    void aSeatSeesItsOwnKindsAndTheBacksOfTheOthers() {
        MatchSetup setup = Servers.arranged(client);
        StartMatchResponse answer = start(setup);
        List<Piece> seen = Views.pieces(game, answer.getUpdates(0).getView());
        Map<String, String> others = new TreeMap<>(placed(setup.getArrangementsOrThrow(2)));
        assertEquals(placed(setup.getArrangementsOrThrow(1)), ofSeat(seen, 1));
        assertEquals(others, ofSeat(Views.pieces(game, answer.getUpdates(1).getView()), 2));
        others.replaceAll((square, kind) -> "?");
        assertEquals(others, ofSeat(seen, 2));
        assertTrue(seen.stream().allMatch(piece -> piece.origin().equals(piece.square()) && !piece.moved()));
    }

    /** d1 to d2: every stone of the first rank has an empty square before it. */
    @Test
    void aPieceKeepsItsOriginWhenItMoves() {
        Move move = Move.newBuilder().setPacked(moves.packed("d1d2")).build();
        var answer = client.referee().applyAction(ApplyActionRequest.newBuilder()
                .setState(start(Servers.arranged(client)).getState())
                .setAction(Action.newBuilder().setSeat(1).setMove(move))
                .addViewers(Viewer.VIEWER_SEAT_2)
                .build());
        List<Piece> moved = Views.pieces(game, answer.getUpdates(0).getView()).stream().filter(Piece::moved).toList();
        assertEquals(1, moved.size());
        assertEquals("d2 d1", moved.get(0).square().getName() + " " + moved.get(0).origin().getName());
        assertEquals(Optional.empty(), moved.get(0).kind());
        assertEquals(1, moved.get(0).seat());
    }

    private static ByteString column(int... values) {
        byte[] bytes = new byte[values.length];
        for (int index = 0; index < values.length; index++) {
            bytes[index] = (byte) values[index];
        }
        return ByteString.copyFrom(bytes);
    }

    @Test
    void capturedPiecesAreReadAlike() {
        var gone = CapturedPieces.newBuilder().setSeats(column(1, 2)).setOrigins(column(1, 49)).setKinds(column(255, 1));
        List<CapturedPiece> read = Views.captured(game, gone.build());
        assertEquals("a1", read.get(0).origin().getName());
        assertEquals(Optional.empty(), read.get(0).kind());
        assertEquals("g7", read.get(1).origin().getName());
        assertEquals(Optional.of(game.getKinds(0)), read.get(1).kind());
        gone.setKinds(column(1));
        assertThrows(IllegalArgumentException.class, () -> Views.captured(game, gone.build()));
    }

    @Test
    void columnsOfAnotherBoardAreRefused() {
        Game large = Servers.game(client, "hidden-hasami", Map.of("board", "9x9"));
        View view = start(Servers.arranged(client)).getUpdates(0).getView();
        assertThrows(IllegalArgumentException.class, () -> Views.pieces(large, view));
        ByteString seats = view.getSeats();
        View strange = view.toBuilder().setKinds(seats.concat(seats).substring(0, seats.size()))
                .setOrigins(column(new int[seats.size()])).build();
        assertThrows(IllegalArgumentException.class, () -> Views.pieces(game, strange));
    }

    @Test
    void aTokenComesBackFromAStoreAndIsNotShown() {
        StartMatchResponse answer = start(Servers.arranged(client));
        StateToken token = StateToken.of(answer.getState());
        StateToken again = StateToken.of(token.bytes());
        assertEquals(token, again);
        assertEquals(token.hashCode(), again.hashCode());
        assertArrayEquals(answer.getState().getToken().toByteArray(), again.bytes());
        var described = client.referee()
                .describeState(DescribeStateRequest.newBuilder().setState(again.state()).build());
        assertEquals(answer.getDigest(), described.getDigest());
        assertEquals("StateToken(" + token.bytes().length + " bytes)", token.toString());
    }
}
