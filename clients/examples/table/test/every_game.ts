/** Every game's page, on a desk and on a phone, in light and in dark: drawn from the description of the game alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { Phase } from "shinpan/v1";
import { theSetting, WITH_PAGES } from "./setting.js";

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };

test("the page of every game fits a phone and shows every square", WITH_PAGES, async () => {
  const setting = await theSetting();
  const phone = await setting.visitor(1, { ...PHONE, colorScheme: "dark" });
  await phone.page.goto(setting.address);
  await phone.page.locator("#preview").waitFor();
  await assertFits(phone.page, "the lobby");
  const { games } = await setting.connection.referee.listGames({});
  assert.ok(games.length > 0);
  for (const { id } of games) {
    const { game } = await setting.connection.referee.getGame({ game: id });
    const created = await setting.match({ game: id, seats: game.seats.map(() => "player") });
    await phone.page.goto(`${setting.address}/match/${created.match}#${created.secrets[0] ?? ""}`);
    await phone.says("status", /Arrange your pieces|It is your move/);
    assert.equal(await phone.page.locator(".square").count(), game.board?.squares.length, id);
    await assertFits(phone.page, `${id} at its beginning`);
    if (phone.update.status.phase === `PHASE_${Phase[Phase.ARRANGEMENT]}`) {
      await phone.click("random");
      await phone.page.locator("#ready:enabled").waitFor();
    }
    const pieces = game.kinds.reduce((sum, { count }) => sum + count, 0);
    const own = phone.page.locator(".square .tile.seat1");
    assert.equal(await own.count(), pieces, id);
    await assertFits(phone.page, `${id} with pieces`);
  }
  assert.deepEqual(phone.faults, []);
});

test("light and dark are told apart", WITH_PAGES, async () => {
  const setting = await theSetting();
  const grounds: number[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const { page } = await setting.visitor(0, { colorScheme });
    await page.goto(setting.address);
    await page.locator("#preview").waitFor();
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? []).map(Number);
    grounds.push((red + green + blue) / 3);
  }
  const [light = 0, dark = 255] = grounds;
  assert.ok(light > 200 && dark < 60, `${String(light)} and ${String(dark)}`);
});

/** Nothing is wider than the window. */
async function assertFits(page: Page, what: string): Promise<void> {
  const [width, window] = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    document.documentElement.clientWidth,
  ]);
  assert.equal(width, window, `${what} scrolls sideways`);
}
