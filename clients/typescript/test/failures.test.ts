import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { status } from "@grpc/grpc-js";
import { actions, type Connection, connect, ServiceError } from "shinpan";
import { bearer, servers } from "./servers.js";

/** Far more than any of these may take: a call that hangs fails its test. */
const PATIENCE = { timeout: 30_000 };

async function errorOf(connection: Connection, call: (connection: Connection) => Promise<unknown>): Promise<unknown> {
  try {
    await call(connection);
  } catch (error) {
    return error;
  } finally {
    connection.close();
  }
  return undefined;
}

async function refusal(
  connection: Connection,
  call = ({ referee }: Connection): Promise<unknown> => referee.listGames({}),
): Promise<ServiceError> {
  const error = await errorOf(connection, call);
  assert.ok(error instanceof ServiceError, String(error));
  return error;
}

describe("calls that fail", { ...PATIENCE, concurrency: true }, () => {
  test("nobody listens", async () => {
    const error = await refusal(connect(servers.away));
    assert.equal(error.code, status.UNAVAILABLE);
    assert.equal(error.reason, "");
    assert.match(error.message, /ECONNREFUSED/);
  });

  test("the name of the server does not exist", async () => {
    const error = await refusal(connect("nobody.invalid:50051"));
    assert.equal(error.code, status.UNAVAILABLE);
    assert.match(error.message, /nobody\.invalid/);
  });

  test("the address is none", () => {
    assert.throws(() => connect(""), /target name/);
  });

  test("a server never answers, and the call has a deadline", async () => {
    const error = await refusal(connect(servers.silent, { timeoutMs: 200 }));
    assert.equal(error.code, status.DEADLINE_EXCEEDED);
    assert.equal(error.reason, "");
  });

  test("a server never answers, and nobody named a deadline", async () => {
    const error = await refusal(connect(servers.silent));
    assert.equal(error.code, status.DEADLINE_EXCEEDED);
  });

  test("a deadline of one call", async () => {
    const error = await refusal(connect(servers.silent), ({ referee }) => referee.listGames({}, { timeoutMs: 200 }));
    assert.equal(error.code, status.DEADLINE_EXCEEDED);
  });

  test("a call is given up while it waits, and one before it begins", async () => {
    const signal = AbortSignal.timeout(200);
    const call = ({ referee }: Connection) => referee.listGames({}, { signal });
    assert.equal(await errorOf(connect(servers.silent), call), signal.reason);
    assert.equal(await errorOf(connect(servers.plain), call), signal.reason);
  });

  test("a bearer token is missing, unknown, known, or none at all", async () => {
    assert.equal((await refusal(connect(servers.guarded))).reason, "BEARER_MISSING");
    const unknown = await refusal(connect(servers.guarded, { bearer: "nobody" }));
    assert.deepEqual([unknown.code, unknown.reason], [status.UNAUTHENTICATED, "BEARER_UNKNOWN"]);
    const known = connect(servers.guarded, { bearer });
    assert.equal(await errorOf(known, ({ referee }) => referee.listGames({})), undefined);
    const secret = "secret\n";
    assert.throws(
      () => connect(servers.guarded, { bearer: secret }),
      (error) => error instanceof TypeError && !error.message.includes("secret"),
    );
  });

  test("a value that its field cannot have is not sent", async () => {
    const request = { game: "hidden-hasami", revision: -1 };
    const error = await errorOf(connect(servers.plain), ({ referee }) => referee.getGame(request));
    assert.match(String(error), /revision/);
  });

  test("a refusal has its code, reason, message, metadata and fields", async () => {
    const game = "no-such-game";
    const error = await refusal(connect(servers.plain), ({ referee }) => referee.startMatch({ setup: { game } }));
    assert.deepEqual([error.name, error.code, error.reason], ["ServiceError", status.INVALID_ARGUMENT, "UNKNOWN_GAME"]);
    assert.match(error.message, /^There is no game 'no-such-game'; the games are /);
    assert.equal(error.metadata.game, game);
    assert.deepEqual(
      error.violations.map(({ field }) => field),
      ["setup.game"],
    );
    assert.match(error.stack ?? "", /failures\.test/, "the stack leads to the call");
  });

  test("an item of a batch fails alone", async () => {
    const connection = connect(servers.plain);
    const { state } = await connection.referee.startMatch({ setup: { game: "mak-yek" } });
    const items = [1, 2].map((seat) => ({ state, action: actions.resign(seat) }));
    items.push({ state, action: actions.move(2, "a8a7") });
    const answer = await connection.referee.batchApplyActions({ items });
    connection.close();
    const outcomes = answer.items.map(({ outcome }) =>
      outcome.case === "error" ? new ServiceError(outcome.value).reason : outcome.case,
    );
    assert.deepEqual(outcomes, ["result", "result", "NOT_YOUR_TURN"]);
  });

  test("a connection that is closed says so", async () => {
    const connection = connect(servers.plain);
    connection.close();
    await assert.rejects(connection.referee.listGames({}), /shut down/);
  });
});
