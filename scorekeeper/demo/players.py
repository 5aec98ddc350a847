"""The players of a demo table who are not the visitor: they record after a pause, as people do."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Final

from scorekeeper.base.errors import (
    BusyError,
    ScorekeeperError,
    StaleVersionError,
    StorageUnavailableError,
)
from scorekeeper.demo.acts import choose_act
from scorekeeper.log import canonical, codec
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service

PAUSE_SECONDS: Final = 1.5  # before a player records, so that the visitor sees what happened
RETRY_SECONDS: Final = 5.0  # after the server was busy
UPKEEP_SECONDS: Final = 60.0  # between two calls of the upkeep

logger = logging.getLogger(__name__)


class DemoPlayers:
    """Lets the other players of all demo tables record, in one thread of this process.

    The thread starts with the first table, and also calls ``upkeep`` once a minute.
    """

    def __init__(self, service: Callable[[], Service], upkeep: Callable[[], object]) -> None:
        self._service = service
        self._upkeep = upkeep
        self._due: dict[str, float] = {}  # by session; a time of the monotonic clock
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None
        self._stopped = False

    def expect(self, session_id: str) -> None:
        """Let another player at a table record what comes next, after a pause."""
        self._schedule(session_id, PAUSE_SECONDS)

    def stop(self) -> None:
        """Ask the thread to end. Takes no lock: signal handlers may call it."""
        self._stopped = True

    def play(self, session_id: str) -> bool:
        """Record what another player does next at a table; return whether there was something.

        Raises `StaleVersionError` if the visitor recorded meanwhile, and other errors of `record`.
        """
        service = self._service()
        version, act = service.see(
            session_id, lambda session: (session.events, choose_act(session))
        )
        if act is None:
            return False
        new = NewEvent(act.event.TYPE, canonical.normalize(codec.encode(act.event)))
        service.record(session_id, AppendRequest(version, (new,)), Holder("seat", act.player))
        return True

    def _schedule(self, session_id: str, seconds: float) -> None:
        """Let `play` be called for a table after so many seconds, if it is not called earlier."""
        due = time.monotonic() + seconds
        with self._changed:
            if self._stopped:
                return
            self._due[session_id] = min(due, self._due.get(session_id, due))
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="demo", daemon=True)
                self._thread.start()
            self._changed.notify()

    def _run(self) -> None:
        """Play at each table when it is due, until stopped. Runs in the thread."""
        next_upkeep = time.monotonic() + UPKEEP_SECONDS
        while not self._stopped:
            for session_id in self._wait(next_upkeep):
                self._play_safely(session_id)
            if time.monotonic() >= next_upkeep:
                next_upkeep = time.monotonic() + UPKEEP_SECONDS
                self._upkeep_safely()

    def _wait(self, end: float) -> list[str]:
        """Wait until a table is due, or until ``end``; return the tables that are due."""
        with self._changed:
            self._changed.wait(max(0.0, min((end, *self._due.values())) - time.monotonic()))
            now = time.monotonic()
            due = [session_id for session_id, at in self._due.items() if at <= now]
            for session_id in due:
                del self._due[session_id]
        return due

    def _play_safely(self, session_id: str) -> None:
        """Call `play`; try again later if the server is busy. Other errors are logged."""
        try:
            self.play(session_id)
        except (BusyError, StorageUnavailableError):
            self._schedule(session_id, RETRY_SECONDS)
        except StaleVersionError:
            self._schedule(session_id, PAUSE_SECONDS)
        except ScorekeeperError:
            logger.info("a demo table ended, or the visitor recorded something else")
        except Exception:
            logger.exception("the players of a demo table failed")

    def _upkeep_safely(self) -> None:
        """Call the upkeep; an error is logged, and the next call tries again."""
        try:
            self._upkeep()
        except Exception:
            logger.exception("the upkeep of the demo failed")
