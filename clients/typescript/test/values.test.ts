import assert from "node:assert/strict";
import { after, test } from "node:test";
import { inspect } from "node:util";
import { create } from "@bufbuild/protobuf";
import { actions, connect, moveText, packedMove, pieces, StateToken, squareName } from "shinpan";
import { GameSchema, Viewer, ViewSchema } from "shinpan/v1";
import { servers } from "./servers.js";

const connection = connect(servers.plain);
const { referee, analysis } = connection;
after(() => connection.close());

const corners = create(GameSchema, {
  id: "corners",
  board: { files: 9, ranks: 10, squares: ["a1", "i1", "a10", "i10"].map((name) => ({ name })) },
  kinds: [{ id: "spy" }, { id: "flag" }],
});

test("moves are written as two squares and packed by their indices", () => {
  for (const [text, packed] of [
    ["a1i1", 0x0001],
    ["i1a10", 0x0102],
    ["a10i10", 0x0203],
    ["i10a1", 0x0300],
  ] as const) {
    assert.equal(packedMove(corners, text), packed);
    assert.equal(moveText(corners, packed), text);
  }
  assert.equal(squareName(corners, 2), "a10");
});

test("what is no move of the board is a RangeError that says so", () => {
  for (const text of ["", "a1", "a1b1", "a1i1i10", "A1I1", " a1i1"]) {
    assert.throws(() => packedMove(corners, text), {
      name: "RangeError",
      message: new RegExp(`'${text}' is not a move`),
    });
  }
  assert.throws(() => moveText(corners, 0x0004), { name: "RangeError", message: /no square 4.* has 4/ });
  assert.throws(() => moveText(corners, -1), RangeError);
});

test("a view's columns are pieces", () => {
  const view = create(ViewSchema, {
    seats: Uint8Array.of(1, 0, 2, 2),
    kinds: Uint8Array.of(2, 0, 255, 1),
    origins: Uint8Array.of(1, 0, 4, 3),
    flags: Uint8Array.of(16, 4, 1 + 8, 1 + 2),
  });
  const still = { moved: false, shown: false, claims: false };
  assert.deepEqual(pieces(corners, view), [
    { square: "a1", seat: 1, kind: corners.kinds[1], origin: "a1", ...still, claims: true },
    { square: "a10", seat: 2, kind: undefined, origin: "i10", ...still, moved: true },
    { square: "i10", seat: 2, kind: corners.kinds[0], origin: "a10", ...still, moved: true, shown: true },
  ]);
});

test("no way of printing an answer shows the bytes of a state", async () => {
  const setup = { game: "hidden-hasami", arrangements: { 1: await drawn(1), 2: await drawn(2) } };
  const answer = await referee.startMatch({ setup, viewers: [Viewer.SEAT_1], includeKnowledge: true });
  const { token } = answer.state;
  const batch = await referee.batchApplyActions({ items: [{ state: answer.state, action: actions.resign(1) }] });
  const knowledge = answer.updates[0]?.knowledge ?? {};
  const samples = await analysis.sampleStates({ knowledge, count: 2, seed: 1n });
  const everything = { state: answer.state, batch, samples };
  const whole = { depth: Infinity, maxArrayLength: Infinity, showHidden: true };
  for (const text of [inspect(everything, whole), JSON.stringify(everything), `${answer.state}`]) {
    assert.match(text, new RegExp(`StateToken\\(${token.length} bytes\\)`));
    assert.equal(text.match(/StateToken/g)?.length, text === `${answer.state}` ? 1 : 4, text);
    for (const shown of [
      [...token].slice(0, 8).join(", "),
      Buffer.from(token).toString("hex", 0, 8),
      '"token"',
      "token:",
    ]) {
      assert.ok(!text.includes(shown), text);
    }
  }
});

test("a state goes on from the bytes that were kept of it", async () => {
  const { state } = await referee.startMatch({ setup: { game: "mak-yek", matchId: Buffer.from("kept") } });
  const kept = new StateToken(Uint8Array.from(state.token));
  const { matchId } = await referee.describeState({ state: kept });
  assert.equal(Buffer.from(matchId).toString(), "kept");
});

async function drawn(seat: number) {
  const { arrangement } = await analysis.drawArrangement({ game: "hidden-hasami", seat, seed: BigInt(seat) });
  return arrangement;
}
