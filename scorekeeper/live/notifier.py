"""Notification of subscribers when a session changes.

One thread of each process listens to the store. If listening fails, the thread starts again and
reads the position of every watched session; if the thread dies, the next subscriber starts
another. Subscribers also read the state themselves when they begin, and at intervals. So a
notification may be late, but no change is lost.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import closing
from typing import Final

from scorekeeper.base.errors import UnknownSessionError
from scorekeeper.store import Position, Store
from scorekeeper.store.contract import Watch

STOP_CHECK_SECONDS: Final = 1.0  # between two checks whether to stop
LISTEN_RETRY_SECONDS: Final = 1.0  # after a failure
STALL_SECONDS: Final = 10.0  # without a heartbeat, after which the thread counts as stalled

Wake = Callable[[], object]  # called in any thread; must return quickly

logger = logging.getLogger(__name__)


class Topic:
    """A watched session, its subscribers, and its last known position."""

    def __init__(self) -> None:
        self.subscribers: list[Wake] = []
        self.position: Position | None = None


class Notifier:
    """Wakes the subscribers of a session when it changes.

    Starts its thread at the first subscription, so it may be created before a fork.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._topics: dict[str, Topic] = {}
        self._thread: threading.Thread | None = None
        self._last_beat = 0.0
        self._stopped = False

    def subscribe(self, stream_id: str, wake: Wake) -> None:
        """Call ``wake`` at each change from now on, and when the notifier stops.

        Simultaneous changes cause one call. The caller must call `unsubscribe` later.
        """
        self._start()
        with self._lock:
            self._topics.setdefault(stream_id, Topic()).subscribers.append(wake)

    def unsubscribe(self, stream_id: str, wake: Wake) -> None:
        """Stop calling ``wake``."""
        with self._lock:
            topic = self._topics[stream_id]
            topic.subscribers.remove(wake)
            if not topic.subscribers:
                del self._topics[stream_id]

    def notify(self, stream_id: str, position: Position) -> None:
        """Wake the subscribers of a session in this process, unless they know of this position.

        It is called at once after a write of this process, and by the thread for any other.
        """
        with self._lock:
            topic = self._topics.get(stream_id)
            # The store may report later what this process reported at once.
            if topic is None or is_newer(topic.position, position.version - 1):
                return
            topic.position = position
            subscribers = list(topic.subscribers)
        for wake in subscribers:
            wake()

    @property
    def stopped(self) -> bool:
        """Whether `stop` was called, so that streams should end."""
        return self._stopped

    def stop(self) -> None:
        """Ask the thread and the streams to end. Takes no lock: signal handlers may call it."""
        self._stopped = True

    def close(self) -> None:
        """Stop, wait for the thread, and wake all subscribers."""
        self._stopped = True
        thread = self._thread
        if thread is not None:
            thread.join(timeout=2 * STOP_CHECK_SECONDS + LISTEN_RETRY_SECONDS)
        self._wake_all()

    @property
    def is_healthy(self) -> bool:
        """Whether the thread runs and was active lately; true before its start and after a stop."""
        thread = self._thread
        if thread is None or self._stopped:
            return True
        return thread.is_alive() and time.monotonic() - self._last_beat < STALL_SECONDS

    def _watched(self) -> list[str]:
        """Return the ids of all sessions that have subscribers."""
        with self._lock:
            return list(self._topics)

    def _wake_all(self) -> None:
        """Call the functions of all subscribers."""
        with self._lock:
            subscribers = [wake for topic in self._topics.values() for wake in topic.subscribers]
        for wake in subscribers:
            wake()

    # --------------------------------------------------------------------------------- thread

    def _start(self) -> None:
        """Start the thread, if it does not run and the notifier is not stopped."""
        with self._lock:
            if self._stopped or (self._thread is not None and self._thread.is_alive()):
                return
            if self._thread is not None:
                logger.error("the thread that listens for changes died and is started again")
            self._last_beat = time.monotonic()
            self._thread = threading.Thread(target=self._run, name="notifier", daemon=True)
            self._thread.start()

    def _run(self) -> None:
        """Listen to the store until stopped; after an error wait and begin again.

        Runs in the thread.
        """
        while not self._stopped:
            try:
                with closing(self._store.watch()) as watch:
                    self._notify_missed()
                    self._listen(watch)
            except Exception:
                logger.exception("listening for changes failed and is started again")
                time.sleep(LISTEN_RETRY_SECONDS)
        self._wake_all()

    def _notify_missed(self) -> None:
        """Notify of changes that happened while the thread did not listen."""
        for stream_id in self._watched():
            try:
                self.notify(stream_id, self._store.position(stream_id))
            except UnknownSessionError:
                continue

    def _listen(self, watch: Watch) -> None:
        """Notify of the changes that ``watch`` reports, until stopped."""
        while not self._stopped:
            self._last_beat = time.monotonic()
            for stream_id, position in watch.wait(STOP_CHECK_SECONDS, self._watched).items():
                self.notify(stream_id, position)


def is_newer(known: Position | None, version: int) -> bool:
    """Return whether the known position is beyond a version; false if it is not known."""
    return known is not None and known.version > version
