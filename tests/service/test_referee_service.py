"""Every method of RefereeService, against what the engine says in this process."""

import random
from hashlib import sha256
from typing import Any

import grpc
import pytest
from contract import (
    REFEREE,
    SEED,
    SPECTATOR,
    Contract,
    Seats,
    apply_request,
    arranged_state,
    arrangement,
    move,
    named,
    read_status,
    refused,
    resign,
    setup,
    unwrap,
    wrap,
)
from shinpan.v1 import action_pb2, event_pb2, game_pb2, referee_service_pb2, update_pb2

import engine_core

GAMES = engine_core.games()
KINDS = action_pb2.ActionKind
VIEWERS: Any = {1: 1, 2: 2, SPECTATOR: engine_core.SPECTATOR, REFEREE: engine_core.REFEREE}


def check_update(update: update_pb2.Update, state: engine_core.State) -> None:
    """Compare an update with the engine's view of the same state."""
    view = state.view(VIEWERS[update.viewer])
    assert update.view.seats == view.seats
    assert update.view.kinds == view.kinds
    assert update.view.origins == view.origins
    assert update.view.flags == view.flags
    assert update.view.claim_pending == view.claim_pending
    gone = update.captured
    assert list(zip(gone.seats, gone.origins, gone.kinds, strict=True)) == list(view.captured)
    status = update.status
    assert (status.ply, status.revision, status.to_move) == (state.ply, state.revision, state.to_move or 0)
    assert tuple(status.seats_arranged) == state.arranged
    last = state.last_move
    assert status.HasField("last_move") == (last is not None)
    assert last is None or status.last_move == int(last)
    assert status.HasField("result") == (state.result is not None)
    if state.result is not None:
        assert tuple(status.result.winners) == state.result.winners
        name = event_pb2.EndReason.Name(status.result.reason)
        assert name.removeprefix("END_REASON_").lower().replace("_", "-") == state.result.reason
    to_decide = state.phase == "play" and update.viewer == state.to_move
    waiting = state.phase == "arrangement" and update.viewer in (1, 2) and update.viewer not in state.arranged
    assert update.HasField("legal_actions") == (to_decide or waiting)
    if to_decide:
        assert list(update.legal_actions.moves) == [int(one) for one in state.legal_moves()]


def test_list_games(contract: Contract) -> None:
    games = contract.referee.ListGames(referee_service_pb2.ListGamesRequest()).games
    assert [game.id for game in games] == GAMES
    hasami = next(game for game in games if game.id == "hidden-hasami")
    assert hasami.seats == 2
    board = next(option for option in hasami.options if option.name == "board")
    assert (list(board.values), board.default_value) == (["7x7", "9x9"], "7x7")


@pytest.mark.parametrize("game_id", GAMES)
def test_get_game(contract: Contract, game_id: str) -> None:
    request = referee_service_pb2.GetGameRequest(game=game_id)
    answer: game_pb2.Game = contract.referee.GetGame(request).game
    game = engine_core.load(game_id)
    rules = game.ruleset
    assert [square.name for square in answer.board.squares] == list(game.squares)
    for square in answer.board.squares:
        assert square.name == f"{chr(ord('a') + square.file - 1)}{square.rank}"
    assert [kind.id for kind in answer.kinds] == list(game.kinds)
    assert dict(answer.chosen) == dict(game.options)
    assert sum(kind.count for kind in answer.kinds) == rules.roster_size
    assert len(answer.seats) == rules.seats
    for seat, zone in zip(answer.seats, rules.zones, strict=True):
        assert set(seat.zone.squares) == zone.squares
        assert [set(allowed.squares) for allowed in seat.kind_zones] == list(zone.allowed)
    assert len(answer.endings) == len(rules.endings)
    if rules.combat is not None:
        assert answer.capture_style == game_pb2.CAPTURE_STYLE_DISPLACEMENT
        letters = {1: "A", 2: "D", 3: "B", 4: "A!", 5: "D!", 6: "B!"}
        assert [tuple(letters[cell] for cell in row.outcomes) for row in answer.combat.rows] == list(
            rules.combat.outcomes
        )


