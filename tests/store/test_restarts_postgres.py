"""A PostgreSQL of one's own, whose processes all die at once while somebody writes."""

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

pytestmark = [pytest.mark.soak] if SOAK else []  # where it tries many more

RESTARTS: Final = 100 if SOAK else 3
SOON: Final = 10.0  # seconds until a server that was restarted serves again


def restarted_in_the_midst(cluster: Cluster, restarts: int) -> None:
    """Write, while the server is restarted so often; nothing may be lost, or be there twice."""
    stop, tries, told = Event(), list[str](), [1]
    with open_store(cluster.url) as store, ThreadPoolExecutor(1) as pool:
        session_id = opened(store).id

        def run() -> None:
            while not stop.is_set():
                told.append(insist(store, session_id, len(told), tries).version)

        running = pool.submit(run)
        for _ in range(restarts):
            time.sleep(random.uniform(0.05, 0.3))  # noqa: S311
            cluster.restart()
            wait_for_more(told)
        stop.set()
        running.result()
    assert told == list(range(1, len(told) + 1)), "something was lost or doubled"
    assert tries  # some restarts were met
    with open_store(cluster.url) as store:
        assert store.position(session_id).version == len(told)
        assert list(whole(store)) == []


def wait_for_more(told: list[int]) -> None:
    """Wait until somebody is served again."""
    before, end = len(told), time.monotonic() + SOON
    while len(told) == before:
        assert time.monotonic() < end, f"nobody was served in {SOON} seconds"
        time.sleep(0.01)


def test_a_server_that_is_restarted_in_the_midst_loses_nothing(cluster: Cluster) -> None:
    restarted_in_the_midst(cluster, RESTARTS)


def test_a_store_that_does_not_wait_for_the_log_is_found_out(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    careless = "SELECT set_config('synchronous_commit', 'off', false)"
    monkeypatch.setattr(connecting, "DURABLE_COMMITS", careless)
    with pytest.raises(AssertionError, match="something was lost"):
        restarted_in_the_midst(cluster, 2)
