/** The calls that the backend makes to Shinpan to run matches. */
import { fromJson, type JsonObject, toJson } from "@bufbuild/protobuf";
import { status } from "@grpc/grpc-js";
import { type ActionInit, type Connection, ServiceError, StateToken } from "shinpan";
import {
  ActionSchema,
  DeduceResponseSchema,
  DrawArrangementResponseSchema,
  GetGameResponseSchema,
  ListGamesResponseSchema,
  type MatchSetup,
  type State,
  type Update,
  UpdateSchema,
  Viewer,
} from "shinpan/v1";
import type { Told } from "./database.js";
import type { SeatAction } from "./protocol.js";

/** How long a call is tried again while no server answers, as when one is restarted. */
const PATIENCE_MS = 20_000;
const PAUSE_MS = 250;

/** A new state, and what each viewer is told. */
export interface Turn {
  token: Uint8Array;
  /** The public facts. */
  status: NonNullable<Update["status"]>;
  told: Told[];
}

/** Every call is a pure function of its request, and may be repeated. */
export class Referee {
  constructor(readonly connection: Connection) {}

  async games(): Promise<unknown> {
    return toJson(ListGamesResponseSchema, await patiently(() => this.connection.referee.listGames({})), EVERYTHING);
  }

  /** A game with its options chosen, as JSON. An option or value that it lacks is refused. */
  async game(game: string, options: Record<string, string>): Promise<GameJson> {
    const answer = await patiently(() => this.connection.referee.getGame({ game, options }));
    return (toJson(GetGameResponseSchema, answer, EVERYTHING) as unknown as { game: GameJson }).game;
  }

  async start(setup: Pick<MatchSetup, "game" | "options" | "matchId">, seats: number): Promise<Turn> {
    const request = { setup, viewers: viewers(seats), includeKnowledge: true };
    return turn(await patiently(() => this.connection.referee.startMatch(request)));
  }

  /** Apply an action to a state that the caller believes to have a revision. */
  async apply(token: Uint8Array, action: ActionInit, revision: number, seats: number): Promise<Turn> {
    const state = new StateToken(token);
    const request = { state, action, expectedRevision: revision, viewers: viewers(seats), includeKnowledge: true };
    return turn(await patiently(() => this.connection.referee.applyAction(request)));
  }

  async drawArrangement(game: string, options: Record<string, string>, seat: number, seed: bigint): Promise<unknown> {
    const request = { game, options, seat, seed };
    const answer = await patiently(() => this.connection.analysis.drawArrangement(request));
    return (toJson(DrawArrangementResponseSchema, answer, EVERYTHING) as { arrangement: unknown }).arrangement;
  }

  /** What follows from the knowledge in an update. */
  async deduce(update: Update): Promise<unknown> {
    const knowledge = update.knowledge;
    if (knowledge === undefined) throw new Error("an update was asked for without knowledge");
    return toJson(
      DeduceResponseSchema,
      await patiently(() => this.connection.analysis.deduce({ knowledge })),
      EVERYTHING,
    );
  }
}

/** The parts of `shinpan.v1.Game` that the backend reads. */
export interface GameJson {
  name: string;
  seats: unknown[];
  chosen: Record<string, string>;
}

/** Fields that have their default are written, too, so that a page need not know the defaults. */
const EVERYTHING = { alwaysEmitImplicit: true };

/** An action that a page sent, for the seat that its connection holds. */
export function actionOf(seat: number, action: SeatAction): ActionInit {
  return fromJson(ActionSchema, { ...action, seat } as JsonObject);
}

/** Call again while no server answers: nothing is lost by it, and a restart is over in seconds. */
export async function patiently<T>(call: () => Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const away = error instanceof ServiceError && error.code === status.UNAVAILABLE;
      if (!away || Date.now() > end) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Reasons about what a player asked for. Others are about states, keys and servers, and are for the backend's log. */
const FOR_PLAYERS = new Set([
  "ALREADY_ARRANGED",
  "ARRANGEMENT_PENDING",
  "BUDGET_EXCEEDED",
  "DRAW_OFFER_OPEN",
  "ILLEGAL_MOVE",
  "INVALID_ACTION",
  "INVALID_ARRANGEMENT",
  "INVALID_OPTION_VALUE",
  "INVALID_SEAT",
  "MALFORMED_MOVE",
  "MATCH_OVER",
  "NOT_YOUR_TURN",
  "NO_DRAW_OFFER",
  "OVERLOADED",
  "SEAT_OUT",
  "STALE_STATE",
  "UNKNOWN_GAME",
  "UNKNOWN_OPTION",
]);

/** Whether a player may read why the referee refused something. */
export function isForPlayers({ reason }: ServiceError): boolean {
  return FOR_PLAYERS.has(reason);
}

/** Every seat and the spectator; never the referee. */
function viewers(seats: number): Viewer[] {
  return [...Array.from({ length: seats }, (_, index): Viewer => index + 1), Viewer.SPECTATOR];
}

function turn({ state, updates }: { state: State | undefined; updates: Update[] }): Turn {
  const told = updates.map((update) => {
    const body = toJson(UpdateSchema, update, EVERYTHING) as { events: unknown };
    const viewer = update.viewer === Viewer.SPECTATOR ? 0 : update.viewer;
    return { viewer, body: JSON.stringify(body), events: JSON.stringify(body.events) };
  });
  const facts = updates[0]?.status;
  if (state === undefined || facts === undefined) throw new Error("the referee answered without a state or an update");
  return { token: state.token, status: facts, told };
}
