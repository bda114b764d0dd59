/** Draws are offered, declined and agreed to at the pages; beside the board stand captured pieces and what can be deduced. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { squareName } from "shinpan";
import { assertNothingLeaked } from "./leaks.js";
import type { Player } from "./player.js";
import { Playing } from "./playing.js";
import type { UpdateJson } from "./recording.js";
import { theSetting, WITH_PAGES } from "./setting.js";

const HIDDEN = 255;

test("draws, captured pieces and deduction", WITH_PAGES, async () => {
  const setting = await theSetting();
  const playing = await Playing.of(setting, "luzhanqi-mini", 11);
  const [first, second, spectator] = [playing.player(1), playing.player(2), playing.player(3)];
  await playing.arrange();
  while (bytes(first.update.captured.seats).length < 2 && playing.status.ply < 200) await playing.play([], 1);

  await assertCapturedShown(playing);
  await assertDeductionShown(playing, first);

  await playing.act(2, (player) => player.click("offer-draw"));
  await second.says("offer-draw", /Draw offered/);
  assert.ok(await second.page.locator("#offer-draw").isDisabled());
  await first.says("status", /Seat 2 offers a draw/);
  assert.equal(await spectator.page.locator("#accept-draw, #decline-draw, #offer-draw, #resign").count(), 0);
  await playing.act(1, (player) => player.click("decline-draw"));
  await second.says("status", /Seat 1 declines the draw/);
  await playing.act(1, (player) => player.click("offer-draw"));
  await playing.act(2, (player) => player.click("accept-draw"));
  for (const player of playing.players) {
    await player.says("status", /A draw: agreed/);
    assert.equal(await player.page.locator("#choices button").count(), 0);
  }
  await assertNothingLeaked(setting.connection, playing.game, playing.ledger, playing.players);
});

/** Every page lists what each seat has lost, and names the kinds of those pieces alone that its viewer was told. */
async function assertCapturedShown({ game, players }: Playing): Promise<void> {
  for (const { page, update } of players) {
    const lost = capturedNames(update, (kind) => game.kinds[kind - 1]?.name ?? "");
    assert.ok([...lost.values()].flat().length > 1, "pieces have been captured");
    for (const { number } of game.seats) {
      const names = lost.get(number) ?? [];
      const label = page.locator(`#captured-${String(number)}`);
      if (names.length === 0) {
        assert.equal(await label.count(), 0);
        continue;
      }
      const shown = (await label.getAttribute("aria-label"))?.replace("Lost: ", "").split(", ").sort();
      assert.deepEqual(shown, names.sort());
      if (update.viewer === "VIEWER_SPECTATOR") assert.ok(names.every((name) => name === "hidden piece"));
    }
  }
}

function capturedNames({ captured }: UpdateJson, nameOf: (kind: number) => string): Map<number, string[]> {
  const kinds = bytes(captured.kinds);
  const lost = new Map<number, string[]>();
  for (const [place, seat] of bytes(captured.seats).entries()) {
    const kind = kinds[place] ?? HIDDEN;
    lost.set(seat, [...(lost.get(seat) ?? []), kind === HIDDEN ? "hidden piece" : nameOf(kind)]);
  }
  return lost;
}

/** A page that was asked to deduce says of each hidden piece what it likely is, as the referee deduces it. */
async function assertDeductionShown({ setting, game }: Playing, player: Player): Promise<void> {
  await player.click("deduce");
  await player.page.locator("#deduction").waitFor();
  const token = Buffer.from(player.update.knowledge?.token ?? "", "base64");
  const { pieces } = await setting.connection.analysis.deduce({ knowledge: { token } });
  const onBoard = pieces.filter(({ square }) => square !== undefined);
  assert.ok(onBoard.length > 5);
  for (const { square = 0, kinds } of onBoard) {
    const best = kinds.reduce((one, other) => (other.probability > one.probability ? other : one));
    const likeliest = kinds.filter(({ probability }) => probability === best.probability);
    const names = likeliest.map(({ kind }) => game.kinds[kind - 1]?.name ?? "").join("|");
    const label = await player.page.locator(`#square-${squareName(game, square)}`).getAttribute("aria-label");
    assert.match(label ?? "", new RegExp(`likely (${names}), ${String(Math.round(best.probability * 100))} %`));
  }
  const [{ square = 0, kinds }] = onBoard as [(typeof onBoard)[number]];
  await player.page.locator(`#square-${squareName(game, square)}`).click({ force: true });
  await player.says("deduction", new RegExp(`What ${squareName(game, square)} can be`));
  assert.equal(await player.page.locator("#deduction li").count(), kinds.length);
  await player.click("deduce");
  await player.page.locator("#deduction").waitFor({ state: "detached" });
}

function bytes(column: string): number[] {
  return [...Buffer.from(column, "base64")];
}
