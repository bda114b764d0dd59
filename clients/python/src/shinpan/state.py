"""The token of a state, which nothing prints."""


class StateToken(bytes):
    """A match at one moment, opaque: keep it, send it with the next call, never give it to a player.

    It is bytes that no printed form shows, for they tell everything, hidden pieces included: `bytes(token)` are what to
    keep, and every method takes those as well. Tokens of equal bytes are equal.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """How many bytes there are, which depends on public facts only."""
        return f"StateToken({len(self)} bytes)"

    __str__ = __repr__
