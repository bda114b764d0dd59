/** Two pages and a spectator play whole matches; no page receives what its viewer may not know. */
import { test } from "node:test";
import { assertNothingLeaked } from "./leaks.js";
import { Playing } from "./playing.js";
import { theSetting, WITH_PAGES } from "./setting.js";

for (const [game, seed] of [
  ["luzhanqi-mini", 5],
  ["hidden-capture-flag", 6],
] as const) {
  test(`a whole match of ${game}`, WITH_PAGES, async () => {
    const setting = await theSetting();
    const playing = await Playing.of(setting, game, seed);
    await playing.arrange();
    await playing.play([], 24);
    await playing.player(1).click("deduce");
    await playing.player(3).click("deduce");
    await playing.play([1]);
    await playing.ended();
    await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
    console.log(`${game}, seed ${seed}: ${playing.status.ply} plies`);
  });
}
