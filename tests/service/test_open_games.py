"""Games with perfect information and fixed starts over the service: matches begin with play; what GetGame tells."""

from typing import Any

import grpc
import pytest
from contract import (
    REFEREE,
    SPECTATOR,
    Contract,
    arrangement,
    move,
    named,
    refused,
    setup,
    unwrap,
    wrap,
)
from shinpan.v1 import action_pb2, event_pb2, game_pb2, referee_service_pb2, update_pb2

import engine_core

OPEN = [name for name in engine_core.games() if engine_core.load(name).ruleset.fixed_start]
HIDDEN = [name for name in engine_core.games() if name not in OPEN]
VIEWERS = (1, 2, SPECTATOR, REFEREE)


def start(contract: Contract, game_id: str, **fields: Any) -> Any:
    request = referee_service_pb2.StartMatchRequest(
        setup=setup(game_id, **fields), viewers=named(*VIEWERS), include_diagrams=True
    )
    return contract.referee.StartMatch(request)


def game(contract: Contract, game_id: str, **options: str) -> game_pb2.Game:
    request = referee_service_pb2.GetGameRequest(game=game_id, options=options)
    answer: game_pb2.Game = contract.referee.GetGame(request).game
    return answer


def squares(answer: game_pb2.Game, chosen: game_pb2.SquareSet) -> set[str]:
    return {answer.board.squares[square].name for square in chosen.squares}


def ranks(first: int, last: int, files: str = "abcdefghi") -> set[str]:
    return {f"{file}{rank}" for rank in range(first, last + 1) for file in files}


@pytest.mark.parametrize("first_seat", [0, 1, 2])
@pytest.mark.parametrize("game_id", OPEN)
def test_a_match_starts_without_arrangements(contract: Contract, game_id: str, first_seat: int) -> None:
    """A first seat of 0 is none given, which is seat 1."""
    answer = start(contract, game_id, match_id=b"m", first_seat=first_seat)
    state = unwrap(answer.state)
    seat = first_seat or 1
    assert state == engine_core.load(game_id).start(first_seat=seat, match_id=b"m")
    for update in answer.updates:
        status = update.status
        assert (status.phase, status.to_move, status.revision, status.ply) == (update_pb2.PHASE_PLAY, seat, 0, 0)
        assert list(status.seats_arranged) == [1, 2]
        assert not any(event.WhichOneof("kind") == "seat_arranged" for event in update.events)
        assert update.HasField("legal_actions") == (update.viewer == seat)
    played = contract.referee.ApplyAction(
        referee_service_pb2.ApplyActionRequest(
            state=answer.state, action=move(seat, int(state.legal_moves()[0])), viewers=named(1), expected_revision=0
        )
    )
    assert (played.updates[0].status.ply, played.updates[0].status.revision) == (1, 1)


@pytest.mark.parametrize("game_id", OPEN)
def test_all_viewers_are_told_the_same(contract: Contract, game_id: str) -> None:
    """Views, events and status; only what may be done is for the seat to move."""
    answer = start(contract, game_id)
    state = unwrap(answer.state)
    for _ in range(12):
        told = set()
        for update in answer.updates:
            copy = update_pb2.Update()
            copy.CopyFrom(update)
            copy.ClearField("viewer")
            copy.ClearField("legal_actions")
            told.add(copy.SerializeToString(deterministic=True))
        assert len(told) == 1
        assert set(answer.updates[2].view.kinds) == {0, 1}
        best = max(state.legal_moves(), key=lambda one: (len(state.play(one).captured), int(one) * 7919 % 101))
        answer = contract.referee.ApplyAction(
            referee_service_pb2.ApplyActionRequest(
                state=wrap(state),
                action=move(state.to_move or 0, int(best)),
                viewers=named(*VIEWERS),
                include_diagrams=True,
            )
        )
        state = unwrap(answer.state)


@pytest.mark.parametrize("game_id", OPEN)
def test_arrangements_are_refused(contract: Contract, game_id: str) -> None:
    """The only one too, with the match and after it has started."""
    own = engine_core.load(game_id).random_arrangement(1, 0)
    found = refused(lambda: start(contract, game_id, arrangements={1: arrangement(own)}))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_ARRANGED")
    action = action_pb2.Action(seat=1, arrange=arrangement(own))
    request = referee_service_pb2.ApplyActionRequest(state=start(contract, game_id).state, action=action)
    found = refused(lambda: contract.referee.ApplyAction(request))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ALREADY_ARRANGED")


def test_a_replay_from_a_setup(contract: Contract) -> None:
    """Without arrangements among the actions."""
    texts = ["a1a5", "c9c5", "e1e5", "b9b5", "d1d2", "c5c6"]
    actions = [move(2 - (number + 1) % 2, text) for number, text in enumerate(texts)]
    answer = contract.referee.ReplayMatch(
        referee_service_pb2.ReplayMatchRequest(setup=setup("hasami-shogi"), actions=actions, viewers=named(1))
    )
    state = unwrap(answer.state)
    played = engine_core.load("hasami-shogi").start()
    for text in texts:
        played = played.play(text).state
    assert state == played
    assert (state.ply, state.to_move) == (6, 1)


def test_the_reason_of_a_line(contract: Contract) -> None:
    pieces = {1: dict.fromkeys(("c3", "c4", "c5", "c6", "g7"), "stone"), 2: dict.fromkeys(("a8", "b8", "c9"), "stone")}
    state = engine_core.load("hasami-five").position(pieces, to_move=1)
    request = referee_service_pb2.ApplyActionRequest(state=wrap(state), action=move(1, "g7c7"), viewers=named(2))
    result = contract.referee.ApplyAction(request).updates[0].status.result
    assert (list(result.winners), result.reason) == ([1], event_pb2.END_REASON_LINE_OF_FIVE)


