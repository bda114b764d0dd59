/** Every byte that a page received, held against what its viewer may know. Nothing is passed over as unknown. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { toJson } from "@bufbuild/protobuf";
import type { Connection } from "shinpan";
import { BattleReveal, DeduceResponseSchema, type Game, GameSchema } from "shinpan/v1";
import type { ClockFace, Placement, ServerFrame } from "../src/protocol.js";
import type { Recorded } from "./ledger.js";
import type { Player } from "./player.js";
import type { Body, UpdateJson } from "./recording.js";
import { type Truth, truthOf } from "./truth.js";

const HIDDEN = 255;
const SHOWN = 2;
const PAGE = new URL("../../page/static/", import.meta.url);
const SCRIPTS = new URL("../../dist/page/", import.meta.url);

/** Hold what the pages of a match received against the referee's truth; AssertionErrors name what should not be there. */
export async function assertNothingLeaked(
  connection: Connection,
  game: Game,
  ledger: Recorded,
  players: readonly Player[],
): Promise<void> {
  const truth = await truthOf(connection, game, ledger);
  for (const player of players) await new Inspection(connection, game, ledger, truth, player).run();
}

class Inspection {
  /** Whether the match has clocks, as its first frame says. */
  #timed = false;

  constructor(
    readonly connection: Connection,
    readonly game: Game,
    readonly ledger: Recorded,
    readonly truth: Truth,
    readonly player: Player,
  ) {}

  async run(): Promise<void> {
    const { player } = this;
    assert.deepEqual(player.faults, []);
    const text = await player.recording.everything();
    for (const frame of player.recording.parsed()) await this.#frame(frame);
    for (const body of player.recording.bodies) this.#body(body);
    this.#assertNoSecrets(text);
    const seen = new Set(player.recording.updates().map(({ status }) => status.revision));
    const missed = this.ledger.steps.filter(({ revision }) => !seen.has(revision));
    assert.deepEqual(missed, [], "a page was told of every revision, and the recording has it");
  }

  async #frame(frame: ServerFrame): Promise<void> {
    const { seat } = this.player;
    switch (frame.type) {
      case "match": {
        assert.deepEqual(Object.keys(frame).sort(), ["match", "type", "you"]);
        const { match } = frame;
        assert.deepEqual(Object.keys(match).sort(), ["clock", "ended", "game", "holders", "id", "name", "options"]);
        assert.deepEqual([frame.you, match.id, match.game], [seat, this.ledger.match, this.game.id]);
        assert.deepEqual([match.name, match.options], [this.game.name, this.game.chosen]);
        assert.ok(match.holders.every((holder) => ["open", "player", "bot"].includes(holder)));
        this.#timed = match.clock !== null;
        break;
      }
      case "log":
        assert.deepEqual(Object.keys(frame).sort(), ["entries", "type"]);
        for (const { revision, events, ...more } of frame.entries) {
          assert.deepEqual([events, more], [this.#told(revision).events, {}]);
        }
        break;
      case "update":
        assert.deepEqual(Object.keys(frame).sort(), ["clock", "type", "update"]);
        this.#update(frame.update as UpdateJson);
        this.#clock(frame.clock, (frame.update as UpdateJson).status);
        break;
      case "arrangement":
        assert.deepEqual(Object.keys(frame).sort(), ["arrangement", "type"]);
        this.#arrangement((frame.arrangement as { placements: Placement[] }).placements);
        break;
      case "deduction": {
        assert.deepEqual(Object.keys(frame).sort(), ["deduction", "revision", "type"]);
        const { knowledge } = this.#told(frame.revision);
        const token = Buffer.from(knowledge?.token ?? "", "base64");
        const answer = await this.connection.analysis.deduce({ knowledge: { token } });
        assert.deepEqual(frame.deduction, toJson(DeduceResponseSchema, answer, { alwaysEmitImplicit: true }));
        break;
      }
      case "refused":
        assert.deepEqual(Object.keys(frame).sort(), ["message", "reason", "type"]);
        for (const { name, id } of this.game.kinds) {
          assert.ok(!new RegExp(`\\b(${name}|${id})\\b`, "i").test(frame.message), frame.message);
        }
        break;
      default:
        assert.fail(`an unknown frame: ${JSON.stringify(frame)}`);
    }
  }

  /** An update is, to the last field, what the referee says to this viewer; and that is less than the truth. */
  #update(update: UpdateJson): void {
    const { revision, phase } = update.status;
    assert.deepEqual(update, this.#told(revision), `the update of revision ${String(revision)}`);
    assert.equal(
      update.viewer,
      this.player.seat === 0 ? "VIEWER_SPECTATOR" : `VIEWER_SEAT_${String(this.player.seat)}`,
    );
    const [view, captured] = [update.view, update.captured];
    const columns = [view, captured].map(({ seats, kinds, origins }) => [seats, kinds, origins].map(bytes));
    for (const [seats = [], kinds = [], origins = []] of columns) {
      for (const [place, seat] of seats.entries()) {
        if (seat === 0) {
          assert.deepEqual([kinds[place], origins[place]], [0, 0]);
          continue;
        }
        const own = seat === this.player.seat;
        assert.ok(own || phase !== "PHASE_ARRANGEMENT", `a piece of seat ${String(seat)} before all are placed`);
        if (phase !== "PHASE_ARRANGEMENT") this.#kind(revision, seat, (origins[place] ?? 0) - 1, kinds[place] ?? 0);
      }
    }
    this.#shownOnly(update);
  }

  /** Clocks are public: times by seat, and the one that runs is that of the seat to move. */
  #clock(clock: ClockFace | null, { phase, toMove }: UpdateJson["status"]): void {
    assert.equal(clock !== null, this.#timed);
    if (clock === null) return;
    const { left, running, ...more } = clock;
    assert.deepEqual([left.length, more], [this.game.seats.length, {}]);
    assert.ok(left.every((milliseconds) => Number.isInteger(milliseconds) && milliseconds >= 0));
    assert.equal(running, phase === "PHASE_PLAY" ? toMove : 0);
  }

  /** A kind is told of the own pieces and of those that everybody was shown, and it is the true one. */
  #kind(revision: number, seat: number, origin: number, kind: number): void {
    if (kind === HIDDEN) return;
    const name = `the piece of seat ${String(seat)} from square ${String(origin)} in revision ${String(revision)}`;
    assert.equal(kind, this.truth.kinds.get(origin), name);
    assert.ok(seat === this.player.seat || this.truth.moments[revision]?.shown.has(origin), `${name} is hidden`);
  }

