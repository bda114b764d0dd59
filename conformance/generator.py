"""All vectors of one version, made from seeded matches that a real server referees."""

from collections.abc import Iterator, Mapping

from shinpan.v1 import game_pb2
from shinpan.v1 import referee_service_pb2 as messages

from conformance.book import Book
from conformance.looks import look, search
from conformance.play import agree, arrange, draw_arrangements, play
from conformance.refusals import refuse, refuse_looks
from conformance.servers import Servers
from conformance.service_vectors import service_vectors
from conformance.vectors import Vector

SEED = 7
SAMPLES = {"plain": 10, "sealed": 4}
"""How many moves of the match with all defaults are written down."""
OPTION_SAMPLES = 2
"""How many of a match with one other option."""
ANY_NUMBER = "20"
"""The value of an option that can be any number."""


def generate(servers: Servers) -> Iterator[tuple[str, list[Vector]]]:
    """The names of files and their vectors: one for each game, and one for what is about no game."""
    yield "service.jsonl", service_vectors(servers)
    for game in Book(servers, "plain").ask(messages.ListGamesRequest()).games:
        yield f"{game.id}.jsonl", _of_game(servers, game)


def _of_game(servers: Servers, game: game_pb2.GameSummary) -> list[Vector]:
    plain, keyed = Book(servers, "plain"), Book(servers, "sealed")
    for book in (plain, keyed):
        book.answer("the game", messages.GetGameRequest(game=game.id))
        match = play(book, "match", game.id, {}, 1, SEED, SAMPLES[book.server])
        draw_arrangements(book, match)
        arrange(book, match)
        agree(book, match)
        look(book, match)
        search(book, match)
        if book is plain:
            refuse(book, match)
        else:
            refuse_looks(book, match)
    for number, options in enumerate(_others(game)):
        ((name, value),) = options.items()
        words = f"{name}={value}"
        plain.answer(f"the game with {words}", messages.GetGameRequest(game=game.id, options=options))
        play(plain, words, game.id, options, 1 + number % game.seats, SEED + number, OPTION_SAMPLES)
    return [*plain, *keyed]


def _others(game: game_pb2.GameSummary) -> Iterator[Mapping[str, str]]:
    """Every value of every option that is not its default, each alone."""
    for option in game.options:
        for value in option.values:
            if value != option.default_value:
                yield {option.name: ANY_NUMBER if value == "N" else value}
