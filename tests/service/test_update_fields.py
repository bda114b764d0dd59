"""Every field that an Update can hold is listed with the rule that fills it, and the rule is kept."""

import random
from collections.abc import Iterator

import pytest
from contract import REFEREE, SEED, SPECTATOR
from engine.hidden_matches import GAMES, choices
from engine.shared import playing
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from shinpan.v1 import update_pb2
from update_fields import FIELDS, PARTS, Who

import engine_core
from service import updates


def below(message: Descriptor, seen: set[str] | None = None) -> Iterator[str]:
    """The full names of the fields of a message and of every message in it."""
    seen = set() if seen is None else seen
    seen.add(message.full_name)
    for field in message.fields:
        yield field.full_name
        if field.message_type is not None and field.message_type.full_name not in seen:
            yield from below(field.message_type, seen)


def test_every_field_has_its_rule() -> None:
    """A new field fails here until somebody has said who may see it; one that is gone leaves the table, too."""
    assert sorted(below(update_pb2.Update.DESCRIPTOR)) == sorted(f"shinpan.v1.{name}" for name in FIELDS)
    assert all(rule.by.endswith(".") for rule in FIELDS.values())


def values(message: Message, path: str = "") -> Iterator[tuple[str, str, object]]:
    """Every set field below a message that is no message itself: where it is, its name, its value."""
    for field, value in message.ListFields():
        name = field.full_name.removeprefix("shinpan.v1.")
        if field.message_type is None:
            yield f"{path}.{field.name}", name, value if isinstance(value, (bytes, str, int, bool)) else tuple(value)
        elif name in PARTS:
            yield f"{path}.{field.name}", name, True
        for number, part in enumerate(value if field.is_repeated else [value]) if field.message_type else ():
            yield from values(part, f"{path}.{field.name}[{number}]" if field.is_repeated else f"{path}.{field.name}")


@pytest.mark.parametrize("game", GAMES)
def test_what_is_for_everybody_is_the_same_for_everybody(game: str) -> None:
    """And what is for one seat alone reaches nobody else but the referee."""
    print(f"seed {SEED}")
    rng = random.Random(f"{SEED} fields {game}")
    for options in choices(game)[:4]:
        state = playing(game, SEED, 0, **options)
        seats = state.game.seats
        viewers = [(SPECTATOR, engine_core.SPECTATOR), (REFEREE, engine_core.REFEREE), *((s, s) for s in seats)]
        for _ in range(25):
            if state.phase == "ended":
                break
            turn = state.play(rng.choice(state.legal_moves()))
            state = turn.state
            told = updates.updates(state, viewers, (turn,), diagrams=False)
            seen = [
                {path: (FIELDS[name].who, value) for path, name, value in values(update_pb2.Update.FromString(one))}
                for one in told
            ]
            public = [{path: value for path, (who, value) in one.items() if who is Who.EVERYBODY} for one in seen]
            assert public == public[:1] * len(public), (game, options)
            assert public[0][".status.ply"] == state.ply
            for (viewer, _), one in zip(viewers, seen, strict=True):
                alone = {path for path, (who, _) in one.items() if who is Who.SEAT_TO_DECIDE}
                assert bool(alone) == (viewer == state.to_move), (game, viewer, alone)
