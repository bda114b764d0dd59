"""Thresholds: each is broken by what is beyond it, and by nothing else."""

from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from load.scenarios.thresholds import Seen, Thresholds, broken, read

LIMITS = Thresholds(failed_share=0.01, p50_ms=10, p95_ms=50, p99_ms=100, calls_per_second=20, checks=5)
AT_THEM = Seen(
    calls=1000, failed=10, p50_ms=10, p95_ms=50, p99_ms=100, calls_per_second=20, checks=5, wrong=0, exceptions=0
)


def test_what_reaches_a_threshold_keeps_it() -> None:
    assert list(broken(LIMITS, AT_THEM)) == []


@pytest.mark.parametrize(
    ("seen", "line"),
    [
        ({"failed": 11}, "11 of 1000 calls failed; allowed are 1.00%"),
        ({"p50_ms": 11}, "p50_ms is 11; at most 10 is allowed"),
        ({"p95_ms": 51}, "p95_ms is 51; at most 50 is allowed"),
        ({"p99_ms": 100.5}, "p99_ms is 100.5; at most 100 is allowed"),
        ({"calls_per_second": 19.9}, "19.9 calls a second; at least 20 are expected"),
        ({"checks": 4}, "4 matches and playouts were checked; at least 5 are expected"),
        ({"wrong": 1}, "1 of 5 checks found a wrong answer"),
        ({"exceptions": 2}, "2 errors in the scenario itself"),
        ({"calls": 0, "failed": 0}, "0 of 0 calls failed; allowed are 1.00%"),
    ],
)
def test_what_is_beyond_one_breaks_it_alone(seen: dict[str, Any], line: str) -> None:
    assert list(broken(LIMITS, AT_THEM._replace(**seen))) == [line]


def test_the_committed_ones_allow_no_failure_but_for_the_objective_of_a_soak() -> None:
    shares = {name: one.failed_share for name, one in read().items()}
    assert shares == {"match": 0, "bots": 0, "mixed": 0, "spike": 0, "soak": 0.001}


@pytest.mark.parametrize("table", ["[match]\nfailed_share = 0", "[match]\nfailed_shares = 0"])
def test_a_file_that_lacks_one_or_has_another_is_refused(table: str, tmp_path: Path) -> None:
    file = tmp_path / "thresholds.toml"
    file.write_text(table)
    with pytest.raises(ValidationError, match="failed_share"):
        read(file)
