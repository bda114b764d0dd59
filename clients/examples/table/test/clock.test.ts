/** Clocks of matches, at moments that the tests choose. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { afterAction, afterRestart, face, newClock } from "#backend/clock.js";

const START = newClock({ minutes: 1, increment: 2 }, 2);
const FIRST_TO_MOVE = afterAction(START, false, 1, 1_000, 1_000);

test("no clock runs before play", () => {
  assert.deepEqual(face(START, 500_000), { left: [60_000, 60_000], running: 0 });
});

test("the clock of the seat to move runs from the moment at which it was to move", () => {
  assert.deepEqual(face(FIRST_TO_MOVE, 4_000), { left: [57_000, 60_000], running: 1 });
});

test("a move takes the time that it took, and gives the increment", () => {
  const moved = afterAction(FIRST_TO_MOVE, true, 2, 11_000, 11_000);
  assert.deepEqual(face(moved, 11_000), { left: [52_000, 60_000], running: 2 });
  assert.deepEqual(face(moved, 14_500), { left: [52_000, 56_500], running: 2 });
});

test("the time that the referee took is nobody's", () => {
  const moved = afterAction(FIRST_TO_MOVE, true, 2, 11_000, 30_000);
  assert.deepEqual(face(moved, 31_000), { left: [52_000, 59_000], running: 2 });
});

test("an offer of a draw neither stops a clock nor gives anything", () => {
  assert.deepEqual(face(afterAction(FIRST_TO_MOVE, false, 1, 5_000, 5_000), 6_000), {
    left: [55_000, 60_000],
    running: 1,
  });
});

test("a seat that moves twice, since the other one was passed over, gets the increment of each move", () => {
  const again = afterAction(FIRST_TO_MOVE, true, 1, 4_000, 4_000);
  assert.deepEqual(face(afterAction(again, true, 2, 5_000, 5_000), 5_000), { left: [60_000, 60_000], running: 2 });
});

test("the end stops the clock, and gives no increment to a seat that resigned", () => {
  const ended = afterAction(FIRST_TO_MOVE, false, 0, 31_000, 31_000);
  assert.deepEqual(face(ended, 900_000), { left: [30_000, 60_000], running: 0 });
});

test("nobody has less than no time", () => {
  assert.deepEqual(face(FIRST_TO_MOVE, 61_001), { left: [0, 60_000], running: 1 });
});

test("the time for which the backend was away, and what was thought before, is given back", () => {
  assert.deepEqual(face(afterRestart(FIRST_TO_MOVE, 300_000), 301_000), { left: [59_000, 60_000], running: 1 });
});
