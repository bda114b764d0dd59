"""Game options: what a game declares, and the choice that a match is played with."""

import re
from collections.abc import Mapping

Declared = Mapping[str, tuple[str, ...]]

NUMBER = "N"
"""Stands in a declaration for any whole number from 1."""

OF_EVERY_GAME: Declared = {
    "ply_limit": ("off", NUMBER),
    "quiet_limit": ("off", NUMBER),
    "reveal_at_end": ("off", "on"),
}


def _allowed(value: str, values: tuple[str, ...]) -> bool:
    if NUMBER in values and re.fullmatch(r"[1-9][0-9]*", value):
        return True
    return value in values and value != NUMBER


def choose(declared: Declared, given: Mapping[str, str]) -> dict[str, str]:
    """Complete the given options with the defaults, the first value of each declaration."""
    known = {**declared, **OF_EVERY_GAME}
    for key, value in given.items():
        if key not in known:
            raise ValueError(f"unknown option: {key}")
        if not isinstance(value, str) or not _allowed(value, known[key]):
            raise ValueError(f"option {key} cannot be {value!r}")
    return {key: given.get(key, values[0]) for key, values in known.items()}


def limit(options: Mapping[str, str], key: str) -> int | None:
    """The number behind an `off|N` option, None when it is off."""
    value = options[key]
    return None if value == "off" else int(value)
