"""The load tests, for Locust: `python -m locust -f load/locustfile.py --host 127.0.0.1:50051`, at the root of the tree.

LOAD_SCENARIO says which of `load.scenarios.catalogue` is run. At its end a run is judged by load/thresholds.toml, or by
the file that LOAD_THRESHOLDS names.
"""

import os
from pathlib import Path

import gevent
from locust import events
from locust.argument_parser import LocustArgumentParser
from locust.env import Environment

import engine_core
from load.scenarios import thresholds, verdict
from load.scenarios.catalogue import SCENARIOS

SCENARIO = os.environ.get("LOAD_SCENARIO", "match")
if SCENARIO not in SCENARIOS:
    raise SystemExit(f"LOAD_SCENARIO={SCENARIO}: there are {', '.join(SCENARIOS)}")
globals().update({one.__name__: one for one in SCENARIOS[SCENARIO]})  # where Locust looks for them

THRESHOLDS = thresholds.read(Path(os.environ.get("LOAD_THRESHOLDS", thresholds.FILE)))[SCENARIO]


def _options(parser: LocustArgumentParser) -> None:
    parser.add_argument(
        "--think-seconds", type=float, default=0.2, env_var="LOAD_THINK_SECONDS", help="Mean time before an action"
    )
    parser.add_argument(
        "--game", choices=engine_core.games(), default="hidden-hasami", env_var="LOAD_GAME",
        help="What is played, where a scenario does not play all games",
    )  # fmt: skip
    parser.add_argument(
        "--patience", type=int, default=300, env_var="LOAD_PATIENCE", help="Actions after which a player resigns"
    )
    parser.add_argument("--seed", type=int, default=1, env_var="LOAD_SEED", help="Of arrangements and moves")


def _set_clock(**_: object) -> None:
    """A run is as long as was asked for: gevent's clock, by which it ends, has stood still during the imports."""
    gevent.get_hub().loop.update_now()


def _judge(environment: Environment, **_: object) -> None:
    verdict.give(SCENARIO, THRESHOLDS, environment)


events.init_command_line_parser.add_listener(_options)
events.init.add_listener(_set_clock)
events.quitting.add_listener(_judge)
