/**
 * Frames and bodies that come from outside, checked field by field before anything looks at them.
 *
 * Each check gives back a value built up from what is allowed; whether an action is legal is the referee's to say.
 */
import type { ClientFrame, ClockSetting, Holder, NewMatch, Placement, SeatAction } from "./protocol.js";

/** Why a frame or body was refused: what is wrong with it, for whoever wrote it. */
export class Malformed extends Error {}

/** Bytes of a frame or body; an arrangement of the largest game has about 2,000. */
export const MAX_BYTES = 16_384;
const MAX_PIECES = 255;
const MAX_SEATS = 4;
const MAX_REVISION = 0xffff_ffff;
const MIN_MINUTES = 0.1;
const MAX_MINUTES = 600;

type Fields = Record<string, unknown>;

export function clientFrame(text: string): ClientFrame {
  const frame = record(parsed(text), "the frame");
  switch (frame.type) {
    case "hello": {
      only(frame, ["type", "match", "secret"]);
      const match = shortText(frame, "match");
      return "secret" in frame
        ? { type: "hello", match, secret: shortText(frame, "secret") }
        : { type: "hello", match };
    }
    case "act":
      only(frame, ["type", "revision", "action"]);
      return { type: "act", revision: whole(frame, "revision", 0, MAX_REVISION), action: seatAction(frame.action) };
    case "drawArrangement":
    case "deduce":
      only(frame, ["type"]);
      return { type: frame.type };
    case "seatBot":
      only(frame, ["type", "seat"]);
      return { type: "seatBot", seat: whole(frame, "seat", 1, MAX_SEATS) };
    default:
      throw new Malformed("type is none of hello, act, drawArrangement, deduce, seatBot");
  }
}

export function newMatch(text: string): NewMatch {
  const body = record(parsed(text), "the body");
  only(body, ["game", "options", "seats", "clock"]);
  const options = record(body.options ?? {}, "options");
  for (const name of Object.keys(options)) shortText(options, name);
  const seats = body.seats;
  if (!Array.isArray(seats) || seats.length < 2 || seats.length > MAX_SEATS || !seats.every(isHolder)) {
    throw new Malformed("seats is not a list of open, player or bot, one for each seat");
  }
  const match: NewMatch = { game: shortText(body, "game"), options: options as Record<string, string>, seats };
  return "clock" in body ? { ...match, clock: clockSetting(body.clock) } : match;
}

function seatAction(value: unknown): SeatAction {
  const action = record(value, "action");
  const [kind, ...more] = Object.keys(action);
  if (kind === undefined || more.length > 0) throw new Malformed("action does not have one kind");
  const detail = record(action[kind], `action.${kind}`);
  switch (kind) {
    case "arrange":
      only(detail, ["placements"]);
      return { arrange: { placements: placements(detail.placements) } };
    case "move":
      only(detail, ["packed"]);
      return { move: { packed: whole(detail, "packed", 0, 0xffff) } };
    case "resign":
      only(detail, []);
      return { resign: {} };
    case "offerDraw":
      only(detail, []);
      return { offerDraw: {} };
    case "acceptDraw":
      only(detail, []);
      return { acceptDraw: {} };
    case "declineDraw":
      only(detail, []);
      return { declineDraw: {} };
    default:
      throw new Malformed("action is none of arrange, move, resign, offerDraw, acceptDraw, declineDraw");
  }
}

function placements(value: unknown): Placement[] {
  if (!Array.isArray(value) || value.length > MAX_PIECES) {
    throw new Malformed(`placements is not a list of at most ${String(MAX_PIECES)} pieces`);
  }
  return value.map((item: unknown) => {
    const placement = record(item, "a placement");
    only(placement, ["square", "kind"]);
    return { square: shortText(placement, "square"), kind: shortText(placement, "kind") };
  });
}

function clockSetting(value: unknown): ClockSetting {
  const clock = record(value, "clock");
  only(clock, ["minutes", "increment"]);
  const { minutes } = clock;
  if (typeof minutes !== "number" || !(minutes >= MIN_MINUTES && minutes <= MAX_MINUTES)) {
    throw new Malformed(`minutes is no number from ${String(MIN_MINUTES)} to ${String(MAX_MINUTES)}`);
  }
  return { minutes, increment: whole(clock, "increment", 0, 600) };
}

function isHolder(value: unknown): value is Holder {
  return value === "open" || value === "player" || value === "bot";
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Malformed("not JSON");
  }
}

function record(value: unknown, name: string): Fields {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Malformed(`${name} is no object`);
  return value as Fields;
}

function only(fields: Fields, allowed: string[]): void {
  for (const name of Object.keys(fields)) {
    if (!allowed.includes(name)) throw new Malformed(`${JSON.stringify(name.slice(0, 40))} does not belong there`);
  }
}

function shortText(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== "string" || value.length > 64)
    throw new Malformed(`${name} is no text of at most 64 characters`);
  return value;
}

function whole(fields: Fields, name: string, low: number, high: number): number {
  const value = fields[name];
  if (typeof value !== "number" || !Number.isInteger(value) || value < low || value > high) {
    throw new Malformed(`${name} is no whole number from ${String(low)} to ${String(high)}`);
  }
  return value;
}
