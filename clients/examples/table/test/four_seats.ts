/** Four pages and a spectator play a whole match; no page receives what its viewer may not know, its partner's pieces neither. */
import { test } from "node:test";
import { assertNothingLeaked } from "./leaks.js";
import { Playing } from "./playing.js";
import { PATIENCE_MS, theSetting, WITH_PAGES } from "./setting.js";

test("a whole match of luzhanqi-four", { ...WITH_PAGES, timeout: 3 * PATIENCE_MS }, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-four", 7);
  await playing.arrange();
  await playing.play([], 16);
  await playing.player(1).click("deduce");
  await playing.play([1, 3]);
  await playing.ended();
  await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
  console.log(`luzhanqi-four, seed 7: ${String(playing.status.ply)} plies`);
});
