/** A Shinpan server, the backend and a browser: real processes on free loopback ports, in a folder of their own. */
import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContextOptions, chromium } from "playwright-core";
import { type Connection, connect } from "shinpan";
import type { Created, NewMatch } from "../src/protocol.js";
import { Player } from "./player.js";
import { Program } from "./process.js";

const ROOT = fileURLToPath(new URL("../../../../../", import.meta.url));
const PACKAGE = fileURLToPath(new URL("../../", import.meta.url));
const PYTHON = process.env.PYTHON ?? join(ROOT, ".venv", "bin", "python");
const CHROMIUM = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** Why browser tests cannot run here, or false. */
export const missing = existsSync(CHROMIUM) ? false : "Chromium is not installed; make debian-packages installs it";

/** Far longer than a test takes, for machines that are busy. */
export const PATIENCE_MS = 300_000;

/** Options of a test whose setting has a browser. */
export const WITH_PAGES = { skip: missing, timeout: PATIENCE_MS };

export class Setting {
  readonly folder = mkdtempSync(join(tmpdir(), "table-"));
  readonly database = join(this.folder, "table.sqlite");
  readonly players: Player[] = [];
  shinpan!: Program;
  backend!: Program;
  browser: Browser | undefined;
  /** The test's own way to the referee, which tells it everything. */
  connection!: Connection;
  /** Where the page is, without a slash at the end. */
  address!: string;
  #grpc!: string;

  static async start(): Promise<Setting> {
    const setting = new Setting();
    await setting.#start();
    return setting;
  }

  async #start(): Promise<void> {
    this.#grpc = await this.startShinpan("127.0.0.1:0");
    this.connection = connect(this.#grpc);
    this.address = await this.startBackend("http://127.0.0.1:0");
  }

  /** Start a browser, too. */
  static async withBrowser(): Promise<Setting> {
    const setting = await Setting.start();
    setting.browser = await chromium.launch({ executablePath: CHROMIUM });
    return setting;
  }

  /** Start a Shinpan server where the last one was; its address. */
  async startShinpan(address = this.#grpc): Promise<string> {
    const ports = ["--admin-port=0", "--metrics-port=0", `--grpc-port=${address.split(":")[1] ?? ""}`];
    this.shinpan = new Program(PYTHON, ["-m", "service", "--announce=json", ...ports], {}, ROOT);
    return (JSON.parse(await this.shinpan.start()) as { grpc: string }).grpc;
  }

  /** Start the backend where the last one was, with the same database; its address. */
  async startBackend(address = this.address): Promise<string> {
    const settings = { SHINPAN_ADDRESS: this.#grpc, TABLE_DATABASE: this.database, TABLE_BOT_PAUSE_MS: "100" };
    const environment = { ...settings, TABLE_PORT: new URL(address).port || "0" };
    this.backend = new Program(process.execPath, ["dist/main.js"], environment, PACKAGE);
    const line = await this.backend.start();
    const [printed] = /http:\/\/[\d.:]+/.exec(line) ?? [];
    if (printed === undefined) throw new Error(`the backend printed no address: ${line}`);
    return printed;
  }

  async stop(): Promise<void> {
    await this.browser?.close();
    this.connection.close();
    await this.backend.stop();
    await this.shinpan.stop();
    rmSync(this.folder, { recursive: true });
  }

  /** A match, made as the lobby makes it. */
  async match(wanted: NewMatch): Promise<Created> {
    const answer = await this.post("/api/matches", wanted);
    if (answer.status !== 201) throw new Error(`no match: ${await answer.text()}`);
    return (await answer.json()) as Created;
  }

  post(path: string, body: unknown, origin = this.address): Promise<Response> {
    return fetch(this.address + path, { method: "POST", body: JSON.stringify(body), headers: { Origin: origin } });
  }

  /** A page of its own, with nothing in common with the others, that holds a seat, or watches as seat 0. */
  async page(match: string, seat: number, secret: string | null, options: BrowserContextOptions = {}): Promise<Player> {
    const player = await this.visitor(seat, options);
    await player.open(`${this.address}/match/${match}${secret === null ? "" : `#${secret}`}`);
    return player;
  }

  /** A page that has not gone anywhere yet. */
  async visitor(seat: number, options: BrowserContextOptions = {}): Promise<Player> {
    assert.ok(this.browser);
    const context = await this.browser.newContext({ viewport: { width: 1100, height: 900 }, ...options });
    context.setDefaultTimeout(60_000);
    const player = await Player.on(await context.newPage(), seat);
    this.players.push(player);
    return player;
  }

  /** Close every page. */
  async leave(): Promise<void> {
    await Promise.all(this.players.splice(0).map(({ page }) => page.context().close()));
  }

  /** A page for each seat of a match, and one for a spectator. */
  async pages({ match, secrets }: Created): Promise<Player[]> {
    const seats = secrets.map((secret, index) => this.page(match, index + 1, secret));
    return Promise.all([...seats, this.page(match, 0, null)]);
  }
}

let shared: Promise<Setting> | undefined;

/** The setting of all tests of this process, which starts with the first of them. */
export function theSetting(): Promise<Setting> {
  shared ??= Setting.withBrowser();
  return shared;
}
