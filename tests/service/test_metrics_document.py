"""docs/operations.md describes every metric that a server exports, as it is exported, and no other."""

import re
import urllib.request
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import pytest
from certificates import DAY, Authority
from guarded import keys, written
from prometheus_client import Metric
from prometheus_client.parser import text_string_to_metric_families
from shinpan import Referee, ServiceError

from service.process import ServerProcess

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/operations.md"
CREATED = datetime(2026, 11, 30, tzinfo=UTC)


class Described(NamedTuple):
    """What is said of a metric."""

    type: str
    labels: frozenset[str]


def documented() -> dict[str, Described]:
    """The table of the document, counters without _total."""
    found = {}
    rows = re.findall(r"^\| (`\w+`(?:, `\w+`)*) \| (\w+) \| (.*?) \| .* \|$", DOCUMENT.read_text(), re.MULTILINE)
    for names, kind, labels in rows:
        for name in re.findall(r"`(\w+)`", names):
            found[name.removesuffix("_total")] = Described(kind, frozenset(re.findall(r"`(\w+)`", labels)))
    return found


def families(process: ServerProcess) -> list[Metric]:
    """What a server exports."""
    with urllib.request.urlopen(process.metrics_url) as page:
        return list(text_string_to_metric_families(page.read().decode()))


def exported(process: ServerProcess) -> tuple[dict[str, Described], Mapping[str, float]]:
    """The metrics that a server exports, and the values of those without labels."""
    described, values = {}, {}
    for family in families(process):
        if family.name.endswith("_created"):
            continue
        labels = {label for sample in family.samples for label in sample.labels} - {"le"}
        described[family.name] = Described(family.type, frozenset(labels))
        values.update({sample.name: sample.value for sample in family.samples if not sample.labels})
    return described, values


def test_document_and_scrape_agree(tmp_path: Path) -> None:
    issued = Authority("ours").issue("localhost", 20 * DAY)
    settings = {
        "tls_certificate_file": written(tmp_path, "certificate.pem", issued.certificate.decode()),
        "tls_key_file": written(tmp_path, "key.pem", issued.key.decode()),
        "token_keys_file": written(tmp_path, "keys", f"{keys(1)} {CREATED:%Y-%m-%d}"),
    }
    with ServerProcess(log=None, environment=None, **settings) as secure, ServerProcess() as plain:
        with Referee(plain.address) as referee:  # every family with labels gets a member
            start = referee.start_match("hasami-shogi").state
            ended = referee.resign(start, 1)
            with pytest.raises(ServiceError):
                referee.resign(ended.state, 1)
            referee.updates_of_many([start], [1])
        described, values = exported(plain)
        _, secured = exported(secure)
    ages = {"shinpan_token_key_created_timestamp_seconds", "shinpan_certificate_not_after_timestamp_seconds"}
    assert {**described, **{name: Described("gauge", frozenset()) for name in ages}} == documented()
    assert ages.isdisjoint(values)
    assert values["shinpan_calls_in_flight"] == 0
    assert secured["shinpan_token_key_created_timestamp_seconds"] == CREATED.timestamp()
    left = secured["shinpan_certificate_not_after_timestamp_seconds"] - datetime.now(UTC).timestamp()
    assert 19 * DAY.total_seconds() < left <= 20 * DAY.total_seconds()


def test_the_metrics_that_say_when_they_began_are_those_of_the_document() -> None:
    (without,) = re.findall(r"sample `_created`[^.]*; `(\w+)_total` has none\.", DOCUMENT.read_text())
    with ServerProcess() as process:
        with Referee(process.address) as referee:
            with pytest.raises(ServiceError):
                referee.resign(b"", 1)
            start = referee.start_match("hasami-shogi").state
            referee.resign(start, 1)
            referee.updates_of_many([start], [1])
        found = families(process)
    began = {family.name.removesuffix("_created") for family in found if family.name.endswith("_created")}
    assert began == {name for name, said in documented().items() if said.type in ("counter", "histogram")} - {without}
