"""Keys, callers and signals: what changes while the server runs, and that no call notices."""

import json
import threading
from pathlib import Path
from typing import Any

import grpc
from contract import TIMEOUT, Contract, Seats, apply_request, move, named, refused
from guarded import BACKEND, BEARERS, OTHER_BACKEND, access, bearing, keys, sealed, written
from shinpan.v1 import referee_service_pb2, state_pb2
from waiting import wait_for

from service.process import ServerProcess

ROUNDS = 12


def reseal(contract: Contract, state: state_pb2.State, timeout: float = TIMEOUT) -> state_pb2.State:
    request = referee_service_pb2.ResealStateRequest(state=state)
    answer: state_pb2.State = contract.referee.ResealState(request, timeout=timeout).state
    return answer


def key_of(state: state_pb2.State) -> int:
    return int.from_bytes(state.token[6:8], "little")


def problems(log: Path) -> list[str]:
    return [line["message"] for line in map(json.loads, log.read_text().splitlines()) if line["level"] == "error"]


def test_a_key_is_replaced_without_a_lost_call(transport: str, tmp_path: Path, seats: Seats, limit: float) -> None:
    """Old and new key take turns at being primary while calls go on: every one is answered, with either."""
    path = written(tmp_path, "keys", keys(1, 2))
    old, new = sealed(seats.state, 1), sealed(seats.state, 2)
    seen: set[int] = set()
    calls = 0
    failed: list[grpc.RpcError] = []
    ended = threading.Event()
    with (
        ServerProcess(transport=transport, token_keys_file=path, reload_seconds=0) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        contract = Contract(channel)

        def call() -> None:
            nonlocal calls
            while not ended.is_set():
                for state in (old, new):
                    try:
                        answer = reseal(contract, state, limit)
                    except grpc.RpcError as error:
                        failed.append(error)
                        return
                    assert answer in (old, new)
                    seen.add(key_of(answer))
                    calls += 1

        thread = threading.Thread(target=call)
        thread.start()
        try:
            for step in range(ROUNDS):
                primary = (2, 1)[step % 2]
                written(tmp_path, "keys", keys(primary, 3 - primary))
                process.reload()
                # mypy does not infer the type of a bound variable of the loop.
                wait_for(lambda primary=primary: key_of(reseal(contract, old, limit)) == primary)  # type: ignore[misc]
        finally:
            ended.set()
            thread.join()
    assert not failed
    assert seen == {1, 2}
    assert calls > ROUNDS


def test_rotation(transport: str, tmp_path: Path, seats: Seats) -> None:
    """New key added, made primary, stored states resealed, old key removed: each step on a running server."""
    path = written(tmp_path, "keys", keys(1))
    with (
        ServerProcess(transport=transport, token_keys_file=path, reload_seconds=0) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        contract = Contract(channel)
        stored = reseal(contract, sealed(seats.state, 1))
        assert stored == sealed(seats.state, 1)

        written(tmp_path, "keys", keys(1, 2))
        process.reload()
        wait_for(lambda: answers(contract, sealed(seats.state, 2)))
        assert key_of(reseal(contract, stored)) == 1

        written(tmp_path, "keys", keys(2, 1))
        process.reload()
        wait_for(lambda: key_of(reseal(contract, stored)) == 2)
        stored = reseal(contract, stored)
        assert stored == sealed(seats.state, 2)

        written(tmp_path, "keys", keys(2))
        process.reload()
        wait_for(lambda: not answers(contract, sealed(seats.state, 1)))
        look = referee_service_pb2.DescribeStateRequest(state=sealed(seats.state, 1))
        error = refused(lambda: contract.referee.DescribeState(look))
        assert (error.reason, error.metadata) == ("TOKEN_KEY_UNKNOWN", {"key_id": "1"})
        assert answers(contract, stored)


def answers(contract: Contract, state: state_pb2.State) -> bool:
    try:
        contract.referee.DescribeState(referee_service_pb2.DescribeStateRequest(state=state))
    except grpc.RpcError:
        return False
    return True


def test_a_change_of_a_file_is_noticed_without_a_signal(transport: str, tmp_path: Path, seats: Seats) -> None:
    path = written(tmp_path, "keys", keys(1))
    with (
        ServerProcess(transport=transport, token_keys_file=path, reload_seconds=0.02) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        contract = Contract(channel)
        written(tmp_path, "keys", keys(2, 1))
        wait_for(lambda: key_of(reseal(contract, sealed(seats.state, 1))) == 2)


def test_a_broken_file_changes_nothing_but_the_log(transport: str, tmp_path: Path, seats: Seats, limit: float) -> None:
    """Also one that is gone, and callers: each told once, without what is in the file; the next right one counts."""
    log = tmp_path / "log"
    files: dict[str, Any] = {
        "token_keys_file": written(tmp_path, "keys", keys(1)),
        "access_file": written(tmp_path, "access.toml", access()),
    }
    state = sealed(seats.state, 1, audience="arena")
    with (
        log.open("wb") as file,
        ServerProcess(log=file, transport=transport, reload_seconds=0, **files) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        backend = bearing(channel, BACKEND)
        written(tmp_path, "keys", keys(1) + "\n" + keys(2)[:-8])
        process.reload()
        wait_for(lambda: len(problems(log)) == 1)
        written(tmp_path, "access.toml", access().replace("arena", "a" * 65, 1))
        process.reload()
        wait_for(lambda: len(problems(log)) == 2)
        (tmp_path / "keys").unlink()
        process.reload()
        wait_for(lambda: len(problems(log)) == 3)
        (tmp_path / "keys").mkdir()
        process.reload()
        wait_for(lambda: len(problems(log)) == 4)
        written(tmp_path, "access.toml", "caller = " + "[" * 100_000)
        process.reload()
        wait_for(lambda: len(problems(log)) == 5)
        assert reseal(backend, state, limit) == state
        (tmp_path / "keys").rmdir()
        written(tmp_path, "keys", keys(2, 1))
        process.reload()
        wait_for(lambda: key_of(reseal(backend, state, limit)) == 2)
    *told, deep = problems(log)
    assert deep.startswith(f"the callers stay as they were: {tmp_path}/access.toml: it is not TOML that can be read")
    assert told == [
        f"the keys stay as they were: {tmp_path}/keys: entry 2: key 2 has 27 bytes; it must have 32",
        f"the callers stay as they were: {tmp_path}/access.toml: caller 1 audience: String should have at most 64 "
        "characters",
        f"the keys stay as they were: cannot read {tmp_path}/keys: No such file or directory",
        f"the keys stay as they were: cannot read {tmp_path}/keys: Is a directory",
    ]


def test_callers_come_and_go(transport: str, tmp_path: Path, seats: Seats) -> None:
    path = written(tmp_path, "access.toml", access({BACKEND: BEARERS[BACKEND]}))
    with (
        ServerProcess(transport=transport, access_file=path, reload_seconds=0) as process,
        grpc.insecure_channel(process.address) as channel,
    ):
        old, new = bearing(channel, BACKEND), bearing(channel, OTHER_BACKEND)
        request = apply_request(seats.state, move(1, "a1a2"), viewers=named(1))
        assert old.referee.ApplyAction(request).updates
        assert refused(lambda: new.referee.ApplyAction(request)).reason == "BEARER_UNKNOWN"
        written(tmp_path, "access.toml", access({OTHER_BACKEND: BEARERS[OTHER_BACKEND]}))
        process.reload()
        wait_for(lambda: knows(new))
        assert new.referee.ApplyAction(request).updates
        assert refused(lambda: old.referee.ApplyAction(request)).reason == "BEARER_UNKNOWN"


def knows(contract: Contract) -> bool:
    try:
        contract.referee.ListGames(referee_service_pb2.ListGamesRequest())
    except grpc.RpcError:
        return False
    return True


def test_the_signal_ends_no_server_that_has_nothing_to_read(transport: str) -> None:
    with ServerProcess(transport=transport) as process, grpc.insecure_channel(process.address) as channel:
        process.reload()
        assert knows(Contract(channel))
        process.terminate()
        process.reload()
        assert process.stop() == 0
