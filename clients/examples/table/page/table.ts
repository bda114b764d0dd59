/** A match on the screen: what came last from the backend, what the viewer has in hand, and what is made of both. */
import type { ClockFace, LogEntry, MatchSummary, Placement, SeatAction, ServerFrame } from "../src/protocol.js";
import { ArrangingDesk } from "./arranging_desk.js";
import { Board } from "./board.js";
import { Connection } from "./connection.js";
import { deductionNotes, deductionPanel } from "./deduction.js";
import { askToResign } from "./dialogs.js";
import { html, show } from "./dom.js";
import { arranges, type Deduction, type Game, type GameEvent, pieces, type Update } from "./messages.js";
import { choicesPanel, legend, logPanel, type ShownClock, seatsPanel, shareLine, showClocks } from "./panels.js";
import { situation } from "./words.js";

export class Table {
  readonly element: HTMLElement;
  readonly #message = html("p", { id: "message", role: "alert", hidden: true });
  readonly #status = html("p", { id: "status", role: "status", "aria-live": "polite" }, "Connecting …");
  readonly #boardPlace = html("div", { id: "board-place" });
  readonly #choicesPlace = html("div", {});
  readonly #sidePlace = html("div", { class: "side" });
  readonly #connection: Connection;
  readonly #log = new Map<number, LogEntry>();
  readonly #legend: HTMLElement;
  readonly #share: HTMLElement;
  #board: Board | null = null;
  #match: MatchSummary | null = null;
  #you = 0;
  #update: Update | null = null;
  #clock: ShownClock | null = null;
  #selected: number | null = null;
  #desk: ArrangingDesk | null = null;
  /** The revision that an action was sent for, until it is in or refused. */
  #answered: number | null = null;
  #deducing = false;
  #deduction: Deduction | null = null;
  #inspected: number | null = null;

