/** Frames and requests that no page of ours sends. Each is refused with a reason, and none changes anything. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createConnection } from "node:net";
import { after, before, test } from "node:test";
import { WebSocket } from "ws";
import type { Created, ServerFrame } from "../src/protocol.js";
import { Ledger } from "./ledger.js";
import type { UpdateJson } from "./recording.js";
import { PATIENCE_MS, Setting } from "./setting.js";

/** An open game without an arrangement: seat 1 moves first, from a1 with index 0. */
const GAME = "mak-yek";

let setting: Setting;
let match: Created;
let ledger: Ledger;

before(async () => {
  setting = await Setting.start();
  match = await setting.match({ game: GAME, seats: ["player", "player"] });
  ledger = new Ledger(setting.database, match.match);
});
after(async () => {
  ledger.close();
  await setting.stop();
});

/** A WebSocket as anybody can open one, and what was heard on it. */
class Forger {
  readonly heard: ServerFrame[] = [];
  /** What it was told after its hello. */
  first!: UpdateJson;

  private constructor(readonly socket: WebSocket) {
    socket.on("message", (data) => this.heard.push(JSON.parse(String(data)) as ServerFrame));
  }

  static async connect(origin = setting.address): Promise<Forger> {
    const socket = new WebSocket(`${setting.address.replace("http", "ws")}/socket`, { origin });
    const forger = new Forger(socket);
    await once(socket, "open");
    return forger;
  }

  /** After its hello, as the holder of a seat or as a spectator. */
  static async seated(seat: number, where = match): Promise<Forger> {
    const forger = await Forger.connect();
    const secret = where.secrets[seat - 1];
    forger.send({ type: "hello", match: where.match, ...(secret == null ? {} : { secret }) });
    forger.first = (await forger.hear("update")).update as UpdateJson;
    return forger;
  }

