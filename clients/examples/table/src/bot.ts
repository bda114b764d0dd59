/**
 * A player that holds nothing but what its seat may know: its own Update, whose knowledge Shinpan can reason about.
 *
 * It draws states that could be the real one, tries each of its moves in them, lets random games decide how good that
 * was, and plays the move that did best. See docs/bots.md. No state of a match ever comes here.
 */
import { status as Code } from "@grpc/grpc-js";
import { type Connection, ServiceError } from "shinpan";
import { ActionKind, type PlayoutResponse, type State, type Update } from "shinpan/v1";
import type { SeatAction } from "./protocol.js";
import { patiently } from "./referee.js";
import { newSeed } from "./secrets.js";

/** Random games that decide about a move. */
const GAMES = 60;
/** States in one batch; the server takes 256. */
const BATCH = 256;

/** What a bot may ask Shinpan: states that could be the real one, moves tried in them, and random games. */
export interface Mind {
  readonly analysis: Pick<Connection["analysis"], "sampleStates" | "batchPlayouts">;
  readonly referee: Pick<Connection["referee"], "batchApplyActions">;
}

/** What a bot does now, or null when there is nothing for it to decide. */
export async function decide(mind: Mind, update: Update): Promise<SeatAction | "arrange" | null> {
  const { status, legalActions } = update;
  if (legalActions?.kinds.includes(ActionKind.ARRANGE)) return "arrange";
  if (offeredTo(update)) return { declineDraw: {} };
  if (status === undefined || legalActions === undefined || legalActions.moves.length === 0) return null;
  return { move: { packed: await chooseMove(mind, update, legalActions.moves) } };
}

/** Whether others offer a draw that this seat has not answered. */
function offeredTo({ status, viewer }: Update): boolean {
  if (status === undefined || status.drawAgreed.length === 0) return false;
  return !status.drawAgreed.includes(viewer) && !status.seatsOut.includes(viewer);
}

async function chooseMove(mind: Mind, update: Update, legal: number[]): Promise<number> {
  const moves = shuffled(legal).slice(0, BATCH);
  const [first] = moves;
  if (first === undefined) throw new Error("a seat that has no move was asked for one");
  if (moves.length === 1) return first;
  try {
    return await bestMove(mind, update, moves);
  } catch (error) {
    // Late in long matches drawing states or playing them out can cost more than the server allows: any move will do.
    if (
      error instanceof ServiceError &&
      (error.reason === "BUDGET_EXCEEDED" || error.code === Code.DEADLINE_EXCEEDED)
    ) {
      return first;
    }
    throw error;
  }
}

async function bestMove(mind: Mind, update: Update, moves: number[]): Promise<number> {
  const { knowledge, viewer } = update;
  if (knowledge === undefined) throw new Error("a bot's update has to have its knowledge");
  const count = Math.max(1, Math.floor(GAMES / moves.length));
  const seed = newSeed();
  const { states } = await patiently(() => mind.analysis.sampleStates({ knowledge, count, seed }));
  const worth = new Map(moves.map((move) => [move, 0]));
  for (const sample of states) {
    const tried = await tryAll(mind, sample, viewer, moves);
    const played = await playOut(
      mind,
      tried.map(({ state }) => state),
    );
    tried.forEach(({ move }, index) => {
      const games = played[index];
      if (games) worth.set(move, (worth.get(move) ?? 0) + balance(games, viewer));
    });
  }
  return moves.reduce((best, move) => ((worth.get(move) ?? 0) > (worth.get(best) ?? 0) ? move : best));
}

async function tryAll(
  mind: Mind,
  state: State,
  seat: number,
  moves: number[],
): Promise<{ move: number; state: State }[]> {
  const items = moves.map((packed) => ({
    state,
    action: { seat, kind: { case: "move" as const, value: { spelling: { case: "packed" as const, value: packed } } } },
    expectHypothetical: true,
  }));
  const answer = await patiently(() => mind.referee.batchApplyActions({ items }));
  return answer.items.flatMap(({ outcome }, index) => {
    const move = moves[index];
    const after = outcome.case === "result" ? outcome.value.state : undefined;
    return move === undefined || after === undefined ? [] : [{ move, state: after }];
  });
}

async function playOut(mind: Mind, states: State[]): Promise<(PlayoutResponse | null)[]> {
  const items = states.map((state) => ({ state, games: 1, seed: newSeed(), expectHypothetical: true }));
  const answer = await patiently(() => mind.analysis.batchPlayouts({ items }));
  return answer.items.map(({ outcome }) => (outcome.case === "result" ? outcome.value : null));
}

/** What random games are worth to a seat: wins less losses, and the sooner the more. */
function balance({ results, plies, games }: PlayoutResponse, seat: number): number {
  let sum = 0;
  for (const { result, games: many } of results) {
    const winners = result?.winners ?? [];
    if (winners.length > 0) sum += winners.includes(seat) ? Number(many) : -Number(many);
  }
  return sum * 0.99 ** (Number(plies) / Number(games));
}

function shuffled<T>(values: T[]): T[] {
  return values
    .map((value) => ({ value, place: Math.random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ value }) => value);
}
