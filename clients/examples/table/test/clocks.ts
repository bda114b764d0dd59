/** A match against the clock: time runs while a seat thinks, a move gives some back, and who has none left has lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { create } from "@bufbuild/protobuf";
import { actions } from "shinpan";
import { ActionSchema, ForfeitCause } from "shinpan/v1";
import type { ClockFace } from "../src/protocol.js";
import { assertNothingLeaked } from "./leaks.js";
import type { Player } from "./player.js";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

const MINUTES = 0.25;
const WHOLE_MS = 15_000;
const INCREMENT_MS = 2_000;

/** The clocks that a page was told of last. */
function face({ recording }: Player): ClockFace {
  const clocks = recording.parsed().flatMap((frame) => (frame.type === "update" ? [frame.clock] : []));
  const last = clocks.at(-1);
  assert.ok(last);
  return last;
}

function assertWithin(value: number | undefined, low: number, high: number): void {
  assert.ok(
    value !== undefined && low <= value && value <= high,
    `${String(value)}: ${String(low)} to ${String(high)}`,
  );
}

test("a seat whose time is up loses, after the backend was away, too", WITH_PAGES, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-mini", 12, { minutes: MINUTES, increment: 2 });
  const [first, second] = [playing.player(1), playing.player(2)];
  assert.deepEqual(face(first), { left: [WHOLE_MS, WHOLE_MS], running: 0 });
  const begun = Date.now();
  await playing.arrange();
  await playing.move(await playing.choose([]));
  const moved = face(second);
  assertWithin(moved.left[0], WHOLE_MS + INCREMENT_MS - (Date.now() - begun), WHOLE_MS + INCREMENT_MS);
  assert.equal(moved.running, 2);

  // Seat 2 thinks, and the page shows it; the backend is killed, and the move begins again with the time that it had.
  await first.says("clock-2", /^0:1[0-2]$/);
  await setting.backend.kill();
  const back = Date.now();
  await playing.reconnected(() => setting.startBackend());
  const resumed = face(first);
  assert.equal(resumed.left[0], moved.left[0]);
  assertWithin(resumed.left[1], WHOLE_MS - (Date.now() - back), WHOLE_MS);

  await playing.heard(playing.ledger.revision + 1);
  assertWithin(Date.now() - back, WHOLE_MS, Number.POSITIVE_INFINITY);
  playing.ledger.noteAction(create(ActionSchema, actions.forfeit(2, ForfeitCause.TIME)));
  assert.deepEqual(face(second), { left: [moved.left[0], 0], running: 0 });
  for (const player of playing.players) {
    await player.says("status", /Seat 1 wins: the other side has no time left/);
    await player.says("clock-2", /^0:00$/);
  }
  await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
});
