/** Pieces: a tile that points where its owner goes forward, with the letter of its kind; hidden ones show their back. */
import { svg } from "./dom.js";
import type { Piece } from "./messages.js";

const OUTLINE = "M0,-40 L27,-27 L33,36 L-33,36 L-27,-27 Z";

/** A tile around the origin, `turn` degrees from pointing up. */
export function tile(piece: Piece, turn: number): SVGGElement {
  const kind = piece.kind;
  const drawn = svg(
    "g",
    { class: `tile seat${String(piece.seat)} ${kind ? "known" : "back"}` },
    svg("path", { d: OUTLINE, transform: `rotate(${String(turn)})`, class: "body" }),
  );
  if (kind) drawn.append(svg("text", { class: "letter", y: 2 }, kind.letter));
  else drawn.append(svg("path", { d: OUTLINE, transform: `rotate(${String(turn)}) scale(0.62)`, class: "weave" }));
  if (piece.shown && kind) drawn.append(svg("circle", { class: "shown", cx: 25, cy: -24, r: 8 }));
  if (piece.claims) drawn.append(svg("text", { class: "claim", x: -24, y: -22 }, "★"));
  return drawn;
}

/** A tile as a small picture of its own, for lists. */
export function tilePicture(piece: Piece): SVGSVGElement {
  return svg("svg", { viewBox: "-40 -44 80 84", class: "mini", "aria-hidden": "true" }, tile(piece, 0));
}
