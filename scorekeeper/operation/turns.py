"""Reading in turn: those who look, however many, do not keep those who record waiting.

The threads of a process run one at a time. Who records gives way often, at each statement and at
each turn of the disk, and would then wait behind all who look at that moment. So only a few look
at once, and the others wait before they begin.
"""

import threading
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

READS: Final = frozenset({"GET", "HEAD"})
AT_ONCE: Final = 2
PATIENCE: Final = 0.25  # seconds that one waits at most: what is read now may take long


class InTurn:
    """Lets few requests that only read be worked on at the same time."""

    def __init__(
        self, app: "WSGIApplication", at_once: int = AT_ONCE, patience: float = PATIENCE
    ) -> None:
        self._app = app
        self._turns = threading.Semaphore(at_once)
        self.patience = patience

    def __call__(
        self, environ: "WSGIEnvironment", start_response: "StartResponse"
    ) -> Iterable[bytes]:
        if environ["REQUEST_METHOD"] not in READS:
            return self._app(environ, start_response)
        has_turn = self._turns.acquire(timeout=self.patience)
        try:
            return self._app(environ, start_response)
        finally:
            if has_turn:
                self._turns.release()
