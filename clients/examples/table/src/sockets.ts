/** The WebSocket of a page: who watches what, what a page asks for, and what it is told. */
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { status as Code } from "@grpc/grpc-js";
import { ServiceError } from "shinpan";
import { WebSocket, WebSocketServer } from "ws";
import type { Told } from "./database.js";
import { clientFrame, MAX_BYTES, Malformed } from "./frames.js";
import { type Listener, type Matches, Refused } from "./matches.js";
import type { ClientFrame, ServerFrame } from "./protocol.js";
import { isForPlayers } from "./referee.js";

const HELLO_MS = 5_000;
const PING_MS = 30_000;
const MAX_CONNECTIONS = 1_000;
/** What a page may leave unread before it is taken for gone. */
const MAX_UNREAD_BYTES = 1 << 20;
/** Frames a second of one page, in bursts of as many. */
const FRAMES_A_SECOND = 20;
/** What a page may ask for before the first of it is answered. */
const MAX_ASKING = 8;
const POLICY_VIOLATION = 1008;

/** A page after its hello: its match, and the seat that it holds, or 0 for a spectator. */
interface Viewing {
  match: string;
  seat: number;
  /** Frames that are not answered yet. */
  asking: number;
}

export class Sockets implements Listener {
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: MAX_BYTES });
  readonly #pages = new Map<WebSocket, Viewing>();
  readonly #pinging = setInterval(() => this.#ping(), PING_MS);
  readonly #alive = new WeakSet<WebSocket>();

  constructor(readonly matches: Matches) {}

  /** Take over a connection whose origin has been looked at. */
  accept(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    if (this.#server.clients.size >= MAX_CONNECTIONS) {
      socket.end("HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n", () => socket.destroy());
      return;
    }
    this.#server.handleUpgrade(request, socket, head, (page) => this.#open(page));
  }

  close(): void {
    clearInterval(this.#pinging);
    for (const page of this.#server.clients) page.terminate();
    this.#server.close();
  }

  told(match: string, told: Told[]): void {
    const bodies = new Map(told.map(({ viewer, body }) => [viewer, body]));
    for (const [page, viewing] of this.#pages) {
      const body = bodies.get(viewing.seat);
      if (viewing.match === match && body !== undefined) this.#sendUpdate(page, match, body);
    }
  }

  seated(match: string): void {
    for (const [page, viewing] of this.#pages) {
      if (viewing.match === match) this.#sendMatch(page, viewing);
    }
  }

  #open(page: WebSocket): void {
    const hello = setTimeout(() => {
      if (!this.#pages.has(page)) page.close(POLICY_VIOLATION, "no hello");
    }, HELLO_MS);
    const allowance = new Allowance(FRAMES_A_SECOND);
    this.#alive.add(page);
    page.on("pong", () => this.#alive.add(page));
    page.on("error", () => page.terminate());
    page.on("close", () => {
      clearTimeout(hello);
      this.#pages.delete(page);
    });
    const allowed = () => {
      if (page.readyState !== WebSocket.OPEN) return false; // it was told to go, and has not gone yet
      const taken = allowance.take();
      if (!taken) page.close(POLICY_VIOLATION, "too many frames");
      return taken;
    };
    page.on("ping", allowed);
    page.on("message", (data, binary) => {
      if (!allowed()) return;
      this.#answer(page, binary ? "" : String(data)).catch((error: unknown) => {
        console.error(error);
        page.terminate();
      });
    });
  }

  async #answer(page: WebSocket, text: string): Promise<void> {
    try {
      const frame = clientFrame(text);
      const viewing = this.#pages.get(page);
      if (frame.type === "hello") this.#hello(page, frame.match, frame.secret);
      else if (viewing === undefined) throw new Malformed("the first frame has to be hello");
      else if (viewing.asking === MAX_ASKING) throw new Refused("BUSY", "Your last requests are not answered yet.");
      else await this.#obeyed(page, viewing, frame);
    } catch (error) {
      this.#send(page, refusal(error));
      const viewing = this.#pages.get(page);
      if (error instanceof Refused && error.reason === "STALE_STATE" && viewing) {
        this.#sendUpdate(page, viewing.match, this.matches.updateText(viewing.match, viewing.seat));
      }
    }
  }

  #hello(page: WebSocket, match: string, secret: string | undefined): void {
    if (this.#pages.has(page)) throw new Malformed("hello comes once");
    const summary = this.matches.summary(match);
    const seat = secret === undefined ? 0 : this.matches.seatOf(summary.id, secret);
    const viewing = { match, seat, asking: 0 };
    this.#pages.set(page, viewing);
    this.#sendMatch(page, viewing);
    this.#send(page, { type: "log", entries: this.matches.log(match, seat) });
    this.#sendUpdate(page, match, this.matches.updateText(match, seat));
  }

  async #obeyed(page: WebSocket, viewing: Viewing, frame: Exclude<ClientFrame, { type: "hello" }>): Promise<void> {
    viewing.asking += 1;
    try {
      await this.#obey(page, viewing, frame);
    } finally {
      viewing.asking -= 1;
    }
  }

  async #obey(
    page: WebSocket,
    { match, seat }: Viewing,
    frame: Exclude<ClientFrame, { type: "hello" }>,
  ): Promise<void> {
    if (frame.type === "deduce") {
      this.#send(page, { type: "deduction", ...(await this.matches.deduce(match, seat)) });
      return;
    }
    if (seat === 0) throw new Refused("SPECTATOR", "Spectators watch; only the holder of a seat can do this.");
    switch (frame.type) {
      case "act":
        await this.matches.act(match, seat, frame.revision, frame.action);
        break;
      case "drawArrangement":
        this.#send(page, { type: "arrangement", arrangement: await this.matches.drawArrangement(match, seat) });
        break;
      case "seatBot":
        this.matches.seatBot(match, frame.seat);
        break;
    }
  }

  #sendMatch(page: WebSocket, { match, seat }: Viewing): void {
    this.#send(page, { type: "match", match: this.matches.summary(match), you: seat });
  }

  /** The text of an update goes into its frame as it is. */
  #sendUpdate(page: WebSocket, match: string, body: string): void {
    this.#write(page, `{"type":"update","clock":${JSON.stringify(this.matches.clockFace(match))},"update":${body}}`);
  }

  #send(page: WebSocket, frame: ServerFrame): void {
    this.#write(page, JSON.stringify(frame));
  }

  #write(page: WebSocket, text: string): void {
    if (page.bufferedAmount > MAX_UNREAD_BYTES) page.terminate();
    else if (page.readyState === WebSocket.OPEN) page.send(text);
  }

  #ping(): void {
    for (const page of this.#server.clients) {
      if (this.#alive.delete(page)) page.ping();
      else page.terminate();
    }
  }
}

/** What a page is told when its frame did nothing: the referee's own reason where there is one. */
function refusal(error: unknown): ServerFrame {
  if (error instanceof Malformed) return { type: "refused", reason: "MALFORMED_FRAME", message: error.message };
  if (error instanceof Refused) return { type: "refused", reason: error.reason, message: error.message };
  if (error instanceof ServiceError) return refereeRefusal(error);
  console.error(error);
  return { type: "refused", reason: "BACKEND_FAULT", message: "Something is wrong with the backend." };
}

function refereeRefusal(error: ServiceError): ServerFrame {
  if (isForPlayers(error)) return { type: "refused", reason: error.reason, message: error.message };
  console.error(error);
  const message = "The referee does not answer; nothing was done. Try again.";
  return { type: "refused", reason: Code[error.code], message };
}

/** So many frames a second, and as many at once. */
class Allowance {
  #left: number;
  #filled = Date.now();

  constructor(readonly each: number) {
    this.#left = each;
  }

  take(): boolean {
    const now = Date.now();
    this.#left = Math.min(this.each, this.#left + ((now - this.#filled) / 1000) * this.each);
    this.#filled = now;
    if (this.#left < 1) return false;
    this.#left -= 1;
    return true;
  }
}
