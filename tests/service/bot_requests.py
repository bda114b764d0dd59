"""What a bot asks: knowledge, samples, and random games from them."""

from typing import Any

from contract import SEED, Contract, named, unwrap, wrap
from shinpan.v1 import analysis_service_pb2, knowledge_pb2, referee_service_pb2, state_pb2, update_pb2

from engine_core import State


def told(contract: Contract, state: State, *viewers: int, **fields: Any) -> list[update_pb2.Update]:
    """The updates of viewers, with their knowledge."""
    request = referee_service_pb2.GetUpdateRequest(
        state=wrap(state), viewers=named(*viewers), include_knowledge=True, **fields
    )
    return list(contract.referee.GetUpdate(request).updates)


def knowledge(contract: Contract, state: State, viewer: int) -> knowledge_pb2.Knowledge:
    """What a viewer may know of a state, as the service says."""
    return told(contract, state, viewer)[0].knowledge


def sample(contract: Contract, state: State, viewer: int, count: int, seed: int = SEED) -> list[State]:
    request = analysis_service_pb2.SampleStatesRequest(
        knowledge=knowledge(contract, state, viewer), count=count, seed=seed
    )
    return [unwrap(one) for one in contract.analysis.SampleStates(request).states]


def playout(state: state_pb2.State, games: int, *, hypothetical: bool = False) -> Any:
    return analysis_service_pb2.PlayoutRequest(state=state, games=games, seed=SEED, expect_hypothetical=hypothetical)
