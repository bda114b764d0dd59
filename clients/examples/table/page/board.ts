/** The board on the screen: a grid for eyes, pointers, keyboards and screen readers. It knows squares, not rules. */
import { svg } from "./dom.js";
import { Geometry, UNIT } from "./geometry.js";
import { ground } from "./ground.js";
import type { Game, Piece } from "./messages.js";
import { tile } from "./tile.js";
import { seatName } from "./words.js";

/** What is to be seen. Squares are indices. */
export interface Position {
  pieces: (Piece | null)[];
  selected?: number | null;
  /** Where the selected piece may go. */
  targets?: ReadonlySet<number>;
  /** Squares in the zones of seats, and whose each is. */
  zones?: ReadonlyMap<number, number>;
  /** Squares of the own pieces that may be picked up. */
  movable?: ReadonlySet<number>;
  lastMove?: { from: number; to: number } | null;
  /** Squares on which pieces were removed last. */
  fallen?: readonly number[];
  /** Words on hidden pieces, and the same for those who cannot see. */
  notes?: ReadonlyMap<number, { short: string; long: string }>;
}

export interface BoardEvents {
  /** A square was clicked, or chosen by keyboard. */
  choose: (square: number) => void;
  /** A piece begins to be dragged. */
  pick: (square: number) => void;
  /** It was dragged onto another square, or off the board. */
  drop: (from: number, to: number | null) => void;
  /** Delete was pressed on a square. */
  remove?: (square: number) => void;
}

const MARGIN = 46;

export class Board {
  readonly element: SVGSVGElement;
  readonly #geometry: Geometry;
  readonly #cells: SVGGElement[];
  /** What each square was last drawn from. */
  readonly #looks: string[] = [];
  #position: Position = { pieces: [] };
  #focused = 0;
  #drag: { from: number; ghost: SVGGElement | null; x: number; y: number } | null = null;
  #dragged = false;

