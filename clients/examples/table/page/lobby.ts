/** The lobby: make a match, take an open seat, or watch. */
import type { Created, Holder, MatchSummary, NewMatch, Taken } from "../src/protocol.js";
import { Board, type Position } from "./board.js";
import { button, copyButton, html, show } from "./dom.js";
import type { Game, GameOption, GameSummary, Piece } from "./messages.js";
import { ask, query } from "./requests.js";

const HOLDERS: Record<Holder, string> = { player: "By link", open: "Open to all", bot: "Bot" };
const REFRESH_MS = 5_000;

export class Lobby {
  readonly element: HTMLElement;
  readonly #games: GameSummary[];
  readonly #game: HTMLSelectElement;
  readonly #details = html("div", {});
  readonly #preview = html("div", { class: "preview" });
  readonly #list = html("ul", { id: "matches", class: "plain matches" });
  readonly #message = html("p", { id: "message", role: "alert", hidden: true });
  readonly #created = html("div", { "aria-live": "polite" });
  readonly #minutes = html("input", { id: "clock-minutes", type: "number", min: 0.5, step: 0.5, max: 600, value: 15 });
  readonly #increment = html("input", { id: "clock-increment", type: "number", min: 0, max: 600, value: 5 });
  readonly #timed = html("input", { id: "clock", type: "checkbox" });

