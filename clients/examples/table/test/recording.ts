/** Every byte that a page received, as the browser's own network log has it. */
import type { CDPSession, Page } from "playwright-core";
import type { ServerFrame } from "../src/protocol.js";

/** A body with the address that it was asked for under. */
export interface Body {
  url: string;
  bytes: Buffer;
}

/** An update as JSON, as far as the tests read it. */
export interface UpdateJson {
  viewer: string;
  status: {
    revision: number;
    phase: string;
    toMove: number;
    ply: number;
    lastMove?: number;
    result?: { winners: number[]; reason: string };
  };
  view: Record<"seats" | "kinds" | "origins" | "flags", string>;
  captured: Record<"seats" | "kinds" | "origins", string>;
  events: Record<string, Record<string, unknown>>[];
  legalActions?: { moves: number[]; kinds: string[] };
  knowledge?: { token: string };
}

const PATIENCE_MS = 60_000;

export class Recording {
  /** What came over WebSockets, in order, from all of them. */
  readonly frames: string[] = [];
  readonly bodies: Body[] = [];
  /** Headers of answers, WebSocket handshakes included. */
  readonly headers: string[] = [];
  /** What the page itself sent. */
  readonly sent: string[] = [];
  readonly #parsed: ServerFrame[] = [];
  readonly #urls = new Map<string, string>();
  readonly #fetching: Promise<void>[] = [];
  readonly #waiting = new Set<() => void>();

  private constructor(readonly session: CDPSession) {}

  /** Record a page that has not gone anywhere yet. */
  static async of(page: Page): Promise<Recording> {
    const session = await page.context().newCDPSession(page);
    const recording = new Recording(session);
    recording.#listen();
    await session.send("Network.enable", { maxTotalBufferSize: 1 << 26, maxResourceBufferSize: 1 << 24 });
    return recording;
  }

  /** Updates in the order in which they came. */
  updates(): UpdateJson[] {
    return this.parsed().flatMap((frame) => (frame.type === "update" ? [frame.update as UpdateJson] : []));
  }

  /** The same frames, read. */
  parsed(): readonly ServerFrame[] {
    for (const text of this.frames.slice(this.#parsed.length)) this.#parsed.push(JSON.parse(text) as ServerFrame);
    return this.#parsed;
  }

  /** Wait until something is there, looked for after each frame. */
  async until<T>(what: string, find: () => T | undefined | false): Promise<T> {
    const end = Date.now() + PATIENCE_MS;
    for (;;) {
      const found = find();
      if (found !== undefined && found !== false) return found;
      if (Date.now() > end) throw new Error(`${what} did not come; the last frame is ${this.frames.at(-1) ?? "none"}`);
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1_000);
        const done = () => {
          clearTimeout(timer);
          this.#waiting.delete(done);
          resolve();
        };
        this.#waiting.add(done);
      });
    }
  }

  /** Wait for the update of a revision, or of a later one. */
  update(revision: number): Promise<UpdateJson> {
    return this.until(`the update of revision ${String(revision)}`, () => {
      const last = this.updates().at(-1);
      return last !== undefined && last.status.revision >= revision && last;
    });
  }

  /** All that was recorded, once every body is there. */
  async everything(): Promise<string> {
    await Promise.all(this.#fetching);
    const bodies = this.bodies.map(({ bytes }) => bytes.toString("latin1"));
    return [...this.headers, ...bodies, ...this.frames].join("\n");
  }

  #listen(): void {
    const { session } = this;
    session.on("Network.webSocketFrameReceived", ({ response }) => {
      this.frames.push(response.payloadData);
      for (const wake of this.#waiting) wake();
    });
    session.on("Network.webSocketFrameSent", ({ response }) => this.sent.push(response.payloadData));
    session.on("Network.webSocketHandshakeResponseReceived", ({ response }) => {
      this.headers.push(JSON.stringify(response.headers));
    });
    session.on("Network.responseReceived", ({ requestId, response }) => {
      this.#urls.set(requestId, response.url);
      this.headers.push(JSON.stringify(response.headers));
    });
    session.on("Network.loadingFinished", ({ requestId }) => {
      const url = this.#urls.get(requestId);
      if (url === undefined) return;
      const fetching = this.#fetch(requestId, url);
      fetching.catch(() => undefined); // whoever asks for everything hears of it
      this.#fetching.push(fetching);
    });
  }

  async #fetch(requestId: string, url: string): Promise<void> {
    const { body, base64Encoded } = await this.session.send("Network.getResponseBody", { requestId });
    this.bodies.push({ url, bytes: Buffer.from(body, base64Encoded ? "base64" : "utf8") });
  }
}
