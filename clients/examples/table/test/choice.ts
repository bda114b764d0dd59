/**
 * Moves of players who want a match to end: attackers know where the enemy flags are, which no real player does, and go
 * there; the others only skirmish.
 */
import { BattleOutcome, type Game } from "shinpan/v1";

/** A piece as the referee sees it: owner, kind counted from 1. */
export interface Piece {
  seat: number;
  kind: number;
}

/** The pieces by square, null where there is none. */
export type Position = readonly (Piece | null)[];

const WINS = new Set([BattleOutcome.ATTACKER, BattleOutcome.ATTACKER_FLAG_FALLS]);
const FAR = 1_000;

export class Chooser {
  readonly #neighbours: readonly number[][];
  readonly #random: () => number;

  constructor(
    readonly game: Game,
    seed: number,
  ) {
    const neighbours: number[][] = (game.board?.squares ?? []).map(() => []);
    for (const { first, second } of game.board?.roads ?? []) {
      neighbours[first]?.push(second);
      neighbours[second]?.push(first);
    }
    this.#neighbours = neighbours;
    this.#random = random(seed);
  }

  /**
   * One of the legal moves, `source << 8 | target`, of a seat that goes for the flags of `enemies`; without enemies it
   * moves about, and fights where it can but spares flags.
   */
  choose(position: Position, seat: number, legal: readonly number[], enemies: readonly number[]): number {
    const rated = legal.map((move) => ({ move, worth: this.#worth(position, move, enemies) + this.#random() / 2 }));
    const best = rated.reduce((one, other) => (other.worth > one.worth ? other : one));
    if (position[best.move >> 8]?.seat !== seat) throw new Error(`seat ${String(seat)} has no piece to move`);
    return best.move;
  }

  #worth(position: Position, move: number, enemies: readonly number[]): number {
    const [source, target] = [move >> 8, move & 255];
    const [piece, enemy] = [position[source], position[target]];
    const outcome = enemy ? this.#outcome(piece?.kind, enemy.kind) : undefined;
    const flag = outcome === BattleOutcome.ATTACKER_FLAG_FALLS;
    if (enemies.length === 0) return flag ? -FAR : Number(enemy !== null);
    if (flag) return FAR;
    if (outcome === BattleOutcome.DEFENDER) return -FAR;
    const distances = this.#distances(position, piece?.kind ?? 0, enemies);
    const [before, after] = [distances[source] ?? FAR, distances[target] ?? FAR];
    if (after >= before) return -after / FAR - 1;
    return (before - after) * 4 - after / 8 + (outcome !== undefined && WINS.has(outcome) ? 2 : 0);
  }

  /** Steps from every square to the nearest enemy flag for a piece of a kind, around what it cannot beat. */
  #distances(position: Position, kind: number, enemies: readonly number[]): number[] {
    const distances = position.map(() => FAR);
    const open: number[] = [];
    position.forEach((piece, square) => {
      if (!piece || !enemies.includes(piece.seat)) return;
      if (this.#outcome(kind, piece.kind) !== BattleOutcome.ATTACKER_FLAG_FALLS) return;
      distances[square] = 0;
      open.push(square);
    });
    for (let square = open.shift(); square !== undefined; square = open.shift()) {
      const next = (distances[square] ?? 0) + 1;
      for (const neighbour of this.#neighbours[square] ?? []) {
        const there = position[neighbour];
        const barred =
          there && enemies.includes(there.seat) && this.#outcome(kind, there.kind) === BattleOutcome.DEFENDER;
        if (!barred && next < (distances[neighbour] ?? FAR)) {
          distances[neighbour] = next;
          open.push(neighbour);
        }
      }
    }
    return distances;
  }

  #outcome(attacker = 0, defender = 0): BattleOutcome | undefined {
    return this.game.combat?.rows[attacker - 1]?.outcomes[defender - 1];
  }
}

/** Numbers from 0 to below 1, the same for the same seed. */
export function random(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}
