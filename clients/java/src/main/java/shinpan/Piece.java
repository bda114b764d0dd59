package shinpan;

import java.util.Optional;
import shinpan.v1.Kind;
import shinpan.v1.Square;

/**
 * A piece on the board, as a viewer may see it.
 *
 * @param square where it stands
 * @param seat the owner, 1 to 4
 * @param kind what it is; empty when the viewer may not know
 * @param origin where it started, which names it for the whole match
 * @param moved it has moved
 * @param shown its kind is shown to everybody
 * @param claims it is a flag that claims from here
 */
public record Piece(
        Square square, int seat, Optional<Kind> kind, Square origin, boolean moved, boolean shown, boolean claims) {}
