/** What the backend keeps of a match, revision by revision, read from its database as it plays. */
import assert from "node:assert/strict";
import { fromJson, type JsonObject } from "@bufbuild/protobuf";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import { type Action, ActionSchema } from "shinpan/v1";
import type { SeatAction } from "../src/protocol.js";

export interface Step {
  revision: number;
  token: Uint8Array;
  /** What led here; null at the beginning, and where it was not a page's. */
  action: Action | null;
}

export class Ledger {
  readonly steps: Step[] = [];
  readonly #sqlite: DatabaseSyncInstance;

  constructor(
    path: string,
    readonly match: string,
  ) {
    this.#sqlite = new DatabaseSync(path, { readOnly: true });
    this.note(0, null);
  }

  get revision(): number {
    return this.steps.length - 1;
  }

  /** Write down the next revision, to which the action of a seat has led. */
  note(seat: number, action: SeatAction | null): void {
    const sql = "SELECT token, revision FROM matches WHERE id = ?";
    const { token, revision } = this.#sqlite.prepare(sql).get(this.match) as { token: Uint8Array; revision: number };
    assert.equal(revision, this.steps.length, `the database has revision ${String(revision)} after one action`);
    const message = action && fromJson(ActionSchema, { ...action, seat } as JsonObject);
    this.steps.push({ revision, token: Uint8Array.from(token), action: message });
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
