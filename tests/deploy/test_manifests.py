"""The manifests: valid for several versions of Kubernetes, the same from Kustomize and Helm, hardened, and in time."""

import json
import os
import re
import textwrap
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy.tools import (
    DEPLOY,
    KUBERNETES_VERSIONS,
    ROOT,
    kustomized,
    objects,
    output,
    run,
    template_command,
    templated,
    tool,
)

from service import server
from service.config import Settings, read_settings

pytestmark = pytest.mark.deploy

OVERLAYS = ("overlays/local", "overlays/production")
HELM_SETTINGS = {
    "overlays/local": (
        "image.tag=dev",
        "image.pullPolicy=Never",
        "replicas=1",
        "resources.requests.cpu=100m",
        "resources.requests.memory=256Mi",
        "resources.limits.memory=256Mi",
    ),
    "overlays/production": (
        "tls.enabled=true",
        "sealedTokens.enabled=true",
        "networkPolicy.enabled=true",
        "autoscaling.enabled=true",
        "monitoring.enabled=true",
        "topologySpread={kubernetes.io/hostname,topology.kubernetes.io/zone}",
    ),
}
"""The values of the chart that say what an overlay says."""
SKIPPED_CHECKS = {
    "CKV_K8S_43": "an image is named by a tag here; whoever deploys pins the digest of what was built",
    "CKV_K8S_15": "tags are never moved, and a node must be able to start a pod while the registry is away",
}
"""Checks of checkov that are not followed, and why."""
SKIPPED_LOCALLY = {"CKV2_K8S_6": "a laptop's cluster is for trying things from any pod"}


def container(made: dict[str, Any]) -> dict[str, Any]:
    """The one container of a Deployment."""
    (only,) = made["spec"]["template"]["spec"]["containers"]
    found: dict[str, Any] = only
    return found


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_kustomize_and_helm_render_equal_objects(overlay: str) -> None:
    assert objects(templated(*HELM_SETTINGS[overlay])) == objects(kustomized(overlay))


@pytest.mark.parametrize(
    ("components", "settings"),
    [
        (["native-transport"], ["nativeTransport.enabled=true"]),
        (["tls", "client-certificates"], ["tls.enabled=true", "tls.clientCa=true"]),
        (
            ["autoscaling", "autoscaling-in-flight"],
            ["autoscaling.enabled=true", "autoscaling.callsInFlight=16"],
        ),
    ],
)
def test_components_of_no_overlay_render_equal_objects(
    components: list[str], settings: list[str], tmp_path: Path
) -> None:
    kubernetes = os.path.relpath(DEPLOY / "kubernetes", tmp_path)
    overlay = {
        "namespace": "shinpan",
        "resources": [f"{kubernetes}/base"],
        "components": [f"{kubernetes}/components/{name}" for name in components],
    }
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    rendered = kustomized(tmp_path)
    assert objects(templated(*settings)) == objects(rendered)
    for version in KUBERNETES_VERSIONS:
        validate(rendered, version, tmp_path)


def validate(rendered: str, version: str, folder: Path) -> None:
    """Check all objects but those of the Prometheus operator, whose schema is not Kubernetes' own."""
    file = folder / "objects.yaml"
    file.write_text(rendered)
    said = output([tool("kubernetes-validate"), "--strict", "--no-warn", "-k", version, str(file)])
    expected = [kind for kind, _ in objects(rendered) if kind not in ("ServiceMonitor", "PrometheusRule")]
    assert said.count(f"against version {version}") == len(expected) >= 5


@pytest.mark.parametrize("version", KUBERNETES_VERSIONS)
@pytest.mark.parametrize("overlay", OVERLAYS)
def test_objects_are_valid(overlay: str, version: str, tmp_path: Path) -> None:
    validate(kustomized(overlay), version, tmp_path)


