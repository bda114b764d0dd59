"""What the random matches of each game have to reach, or the run fails.

A goal is a mark of the oracle or of `mechanisms`, or a mark together with the value of an option.
"""

import oracle
from oracle.contact import Battle

from .pairwise import all_pairs

Goals = list[str]

EVERYWHERE = [
    *(f"ending:{reason}" for reason in ("no-legal-move", "agreed-draw", "adjudicated", "resigned")),
    *(f"ending:{cause}" for cause in ("time", "abandonment", "ruling")),
    "limit:plies",
    "limit:quiet-plies",
    *(f"offer:{how}" for how in ("opened", "accepted", "declined", "lapsed")),
    *(f"{word}:refused" for word in ("offer", "accept", "decline", "adjudicate")),
    *(f"{word}:{when}" for word in ("resign", "forfeit") for when in ("in-turn", "out-of-turn")),
    "start:arranged",
    "start:position",
]
STUCK = ["stuck:both both_stuck=draw", "stuck:both both_stuck=mover-wins"]
STONES = [
    "rays:1",
    "rays:2",
    "rays:3",
    "corner corner=on",
    "corner:spared corner=off",
]
HASAMI = [
    *STONES,
    "run:spared run=1",
    "threshold:taken-5 target=5",
    "threshold:taken-8 target=8",
    "threshold:left-0 target=5",
    "threshold:left-0 target=8",
    "threshold:left-1 target=all",
    "threshold:lead lead=3",
    "lead:one-reply lead=3",
    "ending:repetition repetition=3",
    "ending:repetition repetition=4",
    "repetition:third repetition=4",
    "repetition:third repetition=off",
]
CAPTURE_FLAG = [
    *STUCK,
    "ending:flag-captured",
    "restriction:two-squares two_squares=3",
    "restriction:two-squares two_squares=5",
    "restriction:more-squares more_squares=on",
    "stuck:restricted both_stuck=draw",
    "stuck:restricted both_stuck=mover-wins",
    "slide:2",
    "slide:9",
]
RAILS = [
    *(f"rail:{how}" for how in ("step", "straight", "turning")),
    *(f"road:{how}" for how in ("straight", "diagonal")),
    *(f"attack:on-mine mine={value}" for value in ("both", "stays")),
    "attack:bomb-on-mine mine=both",
    "attack:bomb-on-mine mine=stays",
    "attack:bomb-on-flag",
    "camp:own",
    "camp:refused",
    "freeze:bites hq_freeze=on",
    "headquarters:left hq_freeze=off",
    "flag-shown marshal_death_shows_flag=on",
    "flag-shown:both marshal_death_shows_flag=on",
    "stuck:passed no_move=pass",
    "stuck:all no_move=pass",
    "arrange:refused",
]
LUZHANQI = [
    *RAILS,
    *STUCK,
    "ending:flag-captured",
    "ending:no-legal-move no_move=loses",
    "arrange:camp-True camp_setup=on",
]
TANKS = [
    f"attack:{pair} engineer_beats_tank={value}"
    for pair in ("engineer-on-tank", "tank-on-engineer")
    for value in ("on", "off")
]

OF_GAME: dict[str, Goals] = {
    "hidden-hasami": [*STONES, "ending:objective-captured", "ending:capture-threshold", "ending:repetition"],
    "luzhanqi-mini": ["ending:flag-captured", "stuck:both", "camp:own", "camp:refused", "arrange:refused"],
    "salpakan-classic": [
        "ending:flag-captured",
        "ending:flag-reached arrival=claim",
        "ending:flag-reached arrival=adjacent",
        "attack:by-flag flag_attack=loses",
        "attack:by-flag flag_attack=continues",
        *(f"claim:{how} claim=silent" for how in ("opened", "ripened", "refuted")),
        *(f"claim:{how} claim=announced" for how in ("opened", "ripened", "refuted")),
        "claim:second",
        "claim:unopposed arrival=adjacent",
        "claim:opened arrival=adjacent",
        "stuck:both",
        "arrange:refused",
    ],
    "hidden-capture-flag": [*CAPTURE_FLAG, "arrange:refused"],
    "capture-flag-tournament": [*CAPTURE_FLAG, "arrange:refused"],
    "capture-flag-barrage": [*CAPTURE_FLAG, "arrange:refused"],
    "gunjin-shogi": [
        *TANKS,
        "ending:flag-captured",
        "ending:headquarters-entered",
        "headquarters:without-effect",
        "stuck:both",
        "fly:over-pieces",
        "fly:off-line",
        *(f"slide:{length}" for length in range(2, 9)),
        "arrange:refused",
    ],
    "hasami-shogi": HASAMI,
    "dai-hasami-shogi": HASAMI,
    "mak-yek": [*HASAMI, "intervention"],
    "hasami-five": [
        "rays:1",
        "rays:2",
        "rays:3",
        "hop:own",
        "hop:enemy",
        "threshold:left-1",
        *(f"line:{way} line=all" for way in ("horizontal", "vertical", "rising", "falling")),
        *(f"line:{way} line=no-horizontal" for way in ("vertical", "rising", "falling")),
        *(f"line:{way} line=orthogonal" for way in ("horizontal", "vertical")),
        "ending:repetition repetition=3",
        "ending:repetition repetition=4",
        "repetition:third repetition=off",
    ],
    "luzhanqi": LUZHANQI,
    "luzhanqi-tournament": LUZHANQI,
    "luzhanqi-four": [
        *RAILS,
        "rail:curved",
        "ending:eliminated teams=on",
        "ending:eliminated teams=off",
        *(f"ending:{cause} win=one" for cause in ("flag-captured", "resigned", "no-legal-move", "time")),
        "ending:eliminated win=both",
        "eliminated:flag-captured",
        "eliminated:no-legal-move no_move=loses",
        "eliminated:several no_move=loses",
        "passed:several no_move=pass",
        *(f"out:{cause}" for cause in ("resigned", "time", "abandonment", "ruling")),
        "winner:out teams=on",
        "partner:in-the-way partner_view=on",
        "partner:in-the-way partner_view=off",
        "resign:arranging",
        "start:seat-out",
    ],
    "gunjin-shogi-23": [
        *TANKS,
        *STUCK,
        "ending:headquarters-entered",
        "headquarters:without-effect",
        *(f"headquarters:{how}-on-{file}" for how in ("left", "entered") for file in "cd"),
        "bridge:crossed",
        "river:flown",
        "fly:over-pieces",
        "advance:two",
        "slide:7",
        "flag:bare",
        *(f"flag:backed-{letter}" for letter in "ADB"),
        "arrange:refused",
    ],
}  # fmt: skip


def choices(name: str) -> dict[str, tuple[str, ...]]:
    return oracle.declared_options(name)


def required(name: str) -> set[str]:
    """Everything that the matches of a game have to reach."""
    rules = oracle.game(name)
    goals = {*EVERYWHERE, *OF_GAME[name]}
    if isinstance(rules.contact, Battle):
        goals |= {f"cell:{attacker}x{defender}" for attacker, defender in rules.contact.matrix}
    goals |= {f"first:{seat}" for seat in rules.all_seats}
    if rules.fixed_start is None:
        goals |= {f"arrange:{seat}-as-{place}" for seat in rules.all_seats for place in rules.all_seats}
    goals |= {f"option:{option}={value}" for option, values in choices(name).items() for value in values}
    return goals | {f"pair:{pair}" for pair in all_pairs(choices(name))}
