"""Metrics for Prometheus: requests, appended events, failures; summed over all processes.

They are always counted, but served only if the setting METRICS is on.
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

from scorekeeper.base.errors import StorageUnavailableError
from scorekeeper.store import Opened, Position, Repeated, Store, StoredLine

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
MULTIPROCESS_DIR: Final = "PROMETHEUS_MULTIPROC_DIR"  # a folder that all processes write to

# Upper bounds in seconds. A page should take less than a tenth of a second.
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


@lru_cache(maxsize=1000)  # the cache of prometheus_client takes ten times as long
def _timer(method: str, route: str, status: int) -> Histogram:
    """Return the histogram of the seconds of requests with these labels."""
    return REQUESTS.labels(method, route, str(status))


def count_request(method: str, route: str, status: int, seconds: float) -> None:
    """Count a request with the seconds until its response began."""
    _timer(method, route, status).observe(seconds)


def render_metrics() -> bytes:
    """Return the metrics of all processes in the text format of Prometheus."""
    registry = REGISTRY
    if MULTIPROCESS_DIR in os.environ:
        registry = CollectorRegistry()
        MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    return generate_latest(registry)


# ---------------------------------------------------------------------------------- the store


def with_metrics(store: Store) -> Store:
    """Return a wrapper of the store that counts its appends and failures."""
    return cast("Store", CountedStore(store))


class CountedStore:
    """A store that delegates all calls to another store and counts them."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def __getattr__(self, name: str) -> Any:
        """Return an attribute of the store; a method is wrapped by `count_failures` and kept."""
        attribute = getattr(self._store, name)
        if ismethod(attribute):
            attribute = self.__dict__[name] = count_failures(attribute)
        return attribute

    def open_session(self, *args: object, **kwargs: object) -> Opened:
        """Open a session in the store, and count its events."""
        return self._count_events(count_failures(self._store.open_session)(*args, **kwargs))

    def import_sealed(self, *args: object, **kwargs: object) -> Opened:
        """Import a session into the store, and count its events."""
        return self._count_events(count_failures(self._store.import_sealed)(*args, **kwargs))

    def _count_events(self, opened: Opened) -> Opened:
        """Count the events of a new session, and return it."""
        APPENDED.inc(len(opened.lines))
        return opened

    def append(
        self,
        stream_id: str,
        after: Position,
        lines: Sequence[StoredLine],
        *args: object,
        **kwargs: object,
    ) -> Repeated | None:
        """Append to the store, and count the events, or the repetition of a request."""
        repeated = count_failures(self._store.append)(stream_id, after, lines, *args, **kwargs)
        if repeated is None:
            APPENDED.inc(len(lines))
        else:
            REPEATED.inc()
        return repeated

    def answered(self, *args: object, **kwargs: object) -> Repeated | None:
        """Return what the store's ``answered`` returns, and count a repetition."""
        repeated = count_failures(self._store.answered)(*args, **kwargs)
        if repeated is not None:
            REPEATED.inc()
        return repeated


def count_failures(method: Callable[..., T]) -> Callable[..., T]:
    """Return a method of the store that also counts each `StorageUnavailableError`."""

    def call(*args: object, **kwargs: object) -> T:
        try:
            return method(*args, **kwargs)
        except StorageUnavailableError:
            FAILURES.labels(method.__name__).inc()
            raise

    return call
