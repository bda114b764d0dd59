"""What the configurations of deploy/proxies say, before real pods: what they pass on, and whom they leave out."""

import os
import socket
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import grpc
import pytest
from deploy.everywhere import matches
from deploy.names import Names
from deploy.pods import Replicas
from deploy.proxy import PROXIES, envoy, haproxy, left_out_by_envoy, left_out_by_haproxy, until
from deploy.traffic import GAME
from shinpan.v1 import referee_service_pb2

pytestmark = [
    pytest.mark.containers,
    pytest.mark.skipif("SHINPAN_TEST_NAMESPACE" not in os.environ, reason="run by `make test-containers`"),
]

GET_GAME = "/shinpan.v1.RefereeService/GetGame"
MANY = 1100
"""Calls on one connection; nginx would end it at 1000 by default."""
TOO_LARGE = b"\x0a" + bytes(5 << 20)
"""More than Shinpan takes, which it says, and more than the default of a proxy."""


def failure(channel: grpc.Channel, path: str, request: bytes) -> tuple[grpc.StatusCode, str]:
    """The code and message of a call that must fail."""
    call: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(path)
    error = call.future(request, timeout=20).exception()
    assert isinstance(error, grpc.RpcError)
    return error.code(), error.details() or ""


def test_proxies_pass_on_what_is_many_large_and_refused(ways: Mapping[str, str]) -> None:
    request = referee_service_pb2.GetGameRequest(game=GAME).SerializeToString()
    refusals = {}
    for name, target in ways.items():
        with grpc.insecure_channel(target, options=[("grpc.enable_retries", 0)]) as channel:
            get_game: grpc.UnaryUnaryMultiCallable[bytes, bytes] = channel.unary_unary(GET_GAME)
            states: list[grpc.ChannelConnectivity] = []
            channel.subscribe(states.append, try_to_connect=True)
            assert len({get_game(request, timeout=20) for _ in range(MANY)}) == 1, name
            if name != "headless":  # where the connection's age may end it meanwhile
                assert states[-1] is grpc.ChannelConnectivity.READY, name
                assert states.count(grpc.ChannelConnectivity.READY) == 1, f"{name} has ended the connection"
            refusals[name] = failure(channel, GET_GAME, TOO_LARGE)
            assert failure(channel, "/other.Service/Call", b"")[0] is grpc.StatusCode.UNIMPLEMENTED, name
    code, message = refusals["headless"]
    assert code is grpc.StatusCode.RESOURCE_EXHAUSTED
    assert str(len(TOO_LARGE)) in message  # the server's own words
    assert set(refusals.values()) == {(code, message)}, refusals


def test_a_proxy_that_ends_loses_no_call(replicas: Replicas, tmp_path: Path) -> None:
    replicas.add()
    folders = [tmp_path / number for number in ("first", "second")]
    with Names(replicas.ready), ExitStack() as started:
        for folder in folders:
            folder.mkdir()
        pairs = {
            name: [started.enter_context(make(folder, second)) for second, folder in enumerate(folders)]
            for name, make in PROXIES.items()
        }
        targets = {name: f"ipv4:{first.target},{second.target}" for name, (first, second) in pairs.items()}
        with matches(targets) as played:
            for first, _ in pairs.values():
                first.leave()
            played.go_on(100)


def test_proxies_heed_that_a_pod_is_not_serving(replicas: Replicas, tmp_path: Path) -> None:
    ended, other = replicas.add(), replicas.add()
    both = [ended.address, other.address]  # names that lag behind
    with (
        Names(lambda: both),
        haproxy(tmp_path) as by_haproxy,
        envoy(tmp_path) as by_envoy,
        matches({"haproxy": by_haproxy.target, "envoy": by_envoy.target}) as played,
        ThreadPoolExecutor(1) as meanwhile,
    ):
        assert left_out_by_haproxy(tmp_path) == left_out_by_envoy() == set()
        end = meanwhile.submit(replicas.remove, ended)
        until(lambda: left_out_by_haproxy(tmp_path) == {ended.address}, 20, by_haproxy.log)
        until(lambda: left_out_by_envoy() == {ended.address}, 20, by_envoy.log)
        with socket.create_connection((ended.address, 50051), timeout=5):
            pass  # it takes connections still, so that it is not those that were missed
        played.go_on(50)
        end.result()
