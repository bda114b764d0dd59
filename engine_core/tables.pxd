"""The rules as C tables: what every other compiled module reads, and nothing writes after `Tables` is built."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t

cdef enum:
    NONE = 255  # no square, no piece
    BOARD_WORDS = 4  # of 64 squares each
    MAX_SEATS = 4
    MAX_KINDS = 32
    MAX_PATTERNS = 129  # one for each kind and seat, and 0 for pieces that never move
    MAX_ENDINGS = 12
    MAX_SHOWN = 255
    MAX_HISTORY = 4095  # moves without a capture that are kept; then the match is drawn

cdef enum BattleOutcome:
    ATTACKER_SURVIVES = 1
    DEFENDER_SURVIVES = 2
    BOTH_REMOVED = 3
    OUTCOME_MASK = 3
    FLAG_FALLS = 4  # with one of the others

cdef enum Reveal:
    REVEAL_NONE = 0
    REVEAL_EVENT = 1
    REVEAL_SHOWN = 2

cdef enum KindRole:
    ROLE_OBJECTIVE = 1  # its capture beats its owner
    ROLE_ENTERS = 2  # wins on an enemy headquarters
    ROLE_CLAIMS = 4  # claims on its goal
    ROLE_HERALD = 16  # its removal shows the heralded pieces of its seat
    ROLE_HERALDED = 32
    ROLE_BORROWS = 8  # defends with the strength of the piece of its side right behind it

cdef enum Ending:
    END_OBJECTIVE_CAPTURED = 1
    END_FLAG_CAPTURED = 2
    END_HEADQUARTERS_ENTERED = 3
    END_FLAG_REACHED = 4
    END_CAPTURE_THRESHOLD = 5
    END_REPETITION = 6
    END_NO_LEGAL_MOVE = 7
    END_CAPTURE_TARGET = 8
    END_CAPTURE_LEAD = 9
    END_LINE = 10

cdef enum Reason:
    # The place in REASONS, from 1; the codec writes these numbers.
    REASON_NONE = 0
    REASON_OBJECTIVE_CAPTURED = 1
    REASON_CAPTURE_THRESHOLD = 2
    REASON_NO_LEGAL_MOVE = 3
    REASON_FLAG_CAPTURED = 4
    REASON_FLAG_REACHED = 5
    REASON_HEADQUARTERS_ENTERED = 6
    REASON_REPETITION = 7
    REASON_LINE_OF_FIVE = 8
    REASON_RESIGNED = 9
    REASON_AGREED_DRAW = 10
    REASON_PLY_LIMIT = 11
    REASON_ELIMINATED = 12
    REASON_TIME = 13
    REASON_ABANDONMENT = 14
    REASON_RULING = 15
    REASON_ADJUDICATED = 16

cdef struct Rules:
    # Squares are 0 to squares - 1; seats and kinds count from 1, and masks have bit 1 << seat or 1 << (kind - 1).
    uint8_t squares
    uint8_t seats
    uint8_t kinds
    uint8_t roster  # pieces of a seat
    uint8_t count[MAX_KINDS + 1]  # pieces of a kind
    uint8_t team[MAX_SEATS + 1]
    uint8_t file_of[256]
    uint8_t rank_of[256]
    uint8_t camp[256]
    uint8_t headquarters[256]  # the seat whose headquarters it is, or 0
    uint8_t goal[256]  # mask of seats
    bint goals  # whether there are any
    uint8_t zone[256]  # mask of seats
    uint32_t allowed[MAX_SEATS + 1][256]  # mask of the kinds that a seat may place there
    # The squares that other squares lead to, as bytes.
    const uint8_t *stream
    uint32_t neighbours_at[256]  # how many orthogonal neighbours, then each
    uint8_t beside[256][4]  # the same where there are at most four; the square itself for each that is missing
    uint64_t beside_bits[256][BOARD_WORDS]  # the same as a set
    uint8_t words  # that a set of squares takes
    uint64_t board[BOARD_WORDS]  # all squares
    uint64_t camps[BOARD_WORDS]
    uint32_t lines_at[256]  # how many rays up to the edge, then for each its length and its squares
    uint32_t reach_at[MAX_PATTERNS][256]  # steps, how many and each; rays as above; hops, how many and over and to;
    # then branches, how many and for each its length, the squares it shares with an earlier ray, and its squares
    uint32_t rails_at[256]  # the next squares on all rail lines, how many and each
    uint8_t rail_component[256]  # which connected rails a square lies on, 0 for none
    # For patterns whose rays run up or down the squares, of at most 128, as sets of two words each: how many rays run
    # down (and up, times 256; one word), the steps, and the rays, first those that run down.
    const uint64_t *sets
    uint32_t sets_at[MAX_PATTERNS][256]
    bint has_sets[MAX_PATTERNS]
    uint8_t turning[MAX_PATTERNS]  # whether a pattern goes along all rails
    bint beyond_rays  # whether any pattern has hops, branches or turns
    bint begins_beside  # whether no piece moves that has no orthogonal neighbour to move to
    bint partner_view
    uint32_t diagonals_at[256]  # four rays up to the edge, as lines_at
    uint8_t pattern[MAX_SEATS + 1][MAX_KINDS + 1]
    uint32_t kinds_of[MAX_SEATS + 1][MAX_PATTERNS]  # mask of the kinds that have a pattern
    # Whether a kind goes exactly to the orthogonal neighbours, of which no square has more than four.
    uint8_t walker[MAX_SEATS + 1][MAX_KINDS + 1]
    bint chequered  # whether neighbours always differ in colour, as on a chessboard
    uint8_t patterns
    uint8_t shown_sets[MAX_SEATS + 1]  # the sets of kinds that one move can show to be able to make it
    uint32_t shown[MAX_SEATS + 1][MAX_SHOWN]
    const uint8_t *moves_between  # fewest moves on an empty board: [pattern][from][to], 255 where there is no way
    uint32_t max_moves  # an upper bound of the legal moves of any position
    bint displacement  # enemies are captured by moving onto them
    uint8_t admits[MAX_SEATS + 1][2][MAX_SEATS + 1]  # [seat][is the target a camp][who stands there]: may it end there
    bint custodial
    bint single_runs  # only runs of one are captured
    bint corner_capture
    bint intervention
    uint8_t corner[256]  # whether a square is a corner
    bint perfect_information
    bint fixed_start
    uint8_t outcome[MAX_KINDS + 1][MAX_KINDS + 1]
    bint heralds  # whether there are such kinds
    bint borrowers  # whether any kind borrows
    uint8_t behind[MAX_SEATS + 1][256]  # the square right behind, or NONE
    uint8_t reveal
    bint reveal_at_end
    uint8_t role[MAX_KINDS + 1]
    uint8_t two_squares
    bint more_squares
    bint last_side_wins
    uint8_t endings
    uint8_t ending[MAX_ENDINGS]
    uint8_t threshold
    uint8_t occurrences
    uint8_t capture_target
    uint8_t capture_lead
    uint8_t line_length
    uint8_t line_along  # 1 along ranks, 2 along files, 4 along diagonals
    uint8_t line_barred[256]  # mask of seats
    bint arrival_adjacent
    bint claims_announced
    bint stuck_passes
    bint both_stuck_draws
    bint keeps_history
    uint32_t ply_limit
    uint32_t quiet_limit

cdef class Tables:
    cdef Rules rules
    cdef bytes stream
    cdef bytes distances
    cdef bytes sets
    cdef readonly bytes digest
    cdef public bytes head  # of the game's states; the game sets it
    cdef readonly object lowered
