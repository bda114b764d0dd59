"""TLS of the API port: who is let in by a certificate, who is not, and new certificates on a running server."""

import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import grpc
import pytest
from certificates import DAY, Authority, Issued
from contract import Contract
from guarded import written
from shinpan import Referee, ServiceError
from shinpan.v1 import referee_service_pb2
from test_reload import problems
from waiting import wait_for

from service.process import ServerProcess


@pytest.fixture(scope="module")
def ours() -> Authority:
    return Authority("ours")


@pytest.fixture(scope="module")
def theirs() -> Authority:
    return Authority("theirs")


def files(folder: Path, issued: Issued, clients: Authority | None = None) -> dict[str, str]:
    """The settings of a server with this certificate, their files written."""
    settings = {
        "tls_certificate_file": written(folder, "certificate.pem", issued.certificate.decode()),
        "tls_key_file": written(folder, "key.pem", issued.key.decode()),
    }
    if clients is not None:
        settings["tls_client_ca_file"] = written(folder, "clients.pem", clients.certificate.decode())
    return settings


@contextmanager
def serving(settings: Mapping[str, str], **others: str | float) -> Iterator[ServerProcess]:
    with ServerProcess(log=None, environment=None, **{**settings, **others}) as process:
        yield process


def outcome(address: str, trusted: Authority, own: Issued | None = None) -> grpc.StatusCode:
    """How a call over a new connection ends."""
    credentials = grpc.ssl_channel_credentials(
        trusted.certificate, own.key if own else None, own.certificate if own else None
    )
    with grpc.secure_channel(address, credentials) as channel:
        try:
            Contract(channel).referee.ListGames(referee_service_pb2.ListGamesRequest(), timeout=30)
        except grpc.RpcError as error:
            code: grpc.StatusCode = ServiceError.of_rpc(error).code
            return code
    return grpc.StatusCode.OK


def test_the_server_shows_its_certificate(tmp_path: Path, ours: Authority, theirs: Authority) -> None:
    with serving(files(tmp_path, ours.issue("server"))) as process:
        assert outcome(process.address, ours) is grpc.StatusCode.OK
        assert outcome(process.address, theirs) is grpc.StatusCode.UNAVAILABLE
        with Referee(process.address, credentials=grpc.ssl_channel_credentials(ours.certificate)) as referee:
            assert referee.games()
        with Referee(process.address) as plain, pytest.raises(ServiceError) as caught:
            plain.games()
        assert caught.value.code is grpc.StatusCode.UNAVAILABLE


def test_clients_show_theirs_where_it_is_asked_for(tmp_path: Path, ours: Authority, theirs: Authority) -> None:
    """Servers and clients have authorities of their own here."""
    clients = Authority("clients")
    with serving(files(tmp_path, ours.issue("server"), clients)) as process:
        assert outcome(process.address, ours, clients.issue("backend")) is grpc.StatusCode.OK
        assert outcome(process.address, ours) is grpc.StatusCode.UNAVAILABLE, "missing"
        for wrong in (theirs, ours):
            assert outcome(process.address, ours, wrong.issue("backend")) is grpc.StatusCode.UNAVAILABLE
        assert outcome(process.address, ours, clients.issue("backend", -DAY)) is grpc.StatusCode.UNAVAILABLE, "expired"


def test_a_new_certificate_without_restarting(tmp_path: Path, ours: Authority, theirs: Authority) -> None:
    """New connections get it, and open ones go on; half of a new pair changes nothing."""
    log = tmp_path / "log"
    settings = files(tmp_path, ours.issue("server"), ours)
    client = ours.issue("backend")
    credentials = grpc.ssl_channel_credentials(ours.certificate, client.key, client.certificate)
    with (
        log.open("wb") as file,
        ServerProcess(log=file, environment=None, reload_seconds=0, **settings) as process,
        grpc.secure_channel(process.address, credentials) as open_one,
    ):
        before = Contract(open_one)
        assert before.referee.ListGames(referee_service_pb2.ListGamesRequest(), wait_for_ready=True)
        new = theirs.issue("server")
        written(tmp_path, "certificate.pem", new.certificate.decode())
        process.reload()
        wait_for(lambda: len(problems(log)) == 1)
        assert outcome(process.address, ours, client) is grpc.StatusCode.OK
        written(tmp_path, "key.pem", new.key.decode())
        process.reload()
        wait_for(lambda: outcome(process.address, theirs, client) is grpc.StatusCode.OK)
        assert outcome(process.address, ours, client) is grpc.StatusCode.UNAVAILABLE
        assert before.referee.ListGames(referee_service_pb2.ListGamesRequest())
        written(tmp_path, "clients.pem", theirs.certificate.decode())
        process.reload()
        wait_for(lambda: outcome(process.address, theirs, client) is grpc.StatusCode.UNAVAILABLE)
        assert outcome(process.address, theirs, theirs.issue("backend")) is grpc.StatusCode.OK
    assert [one.rpartition(": ")[2] for one in problems(log)] == ["the key is not that of the first certificate"]


def started_with(settings: Mapping[str, str]) -> tuple[int, str]:
    """The exit code and the message of a server that does not start."""
    flags = [f"--{name.replace('_', '-')}={value}" for name, value in settings.items()]
    ports = ["--grpc-port=0", "--admin-port=0", "--metrics-port=0"]
    done = subprocess.run(
        [sys.executable, "-m", "service", *ports, *flags], capture_output=True, text=True, check=False, timeout=60
    )
    return done.returncode, done.stderr


def test_a_server_does_not_start_with_wrong_files(tmp_path: Path, ours: Authority) -> None:
    issued, other = ours.issue("server"), ours.issue("server", -DAY)
    settings = files(tmp_path, issued)
    for name, text, message in (
        ("key.pem", other.key, "the key is not that of the first certificate"),
        ("key.pem", b"no key", "the key file holds no unencrypted private key in PEM"),
        ("certificate.pem", b"no certificate", "the certificate file holds no certificates in PEM"),
    ):
        files(tmp_path, issued)
        written(tmp_path, name, text.decode())
        code, told = started_with(settings)
        assert (code, told.strip().rpartition(": ")[2]) == (1, message)
        assert len(told.splitlines()) == 1
    code, told = started_with(files(tmp_path, other))
    assert code == 1
    assert "the certificate expired at " in told
    code, told = started_with({**settings, "tls_key_file": str(tmp_path / "none.pem")})
    assert (code, told) == (1, f"python -m service: cannot read {tmp_path / 'none.pem'}: No such file or directory\n")
