/** The JSON of Shinpan's messages, as far as the page reads it. Columns are base64, enums are names. */

export interface GameSummary {
  id: string;
  name: string;
  summary: string;
  seats: number;
  options: GameOption[];
}

export interface GameOption {
  name: string;
  meaning: string;
  /** Values to choose from; `N` stands for a whole number. */
  values: string[];
  defaultValue: string;
}

export interface Game {
  id: string;
  name: string;
  summary: string;
  board: { files: number; ranks: number; squares: Square[]; roads: Road[]; rails: { squares: number[] }[] };
  seats: Seat[];
  kinds: Kind[];
  captureStyle: string;
  information: string;
  fixedStart: boolean;
}

export interface Square {
  name: string;
  file: number;
  rank: number;
  terrain: string;
  headquartersSeat: number;
  merged: { file: number; rank: number }[];
}

export interface Road {
  first: number;
  second: number;
}

export interface Seat {
  number: number;
  team: number;
  forward: string;
  zone: { squares: number[] };
  /** For each kind the squares that it may be placed on. */
  kindZones: { squares: number[] }[];
  goal: { squares: number[] } | undefined;
}

export interface Kind {
  id: string;
  letter: string;
  name: string;
  count: number;
}

export interface Update {
  viewer: string;
  status: Status;
  view: { seats: string; kinds: string; origins: string; flags: string; claimPending: boolean };
  events: GameEvent[];
  captured: { seats: string; origins: string; kinds: string };
  legalActions?: { moves: number[]; kinds: string[] };
}

export interface Status {
  phase: "PHASE_ARRANGEMENT" | "PHASE_PLAY" | "PHASE_ENDED";
  seatsArranged: number[];
  toMove: number;
  ply: number;
  revision: number;
  drawAgreed: number[];
  seatsOut: number[];
  lastMove?: number;
  result?: Result;
}

export interface Result {
  winners: number[];
  reason: string;
}

/** One event: exactly one of these is there. */
export interface GameEvent {
  seatArranged?: { seat: number };
  playBegan?: { toMove: number };
  moved?: Moved;
  pieceShown?: { seat: number; square: number; kind: number };
  claimOpened?: { seat: number };
  seatPassed?: { seat: number };
  seatEliminated?: { seat: number; cause: string };
  drawOffered?: { seat: number };
  drawAccepted?: { seat: number };
  drawDeclined?: { seat: number };
  drawLapsed?: Record<string, never>;
  matchEnded?: { result: Result };
}

export interface Moved {
  ply: number;
  seat: number;
  move: number;
  battle: string;
  captured: number[];
  attackerKind: number;
  defenderKind: number;
}

export interface Deduction {
  pieces: DeducedPiece[];
  count: string;
  exact: boolean;
}

export interface DeducedPiece {
  seat: number;
  origin: number;
  square?: number;
  kinds: { kind: number; probability: number }[];
}

/** A piece as the viewer sees it; `kind` is null when that is hidden. */
export interface Piece {
  seat: number;
  kind: Kind | null;
  shown: boolean;
  claims: boolean;
}

const HIDDEN = 255;
const SHOWN = 2;
const CLAIMS = 16;

/** The pieces on the board by square, null where none is seen. */
export function pieces(game: Game, { view }: Update): (Piece | null)[] {
  const [seats, kinds, flags] = [bytes(view.seats), bytes(view.kinds), bytes(view.flags)];
  return seats.map((seat, square) => {
    const flag = flags[square] ?? 0;
    const kind = kindAt(game, kinds[square] ?? HIDDEN);
    return seat === 0 ? null : { seat, kind, shown: (flag & SHOWN) !== 0, claims: (flag & CLAIMS) !== 0 };
  });
}

/** The pieces that have left the board, by owner: of each its kind, or null. */
export function capturedPieces(game: Game, { captured }: Update): Map<number, (Kind | null)[]> {
  const kinds = bytes(captured.kinds);
  const gone = new Map(game.seats.map((seat): [number, (Kind | null)[]] => [seat.number, []]));
  for (const [index, seat] of bytes(captured.seats).entries()) {
    gone.get(seat)?.push(kindAt(game, kinds[index] ?? HIDDEN));
  }
  return gone;
}

/** Whether the viewer still has to arrange its pieces. */
export function arranges(update: Update): boolean {
  return update.legalActions?.kinds.includes("ACTION_KIND_ARRANGE") ?? false;
}

/** A kind by its number in views and events, which counts from 1. */
export function kindAt(game: Game, number: number): Kind | null {
  return game.kinds[number - 1] ?? null;
}

export function squareName(game: Game, square: number): string {
  return game.board.squares[square]?.name ?? "?";
}

function bytes(column: string): number[] {
  return [...atob(column)].map((character) => character.charCodeAt(0));
}