  constructor(
    readonly game: Game,
    readonly you: number,
    readonly events: BoardEvents,
  ) {
    this.#geometry = new Geometry(game, you);
    const { columns, rows } = this.#geometry;
    this.#cells = game.board.squares.map((_, index) => this.#cell(index));
    const box = [-MARGIN, -8, columns * UNIT + MARGIN + 8, rows * UNIT + MARGIN + 8].map(String).join(" ");
    const label = `Board of ${game.name}${you > 0 ? `, seen from seat ${String(you)}` : ""}`;
    this.element = svg(
      "svg",
      { id: "board", class: "board", viewBox: box, role: "grid", "aria-label": label, keydown: this.#onKey },
      ground(this.#geometry),
      ...this.#rows(),
    );
    this.element.addEventListener("pointermove", this.#onPointerMove);
    this.element.addEventListener("pointerup", this.#onPointerUp);
    this.element.addEventListener("pointercancel", () => this.#endDrag());
    const home = game.seats[Math.max(0, you - 1)]?.zone.squares[0] ?? 0;
    this.#moveFocus(home, false);
  }

  show(position: Position): void {
    this.#position = position;
    for (const [index, cell] of this.#cells.entries()) this.#fill(cell, index);
  }

  #cell(index: number): SVGGElement {
    const { x, y } = this.#geometry.middle(index);
    return svg("g", {
      class: "square",
      id: `square-${this.game.board.squares[index]?.name ?? ""}`,
      role: "gridcell",
      tabindex: -1,
      transform: `translate(${String(x)} ${String(y)})`,
      click: () => this.#choose(index),
      focus: () => this.#moveFocus(index, false),
      pointerdown: (event: PointerEvent) => this.#onPointerDown(event, index),
    });
  }

  /** Cells by rows as they are seen, as grids have them. */
  #rows(): SVGGElement[] {
    const rows = new Map<number, number[]>();
    this.#cells.forEach((_, index) => {
      const { y } = this.#geometry.middle(index);
      rows.set(y, [...(rows.get(y) ?? []), index]);
    });
    return [...rows.entries()]
      .sort(([one], [other]) => one - other)
      .map(([, indices]) => {
        indices.sort((one, other) => this.#geometry.middle(one).x - this.#geometry.middle(other).x);
        return svg("g", { role: "row" }, ...indices.map((index) => this.#cells[index] ?? null));
      });
  }

  #fill(cell: SVGGElement, index: number): void {
    const { pieces, selected, targets, zones, movable, lastMove, fallen, notes } = this.#position;
    const piece = pieces[index] ?? null;
    const owner = zones?.get(index);
    const note = notes?.get(index);
    const label = this.#label(index);
    const [came, went] = [lastMove?.from === index, lastMove?.to === index];
    const [chosen, fell] = [selected === index, fallen?.includes(index) ?? false];
    // Most squares stay as they are, and need not be drawn anew.
    const looks = JSON.stringify([label, piece, owner, came, went, chosen, fell, note?.short]);
    if (this.#looks[index] === looks) return;
    this.#looks[index] = looks;
    const marks: SVGElement[] = [svg("rect", { class: "touch", x: -50, y: -50, width: UNIT, height: UNIT })];
    const mark = (name: string) => svg("rect", { class: name, x: -46, y: -46, width: 92, height: 92, rx: 10 });
    if (owner !== undefined) marks.push(mark(`zone seat${String(owner)}`));
    if (came) marks.push(mark("came-from"));
    if (went) marks.push(mark("went-to"));
    if (chosen) marks.push(mark("selected"));
    if (piece) marks.push(tile(piece, this.#geometry.turn(piece.seat)));
    if (fell) {
      const small = piece ? "translate(-34 -34) scale(0.35)" : "scale(0.7)";
      marks.push(svg("path", { class: "fallen", d: "M-30,-30 L30,30 M30,-30 L-30,30", transform: small }));
    }
    if (targets?.has(index))
      marks.push(svg("circle", { class: piece ? "target taken" : "target", r: piece ? 44 : 15 }));
    if (note) marks.push(svg("text", { class: "note", "aria-hidden": "true" }, note.short));
    marks.push(mark("focus-ring"));
    cell.replaceChildren(svg("title", {}, label), ...marks);
    cell.classList.toggle("movable", movable?.has(index) ?? false);
    cell.setAttribute("aria-label", label);
    cell.setAttribute("aria-selected", String(chosen));
  }

  /** A square in words, such as "b3, camp, seat 2, hidden piece, can be moved to". */
  #label(index: number): string {
    const { pieces, targets, movable, notes } = this.#position;
    const square = this.game.board.squares[index];
    const words = [square?.name ?? ""];
    if (square?.terrain === "TERRAIN_CAMP") words.push("camp");
    if (square?.terrain === "TERRAIN_HEADQUARTERS") words.push("headquarters");
    const piece = pieces[index];
    if (piece) words.push(seatName(piece.seat, this.you), piece.kind?.name ?? "hidden piece");
    else words.push("empty");
    if (movable?.has(index)) words.push("can move");
    if (targets?.has(index)) words.push("can be chosen");
    const note = notes?.get(index);
    if (note) words.push(note.long);
    return words.join(", ");
  }

  #choose(index: number): void {
    // The click that ends a drag is not a choice.
    if (!this.#dragged) this.events.choose(index);
    this.#dragged = false;
  }

  #moveFocus(index: number, now: boolean): void {
    this.#cells[this.#focused]?.setAttribute("tabindex", "-1");
    this.#focused = index;
    this.#cells[index]?.setAttribute("tabindex", "0");
    if (now) this.#cells[index]?.focus();
  }

  #onKey = (event: KeyboardEvent): void => {
    const steps: Record<string, [number, number]> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    if (step) {
      const next = this.#geometry.step(this.#focused, ...step);
      if (next !== null) this.#moveFocus(next, true);
    } else if (event.key === "Enter" || event.key === " ") this.events.choose(this.#focused);
    else if (event.key === "Delete" || event.key === "Backspace") this.events.remove?.(this.#focused);
    else return;
    event.preventDefault();
  };

  #onPointerDown(event: PointerEvent, index: number): void {
    this.#dragged = false;
    if (event.button !== 0 || !this.#position.movable?.has(index)) return;
    this.#drag = { from: index, ghost: null, x: event.clientX, y: event.clientY };
  }

  #onPointerMove = (event: PointerEvent): void => {
    const drag = this.#drag;
    if (!drag || (drag.ghost === null && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < 6)) return;
    const piece = this.#position.pieces[drag.from];
    if (drag.ghost === null && piece) {
      this.events.pick(drag.from);
      this.element.setPointerCapture(event.pointerId);
      this.#dragged = true;
      drag.ghost = svg("g", { class: "ghost" }, tile(piece, this.#geometry.turn(piece.seat)));
      this.element.append(drag.ghost);
    }
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(this.element.getScreenCTM()?.inverse());
    drag.ghost?.setAttribute("transform", `translate(${String(point.x)} ${String(point.y)})`);
  };

  #onPointerUp = (event: PointerEvent): void => {
    const drag = this.#drag;
    this.#endDrag();
    if (!drag?.ghost) return;
    const to = this.squareAt(event.clientX, event.clientY);
    if (to !== drag.from) this.events.drop(drag.from, to);
  };

  #endDrag(): void {
    this.#drag?.ghost?.remove();
    this.#drag = null;
  }

  /** The square at a point of the window, or null. */
  squareAt(x: number, y: number): number | null {
    const cell = document.elementFromPoint(x, y)?.closest<SVGGElement>(".square");
    const index = cell ? this.#cells.indexOf(cell) : -1;
    return index < 0 ? null : index;
  }
}
