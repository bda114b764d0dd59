/** The backend and the referee are killed and started again in the middle of things, and nothing is lost. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNothingLeaked } from "./leaks.js";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

test("a match goes on after every kind of kill", WITH_PAGES, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-mini", 8);
  const [first, second] = [playing.player(1), playing.player(2)];

  // The backend, while one seat has placed its pieces and the other has only begun to.
  await playing.act(1, (player) => player.arrange());
  await second.click("random");
  await second.page.locator("#ready:enabled").waitFor();
  const begun = await second.page.locator(".square.movable").count();
  await setting.backend.kill();
  await second.says("message", /connection is lost/);
  await playing.reconnected(() => setting.startBackend());
  assert.equal(await second.page.locator(".square.movable").count(), begun, "the arrangement is still on the page");
  await playing.act(2, (player) => player.click("ready"));
  await playing.play([], 4);

  // The referee, which is away when a move is made: the backend asks it again until it is back.
  const chosen = await playing.choose([]);
  await setting.shinpan.kill();
  const moving = playing.move(chosen);
  await first.recording.until("the move to be sent", () => first.acts().length === 4);
  await setting.startShinpan();
  await moving;
  await playing.play([], 3);

  // The backend, while a move that was sent to it is at the referee: it did not count, and can be made again.
  const again = await playing.choose([]);
  const before = playing.ledger.revision;
  const mover = playing.player(playing.status.toMove);
  const sent = mover.acts().length;
  setting.shinpan.hold();
  await mover.move(...playing.squares(again));
  await mover.recording.until("the move to be sent", () => mover.acts().length > sent);
  await setting.backend.kill();
  setting.shinpan.release();
  await playing.reconnected(() => setting.startBackend());
  for (const { update } of playing.players) assert.equal(update.status.revision, before);
  await playing.move(again);

  // Both at once.
  await Promise.all([setting.backend.kill(), setting.shinpan.kill()]);
  await second.says("message", /connection is lost/);
  await setting.startShinpan();
  await playing.reconnected(() => setting.startBackend());
  await playing.play([], 4);

  // A page that is loaded anew is told what was, and sees the same.
  const board = await second.page.locator("#board").getAttribute("aria-label");
  const squares = await labels(second.page.locator(".square"));
  const lines = await second.page.locator("#log li").count();
  await second.page.reload();
  await second.page.locator("#board").waitFor();
  await second.says("status", /move/);
  assert.equal(await second.page.locator("#board").getAttribute("aria-label"), board);
  assert.deepEqual(await labels(second.page.locator(".square")), squares);
  assert.equal(await second.page.locator("#log li").count(), lines);

  await playing.play([1]);
  await playing.ended();
  await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
});

function labels(squares: { evaluateAll: <T>(read: (elements: Element[]) => T) => Promise<T> }): Promise<unknown[]> {
  return squares.evaluateAll((elements) => elements.map((element) => element.getAttribute("aria-label")));
}
