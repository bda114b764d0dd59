# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The checks on what a state says that its pieces have shown: moves, marks, battles, captures and the last move."""

from libc.stdint cimport uint8_t, uint32_t
from libc.string cimport memcpy, memset

from engine_core.adjacency cimport touches_enemy
from engine_core.evidence cimport mark_battle
from engine_core.integrity cimport ended_by_decision, ends_by, mover_of, moves_made, owner_of, pieces_of, taking_turns
from engine_core.moves cimport kinds_that_reach
from engine_core.referee cimport battle_outcome
from engine_core.state cimport (
    ENDED, HERALD_ATTACKER, HERALD_DEFENDER, MARK_ARRIVED, MARK_ENTERED, MARK_MOVED, MARK_UNCLAIMED, MARK_UNOPPOSED,
    OFF, PLAY,
)
from engine_core.tables cimport (
    ATTACKER_SURVIVES, BOTH_REMOVED, DEFENDER_SURVIVES, END_FLAG_REACHED, END_HEADQUARTERS_ENTERED, FLAG_FALLS,
    MAX_SEATS, NONE, OUTCOME_MASK, REASON_FLAG_CAPTURED, REASON_OBJECTIVE_CAPTURED, ROLE_CLAIMS, ROLE_ENTERS,
    ROLE_OBJECTIVE,
)


cdef struct Moved:
    # The pieces that have moved, by seat. Looked for once, and without branches: which they are is hard to predict.
    uint8_t piece[256]
    int first[MAX_SEATS + 2]


cdef void _find_moved(
    const Rules *rules, const Position *position, const Evidence *evidence, Moved *moved
) noexcept nogil:
    cdef int seat, piece, count = 0
    for seat in range(1, rules.seats + 1):
        moved.first[seat] = count
        for piece in range(position.first[seat], position.first[seat + 1]):
            moved.piece[count] = <uint8_t>piece
            count += evidence.marks[piece] & MARK_MOVED
    moved.first[rules.seats + 1] = count


cdef const char *evidence_fault(
    const Rules *rules, Position *position, Evidence *evidence, bint kinds_known
) noexcept nogil:
    """NULL when the evidence fits; otherwise "REASON: text". Fills in the marks that follow from battles.

    Kinds that are guessed need not fit the battles: whoever guessed them looked at those as far as it could.
    """
    cdef const char *fault
    cdef Moved moved
    _find_moved(rules, position, evidence, &moved)
    fault = _shown(rules, evidence, &moved)
    if fault == NULL:
        fault = _moves(rules, position, evidence, &moved)
    if fault == NULL:
        fault = _marks(rules, position, evidence, &moved)
    if fault == NULL:
        fault = _battles(rules, position, evidence, kinds_known)
    if fault == NULL:
        fault = _captures(rules, position, evidence)
    if fault == NULL and position.ply:
        fault = _last_move(rules, position, evidence)
    return fault


