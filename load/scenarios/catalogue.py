"""The scenarios by name: which classes Locust is given for each."""

from collections.abc import Mapping, Sequence
from typing import Final

from locust import LoadTestShape, User

from load.scenarios.bots import BotsUser
from load.scenarios.players import MatchUser, MixedUser
from load.scenarios.spike import SpikeShape

SCENARIOS: Final[Mapping[str, Sequence[type[User] | type[LoadTestShape]]]] = {
    "match": (MatchUser,),
    "bots": (BotsUser,),
    "mixed": (MixedUser,),
    "spike": (MatchUser, SpikeShape),
    "soak": (MixedUser, BotsUser),
}
