# cython: language_level=3, auto_pickle=False
"""One call while it is worked on: who calls, and whether going on makes sense."""

cimport cython

from service.access import ANYONE
from service.errors import Refusal
from service.tokens import PLAIN


class CancelledError(Exception):
    """The caller has gone away."""


@cython.final
cdef class Call:
    """One call while it is worked on."""

    def __init__(self, context, Py_ssize_t max_answer_bytes, caller=ANYONE, tokens=PLAIN):
        """A call that came by this context; its answer has at most so many bytes.

        `caller` is asked for permissions; `tokens` are how states are sealed for the caller.
        """
        self.context = context
        self.max_answer_bytes = max_answer_bytes
        self.caller = caller
        self.tokens = tokens

    def use(self, permission):
        """Require a permission, and note its use for the log."""
        self.caller.require(permission)
        if self.permissions is None:
            self.permissions = set()
        self.permissions.add(permission)

    @property
    def used(self):
        """The permissions that have been used, sorted."""
        return sorted(self.permissions or ())

    cpdef object check(self):
        """Raise when the deadline has passed or the caller has gone: before the work, and between its parts."""
        remaining = self.context.time_remaining()
        if remaining is not None and <double>remaining <= 0:
            raise Refusal("DEADLINE_EXCEEDED", "The deadline has passed.")
        if not self.context.is_active():
            raise CancelledError

    cpdef object add_answer_bytes(self, Py_ssize_t count):
        """Account for a part of the answer; ANSWER_TOO_LARGE as soon as the whole cannot be sent."""
        self.answer_bytes += count
        if self.answer_bytes > self.max_answer_bytes:
            raise Refusal(
                "ANSWER_TOO_LARGE",
                f"The answer would be larger than {self.max_answer_bytes} bytes.",
                limit=self.max_answer_bytes,
            )
