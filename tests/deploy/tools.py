"""Tools that the tests of deploy/ call, and the objects that they render."""

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
KUBERNETES_VERSIONS = ("1.30", "1.33", "1.37")
"""From the oldest that docs/operations.md promises to the newest whose schema there is."""

Objects = dict[tuple[str, str], dict[str, Any]]
"""Kubernetes objects by kind and name."""


def tool(name: str) -> str:
    """The path of a tool; skips the test when it is not installed."""
    for folder in (ROOT / ".tools/bin", ROOT / ".tools/deploy/bin"):
        if (folder / name).exists():
            return str(folder / name)
    path = shutil.which(name)
    if path is None:
        pytest.skip(f"{name} is not installed; `make debian-packages` and `make test-deploy` install the tools")
    return path


def run(arguments: Sequence[str]) -> subprocess.CompletedProcess[str]:
    """Run a command at the project's root; its output is text."""
    return subprocess.run(arguments, cwd=ROOT, capture_output=True, text=True, check=False)


def output(arguments: Sequence[str]) -> str:
    """What a command prints; it must succeed."""
    done = run(arguments)
    assert done.returncode == 0, f"{' '.join(arguments)}\n{done.stdout}{done.stderr}"
    return done.stdout


def kustomized(folder: str | Path) -> str:
    """The text that Kustomize renders for a folder, named from deploy/kubernetes."""
    return output([tool("kubectl"), "kustomize", str(DEPLOY / "kubernetes" / folder)])


def template_command() -> list[str]:
    """How Helm renders the release `shinpan` in the namespace `shinpan`."""
    chart = str(DEPLOY / "helm/shinpan")
    where = ["--namespace", "shinpan", "--kube-version", KUBERNETES_VERSIONS[-1]]
    return [tool("helm"), "template", "shinpan", chart, *where]


def templated(*settings: str, values: Path | None = None) -> str:
    """The text that Helm renders with a file of values and these, `name=value` each."""
    given = ["--values", str(values)] if values else []
    return output(template_command() + given + [part for setting in settings for part in ("--set", setting)])


def objects(text: str) -> Objects:
    """The objects of a rendered text, lists sorted by name where Kubernetes does not heed their order."""
    found: Objects = {}
    for made in yaml.safe_load_all(text):
        if made is None:
            continue
        if made["kind"] == "Deployment":
            pod = made["spec"]["template"]["spec"]
            pod.get("volumes", []).sort(key=_name)
            for container in pod["containers"]:
                container["env"].sort(key=_name)
                container.get("volumeMounts", []).sort(key=_name)
        key = made["kind"], made["metadata"]["name"]
        assert key not in found, f"{key} twice"
        found[key] = made
    return found


def _name(part: dict[str, Any]) -> str:
    return str(part["name"])
