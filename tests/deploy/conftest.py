"""Pods of the local overlay, DNS and proxies before them, for the tests that run containers."""

import base64
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy.names import HEADLESS, Names
from deploy.pods import NETWORK, Replicas, podman
from deploy.proxy import PROXIES
from deploy.tools import DEPLOY, kustomized, objects

SUBNET = "10.89.77"
ADDRESSES = [f"{SUBNET}.{number}" for number in range(11, 17)]
OTHER_ADDRESS = f"{SUBNET}.99"

Deployments = Callable[..., Mapping[str, Any]]
Running = Callable[[Mapping[str, Any]], AbstractContextManager[Replicas]]


@pytest.fixture(scope="session")
def deployment(tmp_path_factory: pytest.TempPathFactory) -> Deployments:
    """Makes the Deployment of the local overlay with the components that are named."""

    def render(*components: str) -> Mapping[str, Any]:
        overlay = tmp_path_factory.mktemp("overlay")
        kubernetes = os.path.relpath(DEPLOY / "kubernetes", overlay)
        settings = {
            "resources": [f"{kubernetes}/overlays/local"],
            "components": [f"{kubernetes}/components/{name}" for name in components],
        }
        (overlay / "kustomization.yaml").write_text(yaml.safe_dump(settings))
        return objects(kustomized(overlay))["Deployment", "shinpan"]

    return render


@pytest.fixture(scope="session")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """The Secret of keys, as files that the server's group may read."""
    keys = tmp_path_factory.mktemp("keys")
    (keys / "token-keys").write_text("1:" + base64.b64encode(bytes(range(32))).decode() + "\n")
    for path, mode in ((keys, 0o750), (keys / "token-keys", 0o440)):  # as fsGroup and defaultMode have it
        os.chown(path, 0, 65532)
        path.chmod(mode)
    return {"shinpan-token-keys": keys}


@pytest.fixture
def running(secrets: Mapping[str, Path]) -> Running:
    """Runs a Deployment, without pods at first; those that are left at the end are killed."""

    @contextmanager
    def run(manifest: Mapping[str, Any]) -> Iterator[Replicas]:
        podman("network", "rm", "--force", NETWORK)
        podman("network", "create", "--subnet", f"{SUBNET}.0/24", "--disable-dns", NETWORK)
        replicas = Replicas(manifest, ADDRESSES, secrets)
        try:
            yield replicas
        finally:
            replicas.abandon()
            podman("network", "rm", "--force", NETWORK)

    return run


@pytest.fixture
def replicas(running: Running, deployment: Deployments) -> Iterator[Replicas]:
    """The local overlay with sealed tokens."""
    with running(deployment("sealed-tokens")) as replicas:
        yield replicas


@pytest.fixture
def ways(replicas: Replicas, tmp_path: Path) -> Iterator[Mapping[str, str]]:
    """The ways of a client to the pods, of which there is one now: what it connects to, by the way's name."""
    with opened(replicas, tmp_path) as targets:
        yield targets


@contextmanager
def opened(replicas: Replicas, folder: Path) -> Iterator[Mapping[str, str]]:
    """Start a pod, DNS and all proxies."""
    replicas.add()
    with Names(replicas.ready), ExitStack() as started:
        targets = {name: started.enter_context(make(folder)).target for name, make in PROXIES.items()}
        yield {"headless": HEADLESS, **targets}
