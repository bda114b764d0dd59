/** Matches: how one is made, who sits where, and how an action changes it exactly once. */
import { fromJsonString } from "@bufbuild/protobuf";
import { type ActionInit, actions } from "shinpan";
import { ForfeitCause, Phase, type Update, UpdateSchema } from "shinpan/v1";
import { afterAction, afterRestart, face, newClock, Timers } from "./clock.js";
import type { Database, MatchRow, SeatRow, Told } from "./database.js";
import { Malformed } from "./frames.js";
import type { ClockFace, Created, Holder, LogEntry, MatchSummary, NewMatch, SeatAction } from "./protocol.js";
import { actionOf, type Referee, type Turn } from "./referee.js";
import { hashed, matches, newId, newSecret, newSeed } from "./secrets.js";

/** Something that cannot be done, and why, for whoever asked for it. */
export class Refused extends Error {
  constructor(
    readonly reason: string,
    message: string,
  ) {
    super(message);
  }
}

/** When the end of a seat's time is tried again that could not be told to the referee. */
const RETRY_MS = 5_000;

/** Who wants to hear what changes. */
export interface Listener {
  /** Each viewer was told something new. */
  told(match: string, told: Told[]): void;
  /** Somebody has sat down. */
  seated(match: string): void;
}

export class Matches {
  readonly #timers = new Timers((match, seat) => {
    this.#timeIsUp(match, seat).catch((error: unknown) => {
      console.error(`the end of time of match ${match} has to wait:`, error);
      if (!this.#stopped) this.#timers.set(match, this.#row(match).clock, RETRY_MS);
    });
  });
  readonly #listeners: Listener[] = [];
  /** How many actions in each match are at the referee: one that came in time counts, however long it is there. */
  readonly #acting = new Map<string, number>();
  #stopped = false;

  constructor(
    readonly database: Database,
    readonly referee: Referee,
  ) {}

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }

  /** Go on with the matches that were under way when the backend stopped. */
  resume(): void {
    for (const id of this.database.running()) {
      const { clock } = this.#row(id);
      if (clock !== null && clock.running > 0) {
        this.database.setClock(id, afterRestart(clock, Date.now()));
        this.#timers.set(id, this.#row(id).clock);
      }
      this.#emit((listener) => listener.seated(id));
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#timers.stop();
  }

  async create(wanted: NewMatch): Promise<Created> {
    const game = await this.referee.game(wanted.game, wanted.options ?? {});
    if (wanted.seats.length !== game.seats.length) {
      throw new Malformed(
        `seats has ${String(wanted.seats.length)} values; ${game.name} has ${String(game.seats.length)} seats`,
      );
    }
    const id = newId();
    const setup = { game: wanted.game, options: game.chosen, matchId: Buffer.from(id) };
    const turn = await this.referee.start(setup, wanted.seats.length);
    const secrets = wanted.seats.map((holder) => (holder === "player" ? newSecret() : null));
    const seats = wanted.seats.map((holder, index): SeatRow => {
      const secret = secrets[index];
      return { holder, secret: secret == null ? null : hashed(secret) };
    });
    const clock = wanted.clock ? newClock(wanted.clock, seats.length) : null;
    const row = {
      id,
      game: wanted.game,
      name: game.name,
      options: game.chosen,
      revision: 0,
      ended: false,
      token: turn.token,
    };
    // Where nothing is arranged the clocks wait for the first move: seats may be open yet.
    const match = { ...after({ ...row, clock: null }, turn, false, Date.now()), clock };
    this.database.insert(match, seats, turn.told);
    this.#emit((listener) => listener.seated(id));
    return { match: id, secrets };
  }

  /** Take an open seat; the secret that holds it from now on. */
  take(id: string, seat: number): string {
    const secret = newSecret();
    this.#sit(id, seat, "player", hashed(secret));
    return secret;
  }

  seatBot(id: string, seat: number): void {
    this.#sit(id, seat, "bot", null);
  }

  /** The seat that a secret holds. */
  seatOf(id: string, secret: string): number {
    this.#row(id);
    const seat = this.database.seats(id).findIndex((row) => matches(secret, row.secret)) + 1;
    if (seat === 0) throw new Refused("UNKNOWN_SECRET", "This link does not hold a seat of this match.");
    return seat;
  }

  /**
   * Act for a seat in answer to the update of a revision.
   *
   * A move or an answer to a draw offer means something in that one position: it counts only while the match still has
   * that revision, so that a double click, or a second window, acts once. An arrangement and a resignation mean the
   * same whatever others do meanwhile; they are tried again on the newest state until they are in or the referee
   * refuses them.
   */
  async act(id: string, seat: number, revision: number, action: SeatAction): Promise<void> {
    const lasting = "arrange" in action || "resign" in action;
    const [moved, came] = ["move" in action, Date.now()];
    for (;;) {
      const row = this.#row(id);
      if (!lasting && row.revision !== revision) throw stale(revision, row.revision);
      if (moved && timeIsUp(row, seat, came)) throw new Refused("TIME_IS_UP", "Your time is up: nothing was done.");
      this.#acting.set(id, (this.#acting.get(id) ?? 0) + 1);
      try {
        if (await this.#apply(row, actionOf(seat, action), moved, came)) return;
      } finally {
        const others = (this.#acting.get(id) ?? 0) - 1;
        if (others > 0) this.#acting.set(id, others);
        else this.#acting.delete(id);
      }
    }
  }

  /** A random arrangement for a seat, as JSON. */
  drawArrangement(id: string, seat: number): Promise<unknown> {
    const { game, options } = this.#row(id);
    return this.referee.drawArrangement(game, options, seat, newSeed());
  }

  /** What a viewer can deduce now, from the knowledge in the viewer's own update. */
  async deduce(id: string, viewer: number): Promise<{ revision: number; deduction: unknown }> {
    const update = this.update(id, viewer);
    return { revision: update.status?.revision ?? 0, deduction: await this.referee.deduce(update) };
  }

  /** What a viewer was told last. */
  update(id: string, viewer: number): Update {
    return fromJsonString(UpdateSchema, this.updateText(id, viewer));
  }

  updateText(id: string, viewer: number): string {
    return this.database.update(id, viewer);
  }

  log(id: string, viewer: number): LogEntry[] {
    return this.database.log(id, viewer);
  }

  clockFace(id: string): ClockFace | null {
    const { clock } = this.#row(id);
    return clock && face(clock, Date.now());
  }

  summary(id: string): MatchSummary {
    return this.#summary(this.#row(id));
  }

  summaries(limit: number): MatchSummary[] {
    return this.database.matches(limit).map((row) => this.#summary(row));
  }

  #summary({ id, game, name, options, ended, clock }: MatchRow): MatchSummary {
    const holders = this.database.seats(id).map((seat) => seat.holder);
    const setting = clock && { minutes: clock.minutes, increment: clock.increment };
    return { id, game, name, options, holders, ended, clock: setting };
  }

  /** Whether the action is in: false when another one was first, and the match has to be looked at anew. */
  async #apply(row: MatchRow, action: ActionInit, moved: boolean, came: number): Promise<boolean> {
    const turn = await this.referee.apply(row.token, action, row.revision, this.database.seats(row.id).length);
    const next = after(row, turn, moved, came);
    if (!this.database.advance(row.revision, next, turn.told)) return false;
    this.#timers.set(next.id, next.clock);
    this.#emit((listener) => listener.told(next.id, turn.told));
    return true;
  }

  async #timeIsUp(id: string, seat: number): Promise<void> {
    for (;;) {
      const row = this.#row(id);
      if (row.clock?.running !== seat) return;
      const acting = (this.#acting.get(id) ?? 0) > 0;
      if (acting || !timeIsUp(row, seat, Date.now())) {
        this.#timers.set(id, row.clock, acting ? RETRY_MS : 0); // or the wall clock was put back
        return;
      }
      if (await this.#apply(row, actions.forfeit(seat, ForfeitCause.TIME), false, Date.now())) return;
    }
  }

  #sit(id: string, seat: number, holder: Holder, secret: Uint8Array | null): void {
    this.#row(id);
    if (!this.database.take(id, seat, holder, secret))
      throw new Refused("SEAT_TAKEN", "This seat is not open any more.");
    this.#emit((listener) => listener.seated(id));
  }

  #row(id: string): MatchRow {
    const row = this.database.match(id);
    if (row === null) throw new Refused("UNKNOWN_MATCH", "There is no such match.");
    return row;
  }

  #emit(say: (listener: Listener) => void): void {
    for (const listener of this.#listeners) say(listener);
  }
}

/** Whether it is for a seat to move and it has no time left. */
function timeIsUp({ clock }: MatchRow, seat: number, now: number): boolean {
  return clock !== null && clock.running === seat && face(clock, now).left[seat - 1] === 0;
}

function after(row: MatchRow, { token, status }: Turn, moved: boolean, came: number): MatchRow {
  const clock = row.clock && afterAction(row.clock, moved, status.toMove, came, Date.now());
  return { ...row, token, revision: status.revision, ended: status.phase === Phase.ENDED, clock };
}

function stale(seen: number, now: number): Refused {
  return new Refused(
    "STALE_STATE",
    `The match has moved on since this was chosen (revision ${String(seen)}, now ${String(now)}): nothing was done. ` +
      "Look at the newest position and choose again.",
  );
}
