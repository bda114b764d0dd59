/**
 * Play a whole match of random moves of every game, and have the server replay it.
 *
 *     npm run play-matches -- 127.0.0.1:50051 --seed 1
 *
 * In each match one illegal move is tried. The exit status is 1 when a match ends otherwise than its replay.
 */
import { parseArgs } from "node:util";
import { type ActionInit, actions, type Connection, connect, ServiceError } from "shinpan";
import { EndReason, type Game, Phase, type Update } from "shinpan/v1";

const LONGEST_MATCH_PLIES = 1000;

/** What a match came to, in a line. A ServiceError or an Error when it did not go as it should. */
async function play({ referee, analysis }: Connection, id: string, seed: number): Promise<string> {
  const { game } = await referee.getGame({ game: id });
  const viewers = game.seats.map((seat) => seat.number);
  const chance = random(seed);
  const played: ActionInit[] = [];
  const setup = { game: id };
  let { state, digest, updates } = await referee.startMatch({ setup, viewers });

  const act = async (action: ActionInit): Promise<void> => {
    ({ state, digest, updates } = await referee.applyAction({ state, action, viewers }));
    played.push(action);
  };
  const status = () => updates[0]?.status ?? fail(`${id}: no update`);

  for (const seat of status().phase === Phase.ARRANGEMENT ? viewers : []) {
    const drawn = await analysis.drawArrangement({ game: id, seat, seed: BigInt(seed + seat) });
    await act(actions.arrange(seat, drawn.arrangement));
  }
  const refused = await reasonOf(act(actions.move(status().toMove, illegalMove(game, legalMoves(updates)))));
  if (refused !== "ILLEGAL_MOVE") {
    fail(`${id}: an illegal move was answered with ${refused}`);
  }
  while (status().phase === Phase.PLAY) {
    const moves = legalMoves(updates);
    const move = moves[Math.floor(chance() * moves.length)] ?? fail(`${id}: no move for seat ${status().toMove}`);
    await act(status().ply === LONGEST_MATCH_PLIES ? actions.adjudicate([]) : actions.move(status().toMove, move));
  }

  const replayed = await referee.replayMatch({ start: { case: "setup", value: setup }, actions: played });
  if (!Buffer.from(replayed.digest).equals(digest)) {
    fail(`${id}: the replay ended in another state`);
  }
  const result = status().result ?? fail(`${id}: no result`);
  const winners = result.winners.length > 0 ? `seat ${result.winners.join(" and ")} won` : "nobody won";
  return `${id}: ${status().ply} plies, ${winners}: ${EndReason[result.reason]}; ${refused} refused; the replay agrees`;
}

/** The moves of the seat to move, which alone is told. */
function legalMoves(updates: readonly Update[]): number[] {
  return updates.find((update) => update.viewer === update.status?.toMove)?.legalActions?.moves ?? [];
}

/** The first pair of squares that is no legal move. */
function illegalMove(game: Game, legal: readonly number[]): number {
  const squares = game.board?.squares.map((_, index) => index) ?? [];
  const pairs = squares.flatMap((source) => squares.map((target) => ({ source, target })));
  const moves = pairs.filter(({ source, target }) => source !== target).map((pair) => (pair.source << 8) | pair.target);
  return moves.find((move) => !legal.includes(move)) ?? fail(`${game.id}: every move is legal`);
}

async function reasonOf(call: Promise<unknown>): Promise<string> {
  try {
    await call;
  } catch (error) {
    if (error instanceof ServiceError) {
      return error.reason;
    }
    throw error;
  }
  return "no error";
}

/** Numbers from 0 to below 1, the same for the same seed: a linear congruential generator, enough for a dice. */
function random(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}

function fail(message: string): never {
  throw new Error(message);
}

const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: "string" } } });
const [address] = positionals;
const seed = Number(values.seed ?? 1);
if (address === undefined || positionals.length > 1 || !Number.isSafeInteger(seed)) {
  console.error("usage: play-matches ADDRESS [--seed N]");
  process.exit(2);
}
const connection = connect(address);
try {
  const { games } = await connection.referee.listGames({});
  for (const { id } of games) {
    console.log(await play(connection, id, seed));
  }
} catch (error) {
  console.error(error instanceof Error ? `${error.name}: ${error.message}` : error);
  process.exitCode = 1;
} finally {
  connection.close();
}
