"""luzhanqi-four: four seats round a cross, in two teams or everyone alone."""

from collections.abc import Mapping

from . import luzhanqi_pieces as pieces
from .endings import flag_puts_out, limits_reached, next_seat_stuck
from .options import choose
from .rails import ZONE_ROWS, four_seats
from .rules import Rules
from .sides import Sides
from .turns import out_when_stuck, passed_over_when_stuck

OPTIONS = {
    "teams": ("on", "off"),
    "win": ("both", "one"),
    "partner_view": ("off", "on"),
    **pieces.SHARED_OPTIONS,
}

PARTNERS = (frozenset({1, 3}), frozenset({2, 4}))
ALONE = tuple(frozenset({seat}) for seat in (1, 2, 3, 4))


def _sides(options: Mapping[str, str]) -> Sides:
    if options["teams"] == "off":
        return Sides(ALONE, pieces_leave=True, reason="eliminated")
    one = options["win"] == "one"
    return Sides(PARTNERS, falls_with_one=one, pieces_leave=True, reason=None if one else "eliminated")


def luzhanqi_four(given: Mapping[str, str]) -> Rules:
    options = choose(OPTIONS, given)
    board, sides = four_seats(), _sides(options)
    return Rules(
        name="luzhanqi-four",
        options=options,
        board=board,
        roster=pieces.ROSTER,
        home_rows=ZONE_ROWS,
        movement=pieces.movement(board, sides),
        contact=pieces.contact(options),
        endings=(flag_puts_out, next_seat_stuck, limits_reached),
        placement=pieces.placement(board),
        kept_clear=board.camps,
        sanctuaries=pieces.camps(board),
        frozen=pieces.frozen(board, options),
        shows_flag_with=pieces.shows_flag_with(options),
        turn_rule=out_when_stuck if options["no_move"] == "loses" else passed_over_when_stuck,
        sides=sides,
    )
