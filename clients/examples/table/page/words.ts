/** What happened, in words. */
import {
  arranges,
  type Game,
  type GameEvent,
  kindAt,
  type Moved,
  type Result,
  squareName,
  type Update,
} from "./messages.js";

/** A seat as people say it. */
export function seatName(seat: number, you: number): string {
  return seat === you ? `Seat ${String(seat)} (you)` : `Seat ${String(seat)}`;
}

/** A sentence about an event. */
export function sentence(game: Game, event: GameEvent): string {
  if (event.moved) return moveSentence(game, event.moved);
  if (event.seatArranged) return `Seat ${String(event.seatArranged.seat)} has placed its pieces.`;
  if (event.playBegan) return `Play begins; seat ${String(event.playBegan.toMove)} moves first.`;
  if (event.pieceShown) {
    const { seat, square, kind } = event.pieceShown;
    return `Seat ${String(seat)}'s ${kindAt(game, kind)?.name ?? "piece"} on ${squareName(game, square)} is shown to all.`;
  }
  if (event.claimOpened) return `Seat ${String(event.claimOpened.seat)}'s flag has reached its goal.`;
  if (event.seatPassed) return `Seat ${String(event.seatPassed.seat)} cannot move and is passed over.`;
  if (event.seatEliminated) {
    return `Seat ${String(event.seatEliminated.seat)} is out: ${reason(event.seatEliminated.cause)}.`;
  }
  if (event.drawOffered) return `Seat ${String(event.drawOffered.seat)} offers a draw.`;
  if (event.drawAccepted) return `Seat ${String(event.drawAccepted.seat)} agrees to a draw.`;
  if (event.drawDeclined) return `Seat ${String(event.drawDeclined.seat)} declines the draw.`;
  if (event.drawLapsed) return "The draw offer has lapsed.";
  if (event.matchEnded) return resultSentence(event.matchEnded.result);
  return "Something happened that this page does not know.";
}

/** What happened last, and who is to act. */
export function situation(game: Game, update: Update, you: number): string {
  const last = update.events.filter((event) => !event.matchEnded).map((event) => sentence(game, event));
  return [...last, toAct(game, update, you)].join(" ");
}

function toAct(game: Game, update: Update, you: number): string {
  const { result, phase, toMove, seatsArranged } = update.status;
  if (result) return resultSentence(result);
  if (phase === "PHASE_PLAY") return toMove === you ? "It is your move." : `Seat ${String(toMove)} is to move.`;
  if (arranges(update)) return "Arrange your pieces.";
  const awaited = game.seats.map(({ number }) => number).filter((seat) => !seatsArranged.includes(seat));
  return `Waiting for the arrangement of seat ${awaited.map(String).join(", ")}.`;
}

/** Reasons that are about the side that lost. */
const OF_THE_LOSER: Record<string, string> = {
  END_REASON_RESIGNED: "the other side resigned",
  END_REASON_TIME: "the other side has no time left",
  END_REASON_ABANDONMENT: "the other side has left",
  END_REASON_NO_LEGAL_MOVE: "the other side cannot move",
};

function resultSentence({ winners, reason: why }: Result): string {
  if (winners.length === 0) return `A draw: ${reason(why)}.`;
  const [seats, several] = [winners.map(String).join(" and "), winners.length > 1];
  return `${several ? "Seats" : "Seat"} ${seats} ${several ? "win" : "wins"}: ${OF_THE_LOSER[why] ?? reason(why)}.`;
}

function moveSentence(game: Game, { ply, seat, move, battle, captured, attackerKind, defenderKind }: Moved): string {
  const [from, to] = [squareName(game, move >> 8), squareName(game, move & 255)];
  const start = `${String(ply)}. Seat ${String(seat)}: ${from} to ${to}`;
  if (battle !== "BATTLE_OUTCOME_UNSPECIFIED") {
    const kinds = [kindAt(game, attackerKind)?.name, kindAt(game, defenderKind)?.name];
    const named = kinds[0] !== undefined && kinds[1] !== undefined ? ` (${kinds[0]} against ${kinds[1]})` : "";
    return `${start}, a battle${named}: ${outcome(battle)}.`;
  }
  if (captured.length === 0) return `${start}.`;
  return `${start}, capturing ${captured.map((square) => squareName(game, square)).join(", ")}.`;
}

function outcome(battle: string): string {
  const flag = battle.endsWith("FLAG_FALLS") ? ", and a flag falls" : "";
  if (battle.startsWith("BATTLE_OUTCOME_ATTACKER")) return `the attacker wins${flag}`;
  if (battle.startsWith("BATTLE_OUTCOME_DEFENDER")) return `the defender wins${flag}`;
  return `both are removed${flag}`;
}

/** END_REASON_FLAG_CAPTURED as "flag captured". */
function reason(name: string): string {
  return name.replace("END_REASON_", "").replaceAll("_", " ").toLowerCase();
}
