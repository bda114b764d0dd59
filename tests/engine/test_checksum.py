"""The engine's own CRC-32 is that of zlib."""

import random
import zlib

import pytest

from engine_core.checksum import crc32_of


@pytest.mark.parametrize("size", [*range(70), 255, 256, 1000, 65535])
def test_it_is_that_of_zlib(size: int) -> None:
    content = random.Random(size).randbytes(size)
    assert crc32_of(content) == zlib.crc32(content)


def test_the_check_value_of_the_catalogue() -> None:
    assert crc32_of(b"123456789") == 0xCBF43926


def test_bytes_that_end_with_their_own_checksum() -> None:
    content = b"any bytes"
    whole = content + zlib.crc32(content).to_bytes(4, "little")
    assert crc32_of(whole) == 0x2144DF1C
