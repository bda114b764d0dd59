/** Lets bots act whenever it is for one of them to decide, until no bot has anything to do. */
import { status as Code } from "@grpc/grpc-js";
import { ServiceError } from "shinpan";
import { decide, type Mind } from "./bot.js";
import { type Listener, type Matches, Refused } from "./matches.js";
import type { Placement } from "./protocol.js";

/** A moment in which people see what happened before the next bot moves. */
const PAUSE_MS = 700;
const AWAY_MS = 2_000;

export class Bots implements Listener {
  /** Matches in which a bot is thinking, and whether something happened there since. */
  readonly #busy = new Map<string, boolean>();
  #stopped = false;

  constructor(
    readonly matches: Matches,
    readonly mind: Mind,
    readonly pause = PAUSE_MS,
  ) {}

  told(match: string): void {
    void this.#wake(match);
  }

  seated(match: string): void {
    void this.#wake(match);
  }

  stop(): void {
    this.#stopped = true;
  }

  async #wake(match: string): Promise<void> {
    const thinking = this.#busy.has(match);
    this.#busy.set(match, true);
    if (thinking) return;
    try {
      while (this.#busy.get(match) === true && !this.#stopped) {
        this.#busy.set(match, false);
        if (await this.#actOnce(match)) this.#busy.set(match, true);
      }
    } catch (error) {
      if (!this.#stopped) console.error(`bots of match ${match} stopped:`, error);
    } finally {
      const again = this.#busy.get(match) === true && !this.#stopped;
      this.#busy.delete(match);
      if (again) this.told(match);
    }
  }

  /** Whether a bot had something to decide, so that there may be more. */
  async #actOnce(match: string): Promise<boolean> {
    const { holders, ended } = this.matches.summary(match);
    if (ended) return false;
    for (const [index, holder] of holders.entries()) {
      if (holder !== "bot") continue;
      try {
        if (await this.#actFor(match, index + 1)) return true;
      } catch (error) {
        if (!passes(error)) throw error;
        await wait(AWAY_MS);
        return true;
      }
    }
    return false;
  }

  async #actFor(match: string, seat: number): Promise<boolean> {
    const update = this.matches.update(match, seat);
    const began = Date.now();
    const chosen = await decide(this.mind, update);
    if (chosen === null) return false;
    await wait(began + this.pause - Date.now());
    if (this.#stopped) return false;
    const arrange = async () => ({
      arrange: (await this.matches.drawArrangement(match, seat)) as { placements: Placement[] },
    });
    const action = chosen === "arrange" ? await arrange() : chosen;
    try {
      await this.matches.act(match, seat, update.status?.revision ?? 0, action);
    } catch (error) {
      // Somebody else acted meanwhile: the bot looks again.
      if (!(error instanceof Refused && error.reason === "STALE_STATE")) throw error;
    }
    return true;
  }
}

/** Whether an error is of a server, or of something on the way to it, that will answer later. */
function passes(error: unknown): boolean {
  const { UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED } = Code;
  if (!(error instanceof ServiceError)) return false;
  return error.reason === "" || [UNAVAILABLE, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED].includes(error.code);
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
