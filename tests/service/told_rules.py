"""The rules in words, from the description of a game alone."""

from collections import Counter
from collections.abc import Iterable

from shinpan.v1 import game_pb2

LETTERS = {
    game_pb2.BATTLE_OUTCOME_ATTACKER: "A",
    game_pb2.BATTLE_OUTCOME_DEFENDER: "D",
    game_pb2.BATTLE_OUTCOME_BOTH: "B",
    game_pb2.BATTLE_OUTCOME_ATTACKER_FLAG_FALLS: "A!",
    game_pb2.BATTLE_OUTCOME_DEFENDER_FLAG_FALLS: "D!",
    game_pb2.BATTLE_OUTCOME_BOTH_FLAG_FALLS: "B!",
}

REVEALS = {
    game_pb2.BATTLE_REVEAL_NONE: "battles tell their outcome only",
    game_pb2.BATTLE_REVEAL_EVENT: "battles name both kinds",
    game_pb2.BATTLE_REVEAL_SHOWN: "battles name both kinds, and the survivor is shown from then on",
}


def summary(game: game_pb2.Game) -> list[str]:
    """One rule a line."""
    return [
        *options(game),
        *seats(game),
        *(f"{kind.count} {kind.id} ({kind.letter}): {movement(kind.movement)}" for kind in game.kinds),
        *arrangement(game),
        *captures(game),
        *information(game),
        *(f"{number}. {ending(game, rule)}" for number, rule in enumerate(game.endings, 1)),
        *limits(game),
    ]


def options(game: game_pb2.Game) -> list[str]:
    return [f"option {option.name}={game.chosen[option.name]} of {'|'.join(option.values)}" for option in game.options]


def seats(game: game_pb2.Game) -> list[str]:
    return [
        f"seat {seat.number}, team {seat.team}, goes {game_pb2.Direction.Name(seat.forward)[10:].lower()}"
        for seat in game.seats
    ]


def movement(moves: game_pb2.Movement) -> str:
    ways = []
    for way in ("forward", "backward", "sideways"):
        if reach := getattr(moves, way):
            ways.append(f"{way} any distance" if reach == 255 else f"{way} {reach}")
    for way, words in (("fly", "anywhere"), ("leap", "anywhere on its file"), ("hop", "over a neighbour")):
        if getattr(moves, way):
            ways.append(words)
    if moves.road:
        ways.append("one step of road")
    rails = {game_pb2.RAIL_MOVEMENT_STRAIGHT: "along a rail line", game_pb2.RAIL_MOVEMENT_TURNING: "along any rails"}
    if moves.rail in rails:
        ways.append(rails[moves.rail])
    return ", ".join(ways) or "does not move"


def named(game: game_pb2.Game, squares: Iterable[int]) -> str:
    return " ".join(game.board.squares[square].name for square in squares)


def arrangement(game: game_pb2.Game) -> list[str]:
    """For seat 1; that of the others is turned."""
    zone = set(game.seats[0].zone.squares)
    pieces = sum(kind.count for kind in game.kinds)
    if game.fixed_start:
        return [f"starts on {named(game, sorted(zone))}"]
    lines = [f"arranges {pieces} pieces on {len(zone)} squares, {len(zone) - pieces} stay empty"]
    for kind, allowed in zip(game.kinds, game.seats[0].kind_zones, strict=True):
        if (own := set(allowed.squares)) != zone:
            where = f"on {named(game, sorted(own))}" if len(own) * 2 <= len(zone) else ""
            lines.append(f"{kind.id} only {where}" if where else f"{kind.id} not on {named(game, sorted(zone - own))}")
    return lines


def captures(game: game_pb2.Game) -> list[str]:
    if game.capture_style == game_pb2.CAPTURE_STYLE_CUSTODIAL:
        rule = game.custodial
        runs = "single pieces" if rule.single_runs else "runs"
        more = [word for word in ("corner", "intervention") if getattr(rule, word)]
        return [f"captures {runs} between two of its own" + "".join(f", {word}" for word in more)]
    return [
        f"{kind.letter} attacks: " + " ".join(f"{other.letter}:{letter}" for other, letter in against)
        for kind, against in battles(game)
    ]


