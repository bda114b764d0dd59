"""The bytes that the service writes itself are those that protobuf would write, and say what the engine says."""

import random
from itertools import permutations

import pytest
from shinpan.v1 import action_pb2, event_pb2, game_pb2, update_pb2

import engine_core
from engine_core import REFEREE, SPECTATOR, State, Turn, events
from service import updates, wire
from service.tokens import seal

SEED = 11
VIEWERS = ((1, 1), (2, 2), (14, SPECTATOR), (15, REFEREE))
OPTIONS = {
    "hidden-hasami": ({}, {"board": "9x9", "ply_limit": "60"}),
    "luzhanqi-mini": ({}, {"battle_reveal": "shown", "reveal_at_end": "on"}),
    "salpakan-classic": ({}, {"battle_reveal": "event", "quiet_limit": "40"}),
    "hidden-capture-flag": ({}, {"battle_reveal": "shown"}, {"battle_reveal": "none", "ply_limit": "300"}),
    "gunjin-shogi": ({}, {"battle_reveal": "shown"}),
}
CASES = [(game, options) for game, choices in OPTIONS.items() for options in choices]


def turns_of_a_match(game_id: str, options: dict[str, str], seed: int) -> list[Turn]:
    """Every action of a random match: arrangements, moves, offers, answers, sometimes an early end."""
    chance = random.Random(seed)
    game = engine_core.load(game_id, **options)
    turns = [game.start(match_id=b"m").arrange(2, game.random_arrangement(2, seed=seed))]
    turns.append(turns[0].state.arrange(1, game.random_arrangement(1, seed=seed + 1)))
    while (state := turns[-1].state).result is None and len(turns) < 700:
        draw = chance.random()
        if draw < 0.02 and not state.draw_agreed:
            turns.append(state.offer_draw(chance.choice((1, 2))))
        elif draw < 0.2 and state.draw_agreed:
            answering = 3 - state.draw_agreed[0]
            turns.append(state.decline_draw(answering) if draw < 0.19 else state.accept_draw(answering))
        elif draw > 0.9995:
            turns.append(state.resign(chance.choice((1, 2))))
        else:
            turns.append(state.play(chance.choice(state.legal_moves())))
    return turns


def check_status(status: update_pb2.Status, state: State) -> None:
    assert update_pb2.Phase.Name(status.phase) == f"PHASE_{state.phase.upper()}"
    assert (status.to_move or None, status.ply, status.revision) == (state.to_move, state.ply, state.revision)
    assert tuple(status.seats_arranged) == state.arranged
    assert tuple(status.draw_agreed) == state.draw_agreed
    assert tuple(status.seats_out) == state.out
    assert status.hypothetical == state.hypothetical
    assert status.HasField("last_move") == (state.last_move is not None)
    if state.last_move is not None:
        assert status.last_move == int(state.last_move)
    assert status.HasField("result") == (state.result is not None)
    if state.result is not None:
        assert tuple(status.result.winners) == state.result.winners
        name = event_pb2.EndReason.Name(status.result.reason)
        assert name == "END_REASON_" + state.result.reason.upper().replace("-", "_")


def check_moved(message: event_pb2.Moved, moved: events.Moved, game: engine_core.Game) -> None:
    squares, kinds = game.squares, (None, *game.kinds)
    assert (message.ply, message.seat) == (moved.ply, moved.seat)
    assert (squares[message.move >> 8], squares[message.move & 255]) == (moved.source, moved.target)
    assert tuple(squares[index] for index in message.captured) == moved.captured
    assert (kinds[message.attacker_kind], kinds[message.defender_kind]) == (moved.attacker, moved.defender)
    name = game_pb2.BattleOutcome.Name(message.battle)
    words = {"A": "ATTACKER", "D": "DEFENDER", "B": "BOTH"}
    if moved.outcome in ("move", "capture"):
        assert name == "BATTLE_OUTCOME_UNSPECIFIED"
    else:
        falls = "_FLAG_FALLS" if moved.outcome.endswith("!") else ""
        assert name == f"BATTLE_OUTCOME_{words[moved.outcome[0]]}{falls}"


