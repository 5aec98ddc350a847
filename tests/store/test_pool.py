"""Places for so many: who waits for one, and for how long."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper.base.errors import StaleVersionError, StorageUnavailableError
from scorekeeper.store.pool import A_MOMENT, Places

FULL = "all are taken"
PATIENCE = 0.4  # seconds


@pytest.fixture
def places() -> Places:
    """Two places, both taken."""
    places = Places(2, 1, FULL)
    places.patience = PATIENCE
    places.enter()
    places.enter()
    return places


def waited(places: Places) -> float:
    """The seconds that one waited in vain."""
    began = time.monotonic()
    with pytest.raises(StorageUnavailableError, match=FULL):
        places.enter()
    return time.monotonic() - began


def test_one_waits_for_others(places: Places) -> None:
    timer = threading.Timer(0.05, places.leave, kwargs={"answered": True})
    timer.start()
    places.enter()
    timer.join()


def test_once_somebody_waited_in_vain_nobody_waits(places: Places) -> None:
    assert waited(places) >= PATIENCE
    assert max(waited(places) for _ in range(10)) < PATIENCE / 2


def test_they_wait_again_when_somebody_was_answered(places: Places) -> None:
    waited(places)
    places.leave(answered=False)
    with pytest.raises(ZeroDivisionError), places:
        raise ZeroDivisionError
    with places:
        assert waited(places) < PATIENCE / 2  # the one who came out was not
    places.enter()
    assert waited(places) >= PATIENCE


def test_a_refusal_of_our_own_is_an_answer(places: Places) -> None:
    waited(places)
    places.leave(answered=False)
    with pytest.raises(StaleVersionError), places:
        raise StaleVersionError(1, 2, "head")
    places.enter()
    assert waited(places) >= PATIENCE


def test_few_wait_for_longer_than_a_moment(places: Places) -> None:
    with ThreadPoolExecutor(4) as pool:
        took = sorted(pool.map(lambda _: waited(places), range(4)))
    assert took[0] >= A_MOMENT
    assert took[2] < PATIENCE <= took[3]
