/** What stands beside the board: seats with clocks and captured pieces, the log, what a seat can do. */
import type { ClockFace, LogEntry, MatchSummary } from "../src/protocol.js";
import { button, copyButton, html } from "./dom.js";
import { capturedPieces, type Game, type GameEvent, type Kind, type Status, type Update } from "./messages.js";
import { tilePicture } from "./tile.js";
import { seatName, sentence } from "./words.js";

/** How the clocks stood, and when that was. */
export interface ShownClock {
  face: ClockFace;
  at: number;
}

/** The seats: who sits there, whose turn it is, and what each has lost. */
export function seatsPanel(
  game: Game,
  match: MatchSummary,
  update: Update,
  clock: ShownClock | null,
  you: number,
  seatBot: (seat: number) => void,
): HTMLElement {
  const gone = capturedPieces(game, update);
  const own = game.seats[you - 1];
  const rows = game.seats.map(({ number, team }) => {
    const partner = own?.team === team && number !== you ? ", your partner" : "";
    const holder = match.holders[number - 1] ?? "open";
    const lost = gone.get(number) ?? [];
    return html(
      "li",
      {
        id: `seat-${String(number)}`,
        class: `seat seat${String(number)}`,
        "aria-current": String(update.status.toMove === number),
      },
      html("span", { class: "dot", "aria-hidden": "true" }),
      html(
        "span",
        { class: "who" },
        seatName(number, you),
        html("small", {}, standing(update.status, number, holder) + partner),
      ),
      clock
        ? html(
            "time",
            { id: `clock-${String(number)}`, class: "clock" },
            clockText(clock.face, Date.now() - clock.at, number),
          )
        : null,
      holder === "open" && you > 0
        ? button(`bot-${String(number)}`, "Add a bot", () => seatBot(number), {
            "aria-label": `Add a bot on seat ${String(number)}`,
          })
        : null,
      lost.length > 0 ? captured(number, lost) : null,
    );
  });
  return html(
    "section",
    { id: "seats", class: "card", "aria-label": "Seats" },
    html("ul", { class: "plain" }, ...rows),
  );
}

function standing(status: Status, seat: number, holder: string): string {
  const sits = holder === "bot" ? "bot" : holder === "open" ? "open seat" : "player";
  if (status.seatsOut.includes(seat)) return `${sits}, out`;
  if (status.phase === "PHASE_ARRANGEMENT")
    return `${sits}, ${status.seatsArranged.includes(seat) ? "ready" : "arranging"}`;
  return status.toMove === seat ? `${sits}, to move` : sits;
}

function captured(seat: number, lost: (Kind | null)[]): HTMLElement {
  const order = (kind: Kind | null) => kind?.letter ?? "~";
  const sorted = [...lost].sort((one, other) => order(one).localeCompare(order(other)));
  const names = sorted.map((kind) => kind?.name ?? "hidden piece").join(", ");
  return html(
    "span",
    { id: `captured-${String(seat)}`, class: "captured", role: "img", "aria-label": `Lost: ${names}`, title: names },
    ...sorted.map((kind) => tilePicture({ seat, kind, shown: false, claims: false })),
  );
}

/** What the clock of a seat shows, `elapsed` milliseconds after the clocks were sent. */
function clockText({ left, running }: ClockFace, elapsed: number, seat: number): string {
  const milliseconds = (left[seat - 1] ?? 0) - (running === seat ? elapsed : 0);
  const seconds = Math.ceil(Math.max(0, milliseconds) / 1000);
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, "0")}`;
}

/** Write how the clocks stand. */
export function showClocks(face: ClockFace, elapsed: number): void {
  for (const index of face.left.keys()) {
    const shown = document.getElementById(`clock-${String(index + 1)}`);
    const text = clockText(face, elapsed, index + 1);
    if (shown && shown.textContent !== text) shown.textContent = text;
  }
}

/** Everything that happened, the newest first. */
export function logPanel(game: Game, entries: LogEntry[]): HTMLElement {
  const lines = entries.flatMap(({ events }) => (events as GameEvent[]).map((event) => sentence(game, event)));
  return html(
    "section",
    { class: "card", "aria-label": "Log" },
    html("h2", {}, "Log"),
    html(
      "ol",
      { id: "log", class: "plain log", tabindex: 0, "aria-label": "What happened, the newest first" },
      ...lines.reverse().map((line) => html("li", {}, line)),
    ),
  );
}

export interface Choices {
  offerDraw: () => void;
  acceptDraw: () => void;
  declineDraw: () => void;
  resign: () => void;
  deduce: () => void;
}

/** What the viewer can do besides moving. */
export function choicesPanel(
  status: Status,
  you: number,
  hidden: boolean,
  deducing: boolean,
  choices: Choices,
): HTMLElement {
  const playing = you > 0 && status.phase !== "PHASE_ENDED" && !status.seatsOut.includes(you);
  const inPlay = status.phase === "PHASE_PLAY";
  const offered = status.drawAgreed.length > 0;
  const answers = offered && !status.drawAgreed.includes(you);
  const draw = answers
    ? [
        button("accept-draw", "Accept the draw", choices.acceptDraw, { class: "primary" }),
        button("decline-draw", "Decline", choices.declineDraw),
      ]
    : [button("offer-draw", offered ? "Draw offered" : "Offer a draw", choices.offerDraw, { disabled: offered })];
  return html(
    "section",
    { id: "choices", class: "actions", "aria-label": "Choices" },
    ...(playing && inPlay ? draw : []),
    hidden && inPlay ? button("deduce", "Deduce", choices.deduce, { "aria-pressed": String(deducing) }) : null,
    playing ? button("resign", "Resign", choices.resign, { class: "quiet" }) : null,
  );
}

/** The letters of the kinds, and how many of each a seat has. */
export function legend(game: Game): HTMLElement {
  const items = game.kinds.map((kind) =>
    html("li", {}, html("b", {}, kind.letter), ` ${kind.name} `, html("small", {}, `×${String(kind.count)}`)),
  );
  return html(
    "details",
    { id: "legend", class: "card", open: matchMedia("(min-width: 60rem)").matches },
    html("summary", {}, `Pieces of ${game.name}`),
    html("p", {}, game.summary),
    html("ul", { class: "plain legend" }, ...items),
  );
}

/** The address that anyone may watch at. */
export function shareLine(match: string): HTMLElement {
  const address = `${location.origin}/match/${match}`;
  return html(
    "p",
    { class: "share" },
    html("a", { id: "spectator-link", href: address }, "Spectators' link"),
    " ",
    copyButton("copy-spectator-link", "Copy the spectators' link", address),
  );
}
