/** Four pages and a spectator play a match; no page receives what its viewer may not know, its partner's pieces neither. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertNothingLeaked } from "./leaks.js";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

test("a match of luzhanqi-four, whose losing seats resign in the end", WITH_PAGES, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-four", 7);
  await playing.arrange();
  await playing.play([], 24);
  await playing.player(1).click("deduce");
  await playing.play([1, 3], 8);
  await playing.act(2, resign);
  for (const player of playing.players) await player.says("seat-2", /out/);
  await playing.play([1, 3], 3);
  await playing.act(4, resign);
  for (const player of playing.players) await player.says("status", /Seats 1 and 3 win/);
  assert.equal(playing.status.phase, "PHASE_ENDED");
  await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
});

async function resign(player: { click: (id: string) => Promise<void> }): Promise<void> {
  await player.click("resign");
  await player.click("resign-confirm");
}
