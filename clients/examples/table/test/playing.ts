/** Whole matches, played by people at pages. */
import assert from "node:assert/strict";
import { moveText } from "shinpan";
import type { Game } from "shinpan/v1";
import type { SeatAction } from "../src/protocol.js";
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

  static async of(setting: Setting, id: string, seed: number): Promise<Playing> {
    const { game } = await setting.connection.referee.getGame({ game: id });
    const created = await setting.match({ game: id, seats: game.seats.map(() => "player") });
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

  /** A player does something, which every page hears of. */
  async act(seat: number, how: (player: Player) => Promise<void>): Promise<SeatAction> {
    const player = this.player(seat);
    const before = player.acts().length;
    await how(player);
    await Promise.all(this.players.map(({ recording }) => recording.update(this.ledger.revision + 1)));
    const acts = player.acts().slice(before);
    assert.equal(acts.length, 1, `seat ${String(seat)} sent one action`);
    const [sent] = acts;
    assert.ok(sent);
    this.ledger.note(seat, sent.action);
    return sent.action;
  }

  /** Everybody places their pieces. */
  async arrange(): Promise<void> {
    for (const { number } of this.game.seats) await this.act(number, (player) => player.arrange());
  }

  /** The seat to move moves; seats of `attackers` go for the flags of the others. */
  async move(attackers: readonly number[]): Promise<void> {
    const seat = this.status.toMove;
    const legal = this.player(seat).update.legalActions?.moves ?? [];
    const enemies = attackers.includes(seat) ? this.#others(attackers) : [];
    const truth = await position(this.setting.connection, this.ledger.token);
    const chosen = this.#chooser.choose(truth, seat, legal, enemies);
    const [from, to] = [chosen >> 8, chosen & 255].map((square) => this.game.board?.squares[square]?.name ?? "");
    const byKeyboard = this.status.ply % KEYBOARD_EVERY === KEYBOARD_EVERY - 1;
    const action = await this.act(seat, (player) =>
      byKeyboard ? player.moveByKeyboard(from ?? "", to ?? "") : player.move(from ?? "", to ?? ""),
    );
    assert.deepEqual(action, { move: { packed: chosen } }, moveText(this.game, chosen));
  }

  /** Play until the match ends, or for so many plies. */
  async play(attackers: readonly number[], plies = 400): Promise<void> {
    const end = this.status.ply + plies;
    while (this.status.phase === "PHASE_PLAY" && this.status.ply < end) await this.move(attackers);
  }

  #others(seats: readonly number[]): number[] {
    return this.game.seats.map(({ number }) => number).filter((seat) => !seats.includes(seat));
  }
}
