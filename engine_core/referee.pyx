# cython: language_level=3, auto_pickle=False, boundscheck=False, wraparound=False, cdivision=True
"""What a move does: battles, captures, endings in their order of precedence, and whose turn is next."""

from libc.stdint cimport int16_t, uint16_t
from libc.string cimport memmove

from engine_core.adjacency cimport adjacent, touches_enemy
from engine_core.custodial cimport captures_around
from engine_core.endings cimport completes_line, lead_reached, occurrences, target_reached
from engine_core.integrity cimport owner_of
from engine_core.moves cimport can_move, has_legal_move
from engine_core.state cimport ENDED, OFF, PLAY
from engine_core.tables cimport (
    ATTACKER_SURVIVES, DEFENDER_SURVIVES, FLAG_FALLS, MAX_HISTORY, NONE, OUTCOME_MASK, END_CAPTURE_LEAD,
    END_CAPTURE_TARGET, END_CAPTURE_THRESHOLD, END_FLAG_CAPTURED, END_FLAG_REACHED, END_HEADQUARTERS_ENTERED,
    END_NO_LEGAL_MOVE, END_LINE, END_OBJECTIVE_CAPTURED, END_REPETITION, REASON_CAPTURE_THRESHOLD,
    REASON_ELIMINATED, REASON_FLAG_CAPTURED, REASON_FLAG_REACHED, REASON_HEADQUARTERS_ENTERED, REASON_LINE_OF_FIVE,
    REASON_NO_LEGAL_MOVE, REASON_OBJECTIVE_CAPTURED, REASON_PLY_LIMIT, REASON_REPETITION, ROLE_CLAIMS,
    ROLE_ENTERS, ROLE_OBJECTIVE,
)


cdef void apply_move(
    const Rules *rules, Position *position, History *history, uint8_t source, uint8_t target, Outcome *outcome
) noexcept nogil:
    """Make a legal move of the seat to move, with all that follows from it."""
    cdef uint8_t seat = position.to_move
    cdef uint8_t piece = position.piece_at[source]
    cdef uint8_t taken[255]
    cdef int count, index
    clear_outcome(outcome)
    position.ply += 1
    position.quiet += 1
    if position.agreed and not position.agreed >> seat & 1:
        position.agreed = 0
        outcome.lapsed = True
    if position.seat_at[target] != 0:
        _battle(rules, position, piece, target, outcome)
    else:
        _move(position, piece, target)
        outcome.survives = True
    if rules.custodial:
        count = captures_around(rules, position, seat, target, taken)
        for index in range(count):
            _capture(rules, position, taken[index], outcome)
    if outcome.battle or outcome.captured:
        position.quiet = 0
    if rules.two_squares:
        _remember(rules, position, seat, <uint16_t>(source << 8 | target))
    if rules.more_squares:
        _follow_chase(rules, position, history, source, target, outcome)
    elif rules.occurrences:
        if outcome.captured:
            history.length = 0
        else:
            history.moves[history.length] = <uint16_t>(source << 8 | target)
            history.length += 1
    position.last_source = source
    position.last_target = target
    position.to_move = _following(rules, position, seat)
    _endings(rules, position, history, seat, piece, target, outcome)
    if position.phase == PLAY:
        _limits(rules, position, history)


cdef void begin_play(const Rules *rules, Position *position, History *history, Outcome *outcome) noexcept nogil:
    """Begin play with the first seat, or the next one that is in play; it may be stuck from the start."""
    clear_outcome(outcome)
    position.to_move = position.first_seat
    position.phase = PLAY
    position.begun = True
    _skip_the_out(rules, position)
    _resolve_stuck(rules, position, history, outcome)


cdef void leave(
    const Rules *rules, Position *position, History *history, uint8_t seat, uint8_t cause, Outcome *outcome
) noexcept nogil:
    """A seat gives up or is forfeited: it is beaten for `cause`, and the turn goes on if it was its turn."""
    cdef bint its_turn = position.to_move == seat
    clear_outcome(outcome)
    _beat(rules, position, seat, cause, outcome)
    if position.phase == PLAY and outcome.eliminations:
        if its_turn:
            position.to_move = _following(rules, position, seat)
            _ripen(rules, position)
            if position.phase == PLAY:
                _resolve_stuck(rules, position, history, outcome)


