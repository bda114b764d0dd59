"""What is wrong with the form of a ruleset file, in the words of those who write such files."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from types import UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from engine_core import schema
from engine_core.ruleset_document import place, shown

Place = tuple[str | int, ...]

_PATTERNS: Mapping[str, str] = {
    schema.WORD: "lower-case words and digits joined by hyphens, such as field-marshal",
    schema.OPTION_NAME: "a lower-case letter, then lower-case letters, digits and underscores, such as two_squares",
    schema.OPTION_VALUE: "lower-case letters, digits and hyphens, such as mover-wins",
    schema.LETTER: "one letter from A to Z or a to z",
    schema.SQUARE: "a square such as b4",
    schema.SQUARES: "a square such as b4 or a rectangle such as a1-j4",
    schema.PAIR: "two neighbouring squares such as a4-a5",
}

_NEEDS: Mapping[str, str] = {
    "string_type": "a text",
    "bool_type": "true or false",
    "int_type": "a whole number",
    "list_type": "a list",
    "dict_type": "a table",
    "dataclass_type": "a table",
    "dataclass_exact_type": "a table",
    "greater_than_equal": "at least {ge}",
    "less_than_equal": "at most {le}",
    "literal_error": "{expected}",
    "union_tag_invalid": "{expected_tags}",
}

_OTHER_FORM = ("list_type", "dict_type")
"""That a value is not of the other form that it could have had; less telling than what is wrong with its own."""


def form_problems(error: ValidationError, document: Any, root: Any, above: Place = ()) -> Iterator[str]:
    """A line for each mistake, with its table and key.

    `document` is what was checked against the type `root`, and lies at `above` in the file.
    """
    found: dict[Place, list[ErrorDetails]] = {}
    for detail in error.errors(include_url=False):
        found.setdefault(_real(detail, document), []).append(detail)
    for where, details in found.items():
        other_form = all(detail["type"] in _OTHER_FORM for detail in details)
        if other_form and any(other[: len(where)] == where != other for other in found):
            continue
        yield f"{place((*above, *where))}: {_sentence(where, details, document, root)}"


def _real(detail: ErrorDetails, document: Any) -> Place:
    """The place in the file; pydantic's has the names of types among the keys."""
    parts = [part for part in detail["loc"] if part != "[key]"]
    where: list[str | int] = []
    value = document
    for number, part in enumerate(parts):
        inside = (isinstance(value, dict) and part in value) or (isinstance(value, list) and isinstance(part, int))
        if inside:
            where.append(part)
            value = value[part]
        elif number == len(parts) - 1 and detail["type"] == "missing":
            where.append(part)
    if detail["type"].startswith("union_tag"):
        where.append("when")
    return tuple(where)


def _sentence(where: Place, details: Sequence[ErrorDetails], document: Any, root: Any) -> str:
    kinds = {detail["type"] for detail in details}
    if "missing" in kinds or "union_tag_not_found" in kinds:
        return "is missing"
    if "union_tag_invalid" in kinds:
        return f"must be {_need(details[0])}, not {details[0]['ctx']['tag']!r:.80}"
    if "unexpected_keyword_argument" in kinds:
        return f"unknown key; allowed keys are {shown(_keys(where[:-1], document, root))}"
    if any(detail["loc"][-1:] == ("[key]",) for detail in details):
        return f"not a key here; a key is {' or '.join(map(_need, details))}"
    nearer = [detail for detail in details if detail["type"] not in _OTHER_FORM] or details
    needs = " or ".join(dict.fromkeys(map(_need, nearer)))
    value = details[0]["input"]
    if isinstance(value, dict | list):
        return f"must be {needs}; this is a {'table' if isinstance(value, dict) else f'list of {len(value)}'}"
    return f"must be {needs}, not {str(value).lower() if isinstance(value, bool) else repr(value):.80}"


def _need(detail: ErrorDetails) -> str:
    """What would be right."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind == "string_pattern_mismatch":
        return _PATTERNS[context["pattern"]]
    if kind in ("string_too_short", "string_too_long", "too_short", "too_long"):
        bound = "at least" if kind.endswith("short") else "at most"
        number = context["min_length" if kind.endswith("short") else "max_length"]
        return f"{bound} {number} {'characters' if kind.startswith('string') else 'items'} long"
    if kind in _NEEDS:
        return _NEEDS[kind].format(**context)
    return detail["msg"]


def _keys(where: Place, document: Any, root: Any) -> Iterator[str]:
    """The keys that the table at `where` may have."""
    hints, value = [root], document
    for part in where:
        hints = [below for hint in hints for below in _below(hint, part, value)]
        value = value[part]
    for hint in hints:
        for one in _alternatives(hint):
            if is_dataclass(one) and _fits(one, value):
                yield from (field.name for field in fields(one))


def _below(hint: Any, part: str | int, value: Any) -> Iterator[Any]:
    """The types that the part of a value may have when the value has the type `hint`."""
    for one in _alternatives(hint):
        if is_dataclass(one) and _fits(one, value):
            hints = get_type_hints(one, include_extras=True)
            yield from [hints[part]] if part in hints else []
        elif get_origin(one) in (list, dict):
            yield get_args(one)[-1]


def _alternatives(hint: Any) -> Iterator[Any]:
    if get_origin(hint) is Annotated:
        yield from _alternatives(get_args(hint)[0])
    elif get_origin(hint) in (Union, UnionType):
        for one in get_args(hint):
            yield from _alternatives(one)
    else:
        yield hint


def _fits(table: Any, value: Any) -> bool:
    """Whether a table is the one of several that its `when` names."""
    when = get_type_hints(table).get("when")
    return get_origin(when) is not Literal or (isinstance(value, dict) and value.get("when") in get_args(when))
