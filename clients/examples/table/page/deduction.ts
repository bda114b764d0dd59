/** What Shinpan deduces about hidden pieces, as notes on them and as a list. */
import { html } from "./dom.js";
import { type DeducedPiece, type Deduction, type Game, kindAt, squareName } from "./messages.js";

/** For each hidden piece on the board the kind that it most likely is. */
export function deductionNotes(game: Game, deduction: Deduction): Map<number, { short: string; long: string }> {
  const notes = new Map<number, { short: string; long: string }>();
  for (const piece of deduction.pieces) {
    if (piece.square === undefined) continue;
    const [best, ...others] = ranked(game, piece);
    if (best === undefined) continue;
    const short = `${best.letter}${others.length > 0 ? String(Math.round(best.probability * 100)) : ""}`;
    notes.set(piece.square, { short, long: `likely ${best.name}, ${percent(best.probability)}` });
  }
  return notes;
}

/** All that is deduced about the piece on a square, or how to ask for that. */
export function deductionPanel(game: Game, deduction: Deduction, square: number | null): HTMLElement {
  const piece = square === null ? undefined : deduction.pieces.find((one) => one.square === square);
  const heading = html("h2", {}, piece && square !== null ? `What ${squareName(game, square)} can be` : "Deduction");
  const rows = piece
    ? ranked(game, piece).map(({ name, probability }) =>
        html(
          "li",
          {},
          html("span", {}, name),
          html("meter", { min: 0, max: 1, value: probability, "aria-label": `${name} ${percent(probability)}` }),
          html("b", {}, percent(probability)),
        ),
      )
    : [];
  const exact = deduction.exact ? "Every number is exact" : "An upper bound: battles tie too many pieces together";
  return html(
    "section",
    { id: "deduction", class: "card", "aria-label": "Deduction" },
    heading,
    html(
      "p",
      {},
      piece ? exact : `Each hidden piece shows its likeliest kind, in percent. Choose one to see all. ${exact}.`,
    ),
    html("ul", { class: "plain odds" }, ...rows),
  );
}

function ranked(game: Game, piece: DeducedPiece): { letter: string; name: string; probability: number }[] {
  return piece.kinds
    .map(({ kind, probability }) => ({ kind: kindAt(game, kind), probability }))
    .map(({ kind, probability }) => ({ letter: kind?.letter ?? "?", name: kind?.name ?? "?", probability }))
    .sort((one, other) => other.probability - one.probability);
}

function percent(probability: number): string {
  const hundred = probability * 100;
  return hundred > 0 && hundred < 1 ? "under 1 %" : `${String(Math.round(hundred))} %`;
}
