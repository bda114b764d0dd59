"""The conformance vectors are what the oracle says: legal moves, views, events, results, and what is refused.

Confirmed are the answers about states that were played, but for the start squares and MOVED flags of views and what is
known or counted: samples, deductions, playouts and perft have tests against the rules elsewhere.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import oracle
import pytest
from clients.oracle_ledger import Ledger, act, body_of, started
from clients.oracle_messages import Words
from engine.oracle_events import Before
from shinpan.v1 import referee_service_pb2 as messages
from shinpan.v1 import update_pb2
from shinpan.v1.viewer_pb2 import VIEWER_REFEREE, VIEWER_SPECTATOR

from clients import oracle_messages as said
from conformance.methods import METHODS
from conformance.vectors import Refused, Vector, read, versions

FILES = [file for version in versions() for file in sorted(version.glob("*.jsonl")) if file.stem != "service"]
BY_THE_RULES = {
    "ILLEGAL_MOVE", "NOT_YOUR_TURN", "MATCH_OVER", "ARRANGEMENT_PENDING", "ALREADY_ARRANGED", "SEAT_OUT",
    "DRAW_OFFER_OPEN", "NO_DRAW_OFFER", "INVALID_ARRANGEMENT",
}  # fmt: skip
"""Reasons for which the rules forbid an action."""
FLAGS = said.SHOWN | said.FROM | said.TO | said.CLAIM


class Confirmed:
    """The vectors of a file, held against the oracle one after another."""

    def __init__(self, vectors: list[Vector]) -> None:
        self.vectors = vectors
        self.counts: Counter[str] = Counter()
        self.words = Words(next(self._answers("GetGame"))[1].game)
        states = [request.state for _, request in self._requests() if hasattr(request, "state")]
        items = [item.state for _, request in self._requests() for item in getattr(request, "items", ())]
        self.ledger = Ledger(body_of(state) for state in (*states, *items) if _readable(state.token))

    def _requests(self) -> Iterator[tuple[Vector, Any]]:
        return ((vector, METHODS[vector.method].request.FromString(vector.request)) for vector in self.vectors)

    def _answers(self, method: str) -> Iterator[tuple[Any, Any]]:
        for vector, request in self._requests():
            if vector.method.endswith(f"/{method}") and isinstance(vector.outcome, bytes):
                yield request, METHODS[vector.method].response.FromString(vector.outcome)

    def words_of(self, options: Mapping[str, str]) -> Words:
        """Names with these options, which can change the board."""
        for request, answer in self._answers("GetGame"):
            if dict(request.options) == dict(options):
                return Words(answer.game)
        return self.words

    def replays(self) -> None:
        """Every whole match, and the states on its way."""
        for request, answer in self._answers("ReplayMatch"):
            words = self.words_of(request.setup.options)
            match = self.ledger.play(request.setup, request.actions, words)
            before = Before(match)
            act(match, request.actions[-1], words)
            self.updates(answer.updates, match, words, before)
            self.ledger.enter(answer.state, match)
            self.counts["ReplayMatch"] += 1

    def starts(self) -> None:
        """Every match that begins."""
        for request, answer in self._answers("StartMatch"):
            words = self.words_of(request.setup.options)
            match = started(request.setup)
            before = Before(oracle.game(request.setup.game, dict(request.setup.options)).start())
            if match.rules.fixed_start is not None:  # it begins in play, and nothing has happened
                before = Before(match)
            self.updates(answer.updates, match, words, before)
            self.ledger.enter(answer.state, match)
            self.counts["StartMatch"] += 1

    def actions(self) -> None:
        """Every action, accepted or refused by the rules."""
        for vector, request in self._requests():
            if not vector.method.endswith("/ApplyAction") or not _readable(request.state.token):
                continue
            if isinstance(vector.outcome, bytes) and request.expect_hypothetical:
                self.counts["hypothetical"] += 1
            elif isinstance(vector.outcome, bytes):
                self.applied(request, messages.ApplyActionResponse.FromString(vector.outcome))
                self.counts["ApplyAction"] += 1
            elif vector.outcome.reason in BY_THE_RULES:
                with pytest.raises(oracle.IllegalAction):
                    act(self.ledger.match(request.state), request.action, self.words)
                self.counts["refused"] += 1
        for request, answer in self._answers("BatchApplyActions"):
            for item, outcome in zip(request.items, answer.items, strict=True):
                if outcome.HasField("result"):
                    self.applied(item, outcome.result)
                    self.counts["BatchApplyActions"] += 1

    def applied(self, request: messages.ApplyActionRequest, answer: messages.ApplyActionResponse) -> None:
        """One action that was accepted."""
        match = self.ledger.match(request.state)
        words = self.words_of(_chosen(match))
        before = Before(match)
        act(match, request.action, words)
        self.updates(answer.updates, match, words, before)
        self.ledger.enter(answer.state, match)

    def looks(self) -> None:
        """Every look at a state."""
        for request, answer in [*self._answers("GetUpdate"), *self._items("BatchGetUpdates")]:
            if not request.expect_hypothetical:
                self.updates(answer.updates, self.ledger.match(request.state), self.words, None)
                self.counts["GetUpdate"] += 1
        for request, answer in [*self._answers("ListLegalActions"), *self._items("BatchListLegalActions")]:
            if not request.expect_hypothetical:
                match = self.ledger.match(request.state)
                assert answer.legal_actions == said.legal_actions(match, self.words, request.seat)
                self.counts["ListLegalActions"] += 1
        for request, answer in self._answers("DescribeState"):
            assert answer.status == said.status(self.ledger.match(request.state), self.words)
            self.counts["DescribeState"] += 1

    def _items(self, method: str) -> Iterator[tuple[Any, Any]]:
        for request, answer in self._answers(method):
            for item, outcome in zip(request.items, answer.items, strict=True):
                if outcome.HasField("result"):
                    yield item, outcome.result

    def updates(self, updates: Any, match: oracle.Match, words: Words, before: Before | None) -> None:
        """What viewers get of a match; their events are of what happened since `before`."""
        for update in updates:
            self.update(update, match, words)
            events = [] if before is None else said.told(before, match, words, update.viewer)
            assert said.in_order(update.events) == events

    def update(self, update: update_pb2.Update, match: oracle.Match, words: Words) -> None:
        """What one viewer gets, but for its events."""
        viewer = int(update.viewer)
        assert update.status == said.status(match, words)
        view = update.view
        flags = bytes(flag & FLAGS for flag in view.flags)
        assert (view.seats, view.kinds, flags, view.claim_pending) == said.columns(match, words, viewer)
        gone: dict[int, Counter[int]] = {seat: Counter() for seat in match.rules.all_seats}
        for seat, kind in zip(update.captured.seats, update.captured.kinds, strict=True):
            gone[seat][kind] += 1
        for seat, kinds in gone.items():
            expected = said.captured(match, words, seat)
            assert kinds.total() == expected.total()
            assert viewer not in (seat, VIEWER_REFEREE) or kinds == expected
        waits = match.phase == "arrangement" and viewer in match.in_play and viewer not in match.start_kinds
        assert update.HasField("legal_actions") == (viewer == match.to_move or waits)
        if update.HasField("legal_actions"):
            assert viewer not in (VIEWER_REFEREE, VIEWER_SPECTATOR)
            assert update.legal_actions == said.legal_actions(match, words, viewer)
        self.counts["updates"] += 1

    def everything(self) -> None:
        """All of that."""
        self.replays()
        self.starts()
        self.actions()
        self.looks()


def _readable(token: bytes) -> bool:
    return token.startswith(b"SHPN\x01")


def _chosen(match: oracle.Match) -> Mapping[str, str]:
    """The options that are not the defaults."""
    defaults = {name: values[0] for name, values in oracle.declared_options(match.rules.name).items()}
    return {name: value for name, value in match.rules.options.items() if value != defaults[name]}


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_vectors_are_what_the_oracle_says(file: Path) -> None:
    confirmed = Confirmed(read(file))
    confirmed.everything()
    answered = Counter(
        vector.method.partition("/")[2] for vector in confirmed.vectors if isinstance(vector.outcome, bytes)
    )
    counts = confirmed.counts
    assert counts["ReplayMatch"] == answered["ReplayMatch"]
    assert counts["StartMatch"] == answered["StartMatch"]
    assert counts["ApplyAction"] + counts["hypothetical"] == answered["ApplyAction"]
    assert counts["hypothetical"] == 2, "a move in a sample of the plain server, and one of the sealed"
    refused = [
        vector.name
        for vector in confirmed.vectors
        if vector.method.endswith("/ApplyAction")
        and isinstance(vector.outcome, Refused)
        and vector.outcome.reason in BY_THE_RULES
    ]
    assert counts["refused"] == len(refused) > 5


def _without_a_move(answer: Any) -> None:
    update = next(one for one in answer.updates if one.legal_actions.moves)
    update.legal_actions.moves.pop()


def _another_kind(answer: Any) -> None:
    view = answer.updates[0].view
    square = next(index for index, kind in enumerate(view.kinds) if kind)
    view.kinds = view.kinds[:square] + bytes((view.kinds[square] % 2 + 1,)) + view.kinds[square + 1 :]


def _less_told(answer: Any) -> None:
    answer.updates[0].events.pop()


def _another_ply(answer: Any) -> None:
    answer.updates[-1].status.ply += 1


@pytest.mark.parametrize("spoil", [_without_a_move, _another_kind, _less_told, _another_ply])
def test_what_is_wrong_is_not_confirmed(spoil: Callable[[Any], None]) -> None:
    vectors = read(FILES[-1])
    place = next(place for place, vector in enumerate(vectors) if vector.name.startswith("match: ply"))
    vector = vectors[place]
    assert isinstance(vector.outcome, bytes)
    answer = messages.ApplyActionResponse.FromString(vector.outcome)
    spoil(answer)
    vectors[place] = replace(vector, outcome=answer.SerializeToString())
    confirmed = Confirmed(vectors)
    confirmed.replays()
    confirmed.starts()
    with pytest.raises(AssertionError):
        confirmed.actions()
