/** Time of matches: how it runs, and the timers that end a match when a seat has used its up. */
import type { Clock } from "./database.js";
import type { ClockFace, ClockSetting } from "./protocol.js";

export function newClock(setting: ClockSetting, seats: number): Clock {
  return { ...setting, left: Array<number>(seats).fill(Math.round(setting.minutes * 60_000)), running: 0, since: 0 };
}

/**
 * The clock after an action that came at a moment and counts from `now` on, later by what the referee took, which is
 * nobody's time: a move stops the mover's and gives its increment; the seat to move, or none, runs on.
 */
export function afterAction(clock: Clock, moved: boolean, toMove: number, came: number, now: number): Clock {
  if (!moved && clock.running === toMove) return clock;
  const left = [...face(clock, came).left];
  if (moved && clock.running > 0) left[clock.running - 1] = (left[clock.running - 1] ?? 0) + clock.increment * 1000;
  return { ...clock, left, running: toMove, since: now };
}

/** The clock after the backend was away: the seat to move begins this move's time again, for nobody measured it. */
export function afterRestart(clock: Clock, now: number): Clock {
  return { ...clock, since: now };
}

export function face(clock: Clock, now: number): ClockFace {
  const left = clock.left.map((milliseconds, index) =>
    index + 1 === clock.running ? Math.max(0, milliseconds - (now - clock.since)) : milliseconds,
  );
  return { left, running: clock.running };
}

/** One timer for each match whose clock runs. */
export class Timers {
  readonly #timers = new Map<string, NodeJS.Timeout>();

  constructor(readonly expired: (match: string, seat: number) => void) {}

  /** Wait for the end of the running seat's time, or longer, instead of what was waited for before. */
  set(match: string, clock: Clock | null, least = 0): void {
    clearTimeout(this.#timers.get(match));
    this.#timers.delete(match);
    if (clock === null || clock.running === 0) return;
    const seat = clock.running;
    const left = face(clock, Date.now()).left[seat - 1] ?? 0;
    const timer = setTimeout(
      () => {
        this.#timers.delete(match);
        this.expired(match, seat);
      },
      Math.max(least, left),
    );
    this.#timers.set(match, timer);
  }

  stop(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
