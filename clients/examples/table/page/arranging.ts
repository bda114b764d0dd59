/** A seat's own arrangement while it is made: which piece stands where, and where each may stand. */
import type { Placement } from "../src/protocol.js";
import type { Game, Kind, Piece } from "./messages.js";

export class Arranging {
  /** Kind by square, of the pieces that are placed. */
  readonly #placed = new Map<number, Kind>();
  readonly #indices: Map<string, number>;
  readonly #store: string;

  /** What was placed before the page was loaded anew is there again. */
  constructor(
    readonly game: Game,
    readonly seat: number,
    match: string,
  ) {
    this.#indices = new Map(game.board.squares.map((square, index) => [square.name, index]));
    this.#store = `arrangement ${match} ${String(seat)}`;
    this.fill(JSON.parse(sessionStorage.getItem(this.#store) ?? "[]") as Placement[]);
  }

  /** How many pieces of a kind are not placed. */
  left(kind: Kind): number {
    return kind.count - [...this.#placed.values()].filter((placed) => placed === kind).length;
  }

  complete(): boolean {
    return this.game.kinds.every((kind) => this.left(kind) === 0);
  }

  at(square: number): Kind | null {
    return this.#placed.get(square) ?? null;
  }

  /** The squares of the own zone, each with its seat. */
  wholeZone(): ReadonlyMap<number, number> {
    return new Map(this.game.seats[this.seat - 1]?.zone.squares.map((square) => [square, this.seat]));
  }

  /** The squares that the game allows to a kind. */
  zone(kind: Kind): ReadonlySet<number> {
    const seat = this.game.seats[this.seat - 1];
    return new Set(seat?.kindZones[this.game.kinds.indexOf(kind)]?.squares);
  }

  /** The squares on which a kind may be put now: free ones, and ones whose piece can make room. */
  targets(kind: Kind, from: number | null): Set<number> {
    return new Set([...this.zone(kind)].filter((square) => square !== from && this.#makesRoom(square, from)));
  }

  /** Put a piece on a square, from another one or from the tray; what stood there changes places with it. */
  put(kind: Kind, from: number | null, to: number): void {
    if (!this.targets(kind, from).has(to)) return;
    const there = this.#placed.get(to);
    if (from !== null) this.#placed.delete(from);
    if (there && from !== null) this.#placed.set(from, there);
    this.#placed.set(to, kind);
    this.#keep();
  }

  take(square: number): void {
    this.#placed.delete(square);
    this.#keep();
  }

  clear(): void {
    this.#placed.clear();
    this.#keep();
  }

  fill(placements: Placement[]): void {
    this.#placed.clear();
    for (const { square, kind } of placements) {
      const index = this.#indices.get(square);
      const found = this.game.kinds.find(({ id }) => id === kind);
      if (index !== undefined && found) this.#placed.set(index, found);
    }
    this.#keep();
  }

  placements(): Placement[] {
    return [...this.#placed].map(([square, kind]) => ({
      square: this.game.board.squares[square]?.name ?? "",
      kind: kind.id,
    }));
  }

  pieces(): (Piece | null)[] {
    return this.game.board.squares.map((_, square) => {
      const kind = this.#placed.get(square);
      return kind ? { seat: this.seat, kind, shown: false, claims: false } : null;
    });
  }

  /** What the game demands of a kind, and what stands in its way. */
  constraint(kind: Kind): string {
    const [allowed, all] = [this.zone(kind).size, this.wholeZone().size];
    const where =
      allowed === all ? "anywhere in your zone" : `on ${String(allowed)} of the ${String(all)} squares of your zone`;
    const free = [...this.zone(kind)].filter((square) => !this.#placed.has(square)).length;
    const blocked = this.left(kind) > free ? " Too few of these squares are free: move other pieces away." : "";
    return `${kind.name}: ${String(this.left(kind))} of ${String(kind.count)} left; may stand ${where}.${blocked}`;
  }

  #makesRoom(square: number, from: number | null): boolean {
    const there = this.#placed.get(square);
    return !there || from === null || this.zone(there).has(from);
  }

  #keep(): void {
    sessionStorage.setItem(this.#store, JSON.stringify(this.placements()));
  }
}
