"""Could a match have come to this? What the rules say about a state, checked on its bytes without the engine.

`inconsistencies` gives one line for each thing that no match can bring about. It is not a proof that one can.
"""

from collections.abc import Iterator

from .layout import ARRIVED, ENTERED, MOVED, NONE, OUTCOMES, UNOPPOSED, Fields, Piece
from .plausible_case import BY_DECISION, ENDED, PLAY, Case
from .plausible_moves import history_inconsistencies
from .plausible_result import result_inconsistencies


def inconsistencies(fields: Fields) -> list[str]:
    """Everything about a state that cannot be."""
    case = Case(fields)
    checks = (_roster, _numbers, _pieces, _battles, _last_move, _counts, result_inconsistencies)
    found = [problem for check in checks for problem in check(case)]
    history = history_inconsistencies(fields, case.ground, case.owner, case.mover, custodial=case.shape.custodial)
    return found + list(history)


def _roster(case: Case) -> Iterator[str]:
    fields, rules = case.fields, case.rules
    if len({piece.start for piece in fields.pieces}) != len(fields.pieces):
        yield "two pieces start on one square"
    standing = [piece.square for piece in fields.pieces if piece.square != NONE]
    if len(set(standing)) != len(standing):
        yield "two pieces stand on one square"
    for seat in rules.all_seats:
        arrangement = {rules.board.names[piece.start]: case.kind(piece) for piece in fields.of_seat(seat)}
        arranged = fields.arranged >> seat & 1
        if not case.loaded and (rules.arrangement_problems(seat, arrangement) if arranged else arrangement):
            yield "an arrangement that is not legal"
        if case.loaded and not arranged:
            yield "a loaded position without the pieces of a seat"


def _numbers(case: Case) -> Iterator[str]:
    """Phases, plies and revisions."""
    fields = case.fields
    arranged = sum(fields.arranged >> seat & 1 for seat in (1, 2))
    placed = 0 if case.loaded else arranged
    least = case.ply + placed
    if fields.phase == ENDED and (not case.begun or case.reason in BY_DECISION):
        least += 2 if case.reason == "agreed-draw" else 1
    if fields.agreed:
        least += 1
    if fields.revision < least:
        yield "fewer revisions than actions"
    exact = not case.begun or (case.ply == 0 and case.reason == "no-legal-move")
    if exact and fields.revision != least:
        yield "more revisions than actions, though no draw can have been offered"
    if case.begun != (arranged == 2) or (fields.phase == PLAY) != (fields.to_move != 0):
        yield "phase, arrangements and turn do not agree"
    if not case.begun and (case.ply or fields.claims or fields.agreed or any(piece.marks for piece in fields.pieces)):
        yield "something happened before play began"
    if fields.phase == PLAY and fields.to_move != case.mover(case.ply + 1):
        yield "the number of plies and the seat to move do not agree"
    if case.quiet > case.ply:
        yield "more quiet plies than plies"
    if fields.out or (fields.phase != PLAY and (fields.claims or fields.agreed)) or fields.agreed == 6:
        yield "masks of seats that cannot be"


def _pieces(case: Case) -> Iterator[str]:
    """Each piece for itself: its marks, and the moves that it must have made."""
    for piece in case.fields.pieces:
        if not piece.marks:
            if piece.square not in (NONE, piece.start):
                yield "a piece stands elsewhere, but has never moved"
            continue
        kind, ground = case.kind(piece), case.ground
        able = {case.kinds[number] for number in range(1, len(case.kinds)) if piece.able >> (number - 1) & 1}
        if kind not in able:
            yield "a piece has moved as its kind cannot"
        if not ground.can_be_told(able):
            yield "kinds are told apart as no move does"
        if piece.square == NONE:
            continue
        enemy = 3 - piece.seat
        if piece.square != piece.start:
            if piece.square in ground.headquarters[enemy] and not piece.marks & ENTERED:
                yield "a piece stands on headquarters without having entered them"
            if piece.square in ground.goal[piece.seat] and not piece.marks & ARRIVED:
                yield "a piece stands on its goal without having arrived"
        if piece.marks & ARRIVED and not ground.goal[piece.seat]:
            yield "an arrival in a game without goals"
        if piece.marks & ENTERED and not ground.headquarters[enemy]:
            yield "an entry in a game without headquarters"
        if piece.marks & UNOPPOSED and not piece.marks & ARRIVED:
            yield "unopposed without an arrival"


