"""Matches of four seats over the service: turns, seats that go out, partners, draws, and who wins."""

import random
from collections.abc import Mapping
from typing import Any

import grpc
import pytest
from contract import (
    REFEREE,
    SEED,
    SPECTATOR,
    Contract,
    apply_request,
    arranged_state,
    arrangement,
    move,
    named,
    refused,
    resign,
    setup,
    wrap,
)
from shinpan.v1 import action_pb2, event_pb2, game_pb2, referee_service_pb2, update_pb2

import engine_core

GAME = "luzhanqi-four"
SEATS = (1, 2, 3, 4)
VIEWERS = (*SEATS, SPECTATOR, REFEREE)
HIDDEN = 255
SHOWN = 2
ROSTER = 25

# Flags on a headquarters each, and a captain on the front row where none meets another.
FLAGS = {1: {"j1": "flag"}, 2: {"a10": "flag"}, 3: {"j17": "flag"}, 4: {"q8": "flag"}}
CAPTAINS = {1: {"g6": "captain"}, 2: {"f9": "captain"}, 3: {"i12": "captain"}, 4: {"l9": "captain"}}


def act(contract: Contract, state: Any, *actions: action_pb2.Action) -> Any:
    """The answer to the last of some actions, for all viewers."""
    answer = None
    for action in actions:
        request = referee_service_pb2.ApplyActionRequest(state=state, action=action, viewers=named(*VIEWERS))
        answer = contract.referee.ApplyAction(request)
        state = answer.state
    return answer


def position(men: Mapping[int, Mapping[str, str]], to_move: int = 1, **options: str) -> Any:
    """Everybody's flag, and these men, as the message of a state."""
    pieces = {seat: {**FLAGS[seat], **men[seat]} for seat in men}
    out = [seat for seat in SEATS if seat not in men]
    return wrap(engine_core.load(GAME, **options).position(pieces, to_move, out))


def kinds_of(update: update_pb2.Update, seat: int) -> set[int]:
    """What a viewer is told of the pieces of a seat on the board."""
    return {kind for owner, kind in zip(update.view.seats, update.view.kinds, strict=True) if owner == seat}


def events(answer: Any) -> list[tuple[Any, ...]]:
    """The events after the move itself, short; they are the same for everybody."""
    told = {tuple(event.SerializeToString() for event in update.events) for update in answer.updates}
    assert len(told) == 1
    short: list[tuple[Any, ...]] = []
    for event in answer.updates[0].events:
        match event.WhichOneof("kind"):
            case "seat_eliminated":
                out = event.seat_eliminated
                short.append(("out", out.seat, event_pb2.EndReason.Name(out.cause).removeprefix("END_REASON_")))
            case "match_ended":
                short.append(("ended", *result_of(event.match_ended.result)))
            case "moved":
                pass
            case other:
                short.append((other,))
    return short


def result_of(result: event_pb2.Result) -> tuple[list[int], str]:
    return list(result.winners), event_pb2.EndReason.Name(result.reason).removeprefix("END_REASON_")


def offer(seat: int) -> action_pb2.Action:
    return action_pb2.Action(seat=seat, offer_draw=action_pb2.DrawOffer())


def accept(seat: int) -> action_pb2.Action:
    return action_pb2.Action(seat=seat, accept_draw=action_pb2.DrawAcceptance())


def check_views(updates: Mapping[int, update_pb2.Update], partners_see: bool) -> None:
    """Everybody knows where everybody stands; kinds are told to owners, and to partners where the option says so."""
    shown = [bool(flag & SHOWN) for flag in updates[SPECTATOR].view.flags]
    truth = updates[REFEREE].view
    for viewer in (*SEATS, SPECTATOR):
        known = {viewer} if not partners_see or viewer == SPECTATOR else {viewer, (viewer + 1) % 4 + 1}
        view = updates[viewer].view
        assert view.seats == truth.seats
        expected = [
            kind if not owner or owner in known or open_to_all else HIDDEN
            for owner, kind, open_to_all in zip(truth.seats, truth.kinds, shown, strict=True)
        ]
        assert list(view.kinds) == expected


