package shinpan;

import java.util.Optional;
import shinpan.v1.Kind;
import shinpan.v1.Square;

/**
 * A piece that has left the board, as a viewer may know it.
 *
 * @param seat the owner, 1 to 4
 * @param kind what it was; empty when the viewer may not know
 * @param origin where it started
 */
public record CapturedPiece(int seat, Optional<Kind> kind, Square origin) {}
