"""deploy/compose.yaml: a valid file, whose parts fit each other, the server and the dashboards."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml
from deploy.tools import DEPLOY, ROOT, output, run, tool

from service import server
from service.config import read_settings

pytestmark = pytest.mark.deploy

COMPOSE = DEPLOY / "compose.yaml"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load(COMPOSE.read_text())["services"]


def mounted(service: str) -> dict[str, Path]:
    """What a service finds at which path: files and folders of this tree."""
    volumes = [volume.split(":") for volume in SERVICES[service].get("volumes", ())]
    assert all(mode == "ro" for _, _, mode in volumes)
    return {inside: DEPLOY / outside for outside, inside, _ in volumes}


def settings() -> Any:
    """Those of the server: what its image says, and no more."""
    assert "environment" not in SERVICES["server"]
    return read_settings([], {})


def test_it_follows_the_schema_of_compose(tmp_path: Path) -> None:
    check = [tool("check-jsonschema"), "--builtin-schema", "vendor.compose-spec"]
    output([*check, str(COMPOSE)])
    wrong = tmp_path / "compose.yaml"
    wrong.write_text(COMPOSE.read_text().replace("depends_on:", "depend_on:"))
    assert run([*check, str(wrong)]).returncode != 0


def test_every_path_is_there() -> None:
    paths = [path for service in SERVICES for path in mounted(service).values()]
    paths += [
        DEPLOY / one["build"]["context"] / one["build"]["dockerfile"] for one in SERVICES.values() if "build" in one
    ]
    assert len(paths) == 6
    assert [path for path in paths if not path.exists()] == []


def test_services_listen_for_this_machine_alone() -> None:
    for service in SERVICES.values():
        assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    told = settings()
    inside = {int(port.rpartition(":")[2]) for port in SERVICES["server"]["ports"]}
    assert inside == {told.grpc_port, told.admin_port, told.metrics_port}


def test_the_server_has_time_to_end() -> None:
    told = settings()
    needed = told.unready_seconds + told.drain_seconds + told.stop_grace_seconds + server.SECONDS_TO_END
    seconds = int(SERVICES["server"]["stop_grace_period"].removesuffix("s"))
    assert needed < seconds <= needed + 15


def test_prometheus_takes_its_settings_and_scrapes_the_server() -> None:
    inside = mounted("prometheus")
    file = inside["/etc/prometheus/prometheus.yml"]
    output([tool("promtool"), "check", "config", str(file)])
    written = yaml.safe_load(file.read_text())
    assert [f"/etc/prometheus/{name}" for name in written["rule_files"]] == [path for path in inside if "rules" in path]
    (job,) = written["scrape_configs"]
    assert job["job_name"] == "shinpan"  # the rules and dashboards ask for it
    (told,) = job["static_configs"]
    assert told["targets"] == [f"server:{settings().metrics_port}"]


def test_grafana_is_given_its_source_and_every_dashboard() -> None:
    inside = mounted("grafana")
    provisioning = inside["/etc/grafana/provisioning"]
    (source,) = yaml.safe_load((provisioning / "datasources/prometheus.yaml").read_text())["datasources"]
    assert (source["type"], source["isDefault"]) == ("prometheus", True)
    port = SERVICES["prometheus"]["ports"][0].rpartition(":")[2]
    assert source["url"] == f"http://prometheus:{port}"
    (provider,) = yaml.safe_load((provisioning / "dashboards/shinpan.yaml").read_text())["providers"]
    folder = inside[provider["options"]["path"]]
    assert {path.stem for path in folder.glob("*.json")} == {"shinpan-games", "shinpan-load-test", "shinpan-service"}
    home = Path(SERVICES["grafana"]["environment"]["GF_DASHBOARDS_DEFAULT_HOME_DASHBOARD_PATH"])
    assert (inside[str(home.parent)] / home.name).exists()


def test_locust_is_told_of_the_server_and_a_scenario() -> None:
    locust = SERVICES["locust"]
    assert f"server:{settings().grpc_port}" in locust["command"]
    default = re.fullmatch(r"\$\{LOAD_SCENARIO:-(\w+)}", locust["environment"]["LOAD_SCENARIO"])
    assert default
    assert f'"{default[1]}": (' in (ROOT / "load/scenarios/catalogue.py").read_text()
