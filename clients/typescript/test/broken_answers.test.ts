import assert from "node:assert/strict";
import { createServer, type ServerHttp2Session } from "node:http2";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { status } from "@grpc/grpc-js";
import { connect, ServiceError } from "shinpan";
import { servers } from "./servers.js";

/** An empty message as gRPC frames it: not compressed, no bytes. */
const EMPTY = Buffer.alloc(5);
/** A message of nine bytes, of which only four come. */
const HALF = Buffer.from([0, 0, 0, 0, 9, 1, 2, 3, 4]);

/** How often a server was called that broke off its first `breaks` answers, and what the caller got. */
async function callsTo(breaks: number): Promise<{ calls: number; outcome: unknown }> {
  let calls = 0;
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer();
  server.on("session", (session) => sessions.add(session));
  server.on("stream", (stream) => {
    calls += 1;
    stream.on("error", () => undefined); // the connection is gone
    if (calls <= breaks) {
      stream.respond({ ":status": 200, "content-type": "application/grpc" });
      stream.write(HALF, () => stream.session?.destroy());
      return;
    }
    stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
    stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
    stream.end(EMPTY);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const connection = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const outcome = await connection.referee.listGames({}).catch((error: unknown) => error);
  connection.close();
  for (const session of sessions) {
    session.destroy();
  }
  server.close();
  return { calls, outcome };
}

test("a call whose answer breaks off is made once more", { timeout: 30_000 }, async () => {
  const { calls, outcome } = await callsTo(1);
  assert.equal(calls, 2);
  assert.deepEqual((outcome as { games: unknown[] }).games, []);
});

test("an answer that breaks off twice is an error", { timeout: 30_000 }, async () => {
  const { calls, outcome } = await callsTo(9);
  assert.equal(calls, 2);
  assert.ok(outcome instanceof ServiceError, String(outcome));
  assert.ok([status.UNAVAILABLE, status.INTERNAL].includes(outcome.code), outcome.message);
  assert.equal(outcome.reason, "");
});

test("what the service says is not asked again", { timeout: 30_000 }, async () => {
  using connection = connect(servers.scripted);
  const ask = () => connection.referee.listGames({}).catch((error: unknown) => error);
  const told = async (): Promise<ServiceError> => {
    const error = await ask();
    assert.ok(error instanceof ServiceError, String(error));
    return error;
  };
  assert.equal((await told()).reason, "SERVER_FAULT");
  assert.deepEqual(((await ask()) as { games: unknown[] }).games, []);
  const foreign = await told();
  assert.deepEqual([foreign.code, foreign.reason, foreign.message], [status.NOT_FOUND, "", "no route"]);
  const overload = await told();
  assert.deepEqual([overload.reason, overload.retryAfterMs], ["OVERLOADED", 250]);
});
