# cython: language_level=3, auto_pickle=False
"""Builds the C tables of a lowered ruleset."""

cimport cython

from libc.string cimport memset

REASONS = (
    "objective-captured",
    "capture-threshold",
    "no-legal-move",
    "flag-captured",
    "flag-reached",
    "headquarters-entered",
    "repetition",
    "line-of-five",
    "resigned",
    "agreed-draw",
    "ply-limit",
    "eliminated",
    "time",
    "abandonment",
    "ruling",
    "adjudicated",
)

_ENDINGS = {
    "objective-captured": END_OBJECTIVE_CAPTURED,
    "flag-captured": END_FLAG_CAPTURED,
    "headquarters-entered": END_HEADQUARTERS_ENTERED,
    "flag-reached": END_FLAG_REACHED,
    "capture-threshold": END_CAPTURE_THRESHOLD,
    "repetition": END_REPETITION,
    "no-legal-move": END_NO_LEGAL_MOVE,
}

_OUTCOMES = {
    "A": ATTACKER_SURVIVES,
    "D": DEFENDER_SURVIVES,
    "B": BOTH_REMOVED,
    "A!": ATTACKER_SURVIVES | FLAG_FALLS,
    "D!": DEFENDER_SURVIVES | FLAG_FALLS,
    "B!": BOTH_REMOVED | FLAG_FALLS,
}

_REVEALS = {"none": REVEAL_NONE, "event": REVEAL_EVENT, "shown": REVEAL_SHOWN}


@cython.final
cdef class Tables:
    """The tables of one ruleset, for the compiled modules. `digest` names the rules, `lowered` is their source."""

    def __init__(self, lowered):
        self.lowered = lowered
        self.digest = lowered.digest
        memset(&self.rules, 0, sizeof(Rules))
        self._fill_board(lowered)
        self._fill_roster(lowered)
        self._fill_combat(lowered.ruleset)
        self._fill_endings(lowered)

    def _fill_board(self, lowered):
        ruleset = lowered.ruleset
        board = ruleset.board
        stream = bytearray()

        def add(*lists):
            for squares in lists:
                stream.append(len(squares))
                stream.extend(squares)

        def add_rays(rays):
            stream.append(len(rays))
            add(*rays)

        cdef Rules *rules = &self.rules
        rules.squares = len(board.squares)
        rules.seats = ruleset.seats
        for seat, team in enumerate(ruleset.teams, 1):
            rules.team[seat] = team
        for square in range(rules.squares):
            rules.file_of[square], rules.rank_of[square] = board.place(square)
            rules.camp[square] = square in board.camps
            rules.neighbours_at[square] = len(stream)
            add(lowered.neighbours[square])
            rules.lines_at[square] = len(stream)
            add_rays(lowered.lines[square])
        for seat in range(1, rules.seats + 1):
            for square in board.headquarters[seat - 1]:
                rules.headquarters[square] = seat
            for square in ruleset.goal[seat - 1]:
                rules.goal[square] |= 1 << seat
        rules.patterns = len(lowered.patterns)
        for number, pattern in enumerate(lowered.patterns):
            for square, rays in enumerate(pattern):
                rules.reach_at[number][square] = len(stream)
                add([ray[0] for ray in rays if len(ray) == 1])
                add_rays([ray for ray in rays if len(ray) > 1])
        self.stream = bytes(stream)
        rules.stream = self.stream

    def _fill_roster(self, lowered):
        ruleset = lowered.ruleset
        cdef Rules *rules = &self.rules
        rules.kinds = len(ruleset.kinds)
        rules.roster = ruleset.roster_size
        walks = [
            pattern == tuple(tuple((square,) for square in near) for near in lowered.neighbours)
            for pattern in lowered.patterns
        ]
        rules.walkers = any(walks)
        widest = [max(sum(map(len, rays)) for rays in pattern) for pattern in lowered.patterns]
        for number, kind in enumerate(ruleset.kinds):
            rules.count[number + 1] = kind.count
            for seat in range(1, rules.seats + 1):
                rules.pattern[seat][number + 1] = lowered.pattern_of[seat - 1][number]
                rules.walker[seat][number + 1] = walks[lowered.pattern_of[seat - 1][number]]
                for square in ruleset.zones[seat - 1].allowed[number]:
                    rules.allowed[seat][square] |= <uint32_t>1 << <int>number
        for seat in range(1, rules.seats + 1):
            for square in ruleset.zones[seat - 1].squares:
                rules.zone[square] |= 1 << seat
        # A loaded position may hold any pieces, at most one for each square.
        rules.max_moves = rules.squares * max(widest) + 1

    def _fill_combat(self, ruleset):
        cdef Rules *rules = &self.rules
        rules.custodial = ruleset.custodial
        rules.displacement = ruleset.combat is not None
        if ruleset.combat is not None:
            rules.reveal = _REVEALS[ruleset.combat.reveal]
            for attacker, row in enumerate(ruleset.combat.outcomes, 1):
                for defender, outcome in enumerate(row, 1):
                    rules.outcome[attacker][defender] = _OUTCOMES[outcome]
        for seat in range(1, rules.seats + 1):
            for other in range(rules.seats + 1):
                enemy = other != 0 and rules.team[other] != rules.team[seat]
                rules.admits[seat][False][other] = other == 0 or (rules.displacement and enemy)
                rules.admits[seat][True][other] = other == 0
        rules.two_squares = ruleset.two_squares
        rules.more_squares = ruleset.more_squares

    def _fill_endings(self, lowered):
        ruleset = lowered.ruleset
        cdef Rules *rules = &self.rules
        rules.last_side_wins = ruleset.last_side_wins
        rules.reveal_at_end = ruleset.reveal_at_end
        rules.ply_limit = ruleset.ply_limit
        rules.quiet_limit = ruleset.quiet_limit
        rules.endings = len(lowered.endings)
        for place, (when, parameter) in enumerate(lowered.endings):
            rules.ending[place] = _ENDINGS[when]
            if when == "objective-captured":
                self._mark(parameter, ROLE_OBJECTIVE)
            elif when == "headquarters-entered":
                self._mark(parameter, ROLE_ENTERS)
            elif when == "flag-reached":
                self._mark(parameter[0], ROLE_CLAIMS)
                rules.arrival_adjacent = parameter[1] == "adjacent"
            elif when == "capture-threshold":
                rules.threshold = parameter
            elif when == "repetition":
                rules.occurrences = parameter
            elif when == "no-legal-move":
                rules.stuck_passes = parameter[0] == "passes"
                rules.both_stuck_draws = parameter[1] == "draw"
        rules.keeps_history = rules.occurrences > 0 or rules.more_squares

    def _mark(self, kinds, role):
        for kind in kinds:
            self.rules.role[kind + 1] |= role