  constructor(games: GameSummary[]) {
    this.#games = games;
    const choices = games.map(({ id, name }) => html("option", { value: id }, name));
    this.#game = html("select", { id: "game", change: () => this.#chooseGame() }, ...choices);
    const form = html(
      "section",
      { class: "card", "aria-labelledby": "new-match" },
      html("h2", { id: "new-match" }, "A new match"),
      field("Game", this.#game),
      this.#details,
      html("label", { class: "check" }, this.#timed, "With clocks"),
      html(
        "div",
        { class: "pair clock-fields" },
        field("Minutes each", this.#minutes),
        field("Seconds a move", this.#increment),
      ),
      html(
        "div",
        { class: "actions" },
        button("create", "Create the match", () => void this.#create(), { class: "primary" }),
      ),
      this.#message,
      this.#created,
    );
    const list = html(
      "section",
      { class: "card", "aria-labelledby": "matches-title" },
      html("h2", { id: "matches-title" }, "Matches"),
      this.#list,
    );
    this.element = html(
      "main",
      { id: "lobby" },
      html(
        "header",
        {},
        html("h1", {}, "Shinpan table"),
        html("p", { class: "lead" }, "Games of hidden pieces, with an impartial referee."),
      ),
      html("div", { class: "columns" }, form, html("div", { class: "side" }, this.#preview, list)),
    );
    this.#chooseGame();
    void this.#refresh();
    setInterval(() => void this.#refresh(), REFRESH_MS);
  }

  #chosen(): GameSummary | undefined {
    return this.#games.find(({ id }) => id === this.#game.value);
  }

  #chooseGame(): void {
    const game = this.#chosen();
    if (!game) return;
    const seats = Array.from({ length: game.seats }, (_, index) => {
      const start: Holder = index === 0 ? "player" : "open";
      const holders = Object.entries(HOLDERS).map(([value, text]) =>
        html("option", { value, selected: value === start }, text),
      );
      return field(`Seat ${String(index + 1)}`, html("select", { id: `holder-${String(index + 1)}` }, ...holders));
    });
    this.#details.replaceChildren(
      html("p", { id: "summary" }, game.summary),
      html("div", { class: "pair" }, ...seats),
      html(
        "details",
        { id: "options" },
        html("summary", {}, "Options"),
        ...game.options.map((option) => this.#option(option)),
      ),
    );
    void this.#showBoard();
  }

  #option({ name, meaning, values, defaultValue }: GameOption): HTMLElement {
    const id = `option-${name}`;
    const change = () => void this.#showBoard();
    const input = values.includes("N")
      ? html("input", { id, type: "number", min: 1, max: 999_999_999, placeholder: defaultValue, change })
      : html(
          "select",
          { id, change },
          ...values.map((value) => html("option", { value, selected: value === defaultValue }, value)),
        );
    return html("div", { class: "option" }, field(name.replaceAll("_", " "), input), html("small", {}, meaning));
  }

  #options(): Record<string, string> {
    const options: Record<string, string> = {};
    for (const { name } of this.#chosen()?.options ?? []) {
      const input = document.getElementById(`option-${name}`);
      if ((input instanceof HTMLInputElement || input instanceof HTMLSelectElement) && input.value !== "") {
        options[name] = input.value;
      }
    }
    return options;
  }

  async #showBoard(): Promise<void> {
    const id = this.#game.value;
    const game = await ask<Game>(`/api/games/${id}?${query(this.#options())}`).catch(() => null);
    if (!game || id !== this.#game.value) return;
    const board = new Board(game, 0, { choose: () => undefined, pick: () => undefined, drop: () => undefined });
    board.show(startPosition(game));
    board.element.setAttribute("id", "preview");
    board.element.setAttribute("role", "img");
    board.element.setAttribute("aria-label", `The board of ${game.name}`);
    board.element.setAttribute("inert", "");
    this.#preview.replaceChildren(board.element);
  }

  async #create(): Promise<void> {
    this.#say("");
    const game = this.#chosen();
    if (!game) return;
    const seats = Array.from({ length: game.seats }, (_, index) => {
      return (document.getElementById(`holder-${String(index + 1)}`) as HTMLSelectElement).value as Holder;
    });
    const wanted: NewMatch = { game: game.id, options: this.#options(), seats };
    if (this.#timed.checked) {
      wanted.clock = { minutes: this.#minutes.valueAsNumber, increment: this.#increment.valueAsNumber };
    }
    try {
      this.#showCreated(await ask<Created>("/api/matches", wanted));
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
    void this.#refresh();
  }

  /** The links of a new match: they are shown here once, and nowhere else. */
  #showCreated({ match, secrets }: Created): void {
    const watch = `${location.origin}/match/${match}`;
    const lines = secrets.flatMap((secret, index) => {
      const seat = String(index + 1);
      return secret === null ? [] : [linkLine(`seat-link-${seat}`, `Seat ${seat}`, `${watch}#${secret}`)];
    });
    this.#created.replaceChildren(
      html(
        "section",
        { id: "created" },
        html("h3", {}, "The match is ready"),
        html("p", {}, "Whoever has a seat's link plays that seat. Keep yours: it is not shown again."),
        html("ul", { class: "plain links" }, ...lines, linkLine("spectator-link", "Spectators", watch)),
      ),
    );
  }

  async #refresh(): Promise<void> {
    const matches = await ask<MatchSummary[]>("/api/matches").catch(() => null);
    if (matches === null) return;
    const items = matches.map((match) => this.#item(match));
    show(this.#list, items.length > 0 ? items : [html("li", {}, "None yet.")]);
  }

  #item({ id, name, holders, ended, clock }: MatchSummary): HTMLElement {
    const open = holders.flatMap((holder, index) => (holder === "open" && !ended ? [index + 1] : []));
    const time = clock ? ` · ${String(clock.minutes)} min + ${String(clock.increment)} s` : "";
    const state = ended ? "ended" : open.length > 0 ? `${String(open.length)} open` : "under way";
    return html(
      "li",
      { id: `match-${id}` },
      html("span", { class: "who" }, name, html("small", {}, `${state}${time}`)),
      ...open.map((seat) =>
        button(`take-${id}-${String(seat)}`, `Take seat ${String(seat)}`, () => void this.#takeSeat(id, seat)),
      ),
      html("a", { id: `watch-${id}`, href: `/match/${id}`, "aria-label": `Watch ${name}` }, "Watch"),
    );
  }

  async #takeSeat(id: string, seat: number): Promise<void> {
    try {
      const { secret } = await ask<Taken>(`/api/matches/${id}/seats/${String(seat)}`, {});
      location.assign(`/match/${id}#${secret}`);
    } catch (error) {
      this.#say(error instanceof Error ? error.message : String(error));
    }
  }

  #say(text: string): void {
    this.#message.textContent = text;
    this.#message.hidden = text === "";
  }
}

/** Where pieces stand at the start: themselves where that is fixed, or the zones in which each seat places its own. */
function startPosition(game: Game): Position {
  const found: (Piece | null)[] = game.board.squares.map(() => null);
  const zones = new Map<number, number>();
  for (const { number: seat, zone, kindZones } of game.seats) {
    for (const square of zone.squares) {
      const kind = game.kinds.find((_, index) => kindZones[index]?.squares.includes(square)) ?? null;
      if (game.fixedStart) found[square] = { seat, kind, shown: false, claims: false };
      else zones.set(square, seat);
    }
  }
  return { pieces: found, zones };
}

function field(label: string, input: HTMLElement): HTMLElement {
  return html("label", { class: "field" }, html("span", {}, label), input);
}

function linkLine(id: string, label: string, address: string): HTMLElement {
  return html(
    "li",
    {},
    html("a", { id, href: address }, label),
    " ",
    copyButton(`copy-${id}`, `Copy the link of ${label.toLowerCase()}`, address),
  );
}
