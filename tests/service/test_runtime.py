"""What the server asks of the scheduler and the collector holds for all its threads, and garbage still goes."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from service.process import ServerProcess

GARBAGE = """
import gc, weakref
from service import runtime

class Ring: pass

def ring():
    one = Ring()
    one.itself = one
    return weakref.ref(one)

before = ring()
kept = Ring()
runtime.keep_what_is_there()
found = []
gc.callbacks.append(lambda phase, info: found.append(info) if phase == "start" else None)
rings = [ring() for _ in range(40_000)]
print(before() is None, 1 <= len(found) <= 8, sum(one() is None for one in rings) > 20_000, gc.get_freeze_count() > 0)
"""


@pytest.mark.skipif(not hasattr(os, "SCHED_BATCH"), reason="Linux has that policy")
def test_no_thread_of_the_default_transport_preempts_another() -> None:
    with ServerProcess() as server:
        threads = [int(one.name) for one in Path(f"/proc/{server.process.pid}/task").iterdir()]
        assert len(threads) > 4
        assert {os.sched_getscheduler(thread) for thread in threads} == {os.SCHED_BATCH}


def test_rings_of_objects_are_collected_but_seldom_looked_for() -> None:
    done = subprocess.run([sys.executable, "-c", GARBAGE], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["True"] * 4