# GetGame.


def test_information_and_starts(contract: Contract) -> None:
    for game_id in OPEN:
        answer = game(contract, game_id)
        assert (answer.information, answer.fixed_start) == (game_pb2.INFORMATION_PERFECT, True)
    for game_id in HIDDEN:
        answer = game(contract, game_id)
        assert (answer.information, answer.fixed_start) == (game_pb2.INFORMATION_HIDDEN, False)
    assert set(OPEN) == {"hasami-shogi", "dai-hasami-shogi", "mak-yek", "hasami-five"}


@pytest.mark.parametrize(
    ("game_id", "one", "two"),
    [
        ("hasami-shogi", ranks(1, 1), ranks(9, 9)),
        ("dai-hasami-shogi", ranks(1, 2), ranks(8, 9)),
        (
            "mak-yek",
            ranks(1, 1, "abcdefgh") | ranks(3, 3, "abcdefgh"),
            ranks(6, 6, "abcdefgh") | ranks(8, 8, "abcdefgh"),
        ),
        ("hasami-five", ranks(1, 2), ranks(8, 9)),
    ],
)
def test_the_places_of_the_stones(contract: Contract, game_id: str, one: set[str], two: set[str]) -> None:
    answer = game(contract, game_id)
    for seat, places in zip(answer.seats, (one, two), strict=True):
        assert [squares(answer, zone) for zone in seat.kind_zones] == [places]
        assert squares(answer, seat.zone) == places
    (stone,) = answer.kinds
    assert (stone.id, stone.letter, stone.count) == ("stone", "S", len(one))


def test_movement(contract: Contract) -> None:
    for game_id in OPEN:
        movement = game(contract, game_id).kinds[0].movement
        assert (movement.forward, movement.backward, movement.sideways, movement.fly) == (255, 255, 255, False)
        assert movement.hop == (game_id == "hasami-five")
    assert not any(kind.movement.hop for game_id in HIDDEN for kind in game(contract, game_id).kinds)


def test_details_of_capture(contract: Contract) -> None:
    def details(game_id: str, **options: str) -> tuple[bool, bool, bool]:
        answer = game(contract, game_id, **options)
        assert answer.capture_style == game_pb2.CAPTURE_STYLE_CUSTODIAL
        assert answer.HasField("custodial")
        assert not answer.HasField("combat")
        return answer.custodial.single_runs, answer.custodial.corner, answer.custodial.intervention

    for game_id in ("hidden-hasami", "hasami-shogi", "dai-hasami-shogi", "hasami-five"):
        assert details(game_id) == (False, False, False)
    assert details("mak-yek") == (False, False, True)
    assert details("hasami-shogi", run="1") == (True, False, False)
    assert details("dai-hasami-shogi", corner="on") == (False, True, False)
    assert details("mak-yek", corner="on", run="1") == (True, True, True)
    assert not game(contract, "luzhanqi-mini").HasField("custodial")


def endings(answer: game_pb2.Game) -> list[str | None]:
    return [ending.WhichOneof("rule") for ending in answer.endings]


def test_endings_by_captures(contract: Contract) -> None:
    plain = game(contract, "hasami-shogi")
    assert endings(plain) == ["capture_target", "repetition", "no_legal_move"]
    assert plain.endings[0].capture_target.captured == 5
    assert plain.endings[1].repetition.occurrences == 3
    assert game(contract, "mak-yek", target="8").endings[0].capture_target.captured == 8
    everything = game(contract, "dai-hasami-shogi", target="all", lead="3", repetition="off")
    assert endings(everything) == ["capture_threshold", "capture_lead", "no_legal_move"]
    assert everything.endings[0].capture_threshold.left == 1
    assert everything.endings[1].capture_lead.lead == 3


@pytest.mark.parametrize(
    ("option", "counted"),
    [
        ("all", (True, True, True)),
        ("no-horizontal", (False, True, True)),
        ("orthogonal", (True, True, False)),
    ],
)
def test_endings_by_lines(contract: Contract, option: str, counted: tuple[bool, bool, bool]) -> None:
    """Ranks, files and diagonals; and the own start ranks of each seat."""
    answer = game(contract, "hasami-five", line=option, repetition="4")
    assert endings(answer) == ["line", "capture_threshold", "repetition", "no_legal_move"]
    line = answer.endings[0].line
    assert (line.length, (line.ranks, line.files, line.diagonals)) == (5, counted)
    assert answer.endings[1].capture_threshold.left == 1
    assert answer.endings[2].repetition.occurrences == 4
    assert [squares(answer, seat.line_barred) for seat in answer.seats] == [ranks(1, 2), ranks(8, 9)]
    assert not any(seat.line_barred.squares for seat in game(contract, "hasami-shogi").seats)


def test_the_capture_flag_games(contract: Contract) -> None:
    tournament = game(contract, "capture-flag-tournament")
    assert (tournament.restrictions.two_squares, tournament.restrictions.more_squares) == (3, True)
    assert tournament.endings[-1].no_legal_move.both_stuck == game_pb2.BOTH_STUCK_DRAW
    barrage = game(contract, "capture-flag-barrage")
    assert (barrage.restrictions.two_squares, barrage.restrictions.more_squares) == (0, False)
    assert barrage.endings[-1].no_legal_move.both_stuck == game_pb2.BOTH_STUCK_MOVER_WINS
    assert {kind.id: kind.count for kind in barrage.kinds} == {
        "marshal": 1, "general": 1, "miner": 1, "scout": 2, "spy": 1, "bomb": 1, "flag": 1,
    }  # fmt: skip
    assert all(len(seat.zone.squares) == 40 for seat in barrage.seats)
