/** Whole matches, played by people at pages. */
import assert from "node:assert/strict";
import { squareName } from "shinpan";
import type { Game } from "shinpan/v1";
import type { ClockSetting, Holder, SeatAction } from "../src/protocol.js";
import { Chooser } from "./choice.js";
import { Ledger } from "./ledger.js";
import type { Player } from "./player.js";
import type { Setting } from "./setting.js";
import { position } from "./truth.js";

/** One move in so many is made by keyboard, the others by clicks. */
const KEYBOARD_EVERY = 4;

export class Playing {
  readonly #chooser: Chooser;

  private constructor(
    readonly setting: Setting,
    readonly game: Game,
    readonly ledger: Ledger,
    /** By seat from seat 1, then the spectator. */
    readonly players: Player[],
    seed: number,
  ) {
    this.#chooser = new Chooser(game, seed);
  }

  static async of(setting: Setting, id: string, seed: number, clock?: ClockSetting): Promise<Playing> {
    const { game } = await setting.connection.referee.getGame({ game: id });
    const wanted = { game: id, seats: game.seats.map((): Holder => "player") };
    const created = await setting.match(clock === undefined ? wanted : { ...wanted, clock });
    const ledger = new Ledger(setting.database, created.match);
    return new Playing(setting, game, ledger, await setting.pages(created), seed);
  }

  player(seat: number): Player {
    const player = this.players[seat - 1];
    assert.ok(player);
    return player;
  }

  /** The public facts, as the spectator was told them last. */
  get status() {
    return this.player(this.players.length).update.status;
  }

  /** A player does something, which every page hears of; while the referee is away they are told so, and try again. */
  async act(seat: number, how: (player: Player) => Promise<void>): Promise<SeatAction> {
    const player = this.player(seat);
    const [revision, heard] = [this.ledger.revision + 1, player.recording.frames.length];
    const before = player.acts().length;
    await how(player);
    const refusals = await player.recording.until("an answer", () => {
      const told = player.recording.parsed().slice(heard);
      const refused = told.flatMap((frame) => (frame.type === "refused" ? [frame.reason] : []));
      return (refused.length > 0 || player.update.status.revision >= revision) && refused;
    });
    if (refusals.length > 0) {
      assert.deepEqual(refusals, ["UNAVAILABLE"]);
      return this.act(seat, how);
    }
    await this.heard(revision);
    const acts = player.acts().slice(before);
    assert.equal(acts.length, 1, `seat ${String(seat)} sent one action`);
    const [sent] = acts;
    assert.ok(sent);
    this.ledger.note(seat, sent.action);
    return sent.action;
  }

  /** Have something bring the backend back, and wait until every page has heard from it. */
  async reconnected(back: () => Promise<unknown>): Promise<void> {
    const heard = this.players.map(({ recording }) => recording.updates().length);
    await back();
    const waiting = this.players.map(({ recording }, index) =>
      recording.until("the page's return", () => recording.updates().length > (heard[index] ?? 0)),
    );
    await Promise.all(waiting);
  }

  /** Wait until every page was told of a revision. */
  async heard(revision: number): Promise<void> {
    await Promise.all(this.players.map(({ recording }) => recording.update(revision)));
  }

  /** Everybody places their pieces. */
  async arrange(): Promise<void> {
    for (const { number } of this.game.seats) await this.act(number, (player) => player.arrange());
  }

  /** A move of the seat to move; seats of `attackers` go for the flags of the others. */
  async choose(attackers: readonly number[]): Promise<number> {
    const seat = this.status.toMove;
    const legal = this.player(seat).update.legalActions?.moves ?? [];
    const enemies = attackers.includes(seat) ? this.#others(attackers) : [];
    return this.#chooser.choose(await position(this.setting.connection, this.ledger.token), seat, legal, enemies);
  }

  /** The squares of a move, by name. */
  squares(move: number): [string, string] {
    return [squareName(this.game, move >> 8), squareName(this.game, move & 255)];
  }

  /** The seat to move makes a move at its page. */
  async move(chosen: number): Promise<void> {
    const [from, to] = this.squares(chosen);
    const byKeyboard = this.status.ply % KEYBOARD_EVERY === KEYBOARD_EVERY - 1;
    const action = await this.act(this.status.toMove, (player) =>
      byKeyboard ? player.moveByKeyboard(from, to) : player.move(from, to),
    );
    assert.deepEqual(action, { move: { packed: chosen } });
  }

  /** Play until the match ends, or for so many plies. */
  async play(attackers: readonly number[], plies = 400): Promise<void> {
    const end = this.status.ply + plies;
    while (this.status.phase === "PHASE_PLAY" && this.status.ply < end) await this.move(await this.choose(attackers));
  }

  /** The match has ended, and every page says how. */
  async ended(): Promise<void> {
    const { phase, result } = this.status;
    assert.equal(phase, "PHASE_ENDED");
    const [first, second] = (result?.winners ?? []).map(String);
    const winners = second === undefined ? `Seat ${first ?? ""} wins` : `Seats ${first ?? ""} and ${second} win`;
    const words = new RegExp(`${first === undefined ? "A draw" : winners}: \\w+`);
    for (const player of this.players) await player.says("status", words);
  }

  #others(seats: readonly number[]): number[] {
    return this.game.seats.map(({ number }) => number).filter((seat) => !seats.includes(seat));
  }
}
