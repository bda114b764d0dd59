/** A bot decides by its own knowledge: all that it asks Shinpan is about that, or about what came of asking. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { actions, type Connection, type StateToken } from "shinpan";
import { ActionKind, type Knowledge, type Update, type Viewer } from "shinpan/v1";
import { decide, type Mind } from "#backend/bot.js";
import { PATIENCE_MS, Setting } from "./setting.js";

const GAME = "luzhanqi-mini";
const SEATS = [1, 2] as const;

/** A state or knowledge. */
interface Bytes {
  token?: Uint8Array;
}

let setting: Setting;
before(async () => {
  setting = await Setting.start();
});
after(() => setting.stop());

/** Lets a bot ask, and fails when a question holds anything that the bot was not told. */
class Watched implements Mind {
  questions = 0;
  readonly #told: Set<string>;

  constructor(
    readonly connection: Connection,
    readonly knowledge: Knowledge | undefined,
    readonly seat: number,
  ) {
    this.#told = new Set([hex(knowledge)]);
  }

  readonly analysis: Mind["analysis"] = {
    sampleStates: async (request) => {
      this.#assertTold(request.knowledge);
      const answer = await this.connection.analysis.sampleStates(request);
      for (const state of answer.states) this.#told.add(hex(state));
      return answer;
    },
    batchPlayouts: (request) => {
      for (const item of request.items ?? []) this.#assertHypothetical(item);
      return this.connection.analysis.batchPlayouts(request);
    },
  };

  readonly referee: Mind["referee"] = {
    batchApplyActions: async (request) => {
      for (const item of request.items ?? []) {
        this.#assertHypothetical(item);
        assert.equal(item.action?.seat, this.seat);
      }
      const answer = await this.connection.referee.batchApplyActions(request);
      for (const { outcome } of answer.items) if (outcome.case === "result") this.#told.add(hex(outcome.value.state));
      return answer;
    },
  };

  /** The server would refuse the state of a real match in this place. */
  #assertHypothetical(item: { state?: Bytes | undefined; expectHypothetical?: boolean }): void {
    this.#assertTold(item.state);
    assert.equal(item.expectHypothetical, true);
  }

  #assertTold(something: Bytes | undefined): void {
    this.questions += 1;
    assert.ok(this.#told.has(hex(something)), "a bot asks about something that it was not told");
  }
}

function hex(something: Bytes | undefined): string {
  return Buffer.from(something?.token ?? []).toString("hex");
}

/** What each seat is told in a match whose pieces are placed, after each of some random moves. */
async function* told({ referee, analysis }: Connection, seed: bigint): AsyncGenerator<Update[]> {
  const asked = { viewers: [...SEATS] as Viewer[], includeKnowledge: true };
  let state: StateToken;
  let updates: Update[];
  ({ state, updates } = await referee.startMatch({ setup: { game: GAME }, ...asked }));
  yield updates;
  for (const seat of SEATS) {
    const { arrangement } = await analysis.drawArrangement({ game: GAME, seat, seed });
    const action = actions.arrange(seat, arrangement);
    ({ state, updates } = await referee.applyAction({ state, action, ...asked }));
  }
  for (let ply = 0; ply < 12; ply++) {
    yield updates;
    const legal = updates.flatMap(({ viewer, legalActions }) =>
      (legalActions?.moves ?? []).map((move) => actions.move(viewer, move)),
    );
    const action = legal[(ply * 7) % legal.length];
    assert.ok(action);
    ({ state, updates } = await referee.applyAction({ state, action, ...asked }));
  }
  ({ updates } = await referee.applyAction({ state, action: actions.offerDraw(1), ...asked }));
  yield updates;
}

test("a bot asks about its own knowledge and about what came of it", { timeout: PATIENCE_MS }, async () => {
  const { connection } = setting;
  const decided: unknown[] = [];
  for await (const updates of told(connection, 3n)) {
    for (const update of updates) {
      const mind = new Watched(connection, update.knowledge, update.viewer);
      const chosen = await decide(mind, update);
      const moves = update.legalActions?.moves ?? [];
      if (chosen !== null && chosen !== "arrange" && "move" in chosen) {
        assert.ok(moves.includes(chosen.move.packed));
        assert.ok(moves.length === 1 || mind.questions > moves.length, "it tried each of its moves");
        decided.push("move");
      } else {
        assert.equal(mind.questions, 0);
        decided.push(chosen);
      }
      const kinds = update.legalActions?.kinds ?? [];
      assert.equal(chosen === "arrange", kinds.includes(ActionKind.ARRANGE));
    }
  }
  const moves = Array.from({ length: 12 }, (_, ply) => (ply % 2 === 0 ? ["move", null] : [null, "move"])).flat();
  const last = decided.splice(-2);
  assert.deepEqual(decided, ["arrange", "arrange", ...moves]);
  assert.deepEqual(last, ["move", { declineDraw: {} }]);
});
