"""Target: tokens, unsealed and sealed."""

import random
from base64 import b64encode
from collections.abc import Iterable
from typing import Final

import engine_core
from fuzz import framing
from fuzz.target import Change, Target, expect
from service.errors import code_of, status_of, token_refusal
from service.keyring import KEY_BYTES, read_key_ring
from service.seals import SealedTokens
from service.tokens import PLAIN, SEALED, TokenError, Tokens, seal

_RING: Final = read_key_ring(
    ",".join(f"{number}:{b64encode(bytes((number,)) * KEY_BYTES).decode()}" for number in (1, 2))
)
OWN: Final = SealedTokens(_RING, b"own", accept_unsealed=False)
"""The tokens that are sealed here."""
_OPENERS: Final[dict[str, Tokens]] = {
    "plain": PLAIN,
    "own": OWN,
    "own or plain": SealedTokens(_RING, b"own", accept_unsealed=True),
    "other": SealedTokens(_RING, b"other", accept_unsealed=False),
}


def check(data: bytes) -> Iterable[str]:
    """A token is refused with a reason, or is the very token of its body; nobody but its audience opens it."""
    reached = []
    opened = {}
    for name, tokens in _OPENERS.items():
        try:
            opened[name] = tokens.unseal(data)
        except TokenError as error:
            expect(code_of(error.reason).name in ("INVALID_ARGUMENT", "FAILED_PRECONDITION"), "a token is at fault")
            status_of(token_refusal(error, "state.token"))
            reached.append(f"{name} {error.reason} {error.details.get('part', '')}")
    expect("other" not in opened, "a token is opened by its own audience alone")
    for name, body in opened.items():
        maker = OWN if data[5] == SEALED else PLAIN
        expect(maker.seal(body) == data, "a token that is opened is the one that is made of its body")
        try:
            engine_core.decode(body)
        except engine_core.RefereeError as error:
            reached.append(f"{name} opened {error.reason}")
        else:
            reached.append(f"{name} accepted")
    return reached


def mutate(data: bytes, rng: random.Random, change: Change) -> bytes:
    """A changed token, or one of a changed body."""
    if rng.random() < 0.4:
        return change(data, framing.MAX_BYTES)
    try:
        body = _OPENERS["own or plain"].unseal(data)
    except TokenError:
        return change(data, framing.MAX_BYTES)
    body = framing.mutate(body, rng, change)
    return OWN.seal(body) if rng.random() < 0.5 else seal(body)


TARGET = Target("token", check, mutate, ("service.seals", "service.tokens"))
