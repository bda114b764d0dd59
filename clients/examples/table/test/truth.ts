/** What is true in a match, from the referee's own answers about every state that the backend kept of it. */
import assert from "node:assert/strict";
import { toJson } from "@bufbuild/protobuf";
import { type Connection, StateToken } from "shinpan";
import { type Game, Phase, type Update, UpdateSchema, Viewer } from "shinpan/v1";
import type { Position } from "./choice.js";
import type { Recorded } from "./ledger.js";
import type { UpdateJson } from "./recording.js";

const SHOWN = 2;

/** One revision of a match. */
export interface Moment {
  referee: Update;
  /** What each viewer is to be told: seats, and 0 for spectators. */
  told: Map<number, UpdateJson>;
  /** Start squares of the pieces whose kinds everybody has been shown so far. */
  shown: ReadonlySet<number>;
  digest: Uint8Array;
}

export interface Truth {
  moments: Moment[];
  /** The kind of every piece by the index of its start square; kinds count from 1. */
  kinds: ReadonlyMap<number, number>;
}

/** The pieces on the board as the referee sees them. */
export async function position({ referee }: Connection, token: Uint8Array): Promise<Position> {
  const { updates } = await referee.getUpdate({ state: new StateToken(token), viewers: [Viewer.REFEREE] });
  const view = updates[0]?.view;
  assert.ok(view);
  return [...view.seats].map((seat, square) => (seat === 0 ? null : { seat, kind: view.kinds[square] ?? 0 }));
}

/** Play the ledger again; an AssertionError when an action does not lead from each token to the next. */
export async function truthOf({ referee }: Connection, game: Game, ledger: Recorded): Promise<Truth> {
  const viewers = [...game.seats.map((seat): Viewer => seat.number), Viewer.SPECTATOR, Viewer.REFEREE];
  const moments: Moment[] = [];
  const shown = new Set<number>();
  let before: Uint8Array | undefined;
  for (const { token, action, revision } of ledger.steps) {
    let updates: Update[];
    if (action === null || before === undefined) {
      const asked = { state: new StateToken(token), viewers, includeKnowledge: true };
      ({ updates } = await referee.getUpdate(asked));
    } else {
      const asked = { state: new StateToken(before), action, viewers, includeKnowledge: true };
      const answer = await referee.applyAction(asked);
      assert.deepEqual(answer.state.token, token, `revision ${String(revision)} is not what the action leads to`);
      updates = answer.updates;
    }
    const { digest } = await referee.describeState({ state: new StateToken(token) });
    const told = updates.map((update): [number, UpdateJson] => [viewerNumber(update.viewer), jsonOf(update)]);
    const whole = updates.find((update) => update.viewer === Viewer.REFEREE);
    assert.ok(whole);
    for (const origin of shownBy(whole, moments.at(-1)?.referee)) shown.add(origin);
    moments.push({ referee: whole, told: new Map(told), shown: new Set(shown), digest });
    before = token;
  }
  return { moments, kinds: kindsOf(moments) };
}

function viewerNumber(viewer: Viewer): number {
  return viewer === Viewer.SPECTATOR ? 0 : viewer;
}

function jsonOf(update: Update): UpdateJson {
  return toJson(UpdateSchema, update, { alwaysEmitImplicit: true }) as unknown as UpdateJson;
}

/** Start squares of the pieces whose kinds an answer of the referee shows to everybody. */
function shownBy({ view, events }: Update, before: Update | undefined): number[] {
  const marked = [...(view?.flags ?? [])].flatMap((flags, square) => ((flags & SHOWN) !== 0 ? [square] : []));
  const origins = marked.map((square) => view?.origins[square] ?? 0);
  for (const { kind } of events) {
    if (kind.case !== "moved") continue;
    const { move, attackerKind, defenderKind } = kind.value;
    if (attackerKind > 0) origins.push(before?.view?.origins[move >> 8] ?? 0);
    if (defenderKind > 0) origins.push(before?.view?.origins[move & 255] ?? 0);
  }
  return origins.filter((origin) => origin > 0).map((origin) => origin - 1);
}

/** Kinds never change: those that the referee names once play has begun. */
function kindsOf(moments: Moment[]): Map<number, number> {
  const kinds = new Map<number, number>();
  for (const { referee } of moments) {
    if (referee.status?.phase === Phase.ARRANGEMENT) continue;
    for (const columns of [referee.view, referee.captured]) {
      columns?.origins.forEach((origin, place) => {
        if (origin === 0) return;
        const kind = columns.kinds[place] ?? 0;
        assert.equal(kinds.get(origin - 1) ?? kind, kind);
        kinds.set(origin - 1, kind);
      });
    }
  }
  return kinds;
}