def test_the_overlay_of_the_documentation_is_production_with_another_image(tmp_path: Path) -> None:
    document = (ROOT / "docs/operations.md").read_text()
    assert f"Kubernetes {KUBERNETES_VERSIONS[0]} or later" in document
    (written,) = re.findall(r"```yaml\n(.*?)```", document, re.DOTALL)
    overlay = yaml.safe_load(textwrap.dedent(written))
    overlay["resources"] = [os.path.relpath(ROOT / path, tmp_path) for path in overlay["resources"]]
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    made, production = objects(kustomized(tmp_path)), objects(kustomized("overlays/production"))
    only = container(made["Deployment", "shinpan"])
    assert only["image"] == "registry.example.com/shinpan-server:0.1.0"
    only["image"] = container(production["Deployment", "shinpan"])["image"]
    assert made == production


def test_validation_can_fail(tmp_path: Path) -> None:
    rendered = tmp_path / "objects.yaml"
    rendered.write_text(kustomized("overlays/local").replace("maxUnavailable: 1", "maxUnavailble: 1"))
    assert run([tool("kubernetes-validate"), "--strict", str(rendered)]).returncode != 0


def test_the_prometheus_operator_would_take_its_objects(tmp_path: Path) -> None:
    rendered = tmp_path / "objects.json"
    found = objects(kustomized("overlays/production"))
    ours = [made for (kind, _), made in found.items() if kind in ("ServiceMonitor", "PrometheusRule")]
    assert len(ours) == 2
    decode = [tool("go"), "run", "-C", str(ROOT / "tests/deploy/operator"), ".", str(rendered)]
    rendered.write_text(json.dumps(ours))
    output(decode)
    ours[0]["spec"]["selecter"] = {}
    rendered.write_text(json.dumps(ours))
    done = run(decode)
    assert done.returncode != 0
    assert "selecter" in done.stderr


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_objects_are_hardened(overlay: str, tmp_path: Path) -> None:
    rendered = tmp_path / "objects.yaml"
    rendered.write_text(kustomized(overlay))
    check = [tool("checkov"), "-f", str(rendered), "--framework", "kubernetes", "--skip-download", "-o", "json"]
    report = json.loads(run(check).stdout)
    failed = {found["check_id"] for found in report["results"]["failed_checks"]}
    assert failed == SKIPPED_CHECKS.keys() | (SKIPPED_LOCALLY.keys() if "local" in overlay else set())
    assert report["summary"]["passed"] > 80


def settings_of(deployment: dict[str, Any]) -> Settings:
    """Those of its server, but for secrets, whose files are not here."""
    secrets = ("SHINPAN_TLS", "SHINPAN_TOKEN")
    environment = {entry["name"]: entry["value"] for entry in container(deployment)["env"]}
    return read_settings([], {name: value for name, value in environment.items() if not name.startswith(secrets)})


def seconds_to_end(deployment: dict[str, Any]) -> float:
    """How long a pod of it may take to end."""
    settings = settings_of(deployment)
    pause = container(deployment)["lifecycle"]["preStop"]["sleep"]["seconds"]
    told = settings.unready_seconds + settings.drain_seconds + settings.stop_grace_seconds
    return float(pause + told + server.SECONDS_TO_END)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_a_pod_has_time_to_end(overlay: str) -> None:
    deployment = objects(kustomized(overlay))["Deployment", "shinpan"]
    needed = seconds_to_end(deployment)
    assert needed < deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] <= needed + 15
    settings = settings_of(deployment)
    assert settings.drain_seconds > 1.1 * settings.max_connection_age_seconds


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"nativeTransport": {"enabled": True}},
        {"settings": {"DRAIN_SECONDS": 120}},
        {"settings": {"UNREADY_SECONDS": "0.25", "DRAIN_SECONDS": 0, "STOP_GRACE_SECONDS": 7.5}},
        {"preStopSeconds": 20, "nativeTransport": {"enabled": True}, "settings": {"DRAIN_SECONDS": 61.5}},
    ],
    ids=json.dumps,
)
def test_the_chart_derives_the_time_that_a_pod_has_to_end(values: dict[str, Any], tmp_path: Path) -> None:
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump(values))
    deployment = objects(templated(values=file))["Deployment", "shinpan"]
    needed = seconds_to_end(deployment)
    assert needed + 2 <= deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] < needed + 3


