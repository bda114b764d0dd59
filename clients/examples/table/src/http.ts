/** HTTP: the page and its files, the lobby's requests, and the headers that keep a page to itself. */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { extname } from "node:path";
import { status as Code } from "@grpc/grpc-js";
import { ServiceError } from "shinpan";
import { MAX_BYTES, Malformed, newMatch } from "./frames.js";
import { type Matches, Refused } from "./matches.js";
import { isForPlayers } from "./referee.js";
import type { Sockets } from "./sockets.js";

const LISTED_MATCHES = 50;
const STATIC = new URL("../page/static/", import.meta.url);
const SCRIPTS = new URL("./page/", import.meta.url);
const TYPES: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".js": "text/javascript; charset=utf-8",
};

/** A page of ours loads nothing from elsewhere, shows in no frame, and tells nobody where it came from. */
const HEADERS = {
  "Content-Security-Policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

interface Answer {
  status: number;
  type: string;
  body: string | Buffer;
}

/** A server that does not listen yet. `origins` are those whose pages may open WebSockets and change anything. */
export function httpServer(matches: Matches, sockets: Sockets, origins: () => string[]): Server {
  const files = pageFiles();
  const server = createServer((request, response) => {
    void answer(request).then((made) => send(response, made, request.method === "HEAD"));
  });
  server.on("upgrade", (request: IncomingMessage, socket, head) => {
    socket.on("error", () => socket.destroy()); // nobody else listens, and it would end the process
    if (pathOf(request) === "/socket" && ours(request)) sockets.accept(request, socket, head);
    else socket.end("HTTP/1.1 403 Forbidden\r\nConnection: close\r\n\r\n", () => socket.destroy());
  });
  server.requestTimeout = 10_000;
  return server;

  function ours(request: IncomingMessage): boolean {
    return origins().includes(request.headers.origin ?? "");
  }

  async function answer(request: IncomingMessage): Promise<Answer> {
    try {
      if (request.method === "GET" || request.method === "HEAD") return await get(pathOf(request), queryOf(request));
      if (request.method !== "POST") throw new HttpError(405, "only GET and POST are answered");
      if (!ours(request)) throw new HttpError(403, "this origin may not change anything here");
      return await post(pathOf(request), await bodyOf(request));
    } catch (error) {
      return failure(error);
    }
  }

  async function get(path: string, query: Record<string, string>): Promise<Answer> {
    const file = files.get(path === "/" || path.startsWith("/match/") ? "/index.html" : path);
    if (file) return file;
    const [, api, kind, id, part] = path.split("/");
    if (api === "api" && kind === "games") {
      return json(id === undefined ? await matches.referee.games() : await matches.referee.game(id, query));
    }
    if (api === "api" && kind === "matches") {
      if (id === undefined) return json(matches.summaries(LISTED_MATCHES));
      const summary = matches.summary(id);
      if (part === "game") return json(await matches.referee.game(summary.game, summary.options));
    }
    throw new HttpError(404, "there is nothing here");
  }

  async function post(path: string, body: string): Promise<Answer> {
    const [, api, kind, id, part, seat, ...more] = path.split("/");
    if (api === "api" && kind === "matches" && more.length === 0) {
      if (id === undefined) return json(await matches.create(newMatch(body)), 201);
      if (part === "seats" && /^[1-4]$/.test(seat ?? "")) return json({ secret: matches.take(id, Number(seat)) });
    }
    throw new HttpError(404, "there is nothing here");
  }
}

class HttpError extends Error {
  constructor(
    readonly status: number,
    message: string,
  ) {
    super(message);
  }
}

function failure(error: unknown): Answer {
  if (error instanceof HttpError) return json({ reason: "HTTP", message: error.message }, error.status);
  if (error instanceof Malformed) return json({ reason: "MALFORMED_BODY", message: error.message }, 400);
  if (error instanceof Refused) {
    return json({ reason: error.reason, message: error.message }, error.reason === "UNKNOWN_MATCH" ? 404 : 409);
  }
  if (error instanceof ServiceError && isForPlayers(error)) {
    return json({ reason: error.reason, message: error.message }, 400);
  }
  console.error(error);
  const reason = error instanceof ServiceError ? Code[error.code] : "BACKEND_FAULT";
  return json({ reason, message: "The referee does not answer now; try again." }, 503);
}

/** The files of the page, read once: nothing else is served, whatever a path says. */
function pageFiles(): Map<string, Answer> {
  const files = new Map<string, Answer>();
  for (const [folder, extensions] of [
    [STATIC, [".html", ".css", ".svg"]],
    [SCRIPTS, [".js"]],
  ] as const) {
    for (const name of readdirSync(folder)) {
      const type = TYPES[extname(name)];
      if (type === undefined || !(extensions as readonly string[]).includes(extname(name))) continue;
      files.set(`/${name}`, { status: 200, type, body: readFileSync(new URL(name, folder)) });
    }
  }
  return files;
}

function json(value: unknown, status = 200): Answer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(value) };
}

function send(response: ServerResponse, { status, type, body }: Answer, headOnly: boolean): void {
  response.writeHead(status, { ...HEADERS, "Cache-Control": "no-store", "Content-Type": type });
  response.end(headOnly ? undefined : body);
}

function pathOf(request: IncomingMessage): string {
  return urlOf(request).pathname;
}

function queryOf(request: IncomingMessage): Record<string, string> {
  return Object.fromEntries(urlOf(request).searchParams);
}

function urlOf(request: IncomingMessage): URL {
  const path = request.url ?? "/";
  return new URL(URL.canParse(path, "http://table") ? path : "/", "http://table");
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new HttpError(413, `a body has at most ${String(MAX_BYTES)} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
