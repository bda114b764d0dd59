"""Logs: one JSON object a line on standard error.

A line says when, what and how long. It never holds a token, an arrangement, a move or a kind, nor text that a caller
sent, but for the request id after it has been checked.
"""

import json
import logging
import sys
import time
from contextlib import suppress
from itertools import count
from secrets import token_hex
from typing import Final, TextIO

_ID_CHARACTERS: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
_MAX_ID_LENGTH: Final = 64


class RequestIds:
    """Names of calls: the caller's own from the metadata entry `x-request-id`, or a new one."""

    def __init__(self) -> None:
        self._prefix = token_hex(4)
        self._numbers = count(1)

    def choose(self, wanted: str | bytes | None) -> str:
        """`wanted` when it is 1 to 64 letters, digits, `-`, `_` and `.`; otherwise a new one of this process."""
        if isinstance(wanted, str) and 0 < len(wanted) <= _MAX_ID_LENGTH and _ID_CHARACTERS.issuperset(wanted):
            return wanted
        return f"{self._prefix}-{next(self._numbers)}"


class AccessLog:
    """One line for each call."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, request_id: str, method: str, code: str, reason: str, used: str, micros: int) -> None:
        """Log a call; `method` and `code` are names of the API, `reason` is "" for OK.

        `used` names the permissions by which it saw hidden pieces: the referee's view, or real states analysed.
        """
        # Every part is from a fixed set of names or has been checked, so nothing needs escaping.
        line = (
            f'{{"time":{time.time():.6f},"level":"info","event":"call","request_id":"{request_id}",'
            f'"method":"{method}","code":"{code}","reason":"{reason}","used":"{used}","micros":{micros}}}\n'
        )
        with suppress(OSError, ValueError):  # nobody reads the log any more; the call is answered all the same
            self._stream.write(line)
            self._stream.flush()


class _JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": round(record.created, 6),
            "level": record.levelname.lower(),
            "event": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info and record.exc_info[1] is not None:
            # The place and the type only: the text of an exception may quote what a caller sent.
            error = record.exc_info[1]
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            line["error"] = type(error).__name__
            if trace is not None:
                line["at"] = f"{trace.tb_frame.f_code.co_filename}:{trace.tb_lineno}"
        return json.dumps(line)


def configure(stream: TextIO = sys.stderr) -> None:
    """Send every log record of the process to `stream`, as JSON."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_JsonFormatter())
    logging.basicConfig(level=logging.INFO, handlers=[handler], force=True)
