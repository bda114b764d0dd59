/** What a seat does with its arrangement: which piece is in hand, and what becomes of it. */
import type { Placement } from "../src/protocol.js";
import { Arranging } from "./arranging.js";
import type { Position } from "./board.js";
import type { Game, Kind } from "./messages.js";
import { tray } from "./tray.js";

export interface DeskEvents {
  say: (text: string) => void;
  /** Something is to be drawn anew. */
  changed: () => void;
  squareAt: (x: number, y: number) => number | null;
  drawRandom: () => void;
  ready: (placements: Placement[]) => void;
}

export class ArrangingDesk {
  readonly #arranging: Arranging;
  /** The piece in hand, and the square on which it stands, or null when it is in the tray. */
  #hand: { kind: Kind; from: number | null } | null = null;

  constructor(
    game: Game,
    seat: number,
    match: string,
    readonly events: DeskEvents,
  ) {
    this.#arranging = new Arranging(game, seat, match);
  }

  fill(placements: Placement[]): void {
    this.#arranging.fill(placements);
    this.#hand = null;
  }

  /** A square was chosen: put the piece in hand there, or take the one that stands there into the hand. */
  choose(square: number): void {
    const hand = this.#hand;
    const there = this.#arranging.at(square);
    if (hand && this.#arranging.targets(hand.kind, hand.from).has(square)) {
      this.#arranging.put(hand.kind, hand.from, square);
      this.#hand = hand.from === null && this.#arranging.left(hand.kind) > 0 ? hand : null;
    } else if (hand && !there) {
      this.events.say(`${hand.kind.name} may not stand there. ${this.#arranging.constraint(hand.kind)}`);
    } else this.#hand = there && hand?.from !== square ? { kind: there, from: square } : null;
  }

  /** Take the piece on a square into the hand, whatever was in it. */
  pick(square: number): void {
    const there = this.#arranging.at(square);
    this.#hand = there && { kind: there, from: square };
  }

  /** A placed piece was dragged to another square, or off the board, back to the tray. */
  drop(from: number, to: number | null): void {
    if (to === null) {
      this.takeBack(from);
      return;
    }
    this.pick(from);
    this.choose(to);
  }

  takeBack(square: number): void {
    this.#arranging.take(square);
    this.#hand = null;
    this.events.changed();
  }

  letGo(): void {
    this.#hand = null;
  }

  position(): Position {
    const pieces = this.#arranging.pieces();
    const movable = new Set(pieces.flatMap((piece, square) => (piece ? [square] : [])));
    const zones = this.#arranging.wholeZone();
    const hand = this.#hand;
    if (!hand) return { pieces, movable, zones };
    return { pieces, movable, zones, targets: this.#arranging.targets(hand.kind, hand.from), selected: hand.from };
  }

  panel(): HTMLElement {
    const hand = this.#hand;
    return tray(this.#arranging, hand?.kind ?? null, hand?.from != null, {
      choose: (kind) => this.#take(kind),
      drop: (kind, x, y) => {
        const square = this.events.squareAt(x, y);
        this.#hand = { kind, from: null };
        if (square !== null) this.choose(square);
        this.#hand = null;
        this.events.changed();
      },
      takeBack: () => this.#hand?.from != null && this.takeBack(this.#hand.from),
      random: () => this.events.drawRandom(),
      clear: () => {
        this.#arranging.clear();
        this.#take(null);
      },
      ready: () => this.events.ready(this.#arranging.placements()),
    });
  }

  #take(kind: Kind | null): void {
    this.#hand = kind && { kind, from: null };
    this.events.say("");
    this.events.changed();
  }
}
