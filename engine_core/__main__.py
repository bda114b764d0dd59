"""`python -m engine_core`: what designers of games need.

check FILE...   what is wrong with ruleset files, in the words of a server; or what they say, when nothing is
schema          the JSON Schema of ruleset files
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from engine_core.catalogue import read_rulesets
from engine_core.errors import RulesetError
from engine_core.game import Game
from engine_core.ruleset_schema import ruleset_schema
from engine_core.ruleset_summary import summary_of


def check(files: Sequence[Path]) -> int:
    """Tell about ruleset files; the exit code."""
    try:
        sources = read_rulesets(files)
    except RulesetError as error:
        print(error, file=sys.stderr)
        return 1
    print("\n".join(summary_of(Game(source.ruleset({}))) for source in sources), end="")
    return 0


def main(arguments: Sequence[str]) -> int:
    """Run from the command line; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m engine_core", description="Tools for writing games.")
    commands = parser.add_subparsers(dest="command", required=True)
    checking = commands.add_parser("check", help="check ruleset files and tell what they say")
    checking.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a ruleset file")
    commands.add_parser("schema", help="print the JSON Schema of ruleset files")
    chosen = parser.parse_args(arguments)
    if chosen.command == "check":
        return check(chosen.files)
    print(ruleset_schema(), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
