/**
 * `make table-screenshots`: pictures of a real run in a headless Chromium, written into the folder that is named; all,
 * or those that are named behind it.
 *
 * TABLE_URL is where the page is. A player who takes what can be taken, and else any move, plays against bots.
 */
import { chromium } from "playwright-core";

const url = process.env.TABLE_URL;
const [folder, ...wanted] = process.argv.slice(2);
if (url === undefined || folder === undefined) throw new Error("TABLE_URL and a folder are needed");

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

const pictures = {
  lobby: () => lobby(),
  arrangement: () => arrangement("luzhanqi"),
  play: () => match("hidden-capture-flag", 1, { moves: 16 }),
  deduction: () => match("luzhanqi", 1, { moves: 12, deduce: true, dark: true }),
  four: () => match("luzhanqi-four", 3, { moves: 8 }),
  phone: () => match("salpakan-classic", 1, { moves: 9, width: 360, height: 780 }),
  "phone-dark": () => match("gunjin-shogi-23", 1, { moves: 7, width: 360, height: 780, dark: true }),
};
for (const [name, take] of Object.entries(pictures)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const page = await take();
  await page.mouse.move(0, 0);
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.screenshot({ path: `${folder}/${name}.png` });
  await page.context().close();
  console.log(`${name}.png`);
}
await browser.close();

async function lobby() {
  const page = await open({ height: 900 });
  await page.goto(`${url}/`);
  await page.selectOption("#game", "luzhanqi");
  await page.selectOption("#holder-2", "player");
  await page.check("#clock");
  await page.click("#create");
  await page.waitForSelector("#created");
  await page.waitForSelector("#preview");
  return page;
}

async function arrangement(game) {
  const page = await sit(game, 1, {});
  await page.click("#random");
  await page.waitForSelector("#ready:enabled");
  for (const square of ["a1", "c1", "e1", "a2", "c2"]) {
    await page.focus(`#square-${square}`);
    await page.keyboard.press("Delete");
  }
  const free = page.locator(".kinds button:enabled");
  await free.last().click();
  return page;
}

/** A match after some moves of one's own, with a piece in hand. */
async function match(game, seat, { moves, deduce = false, ...look }) {
  const page = await sit(game, seat, look);
  await page.click("#random");
  await page.click("#ready:enabled");
  for (let move = 0; move < moves && (await myTurn(page)); move++) {
    await pick(page, move);
    const taken = page.locator(".square:has(.target.taken)");
    const targets = (await taken.count()) > 0 ? taken : page.locator(".square:has(.target)");
    const before = await page.textContent("#status");
    await targets.nth(move % (await targets.count())).click();
    await page.waitForFunction((text) => {
      const refused = document.querySelector("#message:not([hidden])")?.textContent;
      if (refused) throw new Error(refused);
      return document.querySelector("#status")?.textContent !== text;
    }, before);
  }
  if (await myTurn(page)) await pick(page, 1);
  if (deduce) {
    await page.click("#deduce");
    await page.locator(".square:has(.back)").nth(3).click();
    await page.waitForSelector("#deduction .odds li");
  }
  return page;
}

/** Take a piece into the hand: one that can capture where there is one. */
async function pick(page, number) {
  const squares = await page.locator(".square.movable").all();
  for (const square of squares) {
    await square.click();
    if ((await page.locator(".target.taken").count()) > 0) return;
  }
  const square = squares[(number * 7) % squares.length];
  if (square !== squares.at(-1)) await square.click();
}

/** Wait for one's turn; false when the match has ended instead. */
async function myTurn(page) {
  await page.waitForSelector("#status.yours, #table:not(:has(#resign))");
  return (await page.locator("#resign").count()) > 0;
}

/** A match against bots, seen from one's own seat. */
async function sit(game, seat, look) {
  const page = await open(look);
  const { games } = await (await fetch(`${url}/api/games`)).json();
  const seats = Array(games.find(({ id }) => id === game).seats).fill("bot");
  seats[seat - 1] = "player";
  const body = JSON.stringify({ game, seats, clock: { minutes: 15, increment: 5 } });
  const answer = await fetch(`${url}/api/matches`, { method: "POST", headers: { origin: url }, body });
  const made = await answer.json();
  await page.goto(`${url}/match/${made.match}#${made.secrets[seat - 1]}`);
  await page.waitForSelector("#seats");
  return page;
}

async function open({ width = 1280, height = 860, dark = false }) {
  const colorScheme = dark ? "dark" : "light";
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  return context.newPage();
}
