# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""The checks on how a state says that its match ended, and that a match which goes on has not ended already."""

from libc.stdint cimport uint8_t

from engine_core.endings cimport completes_line, lead_reached, occurrences, target_reached
from engine_core.integrity cimport ended_by_decision, ends_by, mover_of, owner_of, pieces_of, taking_turns
from engine_core.moves cimport can_move, has_legal_move
from engine_core.referee cimport side_of
from engine_core.state cimport ENDED, MARK_ARRIVED, MARK_ENTERED, MARK_UNOPPOSED, OFF, PLAY
from engine_core.tables cimport (
    DEFENDER_SURVIVES, END_CAPTURE_THRESHOLD, END_FLAG_REACHED, END_HEADQUARTERS_ENTERED, END_OBJECTIVE_CAPTURED,
    FLAG_FALLS, MAX_HISTORY, OUTCOME_MASK, REASON_ABANDONMENT, REASON_ADJUDICATED, REASON_AGREED_DRAW,
    REASON_CAPTURE_THRESHOLD, REASON_ELIMINATED, REASON_FLAG_CAPTURED, REASON_FLAG_REACHED,
    REASON_HEADQUARTERS_ENTERED, REASON_LINE_OF_FIVE, REASON_NO_LEGAL_MOVE, REASON_OBJECTIVE_CAPTURED,
    REASON_PLY_LIMIT, REASON_REPETITION, REASON_RESIGNED, REASON_RULING, REASON_TIME, ROLE_CLAIMS, ROLE_ENTERS,
    ROLE_OBJECTIVE,
)


cdef const char *result_fault(
    const Rules *rules, Position *position, const Evidence *evidence, const History *history, bint kinds_known
) noexcept nogil:
    """NULL when the result fits; otherwise "REASON: text". Kinds that are guessed say nothing about who can move."""
    cdef const char *fault = NULL
    if position.phase == PLAY:
        if kinds_known and not has_legal_move(rules, position, history):
            return b"STATE_PHASE: the seat to move has no legal move, but the match goes on"
        fault = _goes_on(rules, position, evidence, history)
        if fault == NULL and ends_by(rules, END_FLAG_REACHED) and rules.seats == 2:
            fault = _claims(rules, position)
    elif position.phase == ENDED:
        fault = _reason(rules, position, evidence)
        if fault == NULL and position.begun:
            fault = _holds(rules, position, evidence, history)
        if fault == NULL and position.begun and taking_turns(rules):
            fault = _had_not_ended(rules, position, evidence, history)
    return fault


cdef inline bint _limit_reached(const Rules *rules, const Position *position, const History *history) noexcept nogil:
    return (
        (rules.ply_limit and position.ply >= rules.ply_limit)
        or (rules.quiet_limit and position.quiet >= rules.quiet_limit)
        or (rules.keeps_history and history.length >= MAX_HISTORY)
    )


