# cython: language_level=3, auto_pickle=False
"""Builds the C tables of a lowered ruleset."""

cimport cython

import sys

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
    "capture-target": END_CAPTURE_TARGET,
    "capture-lead": END_CAPTURE_LEAD,
    "line": END_LINE,
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
    """The tables of one ruleset, for the compiled modules. `digest` names the rules, `lowered` is their source.

    With `like`, they are those of a ruleset that differs in limits and in what the end reveals alone.
    """

    def __init__(self, lowered, Tables like=None):
        self.lowered = lowered
        self.digest = lowered.digest
        if like is not None:
            self.rules = like.rules
            self.stream = like.stream
            self.distances = like.distances
            self.sets = like.sets
            self._fill_limits(lowered.ruleset)
            return
        memset(&self.rules, 0, sizeof(Rules))
        self._fill_board(lowered)
        self._fill_roster(lowered)
        self._fill_distances()
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
        rules.words = (rules.squares + 63) // 64
        rules.seats = ruleset.seats
        for seat, team in enumerate(ruleset.teams, 1):
            rules.team[seat] = team
        for square in range(rules.squares):
            rules.file_of[square], rules.rank_of[square] = board.place(square)
            rules.camp[square] = square in board.camps
            rules.neighbours_at[square] = len(stream)
            add(lowered.neighbours[square])
            for side, other in enumerate((*lowered.neighbours[square][:4], *4 * (square,))[:4]):
                rules.beside[square][side] = other
            for other in lowered.neighbours[square]:
                rules.beside_bits[square][other >> 6] |= <uint64_t>1 << <int>(other & 63)
            rules.board[square >> 6] |= <uint64_t>1 << <int>(square & 63)
            if square in board.camps:
                rules.camps[square >> 6] |= <uint64_t>1 << <int>(square & 63)
            rules.lines_at[square] = len(stream)
            add_rays(lowered.lines[square])
            rules.rails_at[square] = len(stream)
            add(lowered.rails[square])
            rules.rail_component[square] = lowered.rail_component[square]
            rules.diagonals_at[square] = len(stream)
            add_rays(lowered.diagonals[square])
            rules.corner[square] = len(lowered.neighbours[square]) == 2 and board.is_corner(square)
        rules.chequered = all(
            (sum(board.place(square)) + sum(board.place(other))) % 2
            for square in range(rules.squares)
            for other in lowered.neighbours[square]
        )
        for seat in range(1, rules.seats + 1):
            for square in range(rules.squares):
                square_behind = lowered.behind[seat - 1][square]
                rules.behind[seat][square] = NONE if square_behind is None else square_behind
            for square in board.headquarters[seat - 1]:
                rules.headquarters[square] = seat
            for square in ruleset.goal[seat - 1]:
                rules.goal[square] |= 1 << seat
                rules.goals = True
        rules.patterns = len(lowered.patterns)
        for number, pattern in enumerate(lowered.patterns):
            for square, reach in enumerate(pattern):
                rules.reach_at[number][square] = len(stream)
                add([ray[0] for ray in reach.rays if len(ray) == 1])
                add_rays([ray for ray in reach.rays if len(ray) > 1])
                stream.append(len(reach.hops))
                for hop in reach.hops:
                    stream.extend(hop)
                stream.append(len(reach.branches))
                for shared, ray in reach.branches:
                    stream.extend((len(ray), shared, *ray))
            rules.turning[number] = any(reach.turning for reach in pattern)
            if any(reach.hops or reach.branches or reach.turning for reach in pattern):
                rules.beyond_rays = True
        rules.begins_beside = not rules.beyond_rays and all(
            ray[0] in lowered.neighbours[square]
            for pattern in lowered.patterns
            for square, reach in enumerate(pattern)
            for ray in reach.rays
        )
        self.stream = bytes(stream)
        rules.stream = self.stream
        self._fill_sets(lowered)

    def _fill_sets(self, lowered):
        cdef Rules *rules = &self.rules
        cdef const uint8_t *contents
        sets = bytearray()
        for number, pattern in enumerate(lowered.patterns):
            rules.has_sets[number] = rules.squares <= 128 and all(
                ray in (tuple(sorted(ray)), tuple(sorted(ray, reverse=True))) for reach in pattern for ray in reach.rays
            )
            for square, reach in enumerate(pattern if rules.has_sets[number] else ()):
                rays = [ray for ray in reach.rays if len(ray) > 1]
                down = [ray for ray in rays if ray[1] < ray[0]]
                up = [ray for ray in rays if ray[1] > ray[0]]
                rules.sets_at[number][square] = len(sets) // 8
                sets += (len(down) + 256 * len(up)).to_bytes(8, sys.byteorder)
                for squares in ([ray[0] for ray in reach.rays if len(ray) == 1], *down, *up):
                    bits = sum([1 << int(place) for place in squares])
                    for word in range(2):
                        sets += (bits >> 64 * word & 0xFFFFFFFFFFFFFFFF).to_bytes(8, sys.byteorder)
        self.sets = bytes(sets)
        contents = self.sets
        rules.sets = <const uint64_t *>contents

    def _fill_roster(self, lowered):
        ruleset = lowered.ruleset
        cdef Rules *rules = &self.rules
        rules.kinds = len(ruleset.kinds)
        rules.roster = ruleset.roster_size
        few = max(map(len, lowered.neighbours)) <= 4
        walks = [
            few
            and all(
                reach.rays == tuple((square,) for square in near)
                and not (reach.hops or reach.branches or reach.turning)
                for reach, near in zip(pattern, lowered.neighbours, strict=True)
            )
            for pattern in lowered.patterns
        ]
        widest = [
            max(
                len(lowered.rails) if reach.turning else sum(map(len, reach.rays)) + len(reach.hops)
                + sum(len(ray) for _, ray in reach.branches)
                for reach in pattern
            )
            for pattern in lowered.patterns
        ]
        for number, kind in enumerate(ruleset.kinds):
            rules.count[number + 1] = kind.count
            for seat in range(1, rules.seats + 1):
                rules.pattern[seat][number + 1] = lowered.pattern_of[seat - 1][number]
                rules.kinds_of[seat][rules.pattern[seat][number + 1]] |= <uint32_t>1 << <int>number
                rules.walker[seat][number + 1] = walks[lowered.pattern_of[seat - 1][number]]
                for square in ruleset.zones[seat - 1].allowed[number]:
                    rules.allowed[seat][square] |= <uint32_t>1 << <int>number
        for seat in range(1, rules.seats + 1):
            for square in ruleset.zones[seat - 1].squares:
                rules.zone[square] |= 1 << seat
        for seat, sets in enumerate(lowered.shown, 1):
            rules.shown_sets[seat] = len(sets)
            for number, kinds in enumerate(sets):
                rules.shown[seat][number] = kinds
        # A loaded position may hold any pieces, at most one for each square.
        rules.max_moves = rules.squares * max(widest) + 1

    def _fill_distances(self):
        """Breadth-first from every square for every pattern."""
        cdef Rules *rules = &self.rules
        cdef int squares = rules.squares
        cdef bytearray distances = bytearray(b"\xff") * (rules.patterns * squares * squares)
        cdef uint8_t *row = distances
        cdef const uint8_t *reach
        cdef uint8_t queue[256]
        cdef const uint8_t *branch
        cdef int pattern, start, head, tail, lists, step, hops, component
        for pattern in range(rules.patterns):
            for start in range(squares):
                row[start] = 0
                queue[0] = <uint8_t>start
                head, tail = 0, 1
                while head < tail:
                    reach = rules.stream + rules.reach_at[pattern][queue[head]]
                    lists = 1 + reach[reach[0] + 1]  # the steps are one list, and each ray is another
                    while lists:
                        lists -= 1
                        for step in range(1, reach[0] + 1):
                            if row[reach[step]] == NONE:
                                row[reach[step]] = row[queue[head]] + 1
                                queue[tail] = reach[step]
                                tail += 1
                        # Over a list, and after the steps over the number of rays.
                        reach += reach[0] + (2 if reach == rules.stream + rules.reach_at[pattern][queue[head]] else 1)
                    for step in range(squares if rules.turning[pattern] else 0):
                        component = rules.rail_component[queue[head]]
                        if component and rules.rail_component[step] == component and row[step] == NONE:
                            row[step] = row[queue[head]] + 1
                            queue[tail] = <uint8_t>step
                            tail += 1
                    branch = reach + 1 + 2 * reach[0]
                    lists = branch[0]
                    branch += 1
                    while lists:
                        lists -= 1
                        for step in range(branch[0]):
                            if row[branch[2 + step]] == NONE:
                                row[branch[2 + step]] = row[queue[head]] + 1
                                queue[tail] = branch[2 + step]
                                tail += 1
                        branch += branch[0] + 2
                    for hops in range(reach[0]):
                        if row[reach[2 + 2 * hops]] == NONE:
                            row[reach[2 + 2 * hops]] = row[queue[head]] + 1
                            queue[tail] = reach[2 + 2 * hops]
                            tail += 1
                    head += 1
                row += squares
        self.distances = bytes(distances)
        rules.moves_between = self.distances

    def _fill_combat(self, ruleset):
        cdef Rules *rules = &self.rules
        rules.custodial = ruleset.custodial is not None
        if ruleset.custodial is not None:
            rules.single_runs = ruleset.custodial.run == 1
            rules.corner_capture = ruleset.custodial.corner
            rules.intervention = ruleset.custodial.intervention
        rules.partner_view = ruleset.partner_view
        rules.perfect_information = ruleset.perfect_information
        rules.fixed_start = ruleset.fixed_start
        rules.displacement = ruleset.combat is not None
        if ruleset.combat is not None:
            rules.reveal = _REVEALS[ruleset.combat.reveal]
            for attacker, row in enumerate(ruleset.combat.outcomes, 1):
                for defender, outcome in enumerate(row, 1):
                    rules.outcome[attacker][defender] = _OUTCOMES[outcome]
            for herald, heralded in ruleset.combat.death_shows:
                self._mark((herald,), ROLE_HERALD)
                self._mark((heralded,), ROLE_HERALDED)
                rules.heralds = True
            self._mark(ruleset.combat.borrows, ROLE_BORROWS)
            rules.borrowers = bool(ruleset.combat.borrows)
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
        self._fill_limits(ruleset)
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
                rules.claims_announced = "announced" in parameter[2:]
            elif when == "capture-threshold":
                rules.threshold = parameter
            elif when == "capture-target":
                rules.capture_target = parameter
            elif when == "capture-lead":
                rules.capture_lead = parameter
            elif when == "line":
                rules.line_length = parameter[0]
                rules.line_along = sum({"rank": 1, "file": 2, "diagonal": 4}[way] for way in parameter[1])
                for seat, squares in enumerate(ruleset.line_barred, 1):
                    for square in squares:
                        rules.line_barred[square] |= 1 << seat
            elif when == "repetition":
                rules.occurrences = parameter
            elif when == "no-legal-move":
                rules.stuck_passes = parameter[0] == "passes"
                rules.both_stuck_draws = parameter[1] == "draw"
        rules.keeps_history = rules.occurrences > 0 or rules.more_squares

    def _fill_limits(self, ruleset):
        self.rules.reveal_at_end = ruleset.reveal_at_end
        self.rules.ply_limit = ruleset.ply_limit
        self.rules.quiet_limit = ruleset.quiet_limit

    def _mark(self, kinds, role):
        for kind in kinds:
            self.rules.role[kind + 1] |= role