cdef void finish(Position *position, uint8_t winners, uint8_t reason) noexcept nogil:
    """End the match: the mask of the winning seats, 0 for a draw, and the reason."""
    position.phase = ENDED
    position.to_move = 0
    position.winners = winners
    position.reason = reason
    position.agreed = 0
    position.claims = 0


cdef void clear_outcome(Outcome *outcome) noexcept nogil:
    outcome.battle = 0
    outcome.captured = 0
    outcome.survives = False
    outcome.lapsed = False
    outcome.claimed = False
    outcome.passes = 0
    outcome.eliminations = 0


cdef inline void _move(Position *position, uint8_t piece, uint8_t target) noexcept nogil:
    """Put a piece of the board on an empty square."""
    cdef uint8_t source = position.square[piece]
    position.seat_at[target] = position.seat_at[source]
    position.seat_at[source] = 0
    position.piece_at[target] = piece
    position.square[piece] = target


cdef inline void _remove(Position *position, uint8_t piece) noexcept nogil:
    cdef uint8_t square = position.square[piece]
    position.alive[position.seat_at[square]] -= 1
    position.seat_at[square] = 0
    position.square[piece] = OFF


cdef inline void _capture(const Rules *rules, Position *position, uint8_t piece, Outcome *outcome) noexcept nogil:
    cdef uint8_t square = position.square[piece]
    cdef uint8_t seat = position.seat_at[square]
    outcome.captured_piece[outcome.captured] = piece
    outcome.captured_square[outcome.captured] = square
    outcome.captured += 1
    # A claim falls with its piece.
    if (position.claims & rules.goal[square]) >> seat & 1 and rules.role[position.kind[piece]] & ROLE_CLAIMS:
        position.claims &= ~(1 << seat)
    _remove(position, piece)


cdef uint8_t _support(const Rules *rules, const Position *position, uint8_t seat, uint8_t square) noexcept nogil:
    """The piece of a seat right behind a square, or NONE."""
    cdef uint8_t behind = rules.behind[seat][square]
    return position.piece_at[behind] if behind != NONE and position.seat_at[behind] == seat else NONE


cdef void _battle(
    const Rules *rules, Position *position, uint8_t attacker, uint8_t target, Outcome *outcome
) noexcept nogil:
    cdef uint8_t defender = position.piece_at[target]
    outcome.attacker = attacker
    outcome.defender = defender
    outcome.support = NONE
    if rules.borrowers:
        outcome.support = _support(rules, position, position.seat_at[target], target)
    outcome.battle = battle_outcome(rules, position, attacker, defender, outcome.support)
    cdef uint8_t result = outcome.battle & OUTCOME_MASK
    if result != ATTACKER_SURVIVES:
        _capture(rules, position, attacker, outcome)
    if result != DEFENDER_SURVIVES:
        _capture(rules, position, defender, outcome)
    if result == ATTACKER_SURVIVES:
        _move(position, attacker, target)
        outcome.survives = True


cdef void _remember(const Rules *rules, Position *position, uint8_t seat, uint16_t move) noexcept nogil:
    cdef uint8_t kept = position.recent_count[seat]
    if kept == rules.two_squares:
        memmove(&position.recent[seat][0], &position.recent[seat][1], (kept - 1) * sizeof(uint16_t))
        kept -= 1
    position.recent[seat][kept] = move
    position.recent_count[seat] = kept + 1


cdef void _follow_chase(
    const Rules *rules, Position *position, History *history, uint8_t source, uint8_t target, const Outcome *outcome
) noexcept nogil:
    """Keep, for each seat, since when it has been chasing, and the moves since the older of the two chases began."""
    cdef uint8_t seat = position.to_move
    cdef uint8_t opponent = 3 - seat
    cdef bint threat = outcome.survives and touches_enemy(rules, position, seat, target)
    cdef int oldest
    if outcome.battle:
        position.chase[1] = position.chase[2] = -1
        history.length = 0
    else:
        history.moves[history.length] = <uint16_t>(source << 8 | target)
        history.length += 1
        # An evasion is a reply with a piece that stood next to where the threatening piece has just arrived.
        if position.chase[opponent] >= 0 and not adjacent(rules, source, position.last_target):
            position.chase[opponent] = -1
    if not threat:
        position.chase[seat] = -1
    elif position.chase[seat] < 0:
        position.chase[seat] = <int16_t>history.length
    if position.chase[1] < 0 or position.chase[2] < 0:
        oldest = max(position.chase[1], position.chase[2])
    else:
        oldest = min(position.chase[1], position.chase[2])
    if oldest < 0:
        history.length = 0
    elif oldest > 0:
        memmove(&history.moves[0], &history.moves[oldest], (history.length - oldest) * sizeof(uint16_t))
        history.length -= oldest
        if position.chase[1] >= 0:
            position.chase[1] -= <int16_t>oldest
        if position.chase[2] >= 0:
            position.chase[2] -= <int16_t>oldest


