"""States with one fault each, made by hand, and the reasons for which they are refused."""

from collections.abc import Callable

from .layout import NONE, Fields

Fault = Callable[[Fields], None]


def _alive(fields: Fields) -> list[int]:
    return [index for index, piece in enumerate(fields.pieces) if piece.square != NONE]


def _set(**values: int) -> Fault:
    def change(fields: Fields) -> None:
        for name, value in values.items():
            setattr(fields, name, value)

    return change


def _same_square(fields: Fields) -> None:
    one, two = _alive(fields)[:2]
    fields.pieces[one].square = fields.pieces[two].square


def _other_kind(fields: Fields) -> None:
    first = fields.pieces[0]
    first.kind = next(piece.kind for piece in fields.pieces if piece.kind != first.kind)


def _unknown_kind(fields: Fields) -> None:
    fields.pieces[0].kind = 9


def _unmoved_elsewhere(fields: Fields) -> None:
    taken = {piece.square for piece in fields.pieces}
    still = next(piece for piece in fields.pieces if not piece.marks and piece.square != NONE)
    free = [square for square in range(40) if square not in (*taken, fields.last_source, fields.last_target)]
    still.square = free[0]


def _off_without_battle(fields: Fields) -> None:
    still = next(piece for piece in fields.pieces if not piece.marks and piece.square != NONE)
    still.square = NONE


def _wrong_battle(fields: Fields) -> None:
    attacker, defender, outcome = fields.battles[0]
    fields.battles[0] = (attacker, defender, outcome % 3 + 1)


def _own_battle(fields: Fields) -> None:
    attacker, _, outcome = fields.battles[0]
    seat = fields.pieces[attacker].seat
    other = next(index for index, piece in enumerate(fields.pieces) if piece.seat == seat and index != attacker)
    fields.battles[0] = (attacker, other, outcome)


def _unknown_mark(fields: Fields) -> None:
    next(piece for piece in fields.pieces if piece.marks).marks |= 128


def _unable(fields: Fields) -> None:
    next(piece for piece in fields.pieces if piece.marks).able = 0


def _history_short(fields: Fields) -> None:
    del fields.history[0]


def _history_elsewhere(fields: Fields) -> None:
    fields.history[-1] ^= 1


def _history_off_board(fields: Fields) -> None:
    fields.history[0] = 0xFFFE


def _recent_long(fields: Fields) -> None:
    fields.recent[1] *= 2


def _chase(fields: Fields) -> None:
    fields.chase[1] = 4000


FAULTS: list[tuple[str, str, dict[str, str], Fault]] = [
    ("STATE_VERSION", "hidden-hasami", {}, _set(version=3)),
    ("STATE_VERSION", "hidden-hasami", {}, _set(version=0)),
    ("STATE_HEADER", "hidden-hasami", {}, _set(flags=8)),
    ("STATE_HEADER", "luzhanqi-mini", {}, _set(owners=0b10110)),
    ("STATE_PHASE", "hidden-hasami", {}, _set(phase=3)),
    ("STATE_PHASE", "hidden-hasami", {}, _set(phase=0)),
    ("STATE_PHASE", "hidden-hasami", {}, _set(first_seat=3)),
    ("STATE_PHASE", "hidden-hasami", {}, _set(first_seat=0)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(to_move=2)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(to_move=0)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(arranged=2)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(out=2)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(agreed=6)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(agreed=8)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(claims=4)),
    ("STATE_PHASE", "salpakan-classic", {}, _set(claims=4)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(winners=2)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(reason=9)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(revision=0)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(revision=41)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(revision=2**31)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(revision=2**32 - 1)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(ply=2**32 - 2)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(quiet=41)),
    ("STATE_PHASE", "luzhanqi-mini", {}, _set(last_source=NONE, last_target=NONE)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=9, winners=6, revision=50)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=9, winners=0, revision=50)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=17, winners=2, revision=50)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=4, winners=2)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=3, winners=2)),
    ("STATE_RESULT", "luzhanqi-mini", {}, _set(phase=2, to_move=0, reason=11)),
    ("STATE_RESULT", "hidden-hasami", {}, _set(phase=2, to_move=0, reason=7)),
    ("STATE_RESULT", "hidden-hasami", {}, _set(phase=2, to_move=0, reason=1, winners=2)),
    ("STATE_RESULT", "hidden-hasami", {}, _set(phase=2, to_move=0, reason=2, winners=2)),
    ("STATE_RESULT", "salpakan-classic", {}, _set(phase=2, to_move=0, reason=5, winners=2)),
    ("STATE_RESULT", "gunjin-shogi", {}, _set(phase=2, to_move=0, reason=6, winners=2)),
    ("STATE_ROSTER", "luzhanqi-mini", {}, _other_kind),
    ("STATE_ROSTER", "hidden-hasami", {}, _unknown_kind),
    ("STATE_OCCUPANCY", "luzhanqi-mini", {}, _same_square),
    ("STATE_OCCUPANCY", "luzhanqi-mini", {}, _off_without_battle),
    ("STATE_OCCUPANCY", "luzhanqi-mini", {}, _set(last_source=200)),
    ("STATE_EVIDENCE", "luzhanqi-mini", {}, _unmoved_elsewhere),
    ("STATE_EVIDENCE", "luzhanqi-mini", {}, _wrong_battle),
    ("STATE_EVIDENCE", "luzhanqi-mini", {}, _own_battle),
    ("STATE_EVIDENCE", "luzhanqi-mini", {}, _unknown_mark),
    ("STATE_EVIDENCE", "luzhanqi-mini", {}, _unable),
    ("STATE_HISTORY", "hidden-hasami", {}, _history_short),
    ("STATE_HISTORY", "hidden-hasami", {}, _history_elsewhere),
    ("STATE_HISTORY", "hidden-hasami", {}, _history_off_board),
    ("STATE_HISTORY", "hidden-capture-flag", {"two_squares": "3"}, _recent_long),
    ("STATE_HISTORY", "hidden-capture-flag", {"more_squares": "on"}, _chase),
]

NAMES: list[tuple[list[bytes], str]] = [
    ([], "STATE_HEADER"),
    ([b""], "RULESET_UNAVAILABLE"),
    ([b"chess"], "RULESET_UNAVAILABLE"),
    ([b"\xff\xfe"], "STATE_HEADER"),
    ([b"hidden-hasami", "brett=9\N{MULTIPLICATION SIGN}9".encode()], "STATE_HEADER"),
    ([b"hidden-hasami", b"board"], "STATE_HEADER"),
    ([b"hidden-hasami", b"board=9x9=7x7"], "STATE_HEADER"),
    ([b"hidden-hasami", b"board=7x7"], "STATE_HEADER"),
    ([b"hidden-hasami", b"board=8x8"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"board=9x9"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"target=5"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"game_id=hidden-hasami"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"self=1"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"ply_limit=0"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"ply_limit=007"], "RULESET_UNAVAILABLE"),
    ([b"hidden-hasami", b"ply_limit=" + b"9" * 200], "RULESET_UNAVAILABLE"),
]
"""Names of game and options, beside the digest of hidden-hasami on 7x7."""
