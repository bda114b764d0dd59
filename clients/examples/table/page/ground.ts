/** The board without pieces, drawn from `GetGame` alone: squares, roads, rails, camps, headquarters, bars, holes. */
import { svg } from "./dom.js";
import { type Geometry, type Point, UNIT } from "./geometry.js";
import type { Square } from "./messages.js";

/** Everything under the pieces. Boards with rails are drawn as stations on lines, others as fields side by side. */
export function ground(geometry: Geometry): SVGGElement {
  const { board } = geometry.game;
  const drawn = svg("g", { class: "ground", "aria-hidden": "true" });
  if (board.rails.length > 0) {
    drawn.append(...roads(geometry, () => true), ...rails(geometry));
    drawn.append(...board.squares.map((square, index) => station(square, geometry.middle(index))));
  } else {
    drawn.append(...board.squares.map((square) => field(geometry, square)));
    drawn.append(...roads(geometry, (from, to) => !sideBySide(geometry, from, to)), ...bars(geometry));
    drawn.append(...board.squares.flatMap((square, index) => feature(square, geometry.middle(index))));
  }
  drawn.append(...goals(geometry), ...labels(geometry));
  return drawn;
}

function field(geometry: Geometry, square: Square): SVGElement {
  const cells = geometry.cells(square);
  const xs = cells.map((cell) => cell.x);
  const ys = cells.map((cell) => cell.y);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  const [width, height] = [Math.max(...xs) - x + 1, Math.max(...ys) - y + 1];
  const shape = { x: x * UNIT, y: y * UNIT, width: width * UNIT, height: height * UNIT };
  return svg("rect", { class: `plot ${owner(square)}`, ...shape });
}

function feature(square: Square, middle: Point): SVGElement[] {
  if (square.terrain === "TERRAIN_CAMP") return [svg("circle", { class: "camp", cx: middle.x, cy: middle.y, r: 42 })];
  if (square.terrain !== "TERRAIN_HEADQUARTERS") return [];
  const path = `M${at(middle, -38, 40)} V${String(middle.y - 4)} A38,36 0 0 1 ${at(middle, 38, -4)} V${String(middle.y + 40)} Z`;
  return [svg("path", { class: `headquarters ${owner(square)}`, d: path })];
}

function station(square: Square, middle: Point): SVGElement {
  const [drawn] = feature(square, middle);
  return drawn ?? svg("rect", { class: "station", x: middle.x - 40, y: middle.y - 30, width: 80, height: 60, rx: 9 });
}

function roads(geometry: Geometry, drawn: (from: number, to: number) => boolean): SVGElement[] {
  return geometry.game.board.roads
    .filter(({ first, second }) => drawn(first, second))
    .map(({ first, second }) => [geometry.middle(first), geometry.middle(second)] as const)
    .map(([from, to]) => svg("line", { class: "road", x1: from.x, y1: from.y, x2: to.x, y2: to.y }));
}

function rails(geometry: Geometry): SVGElement[] {
  const lines = geometry.game.board.rails.map(({ squares }) =>
    squares.map((square) => at(geometry.middle(square), 0, 0)).join(" "),
  );
  return ["rail", "sleepers"].flatMap((name) => lines.map((points) => svg("polyline", { class: name, points })));
}

/** Heavy bars between fields that lie side by side and are not joined. */
function bars(geometry: Geometry): SVGElement[] {
  const { squares, roads: joined } = geometry.game.board;
  const pairs = new Set(joined.map(({ first, second }) => `${String(first)} ${String(second)}`));
  const places = new Map<string, number>();
  squares.forEach((square, index) => {
    for (const cell of geometry.cells(square)) places.set(`${String(cell.x)} ${String(cell.y)}`, index);
  });
  const drawn: SVGElement[] = [];
  for (const [place, index] of places) {
    const [x = 0, y = 0] = place.split(" ").map(Number);
    for (const [dx, dy] of [
      [1, 0],
      [0, 1],
    ] as const) {
      const other = places.get(`${String(x + dx)} ${String(y + dy)}`);
      if (other === undefined || other === index) continue;
      if (pairs.has(`${String(Math.min(index, other))} ${String(Math.max(index, other))}`)) continue;
      const [left, top] = [(x + dx) * UNIT, (y + dy) * UNIT];
      drawn.push(svg("line", { class: "bar", x1: left, y1: top, x2: left + dy * UNIT, y2: top + dx * UNIT }));
    }
  }
  return drawn;
}

/** Small flags on the squares that a seat's flag has to reach. */
function goals(geometry: Geometry): SVGElement[] {
  return geometry.game.seats.flatMap((seat) =>
    (seat.goal?.squares ?? []).map((square) => {
      const { x, y } = geometry.middle(square);
      return svg("path", {
        class: `goal seat${String(seat.number)}`,
        d: `M${at({ x, y }, -40, -26)} l0,-16 l16,6 l-16,6`,
      });
    }),
  );
}

/** Letters of the files and numbers of the ranks, at the edges where they run on this screen. */
function labels(geometry: Geometry): SVGElement[] {
  const { files, ranks } = geometry.game.board;
  const drawn: SVGElement[] = [];
  const label = (text: string, one: Point, next: Point) => {
    const below = one.y === next.y;
    const x = below ? (one.x + 0.5) * UNIT : -22;
    const y = below ? geometry.rows * UNIT + 24 : (one.y + 0.5) * UNIT;
    drawn.push(svg("text", { class: "label", x, y }, text));
  };
  for (let file = 1; file <= files; file++) {
    label(String.fromCharCode(96 + file), geometry.cell(file, 1), geometry.cell(file === 1 ? 2 : 1, 1));
  }
  for (let rank = 1; rank <= ranks; rank++) {
    label(String(rank), geometry.cell(1, rank), geometry.cell(1, rank === 1 ? 2 : 1));
  }
  return drawn;
}

function owner(square: Square): string {
  return square.headquartersSeat > 0 ? `seat${String(square.headquartersSeat)}` : "";
}

function at({ x, y }: Point, dx: number, dy: number): string {
  return `${String(x + dx)},${String(y + dy)}`;
}

/** Whether two fields share an edge, so that everybody sees that they are joined. */
function sideBySide(geometry: Geometry, first: number, second: number): boolean {
  const cellsOf = (index: number) => {
    const square = geometry.game.board.squares[index];
    return square ? geometry.cells(square) : [];
  };
  return cellsOf(first).some((one) =>
    cellsOf(second).some((other) => Math.abs(one.x - other.x) + Math.abs(one.y - other.y) === 1),
  );
}
