/** A match in which not only pages acted, from what everybody was told of it and where it led. */
import assert from "node:assert/strict";
import { create } from "@bufbuild/protobuf";
import { type ActionInit, actions, type Connection, StateToken, squareName } from "shinpan";
import { ActionSchema, type Game, Viewer } from "shinpan/v1";
import type { Recorded, Step } from "./ledger.js";
import type { UpdateJson } from "./recording.js";

/**
 * Play a match of two seats again: its moves are public, and who had which piece where the last state tells. An
 * AssertionError when that does not lead to the last state, byte by byte.
 */
export async function retold(
  { referee }: Connection,
  game: Game,
  match: string,
  updates: readonly UpdateJson[],
  last: Uint8Array,
): Promise<Recorded> {
  const setup = { game: game.id, options: game.chosen, matchId: Buffer.from(match) };
  let { token } = (await referee.startMatch({ setup })).state;
  const steps: Step[] = [{ revision: 0, token, action: null }];
  const placed = await arrangements({ referee }, game, last);
  for (const update of updates) {
    const { revision } = update.status;
    if (revision < steps.length) continue; // of the beginning, or told twice
    assert.equal(revision, steps.length, "every revision was told");
    const action = create(ActionSchema, actionOf(update, placed));
    token = (await referee.applyAction({ state: new StateToken(token), action })).state.token;
    steps.push({ revision, token, action });
  }
  assert.deepEqual(Buffer.from(token), Buffer.from(last));
  return { match, steps };
}

/** What a seat did, from the events that it led to. */
function actionOf({ events }: UpdateJson, placed: ReadonlyMap<number, Record<string, string>>): ActionInit {
  for (const { seatArranged, moved, matchEnded } of events) {
    const seat = (seatArranged ?? moved)?.seat as number;
    if (seatArranged) return actions.arrange(seat, placed.get(seat) ?? {});
    if (moved) return actions.move(seat, moved.move as number);
    const result = matchEnded?.result as { winners: number[]; reason: string } | undefined;
    if (result?.reason === "END_REASON_RESIGNED") return actions.resign(result.winners[0] === 1 ? 2 : 1);
  }
  return assert.fail(`nothing is known that leads to ${JSON.stringify(events)}`);
}

/** For each seat the kinds of its pieces by the squares on which they began. */
async function arrangements(
  { referee }: Pick<Connection, "referee">,
  game: Game,
  token: Uint8Array,
): Promise<Map<number, Record<string, string>>> {
  const { updates } = await referee.getUpdate({ state: new StateToken(token), viewers: [Viewer.REFEREE] });
  const placed = new Map<number, Record<string, string>>();
  for (const columns of [updates[0]?.view, updates[0]?.captured]) {
    columns?.origins.forEach((origin, place) => {
      const [seat = 0, kind = 0] = [columns.seats[place], columns.kinds[place]];
      if (origin === 0) return;
      placed.set(seat, { ...placed.get(seat), [squareName(game, origin - 1)]: game.kinds[kind - 1]?.id ?? "" });
    });
  }
  return placed;
}
