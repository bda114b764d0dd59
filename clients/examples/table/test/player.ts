/** Somebody at a page: what they do with its controls, and all that their page received. */
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { SeatAction } from "../src/protocol.js";
import { Recording, type UpdateJson } from "./recording.js";

export class Player {
  /** Errors that no code of the page caught. */
  readonly faults: string[] = [];

  private constructor(
    readonly page: Page,
    /** The own seat, 0 for a spectator. */
    readonly seat: number,
    readonly recording: Recording,
  ) {
    page.on("pageerror", (error) => this.faults.push(String(error)));
  }

  static async on(page: Page, seat: number): Promise<Player> {
    return new Player(page, seat, await Recording.of(page));
  }

  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.recording.update(0);
  }

  /** A second page with the same secret, in the same browser window. */
  async tab(): Promise<Player> {
    const tab = await Player.on(await this.page.context().newPage(), this.seat);
    await tab.open(this.page.url());
    return tab;
  }

  click(id: string): Promise<void> {
    return this.page.locator(`#${id}:enabled`).click({ force: true });
  }

  /** Place the pieces at random and say that they are placed. */
  async arrange(): Promise<void> {
    await this.click("random");
    await this.click("ready");
  }

  /** Move by two clicks. */
  async move(from: string, to: string): Promise<void> {
    await this.page.locator(`#square-${from}.movable`).click({ force: true });
    await this.page.locator(`#square-${to}:has(.target)`).click({ force: true });
  }

  /** Move by keyboard. */
  async moveByKeyboard(from: string, to: string): Promise<void> {
    await this.page.locator(`#square-${from}.movable`).press("Enter");
    await this.page.locator(`#square-${to}:has(.target)`).press(" ");
  }

  /** The squares that show something, by name, sorted. */
  squaresWith(selector: string): Promise<string[]> {
    const found = this.page.locator(`.square:has(${selector})`);
    return found.evaluateAll((cells) => cells.map(({ id }) => id.replace("square-", "")).sort());
  }

  /** The actions that the page sent, and the revisions that they answered. */
  acts(): { revision: number; action: SeatAction }[] {
    return this.recording.sent.flatMap((text) => {
      const frame = JSON.parse(text) as { type: string; revision: number; action: SeatAction };
      return frame.type === "act" ? [frame] : [];
    });
  }

  /** What the page was told last. */
  get update(): UpdateJson {
    const last = this.recording.parsed().findLast((frame) => frame.type === "update");
    assert.ok(last, "no update came");
    return last.update as UpdateJson;
  }

  /** Wait until the page says a text. */
  async says(id: string, pattern: RegExp): Promise<void> {
    await this.page.locator(`#${id}`, { hasText: pattern }).waitFor();
  }
}