cdef inline uint8_t _following(const Rules *rules, const Position *position, uint8_t seat) noexcept nogil:
    """The next seat in play after `seat`."""
    cdef uint8_t following = seat
    while True:
        following = following % rules.seats + 1
        if not position.out >> following & 1:
            return following


cdef uint8_t side_of(const Rules *rules, uint8_t team) noexcept nogil:
    """The mask of the seats of a team, those that are out included."""
    cdef uint8_t seat, mask = 0
    for seat in range(1, rules.seats + 1):
        if rules.team[seat] == team:
            mask |= 1 << seat
    return mask


cdef void _beat(
    const Rules *rules, Position *position, uint8_t seat, uint8_t cause, Outcome *outcome
) noexcept nogil:
    """A seat is beaten: with more than two it leaves. The match ends, or play goes on until one side is left."""
    cdef uint8_t other = seat % rules.seats + 1
    cdef int piece
    while rules.team[other] == rules.team[seat]:
        other = other % rules.seats + 1
    if not rules.last_side_wins and rules.seats == 2:
        finish(position, side_of(rules, rules.team[other]), cause)
        return
    position.out |= 1 << seat
    position.claims &= ~(1 << seat)
    if position.agreed:
        position.agreed = 0
        outcome.lapsed = True
    outcome.eliminated[outcome.eliminations] = seat
    outcome.cause[outcome.eliminations] = cause
    outcome.eliminations += 1
    for piece in range(position.first[seat], position.first[seat + 1]):
        if position.square[piece] != OFF:
            _remove(position, <uint8_t>piece)
    if not rules.last_side_wins:
        finish(position, side_of(rules, rules.team[other]), cause)
        return
    other = _following(rules, position, seat)
    if position.out | side_of(rules, rules.team[other]) == (1 << (rules.seats + 1)) - 2:
        finish(position, side_of(rules, rules.team[other]), REASON_ELIMINATED)


cdef void _endings(
    const Rules *rules,
    Position *position,
    History *history,
    uint8_t seat,
    uint8_t piece,
    uint8_t target,
    Outcome *outcome,
) noexcept nogil:
    """Look at each ending in its order of precedence; the first that holds decides."""
    cdef bint claims = False  # whether it is time to decide them
    cdef int place
    cdef uint8_t ending, other
    for place in range(rules.endings):
        ending = rules.ending[place]
        if ending == END_OBJECTIVE_CAPTURED:
            _objective(rules, position, outcome)
        elif ending == END_FLAG_CAPTURED:
            if outcome.battle & FLAG_FALLS:
                if outcome.battle & OUTCOME_MASK == DEFENDER_SURVIVES:
                    _beat(rules, position, seat, REASON_FLAG_CAPTURED, outcome)
                else:
                    other = owner_of(position, outcome.defender)
                    _beat(rules, position, other, REASON_FLAG_CAPTURED, outcome)
                _skip_the_out(rules, position)
        elif ending == END_HEADQUARTERS_ENTERED:
            other = rules.headquarters[target]
            if (
                outcome.survives
                and other != 0
                and rules.team[other] != rules.team[seat]
                and rules.role[position.kind[piece]] & ROLE_ENTERS
            ):
                finish(position, side_of(rules, rules.team[seat]), REASON_HEADQUARTERS_ENTERED)
        elif ending == END_FLAG_REACHED:
            _arrive(rules, position, seat, piece, target, outcome)
            claims = True
        elif ending == END_CAPTURE_THRESHOLD:
            if outcome.captured:
                _thin_out(rules, position, seat, outcome)
        elif ending == END_CAPTURE_TARGET:
            if outcome.captured and target_reached(rules, position, seat):
                finish(position, side_of(rules, rules.team[seat]), REASON_CAPTURE_THRESHOLD)
        elif ending == END_CAPTURE_LEAD:
            if lead_reached(rules, position, position.to_move):
                finish(position, side_of(rules, rules.team[position.to_move]), REASON_CAPTURE_THRESHOLD)
        elif ending == END_LINE:
            if outcome.survives and completes_line(rules, position, seat, target):
                finish(position, side_of(rules, rules.team[seat]), REASON_LINE_OF_FIVE)
        elif ending == END_REPETITION:
            if occurrences(position, history.moves, history.length) >= rules.occurrences:
                finish(position, 0, REASON_REPETITION)
        elif ending == END_NO_LEGAL_MOVE:
            _resolve_stuck(rules, position, history, outcome)
        if claims and position.phase == PLAY:
            _ripen(rules, position)  # the turn may have come to another seat
        if position.phase == ENDED:
            return