@pytest.mark.parametrize(("game_id", "options"), CASES)
def test_updates_are_protobufs_own_bytes(game_id: str, options: dict[str, str]) -> None:
    print(f"seed {SEED}")
    for turn in [turn for seed in range(SEED, SEED + 4) for turn in turns_of_a_match(game_id, options, seed)]:
        state = turn.state
        for (number, viewer), data in zip(VIEWERS, updates.updates(state, VIEWERS, [turn], False), strict=True):
            update = update_pb2.Update.FromString(data)
            assert update.SerializeToString(deterministic=True) == data
            assert update.viewer == number
            check_status(update.status, state)
            seen = state.view(viewer)
            board = update.view
            assert (board.seats, board.kinds, board.origins, board.flags) == (
                seen.seats, seen.kinds, seen.origins, seen.flags,
            )  # fmt: skip
            assert board.claim_pending == seen.claim_pending
            gone = zip(update.captured.seats, update.captured.origins, update.captured.kinds, strict=True)
            assert tuple(gone) == seen.captured
            happened = turn.events_for(viewer)
            kinds = [event.WhichOneof("kind") for event in update.events]
            assert [kind.replace("_", "") for kind in kinds if kind] == [type(e).__name__.lower() for e in happened]
            for message, event in zip(update.events, happened, strict=True):
                if isinstance(event, events.Moved):
                    check_moved(message.moved, event, state.game)
            decides = viewer in state.game.seats and (
                viewer == state.to_move or (state.phase == "arrangement" and viewer not in state.arranged)
            )
            assert update.HasField("legal_actions") == decides
            if decides:
                check_legal_actions(update.legal_actions, state, viewer)


def test_knowledge_and_hypothetical_states_are_protobufs_own_bytes() -> None:
    print(f"seed {SEED}")
    turn = turns_of_a_match("luzhanqi-mini", {}, SEED)[30]
    sampled = turn.state.sample(1, 1, SEED)[0]
    for state, turns in ((turn.state, [turn]), (sampled, [])):
        for (number, viewer), data in zip(VIEWERS, updates.updates(state, VIEWERS, turns, True, seal), strict=True):
            update = update_pb2.Update.FromString(data)
            assert update.SerializeToString(deterministic=True) == data
            assert update.viewer == number
            check_status(update.status, state)
            held = b"" if viewer == REFEREE else seal(state.knowledge(viewer).to_bytes())
            assert update.knowledge.token == held


def check_legal_actions(legal: action_pb2.LegalActions, state: State, seat: int) -> None:
    moves = [int(move) for move in state.legal_moves()] if seat == state.to_move else []
    assert list(legal.moves) == moves
    words = [action_pb2.ActionKind.Name(kind).removeprefix("ACTION_KIND_") for kind in legal.kinds]
    assert sorted(words) == sorted(word.upper().replace("-", "_") for word in state.legal_actions(seat))
    assert list(legal.kinds) == sorted(legal.kinds)


def test_every_reason_of_an_end_has_its_number() -> None:
    """The codes of the engine are the numbers of the API."""
    game = engine_core.load("luzhanqi-mini")
    state = game.position({1: {"a1": "officer"}, 2: {"g8": "officer"}}, to_move=1)
    ended = [
        state.resign(1),
        state.forfeit(2, "time"),
        state.forfeit(2, "abandonment"),
        state.forfeit(1, "ruling"),
        state.adjudicate(()),
        state.offer_draw(1).state.accept_draw(2),
    ]
    for turn in ended:
        check_status(update_pb2.Status.FromString(wire.status(turn.state)), turn.state)


@pytest.mark.parametrize("size", [0, 1, 127, 128, 300, 20_000, 2_100_000])
def test_fields_of_any_length(size: int) -> None:
    body = bytes(size)
    expected = update_pb2.View(diagram="\0" * size).SerializeToString()
    assert wire.field(6, body) == expected


@pytest.mark.parametrize("claim", ["silent", "announced"])
def test_viewers_asked_for_together_see_what_each_sees_alone(claim: str) -> None:
    """Whoever comes first: claims are on the boards of those that may know, and before play each has its own board."""
    game = engine_core.load("salpakan-classic", claim=claim)
    arranging = game.start().arrange(1, game.random_arrangement(1, seed=SEED)).state
    pieces = {1: {"e7": "flag", "a2": "private"}, 2: {"e1": "spy", "a8": "private", "d8": "spy"}}
    claimed = game.position(pieces, to_move=1).play("e7e8").state
    assert claimed.view(1).claim_pending
    for state in (arranging, claimed):
        alone = {number: wire.updates(state, [(number, viewer, None, b"")])[0] for number, viewer in VIEWERS}
        for order in permutations(VIEWERS):
            together = wire.updates(state, [(number, viewer, None, b"") for number, viewer in order])
            assert together == [alone[number] for number, _ in order]
