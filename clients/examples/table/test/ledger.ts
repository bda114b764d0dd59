/** What the backend keeps of a match, revision by revision, read from its database as it plays. */
import assert from "node:assert/strict";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { type Action, ActionSchema } from "shinpan/v1";
import type { SeatAction } from "../src/protocol.js";

export interface Step {
  revision: number;
  token: Uint8Array;
  /** What led here; null at the beginning. */
  action: Action | null;
}

/** A match, revision by revision. */
export interface Recorded {
  readonly match: string;
  readonly steps: readonly Step[];
}

export class Ledger implements Recorded {
  readonly steps: Step[] = [];
  readonly #sqlite: DatabaseSyncInstance;

  constructor(
    path: string,
    readonly match: string,
  ) {
    this.#sqlite = new DatabaseSync(path, { readOnly: true });
    this.noteAction(null);
  }

  /** The state of a match that is kept now. */
  static newest(path: string, match: string): Uint8Array {
    const sqlite = new DatabaseSync(path, { readOnly: true });
    try {
      return kept(sqlite, match).token;
    } finally {
      sqlite.close();
    }
  }

  get revision(): number {
    return this.steps.length - 1;
  }

  /** Write down the next revision, to which the action of a seat has led. */
  note(seat: number, action: SeatAction): void {
    this.noteAction(fromJson(ActionSchema, { ...action, seat } as JsonObject));
  }

  /** Write down the next revision, to which an action has led, or the first one. */
  noteAction(action: Action | null): void {
    const { token, revision } = kept(this.#sqlite, this.match);
    assert.equal(revision, this.steps.length, `the database has revision ${String(revision)} after one action`);
    this.steps.push({ revision, token, action });
  }

  /** The token of the newest revision. */
  get token(): Uint8Array {
    const last = this.steps.at(-1);
    assert.ok(last);
    return last.token;
  }

  close(): void {
    this.#sqlite.close();
  }
}

function kept(sqlite: DatabaseSyncInstance, match: string): { token: Uint8Array; revision: number } {
  const sql = "SELECT token, revision FROM matches WHERE id = ?";
  const { token, revision } = sqlite.prepare(sql).get(match) as { token: Uint8Array; revision: number };
  return { token: Uint8Array.from(token), revision };
}
