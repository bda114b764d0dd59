"""What a server asks of the kernel's scheduler and of Python's collector, neither of which knows that it is one."""

import gc
import os
from contextlib import suppress
from typing import Final

_YOUNG_OBJECTS: Final = 10_000
"""How many objects more there are when the collector looks at young ones; calls in flight have some thousands."""


def do_not_preempt() -> None:
    """Have threads that are made from now on wait for the one that wakes them, instead of interrupting it.

    What wakes a thread of Python mostly holds the lock of the interpreter: who is let in at once can only wait for it.
    """
    if hasattr(os, "SCHED_BATCH"):
        with suppress(OSError):  # a sandbox may forbid it
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))


def keep_what_is_there() -> None:
    """Have the collector pass over everything that there is now, such as the games, and over calls that are worked on.

    Otherwise it follows all of it again and again, while everything waits.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(_YOUNG_OBJECTS, *gc.get_threshold()[1:])
