"""The JSON Schema of ruleset files as they are written: with choices in place of values, and with or without a base."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import TypeAdapter

from engine_core import schema
from engine_core.ruleset_file import PLAIN, Options

Node = dict[str, Any]

_SMALL = 100
"""Characters of a node that may stand in several places."""

_BASE: Node = {
    "description": "A file, without .toml, whose tables and keys hold where this one has none of its own.",
    "type": "string",
    "minLength": 1,
}


def ruleset_schema() -> str:
    """The schema, draft 2020-12, as JSON text."""
    file = TypeAdapter(schema.RulesetFile).json_schema(ref_template="{model}")
    options = TypeAdapter(Options).json_schema(ref_template="{model}")
    writer, plain_writer = _Writer(file["$defs"], choices=True), _Writer(options["$defs"], choices=False)
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ruleset file",
        "type": "object",
        "if": {"required": ["base"]},
        "then": writer.file(file, plain_writer.part(options), whole=False),
        "else": writer.file(file, plain_writer.whole(options), whole=True),
        "$defs": {**plain_writer.written, **writer.written},
    }
    return json.dumps(document, indent=2) + "\n"


class _Writer:
    """Writes pydantic's schema of a checked file anew, for files as they are written.

    What is not `whole` belongs to a file with a base: its tables lie over those of the base, so no key is required.
    Lists replace those of the base, and what is in them is whole.
    """

    def __init__(self, definitions: Mapping[str, Node], *, choices: bool) -> None:
        self.definitions = definitions
        self.choices = choices
        self.written: Node = {}
        self.places: dict[str, str] = {}

    def file(self, file: Node, options: Node, *, whole: bool) -> Node:
        """The whole file."""
        properties = {
            name: self._plain(node, whole, name)
            if name in PLAIN
            else self._value(node, whole, name + "Part" * (not whole))
            for name, node in file["properties"].items()
        }
        properties["options"] = options
        if whole:
            return {"properties": properties, "required": file["required"], "additionalProperties": False}
        return {"properties": {"base": _BASE, **properties}, "additionalProperties": False}

    def whole(self, node: Node) -> Node:
        """A table of a file without a base."""
        return self._plain(node, True, "whole")

    def part(self, node: Node) -> Node:
        """A table of a file with a base."""
        return self._plain(node, False, "part")

    def _value(self, node: Node, whole: bool, name: str) -> Node:
        """A value, or a choice of such values."""
        plain = self._shared(self._plain(node, whole, name), name)
        if not self.choices:
            return plain
        return self._shared({"anyOf": [plain, _choice(plain)]}, f"{name}-or-choice")

    def _item(self, node: Node, name: str) -> Node:
        """An item of a list, or a choice of any number of them."""
        plain = self._shared(self._plain(node, True, name), name)
        if not self.choices:
            return plain
        several = {"anyOf": [plain, {"type": "array", "items": plain}]}
        return self._shared({"anyOf": [plain, _choice(several)]}, f"{name}-or-choice")

    def _plain(self, node: Node, whole: bool, name: str) -> Node:
        """A value that is no choice."""
        if "$ref" in node:
            return self._reference(node["$ref"], whole)
        for several in ("anyOf", "oneOf"):
            if several in node:
                forms = [one for one in node[several] if one != {"type": "null"}]
                return {"anyOf": [self._plain(one, whole, f"{name}.{n}") for n, one in enumerate(forms)]}
        kept = {key: value for key, value in node.items() if key not in ("title", "default")}
        if "items" in node:
            kept["items"] = self._item(node["items"], f"{name}.item")
        if "properties" in node:
            kept["properties"] = {
                key: self._value(below, whole, f"{name}.{key}") for key, below in node["properties"].items()
            }
            if not whole:
                kept.pop("required", None)
        elif node.get("type") == "object":
            # pydantic lets any other key stand beside those that have the pattern.
            for pattern, below in kept.pop("patternProperties", {}).items():
                kept["propertyNames"] = {"pattern": pattern, **kept.get("propertyNames", {})}
                kept["additionalProperties"] = self._value(below, whole, f"{name}.value")
            if not isinstance(node.get("additionalProperties", True), bool):
                kept["additionalProperties"] = self._value(node["additionalProperties"], whole, f"{name}.value")
        return kept

    def _reference(self, name: str, whole: bool) -> Node:
        key = name if whole else f"{name}Part"
        if key not in self.written:
            self.written[key] = {}
            self.written[key] = self._plain(self.definitions[name], whole, key)
        return {"$ref": f"#/$defs/{key}"}

    def _shared(self, node: Node, name: str) -> Node:
        """The node, or a reference to its one place when it is a large one."""
        text = json.dumps(node, sort_keys=True)
        if len(text) <= _SMALL:
            return node
        key = self.places.setdefault(text, name)
        self.written[key] = node
        return {"$ref": f"#/$defs/{key}"}


def _choice(value: Node) -> Node:
    """A value for each value of an option; without any, the chosen value itself. Choices may lie in choices."""
    return {
        "type": "object",
        "properties": {"option": {"type": "string", "pattern": schema.OPTION_NAME}},
        "required": ["option"],
        "additionalProperties": {"anyOf": [value, {"type": "object", "required": ["option"]}]},
    }