  send(frame: unknown): void {
    this.socket.send(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  /** The next frame of a type that has not been taken yet. */
  async hear<Type extends ServerFrame["type"]>(type: Type): Promise<ServerFrame & { type: Type }> {
    for (;;) {
      const place = this.heard.findIndex((frame) => frame.type === type);
      const [frame] = place < 0 ? [] : this.heard.splice(place, 1);
      if (frame !== undefined) return frame as ServerFrame & { type: Type };
      await once(this.socket, "message");
    }
  }

  /** The reason for which a frame is refused. */
  async refusal(frame: unknown): Promise<string> {
    this.send(frame);
    const { reason, message } = await this.hear("refused");
    assert.match(message, /\w{3,}/);
    return reason;
  }
}

function act(action: unknown, revision = 0): unknown {
  return { type: "act", revision, action };
}

test("frames of somebody who holds a seat", { timeout: PATIENCE_MS }, async () => {
  const forger = await Forger.seated(1);
  for (const [frame, reason] of [
    [act({ move: { packed: 0x0001 } }), "ILLEGAL_MOVE"],
    [act({ move: { packed: 0xffff } }), "MALFORMED_MOVE"],
    [act({ acceptDraw: {} }), "NO_DRAW_OFFER"],
    [act({ arrange: { placements: [] } }), "ALREADY_ARRANGED"],
    [act({ move: { packed: 0x0001 } }, 7), "STALE_STATE"],
    [act({ resign: {}, move: { packed: 1 } }), "MALFORMED_FRAME"],
    [act({ resign: { seat: 2 } }), "MALFORMED_FRAME"],
    [act({ ruling: { forfeit: { seat: 2, cause: 1 } } }), "MALFORMED_FRAME"],
    [{ ...(act({ resign: {} }) as object), seat: 2 }, "MALFORMED_FRAME"],
    [act({ resign: {} }, -1), "MALFORMED_FRAME"],
    [{ type: "hello", match: match.match, secret: match.secrets[1] }, "MALFORMED_FRAME"],
    [{ type: "seatBot", seat: 2 }, "SEAT_TAKEN"],
    [{ type: "describeState" }, "MALFORMED_FRAME"],
    ["{", "MALFORMED_FRAME"],
    ["null", "MALFORMED_FRAME"],
  ] as const) {
    assert.equal(await forger.refusal(frame), reason, JSON.stringify(frame));
  }
  forger.socket.terminate();
  unchanged();
});

test("a frame that is sent twice at once is obeyed once", { timeout: PATIENCE_MS }, async () => {
  const own = await setting.match({ game: GAME, seats: ["player", "player"] });
  const [sender, other] = await Promise.all([Forger.seated(1, own), Forger.seated(2, own)]);
  const { status, legalActions } = sender.first;
  const frame = act({ move: { packed: legalActions?.moves[0] } }, status.revision);
  setting.shinpan.hold();
  sender.send(frame);
  sender.send(frame);
  setting.shinpan.release();
  assert.equal((await sender.hear("refused")).reason, "STALE_STATE");
  const told = (await other.hear("update")).update as UpdateJson;
  assert.equal(told.status.revision, 1);
  assert.equal(await other.refusal(act({ offerDraw: {} }, 5)), "STALE_STATE");
  const again = (await other.hear("update")).update as UpdateJson;
  assert.equal(again.status.revision, 1, "told anew because its frame was stale");
  sender.socket.terminate();
  other.socket.terminate();
});

test("a seat cannot move for the other one", { timeout: PATIENCE_MS }, async () => {
  const [mover, other] = await Promise.all([Forger.seated(1), Forger.seated(2)]);
  const { updates } = await setting.connection.referee.getUpdate({ state: { token: ledger.token }, viewers: [1] });
  const [packed] = updates[0]?.legalActions?.moves ?? [];
  assert.equal(await other.refusal(act({ move: { packed } })), "NOT_YOUR_TURN");
  mover.socket.terminate();
  other.socket.terminate();
  unchanged();
});

test("spectators, strangers and those who do not say who they are", { timeout: PATIENCE_MS }, async () => {
  const spectator = await Forger.seated(0);
  for (const frame of [act({ resign: {} }), { type: "drawArrangement" }, { type: "seatBot", seat: 1 }]) {
    assert.equal(await spectator.refusal(frame), "SPECTATOR");
  }
  const stranger = await Forger.connect();
  assert.equal(await stranger.refusal(act({ resign: {} })), "MALFORMED_FRAME");
  const wrong = { type: "hello", match: match.match, secret: "A".repeat(32) };
  assert.equal(await stranger.refusal(wrong), "UNKNOWN_SECRET");
  assert.equal(await stranger.refusal({ ...wrong, match: "no-such-match" }), "UNKNOWN_MATCH");
  assert.equal(await stranger.refusal(act({ resign: {} })), "MALFORMED_FRAME", "it still holds no seat");
  spectator.socket.terminate();
  stranger.socket.terminate();
  unchanged();
});

test("frames that are too long or too many close the connection", { timeout: PATIENCE_MS }, async () => {
  const long = await Forger.seated(1);
  long.send(JSON.stringify({ type: "deduce", more: "x".repeat(20_000) }));
  const [tooLong] = (await once(long.socket, "close")) as [number];
  assert.equal(tooLong, 1009);
  const many = await Forger.seated(1);
  for (let sent = 0; sent < 200; sent++) many.send(act({ acceptDraw: {} }, 7));
  const [tooMany] = (await once(many.socket, "close")) as [number];
  assert.equal(tooMany, 1008);
  const pinging = await Forger.seated(1);
  for (let sent = 0; sent < 200; sent++) pinging.socket.ping();
  const [tooManyPings] = (await once(pinging.socket, "close")) as [number];
  assert.equal(tooManyPings, 1008);
  unchanged();
});

test("a first frame that is no hello does not hold a connection open", { timeout: PATIENCE_MS }, async () => {
  const stranger = await Forger.connect();
  assert.equal(await stranger.refusal("x"), "MALFORMED_FRAME");
  const [code] = (await once(stranger.socket, "close")) as [number];
  assert.equal(code, 1008);
});

test("a connection that is reset while its upgrade is refused ends nobody else's", {
  timeout: PATIENCE_MS,
}, async () => {
  const { hostname, port } = new URL(setting.address);
  for (let times = 0; times < 20; times++) {
    const socket = createConnection(Number(port), hostname);
    await once(socket, "connect");
    const closed = once(socket, "close");
    socket.write(`GET /x HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
    socket.resetAndDestroy();
    await closed;
  }
  assert.equal((await fetch(setting.address)).status, 200);
  // Neither does one that stays: it is closed, whoever holds its other end.
  const staying = createConnection({ host: hostname, port: Number(port), allowHalfOpen: true });
  staying.write(`GET /x HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`);
  staying.on("data", () => undefined);
  await once(staying, "end");
  const reset = once(staying, "error");
  const writing = setInterval(() => staying.write("x"), 20);
  await reset;
  clearInterval(writing);
  unchanged();
});

test("pages of other origins, and addresses that are none", { timeout: PATIENCE_MS }, async () => {
  await assert.rejects(Forger.connect("http://elsewhere.example"), /403/);
  const body = { game: GAME, seats: ["player", "player"] };
  assert.equal((await setting.post("/api/matches", body, "http://elsewhere.example")).status, 403);
  assert.equal((await setting.post(`/api/matches/${match.match}/seats/1`, {})).status, 409, "the seat is held");
  assert.equal((await setting.post("/api/matches", { ...body, game: "x".repeat(20_000) })).status, 413);
  for (const [path, status] of [
    ["/../src/main.ts", 404],
    ["/%2e%2e/%2e%2e/package.json", 404],
    ["/main.d.ts", 404],
    ["/api/matches/no-such-match/game", 404],
    ["/api/games/no-such-game", 400],
  ] as const) {
    assert.equal((await fetch(setting.address + path)).status, status, path);
  }
  const { headers } = await fetch(`${setting.address}/match/${match.match}`);
  assert.match(headers.get("content-security-policy") ?? "", /default-src 'none'.*frame-ancestors 'none'/);
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  unchanged();
});

/** The match is still at its beginning. */
function unchanged(): void {
  const again = new Ledger(setting.database, match.match);
  assert.deepEqual(again.token, ledger.token);
  again.close();
}
