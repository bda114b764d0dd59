package shinpan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import shinpan.v1.Game;
import shinpan.v1.Square;

/** The moves of a game's board: {@code b3b4} and {@code source << 8 | target} are the same. */
public final class Moves {
    private final List<String> names;
    private final Map<String, Integer> indices = new HashMap<>();

    /** Of a game as {@code GetGame} answers it: its options can change the board. */
    public Moves(Game game) {
        names = game.getBoard().getSquaresList().stream().map(Square::getName).toList();
        names.forEach(name -> indices.put(name, indices.size()));
    }

    /**
     * A packed move as text.
     *
     * @throws IllegalArgumentException when the number does not name two squares
     */
    public String text(int packed) {
        int source = packed >>> 8;
        int target = packed & 0xff;
        if (source >= names.size() || target >= names.size()) {
            throw malformed(Integer.toUnsignedString(packed));
        }
        return names.get(source) + names.get(target);
    }

    /**
     * A move that is written as text as a packed number.
     *
     * @throws IllegalArgumentException when the text does not name two squares
     */
    public int packed(String text) {
        for (int at = 1; at < text.length(); at++) {
            Integer source = indices.get(text.substring(0, at));
            Integer target = indices.get(text.substring(at));
            if (source != null && target != null) {
                return source << 8 | target;
            }
        }
        throw malformed("'" + text + "'");
    }

    private static IllegalArgumentException malformed(String what) {
        return new IllegalArgumentException(
                what + " is not a move of this board; a move is two of its squares, like a1b1");
    }
}