cdef const char *_goes_on(
    const Rules *rules, const Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """Nothing in a position with a seat to move may have ended the match."""
    cdef uint8_t other
    cdef int piece
    if _limit_reached(rules, position, history):
        return b"STATE_PHASE: a limit has been reached, but the match goes on"
    if rules.occurrences and occurrences(position, history.moves, history.length) >= rules.occurrences:
        return b"STATE_PHASE: a repetition has been reached, but the match goes on"
    if position.ply and _won_by_last_move(rules, position):
        return b"STATE_PHASE: the last move has won, but the match goes on"
    if position.ply and ends_by(rules, END_CAPTURE_THRESHOLD):
        for other in range(1, rules.seats + 1):
            if (
                not position.out >> other & 1
                and position.alive[other] <= rules.threshold
                and position.alive[other] < position.first[other + 1] - position.first[other]
            ):
                return b"STATE_PHASE: a seat is at the threshold, but the match goes on"
    for piece in range(pieces_of(position)):
        if (
            rules.seats == 2
            and evidence.marks[piece] & MARK_ARRIVED
            and rules.role[position.kind[piece]] & ROLE_CLAIMS
            and (
                _arrived(rules, position) == 0
                or position.square[piece] != position.last_target
                or (rules.arrival_adjacent and evidence.marks[piece] & MARK_UNOPPOSED)
            )
        ):
            return b"STATE_PHASE: a claim should have been decided, but the match goes on"
    return NULL


cdef bint _won_by_last_move(const Rules *rules, const Position *position) noexcept nogil:
    """A line, a target of captures, or a lead: that of the seat to move, or one that had been kept before."""
    cdef uint8_t mover = position.seat_at[position.last_target], seat
    if rules.line_length and mover and completes_line(rules, position, mover, position.last_target):
        return True
    if rules.capture_target:
        for seat in range(1, rules.seats + 1):
            if position.quiet < position.ply and target_reached(rules, position, seat):
                return True
    if rules.capture_lead:
        if position.to_move and lead_reached(rules, position, position.to_move):
            return True
        return mover and position.quiet and lead_reached(rules, position, mover)
    return False


cdef uint8_t _arrived(const Rules *rules, const Position *position) noexcept nogil:
    """The seat whose claiming piece has just ended its move on its goal, or 0."""
    cdef uint8_t target = position.last_target
    cdef uint8_t seat = position.seat_at[target] if position.ply else 0
    if (
        seat
        and seat == mover_of(rules, position, position.ply)
        and rules.goal[target] >> seat & 1
        and rules.role[position.kind[position.piece_at[target]]] & ROLE_CLAIMS
    ):
        return seat
    return 0


cdef const char *_claims(const Rules *rules, const Position *position) noexcept nogil:
    cdef uint8_t seat = _arrived(rules, position)
    if position.claims != ((1 << seat) if seat else 0):
        return b"STATE_PHASE: a claim without an arrival, or an arrival without a claim"
    return NULL


cdef const char *_reason(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    """The reason is one of these rules, and the winners are a side that it can have."""
    cdef uint8_t reason = position.reason, winners = position.winners, seat
    cdef uint8_t seats = <uint8_t>((1 << (rules.seats + 1)) - 2)
    cdef int sides = 0
    if reason > REASON_ADJUDICATED or (reason == REASON_LINE_OF_FIVE and not rules.line_length):
        return b"STATE_RESULT: no such reason"
    for seat in range(1, rules.seats + 1):
        if winners >> seat & 1:
            if side_of(rules, rules.team[seat]) & ~winners:
                return b"STATE_RESULT: a seat wins without its partner"
            sides += winners != side_of(rules, rules.team[seat])
    if winners == seats:
        return b"STATE_RESULT: everybody wins"
    if sides and reason != REASON_ADJUDICATED:
        return b"STATE_RESULT: two sides win"
    if reason in (REASON_REPETITION, REASON_AGREED_DRAW, REASON_PLY_LIMIT):
        if winners:
            return b"STATE_RESULT: a draw with winners"
    elif reason == REASON_NO_LEGAL_MOVE:
        if not winners and not (rules.both_stuck_draws or rules.stuck_passes):
            return b"STATE_RESULT: a draw that the game does not know"
        if winners and (rules.stuck_passes or rules.last_side_wins):
            return b"STATE_RESULT: a seat without a move does not lose here"
    elif reason != REASON_ADJUDICATED and not winners:
        return b"STATE_RESULT: a win without winners"
    if not position.begun and (
        not (ended_by_decision(reason) or reason == REASON_ELIMINATED) or reason == REASON_AGREED_DRAW
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
    return NULL


cdef const char *_holds(
    const Rules *rules, Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """What the reason says is so on the board, and done by the side that wins by it."""
    cdef uint8_t reason = position.reason, winners = position.winners
    cdef uint8_t battle = evidence.battle[evidence.battles - 1][2] if evidence.battles else 0
    cdef uint8_t seat = position.seat_at[position.last_target] if position.ply else 0
    cdef uint8_t piece = position.piece_at[position.last_target] if seat else 0
    cdef uint8_t fallen, other
    cdef bint found = False
    cdef int index
    if not rules.last_side_wins and (battle & FLAG_FALLS != 0) != (reason == REASON_FLAG_CAPTURED):
        return b"STATE_RESULT: a flag fell for another reason, or none fell"
    if reason == REASON_FLAG_CAPTURED:
        fallen = evidence.battle[evidence.battles - 1][0 if battle & OUTCOME_MASK == DEFENDER_SURVIVES else 1]
        if position.quiet or winners >> owner_of(position, fallen) & 1:
            return b"STATE_RESULT: the winner did not capture a flag with the last move"
    elif reason == REASON_OBJECTIVE_CAPTURED:
        for index in range(pieces_of(position)):
            if position.square[index] == OFF and rules.role[position.kind[index]] & ROLE_OBJECTIVE:
                found = True
                if winners >> owner_of(position, index) & 1:
                    return b"STATE_RESULT: the owner of the captured objective wins"
        if not (found and seat and winners >> seat & 1) or position.quiet or not ends_by(rules, END_OBJECTIVE_CAPTURED):
            return b"STATE_RESULT: the winner captured no objective with the last move"
    elif reason == REASON_LINE_OF_FIVE:
        if not (seat and winners >> seat & 1 and completes_line(rules, position, seat, position.last_target)):
            return b"STATE_RESULT: the last move completed no line of the winner"
    elif reason == REASON_CAPTURE_THRESHOLD and rules.capture_lead and lead_reached(
        rules, position, 1 if winners >> 1 & 1 else 2
    ) and not (seat and winners >> seat & 1):
        if position.quiet > 1:
            return b"STATE_RESULT: the lead had won a turn before"
    elif reason == REASON_CAPTURE_THRESHOLD and rules.capture_target:
        if position.quiet or not (seat and winners >> seat & 1 and target_reached(rules, position, seat)):
            return b"STATE_RESULT: the last move did not reach the target of captures"
    elif reason == REASON_CAPTURE_THRESHOLD:
        for other in range(1, rules.seats + 1):
            found |= not winners >> other & 1 and position.alive[other] <= rules.threshold
        if not rules.displacement and not (seat and winners >> seat & 1):
            found = False
        if not found or position.quiet or not ends_by(rules, END_CAPTURE_THRESHOLD):
            return b"STATE_RESULT: the last move left no loser at the threshold"
    elif reason == REASON_HEADQUARTERS_ENTERED:
        if not (
            ends_by(rules, END_HEADQUARTERS_ENTERED)
            and seat
            and winners >> seat & 1
            and evidence.marks[piece] & MARK_ENTERED
            and rules.headquarters[position.last_target]
            and rules.role[position.kind[piece]] & ROLE_ENTERS
        ):
            return b"STATE_RESULT: the last move entered no headquarters"
    elif reason == REASON_FLAG_REACHED:
        if not ends_by(rules, END_FLAG_REACHED) or not _reached(rules, position, evidence):
            return b"STATE_RESULT: no flag has reached its goal"
    elif reason == REASON_REPETITION:
        position.to_move = _next_to_move(rules, position)
        found = rules.occurrences and occurrences(position, history.moves, history.length) >= rules.occurrences
        position.to_move = 0
        if not found:
            return b"STATE_RESULT: the position has not been repeated often enough"
    elif reason == REASON_PLY_LIMIT:
        if not _limit_reached(rules, position, history):
            return b"STATE_RESULT: no limit has been reached"
    elif reason == REASON_NO_LEGAL_MOVE and not winners:
        for other in range(1, rules.seats + 1):
            if not position.out >> other & 1 and can_move(rules, position, other):
                return b"STATE_RESULT: a draw since nobody can move, but a seat can"
    return NULL


cdef uint8_t _next_to_move(const Rules *rules, const Position *position) noexcept nogil:
    """Whose turn it would be after a last move whose piece is still there."""
    cdef uint8_t seat = position.seat_at[position.last_target] if position.ply else 0
    if seat == 0:
        return position.first_seat
    seat = seat % rules.seats + 1
    while position.out >> seat & 1:
        seat = seat % rules.seats + 1
    return seat


cdef bint _reached(const Rules *rules, const Position *position, const Evidence *evidence) noexcept nogil:
    """A flag of the winner stands on its goal: unopposed and just arrived, or since before the last move."""
    cdef int piece
    cdef uint8_t seat, arrived = _arrived(rules, position)
    for piece in range(pieces_of(position)):
        seat = owner_of(position, piece)
        if not (
            position.winners >> seat & 1
            and position.square[piece] != OFF
            and evidence.marks[piece] & MARK_ARRIVED
            and rules.role[position.kind[piece]] & ROLE_CLAIMS
            and rules.goal[position.square[piece]] >> seat & 1
        ):
            continue
        if position.square[piece] != position.last_target:
            if seat != arrived and not (taking_turns(rules) and seat == mover_of(rules, position, position.ply)):
                return True
        elif rules.arrival_adjacent and evidence.marks[piece] & MARK_UNOPPOSED:
            return True
    return False


cdef const char *_had_not_ended(
    const Rules *rules, Position *position, const Evidence *evidence, const History *history
) noexcept nogil:
    """No ending that comes before the stated one may hold; after a decision from outside, none at all."""
    cdef const char *fault = NULL
    cdef uint8_t next_seat = mover_of(rules, position, position.ply + 1)
    cdef bint stuck
    if position.out:
        return NULL  # the pieces of the seat that was beaten are gone
    position.to_move = next_seat
    if position.reason in (REASON_REPETITION, REASON_NO_LEGAL_MOVE, REASON_PLY_LIMIT) and position.ply:
        if _won_by_last_move(rules, position):
            fault = b"STATE_RESULT: the last move has won before"
    elif position.reason == REASON_CAPTURE_THRESHOLD and rules.line_length and completes_line(
        rules, position, position.seat_at[position.last_target], position.last_target
    ):
        fault = b"STATE_RESULT: the line comes before the captures"
    stuck = not has_legal_move(rules, position, history)
    if fault == NULL and ended_by_decision(position.reason) and (
        stuck or _goes_on(rules, position, evidence, history) != NULL
    ):
        fault = b"STATE_RESULT: the match had ended before it was decided"
    elif position.reason == REASON_NO_LEGAL_MOVE and position.winners and not (
        stuck and not position.winners >> next_seat & 1
    ):
        fault = b"STATE_RESULT: the loser has a legal move"
    elif position.reason == REASON_PLY_LIMIT and (
        stuck
        or (rules.occurrences and occurrences(position, history.moves, history.length) >= rules.occurrences)
    ):
        fault = b"STATE_RESULT: another ending comes before the limit"
    elif position.reason == REASON_NO_LEGAL_MOVE and (
        rules.occurrences and occurrences(position, history.moves, history.length) >= rules.occurrences
    ):
        fault = b"STATE_RESULT: another ending comes before the lack of a move"
    position.to_move = 0
    return fault
