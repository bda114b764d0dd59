import { readFileSync } from "node:fs";
import {
  create,
  type DescMethodUnary,
  type DescService,
  fromBinary,
  type Message,
  type MessageInitShape,
  type MessageShape,
  toBinary,
} from "@bufbuild/protobuf";
import {
  type ServiceError as CallError,
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  status,
} from "@grpc/grpc-js";
import { ServiceError } from "./errors.js";
import { AnalysisService } from "./gen/shinpan/v1/analysis_service_pb.js";
import { RefereeService } from "./gen/shinpan/v1/referee_service_pb.js";
import type { State } from "./gen/shinpan/v1/state_pb.js";
import { concealStates, type StateToken } from "./state_token.js";

/** How a channel treats several servers under one name: calls take turns, and what one does not answer another gets. */
export const SERVICE_CONFIG: string = readFileSync(new URL("../service_config.json", import.meta.url), "utf8");

const DEFAULT_TIMEOUT_MS = 10_000;
const LONGEST_ANSWER_BYTES = 5 * 1024 * 1024;
const BEARER = /^[\x21-\x7e]+$/;

/** What a connection can be told besides the address. */
export interface ConnectionOptions {
  /** The token of a caller whom the server knows. */
  bearer?: string;
  /** Deadline of each call in milliseconds; ten seconds when not given. */
  timeoutMs?: number;
  /** From `credentials.createSsl` of `@grpc/grpc-js`; without them the server is called in plain text. */
  credentials?: ChannelCredentials;
}

/** What a call can be told besides its request. */
export interface CallOptions {
  /** Deadline of this call in milliseconds. */
  timeoutMs?: number;
  /** Gives the call up; it then fails with the reason of the signal. */
  signal?: AbortSignal;
}

/** An answer, whose messages are set: the service always sends them. */
export type Answer<M extends Message> = M & {
  [Field in Exclude<keyof M, keyof Message>]-?: State extends M[Field] ? StateToken : Exclude<M[Field], undefined>;
};

/** The methods of a service. Each rejects with `ServiceError`, and may be called again: the service keeps
 * nothing. A call whose answer breaks off is made once more. */
export type Stub<S extends DescService> = {
  readonly [Name in keyof S["method"]]: S["method"][Name] extends DescMethodUnary<infer Request, infer Response>
    ? (request: MessageInitShape<Request>, options?: CallOptions) => Promise<Answer<MessageShape<Response>>>
    : never;
};

/** A connection to one server or to several under one name. It has to be closed before a program can end. */
export interface Connection extends Disposable {
  /** Matches: `shinpan.v1.RefereeService`. */
  readonly referee: Stub<typeof RefereeService>;
  /** Arrangements, deductions, playouts: `shinpan.v1.AnalysisService`. */
  readonly analysis: Stub<typeof AnalysisService>;
  /** Closes the connection; calls that are under way come to their end. */
  close(): void;
}

/**
 * Connect to `address`, such as `127.0.0.1:50051` or, for all servers that a name has, `dns:///shinpan-headless:50051`.
 * It returns at once: whether a server is there shows the first call.
 */
export function connect(address: string, options: ConnectionOptions = {}): Connection {
  const client = new Client(address, options.credentials ?? credentials.createInsecure(), {
    "grpc.service_config": SERVICE_CONFIG,
    "grpc.max_receive_message_length": LONGEST_ANSWER_BYTES,
  });
  const metadata = new Metadata();
  if (options.bearer !== undefined) {
    if (!BEARER.test(options.bearer)) {
      throw new TypeError("the bearer token has a character that no bearer token has"); // gRPC's own error would show it
    }
    metadata.set("authorization", `Bearer ${options.bearer}`);
  }
  const caller: Caller = { client, metadata, timeoutMs: options.timeoutMs ?? DEFAULT_TIMEOUT_MS };
  return {
    referee: stub(RefereeService, caller),
    analysis: stub(AnalysisService, caller),
    close: () => client.close(),
    [Symbol.dispose]: () => client.close(),
  };
}

interface Caller {
  client: Client;
  metadata: Metadata;
  timeoutMs: number;
}

function stub<S extends DescService>(service: S, caller: Caller): Stub<S> {
  const methods = service.methods.filter((method): method is DescMethodUnary => method.methodKind === "unary");
  const calls = methods.map((method) => [
    method.localName,
    (request: MessageInitShape<typeof method.input>, options?: CallOptions) => call(caller, method, request, options),
  ]);
  return Object.fromEntries(calls) as Stub<S>;
}

async function call(
  caller: Caller,
  method: DescMethodUnary,
  request: MessageInitShape<typeof method.input>,
  options: CallOptions = {},
): Promise<Message> {
  options.signal?.throwIfAborted();
  const bytes = toBinary(method.input, create(method.input, request));
  const path = `/${method.parent.typeName}/${method.name}`;
  const deadline = Date.now() + (options.timeoutMs ?? caller.timeoutMs);
  const attempt = (): Promise<Outcome> => exchange(caller, path, bytes, deadline, options.signal);
  const first = await attempt();
  const { error, answer } = brokeOff(first) ? await attempt() : first;
  options.signal?.throwIfAborted();
  if (answer === undefined) {
    throw error === null ? new Error(`${method.name} got no answer`) : ServiceError.ofCall(error);
  }
  return concealStates(method.output, fromBinary(method.output, answer));
}

/** What came of a call: one of both. */
interface Outcome {
  error: CallError | null;
  answer: Uint8Array | undefined;
}

/**
 * Whether an answer broke off after its beginning, as when a server is killed: a channel repeats no such call by itself.
 * The code depends on what is between; errors of the service have a reason.
 */
function brokeOff({ error }: Outcome): boolean {
  const codes = [status.UNKNOWN, status.INTERNAL, status.UNAVAILABLE];
  return error !== null && codes.includes(error.code) && ServiceError.ofCall(error).reason === "";
}

/** It never rejects, so that errors are made where their stack has the caller. */
function exchange(
  caller: Caller,
  path: string,
  request: Uint8Array,
  deadline: number,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  return new Promise((resolve) => {
    const cancel = (): void => running.cancel();
    const running = caller.client.makeUnaryRequest(
      path,
      (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      (bytes: Buffer) => new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      request,
      caller.metadata,
      { deadline },
      (error, answer) => {
        signal?.removeEventListener("abort", cancel);
        resolve({ error, answer });
      },
    );
    signal?.addEventListener("abort", cancel);
    if (signal?.aborted === true) cancel(); // between two attempts
  });
}
