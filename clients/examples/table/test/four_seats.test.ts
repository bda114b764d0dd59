/** Four pages and a spectator play a match; no page receives what its viewer may not know, its partner's pieces neither. */
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { assertNothingLeaked } from "./leaks.js";
import { Playing } from "./playing.js";
import { missing, PATIENCE_MS, Setting } from "./setting.js";

let setting: Setting;
before(async () => {
  if (missing === false) setting = await Setting.withBrowser();
});
after(() => setting?.stop());

test("a match of luzhanqi-four, whose losing seats resign in the end", {
  skip: missing,
  timeout: PATIENCE_MS,
}, async () => {
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
