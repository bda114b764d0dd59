"""The games that are there: the built-in ones and those of added folders, several revisions of a game side by side.

New matches take the highest revision of a game. A state names its rules by their digest, and goes on under whichever
loaded revision has it.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache
from pathlib import Path
from weakref import WeakValueDictionary

from engine_core.errors import (
    InvalidOptionValue,
    RulesetError,
    RulesetUnavailable,
    StateError,
    UnknownGame,
    UnknownOption,
)
from engine_core.game import Game
from engine_core.ruleset_document import BUILT_IN
from engine_core.ruleset_file import LIMITS, RulesetSource, read, read_thoroughly

Catalogue = Mapping[str, Sequence[RulesetSource]]
"""For each id its revisions, the highest first."""

_LIMIT_NAMES = {option.name for option in LIMITS}

_added: list[RulesetSource] = []
"""What folders have added, in a list that is replaced in one step or not at all."""


def add_rulesets(folder: str | Path) -> None:
    """Serve the games of a folder, all its `*.toml` files, beside those that are there; for the whole process.

    One RulesetError names every mistake in every file, and then nothing of the folder is added.
    """
    _serve([*_added, *read_rulesets(_files(Path(folder)))])


def read_rulesets(paths: Iterable[Path]) -> list[RulesetSource]:
    """Ruleset files, read and checked, each alone and beside the others; RulesetError lists all mistakes."""
    problems: list[str] = []
    sources: list[RulesetSource] = []
    for path in paths:
        try:
            source = read_thoroughly(path)
        except RulesetError as error:
            problems += str(error).splitlines()
            continue
        for other in (*_sources(), *sources):
            if (other.id, other.revision) == (source.id, source.revision) and other.document != source.document:
                where = f"built-in {other.file}" if other.path.parent == BUILT_IN else other.file
                problems.append(
                    f"{source.file}: revision {source.revision} of {source.id} is that of {where}, too, which says"
                    " something else; give one of them a higher revision, or another id"
                )
        sources.append(source)
    if problems:
        raise RulesetError("", tuple(problems))
    return sources


def games() -> list[str]:
    """The ids of all games, sorted."""
    return sorted(_catalogue())


def revisions(game_id: str) -> list[int]:
    """The loaded revisions of a game, the highest first; UnknownGame when there are none."""
    return [source.revision for source in _known(game_id)]


def load(game_id: str, revision: int | None = None, /, **options: object) -> Game:
    """A game with its options; those not named keep their defaults. The highest revision, unless another is named.

    Raises UnknownGame, UnknownOption or InvalidOptionValue, each listing what exists.
    """
    sources = _known(game_id)
    if revision is None:
        source = sources[0]
    else:
        numbers = ", ".join(str(source.revision) for source in sources)
        found = [source for source in sources if source.revision == revision]
        if not found:
            raise UnknownGame(
                f"{game_id} has no revision {str(revision)!s:.20}; there are {numbers}.",
                game=game_id,
                revision=str(revision)[:20],
                revisions=numbers,
            )
        source = found[0]
    return _loaded(source, tuple(source.choose(options).items()))


@lru_cache(maxsize=1024)
def game_named(head: bytes) -> Game:
    """The game that the head of a state names (see `Game.codec_head`), in the highest loaded revision with these rules.

    RulesetUnavailable without one; StateError when it is not written as this referee writes it.
    """
    texts, digest = _taken_apart(head)
    try:
        game_id, *given = [text.decode("ascii") for text in texts]
        options = dict(text.split("=") for text in given)
    except ValueError:
        raise StateError("STATE_HEADER", "The names in the state are not names of games and options.") from None
    misspelt = False
    refusal: UnknownGame | UnknownOption | InvalidOptionValue | None = None
    try:
        sources = _known(game_id)
    except UnknownGame as error:
        raise _not_loaded(error) from None
    for source in sources:
        try:
            game = _loaded(source, tuple(source.choose(options).items()))
        except (UnknownOption, InvalidOptionValue) as error:
            refusal = refusal or error
            continue
        if game.digest == digest:
            if game.codec_head == head:
                return game
            misspelt = True
    if misspelt:
        raise StateError("STATE_HEADER", "The names in the state are not written as this referee writes them.")
    if refusal is not None and len(sources) == 1:
        raise _not_loaded(refusal)
    raise RulesetUnavailable(
        f"The state was made under rules of {game_id} that are not loaded here.", game=game_id, digest=digest.hex()
    )


def _not_loaded(error: UnknownGame | UnknownOption | InvalidOptionValue) -> RulesetUnavailable:
    return RulesetUnavailable(f"The state is of a game that is not loaded here. {error}", **error.details)


def _taken_apart(head: bytes) -> tuple[list[bytes], bytes]:
    """The texts in the head of a state, and the digest after them."""
    place = 1
    texts = []
    for _ in range(head[0]):
        texts.append(head[place + 1 : place + 1 + head[place]])
        place += 1 + head[place]
    return texts, head[place:]


def _files(folder: Path) -> list[Path]:
    """The ruleset files of a folder, by name; hidden ones are none."""
    try:
        names = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise RulesetError(str(folder), (f"cannot be read as a folder of rulesets: {error.strerror}",)) from None
    return [folder / name for name in names if name.endswith(".toml") and not name.startswith(".")]


@cache
def _built_in() -> tuple[RulesetSource, ...]:
    return tuple(read(path) for path in sorted(BUILT_IN.glob("*.toml")))


def _serve(added: list[RulesetSource]) -> None:
    """Have these games beside the built-in ones."""
    from engine_core.envelope import forget_games  # it needs this module

    global _added
    _added = added
    _catalogue.cache_clear()
    game_named.cache_clear()
    forget_games()


def _sources() -> list[RulesetSource]:
    return [*_built_in(), *_added]


@cache
def _catalogue() -> Catalogue:
    found: dict[str, dict[int, RulesetSource]] = {}
    for source in _sources():
        found.setdefault(source.id, {}).setdefault(source.revision, source)
    return {
        game_id: [by_revision[n] for n in sorted(by_revision, reverse=True)] for game_id, by_revision in found.items()
    }


def _known(game_id: str) -> Sequence[RulesetSource]:
    catalogue = _catalogue()
    if game_id not in catalogue:
        raise UnknownGame(
            f"There is no game {game_id!r:.60}; the games are {', '.join(sorted(catalogue))}.",
            game=game_id[:60],
            games=", ".join(sorted(catalogue)),
        )
    return catalogue[game_id]


_in_use: WeakValueDictionary[tuple[RulesetSource, tuple[tuple[str, str], ...]], Game] = WeakValueDictionary()
"""Games that a cache or a state holds: while one is in use, the same rules are the same object."""


@lru_cache(maxsize=256)
def _loaded(source: RulesetSource, chosen: tuple[tuple[str, str], ...]) -> Game:
    game = _in_use.get((source, chosen))
    if game is None:
        plain = tuple((name, "off" if name in _LIMIT_NAMES else value) for name, value in chosen)
        like = None if plain == chosen else _loaded(source, plain)
        game = _in_use[source, chosen] = Game(source.ruleset(dict(chosen)), like)
    return game
