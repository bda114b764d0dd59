/** A page against a bot, and two bots that a spectator watches. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { squareName } from "shinpan";
import { assertNothingLeaked } from "./leaks.js";
import { Ledger } from "./ledger.js";
import { retold } from "./retold.js";
import { theSetting, WITH_PAGES } from "./setting.js";

test("a bot sits down on an open seat, places its pieces and answers", WITH_PAGES, async () => {
  const setting = await theSetting();
  const created = await setting.match({ game: "luzhanqi-mini", seats: ["player", "open"] });
  const player = await setting.page(created.match, 1, created.secrets[0] ?? null);
  const watcher = await setting.page(created.match, 0, null);
  await player.says("seat-2", /open seat/);
  await player.click("bot-2");
  await player.says("seat-2", /bot, ready/);
  await player.arrange();
  const { game } = await setting.connection.referee.getGame({ game: "luzhanqi-mini" });
  for (let ply = 0; ply < 6; ply += 2) {
    const update = await player.recording.until("the own turn", () => {
      const { status, legalActions } = player.update;
      return status.toMove === 1 && status.ply === ply && legalActions;
    });
    await player.says("status", /It is your move/);
    const [move = 0] = update.moves;
    await player.move(squareName(game, move >> 8), squareName(game, move & 255));
  }
  await player.recording.until("the bot's third move", () => player.update.status.ply === 6);
  await player.click("resign");
  await player.click("resign-confirm");
  const { revision } = await watcher.recording.until("the end", () => {
    const { status } = watcher.update;
    return status.phase === "PHASE_ENDED" && status;
  });
  await player.recording.update(revision);
  const last = Ledger.newest(setting.database, created.match);
  const match = await retold(setting.connection, game, created.match, watcher.recording.updates(), last);
  await assertNothingLeaked(setting.connection, game, match, [player, watcher]);
});

test("two bots play a match to its end", WITH_PAGES, async () => {
  const setting = await theSetting();
  const created = await setting.match({ game: "hasami-five", seats: ["bot", "bot"] });
  const watcher = await setting.page(created.match, 0, null);
  await watcher.recording.until("the end", () => watcher.update.status.phase === "PHASE_ENDED");
  await watcher.says("status", /Seat [12] wins|A draw/);
  assert.deepEqual(watcher.faults, []);
});