def test_the_chart_takes_more_time_to_end_than_is_needed() -> None:
    deployment = objects(templated("terminationGracePeriodSeconds=300"))["Deployment", "shinpan"]
    assert deployment["spec"]["template"]["spec"]["terminationGracePeriodSeconds"] == 300


def test_settings_are_what_a_file_of_values_says(tmp_path: Path) -> None:
    given = {"MAX_PLAYOUT_PLIES": 20_000_000, "RELOAD_SECONDS": 0.5, "ACCESS_LOG": False, "MAX_SAMPLES": "7"}
    file = tmp_path / "values.yaml"
    file.write_text(yaml.safe_dump({"settings": given}))
    settings = settings_of(objects(templated(values=file))["Deployment", "shinpan"])
    assert (settings.max_playout_plies, settings.reload_seconds) == (20_000_000, 0.5)
    assert (settings.access_log, settings.max_samples) == (False, 7)


@pytest.mark.parametrize("overlay", OVERLAYS)
def test_ports_and_probes_are_where_the_server_listens(overlay: str) -> None:
    found = objects(kustomized(overlay))
    only = container(found["Deployment", "shinpan"])
    environment = {entry["name"]: entry["value"] for entry in only["env"]}
    ports = {port["name"]: port["containerPort"] for port in only["ports"]}
    assert {name: str(port) for name, port in ports.items()} == {
        "grpc": environment["SHINPAN_GRPC_PORT"],
        "admin": environment["SHINPAN_ADMIN_PORT"],
        "metrics": environment["SHINPAN_METRICS_PORT"],
    }
    for probe in ("startupProbe", "readinessProbe", "livenessProbe"):
        assert only[probe]["grpc"]["port"] == ports["admin"]
    protocol = "https" if "production" in overlay else "kubernetes.io/h2c"
    for name in ("shinpan", "shinpan-headless"):
        (grpc,) = [port for port in found["Service", name]["spec"]["ports"] if port["name"] == "grpc"]
        assert (grpc["targetPort"], grpc["appProtocol"]) == ("grpc", protocol)


def test_every_selector_finds_the_pods() -> None:
    found = objects(kustomized("overlays/production"))
    labels = found["Deployment", "shinpan"]["spec"]["template"]["metadata"]["labels"]
    assert labels
    selectors = [
        found["Deployment", "shinpan"]["spec"]["selector"]["matchLabels"],
        found["Service", "shinpan"]["spec"]["selector"],
        found["Service", "shinpan-headless"]["spec"]["selector"],
        found["PodDisruptionBudget", "shinpan"]["spec"]["selector"]["matchLabels"],
        found["NetworkPolicy", "shinpan"]["spec"]["podSelector"]["matchLabels"],
    ]
    assert selectors == [labels] * len(selectors)
    monitor = found["ServiceMonitor", "shinpan"]["spec"]["selector"]["matchLabels"]
    assert monitor.items() <= found["Service", "shinpan"]["metadata"]["labels"].items()


@pytest.mark.parametrize(
    ("setting", "complaint"),
    [
        ("replica=3", "replica"),
        ("settings.GRPC_PORT=1", "GRPC_PORT"),
        ("image.pullPolicy=Sometimes", "pullPolicy"),
        ("autoscaling.cpuUtilization=0", "cpuUtilization"),
        ("terminationGracePeriodSeconds=69", "may take 70 s to end"),
        ("settings.DRAIN_SECONDS=120,terminationGracePeriodSeconds=154", "may take 155 s to end"),
        ("tls.clientCa=true", "tls.clientCa needs tls.enabled"),
    ],
)
def test_the_chart_refuses_wrong_values(setting: str, complaint: str) -> None:
    done = run([*template_command(), "--set", setting])
    assert done.returncode != 0
    assert complaint in done.stderr


def test_the_chart_refuses_tls_on_the_native_transport() -> None:
    both = "tls.enabled=true,nativeTransport.enabled=true"
    done = run([*template_command(), "--set", both])
    assert "exclude each other" in done.stderr


def test_the_chart_is_well_formed() -> None:
    assert "0 chart(s) failed" in output([tool("helm"), "lint", "--strict", str(DEPLOY / "helm/shinpan")])
