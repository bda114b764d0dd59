"""CRC-32."""

from collections.abc import Buffer

def crc32_of(data: Buffer) -> int:
    """The CRC-32 of bytes, as `zlib.crc32` has it."""