def test_get_game_describes_what_a_player_reads(contract: Contract) -> None:
    def game(game_id: str, **options: str) -> game_pb2.Game:
        request = referee_service_pb2.GetGameRequest(game=game_id, options=options)
        answer: game_pb2.Game = contract.referee.GetGame(request).game
        return answer

    hasami = game("hidden-hasami", board="9x9", ply_limit="200")
    assert (hasami.board.files, len(hasami.board.squares), hasami.ply_limit) == (9, 81, 200)
    assert hasami.capture_style == game_pb2.CAPTURE_STYLE_CUSTODIAL
    assert [ending.WhichOneof("rule") for ending in hasami.endings] == [
        "objective_captured",
        "capture_threshold",
        "repetition",
        "no_legal_move",
    ]
    assert list(hasami.endings[0].objective_captured.kinds) == [1]
    luzhanqi = game("luzhanqi-mini")
    terrain = {square.name: square for square in luzhanqi.board.squares}
    assert terrain["b4"].terrain == game_pb2.TERRAIN_CAMP
    assert terrain["b1"].headquarters_seat == 1
    assert terrain["f8"].headquarters_seat == 2
    assert [seat.forward for seat in luzhanqi.seats] == [game_pb2.DIRECTION_NORTH, game_pb2.DIRECTION_SOUTH]
    flag = next(place for place, kind in enumerate(luzhanqi.kinds) if kind.id == "flag")
    names = {luzhanqi.board.squares[square].name for square in luzhanqi.seats[0].kind_zones[flag].squares}
    assert names == {"b1", "f1"}
    capture = game("hidden-capture-flag", two_squares="3", battle_reveal="shown")
    assert capture.restrictions.two_squares == 3
    assert capture.combat.reveal == game_pb2.BATTLE_REVEAL_SHOWN
    assert len(capture.board.squares) == 92
    scout = next(kind for kind in capture.kinds if kind.id == "scout")
    assert (scout.letter, scout.count, scout.movement.forward) == ("S", 8, 255)
    salpakan = game("salpakan-classic")
    goal = {salpakan.board.squares[square].name for square in salpakan.seats[1].goal.squares}
    assert goal == {f"{file}1" for file in "abcdefghi"}


@pytest.mark.parametrize("game_id", GAMES)
def test_a_whole_match_agrees_with_the_engine(contract: Contract, game_id: str) -> None:
    """Arrangements one by one where there are any, then random moves to the end, with every viewer at every step."""
    print("seed", SEED)
    chance = random.Random(SEED)
    game = engine_core.load(game_id)
    answer: Any = contract.referee.StartMatch(
        referee_service_pb2.StartMatchRequest(setup=setup(game_id, match_id=b"m-1"), viewers=VIEWERS)
    )
    state = game.start(match_id=b"m-1")
    actions = []
    for seat in () if game.ruleset.fixed_start else game.seats:
        pieces = game.random_arrangement(seat, seed=SEED + seat)
        actions.append(action_pb2.Action(seat=seat, arrange=arrangement(pieces)))
        answer = contract.referee.ApplyAction(
            referee_service_pb2.ApplyActionRequest(state=answer.state, action=actions[-1], viewers=VIEWERS)
        )
        state = state.arrange(seat, pieces).state
        assert unwrap(answer.state) == state
        for update in answer.updates:
            check_update(update, state)
    while state.phase == "play" and state.ply < 120:
        chosen = chance.choice(state.legal_moves())
        actions.append(move(state.to_move or 0, str(chosen) if state.ply % 2 else int(chosen)))
        answer = contract.referee.ApplyAction(
            referee_service_pb2.ApplyActionRequest(
                state=answer.state, action=actions[-1], viewers=VIEWERS, expected_revision=state.revision
            )
        )
        turn = state.play(chosen)
        state = turn.state
        assert unwrap(answer.state) == state
        assert answer.digest == sha256(answer.state.token).digest()[:16]
        assert [update.viewer for update in answer.updates] == list(VIEWERS)
        for update in answer.updates:
            check_update(update, state)
            assert len(update.events) == len(turn.events_for(VIEWERS[update.viewer]))
        moved = answer.updates[0].events[0].moved
        assert (moved.ply, moved.seat, moved.move) == (state.ply, actions[-1].seat, int(chosen))
        assert [game.squares[square] for square in moved.captured] == turn.captured
        battle = {"attacker": {1, 4}, "defender": {2, 5}, "both": {3, 6}, None: {0}}[turn.battle]
        assert moved.battle in battle
    replayed = contract.referee.ReplayMatch(
        referee_service_pb2.ReplayMatchRequest(setup=setup(game_id, match_id=b"m-1"), actions=actions, viewers=VIEWERS)
    )
    assert replayed == referee_service_pb2.ReplayMatchResponse(
        state=answer.state, digest=answer.digest, updates=answer.updates
    )


