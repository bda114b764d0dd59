"""Who calls, and how that caller's tokens are sealed: decided once at the beginning of a call."""

from collections.abc import Callable, Iterable
from typing import Any, Final, NamedTuple, Protocol, TypeVar

from service.access import ANYONE, AccessList, Caller, read_access
from service.config import Settings
from service.keyring import KeyRing, read_key_ring
from service.reload import Reloaded, SettingsFileError
from service.seals import SealedTokens
from service.tokens import PLAIN, Tokens

_T = TypeVar("_T")


class _Call(Protocol):
    def invocation_metadata(self) -> Iterable[Any]: ...


class Admitted(NamedTuple):
    """A caller with its tokens."""

    caller: Caller
    tokens: Tokens


_EVERYBODY: Final = Admitted(ANYONE, PLAIN)


class Guard:
    """Admits callers. Without an access list everybody is admitted to everything, without keys nothing is sealed."""

    def __init__(
        self,
        keys: Reloaded[KeyRing] | None = None,
        access: Reloaded[AccessList] | None = None,
        *,
        accept_unsealed: bool = False,
    ) -> None:
        self._keys = keys
        self._access = access
        self._accept_unsealed = accept_unsealed
        self._open = keys is None and access is None

    @property
    def reloaded(self) -> list[Reloaded[Any]]:
        """What it reads from files."""
        return [one for one in (self._keys, self._access) if one is not None]

    @property
    def keys(self) -> Reloaded[KeyRing] | None:
        """The keys that seal states, where there are any."""
        return self._keys

    def admit(self, call: _Call) -> Admitted:
        """The caller of this call; a Refusal when it is nobody's."""
        if self._open:
            return _EVERYBODY
        caller = ANYONE if self._access is None else self._access.value.caller(call.invocation_metadata())
        if self._keys is None:
            return Admitted(caller, PLAIN)
        return Admitted(caller, SealedTokens(self._keys.value, caller.audience, self._accept_unsealed))


def guard_of(settings: Settings) -> Guard:
    """The guard that the settings describe; SettingsFileError when something is wrong with keys or callers."""
    keys = access = None
    if settings.token_keys_file:
        keys = Reloaded("keys", [settings.token_keys_file], _of_text(read_key_ring))
    elif settings.sealing:
        try:
            ring = read_key_ring(settings.token_keys.get_secret_value())
        except ValueError as error:
            raise SettingsFileError(f"{settings.variable('token_keys')}: {error}") from None
        keys = Reloaded("keys", [], lambda: ring)
    if settings.access_file:
        access = Reloaded("callers", [settings.access_file], _of_text(read_access))
    return Guard(keys, access, accept_unsealed=settings.accept_unsealed)


def _of_text(read: Callable[[str], _T]) -> Callable[[bytes], _T]:
    def decode(content: bytes) -> _T:
        try:
            text = content.decode()
        except UnicodeDecodeError:  # whose own message shows a byte
            raise ValueError("it is not UTF-8 text") from None
        return read(text)

    return decode
