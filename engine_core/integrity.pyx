# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The checks on a state that was read from bytes, each with the reason of the StateError that it becomes.

They hold for every state that the codec writes. They are not a proof that play could reach a state: that would need
the whole match. What they promise is that nothing in a state contradicts the rules, the roster or itself.
"""

from libc.string cimport memset

from engine_core.history_check cimport history_fault
from engine_core.moves cimport can_move, has_legal_move, touches_enemy
from engine_core.referee cimport mark_battle, occurrences, side_of
from engine_core.state cimport (
    ARRANGEMENT, ENDED, MARK_ARRIVED, MARK_ENTERED, MARK_MOVED, MARK_UNOPPOSED, MAX_REVISION, OFF,
    PLAY,
)
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, END_CAPTURE_THRESHOLD, END_FLAG_REACHED, END_HEADQUARTERS_ENTERED,
    END_OBJECTIVE_CAPTURED, FLAG_FALLS, MAX_HISTORY, NONE, OUTCOME_MASK, REASON_ABANDONMENT, REASON_ADJUDICATED,
    REASON_AGREED_DRAW, REASON_CAPTURE_THRESHOLD, REASON_ELIMINATED, REASON_FLAG_CAPTURED, REASON_FLAG_REACHED,
    REASON_HEADQUARTERS_ENTERED, REASON_LINE_OF_FIVE, REASON_NO_LEGAL_MOVE, REASON_NONE, REASON_OBJECTIVE_CAPTURED,
    REASON_PLY_LIMIT, REASON_REPETITION, REASON_RESIGNED, REASON_RULING, REASON_TIME, ROLE_CLAIMS, ROLE_ENTERS,
    ROLE_OBJECTIVE,
)


cdef const char *fault_of(
    const Rules *rules, const Header *header, Position *position, Evidence *evidence, const History *history
) noexcept nogil:
    """NULL when nothing contradicts anything; otherwise "REASON: text". Fills in the marks that follow from battles."""
    cdef const char *fault = _phase(rules, header, position)
    if fault == NULL:
        fault = _roster(rules, header, position, evidence)
    if fault == NULL:
        fault = _last_move(rules, position, evidence)
    if fault == NULL:
        fault = _evidence(rules, header, position, evidence)
    if fault == NULL:
        fault = history_fault(rules, position, evidence, history)
    if fault == NULL and position.phase == PLAY:
        fault = _goes_on(rules, position, history)
    if fault == NULL and position.phase == ENDED:
        fault = _has_ended(rules, position, evidence, history)
    return fault


cdef inline bint _ends_by(const Rules *rules, uint8_t ending) noexcept nogil:
    cdef int place
    for place in range(rules.endings):
        if rules.ending[place] == ending:
            return True
    return False


cdef const char *_phase(const Rules *rules, const Header *header, const Position *position) noexcept nogil:
    cdef uint8_t seats = <uint8_t>((1 << (rules.seats + 1)) - 2)
    cdef int seat, arranged = 0
    cdef uint8_t others
    if position.phase > ENDED:
        return b"STATE_PHASE: no such phase"
    if not 1 <= position.first_seat <= rules.seats:
        return b"STATE_PHASE: the first seat does not exist"
    if (position.arranged | position.out | position.agreed | position.claims | position.winners) & ~seats:
        return b"STATE_PHASE: a seat that does not exist"
    if position.out and not rules.last_side_wins:
        return b"STATE_PHASE: a seat is out in a game that ends when a seat is beaten"
    for seat in range(1, rules.seats + 1):
        arranged += position.arranged >> seat & 1
    if header.loaded and (position.arranged != seats or not position.begun):
        return b"STATE_PHASE: a loaded position that still waits for pieces"
    if position.phase == ARRANGEMENT and (position.begun or position.to_move != 0):
        return b"STATE_PHASE: a seat is to move before play has begun"
    if position.phase != PLAY and position.agreed | position.claims:
        return b"STATE_PHASE: an offer or a claim outside play"
    if (position.phase == ENDED) != (position.reason != REASON_NONE):
        return b"STATE_PHASE: a reason without an end, or an end without a reason"
    if position.phase != ENDED and position.winners:
        return b"STATE_PHASE: winners before the end"
    if position.phase != ARRANGEMENT and not position.begun and (position.phase == PLAY or position.arranged == seats):
        return b"STATE_PHASE: all pieces are placed, but play has not begun"
    if (position.arranged | position.out) == seats:
        if position.phase == ARRANGEMENT:
            return b"STATE_PHASE: all pieces are placed, but play has not begun"
    elif position.begun:
        return b"STATE_PHASE: play has begun before all pieces are placed"
    if position.phase == PLAY:
        if not 1 <= position.to_move <= rules.seats or position.out >> position.to_move & 1:
            return b"STATE_PHASE: the seat to move is not in play"
        others = position.out | side_of(rules, rules.team[position.to_move])
        if others == seats:
            return b"STATE_PHASE: one side alone is in play"
        if position.agreed & position.out or position.agreed == (seats & ~position.out):
            return b"STATE_PHASE: a draw that all have agreed to, or a seat that is out has"
        if position.claims >> position.to_move & 1 or position.claims & position.out:
            return b"STATE_PHASE: a claim that should have been decided"
        if position.claims and not _ends_by(rules, END_FLAG_REACHED):
            return b"STATE_PHASE: a claim in a game without claims"
        if taking_turns(rules) and position.to_move != mover_of(rules, position, position.ply + 1):
            return b"STATE_PHASE: the number of plies and the seat to move do not agree"
    elif position.to_move != 0:
        return b"STATE_PHASE: a seat is to move outside play"
    if position.quiet > position.ply or (not position.begun and position.ply):
        return b"STATE_PHASE: the number of plies is impossible"
    if header.revision > MAX_REVISION or position.ply > MAX_REVISION:
        return b"STATE_PHASE: more revisions or plies than a match can have"
    if header.revision < position.ply + (0 if header.loaded else arranged):
        return b"STATE_PHASE: fewer revisions than actions"
    if (position.ply == 0) != (position.last_source == NONE) or (position.ply == 0) != (position.last_target == NONE):
        return b"STATE_PHASE: a last move without a ply, or a ply without one"
    return NULL


cdef const char *_roster(
    const Rules *rules, const Header *header, const Position *position, const Evidence *evidence
) noexcept nogil:
    cdef int seat, piece, kind, held
    cdef uint8_t count[33]
    cdef uint8_t taken[256]
    memset(taken, 0, sizeof(taken))
    for piece in range(pieces_of(position)):
        if taken[evidence.start[piece]]:
            return b"STATE_ROSTER: two pieces start on one square"
        taken[evidence.start[piece]] = 1
    if header.loaded:
        return NULL
    for seat in range(1, rules.seats + 1):
        held = position.first[seat + 1] - position.first[seat]
        if held != (rules.roster if position.arranged >> seat & 1 else 0):
            return b"STATE_ROSTER: a seat has too many or too few pieces"
        memset(count, 0, sizeof(count))
        for piece in range(position.first[seat], position.first[seat + 1]):
            kind = position.kind[piece]
            count[kind] += 1
            if not rules.allowed[seat][evidence.start[piece]] >> (kind - 1) & 1:
                return b"STATE_ROSTER: a piece started where its kind may not"
        for kind in range(1, rules.kinds + 1):
            if held and count[kind] != rules.count[kind]:
                return b"STATE_ROSTER: a kind has too many or too few pieces"
    return NULL


cdef const char *_last_move(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    cdef uint8_t seat, piece
    if position.ply == 0:
        return NULL
    if position.last_source >= rules.squares or position.last_target >= rules.squares:
        return b"STATE_OCCUPANCY: the last move is off the board"
    if position.last_source == position.last_target or position.seat_at[position.last_source] != 0:
        return b"STATE_OCCUPANCY: the square that the last move left is not empty"
    seat = position.seat_at[position.last_target]
    piece = position.piece_at[position.last_target]
    if position.quiet and not position.out and (seat == 0 or not evidence.marks[piece] & MARK_MOVED):
        return b"STATE_OCCUPANCY: the piece that moved last is not where it went"
    if seat and taking_turns(rules) and position.quiet and seat != mover_of(rules, position, position.ply):
        return b"STATE_OCCUPANCY: the piece that moved last is another seat's"
    return NULL


cdef const char *_evidence(
    const Rules *rules, const Header *header, const Position *position, Evidence *evidence
) noexcept nogil:
    cdef int piece, index, moved = 0
    cdef uint8_t seat, kind, other, marks, attacker, defender, outcome
    cdef uint32_t able
    cdef uint8_t gone[256]
    memset(gone, 0, sizeof(gone))
    for piece in range(pieces_of(position)):
        seat = owner_of(position, piece)
        marks = evidence.marks[piece]
        if not marks & MARK_MOVED:
            if position.square[piece] != OFF and position.square[piece] != evidence.start[piece]:
                return b"STATE_EVIDENCE: a piece stands elsewhere, but has never moved"
            continue
        moved += 1
        able = evidence.movement[piece]
        if not able >> (position.kind[piece] - 1) & 1:
            return b"STATE_EVIDENCE: a piece has moved as its kind cannot"
        for kind in range(1, 33):
            if not able >> (kind - 1) & 1:
                continue
            if kind > rules.kinds or rules.pattern[seat][kind] == 0:
                return b"STATE_EVIDENCE: a move that is said to fit a kind that cannot move"
            for other in range(1, rules.kinds + 1):
                if rules.pattern[seat][other] == rules.pattern[seat][kind] and not able >> (other - 1) & 1:
                    return b"STATE_EVIDENCE: kinds that move alike are told apart by a move"
        if marks & MARK_UNOPPOSED and not marks & MARK_ARRIVED:
            return b"STATE_EVIDENCE: a piece arrived unopposed without arriving"
        if marks & MARK_ARRIVED and not _ends_by(rules, END_FLAG_REACHED):
            return b"STATE_EVIDENCE: a piece arrived in a game without goals"
        if marks & MARK_ENTERED and not _has_enemy_headquarters(rules, seat):
            return b"STATE_EVIDENCE: a piece entered headquarters in a game without them"
        if marks & MARK_ENTERED and rules.role[position.kind[piece]] & ROLE_ENTERS and _ends_by(
            rules, END_HEADQUARTERS_ENTERED
        ):
            if position.reason != REASON_HEADQUARTERS_ENTERED or position.square[piece] != position.last_target:
                return b"STATE_EVIDENCE: a piece entered headquarters, and the match went on"
    if moved > <int>min(position.ply, <uint32_t>255) or (position.ply and not moved):
        return b"STATE_EVIDENCE: more pieces have moved than there were moves"
    if evidence.battles > position.ply:
        return b"STATE_EVIDENCE: more battles than moves"
    for index in range(evidence.battles):
        attacker, defender = evidence.battle[index][0], evidence.battle[index][1]
        outcome = evidence.battle[index][2]
        seat, other = owner_of(position, attacker), owner_of(position, defender)
        if rules.team[seat] == rules.team[other] or gone[attacker] or gone[defender]:
            return b"STATE_EVIDENCE: a battle that cannot have been"
        if not evidence.marks[attacker] & MARK_MOVED:
            return b"STATE_EVIDENCE: a piece attacked without moving"
        if outcome != rules.outcome[position.kind[attacker]][position.kind[defender]]:
            return b"STATE_EVIDENCE: a battle went as it cannot between its kinds"
        if outcome & FLAG_FALLS and not rules.last_side_wins and index != evidence.battles - 1:
            return b"STATE_EVIDENCE: a flag fell, and the match went on"
        gone[attacker] = outcome & OUTCOME_MASK != ATTACKER_SURVIVES
        gone[defender] = outcome & OUTCOME_MASK != DEFENDER_SURVIVES
        mark_battle(rules, evidence, attacker, defender)
    for piece in range(pieces_of(position)):
        seat = owner_of(position, piece)
        if position.out >> seat & 1:
            if position.square[piece] != OFF:
                return b"STATE_OCCUPANCY: a seat that is out has a piece on the board"
        elif rules.displacement and (position.square[piece] == OFF) != gone[piece]:
            return b"STATE_OCCUPANCY: a piece is off the board without a battle, or on it after one that removed it"
    if rules.displacement and (evidence.battles == 0) != (position.quiet == position.ply):
        return b"STATE_EVIDENCE: the quiet plies and the battles do not agree"
    if not rules.displacement and not position.out:
        if (position.quiet == position.ply) != (_standing(position) == pieces_of(position)):
            return b"STATE_EVIDENCE: the quiet plies and the captures do not agree"
    if not rules.displacement and not rules.last_side_wins and position.reason != REASON_OBJECTIVE_CAPTURED:
        for piece in range(pieces_of(position)):
            if position.square[piece] == OFF and rules.role[position.kind[piece]] & ROLE_OBJECTIVE:
                return b"STATE_OCCUPANCY: an objective was captured, and the match went on"
    return NULL


cdef int _standing(const Position *position) noexcept nogil:
    cdef int seat, standing = 0
    for seat in range(1, MAX_SEATS + 1):
        standing += position.alive[seat]
    return standing


cdef bint _has_enemy_headquarters(const Rules *rules, uint8_t seat) noexcept nogil:
    cdef int square
    for square in range(rules.squares):
        if rules.headquarters[square] and rules.team[rules.headquarters[square]] != rules.team[seat]:
            return True
    return False


cdef const char *_goes_on(const Rules *rules, Position *position, const History *history) noexcept nogil:
    """A match in play must not already have ended."""
    cdef uint8_t target = position.last_target, seat, claimant = 0
    if not has_legal_move(rules, position, history):
        return b"STATE_PHASE: the seat to move has no legal move, but the match goes on"
    if rules.ply_limit and position.ply >= rules.ply_limit or rules.quiet_limit and position.quiet >= rules.quiet_limit:
        return b"STATE_PHASE: a limit has been reached, but the match goes on"
    if rules.keeps_history and history.length >= MAX_HISTORY:
        return b"STATE_PHASE: a limit has been reached, but the match goes on"
    if rules.occurrences and occurrences(position, history) >= rules.occurrences:
        return b"STATE_PHASE: a repetition has been reached, but the match goes on"
    if _ends_by(rules, END_FLAG_REACHED) and rules.seats == 2:
        if position.ply:
            seat = position.seat_at[target]
            if (
                seat == 3 - position.to_move
                and rules.goal[target] >> seat & 1
                and rules.role[position.kind[position.piece_at[target]]] & ROLE_CLAIMS
            ):
                claimant = seat
                if rules.arrival_adjacent and not touches_enemy(rules, position, seat, target):
                    return b"STATE_PHASE: an unopposed arrival, but the match goes on"
        if position.claims != ((1 << claimant) if claimant else 0):
            return b"STATE_PHASE: a claim without an arrival, or an arrival without a claim"
    return NULL


cdef const char *_has_ended(
    const Rules *rules, Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """The reason and the winners must fit the position."""
    cdef uint8_t reason = position.reason, winners = position.winners, seat, loser = 0, fallen
    cdef uint8_t seats = <uint8_t>((1 << (rules.seats + 1)) - 2)
    cdef uint8_t battle = evidence.battle[evidence.battles - 1][2] if evidence.battles else 0
    cdef bint stuck
    cdef int piece
    if reason > REASON_ADJUDICATED or reason == REASON_LINE_OF_FIVE:
        return b"STATE_RESULT: no such reason"
    for seat in range(1, rules.seats + 1):
        if winners >> seat & 1:
            if side_of(rules, rules.team[seat]) & ~winners:
                return b"STATE_RESULT: a seat wins without its partner"
        else:
            loser = seat
    if winners == seats:
        return b"STATE_RESULT: everybody wins"
    if reason in (REASON_REPETITION, REASON_AGREED_DRAW, REASON_PLY_LIMIT):
        if winners:
            return b"STATE_RESULT: a draw with winners"
    elif reason == REASON_NO_LEGAL_MOVE:
        if not winners and not (rules.both_stuck_draws or rules.stuck_passes):
            return b"STATE_RESULT: a draw that the game does not know"
    elif reason != REASON_ADJUDICATED and not winners:
        return b"STATE_RESULT: a win without winners"
    if not position.begun and reason not in (
        REASON_RESIGNED, REASON_TIME, REASON_ABANDONMENT, REASON_RULING, REASON_ADJUDICATED, REASON_ELIMINATED
    ):
        return b"STATE_RESULT: an end in play, but play has not begun"
    if reason == REASON_ELIMINATED:
        if not rules.last_side_wins or (position.out | winners) != seats:
            return b"STATE_RESULT: eliminated, but others are in play"
    elif rules.last_side_wins and reason in (
        REASON_OBJECTIVE_CAPTURED, REASON_CAPTURE_THRESHOLD, REASON_FLAG_CAPTURED, REASON_RESIGNED, REASON_TIME,
        REASON_ABANDONMENT, REASON_RULING,
    ):
        return b"STATE_RESULT: a reason for which a seat goes out, and the match goes on"
    if not rules.last_side_wins and (battle & FLAG_FALLS != 0) != (reason == REASON_FLAG_CAPTURED):
        return b"STATE_RESULT: a flag fell for another reason, or none fell"
    if reason == REASON_FLAG_CAPTURED:
        if position.quiet:
            return b"STATE_RESULT: the last move captured no flag"
        fallen = evidence.battle[evidence.battles - 1][
            0 if battle & OUTCOME_MASK == DEFENDER_SURVIVES else 1
        ]
        if winners >> owner_of(position, fallen) & 1:
            return b"STATE_RESULT: the owner of the captured flag wins"
    elif reason == REASON_OBJECTIVE_CAPTURED:
        stuck = False
        for piece in range(pieces_of(position)):
            if position.square[piece] == OFF and rules.role[position.kind[piece]] & ROLE_OBJECTIVE:
                stuck = True
                if winners >> owner_of(position, piece) & 1:
                    return b"STATE_RESULT: the owner of the captured objective wins"
        if not stuck or position.quiet or not _ends_by(rules, END_OBJECTIVE_CAPTURED):
            return b"STATE_RESULT: no objective was captured"
    elif reason == REASON_CAPTURE_THRESHOLD:
        if position.quiet or not _ends_by(rules, END_CAPTURE_THRESHOLD) or position.alive[loser] > rules.threshold:
            return b"STATE_RESULT: the loser has more pieces than the threshold"
    elif reason == REASON_HEADQUARTERS_ENTERED:
        seat = position.seat_at[position.last_target]
        if (
            not _ends_by(rules, END_HEADQUARTERS_ENTERED)
            or position.ply == 0
            or seat == 0
            or not winners >> seat & 1
            or not evidence.marks[position.piece_at[position.last_target]] & MARK_ENTERED
            or not rules.role[position.kind[position.piece_at[position.last_target]]] & ROLE_ENTERS
        ):
            return b"STATE_RESULT: no headquarters was entered"
    elif reason == REASON_FLAG_REACHED:
        if not _ends_by(rules, END_FLAG_REACHED) or not _stands_on_goal(rules, position, evidence):
            return b"STATE_RESULT: no flag has reached its goal"
    elif reason == REASON_REPETITION:
        if not rules.occurrences or not _repeats(rules, position, history):
            return b"STATE_RESULT: the position has not been repeated often enough"
    elif reason == REASON_PLY_LIMIT:
        if not (
            (rules.ply_limit and position.ply >= rules.ply_limit)
            or (rules.quiet_limit and position.quiet >= rules.quiet_limit)
            or (rules.keeps_history and history.length >= MAX_HISTORY)
        ):
            return b"STATE_RESULT: no limit has been reached"
    elif reason == REASON_NO_LEGAL_MOVE and rules.seats == 2:
        if winners:
            position.to_move = loser
            stuck = not has_legal_move(rules, position, history)
            position.to_move = 0
        else:
            stuck = not can_move(rules, position, 1) and not can_move(rules, position, 2)
        if not stuck:
            return b"STATE_RESULT: the loser has a legal move"
    return NULL


cdef bint _stands_on_goal(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    cdef int piece
    for piece in range(pieces_of(position)):
        if (
            position.winners >> owner_of(position, piece) & 1
            and position.square[piece] != OFF
            and evidence.marks[piece] & MARK_ARRIVED
            and rules.role[position.kind[piece]] & ROLE_CLAIMS
            and rules.goal[position.square[piece]] >> owner_of(position, piece) & 1
        ):
            return True
    return False


cdef bint _repeats(const Rules *rules, Position *position, const History *history) noexcept nogil:
    cdef bint enough
    if position.ply == 0 or position.seat_at[position.last_target] == 0:
        return False
    position.to_move = <uint8_t>(position.seat_at[position.last_target] % rules.seats + 1)
    while position.out >> position.to_move & 1:
        position.to_move = <uint8_t>(position.to_move % rules.seats + 1)
    enough = occurrences(position, history) >= rules.occurrences
    position.to_move = 0
    return enough
