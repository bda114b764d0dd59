package shinpan;

import com.google.protobuf.ByteString;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import shinpan.v1.CapturedPieces;
import shinpan.v1.Game;
import shinpan.v1.Kind;
import shinpan.v1.Square;
import shinpan.v1.View;

/** The columns of a view as pieces. Games are as {@code GetGame} answers them for the options of the match. */
public final class Views {
    private static final int HIDDEN = 255;
    private static final int MOVED = 1;
    private static final int SHOWN = 2;
    private static final int CLAIMS = 16;

    private Views() {}

    /**
     * The pieces on the board, in the order of the squares.
     *
     * @throws IllegalArgumentException when the view is not of this game with these options
     */
    public static List<Piece> pieces(Game game, View view) {
        List<Square> squares = game.getBoard().getSquaresList();
        requireLength(squares.size(), view.getSeats(), view.getKinds(), view.getOrigins(), view.getFlags());
        List<Piece> pieces = new ArrayList<>();
        for (int index = 0; index < squares.size(); index++) {
            int seat = view.getSeats().byteAt(index);
            if (seat != 0) {
                int flags = view.getFlags().byteAt(index);
                Optional<Kind> kind = kind(game, view.getKinds().byteAt(index));
                Square origin = countedFromOne(squares, view.getOrigins().byteAt(index));
                pieces.add(new Piece(squares.get(index), seat, kind, origin, (flags & MOVED) != 0, (flags & SHOWN) != 0,
                        (flags & CLAIMS) != 0));
            }
        }
        return pieces;
    }

    /**
     * The pieces that are gone, in the order of the columns.
     *
     * @throws IllegalArgumentException when they are not of this game with these options
     */
    public static List<CapturedPiece> captured(Game game, CapturedPieces gone) {
        requireLength(gone.getSeats().size(), gone.getKinds(), gone.getOrigins());
        return IntStream.range(0, gone.getSeats().size())
                .mapToObj(index -> new CapturedPiece(
                        gone.getSeats().byteAt(index),
                        kind(game, gone.getKinds().byteAt(index)),
                        countedFromOne(game.getBoard().getSquaresList(), gone.getOrigins().byteAt(index))))
                .toList();
    }

    private static Optional<Kind> kind(Game game, byte code) {
        return Byte.toUnsignedInt(code) == HIDDEN
                ? Optional.empty()
                : Optional.of(countedFromOne(game.getKindsList(), code));
    }

    private static <T> T countedFromOne(List<T> list, byte code) {
        int index = Byte.toUnsignedInt(code) - 1;
        if (index < 0 || index >= list.size()) {
            throw foreign();
        }
        return list.get(index);
    }

    private static void requireLength(int length, ByteString... columns) {
        if (Stream.of(columns).anyMatch(column -> column.size() != length)) {
            throw foreign();
        }
    }

    private static IllegalArgumentException foreign() {
        return new IllegalArgumentException("the columns are not those of this game with these options");
    }
}