@pytest.mark.parametrize("partner_view", ["off", "on"])
def test_a_whole_match(contract: Contract, partner_view: str) -> None:
    """Random moves, attacks first: turns go round, beaten seats vanish, and a whole team wins."""
    print("seed", SEED)
    chance = random.Random(SEED)
    options = {"partner_view": partner_view}
    game = engine_core.load(GAME, **options)
    flag = game.kinds.index("flag") + 1
    started = referee_service_pb2.StartMatchRequest(setup=setup(GAME, options=options), viewers=named(*VIEWERS))
    answer = contract.referee.StartMatch(started)
    for count, seat in enumerate((3, 1, 4, 2), 1):
        mine = arrangement(game.random_arrangement(seat, seed=SEED + seat))
        answer = act(contract, answer.state, action_pb2.Action(seat=seat, arrange=mine))
        updates = dict(zip(VIEWERS, answer.updates, strict=True))
        assert len(updates[1].status.seats_arranged) == count
    assert [update.HasField("legal_actions") for update in answer.updates] == [True] + 5 * [False]

    gone: list[int] = []
    while not updates[1].status.HasField("result"):
        status = updates[1].status
        mover, truth = status.to_move, updates[REFEREE].view
        moves = list(updates[mover].legal_actions.moves)
        captures = [one for one in moves if truth.kinds[one & 255] == flag]
        attacks = [one for one in moves if truth.seats[one & 255]]
        chosen = chance.choice(captures or attacks or moves)
        answer = act(contract, answer.state, move(mover, chosen))
        updates = dict(zip(VIEWERS, answer.updates, strict=True))
        happened = events(answer)
        gone += [event[1] for event in happened if event[0] == "out"]
        assert sorted(gone) == list(updates[1].status.seats_out)
        assert set(gone).isdisjoint(updates[REFEREE].view.seats)
        captured = bytes(updates[REFEREE].captured.seats)
        left = bytes(updates[REFEREE].view.seats)
        assert [captured.count(seat) + left.count(seat) for seat in SEATS] == 4 * [ROSTER]
        check_views(updates, partner_view == "on")
        if ("seat_passed",) not in happened and updates[1].status.to_move:
            turns = [(mover + step) % 4 + 1 for step in range(4)]
            assert updates[1].status.to_move == next(seat for seat in turns if seat not in gone)
        assert len({update.status.SerializeToString(deterministic=True) for update in answer.updates}) == 1

    winners = [1, 3] if {2, 4} <= set(gone) else [2, 4]
    assert result_of(updates[1].status.result) == (winners, "ELIMINATED")
    assert len(gone) >= 2
    assert refused(lambda: act(contract, answer.state, resign(winners[0]))).reason == "MATCH_OVER"


def test_a_flag_falls_and_its_owner_is_passed_over(contract: Contract) -> None:
    """All its pieces go with it, without being named; the match goes on."""
    men = CAPTAINS | {1: {"p8": "captain"}, 4: {"l9": "captain", "q11": "mine"}}
    answer = act(contract, position(men, to_move=1), move(1, "p8q8"))
    assert events(answer) == [("piece_shown",), ("out", 4, "FLAG_CAPTURED")]
    for update in answer.updates:
        assert 4 not in update.view.seats
        assert update.status.to_move == 2
        assert not update.status.HasField("result")
        assert update.captured.seats == bytes((4, 4, 4))
        # The battle named the flag; what left the board with it stays hidden from others.
        hidden = update.captured.kinds.count(HIDDEN)
        assert hidden == (0 if update.viewer in (4, REFEREE) else 2)
    answer = act(contract, answer.state, move(2, "f9e9"), move(3, "i12i13"))
    assert answer.updates[0].status.to_move == 1
    assert refused(lambda: act(contract, answer.state, resign(4))).reason == "SEAT_OUT"


def test_a_team_wins_with_the_member_that_is_out(contract: Contract) -> None:
    men = CAPTAINS | {1: {"p8": "captain"}}
    answer = act(contract, position(men), resign(3), resign(2), move(1, "p8q8"))
    assert events(answer)[1:] == [("out", 4, "FLAG_CAPTURED"), ("ended", [1, 3], "ELIMINATED")]
    assert list(answer.updates[0].status.seats_out) == [2, 3, 4]


@pytest.mark.parametrize("partner_view", ["off", "on"])
def test_nobody_learns_where_pieces_stand_until_all_have_arranged(contract: Contract, partner_view: str) -> None:
    """Partners neither."""
    game = engine_core.load(GAME, partner_view=partner_view)
    state = wrap(game.start())
    for seat in (3, 1, 4):
        mine = arrangement(game.random_arrangement(seat, seed=SEED))
        answer = act(contract, state, action_pb2.Action(seat=seat, arrange=mine))
        state = answer.state
        for viewer, update in zip(VIEWERS, answer.updates, strict=True):
            assert viewer == REFEREE or set(update.view.seats) <= {0, viewer}


@pytest.mark.parametrize("begun", [False, True], ids=["arrangement", "play"])
@pytest.mark.parametrize(
    ("teams", "second"),
    [
        ("on", [("out", 4, "RESIGNED"), ("ended", [1, 3], "ELIMINATED")]),
        ("off", [("out", 4, "RESIGNED")]),
    ],
)
def test_members_of_a_team_resign(contract: Contract, teams: str, second: list[tuple[Any, ...]], begun: bool) -> None:
    """Out of turn, and before the own arrangement too."""
    game = engine_core.load(GAME, teams=teams)
    answer = act(contract, wrap(arranged_state(GAME, teams=teams).state if begun else game.start()), resign(2))
    assert events(answer) == [("out", 2, "RESIGNED")]
    assert not answer.updates[0].status.HasField("result")
    answer = act(contract, answer.state, resign(4))
    assert events(answer) == second
    assert list(answer.updates[0].status.seats_out) == [2, 4]


def test_one_that_resigns_loses_for_its_team(contract: Contract) -> None:
    """With `win=one`, the reason of the end is the cause."""
    answer = act(contract, position(CAPTAINS, win="one"), resign(2))
    assert result_of(answer.updates[0].status.result) == ([1, 3], "RESIGNED")


