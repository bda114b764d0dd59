/** From the lobby to a placed arrangement: a match is made and joined with the page's controls alone. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import type { Player } from "./player.js";
import { theSetting, WITH_PAGES } from "./setting.js";

const places = (page: Page) => page.locator(".square.movable");

/** The word for a square's piece, from its label. */
async function at({ page }: Player, square: string): Promise<string> {
  const label = (await page.locator(`#square-${square}`).getAttribute("aria-label")) ?? "";
  return (
    label.split(", ").find((word) => /^(empty|flag|mine|bomb|officer|soldier|engineer|commander)$/i.test(word)) ?? ""
  );
}

test("a match is made, joined and arranged", WITH_PAGES, async () => {
  const setting = await theSetting();
  const host = await setting.visitor(1);
  await host.page.goto(setting.address);
  await host.page.locator("#game").selectOption("luzhanqi-mini");
  await host.page.locator("#holder-2").selectOption("open");
  await host.page.locator("label", { hasText: "With clocks" }).click();
  await host.page.locator("#clock-minutes").fill("3");
  await host.click("create");
  await host.page.locator("#seat-link-1").click();
  await host.says("status", /Arrange your pieces/);
  await host.says("clock-1", /^3:00/);

  const guest = await setting.visitor(2);
  await guest.page.goto(setting.address);
  await guest.page.locator("[id^=take-]").click();
  await guest.says("status", /Arrange your pieces/);
  await host.says("seat-2", /player, arranging/);

  await byPointer(host);
  await byKeyboard(guest);
  await host.says("status", /It is your move/);
  await guest.says("status", /Seat 1 is to move/);
  for (const { faults } of [host, guest]) assert.deepEqual(faults, []);
});

/** Drag pieces from the tray, onto squares that are and are not theirs. */
async function byPointer(player: Player): Promise<void> {
  const { page } = player;
  await page.locator("#tray-flag").click();
  assert.equal(await page.locator(".square:has(.target)").count(), 2, "a flag stands on one of two headquarters");
  await page.locator("#square-a1").click();
  await player.says("message", /Flag may not stand there.*2 of the 14 squares/);
  await page.keyboard.press("Escape");
  await page.locator("#tray-flag").dragTo(page.locator("#square-b1"));
  assert.equal(await at(player, "b1"), "Flag");
  await page.locator("#square-b1").dragTo(page.locator("#square-f1"));
  assert.deepEqual([await at(player, "b1"), await at(player, "f1")], ["empty", "Flag"]);
  assert.ok(await page.locator("#tray-flag").isDisabled(), "there is one flag");
  assert.ok(await page.locator("#ready").isDisabled(), "thirteen pieces are missing");
  await player.click("clear");
  assert.equal(await places(page).count(), 0);

  // What is dragged goes where it is dropped, whatever is in hand meanwhile.
  await page.locator("#tray-engineer").dragTo(page.locator("#square-a1"));
  await page.locator("#tray-soldier").click();
  await page.locator("#square-a1").dragTo(page.locator("#square-c1"));
  assert.deepEqual([await at(player, "a1"), await at(player, "c1")], ["empty", "Engineer"]);
  assert.equal(await places(page).count(), 1);
  await player.click("clear");

  await player.click("random");
  await page.locator("#ready:enabled").waitFor();
  assert.equal(await places(page).count(), 14);
  await player.click("ready");
  await player.says("status", /Waiting for the arrangement of seat 2/);
}

test("a link that holds no seat says so, and asks no more", WITH_PAGES, async () => {
  const setting = await theSetting();
  const created = await setting.match({ game: "luzhanqi-mini", seats: ["player", "player"] });
  const stranger = await setting.visitor(1);
  await stranger.page.goto(`${setting.address}/match/${created.match}#${"x".repeat(32)}`);
  await stranger.says("status", /leads to no seat/);
  await stranger.says("message", /does not hold a seat of this match/);
  const { frames, headers } = stranger.recording;
  await stranger.page.waitForFunction(() => performance.now() > 8_000); // the backend closes it after five seconds
  const handshakes = headers.filter((header) => /sec-websocket-accept/i.test(header));
  assert.deepEqual([handshakes.length, frames.length], [1, 1]);
  assert.deepEqual(stranger.faults, []);
});

/** Place, take back and place pieces without a pointer. */
async function byKeyboard(player: Player): Promise<void> {
  const { page } = player;
  await page.locator("#tray-flag").press("Enter");
  await page.locator("#square-b8").focus();
  await page.keyboard.press("Enter");
  assert.equal(await at(player, "b8"), "Flag");
  await page.keyboard.press("Delete");
  assert.equal(await places(page).count(), 0);
  await page.locator("#square-d8").focus();
  for (const [key, square] of [
    ["ArrowDown", "d8"],
    ["ArrowUp", "d7"],
    ["ArrowLeft", "e7"],
    ["ArrowRight", "d7"],
    ["ArrowDown", "d8"],
  ] as const) {
    await page.keyboard.press(key);
    const focused = await page.evaluate(() => document.activeElement?.id);
    assert.equal(focused, `square-${square}`, "seat 2 looks at the board from its own side");
  }
  await page.locator("#random").press("Enter");
  await page.locator("#ready:enabled").waitFor();
  await page.locator("#ready").press("Enter");
}