  /** Where battles tell nothing, no event names a kind, and no piece is shown unless an event says why. */
  #shownOnly({ view, events }: UpdateJson): void {
    if (this.game.combat?.reveal !== BattleReveal.NONE || this.game.combat.deathShows.length > 0) return;
    assert.ok(bytes(view.flags).every((flags) => (flags & SHOWN) === 0));
    for (const { moved } of events) assert.deepEqual([moved?.attackerKind ?? 0, moved?.defenderKind ?? 0], [0, 0]);
  }

  /** A random arrangement is a suggestion for the own seat: it says nothing of anybody else's. */
  #arrangement(placements: readonly Placement[]): void {
    const seat = this.game.seats[this.player.seat - 1];
    const zone = new Set(seat?.zone?.squares.map((square) => this.game.board?.squares[square]?.name));
    assert.ok(placements.every(({ square }) => zone.has(square)));
  }

  #told(revision: number): UpdateJson {
    const told = this.truth.moments[revision]?.told.get(this.player.seat);
    assert.ok(told, `there is no revision ${String(revision)}`);
    return told;
  }

  /** A body is a file of the page, or the public description of the game. */
  #body({ url, bytes: body }: Body): void {
    const { pathname } = new URL(url);
    if (pathname === `/api/matches/${this.ledger.match}/game`) {
      const expected = toJson(GameSchema, this.game, { alwaysEmitImplicit: true });
      assert.deepEqual(JSON.parse(body.toString()), expected);
      return;
    }
    const name = pathname.startsWith("/match/") ? "index.html" : pathname.slice(1);
    assert.match(name, /^[\w-]+\.(html|css|svg|js)$/, `an unknown body: ${url}`);
    assert.ok(body.equals(readFileSync(new URL(name, name.endsWith(".js") ? SCRIPTS : PAGE))), url);
  }

  /** No token, no digest, and nobody else's knowledge, in any spelling. */
  #assertNoSecrets(text: string): void {
    const { seat } = this.player;
    for (const [revision, { told, digest }] of this.truth.moments.entries()) {
      const token = this.ledger.steps[revision]?.token ?? digest;
      for (const secret of [token, digest]) {
        for (const spelling of spellings(secret)) {
          assert.ok(!text.includes(spelling), `the token or digest of revision ${String(revision)}`);
        }
      }
      for (const [viewer, { knowledge }] of told) {
        if (viewer === seat || knowledge === undefined) continue;
        const written = spellings(Buffer.from(knowledge.token, "base64"));
        const foreign = written.some((spelling) => text.includes(spelling));
        assert.ok(!foreign, `the knowledge of viewer ${String(viewer)} in revision ${String(revision)}`);
      }
    }
  }
}

/** How bytes can be written in text: base64 wherever it begins, both alphabets, hexadecimal, and as they are. */
function spellings(secret: Uint8Array): string[] {
  const bytes = Buffer.from(secret);
  const shifted = [0, 1, 2].map((skip) => {
    const whole = bytes.subarray(skip, bytes.length - ((bytes.length - skip) % 3));
    return whole.toString("base64");
  });
  const url = shifted.map((text) => text.replaceAll("+", "-").replaceAll("/", "_"));
  return [...shifted, ...url, bytes.toString("hex"), bytes.toString("latin1")];
}

function bytes(column: string): number[] {
  return [...Buffer.from(column, "base64")];
}
