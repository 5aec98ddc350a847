"""Capability keys and limits, in all three stores.

Tests of ``store.key_store``, ``store.keyring`` and ``store.limit_store``.
"""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from scorekeeper.base.errors import LastKeyError, MissingKeyError, UnknownKeyError, UnusableError
from scorekeeper.store import KeyRequest, Opened, Position, Store, keyring, sealed
from tests.store.asking import OPENING, Clock, note, opened, request
from tests.store.homes import Home

ROUNDS = 20

# -------------------------------------------------------------------------------------- keys


def test_key_opens_its_session(home: Home) -> None:
    store = home.open()
    new = opened(store)
    for key in new.keys:
        assert home.open().find_key(key.secret) == key.key
    assert set(store.keys(new.id)) == {key.key for key in new.keys}
    assert store.find_key("") is None
    assert store.find_key(new.keys[0].secret + "x") is None
    assert store.find_key("\ud800") is None


def test_secrets_are_not_stored(home: Home) -> None:
    new = opened(home.open())
    assert not any(key.secret in str(home.open().keys(new.id)) for key in new.keys)


def test_revoked_key_opens_nothing(home: Home) -> None:
    store = home.open()
    new = opened(store)
    host, view, _ = new.keys
    assert store.revoke_key(new.id, view.key.id)
    assert store.revoke_key(new.id, view.key.id)  # a second time does nothing
    assert store.find_key(view.secret) is None
    assert store.find_key(host.secret) is not None
    assert not store.revoke_key(opened(store).id, host.key.id)
    assert store.find_key(host.secret) is not None


def test_key_expires(home: Home) -> None:
    clock = Clock("2026-11-21T20:00:00.000Z")
    store = home.set_clock(clock)
    new = store.add_key(opened(store).id, KeyRequest("view", expires="2026-11-21T21:00:00.000Z"))
    clock.go(3599.999)
    assert store.find_key(new.secret) is not None
    clock.go(0.001)
    assert store.find_key(new.secret) is None


def test_expired_or_revoked_key_writes_nothing(home: Home) -> None:
    clock = Clock("2026-11-21T20:00:00.000Z")
    store = home.set_clock(clock)
    new = opened(store)
    short = store.add_key(new.id, KeyRequest("host", expires="2026-11-21T21:00:00.000Z")).key
    seat = store.add_key(new.id, KeyRequest("seat", "mara")).key
    after = Position(1, new.head)
    (line,) = sealed(after, [note()], clock(), "keeper")
    sent = request("once")
    store.revoke_key(new.id, seat.id)
    clock.go(3600)
    for key in (short, seat):
        with pytest.raises(MissingKeyError):
            store.refuse_closed(key)
        with pytest.raises(MissingKeyError):
            store.append(new.id, after, [line], sent, key)
    assert (store.position(new.id), store.answered(new.id, "once", sent.digest)) == (after, None)
    clock.go(-0.001)
    store.refuse_closed(short)
    assert store.append(new.id, after, [line], sent, short) is None
    assert (
        store.append(new.id, after, [line], sent, short) is not None
    )  # the request was recorded before
    with pytest.raises(MissingKeyError):
        store.append(new.id, after, [line], sent, seat)
    assert store.position(new.id).version == 2


