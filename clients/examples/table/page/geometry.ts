/** Where things are on the screen: the board turned so that a seat looks forward from the bottom. */
import type { Game, Square } from "./messages.js";

/** Side of a square in units of the drawing. */
export const UNIT = 100;

export interface Point {
  x: number;
  y: number;
}

/** Up on the screen for each direction that a seat can look to: how many quarters the board is turned to the left. */
const QUARTERS: Record<string, number> = {
  DIRECTION_NORTH: 0,
  DIRECTION_EAST: 1,
  DIRECTION_SOUTH: 2,
  DIRECTION_WEST: 3,
};

export class Geometry {
  readonly columns: number;
  readonly rows: number;
  readonly #quarters: number;

  /** The board of a game as a seat sees it; seat 0, the spectator, sees it as seat 1. */
  constructor(
    readonly game: Game,
    seat: number,
  ) {
    const { files, ranks } = game.board;
    this.#quarters = QUARTERS[game.seats[Math.max(0, seat - 1)]?.forward ?? ""] ?? 0;
    const sideways = this.#quarters % 2 === 1;
    this.columns = sideways ? ranks : files;
    this.rows = sideways ? files : ranks;
  }

  /** Column and row, from 0 at the top left, of a place of the grid. */
  cell(file: number, rank: number): Point {
    const { files, ranks } = this.game.board;
    switch (this.#quarters) {
      case 1:
        return { x: ranks - rank, y: files - file };
      case 2:
        return { x: files - file, y: rank - 1 };
      case 3:
        return { x: rank - 1, y: file - 1 };
      default:
        return { x: file - 1, y: ranks - rank };
    }
  }

  /** The cells that a square covers. */
  cells(square: Square): Point[] {
    return [{ file: square.file, rank: square.rank }, ...square.merged].map(({ file, rank }) => this.cell(file, rank));
  }

  /** The middle of a square, in units of the drawing. */
  middle(index: number): Point {
    const square = this.game.board.squares[index];
    if (square === undefined) return { x: 0, y: 0 };
    const cells = this.cells(square);
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return {
      x: (mean(cells.map((cell) => cell.x)) + 0.5) * UNIT,
      y: (mean(cells.map((cell) => cell.y)) + 0.5) * UNIT,
    };
  }

  /** Degrees by which the tiles of a seat are turned to point forward. */
  turn(seat: number): number {
    const quarters = QUARTERS[this.game.seats[seat - 1]?.forward ?? ""] ?? 0;
    return ((quarters - this.#quarters + 4) % 4) * 90;
  }

  /** The square that is seen one step from another: the nearest in that direction, so that holes are stepped over. */
  step(from: number, dx: number, dy: number): number | null {
    const start = this.middle(from);
    let best: number | null = null;
    let least = Number.POSITIVE_INFINITY;
    this.game.board.squares.forEach((_, index) => {
      const point = this.middle(index);
      const along = (point.x - start.x) * dx + (point.y - start.y) * dy;
      const across = Math.abs((point.x - start.x) * dy) + Math.abs((point.y - start.y) * dx);
      if (index === from || along < UNIT / 2 || across > UNIT * 0.6) return;
      if (along + across < least) [best, least] = [index, along + across];
    });
    return best;
  }
}
