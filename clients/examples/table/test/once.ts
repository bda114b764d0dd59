/** What a page or two send at the same time is done once; the referee is held up so that it really is the same time. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Player } from "./player.js";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

/** A match of two pages, whose first seat is to move. */
async function begun(seed: number): Promise<Playing> {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-mini", seed);
  await playing.arrange();
  return playing;
}

/** Two different moves of the seat to move, as names of squares. */
function twoMoves({ game }: Playing, player: Player): [string, string][] {
  const moves = player.update.legalActions?.moves ?? [];
  const names = moves.map((move) => [move >> 8, move & 255].map((square) => game.board?.squares[square]?.name ?? ""));
  return names.slice(0, 2) as [string, string][];
}

function target({ page }: Player, square: string) {
  return page.locator(`#square-${square}:has(.target)`);
}

test("a double click is one action", WITH_PAGES, async () => {
  const playing = await begun(9);
  const player = playing.player(1);
  const [[from, to] = ["", ""]] = twoMoves(playing, player);
  await player.page.locator(`#square-${from}.movable`).click({ force: true });
  playing.setting.shinpan.hold();
  await target(player, to).dblclick({ force: true });
  await player.recording.until("the move to be sent", () => player.acts().length === 2);
  playing.setting.shinpan.release();
  await playing.heard(3);
  const [arranged, moved, ...more] = player.acts();
  assert.ok(arranged && moved);
  playing.ledger.note(1, moved.action);
  for (const { action } of more) assert.deepEqual(action, moved.action, "a second click says the same");
  await playing.play([], 1);
});

test("two tabs of a seat are one player, and the one that is late is told so", WITH_PAGES, async () => {
  const playing = await begun(10);
  const tabs = [playing.player(1), await playing.player(1).tab()];
  const moves = twoMoves(playing, playing.player(1));
  for (const [index, tab] of tabs.entries()) {
    await tab.page.locator(`#square-${moves[index]?.[0] ?? ""}.movable`).click({ force: true });
  }
  playing.setting.shinpan.hold();
  for (const [index, tab] of tabs.entries()) {
    const sent = tab.acts().length;
    await target(tab, moves[index]?.[1] ?? "").click({ force: true });
    await tab.recording.until("the move to be sent", () => tab.acts().length > sent);
  }
  playing.setting.shinpan.release();
  await playing.heard(3);
  await tabs[1]?.recording.update(3);
  const refusals = await tabs[0]?.recording.until("a refusal", () => {
    const told = tabs.map(({ recording }) => recording.parsed().filter(({ type }) => type === "refused"));
    return told.some((frames) => frames.length > 0) && told;
  });
  assert.ok(refusals);
  const late = refusals.findIndex((frames) => frames.length > 0);
  assert.deepEqual(refusals[1 - late], []);
  assert.deepEqual(
    refusals[late]?.map((frame) => frame.type === "refused" && frame.reason),
    ["STALE_STATE"],
  );
  await tabs[late]?.says("message", /The match has moved on since this was chosen.*nothing was done/);
  await tabs[late]?.says("status", /Seat 2 is to move/);
  const accepted = tabs[1 - late]?.acts().at(-1);
  assert.ok(accepted);
  playing.ledger.note(1, accepted.action);
  await playing.play([], 1);
});
