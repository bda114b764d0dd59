"""Admission: calls are answered by a few threads, a bounded number waits for one, and the rest is refused at once."""

import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")


class AdmissionPool(ThreadPoolExecutor):
    """A pool of threads that knows how many calls it has taken and not finished.

    `submit` never refuses: the transport calls it for calls that it has accepted. Whoever accepts asks `full` before.
    """

    def __init__(self, threads: int, max_waiting: int) -> None:
        super().__init__(threads, thread_name_prefix="call")
        self._admitted_at_once = threads
        self._admitted = threads + max_waiting
        self._unfinished = 0
        self._lock = threading.Lock()

    @property
    def full(self) -> bool:
        """Whether every thread is busy and as many calls as allowed are waiting."""
        return self._unfinished >= self._admitted

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return max(0, self._unfinished - self._admitted_at_once)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> Future[_T]:
        """Take a call."""
        with self._lock:
            self._unfinished += 1
        future = super().submit(fn, *args, **kwargs)
        future.add_done_callback(self._finished)
        return future

    def _finished(self, _: object) -> None:
        with self._lock:
            self._unfinished -= 1
