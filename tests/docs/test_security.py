"""The page about security: its format, its example and its claims are true, and the tests that it names exist."""

import ast
import hashlib
import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.ciphers.aead import AESGCMSIV
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from shinpan import Referee, ServiceError, actions
from shinpan.v1 import action_pb2
from shinpan.values import Answer

import engine_core
from service.access import read_access
from service.config import Settings
from service.keyring import read_key_ring
from service.process import ServerProcess
from service.seals import SealedTokens

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs/security.md").read_text(encoding="utf-8")
(EXAMPLE,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
(ACCESS,) = re.findall(r"```toml\n(.*?)```", PAGE, re.DOTALL)
(VECTOR,) = re.findall(r"^[0-9a-f]{60,}$", PAGE, re.MULTILINE)
SEED = 20261130
KEY = bytes(range(32))
RING = "7:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    """A server with a key."""
    with ServerProcess(environment={"SHINPAN_TOKEN_KEYS": RING}) as process:
        yield process


@pytest.fixture(scope="module")
def referee(server: ServerProcess) -> Iterator[Referee]:
    with Referee(server.address) as connected:
        yield connected


@pytest.fixture(scope="module")
def begun(referee: Referee) -> Answer:
    """A match in play."""
    return start(referee, b"match-1")


def start(referee: Referee, match_id: bytes) -> Answer:
    placed = {seat: referee.draw_arrangement("hidden-hasami", seat, SEED) for seat in (1, 2)}
    return referee.start_match("hidden-hasami", match_id=match_id, arrangements=placed, viewers=[1, 2])


def test_every_test_that_is_named_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 25
    for path, function in named:
        tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
        found = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
        assert any(name.startswith("test_") for name in found), path
        assert not function or function in found, f"{path} has no {function}"


def test_every_section_names_its_tests() -> None:
    sections = re.split(r"^##+ ", PAGE, flags=re.MULTILINE)[1:]
    assert len(sections) > 7
    for section in sections:
        assert "`tests/" in section, section.splitlines()[0]


def test_every_setting_is_told() -> None:
    flags = set(re.findall(r"`(--[a-z-]+)", PAGE))
    assert flags <= {Settings.flag(name) for name in Settings.model_fields}
    about = {name for name in Settings.model_fields if name.startswith(("tls_", "access_file", "token_", "accept_"))}
    for name in about:
        assert Settings.flag(name) in flags or f"`{Settings.variable(name)}`" in PAGE, name


def test_the_access_file_is_one() -> None:
    caller = read_access(known(b"one", b"two")).caller([("authorization", "Bearer two")])
    assert (caller.audience, len(caller.permissions)) == (b"arena", 3)


def known(*bearers: bytes) -> str:
    """The access file of the page, with hashes of these bearer tokens, which nobody has for its own."""
    text: str = ACCESS
    for shown, bearer in zip(re.findall("[0-9a-f]{64}", ACCESS), bearers, strict=True):
        text = text.replace(shown, hashlib.sha256(bearer).hexdigest())
    return text


def derived(info: bytes) -> bytes:
    return HKDF(SHA256(), 32, salt=None, info=info).derive(KEY)


def test_the_format_is_as_told(referee: Referee, begun: Answer) -> None:
    """Made here from the words of the page alone, and compared with the page, the code and a server."""
    header, audience, body = b"SHPN" + bytes((1, 1, 7, 0)), b"arena", b"a state"
    bound = header + audience
    nonce = hashlib.blake2b(
        len(bound).to_bytes(2, "little") + bound + body, key=derived(b"shinpan token nonce"), digest_size=12
    ).digest()
    token = header + nonce + AESGCMSIV(derived(b"shinpan token encryption")).encrypt(nonce, body, bound)
    assert token.hex() == VECTOR
    assert SealedTokens(read_key_ring(RING), audience, accept_unsealed=False).seal(body) == token
    answered = begun.state
    opened = AESGCMSIV(derived(b"shinpan token encryption")).decrypt(answered[8:20], answered[20:], answered[:8])
    assert engine_core.decode(opened).match_id == b"match-1"
    assert answered[:8] == header
    assert begun.digest == hashlib.sha256(answered).digest()[:16]


def test_the_length_of_a_token_tells_nothing(referee: Referee) -> None:
    """Of many arrangements of both seats, all make tokens of one length, and no two the same token."""
    tokens = set()
    for seed in range(20):
        placed = {seat: referee.draw_arrangement("luzhanqi-mini", seat, SEED + seed) for seat in (1, 2)}
        tokens.add(referee.start_match("luzhanqi-mini", arrangements=placed).state)
    assert len(tokens) == 20
    assert len({len(token) for token in tokens}) == 1


def test_a_fork_has_two_digests(referee: Referee, begun: Answer) -> None:
    one, two = (referee.move(begun.state, 1, text) for text in ("a1a2", "b1b2"))
    told = [referee.describe(answer.state) for answer in (one, two)]
    assert [(one.match_id, one.status.revision) for one in told] == [(b"match-1", 3)] * 2
    assert one.digest != two.digest


def test_an_old_state_is_noticed_by_its_revision(referee: Referee, begun: Answer) -> None:
    after = referee.move(begun.state, 1, "a1a2")
    assert [referee.describe(answer.state).status.revision for answer in (begun, after)] == [2, 3]
    assert referee.move(begun.state, 1, "a1a3").state, "it is still a state"
    with pytest.raises(ServiceError) as caught:
        referee.apply(begun.state, actions.move(1, "a1a3"), expected_revision=3)
    assert caught.value.reason == "STALE_STATE"


def test_probing_leaves_no_trace(referee: Referee) -> None:
    """An attack can be tried from one state again and again, and shows the outcome each time."""
    placed = {seat: referee.draw_arrangement("luzhanqi-mini", seat, SEED) for seat in (1, 2)}
    match = referee.start_match("luzhanqi-mini", arrangements=placed, viewers=[1, 2])
    while True:
        mover = match.updates[1].status.to_move
        assert mover is not None, "no battle came"
        answers = tried(referee, match, mover)
        if any(answer.updates[1].events[0].moved.battle for answer in answers):
            break
        match = answers[-1]
    assert tried(referee, match, mover) == answers


def tried(referee: Referee, match: Answer, mover: int) -> list[Answer]:
    """What each legal move would do."""
    legal = match.updates[mover].legal_actions
    assert legal is not None
    return [referee.move(match.state, mover, one, viewers=[1, 2]) for one in legal.moves]


@pytest.fixture
def matches() -> type[Any]:
    """The class of the example."""
    names: dict[str, Any] = {}
    exec(compile(EXAMPLE, "docs/security.md", "exec"), names)
    found: type[Any] = names["Matches"]
    found.table = names["TABLE"]
    return found


class Interrupted(Referee):
    """A client during whose first call of `apply` somebody else acts."""

    def __init__(self, address: str) -> None:
        super().__init__(address)
        self.meanwhile: Any = None
        self.applied = 0

    def apply(self, state: bytes, action: action_pb2.Action, **options: Any) -> Answer:
        answer = super().apply(state, action, **options)
        self.applied += 1
        meanwhile, self.meanwhile = self.meanwhile, None
        if meanwhile is not None:
            meanwhile()
        return answer


def test_two_seats_arrange_at_once(server: ServerProcess, matches: type[Any]) -> None:
    rows = sqlite3.connect(":memory:")
    rows.execute(matches.table)
    with Interrupted(server.address) as referee:
        backend = matches(rows, {}, referee)
        backend.begin(b"match-1", "hidden-hasami")
        placed = {seat: referee.draw_arrangement("hidden-hasami", seat, SEED) for seat in (1, 2)}
        first = []
        referee.meanwhile = lambda: first.append(backend.act(b"match-1", actions.arrange(2, placed[2]), [2]))
        second = backend.act(b"match-1", actions.arrange(1, placed[1]), [1])
        assert referee.applied == 3, "one of them twice"
        revision, digest, state = backend.current(b"match-1")
        told = referee.describe(state)
        assert (told.status.phase, told.status.revision, told.digest) == ("play", revision, digest)
        assert revision == 2
        assert (first[0][2].status.phase, second[1].status.phase) == ("arrangement", "play")


def test_a_store_that_lies_is_found_out(server: ServerProcess, matches: type[Any]) -> None:
    rows = sqlite3.connect(":memory:")
    rows.execute(matches.table)
    states: dict[bytes, bytes] = {}
    with Referee(server.address) as referee:
        backend = matches(rows, states, referee)
        for match_id in (b"match-1", b"match-2"):
            backend.begin(match_id, "hidden-hasami")
        _, _, old = backend.current(b"match-1")
        _, _, other = backend.current(b"match-2")
        backend.act(b"match-1", actions.arrange(1, referee.draw_arrangement("hidden-hasami", 1, SEED)), [])
        _, digest, right = backend.current(b"match-1")
        for wrong in (old, other):
            states[digest] = wrong
            with pytest.raises(ValueError, match="another state than the one that counts"):
                backend.act(b"match-1", actions.resign(1), [])
        states[digest] = right
        assert backend.act(b"match-1", actions.resign(1), [2])[2].status.result.winners == (2,)


def test_the_empty_audience_is_that_of_servers_without_callers(
    tmp_path: Path, server: ServerProcess, begun: Answer
) -> None:
    path = tmp_path / "access.toml"
    path.write_text(known(b"one", b"two").replace('"arena"', '""', 1), encoding="utf-8")
    with (
        ServerProcess(environment={"SHINPAN_TOKEN_KEYS": RING}, access_file=str(path)) as process,
        Referee(process.address, bearer="one") as same,
        Referee(process.address, bearer="two") as other,
    ):
        assert same.describe(begun.state).match_id == b"match-1"
        with pytest.raises(ServiceError) as caught:
            other.describe(begun.state)
        assert caught.value.reason == "TOKEN_REFUSED"