  constructor(
    readonly game: Game,
    id: string,
    secret: string,
  ) {
    this.#legend = legend(game);
    this.#share = shareLine(id);
    this.element = html(
      "main",
      { id: "table" },
      html("header", {}, html("a", { href: "/", class: "back" }, "Lobby"), html("h1", {}, game.name)),
      html(
        "div",
        { class: "columns" },
        html("div", { class: "middle" }, this.#status, this.#message, this.#boardPlace, this.#choicesPlace),
        this.#sidePlace,
      ),
    );
    this.#connection = new Connection(
      id,
      secret,
      (frame) => this.#receive(frame),
      (online) => this.#online(online),
    );
    document.addEventListener("keydown", (event) => event.key === "Escape" && this.#letGo());
    setInterval(() => this.#clock && showClocks(this.#clock.face, Date.now() - this.#clock.at), 250);
  }

  #receive(frame: ServerFrame): void {
    switch (frame.type) {
      case "match":
        this.#match = frame.match;
        if (!this.#board || this.#you !== frame.you) this.#seat(frame.you, frame.match.id);
        break;
      case "log":
        for (const entry of frame.entries) this.#log.set(entry.revision, entry);
        break;
      case "update":
        this.#take(frame.update as Update, frame.clock);
        break;
      case "arrangement":
        this.#desk?.fill((frame.arrangement as { placements: Placement[] }).placements);
        break;
      case "deduction":
        if (frame.revision === this.#update?.status.revision) this.#deduction = frame.deduction as Deduction;
        break;
      case "refused":
        this.#answered = null;
        this.#say(`${frame.message} (${frame.reason})`);
        if (this.#update === null) {
          this.#connection.stop(); // whoever is not let in is not let in the next time
          this.#status.textContent = "This link leads to no seat.";
        }
        break;
    }
    this.#render();
  }

  #seat(you: number, id: string): void {
    this.#you = you;
    if (you > 0 && !this.game.fixedStart) {
      this.#desk = new ArrangingDesk(this.game, you, id, {
        say: (text) => this.#say(text),
        changed: () => this.#render(),
        squareAt: (x, y) => this.#board?.squareAt(x, y) ?? null,
        drawRandom: () => this.#connection.send({ type: "drawArrangement" }),
        ready: (placements) => this.#act({ arrange: { placements } }),
      });
    }
    this.#board = new Board(this.game, you, {
      choose: (square) => this.#choose(square),
      pick: (square) => this.#pick(square),
      drop: (from, to) => this.#drop(from, to),
      remove: (square) => this.#arranges() && this.#desk?.takeBack(square),
    });
    this.#boardPlace.replaceChildren(this.#board.element);
  }

  #take(update: Update, clock: ClockFace | null): void {
    if (update.status.revision !== this.#update?.status.revision) {
      this.#selected = null;
      this.#deduction = null;
      this.#inspected = null;
    }
    this.#update = update;
    this.#clock = clock && { face: clock, at: Date.now() };
    this.#log.set(update.status.revision, { revision: update.status.revision, events: update.events });
    if (this.#deducing && update.status.phase === "PHASE_PLAY") this.#connection.send({ type: "deduce" });
  }

  /** Whether the own arrangement is still to be made. */
  #arranges(): boolean {
    return this.#update !== null && arranges(this.#update);
  }

  /** Where a piece may go, from the moves that the referee allows. */
  #targets(from: number): Set<number> {
    const moves = this.#update?.legalActions?.moves ?? [];
    return new Set(moves.filter((move) => move >> 8 === from).map((move) => move & 255));
  }

  #choose(square: number): void {
    this.#say("");
    if (this.#arranges()) this.#desk?.choose(square);
    else if (this.#selected !== null && this.#targets(this.#selected).has(square)) this.#move(this.#selected, square);
    else {
      this.#selected = this.#selected !== square && this.#targets(square).size > 0 ? square : null;
      this.#inspected = square;
    }
    this.#render();
  }

  #pick(square: number): void {
    if (this.#arranges()) this.#desk?.pick(square);
    else this.#selected = this.#targets(square).size > 0 ? square : null;
    this.#render();
  }

  #drop(from: number, to: number | null): void {
    if (this.#arranges()) this.#desk?.drop(from, to);
    else if (to !== null && this.#targets(from).has(to)) this.#move(from, to);
    else this.#letGo();
    this.#render();
  }

  #letGo(): void {
    this.#selected = null;
    this.#desk?.letGo();
    this.#say("");
    this.#render();
  }

  #move(from: number, to: number): void {
    this.#selected = null;
    this.#act({ move: { packed: (from << 8) | to } });
  }

  /** Act in answer to what is on the screen, once. */
  #act(action: SeatAction): void {
    const revision = this.#update?.status.revision ?? 0;
    if (this.#answered === revision) return;
    this.#say("");
    if (this.#connection.send({ type: "act", revision, action })) this.#answered = revision;
    else {
      this.#say("There is no connection to the backend now; nothing was sent.");
    }
  }

  #deduce(): void {
    this.#deducing = !this.#deducing;
    this.#deduction = null;
    if (this.#deducing) this.#connection.send({ type: "deduce" });
    this.#render();
  }

  #say(text: string): void {
    this.#message.textContent = text;
    this.#message.hidden = text === "";
  }

  #online(online: boolean): void {
    document.body.classList.toggle("offline", !online);
    this.#answered = null;
    if (online) this.#say("");
    else this.#say("The connection is lost; it comes back by itself.");
  }

  #render(): void {
    const [update, match, board] = [this.#update, this.#match, this.#board];
    if (!update || !match || !board) return;
    this.#showPosition(board, update);
    const text = situation(this.game, update, this.#you);
    if (this.#status.textContent !== text) this.#status.textContent = text;
    this.#status.classList.toggle("yours", update.status.toMove === this.#you && this.#you > 0);
    document.title = `${update.status.toMove === this.#you && this.#you > 0 ? "● " : ""}${this.game.name}`;
    const hidden = this.game.information === "INFORMATION_HIDDEN";
    show(this.#choicesPlace, [
      choicesPanel(update.status, this.#you, hidden, this.#deducing, {
        offerDraw: () => this.#act({ offerDraw: {} }),
        acceptDraw: () => this.#act({ acceptDraw: {} }),
        declineDraw: () => this.#act({ declineDraw: {} }),
        resign: () => askToResign(() => this.#act({ resign: {} })),
        deduce: () => this.#deduce(),
      }),
    ]);
    const panels = [
      this.#arranges() && this.#desk ? this.#desk.panel() : null,
      this.#deducing && this.#deduction ? deductionPanel(this.game, this.#deduction, this.#inspected) : null,
      seatsPanel(this.game, match, update, this.#clock, this.#you, (seat) =>
        this.#connection.send({ type: "seatBot", seat }),
      ),
      logPanel(
        this.game,
        [...this.#log.values()].sort((one, other) => one.revision - other.revision),
      ),
      this.#legend,
      this.#share,
    ];
    show(
      this.#sidePlace,
      panels.filter((panel) => panel !== null),
    );
  }

  #showPosition(board: Board, update: Update): void {
    if (this.#arranges() && this.#desk) {
      board.show(this.#desk.position());
      return;
    }
    const { lastMove } = update.status;
    const moved = (update.events as GameEvent[]).find((event) => event.moved)?.moved;
    board.show({
      pieces: pieces(this.game, update),
      selected: this.#selected,
      targets: this.#selected === null ? new Set() : this.#targets(this.#selected),
      movable: new Set(update.legalActions?.moves.map((move) => move >> 8)),
      lastMove: lastMove === undefined ? null : { from: lastMove >> 8, to: lastMove & 255 },
      fallen: moved?.captured ?? [],
      notes: this.#deducing && this.#deduction ? deductionNotes(this.game, this.#deduction) : new Map(),
    });
  }
}
