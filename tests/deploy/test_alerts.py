"""Alerts: rules that Prometheus takes, each tested firing and not firing, each with an entry in the runbook."""

import re
from typing import Any

import pytest
import yaml
from deploy.tools import DEPLOY, ROOT, output, tool

pytestmark = pytest.mark.deploy

MONITORING = DEPLOY / "monitoring"


def alerts() -> dict[str, dict[str, Any]]:
    """Every alert by its name."""
    rules = yaml.safe_load((MONITORING / "rules.yml").read_text())
    return {rule["alert"]: rule for group in rules["groups"] for rule in group["rules"] if "alert" in rule}


def test_prometheus_takes_the_rules_and_their_tests_pass() -> None:
    output([tool("promtool"), "check", "rules", str(MONITORING / "rules.yml")])
    output([tool("promtool"), "test", "rules", str(MONITORING / "rules_test.yml")])


def test_each_alert_is_tested_firing_and_not_firing() -> None:
    tests = yaml.safe_load((MONITORING / "rules_test.yml").read_text())["tests"]
    cases = [case for test in tests for case in test["alert_rule_test"]]
    fires = {case["alertname"] for case in cases if case["exp_alerts"]}
    silent = {case["alertname"] for case in cases if not case["exp_alerts"]}
    assert fires == silent == alerts().keys()


def test_each_alert_has_a_runbook_entry() -> None:
    headings = re.findall(r"^### (Shinpan\w+)$", (ROOT / "docs/operations.md").read_text(), re.MULTILINE)
    assert sorted(headings) == sorted(alerts())
