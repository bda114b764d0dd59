"""The API as it was when a version of the vectors was made: its descriptors, beside the vectors."""

from collections.abc import Mapping
from pathlib import Path

from google.protobuf.descriptor import FileDescriptor
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet
from google.protobuf.descriptor_pool import DescriptorPool
from google.protobuf.message_factory import GetMessageClass
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

from conformance.methods import Method

NAME = "api.binpb"
_SERVICES = ("shinpan.v1.RefereeService", "shinpan.v1.AnalysisService")


def write_api(folder: Path) -> None:
    """Write the descriptors of the API as it is now."""
    files: dict[str, FileDescriptorProto] = {}
    for file in (referee_service_pb2.DESCRIPTOR, analysis_service_pb2.DESCRIPTOR):
        _collect(file, files)
    (folder / NAME).write_bytes(FileDescriptorSet(file=files.values()).SerializeToString(deterministic=True))


def _collect(file: FileDescriptor, files: dict[str, FileDescriptorProto]) -> None:
    """Put a file behind those that it imports."""
    for imported in file.dependencies:
        _collect(imported, files)
    if file.name not in files:
        files[file.name] = FileDescriptorProto()
        file.CopyToProto(files[file.name])


def read_api(folder: Path) -> Mapping[str, Method]:
    """The methods of a version by their names, with messages that know no field of later."""
    pool = DescriptorPool()
    for file in FileDescriptorSet.FromString((folder / NAME).read_bytes()).file:
        pool.Add(file)
    return {
        f"{name}/{method.name}": Method(GetMessageClass(method.input_type), GetMessageClass(method.output_type))
        for name in _SERVICES
        for method in pool.FindServiceByName(name).methods
    }
