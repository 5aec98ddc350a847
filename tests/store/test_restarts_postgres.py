"""A private PostgreSQL whose processes are all killed during appends."""

import random
import time
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Final

import pytest

from scorekeeper.store import connecting, open_store
from tests.conftest import SOAK
from tests.store.asking import insist, opened, whole
from tests.store.clusters import Cluster

RESTARTS: Final = 100 if SOAK else 3
RECOVERY_SECONDS: Final = 10.0  # until a restarted server serves again


def restarted_in_the_midst(cluster: Cluster, restarts: int) -> None:
    """Append during this many restarts, and check that no event is lost or doubled."""
    stop, tries, acknowledged = Event(), list[str](), [1]
    with open_store(cluster.url) as store, ThreadPoolExecutor(1) as pool:
        session_id = opened(store).id

        def run() -> None:
            while not stop.is_set():
                acknowledged.append(insist(store, session_id, len(acknowledged), tries).version)

        running = pool.submit(run)
        for _ in range(restarts):
            time.sleep(random.uniform(0.05, 0.3))  # noqa: S311
            cluster.restart()
            wait_for_more(acknowledged)
        stop.set()
        running.result()
    assert acknowledged == list(range(1, len(acknowledged) + 1)), "something was lost or doubled"
    assert tries  # some appends were interrupted
    with open_store(cluster.url) as store:
        assert store.position(session_id).version == len(acknowledged)
        assert list(whole(store)) == []


def wait_for_more(acknowledged: list[int]) -> None:
    """Wait until an append succeeds again."""
    before, end = len(acknowledged), time.monotonic() + RECOVERY_SECONDS
    while len(acknowledged) == before:
        assert time.monotonic() < end, f"nobody was served in {RECOVERY_SECONDS} seconds"
        time.sleep(0.01)


def test_restarts_during_appends_lose_nothing(cluster: Cluster) -> None:
    restarted_in_the_midst(cluster, RESTARTS)


def test_store_that_does_not_wait_for_the_disk_is_detected(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = "SELECT set_config('synchronous_commit', 'off', false)"
    monkeypatch.setattr(connecting, "DURABLE_COMMITS", careless)
    with pytest.raises(AssertionError, match="something was lost"):
        restarted_in_the_midst(cluster, 2)
