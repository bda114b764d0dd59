import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { type DescMethodUnary, type DescService, equals, fromBinary, type Message } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { type Connection, connect, ServiceError } from "shinpan";
import { AnalysisService, type ListGamesResponse, RefereeService } from "shinpan/v1";
import { bearer, servers, vectors } from "./servers.js";

interface Vector {
  name: string;
  server: "plain" | "sealed" | "guarded";
  method: string;
  request: string;
  response?: string;
  error?: { code: string; reason: string };
  bearer?: true | "unknown";
}

type Call = (request: Message) => Promise<Message>;

const CALLS_AT_ONCE = 16;
const connections = new Map<string, Connection>();

before(() => {
  for (const [name, address] of Object.entries(servers)) {
    connections.set(name, connect(address));
    connections.set(`${name} true`, connect(address, { bearer }));
    connections.set(`${name} unknown`, connect(address, { bearer: "nobody-is-known-by-this" }));
  }
});
after(() => {
  for (const connection of connections.values()) {
    connection.close();
  }
});

for (const file of readdirSync(vectors).filter((name) => name.endsWith(".jsonl"))) {
  const lines = readFileSync(join(vectors, file), "utf8").trimEnd().split("\n");
  test(`${file}: ${lines.length} vectors`, async () => {
    const waiting = lines.map((line) => JSON.parse(line) as Vector);
    const faults: string[] = [];
    const caller = async (): Promise<void> => {
      for (let vector = waiting.shift(); vector !== undefined; vector = waiting.shift()) {
        const fault = await differs(vector);
        if (fault !== undefined) {
          faults.push(`${vector.name}: ${fault}`);
        }
      }
    };
    await Promise.all(Array.from({ length: CALLS_AT_ONCE }, caller));
    assert.deepEqual(faults, []);
  });
}

/** How the answer to a vector is not the one that it has. */
async function differs(vector: Vector): Promise<string | undefined> {
  const { method, call } = callOf(vector);
  const request = fromBinary(method.input, Buffer.from(vector.request, "base64"));
  let answer: Message;
  try {
    answer = await call(request);
  } catch (error) {
    assert.ok(error instanceof ServiceError, `${vector.name}: ${error}`);
    const got = `${status[error.code]} ${error.reason}`;
    const expected = vector.error === undefined ? "an answer" : `${vector.error.code} ${vector.error.reason}`;
    return got === expected ? undefined : `${got} (${error.message}), not ${expected}`;
  }
  if (vector.response === undefined) {
    return `an answer, not ${vector.error?.reason}`;
  }
  const expected = fromBinary(method.output, Buffer.from(vector.response, "base64"));
  const same = equals(method.output, withoutNewGames(answer, expected), expected);
  return same ? undefined : "another answer";
}

function callOf(vector: Vector): { method: DescMethodUnary; call: Call } {
  const connection = connections.get(vector.bearer === undefined ? vector.server : `${vector.server} ${vector.bearer}`);
  assert.ok(connection !== undefined, `${vector.name}: no server ${vector.server}`);
  const services: [DescService, object][] = [
    [RefereeService, connection.referee],
    [AnalysisService, connection.analysis],
  ];
  for (const [service, stub] of services) {
    const methods = service.methods.filter((one): one is DescMethodUnary => one.methodKind === "unary");
    const method = methods.find((one) => `${service.typeName}/${one.name}` === vector.method);
    if (method !== undefined) {
      return { method, call: (stub as Record<string, Call>)[method.localName] as Call };
    }
  }
  throw new Error(`${vector.name}: there is no method ${vector.method}`);
}

/** An answer of ListGames can have more games than when the vectors were made. */
function withoutNewGames(answer: Message, expected: Message): Message {
  if (expected.$typeName !== "shinpan.v1.ListGamesResponse") {
    return answer;
  }
  const known = new Set((expected as ListGamesResponse).games.map((game) => game.id));
  const games = (answer as ListGamesResponse).games.filter((game) => known.has(game.id));
  return { ...answer, games } as Message;
}
