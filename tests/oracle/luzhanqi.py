"""luzhanqi and luzhanqi-tournament: the same game of two with other defaults."""

from collections.abc import Callable, Mapping

from . import luzhanqi_pieces as pieces
from .endings import flag_taken, limits_reached, next_seat_stuck
from .options import Declared, choose
from .rails import ZONE_ROWS, two_seats
from .rules import Rules
from .sides import Sides
from .turns import loses_when_stuck, passed_over_when_stuck

OPTIONS = pieces.SHARED_OPTIONS | {
    "both_stuck": ("draw", "mover-wins"),
    "camp_setup": ("off", "on"),
}
TOURNAMENT_OPTIONS = OPTIONS | {
    "mine": ("stays", "both"),
    "battle_reveal": ("none", "shown", "event"),
    "marshal_death_shows_flag": ("on", "off"),
    "hq_freeze": ("on", "off"),
    "no_move": ("loses", "pass"),
}


def of_two(name: str, declared: Declared) -> Callable[[Mapping[str, str]], Rules]:
    def with_options(given: Mapping[str, str]) -> Rules:
        options = choose(declared, given)
        board, sides = two_seats(), Sides()
        return Rules(
            name=name,
            options=options,
            board=board,
            roster=pieces.ROSTER,
            home_rows=ZONE_ROWS,
            movement=pieces.movement(board, sides),
            contact=pieces.contact(options),
            endings=(flag_taken, next_seat_stuck, limits_reached),
            placement=pieces.placement(board),
            kept_clear=() if options["camp_setup"] == "on" else board.camps,
            sanctuaries=pieces.camps(board),
            frozen=pieces.frozen(board, options),
            shows_flag_with=pieces.shows_flag_with(options),
            turn_rule=loses_when_stuck if options["no_move"] == "loses" else passed_over_when_stuck,
            sides=sides,
        )

    return with_options


luzhanqi = of_two("luzhanqi", OPTIONS)
luzhanqi_tournament = of_two("luzhanqi-tournament", TOURNAMENT_OPTIONS)
