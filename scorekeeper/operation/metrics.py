"""Figures for Prometheus: what was asked, recorded and refused, in all processes together.

They are always counted, and told only where the setting METRICS says so.
"""

import os
from collections.abc import Callable, Sequence
from functools import lru_cache
from inspect import ismethod
from typing import Any, Final, TypeVar, cast

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    REGISTRY,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)
from prometheus_client.multiprocess import MultiProcessCollector

from scorekeeper.base.errors import StorageUnavailable
from scorekeeper.store import Opened, Position, Repeated, Store, StoredLine

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
TOGETHER: Final = "PROMETHEUS_MULTIPROC_DIR"  # the folder in which the processes add up

# Seconds; pages are to take less than a tenth of one.
BUCKETS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)

REQUESTS: Final = Histogram(
    "scorekeeper_request_seconds",
    "Seconds until an answer began.",
    ("method", "route", "status"),
    buckets=BUCKETS,
)
APPENDED: Final = Counter("scorekeeper_events_appended", "Events put on record.")
REPEATED: Final = Counter(
    "scorekeeper_requests_repeated", "Requests that came again, and were answered as before."
)
FAILURES: Final = Counter(
    "scorekeeper_store_failures", "Calls of the store that failed.", ("call",)
)
STREAMS: Final = Gauge(
    "scorekeeper_streams_open", "Live updates that are being sent.", multiprocess_mode="livesum"
)

T = TypeVar("T")


@lru_cache(maxsize=1000)  # prometheus_client keeps as many, but finds them in ten times the time
def _timer(method: str, route: str, status: int) -> Histogram:
    return REQUESTS.labels(method, route, str(status))


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request, and the seconds until its answer began."""
    _timer(method, route, status).observe(seconds)


def figures() -> bytes:
    """The figures of all processes, as Prometheus reads them."""
    registry = REGISTRY
    if TOGETHER in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


# ---------------------------------------------------------------------------------- the store


def counted(store: Store) -> Store:
    """The same store, whose appends and failures are counted."""
    return cast("Store", CountedStore(store))


class CountedStore:
    """Passes all calls on to a store, and counts."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._store, name)
        if ismethod(found):
            found = self.__dict__[name] = watched(found)
        return found

    def open_session(self, *values: Any, **more: Any) -> Opened:
        return self._begun(watched(self._store.open_session)(*values, **more))

    def import_sealed(self, *values: Any, **more: Any) -> Opened:
        return self._begun(watched(self._store.import_sealed)(*values, **more))

    def _begun(self, opened: Opened) -> Opened:
        APPENDED.inc(len(opened.lines))
        return opened

    def append(
        self,
        session_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        *values: Any,
        **more: Any,
    ) -> Repeated | None:
        repeated = watched(self._store.append)(session_id, after, lines, *values, **more)
        if repeated is None:
            APPENDED.inc(len(lines))
        else:
            REPEATED.inc()
        return repeated

    def answered(self, *values: Any, **more: Any) -> Repeated | None:
        repeated = watched(self._store.answered)(*values, **more)
        if repeated is not None:
            REPEATED.inc()
        return repeated


def watched(call: Callable[..., T]) -> Callable[..., T]:
    """A call of the store that counts if it fails."""

    def calling(*values: Any, **more: Any) -> T:
        try:
            return call(*values, **more)
        except StorageUnavailable:
            FAILURES.labels(call.__name__).inc()
            raise

    return calling