cdef const char *movement_fault(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    """The kinds left to each piece by its moves are an intersection of what single moves show, whatever kind it is."""
    cdef Moved moved
    _find_moved(rules, position, evidence, &moved)
    return _shown(rules, evidence, &moved)


cdef const char *_shown(const Rules *rules, const Evidence *evidence, const Moved *moved) noexcept nogil:
    """The same, of the pieces that have moved."""
    cdef int seat, number, index
    cdef uint32_t movement, able, fitting = 0  # the last that was found to fit: most are alike
    for seat in range(1, rules.seats + 1):
        fitting = 0
        for number in range(moved.first[seat], moved.first[seat + 1]):
            movement = evidence.movement[moved.piece[number]]
            if movement == fitting and number != moved.first[seat]:
                continue
            able = <uint32_t>0xFFFFFFFF  # the intersection of all such sets that hold them
            for index in range(rules.shown_sets[seat]):
                if rules.shown[seat][index] & movement == movement:
                    able &= rules.shown[seat][index]
            if able != movement:
                return b"STATE_EVIDENCE: moves that no moves of its kinds can have shown"
            fitting = movement
    return NULL


cdef const char *_moves(
    const Rules *rules, const Position *position, const Evidence *evidence, const Moved *moved
) noexcept nogil:
    """Each piece got where it is by moves that its kind can make, and its seat has made so many."""
    cdef int piece, number
    cdef uint8_t seat
    cdef uint32_t needed, in_all = 0
    cdef uint8_t strayed = 0
    cdef bint unable
    cdef Ways ways
    for piece in range(pieces_of(position)):
        strayed |= (
            <uint8_t>((evidence.marks[piece] & MARK_MOVED) == 0)
            & <uint8_t>(position.square[piece] != OFF)
            & <uint8_t>(position.square[piece] != evidence.start[piece])
        )
    if strayed:
        return b"STATE_EVIDENCE: a piece stands elsewhere, but has never moved"
    _walk_to_battles(rules, position, evidence, &ways)
    for seat in range(1, rules.seats + 1):
        needed = 0
        unable = False
        for number in range(moved.first[seat], moved.first[seat + 1]):
            piece = moved.piece[number]
            unable |= not evidence.movement[piece] >> (position.kind[piece] - 1) & 1
            needed += _fewest_moves(rules, position, evidence, &ways, seat, piece)
        if unable:
            return b"STATE_EVIDENCE: a piece has moved as its kind cannot"
        in_all += needed
        if needed > moves_made(rules, position, seat):
            return b"STATE_EVIDENCE: pieces stand where so few moves cannot have brought them"
        if taking_turns(rules):
            if needed == 0 and moves_made(rules, position, seat):
                return b"STATE_EVIDENCE: a seat has made moves, but none of its pieces has moved"
            if rules.chequered and not _parity_fits(rules, position, evidence, seat):
                return b"STATE_EVIDENCE: pieces stand where so many steps, odd or even, cannot have brought them"
    if in_all > position.ply:
        return b"STATE_EVIDENCE: pieces stand where so few moves cannot have brought them"
    return NULL


cdef inline uint32_t _between(const Rules *rules, uint8_t pattern, uint8_t source, uint8_t target) noexcept nogil:
    return rules.moves_between[(pattern * rules.squares + source) * rules.squares + target]


cdef struct Ways:
    # Over the squares of the battles that are known for each piece: the last of them, and the fewest moves to it.
    uint8_t last[256]
    uint32_t moves[256]


cdef void _walk_to_battles(
    const Rules *rules, const Position *position, const Evidence *evidence, Ways *ways
) noexcept nogil:
    """Where an attacked piece had never moved, the battle was on its start square."""
    cdef int index, pieces = pieces_of(position)
    cdef uint8_t attacker, place, pattern
    memcpy(ways.last, evidence.start, pieces)
    memset(ways.moves, 0, pieces * sizeof(uint32_t))
    for index in range(evidence.battles):
        if not evidence.marks[evidence.battle[index][1]] & MARK_MOVED:
            attacker = evidence.battle[index][0]
            place = evidence.start[evidence.battle[index][1]]
            pattern = rules.pattern[owner_of(position, attacker)][position.kind[attacker]]
            ways.moves[attacker] += _between(rules, pattern, ways.last[attacker], place)
            ways.last[attacker] = place


cdef uint32_t _fewest_moves(
    const Rules *rules, const Position *position, const Evidence *evidence, const Ways *ways, uint8_t seat, int piece
) noexcept nogil:
    """How many moves a piece that has moved needs at least: over the squares of its known battles to where it is."""
    cdef uint8_t pattern = rules.pattern[seat][position.kind[piece]]
    cdef uint8_t start = evidence.start[piece], square = position.square[piece]
    cdef uint32_t needed = ways.moves[piece], by_mark, nearest = NONE
    cdef int index
    if square != OFF:
        needed += _between(rules, pattern, ways.last[piece], square)
    if needed == 0:
        needed = 1 if square == OFF else 2  # it moved, and is gone or back
    if evidence.marks[piece] & (MARK_ENTERED | MARK_ARRIVED):
        for index in range(rules.squares):
            if (evidence.marks[piece] & MARK_ENTERED and _is_enemy_headquarters(rules, seat, <uint8_t>index)) or (
                evidence.marks[piece] & MARK_ARRIVED and rules.goal[index] >> seat & 1
            ):
                by_mark = _between(rules, pattern, start, <uint8_t>index)
                if square != OFF:
                    by_mark += _between(rules, pattern, <uint8_t>index, square)
                nearest = min(nearest, by_mark)
        needed = max(needed, nearest)
    return needed


cdef bint _parity_fits(
    const Rules *rules, const Position *position, const Evidence *evidence, uint8_t seat
) noexcept nogil:
    """Where every mobile piece of a seat is a walker, each move goes to a square of the other colour, as in chess."""
    cdef uint32_t moves = moves_made(rules, position, seat)
    cdef uint8_t kind, square, start
    cdef int piece
    for piece in range(position.first[seat], position.first[seat + 1]):
        kind, square, start = position.kind[piece], position.square[piece], evidence.start[piece]
        if rules.pattern[seat][kind] and not rules.walker[seat][kind]:
            return True
        if square == OFF:
            if evidence.marks[piece] & MARK_MOVED:
                return True  # nobody knows where it was last
            continue
        moves += rules.file_of[square] + rules.rank_of[square] + rules.file_of[start] + rules.rank_of[start]
    return moves % 2 == 0


cdef bint _has_enemy_headquarters(const Rules *rules, uint8_t seat) noexcept nogil:
    cdef int square
    for square in range(rules.squares):
        if rules.headquarters[square] and rules.team[rules.headquarters[square]] != rules.team[seat]:
            return True
    return False


cdef inline bint _is_enemy_headquarters(const Rules *rules, uint8_t seat, uint8_t square) noexcept nogil:
    return rules.headquarters[square] != 0 and rules.team[rules.headquarters[square]] != rules.team[seat]


cdef const char *_marks(
    const Rules *rules, const Position *position, const Evidence *evidence, const Moved *moved
) noexcept nogil:
    """The marks of the pieces that have moved fit the board and where they stand."""
    cdef int piece, number
    cdef uint8_t seat = 1, marks, square
    for number in range(moved.first[rules.seats + 1]):
        while number >= moved.first[seat + 1]:
            seat += 1
        piece = moved.piece[number]
        marks = evidence.marks[piece]
        square = position.square[piece]
        if marks == MARK_MOVED and not rules.headquarters[square] and not rules.goal[square]:
            continue  # as nearly all; no square that is OFF has either
        if marks & MARK_UNOPPOSED and not marks & MARK_ARRIVED:
            return b"STATE_EVIDENCE: a piece arrived unopposed without arriving"
        if marks & MARK_UNCLAIMED and not marks & MARK_ARRIVED:
            return b"STATE_EVIDENCE: a piece moved on from an arrival without arriving"
        if (
            rules.claims_announced
            and marks & MARK_ARRIVED
            and not marks & MARK_UNCLAIMED
            and not rules.role[position.kind[piece]] & ROLE_CLAIMS
        ):
            return b"STATE_EVIDENCE: an arrival that claimed nothing, without saying so"
        if marks & MARK_UNCLAIMED and rules.role[position.kind[piece]] & ROLE_CLAIMS and position.phase == PLAY:
            return b"STATE_EVIDENCE: a piece that claims moved on from its arrival"
        if marks & MARK_ARRIVED and not ends_by(rules, END_FLAG_REACHED):
            return b"STATE_EVIDENCE: a piece arrived in a game without goals"
        if marks & MARK_ENTERED and not _has_enemy_headquarters(rules, seat):
            return b"STATE_EVIDENCE: a piece entered headquarters in a game without them"
        if square != OFF and _is_enemy_headquarters(rules, seat, square) and not marks & MARK_ENTERED:
            return b"STATE_EVIDENCE: a piece stands on headquarters without having entered them"
        if square != OFF and rules.goal[square] >> seat & 1 and not marks & MARK_ARRIVED:
            return b"STATE_EVIDENCE: a piece stands on its goal without having arrived"
        if (
            marks & MARK_ENTERED
            and ends_by(rules, END_HEADQUARTERS_ENTERED)
            and rules.role[position.kind[piece]] & ROLE_ENTERS
            and (position.phase != ENDED or ended_by_decision(position.reason) or square != position.last_target)
        ):
            return b"STATE_EVIDENCE: a piece entered headquarters, and the match went on"
    return NULL


cdef inline uint8_t _next(const Rules *rules, uint8_t seat) noexcept nogil:
    return seat + 1 if seat < rules.seats else 1


cdef const char *_battles(
    const Rules *rules, const Position *position, Evidence *evidence, bint kinds_known
) noexcept nogil:
    """Each battle went as the kinds decide, between pieces that were still there, in plies that leave time for it."""
    cdef int index
    cdef uint8_t seat, other, attacker, defender, outcome, support, notes
    cdef uint8_t gone[256]
    cdef uint8_t turn = position.first_seat  # whose move the next ply is
    cdef uint32_t ply = 0
    cdef bint in_turn = taking_turns(rules), differs = False
    memset(gone, 0, sizeof(gone))
    for index in range(evidence.battles):
        attacker, defender = evidence.battle[index][0], evidence.battle[index][1]
        outcome = evidence.battle[index][2]
        seat, other = owner_of(position, attacker), owner_of(position, defender)
        if rules.team[seat] == rules.team[other] or gone[attacker] or gone[defender]:
            return b"STATE_EVIDENCE: a battle that cannot have been"
        if not evidence.marks[attacker] & MARK_MOVED:
            return b"STATE_EVIDENCE: a piece attacked without moving"
        support = evidence.battle[index][3]
        if support != NONE and (owner_of(position, support) != other or gone[support] or support == defender):
            return b"STATE_EVIDENCE: a battle before a piece that cannot have been there"
        if (
            kinds_known
            and outcome & ~(HERALD_ATTACKER | HERALD_DEFENDER)
            != battle_outcome(rules, position, attacker, defender, support)
        ):
            return b"STATE_EVIDENCE: a battle went as it cannot between its kinds"
        if (
            outcome & FLAG_FALLS
            and not rules.last_side_wins
            and (index != evidence.battles - 1 or position.reason != REASON_FLAG_CAPTURED)
        ):
            return b"STATE_EVIDENCE: a flag fell, and the match went on"
        gone[attacker] = outcome & OUTCOME_MASK != ATTACKER_SURVIVES
        gone[defender] = outcome & OUTCOME_MASK != DEFENDER_SURVIVES
        notes = mark_battle(rules, position, evidence, attacker, defender, outcome)
        if kinds_known and outcome & (HERALD_ATTACKER | HERALD_DEFENDER) != notes:
            return b"STATE_EVIDENCE: a battle showed pieces that it cannot have shown, or not those that it must"
        ply += 1
        if in_turn:
            ply += seat - turn + (rules.seats if seat < turn else 0)
            turn = _next(rules, seat)
    if ply > position.ply - position.quiet:
        return b"STATE_EVIDENCE: more battles than there was time for"
    if rules.displacement and (evidence.battles == 0) != (position.quiet == position.ply):
        return b"STATE_EVIDENCE: the quiet plies and the battles do not agree"
    if evidence.battles and taking_turns(rules) and seat != mover_of(rules, position, position.ply - position.quiet):
        return b"STATE_EVIDENCE: the last battle was not that of the ply in which it was"
    for seat in range(1, rules.seats + 1 if rules.displacement else 1):
        for index in range(position.first[seat], position.first[seat + 1] if not position.out >> seat & 1 else 0):
            differs |= (position.square[index] == OFF) != gone[index]
    if differs:
        return b"STATE_OCCUPANCY: a piece is off the board without a battle, or on it after one that removed it"
    return NULL


cdef const char *_captures(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    """Pieces are off the board for a reason."""
    cdef int piece, seat, standing = 0
    for seat in range(1, MAX_SEATS + 1):
        standing += position.alive[seat]
        if position.out >> seat & 1 and position.alive[seat]:
            return b"STATE_OCCUPANCY: a seat that is out has a piece on the board"
    if rules.displacement:
        return NULL
    if not position.out and (position.quiet == position.ply) != (standing == pieces_of(position)):
        return b"STATE_EVIDENCE: the quiet plies and the captures do not agree"
    for piece in range(pieces_of(position)):
        if (
            not rules.last_side_wins
            and position.reason != REASON_OBJECTIVE_CAPTURED
            and position.square[piece] == OFF
            and rules.role[position.kind[piece]] & ROLE_OBJECTIVE
        ):
            return b"STATE_OCCUPANCY: an objective was captured, and the match went on"
    return NULL


cdef const char *_last_move(const Rules *rules, Position *position, const Evidence *evidence) noexcept nogil:
    """The last move, taken back, is one that its piece could make, and its piece has the marks that follow."""
    cdef uint8_t source = position.last_source, target = position.last_target
    cdef uint8_t seat, piece, defender = NONE, result = ATTACKER_SURVIVES
    cdef uint8_t marks, stood, stands
    cdef uint32_t shown
    if source == target or position.seat_at[source] != 0:
        return b"STATE_OCCUPANCY: the square that the last move left is not empty"
    if position.out:
        return NULL  # pieces of a seat that went out with the last move are gone, whoever they were
    seat = position.seat_at[target]
    piece = position.piece_at[target]
    if rules.displacement and position.quiet == 0:
        piece = evidence.battle[evidence.battles - 1][0]
        defender = evidence.battle[evidence.battles - 1][1]
        result = evidence.battle[evidence.battles - 1][2] & OUTCOME_MASK
        if rules.camp[target]:
            return b"STATE_OCCUPANCY: the last battle was in a camp"
        if result == BOTH_REMOVED and seat:
            return b"STATE_OCCUPANCY: both pieces of the last battle are gone, but its square is not empty"
        if result != BOTH_REMOVED and (
            seat == 0 or position.piece_at[target] != (piece if result == ATTACKER_SURVIVES else defender)
        ):
            return b"STATE_OCCUPANCY: the survivor of the last battle is not where it was"
        seat = owner_of(position, piece)
    elif seat == 0 or not evidence.marks[piece] & MARK_MOVED:
        return b"STATE_OCCUPANCY: the piece that moved last is not where it went"
    if taking_turns(rules) and seat != mover_of(rules, position, position.ply):
        return b"STATE_OCCUPANCY: the piece that moved last is another seat's"
    stands, stood = position.seat_at[target], position.piece_at[source]
    position.seat_at[source], position.piece_at[source] = seat, piece
    position.seat_at[target] = 0 if defender == NONE else owner_of(position, defender)
    shown = kinds_that_reach(rules, position, seat, source, target, evidence.movement[piece])
    position.seat_at[source], position.piece_at[source] = 0, stood
    position.seat_at[target] = stands
    if shown != evidence.movement[piece]:
        return b"STATE_EVIDENCE: the last move could not be made by all kinds that it is said to fit"
    if result != ATTACKER_SURVIVES:
        return NULL
    marks = evidence.marks[piece]
    if _is_enemy_headquarters(rules, seat, target) and not marks & MARK_ENTERED:
        return b"STATE_EVIDENCE: the last move entered headquarters, but is not marked"
    if rules.goal[target] >> seat & 1 and (
        not marks & MARK_ARRIVED
        or (not touches_enemy(rules, position, seat, target) and not marks & MARK_UNOPPOSED)
    ):
        return b"STATE_EVIDENCE: the last move arrived, but is not marked as it should be"
    return NULL