def battles(game: game_pb2.Game) -> list[tuple[game_pb2.Kind, list[tuple[game_pb2.Kind, str]]]]:
    """What each kind that moves does to each kind; kinds that borrow strength are left out, they have no column."""
    borrowing = {kind - 1 for kind in game.combat.borrowing_kinds}
    return [
        (
            kind,
            [
                (game.kinds[place], LETTERS[outcome])
                for place, outcome in enumerate(row.outcomes)
                if place not in borrowing
            ],
        )
        for kind, row in zip(game.kinds, game.combat.rows, strict=True)
        if movement(kind.movement) != "does not move"
    ]


def totals(game: game_pb2.Game) -> Counter[str]:
    """How often each outcome stands in the matrix."""
    return Counter(letter for _, against in battles(game) for _, letter in against)


def information(game: game_pb2.Game) -> list[str]:
    if game.information == game_pb2.INFORMATION_PERFECT:
        return ["everything is seen"]
    lines = [REVEALS[game.combat.reveal]] if game.HasField("combat") else ["kinds are hidden"]
    for shows in game.combat.death_shows:
        removed, shown = (game.kinds[number - 1].id for number in (shows.removed_kind, shows.shown_kind))
        lines.append(f"the loss of a {removed} shows the {shown}")
    lines += [f"{game.kinds[number - 1].id} has the strength of what stands behind" for number in borrowing(game)]
    lines += ["partners see each other"] if game.partner_view else []
    return lines + (["all is shown at the end"] if game.reveal_at_end else [])


def borrowing(game: game_pb2.Game) -> list[int]:
    return list(game.combat.borrowing_kinds)


def ending(game: game_pb2.Game, rule: game_pb2.Ending) -> str:
    def kinds(numbers: Iterable[int]) -> str:
        return " ".join(game.kinds[number - 1].id for number in numbers)

    match rule.WhichOneof("rule"):
        case "objective_captured":
            return f"loses with its {kinds(rule.objective_captured.kinds)}"
        case "flag_captured":
            return "loses with its flag"
        case "headquarters_entered":
            return f"wins on an enemy headquarters, but for {kinds(rule.headquarters_entered.excluded_kinds)}"
        case "flag_reached":
            adjacent = rule.flag_reached.arrival == game_pb2.FLAG_ARRIVAL_ADJACENT
            return f"wins with its {kinds(rule.flag_reached.kinds)} on " + (
                f"{named(game, game.seats[0].goal.squares)}, "
                + ("at once if no enemy is near" if adjacent else "later")
            )
        case "capture_threshold":
            return f"loses with {rule.capture_threshold.left} left"
        case "repetition":
            return f"draw at occurrence {rule.repetition.occurrences}"
        case "no_legal_move":
            passes = rule.no_legal_move.stuck == game_pb2.STUCK_SEAT_PASSES
            draw = rule.no_legal_move.both_stuck == game_pb2.BOTH_STUCK_DRAW
            return f"without a move {'is passed over' if passes else 'loses'}, both {'draw' if draw else 'mover wins'}"
        case "capture_target":
            return f"wins with {rule.capture_target.captured} captured"
        case "capture_lead":
            return f"wins {rule.capture_lead.lead} ahead"
        case "line":
            ways = [way for way in ("ranks", "files", "diagonals") if getattr(rule.line, way)]
            return f"wins with {rule.line.length} on {' '.join(ways)}"
    raise AssertionError("an ending that this client does not know")


def limits(game: game_pb2.Game) -> list[str]:
    lines = [f"draw after {game.ply_limit} plies"] if game.ply_limit else []
    lines += [f"draw after {game.quiet_limit} quiet plies"] if game.quiet_limit else []
    if times := game.restrictions.two_squares:
        lines.append(f"no piece crosses a border more than {times} times in a row")
    lines += ["no endless chase"] if game.restrictions.more_squares else []
    lines += ["nothing leaves a headquarters"] if game.headquarters_freeze else []
    if game.elimination == game_pb2.ELIMINATION_LAST_SIDE_WINS:
        lines.append("a beaten seat goes out, the last team wins")
    return lines
