"""Admission: calls are answered by a few threads, a bounded number waits for one, and the rest is refused at once.

grpcio has a thread take a call before its request has arrived, and wait for it. A few callers that send half a request
would so hold up all others. Therefore threads whose request is late are not counted: others take their places.
"""

import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from itertools import count
from queue import SimpleQueue
from threading import Thread, get_ident
from typing import Any, Final, ParamSpec, TypeVar

_P = ParamSpec("_P")
_T = TypeVar("_T")
_Item = tuple["Future[Any]", Callable[..., Any], tuple[Any, ...], dict[str, Any]]

LATE_SECONDS: Final = 0.1
"""A request is late that has not arrived between two looks at this interval."""


class AdmissionPool(Executor):
    """A pool of threads that knows how many calls it has taken and not finished. `start` it once.

    `submit` never refuses: the transport calls it for calls that it has accepted. Whoever accepts asks `full` before.
    """

    def __init__(self, threads: int, max_waiting: int) -> None:
        """Besides these threads it has at most twice `max_waiting` more, so that whatever it takes gets one.

        As many calls may be late as may wait; further late ones count as waiting.
        """
        self._threads = threads
        self._max_waiting = max_waiting
        self._queue: SimpleQueue[_Item] = SimpleQueue()
        self._unfinished = 0
        self._workers = 0
        self._late = 0
        self._numbers = count()
        self._receiving: dict[int, int] = {}
        """Number of the call that each thread has taken whose request has not arrived; calls themselves are not kept.
        What is done to it is atomic under the GIL."""
        self._lock = threading.Lock()

    def start(self) -> None:
        """Answer what is submitted."""
        self._employ()
        Thread(target=self._watch, name="late requests", daemon=True).start()

    @property
    def full(self) -> bool:
        """Whether every thread is busy and as many calls as allowed are waiting."""
        return self._unfinished - self._late >= self._threads + self._max_waiting

    @property
    def waiting(self) -> int:
        """Calls that wait for a thread."""
        return max(0, self._unfinished - self._late - self._threads)

    def submit(self, fn: Callable[_P, _T], /, *args: _P.args, **kwargs: _P.kwargs) -> "Future[_T]":
        """Take a call."""
        with self._lock:
            self._unfinished += 1
        future: Future[_T] = Future()
        self._queue.put((future, fn, args, kwargs))
        return future

    def arrived(self) -> None:
        """Note that the request of the call which this thread has taken is there."""
        self._receiving.pop(get_ident(), None)

    def _employ(self) -> None:
        """Start the threads that are missing; twice as many as are late, since more late ones may be waiting."""
        with self._lock:
            missing = self._threads + 2 * self._late - self._workers
            self._workers += max(0, missing)
        for _ in range(missing):
            Thread(target=self._work, name="call", daemon=True).start()

    def _work(self) -> None:
        while not self._answer_one():
            pass

    def _answer_one(self) -> bool:
        """Answer a call, and keep nothing of it while waiting for the next; whether this thread is to end."""
        own = get_ident()
        future, answer, args, kwargs = self._queue.get()
        self._receiving[own] = next(self._numbers)
        try:
            result = answer(*args, **kwargs)
        except BaseException as error:
            self._receiving.pop(own, None)
            ended = self._finish()
            future.set_exception(error)
        else:
            self._receiving.pop(own, None)
            ended = self._finish()
            future.set_result(result)
        return ended

    def _finish(self) -> bool:
        """Count a call as finished; whether this thread is one too many by now."""
        with self._lock:
            self._unfinished -= 1
            if self._workers <= self._threads + 2 * self._late:
                return False
            self._workers -= 1
            return True

    def _watch(self) -> None:
        """Look for late requests, again and again."""
        pause, before = threading.Event(), dict[int, int]()
        while not pause.wait(LATE_SECONDS):
            now = dict(self._receiving)
            self._late = min(sum(before.get(thread) == number for thread, number in now.items()), self._max_waiting)
            before = now
            if self._late:
                self._employ()
