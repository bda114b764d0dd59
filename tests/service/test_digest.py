"""The names of tokens are what hashlib says, whoever computes them."""

import random
from hashlib import sha256

import pytest

from service.digest import digest_of, find_openssl

SEED = 20261130


@pytest.mark.parametrize("openssl", [True, False])
def test_names_are_the_first_half_of_the_sha256(openssl: bool) -> None:
    print(f"seed {SEED}")
    chance = random.Random(SEED)
    try:
        if not openssl:
            assert not find_openssl("/no/such/library")
        for size in (0, 1, 55, 56, 63, 64, 65, 300, 10_000, *range(100, 400, 7)):
            token = chance.randbytes(size)
            assert digest_of(token) == sha256(token).digest()[:16], size
    finally:
        find_openssl()
