"""What Locust had counted when, from the file that it writes."""

from pathlib import Path

from load.locust_process import Counts, History

LINES = """\
Timestamp,User Count,Type,Name,Total Request Count,Total Failure Count
100,2,gRPC,StartMatch,2,0
100,2,gRPC,ApplyAction,10,1
100,2,check,match,0,0
100,2,,Aggregated,12,1
101,2,gRPC,StartMatch,3,0
101,2,gRPC,ApplyAction,25,3
101,2,check,match,4,1
101,2,,Aggregated,32,4
"""


def test_counts_are_added_by_type(tmp_path: Path) -> None:
    file = tmp_path / "history.csv"
    file.write_text(LINES)
    history = History(file)
    assert history.at(99.9) == Counts(0, 0, 0, 0)
    assert history.at(100) == history.at(100.9) == Counts(calls=12, failed=1, checks=0, wrong=0)
    assert history.at(101) == history.at(1e9) == Counts(calls=28, failed=3, checks=4, wrong=1)