def test_start_match_takes_everything_at_once(contract: Contract) -> None:
    seats = arranged_state("hidden-hasami", board="9x9")
    placed = {seat: arrangement(pieces) for seat, pieces in seats.arrangements.items()}
    answer = contract.referee.StartMatch(
        referee_service_pb2.StartMatchRequest(
            setup=setup(
                "hidden-hasami", options={"board": "9x9"}, match_id=b"x" * 32, arrangements=placed, first_seat=2
            ),
            viewers=named(2, 1),
            include_diagrams=True,
        )
    )
    state = unwrap(answer.state)
    assert (state.phase, state.to_move, state.match_id, len(state.game.squares)) == ("play", 2, b"x" * 32, 81)
    assert [update.viewer for update in answer.updates] == [2, 1]
    assert [event.WhichOneof("kind") for event in answer.updates[0].events] == [
        "seat_arranged",
        "seat_arranged",
        "play_began",
    ]
    assert answer.updates[0].view.diagram == state.view(2).diagram()
    assert answer.updates[1].view.diagram == state.view(1).diagram()


def test_one_arrangement_stays_unseen(contract: Contract) -> None:
    seats = arranged_state("hidden-hasami")
    answer = contract.referee.StartMatch(
        referee_service_pb2.StartMatchRequest(
            setup=setup("hidden-hasami", arrangements={2: arrangement(seats.arrangements[2])}),
            viewers=named(1, 2, SPECTATOR),
        )
    )
    own, other, nobody = answer.updates[1], answer.updates[0], answer.updates[2]
    assert any(own.view.seats)
    assert not any(other.view.seats)
    assert not any(nobody.view.seats)
    assert list(other.legal_actions.kinds) == [KINDS.ACTION_KIND_ARRANGE, KINDS.ACTION_KIND_RESIGN]
    assert not own.HasField("legal_actions")
    assert not nobody.HasField("legal_actions")


def test_get_update_and_diagrams(contract: Contract, seats: Seats) -> None:
    request = referee_service_pb2.GetUpdateRequest(state=wrap(seats.state), viewers=VIEWERS, include_diagrams=True)
    for update in contract.referee.GetUpdate(request).updates:
        check_update(update, seats.state)
        assert not update.events
        assert update.view.diagram == seats.state.view(VIEWERS[update.viewer]).diagram()
    request.include_diagrams = False
    assert not contract.referee.GetUpdate(request).updates[0].view.HasField("diagram")


def test_list_legal_actions(contract: Contract, seats: Seats) -> None:
    def legal(seat: int) -> action_pb2.LegalActions:
        request = referee_service_pb2.ListLegalActionsRequest(state=wrap(seats.state), seat=seat)
        answer: action_pb2.LegalActions = contract.referee.ListLegalActions(request).legal_actions
        return answer

    assert list(legal(1).moves) == [int(one) for one in seats.state.legal_moves()]
    assert list(legal(1).kinds) == [
        KINDS.ACTION_KIND_MOVE,
        KINDS.ACTION_KIND_RESIGN,
        KINDS.ACTION_KIND_OFFER_DRAW,
    ]
    assert not legal(2).moves
    assert list(legal(2).kinds) == [KINDS.ACTION_KIND_RESIGN, KINDS.ACTION_KIND_OFFER_DRAW]


def test_describe_state(contract: Contract) -> None:
    game = engine_core.load("salpakan-classic", arrival="adjacent")
    state = game.start(first_seat=2, match_id=b"\x00\xff").resign(1).state
    answer = contract.referee.DescribeState(referee_service_pb2.DescribeStateRequest(state=wrap(state)))
    assert (answer.game, answer.match_id, answer.first_seat) == ("salpakan-classic", b"\x00\xff", 2)
    assert dict(answer.options) == dict(game.options)
    assert answer.status.phase == update_pb2.PHASE_ENDED
    assert list(answer.status.result.winners) == [2]
    assert answer.status.result.reason == event_pb2.END_REASON_RESIGNED
    assert answer.digest == sha256(wrap(state).token).digest()[:16]


