"""Messages with a changed field: what raw changes rarely leave is a message."""

import random
from typing import Any, Final

from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message

from fuzz import framing
from fuzz.target import Change
from service.tokens import HEADER

_MAX_TEXT: Final = 64
_SIGNED: Final = (FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64)
_WIDE: Final = (FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT64)


def mutate(message: Message, rng: random.Random, change: Change) -> None:
    """Set, change, repeat or clear one field, of this message or of one below it."""
    below = [value for field, value in message.ListFields() if field.message_type and not _many(field)]
    below += [
        item
        for field, value in message.ListFields()
        if field.message_type and _many(field) and not field.message_type.GetOptions().map_entry
        for item in value
    ]
    if below and rng.random() < 0.75:
        mutate(rng.choice(below), rng, change)
    elif fields := list(message.DESCRIPTOR.fields):
        _mutate_field(message, rng.choice(fields), rng, change)


def _many(field: Any) -> bool:
    return bool(field.is_repeated)


def _mutate_field(message: Message, field: Any, rng: random.Random, change: Change) -> None:
    present = getattr(message, field.name)
    if rng.random() < 0.1:
        message.ClearField(field.name)
    elif field.message_type and field.message_type.GetOptions().map_entry:
        _mutate_map(present, field.message_type, rng, change)
    elif _many(field):
        if present and rng.random() < 0.5:
            del present[rng.randrange(len(present))]
        elif field.message_type:
            item = present.add()
            if len(present) > 1:
                item.CopyFrom(rng.choice(present[:-1]))
        else:
            present.append(_value(field, rng.choice(present) if present else None, rng, change))
    elif field.message_type:
        present.SetInParent()
    else:
        setattr(message, field.name, _value(field, present, rng, change))


def _mutate_map(present: Any, entry: Any, rng: random.Random, change: Change) -> None:
    keys = sorted(present)
    key = rng.choice(keys) if keys and rng.random() < 0.7 else None
    key = _value(entry.fields_by_name["key"], key, rng, change) if key is None or rng.random() < 0.3 else key
    value = entry.fields_by_name["value"]
    if value.message_type:
        mutate(present[key], rng, change)
    else:
        present[key] = _value(value, present.get(key), rng, change)


def _value(field: Any, present: Any, rng: random.Random, change: Change) -> Any:
    match field.cpp_type:
        case FieldDescriptor.CPPTYPE_BOOL:
            return not present
        case FieldDescriptor.CPPTYPE_ENUM:
            return rng.choice((*field.enum_type.values_by_number, 99))
        case FieldDescriptor.CPPTYPE_STRING if field.type == FieldDescriptor.TYPE_BYTES:
            return _bytes(present or b"", rng, change)
        case FieldDescriptor.CPPTYPE_STRING:
            return change((present or "").encode(), _MAX_TEXT).decode(errors="replace")
        case FieldDescriptor.CPPTYPE_FLOAT | FieldDescriptor.CPPTYPE_DOUBLE:
            return rng.choice((0.0, -1.0, float("nan"), float("inf")))
        case _:
            return _number(field, present or 0, rng)


def _bytes(present: bytes, rng: random.Random, change: Change) -> bytes:
    if present.startswith(HEADER) and rng.random() < 0.8:
        return HEADER + framing.mutate(present[len(HEADER) :], rng, change)
    return change(present, framing.MAX_BYTES)


def _number(field: Any, present: int, rng: random.Random) -> int:
    bits = 64 if field.cpp_type in _WIDE else 32
    low, high = (-(1 << bits - 1), (1 << bits - 1) - 1) if field.cpp_type in _SIGNED else (0, (1 << bits) - 1)
    number = rng.choice((0, 1, 2, 3, 4, low, high, present - 1, present + 1, rng.randrange(1 << 16)))
    return min(max(number, low), high)
