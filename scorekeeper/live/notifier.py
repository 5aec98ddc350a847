"""Tells those who watch a session that it changed.

One thread for each process listens to the store. Should it fail it begins again, and then looks
at every session that is watched; should it die, the next one who watches starts another. Whoever
watches also looks for himself when he begins, and now and then. So news may come late, and are
never lost.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from scorekeeper.base.errors import UnknownSession
from scorekeeper.store import Position, Store
from scorekeeper.store.contract import Watch

BREATH: Final = 1.0  # seconds between two looks at whether to stop
AGAIN: Final = 1.0  # seconds after a failure until the next attempt
LATE: Final = 10.0  # seconds without a sign of life after which the thread is not well

Wake = Callable[[], object]  # called in any thread, and soon done

logger = logging.getLogger(__name__)


class Topic:
    """A session that is watched, and what is known of it."""

    def __init__(self) -> None:
        self.watchers: list[Wake] = []
        self.position: Position | None = None


class Notifier:
    """Wakes those who watch a session when it changes.

    Starts its own thread when it is first needed, so that it may be made before a fork.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._topics: dict[str, Topic] = {}
        self._thread: threading.Thread | None = None
        self._beat = 0.0
        self._stopped = False

    def follow(self, session_id: str, wake: Wake) -> None:
        """Call ``wake`` at each change from now on, and once nobody is to watch any more.

        Of several changes that are heard of at one time it is called once. Whoever follows
        leaves again.
        """
        self._start()
        with self._lock:
            self._topics.setdefault(session_id, Topic()).watchers.append(wake)

    def leave(self, session_id: str, wake: Wake) -> None:
        """Call it no more."""
        with self._lock:
            topic = self._topics[session_id]
            topic.watchers.remove(wake)
            if not topic.watchers:
                del self._topics[session_id]

    def tell(self, session_id: str, position: Position) -> None:
        """Tell those in this process at once what it has just written itself."""
        with self._lock:
            topic = self._topics.get(session_id)
            # The store may tell late of what was told here at once.
            if topic is None or is_newer(topic.position, position.version - 1):
                return
            topic.position = position
            watchers = list(topic.watchers)
        for wake in watchers:
            wake()

    @property
    def stopped(self) -> bool:
        """Whether nobody is to watch any more."""
        return self._stopped

    def stop(self) -> None:
        """Let everybody go soon. Takes no lock: a signal's handler may call it."""
        self._stopped = True

    def close(self) -> None:
        """Let everybody go, and wait for the thread."""
        self._stopped = True
        thread = self._thread
        if thread is not None:
            thread.join(timeout=2 * BREATH + AGAIN)
        self._wake_all()

    @property
    def well(self) -> bool:
        """Whether the thread listens, if it was ever needed."""
        thread = self._thread
        if thread is None or self._stopped:
            return True
        return thread.is_alive() and time.monotonic() - self._beat < LATE

    def _watched(self) -> list[str]:
        with self._lock:
            return list(self._topics)

    def _wake_all(self) -> None:
        with self._lock:
            watchers = [wake for topic in self._topics.values() for wake in topic.watchers]
        for wake in watchers:
            wake()

    # --------------------------------------------------------------------------------- thread

    def _start(self) -> None:
        with self._lock:
            if self._stopped or (self._thread is not None and self._thread.is_alive()):
                return
            if self._thread is not None:
                logger.error("the thread that listens for changes died, and is started again")
            self._beat = time.monotonic()
            self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        while not self._stopped:
            try:
                with closing(self._store.watch()) as watch:
                    self._look()
                    self._listen(watch)
            except Exception:
                logger.exception("listening for changes failed, and is begun again")
                time.sleep(AGAIN)
        self._wake_all()

    def _look(self) -> None:
        """Tell what changed while nobody listened."""
        for session_id in self._watched():
            try:
                self.tell(session_id, self._store.position(session_id))
            except UnknownSession:
                continue

    def _listen(self, watch: Watch) -> None:
        while not self._stopped:
            self._beat = time.monotonic()
            for session_id, position in watch.wait(BREATH, self._watched).items():
                self.tell(session_id, position)


def is_newer(known: Position | None, version: int) -> bool:
    """Whether more is known of a session than its events up to a version."""
    return known is not None and known.version > version
