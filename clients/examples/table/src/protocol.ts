/**
 * What page and backend say to each other over the WebSocket: JSON, one object a frame, told apart by `type`.
 *
 * Shinpan's own messages travel inside as their canonical JSON, unchanged. Above all an `Update`: the referee made it
 * for one viewer, and nothing that is not in one goes to that viewer but what everybody may know.
 */

/** An action of a seat: the JSON of `shinpan.v1.Action` without its seat, which the secret of the connection decides. */
export type SeatAction =
  | { arrange: { placements: Placement[] } }
  | { move: { packed: number } }
  | { resign: Record<string, never> }
  | { offerDraw: Record<string, never> }
  | { acceptDraw: Record<string, never> }
  | { declineDraw: Record<string, never> };

export interface Placement {
  square: string;
  kind: string;
}

/** Frames of the page. The first has to be `hello`. */
export type ClientFrame =
  /** Which match to watch, and as whom: the seat of the secret, or the spectator without one. */
  | { type: "hello"; match: string; secret?: string }
  /** Act, in answer to the update of that revision: a frame that is sent twice is obeyed once. */
  | { type: "act"; revision: number; action: SeatAction }
  /** A random arrangement for the own seat, to look at and change; answered by `arrangement`. */
  | { type: "drawArrangement" }
  /** What follows from what this viewer knows; answered by `deduction`. */
  | { type: "deduce" }
  /** Put a bot on an open seat. */
  | { type: "seatBot"; seat: number };

/** Frames of the backend. After `hello`: `match`, `log`, `update`; `match` again when somebody sits down, `update` after
 * every action. */
export type ServerFrame =
  | { type: "match"; match: MatchSummary; you: number }
  /** What happened so far: the events of all earlier updates of this viewer. */
  | { type: "log"; entries: LogEntry[] }
  /** An `Update` of Shinpan as it came, and how the clocks stand. */
  | { type: "update"; update: unknown; clock: ClockFace | null }
  | { type: "arrangement"; arrangement: unknown }
  /** `DeduceResponse`, and the revision of the update whose knowledge it is about. */
  | { type: "deduction"; revision: number; deduction: unknown }
  /** The last frame did not do anything, and why. */
  | { type: "refused"; reason: string; message: string };

export interface LogEntry {
  revision: number;
  events: unknown[];
}

/** Who sits on a seat. */
export type Holder = "open" | "player" | "bot";

/** What everybody may know of a match besides its updates. `you` above is the own seat, 0 for a spectator. */
export interface MatchSummary {
  id: string;
  game: string;
  name: string;
  options: Record<string, string>;
  /** By seat, from seat 1. */
  holders: Holder[];
  ended: boolean;
  /** Minutes for each seat and seconds for each move; null without clocks. */
  clock: ClockSetting | null;
}

export interface ClockSetting {
  /** For all moves of a seat, from 0.1 to 600. */
  minutes: number;
  /** Seconds that each move gives, whole, up to 600. */
  increment: number;
}

/** Clocks at the moment of sending: milliseconds left by seat, from seat 1, and the seat whose clock runs, or 0. */
export interface ClockFace {
  left: number[];
  running: number;
}

/** Body of POST /api/matches. */
export interface NewMatch {
  game: string;
  options?: Record<string, string>;
  /** By seat, from seat 1: a seat held by a link of its own, free for anyone who comes, or played by a bot. */
  seats: Holder[];
  clock?: ClockSetting;
}

/** Its answer: the match, and for each seat that is held by a link its secret, null for the others. */
export interface Created {
  match: string;
  secrets: (string | null)[];
}

/** Answer of POST /api/matches/ID/seats/N, which takes an open seat. */
export interface Taken {
  secret: string;
}
