import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ActionSchema, ArrangementSchema, ForfeitCause } from "./gen/shinpan/v1/action_pb.js";

/** An `Action` to be sent. */
export type ActionInit = MessageInitShape<typeof ActionSchema>;

/** An `Arrangement` to be sent, of squares and kinds, such as `{ a1: "leader" }`. */
export function arrangement(pieces: Readonly<Record<string, string>>): MessageInitShape<typeof ArrangementSchema> {
  return { placements: Object.entries(pieces).map(([square, kind]) => ({ square, kind })) };
}

/** A seat places its pieces: squares and kinds, or an arrangement as the service drew it. */
export function arrange(
  seat: number,
  pieces: Readonly<Record<string, string>> | MessageInitShape<typeof ArrangementSchema>,
): ActionInit {
  const value = isArrangement(pieces) ? pieces : arrangement(pieces);
  return { seat, kind: { case: "arrange", value } };
}

function isArrangement(pieces: object): pieces is MessageInitShape<typeof ArrangementSchema> {
  return "placements" in pieces;
}

/** A seat moves: `b3b4`, or `source << 8 | target` as in legal actions. */
export function move(seat: number, squares: string | number): ActionInit {
  const spelling =
    typeof squares === "string"
      ? ({ case: "text", value: squares } as const)
      : ({ case: "packed", value: squares } as const);
  return { seat, kind: { case: "move", value: { spelling } } };
}

/** A seat resigns. */
export function resign(seat: number): ActionInit {
  return { seat, kind: { case: "resign", value: {} } };
}

/** A seat offers a draw. */
export function offerDraw(seat: number): ActionInit {
  return { seat, kind: { case: "offerDraw", value: {} } };
}

/** A seat accepts the open draw offer. */
export function acceptDraw(seat: number): ActionInit {
  return { seat, kind: { case: "acceptDraw", value: {} } };
}

/** A seat declines the open draw offer. */
export function declineDraw(seat: number): ActionInit {
  return { seat, kind: { case: "declineDraw", value: {} } };
}

/** The backend decides that a seat loses: `ForfeitCause.TIME`, `ABANDONMENT` or another `RULING`. */
export function forfeit(seat: number, cause: ForfeitCause): ActionInit {
  return { kind: { case: "ruling", value: { decision: { case: "forfeit", value: { seat, cause } } } } };
}

/** The backend ends the match; without winners it is a draw. */
export function adjudicate(winners: number[]): ActionInit {
  return { kind: { case: "ruling", value: { decision: { case: "adjudication", value: { winners } } } } };
}
