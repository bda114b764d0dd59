import type { Game, Kind } from "./gen/shinpan/v1/game_pb.js";
import type { View } from "./gen/shinpan/v1/update_pb.js";

const HIDDEN = 255;
const MOVE = /^([a-z]\d+)([a-z]\d+)$/;

/** A packed move, `source << 8 | target`, as text, for example `b3b4`. A RangeError when it is not on the board. */
export function moveText(game: Game, move: number): string {
  return squareName(game, move >> 8) + squareName(game, move & 255);
}

/** A move such as `b3b4` as `source << 8 | target`. A RangeError when it is not two squares of the board. */
export function packedMove(game: Game, text: string): number {
  const [, ...names] = MOVE.exec(text) ?? [];
  const [source, target] = names.map((name) => squareIndexes(game).get(name));
  if (source === undefined || target === undefined) {
    throw new RangeError(`'${text}' is not a move; a move is two squares of the board of ${game.id}, like a1b1`);
  }
  return (source << 8) | target;
}

/** The name of a square by its index. A RangeError when the board has no such square. */
export function squareName(game: Game, index: number): string {
  const squares = game.board?.squares ?? [];
  const square = squares[index];
  if (square === undefined) {
    throw new RangeError(`there is no square ${index}; the board of ${game.id} has ${squares.length}, from 0`);
  }
  return square.name;
}

const indexes = new WeakMap<Game, ReadonlyMap<string, number>>();

function squareIndexes(game: Game): ReadonlyMap<string, number> {
  let known = indexes.get(game);
  if (known === undefined) {
    known = new Map(game.board?.squares.map((square, index) => [square.name, index]));
    indexes.set(game, known);
  }
  return known;
}

/** A piece as a viewer may see it. */
export interface Piece {
  /** Name of the square on which it stands. */
  readonly square: string;
  /** The seat whose piece it is, 1 to 4. */
  readonly seat: number;
  /** What it is; undefined when that is hidden from the viewer. */
  readonly kind: Kind | undefined;
  /** Name of the square on which it started, which names the piece for the whole match. */
  readonly origin: string;
  /** It has moved. */
  readonly moved: boolean;
  /** Its kind is shown to everybody. */
  readonly shown: boolean;
  /** It claims: see `View.flags`. */
  readonly claims: boolean;
}

/** The pieces in the columns of a view, in the order of the squares. */
export function pieces(game: Game, view: View): Piece[] {
  const found: Piece[] = [];
  for (const [index, seat] of view.seats.entries()) {
    if (seat === 0) {
      continue;
    }
    const kind = view.kinds[index] ?? HIDDEN;
    const flags = view.flags[index] ?? 0;
    found.push({
      square: squareName(game, index),
      seat,
      kind: kind === HIDDEN ? undefined : game.kinds[kind - 1],
      origin: squareName(game, (view.origins[index] ?? 0) - 1),
      moved: (flags & 1) !== 0,
      shown: (flags & 2) !== 0,
      claims: (flags & 16) !== 0,
    });
  }
  return found;
}
