"""The methods of the API by their names in vectors, with the messages that they take and give."""

from collections.abc import Mapping
from typing import NamedTuple

from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from shinpan.v1 import analysis_service_pb2, referee_service_pb2


class Method(NamedTuple):
    """What a method takes and gives."""

    request: type[Message]
    response: type[Message]


METHODS: Mapping[str, Method] = {
    f"{service.full_name}/{method.name}": Method(
        GetMessageClass(method.input_type), GetMessageClass(method.output_type)
    )
    for file in (referee_service_pb2, analysis_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
}
"""For example "shinpan.v1.RefereeService/ApplyAction"."""


def name_of(request: Message) -> str:
    """The method whose request this is."""
    return next(name for name, method in METHODS.items() if isinstance(request, method.request))
