"""Servers to which everything happens that a dashboard can show: matches, mistakes, searches, overload, a restart."""

import random
import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Self

from certificates import DAY, Authority
from guarded import keys, written
from shinpan import Referee, ServiceError

import engine_core
from service.process import ServerProcess

GAMES: Final = ("hasami-shogi", "luzhanqi-mini", "mak-yek", "salpakan-classic")
PLIES: Final = 24
SEED: Final = 20261130
_SEARCHED_GAMES: Final = 500
_CROWD: Final = 12
"""Searches at once: more than the server below takes."""
_LIMITS: Final = {"threads": 2, "max_waiting_calls": 2, "access_log": False}
_PAUSE_SECONDS: Final = 0.02


class Eventful:
    """A busy server and one with a key and a certificate, while the `with` block lasts."""

    def __init__(self, folder: Path) -> None:
        certificate = Authority("ours").issue("localhost", 60 * DAY)
        self._secured = {
            "tls_certificate_file": written(folder, "certificate.pem", certificate.certificate.decode()),
            "tls_key_file": written(folder, "key.pem", certificate.key.decode()),
            "token_keys_file": written(folder, "keys", f"{keys(1)} {datetime.now(UTC) - 20 * DAY:%Y-%m-%d}"),
        }
        self._ended = threading.Event()
        self._threads = [
            threading.Thread(target=self._again_and_again, args=(what, number))
            for number, what in enumerate((self._match, self._match, self._crowd))
        ]

    def __enter__(self) -> Self:
        self._busy = ServerProcess(log=None, environment=None, **_LIMITS)
        self._busy.start()
        self._secure = ServerProcess(log=None, environment=None, access_log=False, **self._secured)
        self._secure.start()
        self.targets = [process.metrics_url.split("/")[2] for process in (self._busy, self._secure)]
        """Where both are scraped."""
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()
        self._busy.stop()
        self._secure.stop()

    def restart(self) -> None:
        """Kill the busy server and start another in its place, as Kubernetes would."""
        ports = {"grpc_port": self._busy.address, "metrics_port": self.targets[0]}
        self._busy.process.kill()
        self._busy.stop()
        places = {name: address.rpartition(":")[2] for name, address in ports.items()}
        self._busy = ServerProcess(log=None, environment=None, **_LIMITS, **places)
        self._busy.start()

    def _again_and_again(self, what: Callable[[Referee, random.Random], None], number: int) -> None:
        chance = random.Random(SEED + number)
        with Referee(self._busy.address) as referee:
            while not self._ended.wait(_PAUSE_SECONDS):
                try:
                    what(referee, chance)
                except ServiceError:  # overload and the restart are part of it
                    continue

    def _match(self, referee: Referee, chance: random.Random) -> None:
        """A match with a look for every seat, an illegal move, a batch, and a resignation."""
        game = engine_core.load(chance.choice(GAMES))
        told = game.start()
        placed = {}
        if told.phase == "arrangement":
            for seat in game.seats:
                placed[seat] = game.random_arrangement(seat, seed=chance.getrandbits(32))
                told = told.arrange(seat, placed[seat]).state
        state = referee.start_match(game.id, arrangements=placed, viewers=game.seats).state
        for _ in range(PLIES):
            if told.to_move is None:
                return
            move = chance.choice(told.legal_moves())
            state = referee.move(state, told.to_move, str(move), viewers=game.seats).state
            told = told.play(move).state
        referee.updates_of_many([state, state], [1])
        try:
            referee.move(state, 1, game.squares[0] * 2)
        finally:
            referee.resign(state, 1)

    def _crowd(self, referee: Referee, chance: random.Random) -> None:
        """Many searches at once."""
        state = referee.start_match("hasami-shogi").state
        seeds = [chance.getrandbits(16) for _ in range(_CROWD)]

        def search(seed: int) -> None:
            with suppress(ServiceError):
                referee.playout(state, _SEARCHED_GAMES, seed)

        searching = [threading.Thread(target=search, args=(seed,)) for seed in seeds]
        for thread in searching:
            thread.start()
        for thread in searching:
            thread.join()
