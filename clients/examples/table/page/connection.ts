/** The WebSocket to the backend. When it breaks, it comes back by itself and asks for everything anew. */
import type { ClientFrame, ServerFrame } from "../src/protocol.js";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;

export class Connection {
  #socket: WebSocket | null = null;
  #pause = FIRST_PAUSE_MS;
  #stopped = false;

  /** `secret` holds a seat; an empty one is a spectator's. `onOnline` hears whether the backend is there. */
  constructor(
    readonly match: string,
    readonly secret: string,
    readonly onFrame: (frame: ServerFrame) => void,
    readonly onOnline: (online: boolean) => void,
  ) {
    this.#open();
  }

  /** Send a frame now, or say that it cannot be sent: an old one is never sent later. */
  send(frame: ClientFrame): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(frame));
    return true;
  }

  /** Close it, for good. */
  stop(): void {
    this.#stopped = true;
    this.#socket?.close();
  }

  #open(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/socket`);
    this.#socket = socket;
    socket.addEventListener("open", () => {
      this.#pause = FIRST_PAUSE_MS;
      this.send({ type: "hello", match: this.match, ...(this.secret === "" ? {} : { secret: this.secret }) });
      this.onOnline(true);
    });
    socket.addEventListener("message", (event) => this.onFrame(JSON.parse(String(event.data)) as ServerFrame));
    socket.addEventListener("close", () => {
      if (this.#stopped) return;
      this.onOnline(false);
      setTimeout(() => this.#open(), this.#pause);
      this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE_MS);
    });
  }
}