@pytest.mark.parametrize("flag", [False, True], ids=["resigned", "flag"])
def test_the_seat_that_loses_for_its_team_is_out(contract: Contract, flag: bool) -> None:
    """With `win=one` its pieces leave the board as well."""
    state = position(CAPTAINS | {1: {"p8": "captain"}}, win="one")
    answer = act(contract, state, move(1, "p8q8") if flag else resign(4))
    cause = "FLAG_CAPTURED" if flag else "RESIGNED"
    assert events(answer)[-2:] == [("out", 4, cause), ("ended", [1, 3], cause)]
    assert list(answer.updates[0].status.seats_out) == [4]
    assert 4 not in answer.updates[0].view.seats


def test_play_begins_without_a_seat_that_resigned_before(contract: Contract) -> None:
    game = engine_core.load(GAME)
    state = game.start(first_seat=2)
    arranging = [
        action_pb2.Action(seat=seat, arrange=arrangement(game.random_arrangement(seat, seed=SEED)))
        for seat in (1, 3, 4)
    ]
    answer = act(contract, wrap(state), *arranging[:2], resign(2), arranging[2])
    status = answer.updates[0].status
    assert (status.phase, status.to_move, list(status.seats_out)) == (update_pb2.PHASE_PLAY, 3, [2])
    assert set(answer.updates[0].view.seats) == {0, 1, 3, 4}


def test_a_draw_needs_every_seat_in_play(contract: Contract) -> None:
    answer = act(contract, position(CAPTAINS), offer(2), accept(4), accept(1))
    assert list(answer.updates[0].status.draw_agreed) == [1, 2, 4]
    assert not answer.updates[0].status.HasField("result")
    ended = act(contract, answer.state, accept(3))
    assert result_of(ended.updates[0].status.result) == ([], "AGREED_DRAW")
    # The last missing seat moves instead: the offer is gone.
    moved = act(contract, act(contract, answer.state, move(1, "g6g5"), move(2, "f9e9")).state, move(3, "i12i13"))
    assert ("draw_lapsed",) in events(moved)
    assert not moved.updates[0].status.draw_agreed


def test_a_seat_that_is_out_has_no_say_in_a_draw(contract: Contract) -> None:
    answer = act(contract, position(CAPTAINS), resign(3), offer(2))
    assert refused(lambda: act(contract, answer.state, accept(3))).reason == "SEAT_OUT"
    answer = act(contract, answer.state, accept(1), accept(4))
    assert result_of(answer.updates[0].status.result) == ([], "AGREED_DRAW")


def test_an_offer_lapses_when_a_seat_goes_out(contract: Contract) -> None:
    """Even when all the others have agreed."""
    answer = act(contract, position(CAPTAINS), offer(2), accept(4), accept(1), resign(3))
    assert set(events(answer)) == {("out", 3, "RESIGNED"), ("draw_lapsed",)}
    assert not answer.updates[0].status.HasField("result")


@pytest.mark.parametrize(("partner_view", "told"), [("off", False), ("on", True)])
def test_partners_see_each_other_where_the_option_says_so(contract: Contract, partner_view: str, told: bool) -> None:
    men = CAPTAINS | {3: {"i12": "marshal", "h16": "bomb"}}
    request = referee_service_pb2.GetUpdateRequest(
        state=position(men, partner_view=partner_view), viewers=named(*VIEWERS)
    )
    updates = dict(zip(VIEWERS, contract.referee.GetUpdate(request).updates, strict=True))
    kinds = engine_core.load(GAME).kinds
    own = {kinds.index(kind) + 1 for kind in ("flag", "marshal", "bomb")}
    seen = {viewer: kinds_of(update, 3) for viewer, update in updates.items()}
    hidden = {HIDDEN}
    assert seen == {1: own if told else hidden, 2: hidden, 3: own, 4: hidden, SPECTATOR: hidden, REFEREE: own}
    answer = contract.referee.GetGame(
        referee_service_pb2.GetGameRequest(game=GAME, options={"partner_view": partner_view})
    )
    game: game_pb2.Game = answer.game
    assert game.partner_view is told
    assert [seat.team for seat in game.seats] == [1, 2, 1, 2]


def test_partners_neither_take_nor_pass_each_other(contract: Contract) -> None:
    """Seat 3 stands on the file of seat 1: it can be run up to from neither side, its own square excluded."""
    men = CAPTAINS | {1: {"g2": "captain"}, 3: {"g4": "captain", "i12": "captain"}}
    state = position(men)
    found = refused(lambda: act(contract, state, move(1, "g2g4")))
    assert (found.code, found.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "ILLEGAL_MOVE")
    assert refused(lambda: act(contract, state, move(1, "g2g5"))).reason == "ILLEGAL_MOVE"
    assert act(contract, state, move(1, "g2g3"))
    against = position(men, teams="off")
    assert act(contract, against, move(1, "g2g4"))
    assert contract.referee.ApplyAction(apply_request(engine_core.load(GAME).start(), resign(4))).state
