"""The Dockerfiles, as linters see them."""

import json

import pytest
from deploy.tools import DEPLOY, output, run, tool

pytestmark = pytest.mark.deploy

DOCKERFILES = [str(DEPLOY / "Dockerfile"), str(DEPLOY / "load.Dockerfile")]
SKIPPED_CHECKS = {
    "CKV_DOCKER_2": "HEALTHCHECK: Kubernetes does not look at it, and asks over gRPC instead",
    "CKV_DOCKER_7": "tags of base images: they are arguments, whose defaults have tags, which the check does not see",
}
"""Checks of checkov that are not followed, and why."""


def test_hadolint_has_nothing_to_say() -> None:
    assert not output([tool("hadolint"), *DOCKERFILES])


def test_checkov_finds_what_was_left_out_for_a_reason() -> None:
    check = [tool("checkov"), "-f", *DOCKERFILES, "--framework", "dockerfile", "--skip-download", "-o", "json"]
    report = json.loads(run(check).stdout)
    assert {found["check_id"] for found in report["results"]["failed_checks"]} == SKIPPED_CHECKS.keys()
    assert report["summary"]["passed"] > 20
