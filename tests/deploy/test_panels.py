"""Every query of the dashboards and the console page has something to show when Prometheus scrapes real servers."""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any

import pytest
import yaml
from deploy.eventful import Eventful
from deploy.prometheus import MONITORING, Prometheus, wait_until
from deploy.tools import tool

pytestmark = pytest.mark.deploy

SELECTOR = re.compile(r"\b(?:shinpan|grpc|process)[_:][\w:]+(?:\{[^}]*\})?|\bup\{[^}]*\}")
"""A series in an expression, by its name and labels."""


def dashboards() -> list[str]:
    """The queries of Grafana's dashboards, as they are shipped."""
    pages = [json.loads(path.read_text()) for path in sorted((MONITORING / "grafana").glob("*.json"))]
    return [target["expr"] for page in pages for panel in page["panels"] for target in panel["targets"]]


def console() -> list[str]:
    """Those of the console page."""
    page = (MONITORING / "consoles/shinpan.html").read_text()
    return [query for found in re.findall(r"expr: (\[.*?\]), name:", page) for query in json.loads(found)]


QUERIES = sorted(set(dashboards()))


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Prometheus]:
    """It has seen the busy server both before and after a restart, which goes on being busy."""
    tool("prometheus")
    with (
        Eventful(tmp_path_factory.mktemp("servers")) as events,
        Prometheus(tmp_path_factory.mktemp("prometheus"), events.targets) as running,
    ):
        wait_until(lambda: running.values('up{job="shinpan"}') == [1, 1], "both servers are scraped")
        events.restart()
        yield running


def test_the_console_page_asks_what_the_dashboards_ask() -> None:
    assert len(QUERIES) > 10
    assert sorted(console()) == QUERIES


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_has_something_to_show(prometheus: Prometheus, query: str) -> None:
    """A number above zero, not one that the query makes up."""
    assert "vector(" not in query
    wait_until(partial(prometheus.shows, query), query)


def rules() -> dict[str, dict[str, Any]]:
    """The rules by name; those that are recorded have colons in theirs."""
    groups = yaml.safe_load((MONITORING / "rules.yml").read_text())["groups"]
    return {rule.get("alert") or rule["record"]: rule for group in groups for rule in group["rules"]}


@pytest.mark.parametrize("name", [name for name in rules() if ":" in name])
def test_a_recorded_rule_has_a_value(prometheus: Prometheus, name: str) -> None:
    wait_until(partial(prometheus.shows, name), name)


@pytest.mark.parametrize("name", [name for name in rules() if ":" not in name])
def test_what_an_alert_looks_at_is_there(prometheus: Prometheus, name: str) -> None:
    selected = SELECTOR.findall(rules()[name]["expr"])
    assert selected
    for series in selected:
        wait_until(partial(prometheus.shows, series), series)
    wait_until(lambda: prometheus.rules()[name]["health"] == "ok", f"{name} is evaluated")