def test_keys_can_be_added_later(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    new = opened(store)
    clock.go(5)
    seat = store.add_key(new.id, KeyRequest("seat", "mara"))
    assert store.keys(new.id)[-1] == seat.key
    assert store.find_key(seat.secret) == seat.key


@pytest.mark.parametrize(
    "requested",
    [
        KeyRequest("seat"),
        KeyRequest("host", "mara"),
        KeyRequest("owner"),  # type: ignore[arg-type]
    ],
)
def test_contradictory_key_request_is_refused(home: Home, requested: KeyRequest) -> None:
    store = home.open()
    new = opened(store)
    with pytest.raises(UnusableError):
        store.add_key(new.id, requested)
    with pytest.raises(UnusableError):
        store.open_session(OPENING, "keeper", [KeyRequest("host"), requested])
    assert len(store.keys(new.id)) == 3


def test_last_use_of_a_key_is_stored_by_the_hour(home: Home) -> None:
    clock = Clock("2026-11-21T20:10:00.000Z")
    store = home.set_clock(clock)
    secret = opened(store).keys[0].secret
    for minutes, last_used in ((0, "20:10"), (30, "20:10"), (30, "21:10")):
        clock.go(minutes * 60)
        key = store.find_key(secret)
        assert key is not None
        store.touch_key(key)
        key = store.find_key(secret)
        assert key is not None
        assert key.last_used == f"2026-11-21T{last_used}:00.000Z"


# ------------------------------------------------------------------------- the host's last key

SOME_DAY = "2999-01-01T00:00:00.000Z"


def hosts(store: Store, session_id: str) -> list[str]:
    """Return the ids of the host's keys that do not expire."""
    return [key.id for key in store.keys(session_id) if keyring.is_permanent_host_key(key)]


def test_last_key_of_the_host_cannot_be_revoked(home: Home) -> None:
    store = home.open()
    new = opened(store)
    (last,) = hosts(store, new.id)
    store.add_key(new.id, KeyRequest("host", expires=SOME_DAY))
    for _ in range(2):
        with pytest.raises(LastKeyError):
            store.revoke_key(new.id, last)
    assert store.find_key(new.keys[0].secret) is not None
    second = store.add_key(new.id, KeyRequest("host")).key.id
    assert store.revoke_key(new.id, last)
    assert store.revoke_key(new.id, last)  # a second time does nothing
    with pytest.raises(LastKeyError):
        store.revoke_key(new.id, second)


def test_failed_replacement_of_a_key_adds_no_key(home: Home) -> None:
    store = home.open()
    new = opened(store)
    (last,) = hosts(store, new.id)
    for requested in (
        KeyRequest("host", expires=SOME_DAY),
        KeyRequest("view"),
        KeyRequest("seat", "mara"),
    ):
        with pytest.raises(LastKeyError):
            store.add_key(new.id, requested, last)
    with pytest.raises(UnknownKeyError):
        store.add_key(new.id, KeyRequest("view"), opened(store).keys[0].key.id)
    assert len(store.keys(new.id)) == len(new.keys)
    host = store.add_key(new.id, KeyRequest("host"), last)
    assert hosts(store, new.id) == [host.key.id]
    assert store.find_key(new.keys[0].secret) is None
    view = store.add_key(new.id, KeyRequest("view"), new.keys[1].key.id)
    assert store.find_key(view.secret) == view.key


def test_two_hosts_who_revoke_each_other_leave_one(home: Home) -> None:
    doors = [home.open(), home.open()]  # two servers of one database
    for _ in range(ROUNDS):
        new = opened(doors[0])
        ids = [*hosts(doors[0], new.id), doors[0].add_key(new.id, KeyRequest("host")).key.id]
        start = threading.Barrier(2)

        def revoke(
            which: int, start: threading.Barrier = start, new: Opened = new, ids: list[str] = ids
        ) -> bool:
            start.wait()
            try:
                return doors[which].revoke_key(new.id, ids[1 - which])
            except LastKeyError:
                return False

        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(revoke, range(2)))
        assert sorted(done) == [False, True]
        assert hosts(doors[0], new.id) == [ids[done.index(True)]]


# ------------------------------------------------------------------------------------- limits


def test_limit_allows_a_number_of_acts_in_a_window(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    me, other = f"{home.url} {id(clock)}", "\ud800 somebody else"
    assert [store.hit("made", me, 3, 60) for _ in range(5)] == [0, 0, 0, 60, 60]
    assert store.wait("made", me, 3, 60) == 60
    assert store.wait("failed", me, 3, 60) == 0
    assert store.wait("made", other, 3, 60) == 0
    clock.go(59.5)
    assert store.hit("made", me, 3, 60) == 1
    clock.go(0.5)
    assert [store.hit("made", me, 3, 60) for _ in range(4)] == [0, 0, 0, 60]


def test_clock_that_is_set_back_does_not_extend_a_limit(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    me = f"{id(clock)} back"
    assert [store.hit("made", me, 1, 60) for _ in range(2)] == [0, 60]
    clock.go(-3600)
    assert store.wait("made", me, 1, 60) == 0
    assert [store.hit("made", me, 1, 60) for _ in range(2)] == [0, 60]


def test_counts_are_shared_and_survive_a_restart(home: Home) -> None:
    clock = Clock()
    me = f"{id(clock)} shared"
    for expected in (0, 0, 60):
        with home.set_clock(clock) as store:
            assert store.hit("made", me, 2, 60) == expected
