"""The part of `plausible` that is about endings: what ends a match, and what would have ended it before."""

from collections.abc import Iterator

from .layout import ARRIVED, ENTERED, NONE, OUTCOMES, UNOPPOSED
from .plausible_case import BY_DECISION, ENDED, PLAY, Case


def result_inconsistencies(case: Case) -> Iterator[str]:
    fields, reason = case.fields, case.reason
    if (fields.phase == ENDED) != (reason != ""):
        yield "an end without a reason, or a reason without an end"
        return
    options = case.rules.options
    over = [
        name
        for name, count in (("ply_limit", case.ply), ("quiet_limit", case.quiet))
        if options[name] != "off" and count > int(options[name])
    ]
    if over:
        yield "play went on beyond a limit"
    reached = any(options[name] == str(count) for name, count in (("ply_limit", case.ply), ("quiet_limit", case.quiet)))
    following, mover = case.mover(case.ply + 1), case.mover(case.ply)
    fallen = bool(fields.battles) and "!" in OUTCOMES.get(fields.battles[-1][2], "")
    alive = {seat: [piece for piece in fields.of_seat(seat) if piece.square != NONE] for seat in (1, 2)}
    few = case.shape.custodial and any(len(men) <= 1 for men in alive.values()) and case.quiet == 0 and case.ply > 0
    leaderless = case.shape.custodial and any(
        piece.square == NONE and case.kind(piece) == "leader" for piece in fields.pieces
    )
    stuck = not case.ground.can_move(
        case.owner, {square: case.kind(piece) for square, piece in case.at.items()}, following
    )
    restricted = case.shape.two_squares or case.shape.more_squares
    winner = {0: 0, 2: 1, 4: 2}.get(fields.winners, -1)
    if winner < 0:
        yield "winners that cannot be"
    if reason in ("repetition", "agreed-draw", "ply-limit") and winner:
        yield "a draw with a winner"
    if reason in ("resigned", "time", "abandonment", "ruling") and not winner:
        yield "a win without a winner"
    if fields.phase == PLAY or (case.begun and reason in BY_DECISION):
        if fallen or few or leaderless:
            yield "the match went on after a decisive capture"
        if stuck:
            yield "the match went on though the seat to move had no move"
        if reached:
            yield "the match went on at a limit"
        if case.shape.custodial and case.ground.occurrences(fields, case.owner) >= 3:
            yield "the match went on after a third occurrence"
        yield from _entries(case, mover)
    if reason == "ply-limit" and not (reached or len(fields.history) == 4095):
        yield "no limit was reached"
    if reason == "ply-limit" and (stuck or fallen or few or leaderless):
        yield "a limit was reached, but the match had ended before it"
    if reason == "no-legal-move" and winner and (winner == following or not (stuck or restricted)):
        yield "the loser was not to move, or had a move"
    if (reason == "flag-captured") != fallen:
        yield "a flag fell for another reason, or none fell"
    if reason == "flag-captured" and fields.battles:
        attacker, defender, outcome = fields.battles[-1]
        loser = fields.pieces[attacker if OUTCOMES[outcome][0] == "D" else defender].seat
        if winner != 3 - loser or case.quiet:
            yield "the owner of the fallen flag won, or it fell before"
    if reason == "objective-captured" and (winner != mover or case.quiet or not leaderless):
        yield "no leader was captured by the winner's last move"
    if reason == "capture-threshold" and (winner != mover or case.quiet or leaderless or len(alive[3 - winner]) > 1):
        yield "the loser had stones left, or lost them before"
    if reason == "repetition" and case.ground.occurrences(fields, case.owner) != 3:
        yield "not the third occurrence"
    if reason == "flag-reached":
        yield from _reached(case, winner, mover)
    if reason == "headquarters-entered":
        piece = case.at.get(fields.last_target)
        if winner != mover or piece is None or fields.last_target not in case.ground.headquarters[3 - mover]:
            yield "no headquarters was entered"


def _entries(case: Case, mover: int) -> Iterator[str]:
    """Pieces on far squares while the match goes on."""
    fields = case.fields
    claims = fields.claims
    for piece in fields.pieces:
        wins = case.shape.id == "gunjin-shogi" and case.kind(piece) not in ("tank", "aircraft", "engineer")
        if piece.marks & ENTERED and wins:
            yield "a piece that wins on headquarters entered them, and the match went on"
        if piece.marks & ARRIVED and case.kind(piece) == "flag":
            if piece.square != fields.last_target or piece.seat != mover:
                yield "a flag arrived before the last move, and the match went on"
            elif fields.phase == PLAY and claims != 1 << mover:
                yield "a flag has arrived and makes no claim"
            elif piece.marks & UNOPPOSED and case.rules.options["arrival"] == "adjacent":
                yield "a flag arrived unopposed, and the match went on"
            claims = 0
    if claims:
        yield "a claim without an arrival"


def _reached(case: Case, winner: int, mover: int) -> Iterator[str]:
    flags = [
        piece
        for piece in case.fields.of_seat(winner)
        if case.kind(piece) == "flag" and piece.marks & ARRIVED and piece.square in case.ground.goal[winner]
    ]
    if not flags:
        yield "no flag stands on its goal"
    elif winner == mover:
        unopposed = flags[0].marks & UNOPPOSED and flags[0].square == case.fields.last_target
        if case.rules.options["arrival"] != "adjacent" or not unopposed:
            yield "a claim won without waiting for the enemy's turn"
