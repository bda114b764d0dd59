"""clients/README.md: every client has its row, and the lines for other languages generate all of the API."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest
from clients.languages import LANGUAGES
from shinpan.v1 import analysis_service_pb2, referee_service_pb2

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "clients/README.md").read_text(encoding="utf-8")
TOOLS = ("protoc", "grpc_ruby_plugin", "grpc_php_plugin")
METHODS = {
    service.full_name: [method.name for method in service.methods]
    for file in (referee_service_pb2, analysis_service_pb2)
    for service in file.DESCRIPTOR.services_by_name.values()
}
MESSAGES = [
    name for file in (referee_service_pb2, analysis_service_pb2) for name in file.DESCRIPTOR.message_types_by_name
]


def test_every_client_has_its_row() -> None:
    rows = re.findall(r"^\| .+? \| \[(\w+)\]\(\1\) \|", README, re.MULTILINE)
    assert sorted(rows) == sorted(["python", *(language.folder for language in LANGUAGES)])
    others = {"conformance", "examples"}
    folders = {path.name for path in (ROOT / "clients").iterdir() if path.is_dir() and any(path.glob("README.md"))}
    assert folders - others == set(rows)


@pytest.fixture(scope="module")
def generated(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """What all lines of the README write, as one text for each language."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        pytest.skip(f"{', '.join(missing)} is not installed: stubs of other languages were not generated")
    folder = tmp_path_factory.mktemp("other")
    for name in (".venv", "buf.yaml", "clients", "proto"):
        (folder / name).symlink_to(ROOT / name)
    staging, *lines = re.findall(r"```sh\n(.+?)```", README, re.DOTALL)
    stage, make_folders = staging.splitlines()
    subprocess.run(stage, shell=True, cwd=ROOT, check=True)
    shutil.copytree(ROOT / "build/proto-deps", folder / "build/proto-deps")
    for line in (make_folders, *lines):
        subprocess.run(line, shell=True, cwd=folder, check=True)
    return {
        path.name: "\n".join(file.read_text(encoding="latin-1") for file in path.rglob("*") if file.is_file())
        for path in (folder / "build").iterdir()
    }


@pytest.mark.clients
@pytest.mark.xdist_group("others")
@pytest.mark.parametrize("language", ["ruby", "php", "kotlin", "objc"])
def test_messages_of_other_languages(generated: Mapping[str, str], language: str) -> None:
    text = generated[language]
    assert [name for name in MESSAGES if not re.search(rf"\b(SHP|SHPN|Shinpan|V1)?{name}\b", text)] == []


@pytest.mark.clients
@pytest.mark.xdist_group("others")
def test_stubs_of_other_languages(generated: Mapping[str, str]) -> None:
    for service, methods in METHODS.items():
        for method in methods:
            assert f"rpc :{method}," in generated["ruby"], method
            assert f"'/{service}/{method}'" in generated["php"], method
