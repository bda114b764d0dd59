/**
 * What the backend keeps: matches with the referee's token, who holds which seat, and what each viewer was told.
 *
 * The package has the interface of Node's own `node:sqlite`, which Node 20 lacks, and carries its binaries within it.
 * Every write that changes a match goes through `advance`, which compares and swaps by revision.
 */
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { ClockSetting, Holder, LogEntry } from "./protocol.js";

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS matches (
    id TEXT PRIMARY KEY,
    game TEXT NOT NULL,
    name TEXT NOT NULL,
    options TEXT NOT NULL,              -- JSON
    token BLOB NOT NULL,                -- the state: for the referee alone
    revision INTEGER NOT NULL,
    ended INTEGER NOT NULL,
    clock TEXT,                         -- JSON of a Clock; NULL without clocks
    created INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE IF NOT EXISTS seats (
    match TEXT NOT NULL REFERENCES matches,
    seat INTEGER NOT NULL,
    holder TEXT NOT NULL,               -- open, player or bot
    secret BLOB,                        -- SHA-256 of a player's secret
    PRIMARY KEY (match, seat)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS updates (
    match TEXT NOT NULL REFERENCES matches,
    viewer INTEGER NOT NULL,            -- a seat, or 0 for spectators
    body TEXT NOT NULL,                 -- JSON of the viewer's last Update
    PRIMARY KEY (match, viewer)
  ) STRICT;
  CREATE TABLE IF NOT EXISTS log (
    match TEXT NOT NULL REFERENCES matches,
    viewer INTEGER NOT NULL,
    revision INTEGER NOT NULL,
    events TEXT NOT NULL,               -- JSON of the events of the viewer's Update
    PRIMARY KEY (match, viewer, revision)
  ) STRICT;
`;

/** Time of a match: what is left to each seat when nobody thinks, and since when the running seat has been thinking. */
export interface Clock extends ClockSetting {
  left: number[];
  running: number;
  since: number;
}

export interface MatchRow {
  id: string;
  game: string;
  name: string;
  options: Record<string, string>;
  token: Uint8Array;
  revision: number;
  ended: boolean;
  clock: Clock | null;
}

export interface SeatRow {
  holder: Holder;
  secret: Uint8Array | null;
}

/** An Update of one viewer (a seat, or 0 for spectators) as JSON, and its events, which go into the log. */
export interface Told {
  viewer: number;
  body: string;
  events: string;
}

export class Database {
  readonly #sqlite: DatabaseSyncInstance;

  constructor(path: string) {
    this.#sqlite = new DatabaseSync(path);
    this.#sqlite.exec("PRAGMA journal_mode = WAL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 5000;");
    this.#sqlite.exec(SCHEMA);
  }

  close(): void {
    this.#sqlite.close();
  }

  /** A new match with its seats. */
  insert(match: MatchRow, seats: SeatRow[], told: Told[]): void {
    this.#transaction(() => {
      this.#run(
        "INSERT INTO matches VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        match.id,
        match.game,
        match.name,
        JSON.stringify(match.options),
        match.token,
        match.revision,
        Number(match.ended),
        match.clock && JSON.stringify(match.clock),
        Date.now(),
      );
      for (const [index, { holder, secret }] of seats.entries()) {
        this.#run("INSERT INTO seats VALUES (?, ?, ?, ?)", match.id, index + 1, holder, secret);
      }
      this.#tell(match.id, match.revision, told);
      return true;
    });
  }

  /** Replace the state if it still has the revision `from`; false, and nothing changed, if another action came first. */
  advance(from: number, match: MatchRow, told: Told[]): boolean {
    return this.#transaction(() => {
      const swapped = this.#run(
        "UPDATE matches SET token = ?, revision = ?, ended = ?, clock = ? WHERE id = ? AND revision = ?",
        match.token,
        match.revision,
        Number(match.ended),
        match.clock && JSON.stringify(match.clock),
        match.id,
        from,
      );
      if (swapped) this.#tell(match.id, match.revision, told);
      return swapped;
    });
  }

  /** Clocks of a match that stays as it is. */
  setClock(id: string, clock: Clock): void {
    this.#run("UPDATE matches SET clock = ? WHERE id = ?", JSON.stringify(clock), id);
  }

  match(id: string): MatchRow | null {
    const row = this.#sqlite.prepare("SELECT * FROM matches WHERE id = ?").get(id);
    return row ? matchRow(row as RawMatch) : null;
  }

  /** Matches that go on, and the last few that ended, the newest first. */
  matches(limit: number): MatchRow[] {
    const rows = this.#sqlite.prepare("SELECT * FROM matches ORDER BY ended, created DESC LIMIT ?").all(limit);
    return (rows as RawMatch[]).map(matchRow);
  }

  /** The ids of all matches that have not ended. */
  running(): string[] {
    const rows = this.#sqlite.prepare("SELECT id FROM matches WHERE NOT ended").all();
    return (rows as { id: string }[]).map((row) => row.id);
  }

  seats(id: string): SeatRow[] {
    const rows = this.#sqlite.prepare("SELECT holder, secret FROM seats WHERE match = ? ORDER BY seat").all(id);
    return rows as SeatRow[];
  }

  /** Give an open seat to a player or a bot; false if it is not open. */
  take(id: string, seat: number, holder: Holder, secret: Uint8Array | null): boolean {
    return this.#run(
      "UPDATE seats SET holder = ?, secret = ? WHERE match = ? AND seat = ? AND holder = 'open'",
      holder,
      secret,
      id,
      seat,
    );
  }

  /** The last Update of a viewer, as JSON. */
  update(id: string, viewer: number): string {
    const row = this.#sqlite.prepare("SELECT body FROM updates WHERE match = ? AND viewer = ?").get(id, viewer);
    return (row as { body: string }).body;
  }

  log(id: string, viewer: number): LogEntry[] {
    const query = "SELECT revision, events FROM log WHERE match = ? AND viewer = ? ORDER BY revision";
    const rows = this.#sqlite.prepare(query).all(id, viewer) as { revision: number; events: string }[];
    return rows.map(({ revision, events }) => ({ revision, events: JSON.parse(events) as unknown[] }));
  }

  #tell(id: string, revision: number, told: Told[]): void {
    for (const { viewer, body, events } of told) {
      this.#run("INSERT OR REPLACE INTO updates VALUES (?, ?, ?)", id, viewer, body);
      this.#run("INSERT INTO log VALUES (?, ?, ?, ?)", id, viewer, revision, events);
    }
  }

  #run(sql: string, ...values: (string | number | Uint8Array | null)[]): boolean {
    return Number(this.#sqlite.prepare(sql).run(...values).changes) > 0;
  }

  #transaction(work: () => boolean): boolean {
    this.#sqlite.exec("BEGIN IMMEDIATE");
    try {
      const done = work();
      this.#sqlite.exec(done ? "COMMIT" : "ROLLBACK");
      return done;
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec("ROLLBACK");
      throw error;
    }
  }
}

type RawMatch = Omit<MatchRow, "options" | "ended" | "clock"> & {
  options: string;
  ended: number;
  clock: string | null;
};

function matchRow(row: RawMatch): MatchRow {
  return {
    ...row,
    options: JSON.parse(row.options) as Record<string, string>,
    ended: row.ended === 1,
    clock: row.clock === null ? null : (JSON.parse(row.clock) as Clock),
  };
}