cdef inline void _skip_the_out(const Rules *rules, Position *position) noexcept nogil:
    if position.phase == PLAY and position.out >> position.to_move & 1:
        position.to_move = _following(rules, position, position.to_move)


cdef void _objective(const Rules *rules, Position *position, Outcome *outcome) noexcept nogil:
    cdef int index
    cdef uint8_t piece
    for index in range(outcome.captured):
        piece = outcome.captured_piece[index]
        if position.phase == PLAY and rules.role[position.kind[piece]] & ROLE_OBJECTIVE:
            _beat(rules, position, owner_of(position, piece), REASON_OBJECTIVE_CAPTURED, outcome)
    _skip_the_out(rules, position)


cdef void _thin_out(const Rules *rules, Position *position, uint8_t mover, Outcome *outcome) noexcept nogil:
    """Seats that a capture has left with too few pieces are beaten: the others in turn, and the mover last."""
    cdef uint8_t seat = mover, reduced = 0
    cdef int index, _
    for index in range(outcome.captured):
        reduced |= 1 << owner_of(position, outcome.captured_piece[index])
    for _ in range(rules.seats):
        seat = seat % rules.seats + 1
        if (
            position.phase == PLAY
            and (reduced & ~position.out) >> seat & 1
            and position.alive[seat] <= rules.threshold
        ):
            _beat(rules, position, seat, REASON_CAPTURE_THRESHOLD, outcome)
    _skip_the_out(rules, position)


cdef void _arrive(
    const Rules *rules, Position *position, uint8_t seat, uint8_t piece, uint8_t target, Outcome *outcome
) noexcept nogil:
    if not (outcome.survives and rules.goal[target] >> seat & 1 and rules.role[position.kind[piece]] & ROLE_CLAIMS):
        return
    if rules.arrival_adjacent and not touches_enemy(rules, position, seat, target):
        finish(position, side_of(rules, rules.team[seat]), REASON_FLAG_REACHED)
        return
    position.claims |= 1 << seat
    outcome.claimed = True


cdef void _ripen(const Rules *rules, Position *position) noexcept nogil:
    """A claim holds when the turn comes back to its seat: every other seat has had one complete turn."""
    if position.claims >> position.to_move & 1:
        finish(position, side_of(rules, rules.team[position.to_move]), REASON_FLAG_REACHED)


cdef void _resolve_stuck(const Rules *rules, Position *position, History *history, Outcome *outcome) noexcept nogil:
    """While the seat about to move has no legal move it is passed over or beaten, one seat after the other."""
    cdef uint8_t stuck, following, seat
    cdef int in_play
    cdef bint everybody
    while not has_legal_move(rules, position, history):
        stuck = position.to_move
        following = _following(rules, position, stuck)
        # Restrictions aside: a seat that could move but for them is not stuck in the sense of a draw.
        everybody = True
        in_play = 0
        for seat in range(1, rules.seats + 1):
            if not position.out >> seat & 1:
                in_play += 1
                everybody &= not can_move(rules, position, seat)
        if everybody and (rules.both_stuck_draws or rules.stuck_passes) or outcome.passes == in_play:
            finish(position, 0, REASON_NO_LEGAL_MOVE)
            return
        if rules.stuck_passes:
            outcome.passed[outcome.passes] = stuck
            outcome.passes += 1
        else:
            _beat(rules, position, stuck, REASON_NO_LEGAL_MOVE, outcome)
            if position.phase == ENDED:
                return
        position.to_move = following
        _ripen(rules, position)
        if position.phase == ENDED:
            return


cdef void _limits(const Rules *rules, Position *position, const History *history) noexcept nogil:
    if (
        (rules.ply_limit and position.ply >= rules.ply_limit)
        or (rules.quiet_limit and position.quiet >= rules.quiet_limit)
        or (rules.keeps_history and history.length >= MAX_HISTORY)
    ):
        finish(position, 0, REASON_PLY_LIMIT)