def _battles(case: Case) -> Iterator[str]:
    """The battles in their order, and what they leave on the board."""
    gone: set[int] = set()
    fields, matrix = case.fields, case.ground.matrix
    last = case.ply - case.quiet + 1
    if fields.battles and not case.shape.custodial:
        for attacker, _, _ in reversed(fields.battles):
            last -= 1
            if last > 0 and case.mover(last) != fields.pieces[attacker].seat:
                if last == case.ply - case.quiet:
                    yield "the last battle was the other seat's"
                last -= 1
        if last < 1:
            yield "fewer plies than battles and quiet plies"
    for index, (attacker, defender, outcome) in enumerate(fields.battles):
        one, two = fields.pieces[attacker], fields.pieces[defender]
        letters = OUTCOMES.get(outcome, "?")
        if one.seat == two.seat or attacker in gone or defender in gone or not one.marks & MOVED:
            yield "a battle that cannot have been"
        elif matrix.get((case.kind(one), case.kind(two))) != letters:
            yield "a battle that went as it cannot between its kinds"
        if "!" in letters and index != len(fields.battles) - 1:
            yield "a flag fell, and the match went on"
        gone |= {attacker} if letters[0] in "DB" else set()
        gone |= {defender} if letters[0] in "AB" else set()
    if not case.shape.custodial and gone != {
        index for index, piece in enumerate(fields.pieces) if piece.square == NONE
    }:
        yield "the board is not what the battles left"
    taken = any(piece.square == NONE for piece in fields.pieces)
    if case.begun and taken != (case.quiet < case.ply):
        yield "the quiet plies and the captures do not agree"


def _last_move(case: Case) -> Iterator[str]:
    fields = case.fields
    source, target = fields.last_source, fields.last_target
    if (case.ply == 0) != (source == NONE) or (case.ply == 0) != (target == NONE):
        yield "a last move without a ply, or a ply without one"
        return
    if case.ply == 0:
        return
    if case.owner[source]:
        yield "the square that the last move left is not empty"
        return
    mover, fought = case.mover(case.ply), case.last_attacker
    before = list(case.owner)
    piece = case.at.get(target)
    if fought is None:
        if piece is None or piece.seat != mover or not piece.marks:
            yield "the piece that moved last is not where it went"
            return
        before[target] = 0
    else:
        defender = fields.pieces[fields.battles[-1][1]]
        survivor = {"A": fought, "D": defender, "B": None}[OUTCOMES[fields.battles[-1][2]][0]]
        if piece is not survivor:
            yield "the survivor of the last battle is not where it was fought"
            return
        if case.rules.board.names[target] in case.rules.sanctuaries:
            yield "a battle in a camp"
        before[target] = 3 - mover
    moved = fought or piece
    assert moved is not None
    before[source] = mover
    able = case.ground.able(before, mover, source, target)
    if case.kind(moved) not in able:
        yield "the last move is not one of its piece"
    elif {kind for number, kind in enumerate(case.kinds) if number and moved.able >> (number - 1) & 1} - able:
        yield "the last move tells more about its piece than is kept"
    if moved.square == target:
        beside = any(case.owner[near] == 3 - mover for near in case.rules.board.neighbours[target])
        if target in case.ground.headquarters[3 - mover] and not moved.marks & ENTERED:
            yield "the last move entered headquarters, which is not kept"
        if target in case.ground.goal[mover] and (
            not moved.marks & ARRIVED or (not beside and not moved.marks & UNOPPOSED)
        ):
            yield "the last move was an arrival, which is not kept"


def _counts(case: Case) -> Iterator[str]:
    """Whether each seat has made enough moves, and a number of them that fits the squares."""
    ground, fields = case.ground, case.fields
    for seat in (1, 2):
        men, made = fields.of_seat(seat), case.moves_made(seat)
        moved = [piece for piece in men if piece.marks]
        if sum(ground.fewest(piece, case.kind(piece), _stations(case, piece)) for piece in moved) > made:
            yield "more moves on the board than the seat has made"
        if made and not moved:
            yield "moves were made, but no piece has moved"
        standing = all(piece.square != NONE for piece in moved)
        odd = sum(ground.colour(piece.start) + ground.colour(piece.square) for piece in moved if standing) % 2
        if ground.steps_only and standing and made % 2 != odd:
            yield "an odd number of steps too many or too few"


def _stations(case: Case, piece: Piece) -> list[frozenset[int]]:
    """Where a piece is known to have been on its way, each as the squares that it may have been."""
    fields, ground = case.fields, case.ground
    known = []
    for attacker, defender, _ in fields.battles:
        if fields.pieces[attacker] is piece and not fields.pieces[defender].marks:
            known.append(frozenset((fields.pieces[defender].start,)))
    if not known and piece.marks & ENTERED:
        known.append(ground.headquarters[3 - piece.seat])
    if not known and piece.marks & ARRIVED:
        known.append(ground.goal[piece.seat])
    return known
