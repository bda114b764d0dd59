"""Two matches that one viewer cannot tell apart, each played through a server of its own, and what differs."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from attempts import tried
from contract import SPECTATOR, arrangement, move, named, setup, wrap
from engine.indistinguishable import Line, Pair
from engine.scripted import Action
from google.protobuf.message import Message
from google.rpc import error_details_pb2, status_pb2
from in_process import InProcess, Told
from shinpan.v1 import action_pb2, analysis_service_pb2, referee_service_pb2, state_pb2

import engine_core
from engine_core import State
from service import contents

REFEREE_SERVICE = "/shinpan.v1.RefereeService/"
ANALYSIS_SERVICE = "/shinpan.v1.AnalysisService/"

CAUSES = {
    "time": action_pb2.FORFEIT_CAUSE_TIME,
    "abandonment": action_pb2.FORFEIT_CAUSE_ABANDONMENT,
    "ruling": action_pb2.FORFEIT_CAUSE_RULING,
}
BATCH = 64
CLOSE_LOOKS = 0.03
LAST_LOOKS = 0.5
"""How many of the states on the way, and how many of the last ones, a seat tries everything in."""
SLOW = 0.02
"""In how many of the states a bot deduces and samples."""


def message_of(action: Action) -> action_pb2.Action:
    """An action of a scripted match as a message."""
    match action.what:
        case "arrange":
            return action_pb2.Action(seat=action.seat, arrange=arrangement(action.arrangement))
        case "play":
            return move(action.seat, action.move)
        case "forfeit":
            forfeit = action_pb2.Forfeit(seat=action.seat, cause=CAUSES[action.cause])
            return action_pb2.Action(ruling=action_pb2.Ruling(forfeit=forfeit))
        case "adjudicate":
            winners = action_pb2.Adjudication(winners=action.winners)
            return action_pb2.Action(ruling=action_pb2.Ruling(adjudication=winners))
    message = action_pb2.Action(seat=action.seat)
    getattr(message, action.what.replace("-", "_")).SetInParent()
    return message


class Conversation:
    """Two servers that are asked the same, and the differences between what they tell."""

    def __init__(self) -> None:
        self.servers = InProcess(), InProcess()
        self.methods: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.found: list[str] = []

    def ask(self, path: str, asked: Sequence[Message], where: str) -> tuple[Any, Any]:
        """Ask each server, note what differs, and give back the answers."""
        (one, first), (two, second) = (
            server.call(path, request) for server, request in zip(self.servers, asked, strict=True)
        )
        self.methods[path] += 1
        if one != two:
            parts = [name for name, mine, other in zip(Told._fields, one, two, strict=True) if mine != other]
            self.found.append(f"{where}: {path.rpartition('/')[2]} differs in {', '.join(parts)}: {one} / {two}"[:2000])
        for _, status in one.trailing:
            self.reasons[reason_of(status_pb2.Status.FromString(status))] += 1
        return first, second

    def compare(self, pair: Pair, viewer: int, rng: random.Random) -> list[str]:
        """Take both matches through the API for one viewer; everything in which the servers differ."""
        self.found = []
        number = SPECTATOR if viewer == engine_core.SPECTATOR else viewer
        lines = pair.one, pair.two
        states: list[tuple[State, State]] = []
        for step in range(pair.steps + 1):
            states.append(self._step(lines, step, states, number, rng))
            self._look(states[-1], number, rng, f"step {step}")
            if viewer and rng.random() < (LAST_LOOKS if step == pair.steps else CLOSE_LOOKS):
                self._try(states[-1], viewer, number, rng, f"step {step}")
        self._whole(lines, pair.steps, states, number)
        return self.found

    def uncounted(self) -> list[str]:
        """The counters in which the servers differ, after all that they have been asked."""
        one, two = (set(server.counted().items()) for server in self.servers)
        return [f"counter {name} differs: {dict(labels)} {value}" for (name, labels), value in sorted(one ^ two)]

    def _step(
        self, lines: tuple[Line, Line], step: int, states: list[tuple[State, State]], number: int, rng: random.Random
    ) -> tuple[State, State]:
        """The states after this step: of a match that starts, or after an action."""
        opening = lines[0].opening
        if step == 0 and opening.pieces is not None:
            return lines[0].opening.state(), lines[1].opening.state()
        viewers = viewers_with(number, rng)
        if step == 0:
            begin = setup(opening.game, options=opening.options, first_seat=opening.first_seat)
            start = referee_service_pb2.StartMatchRequest(setup=begin, viewers=viewers)
            answers = self.ask(REFEREE_SERVICE + "StartMatch", (start, start), "the start")
        else:
            applied = [
                referee_service_pb2.ApplyActionRequest(
                    state=wrap(state),
                    action=message_of(line.actions[step - 1]),
                    viewers=viewers,
                    expected_revision=state.revision,
                    include_diagrams=step % 4 == 0,
                    include_knowledge=step % 4 == 1,
                )
                for line, state in zip(lines, states[-1], strict=True)
            ]
            answers = self.ask(REFEREE_SERVICE + "ApplyAction", applied, f"step {step}")
        one, two = (contents.state_of(answer.state) for answer in answers)
        return one, two

    def _look(self, states: tuple[State, State], number: int, rng: random.Random, where: str) -> None:
        """What may be asked of any state."""
        tokens = [wrap(state) for state in states]
        if rng.random() < 0.3:
            looks = [referee_service_pb2.DescribeStateRequest(state=token) for token in tokens]
            self.ask(REFEREE_SERVICE + "DescribeState", looks, where)
        if number != SPECTATOR:
            lists = [referee_service_pb2.ListLegalActionsRequest(state=token, seat=number) for token in tokens]
            self.ask(REFEREE_SERVICE + "ListLegalActions", lists, where)
        if rng.random() < 0.1:
            drawn = rng.random() < 0.5
            updates = [
                referee_service_pb2.GetUpdateRequest(state=t, viewers=named(number), include_diagrams=drawn)
                for t in tokens
            ]
            self.ask(REFEREE_SERVICE + "GetUpdate", updates, where)
        if rng.random() < SLOW:
            self._search(tokens, number, where)

    def _search(self, tokens: Sequence[state_pb2.State], number: int, where: str) -> None:
        """What a bot asks that has the viewer's knowledge: what follows from it, and games from samples."""
        messages = analysis_service_pb2
        looks = [
            referee_service_pb2.GetUpdateRequest(state=t, viewers=named(number), include_knowledge=True) for t in tokens
        ]
        answers = self.ask(REFEREE_SERVICE + "GetUpdate", looks, where)
        held = [answer.updates[0].knowledge for answer in answers]
        self.ask(ANALYSIS_SERVICE + "Deduce", [messages.DeduceRequest(knowledge=one) for one in held], where)
        wanted = [messages.SampleStatesRequest(knowledge=one, count=2, seed=3) for one in held]
        samples = self.ask(ANALYSIS_SERVICE + "SampleStates", wanted, where)
        if None in samples:
            return
        drawn = [one.states[1] for one in samples]
        unexpected = [referee_service_pb2.DescribeStateRequest(state=one) for one in drawn]
        self.ask(REFEREE_SERVICE + "DescribeState", unexpected, where)
        played = [messages.PlayoutRequest(state=one, games=1, expect_hypothetical=True) for one in drawn]
        self.ask(ANALYSIS_SERVICE + "Playout", played, where)
        self.ask(ANALYSIS_SERVICE + "BatchPlayouts", [messages.BatchPlayoutsRequest(items=[p]) for p in played], where)
        counted = [messages.PerftRequest(state=one, depth=1, expect_hypothetical=True) for one in drawn]
        self.ask(ANALYSIS_SERVICE + "Perft", counted, where)

    def _try(self, states: tuple[State, State], seat: int, number: int, rng: random.Random, where: str) -> None:
        """All that a seat may try: most in batches, some one by one."""
        seed = rng.random()
        one, two = (list(tried(state, seat, (number,), random.Random(seed))) for state in states)
        alone = rng.sample(range(len(one)), 6)
        for place in alone:
            self.ask(REFEREE_SERVICE + "ApplyAction", (one[place], two[place]), where)
        messages = referee_service_pb2
        for first in range(0, len(one), BATCH):
            batches = [messages.BatchApplyActionsRequest(items=items[first : first + BATCH]) for items in (one, two)]
            answer, _ = self.ask(REFEREE_SERVICE + "BatchApplyActions", batches, where)
            for item in answer.items:
                if item.HasField("error"):
                    self.reasons[reason_of(item.error)] += 1

    def _whole(self, lines: tuple[Line, Line], steps: int, states: Sequence[tuple[State, State]], number: int) -> None:
        """The match at once: replayed, begun with its arrangements, and its last states in batches."""
        messages, opening = referee_service_pb2, lines[0].opening
        replays, starts = [], []
        for line, first in zip(lines, states[0], strict=True):
            actions = [message_of(action) for action in line.actions[:steps]]
            replay = messages.ReplayMatchRequest(actions=actions, viewers=named(number), include_diagrams=True)
            if opening.pieces is None:
                begin = setup(opening.game, options=opening.options, first_seat=opening.first_seat)
                replay.setup.CopyFrom(begin)
                for action in line.actions[:steps]:
                    if action.what != "arrange":
                        break
                    begin.arrangements[action.seat].CopyFrom(arrangement(action.arrangement))
                starts.append(messages.StartMatchRequest(setup=begin, viewers=named(number)))
            else:
                replay.state.CopyFrom(wrap(first))
            replays.append(replay)
        self.ask(REFEREE_SERVICE + "ReplayMatch", replays, "the whole")
        if starts:
            self.ask(REFEREE_SERVICE + "StartMatch", starts, "the start with arrangements")
        last = [[wrap(pair[side]) for pair in states[-3:]] for side in (0, 1)]
        looks = [
            messages.BatchGetUpdatesRequest(
                items=[messages.GetUpdateRequest(state=token, viewers=named(number)) for token in tokens]
            )
            for tokens in last
        ]
        self.ask(REFEREE_SERVICE + "BatchGetUpdates", looks, "the last states")
        reseals = [messages.ResealStateRequest(state=tokens[-1]) for tokens in last]
        self.ask(REFEREE_SERVICE + "ResealState", reseals, "the last state")
        if number != SPECTATOR:
            lists = [
                messages.BatchListLegalActionsRequest(
                    items=[messages.ListLegalActionsRequest(state=token, seat=number) for token in tokens]
                )
                for tokens in last
            ]
            self.ask(REFEREE_SERVICE + "BatchListLegalActions", lists, "the last states")

    def rules(self, game: str) -> None:
        """Ask for what is the same in every match."""
        messages = referee_service_pb2
        self.ask(REFEREE_SERVICE + "ListGames", (messages.ListGamesRequest(),) * 2, "the games")
        self.ask(REFEREE_SERVICE + "GetGame", (messages.GetGameRequest(game=game),) * 2, "the game")
        draw = analysis_service_pb2.DrawArrangementRequest(game=game, seat=1, seed=7)
        self.ask(ANALYSIS_SERVICE + "DrawArrangement", (draw, draw), "a drawn arrangement")


def viewers_with(number: int, rng: random.Random) -> Any:
    """The viewer, now and then together with the spectator, who knows no more."""
    return named(number, SPECTATOR) if number != SPECTATOR and rng.random() < 0.2 else named(number)


def reason_of(status: status_pb2.Status) -> str:
    """The reason of an error."""
    info = error_details_pb2.ErrorInfo()
    status.details[0].Unpack(info)
    return str(info.reason)