def test_draws_and_rulings(contract: Contract, seats: Seats) -> None:
    def after(state: Any, action: action_pb2.Action) -> Any:
        return contract.referee.ApplyAction(
            referee_service_pb2.ApplyActionRequest(state=state, action=action, viewers=named(SPECTATOR))
        )

    start = wrap(seats.state)
    offered = after(start, action_pb2.Action(seat=2, offer_draw=action_pb2.DrawOffer()))
    assert list(offered.updates[0].status.draw_agreed) == [2]
    declined = after(offered.state, action_pb2.Action(seat=1, decline_draw=action_pb2.DrawRefusal()))
    assert declined.updates[0].events[0].draw_declined.seat == 1
    accepted = after(offered.state, action_pb2.Action(seat=1, accept_draw=action_pb2.DrawAcceptance()))
    ended = accepted.updates[0].events[-1].match_ended.result
    assert (list(ended.winners), ended.reason) == ([], event_pb2.END_REASON_AGREED_DRAW)
    for cause, reason in (
        (action_pb2.FORFEIT_CAUSE_TIME, event_pb2.END_REASON_TIME),
        (action_pb2.FORFEIT_CAUSE_ABANDONMENT, event_pb2.END_REASON_ABANDONMENT),
        (action_pb2.FORFEIT_CAUSE_RULING, event_pb2.END_REASON_RULING),
    ):
        forfeit = action_pb2.Ruling(forfeit=action_pb2.Forfeit(seat=1, cause=cause))
        result = after(start, action_pb2.Action(ruling=forfeit)).updates[0].status.result
        assert (list(result.winners), result.reason) == ([2], reason)
    ruling = action_pb2.Ruling(adjudication=action_pb2.Adjudication(winners=[1]))
    result = after(start, action_pb2.Action(ruling=ruling)).updates[0].status.result
    assert (list(result.winners), result.reason) == ([1], event_pb2.END_REASON_ADJUDICATED)


def test_replay_names_the_action_that_is_refused(contract: Contract, seats: Seats) -> None:
    first, second = str(seats.state.legal_moves()[0]), "a1a1"
    request = referee_service_pb2.ReplayMatchRequest(
        state=wrap(seats.state), actions=[move(1, first), move(2, second), move(1, first)]
    )
    error = refused(lambda: contract.referee.ReplayMatch(request))
    assert error.reason == "ILLEGAL_MOVE"
    assert error.metadata["action_index"] == "1"
    assert error.message.startswith("actions[1]: ")
    request.actions[1].move.text = "zz"
    error = refused(lambda: contract.referee.ReplayMatch(request))
    assert (error.reason, error.fields) == ("MALFORMED_MOVE", ("actions[1].move",))


def test_batches_answer_in_order_and_items_fail_alone(contract: Contract, seats: Seats) -> None:
    moves = seats.state.legal_moves()
    broken = apply_request(b"broken", resign(1))
    items = [
        apply_request(seats.state, move(1, int(moves[0])), viewers=named(2)),
        broken,
        apply_request(seats.state, move(2, int(moves[0]))),
        apply_request(seats.state, move(1, int(moves[1]))),
    ]
    answers = contract.referee.BatchApplyActions(referee_service_pb2.BatchApplyActionsRequest(items=items)).items
    assert answers[0].result == contract.referee.ApplyAction(items[0])
    assert answers[3].result == contract.referee.ApplyAction(items[3])
    errors = [read_status(code_named(answers[place].error.code), answers[place].error) for place in (1, 2)]
    assert [error.reason for error in errors] == ["STATE_LENGTH", "NOT_YOUR_TURN"]
    assert errors[0] == refused(lambda: contract.referee.ApplyAction(broken))

    legal = [referee_service_pb2.ListLegalActionsRequest(state=wrap(seats.state), seat=seat) for seat in (1, 3, 2)]
    answers = contract.referee.BatchListLegalActions(
        referee_service_pb2.BatchListLegalActionsRequest(items=legal)
    ).items
    assert [answer.WhichOneof("outcome") for answer in answers] == ["result", "error", "result"]
    assert answers[0].result == contract.referee.ListLegalActions(legal[0])

    looks = [
        referee_service_pb2.GetUpdateRequest(state=wrap(seats.state), viewers=named(*viewers))
        for viewers in ([1], [0], [2])
    ]
    answers = contract.referee.BatchGetUpdates(referee_service_pb2.BatchGetUpdatesRequest(items=looks)).items
    assert [answer.WhichOneof("outcome") for answer in answers] == ["result", "error", "result"]
    assert answers[2].result == contract.referee.GetUpdate(looks[2])
    assert not contract.referee.BatchGetUpdates(referee_service_pb2.BatchGetUpdatesRequest()).items


def code_named(number: int) -> grpc.StatusCode:
    return next(code for code in grpc.StatusCode if code.value[0] == number)


def test_answers_are_the_same_every_time(contract: Contract, seats: Seats) -> None:
    request = apply_request(seats.state, resign(2), viewers=list(VIEWERS), include_diagrams=True)
    path = "/shinpan.v1.RefereeService/ApplyAction"
    assert len({contract.raw(path, request.SerializeToString()) for _ in range(5)}) == 1
