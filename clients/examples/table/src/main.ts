/** The example backend: `node dist/main.js`. It is configured by environment, and stops on SIGINT or SIGTERM. */
import type { AddressInfo } from "node:net";
import { connect } from "shinpan";
import { Bots } from "./bots.js";
import { Database } from "./database.js";
import { httpServer } from "./http.js";
import { Matches } from "./matches.js";
import { Referee } from "./referee.js";
import { Sockets } from "./sockets.js";

/** Where Shinpan listens. */
const shinpanAddress = process.env.SHINPAN_ADDRESS ?? "127.0.0.1:50051";
/** The token that Shinpan knows this backend by, where it asks for one. */
const bearer = process.env.SHINPAN_BEARER;
/** The file of matches; one that is not there is made. */
const databasePath = process.env.TABLE_DATABASE ?? "table.sqlite";
/** Where this backend listens; port 0 takes a free one. */
const host = process.env.TABLE_HOST ?? "127.0.0.1";
const port = Number(process.env.TABLE_PORT ?? 8080);
/** Under which origins pages reach it, separated by commas; the address itself and localhost when not given. */
const origins = process.env.TABLE_ORIGINS?.split(",");
/** How long bots let people look, in milliseconds. */
const botPause = Number(process.env.TABLE_BOT_PAUSE_MS ?? 700);

const shinpan = connect(shinpanAddress, bearer === undefined ? {} : { bearer });
const database = new Database(databasePath);
const matches = new Matches(database, new Referee(shinpan));
const sockets = new Sockets(matches);
const bots = new Bots(matches, shinpan, botPause);
matches.listen(sockets);
matches.listen(bots);

const server = httpServer(matches, sockets, () => origins ?? ownOrigins());
server.listen(port, host, () => {
  matches.resume();
  console.log(`The table is at ${ownOrigins()[0] ?? ""}/`);
});
let stopping = false;
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);

function ownOrigins(): string[] {
  const { port: taken } = server.address() as AddressInfo;
  const name = host.includes(":") ? `[${host}]` : host;
  return [`http://${name}:${String(taken)}`, `http://localhost:${String(taken)}`];
}

function stop(): void {
  if (stopping) return;
  stopping = true;
  bots.stop();
  matches.stop();
  sockets.close();
  server.close(() => {
    database.close();
    shinpan.close();
  });
  server.closeAllConnections();
}
