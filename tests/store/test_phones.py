"""The keys that phones hold, in all three stores."""

import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from secrets import token_urlsafe

import pytest

from scorekeeper.base.errors import MissingKeyError, SeatTakenError, UnknownSessionError
from scorekeeper.store import Key, KeyRequest, Opened, Store, migrate, open_store
from tests.store.asking import Clock, opened
from tests.store.homes import Home

ONE, OTHER = "one-phone", "another-phone"
A_DAY = 24 * 3600
ROUNDS = 20
PHONES = 6


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(home: Home, clock: Clock) -> Store:
    return home.set_clock(clock)


def keys_of(new: Opened) -> dict[str, Key]:
    """Return the first keys of a session by player or role."""
    return {key.key.player or key.key.role: key.key for key in new.keys}


def in_use(store: Store, session_id: str) -> list[str | None]:
    """Return the players whose keys have been used and not revoked."""
    return [key.player for key in store.keys(session_id) if key.last_used and not key.revoked]


# ------------------------------------------------------------------------------------ seats


def test_free_seat_is_taken_by_one_phone_only(store: Store) -> None:
    new = opened(store)
    key = store.take_seat(ONE, new.id, "mara")
    assert store.held_key(ONE, new.id) == key
    assert (key.role, key.player, key.last_used) == ("seat", "mara", key.created)
    with pytest.raises(SeatTakenError):
        store.take_seat(OTHER, new.id, "mara")
    assert store.held_key(OTHER, new.id) is None
    assert in_use(store, new.id) == ["mara"]


def test_phone_that_holds_a_seat_keeps_it(store: Store) -> None:
    new = opened(store)
    key = store.take_seat(ONE, new.id, "mara")
    assert store.take_seat(ONE, new.id, "mara") == key
    assert in_use(store, new.id) == ["mara"]


def test_freed_seat_is_taken_by_another_phone(store: Store) -> None:
    new = opened(store)
    key = store.take_seat(ONE, new.id, "mara")
    store.revoke_key(new.id, key.id)
    assert store.take_seat(OTHER, new.id, "mara").id != key.id
    with pytest.raises(SeatTakenError):
        store.take_seat(ONE, new.id, "mara")
    freed = store.held_key(ONE, new.id)
    assert freed is not None
    assert freed.revoked is not None


def test_seat_link_is_taken_by_one_phone(store: Store) -> None:
    new = opened(store)
    link = keys_of(new)["mara"]
    store.take_key(ONE, link)
    store.take_key(ONE, link)
    with pytest.raises(SeatTakenError):
        store.take_key(OTHER, link)
    store.revoke_key(new.id, link.id)
    for phone in (ONE, OTHER):
        with pytest.raises(MissingKeyError):
            store.take_key(phone, link)
    store.take_key(OTHER, store.add_key(new.id, KeyRequest("seat", "mara")).key)


def test_view_link_is_taken_by_many_phones(store: Store) -> None:
    new = opened(store)
    for phone in (ONE, OTHER):
        for role in ("view", "host"):
            store.take_key(phone, keys_of(new)[role])
            assert store.held_key(phone, new.id) is not None


def test_link_from_before_a_seat_was_taken_does_not_take_it(store: Store, clock: Clock) -> None:
    """A link that the host makes afterwards is for another phone of the same player."""
    new = opened(store)
    link = keys_of(new)["mara"]
    clock.go(1)
    store.take_seat(ONE, new.id, "mara")
    with pytest.raises(SeatTakenError):
        store.take_key(OTHER, link)
    store.take_key(ONE, link)  # the player holds the seat with both phones
    clock.go(1)
    store.take_key(OTHER, store.add_key(new.id, KeyRequest("seat", "mara")).key)
    assert in_use(store, new.id).count("mara") == 3


def test_seat_whose_link_was_taken_is_not_free(store: Store) -> None:
    new = opened(store)
    store.take_key(ONE, keys_of(new)["mara"])
    with pytest.raises(SeatTakenError):
        store.take_seat(OTHER, new.id, "mara")


def test_seat_of_an_unknown_session_cannot_be_taken(store: Store) -> None:
    for session_id in ("", "x", "23456789abcd", "\x00"):
        with pytest.raises(UnknownSessionError):
            store.take_seat(ONE, session_id, "mara")
        assert store.held_key(ONE, session_id) is None


def test_one_of_several_simultaneous_phones_takes_the_seat(store: Store) -> None:
    def take(phone: str) -> bool:
        together.wait()
        try:
            if by_link:
                store.take_key(phone, keys_of(new)["mara"])
            else:
                store.take_seat(phone, new.id, "mara")
        except SeatTakenError:
            return False
        return True

    together = threading.Barrier(PHONES)
    with ThreadPoolExecutor(PHONES) as pool:
        for number in range(ROUNDS):
            new, by_link = opened(store), number % 2
            assert sum(pool.map(take, map(str, range(PHONES)))) == 1
            assert in_use(store, new.id) == ["mara"]


# ------------------------------------------------------------------------------------ tables


def test_phone_holds_only_its_last_key_to_a_session(store: Store) -> None:
    new, other, phone = opened(store), opened(store), token_urlsafe()
    store.take_key(phone, keys_of(new)["view"])
    store.take_key(phone, keys_of(other)["host"])
    store.take_key(phone, keys_of(new)["mara"])
    held = store.held_key(phone, new.id)
    assert held is not None
    assert held.player == "mara"
    assert {key.stream_id for key in store.held_keys(phone, 10)} == {new.id, other.id}
    assert store.held_keys(token_urlsafe(), 10) == ()
    assert store.held_keys("\ud800", 10) == ()


def test_keys_of_a_phone_are_listed_by_last_use(store: Store, clock: Clock) -> None:
    sessions, phone = [opened(store) for _ in range(5)], token_urlsafe()
    for new in sessions:
        clock.go(A_DAY)
        store.take_key(phone, keys_of(new)["view"])
    clock.go(A_DAY)
    store.touch_key(keys_of(sessions[1])["view"])
    order = [key.stream_id for key in store.held_keys(phone, 3)]
    assert order == [sessions[place].id for place in (1, 4, 3)]


def test_phone_keeps_keys_that_were_used_within_a_year(store: Store, clock: Clock) -> None:
    long_ago, used = opened(store), opened(store)
    for new in (long_ago, used):
        store.take_key(ONE, keys_of(new)["mara"])
    clock.go(60 * A_DAY)
    store.touch_key(keys_of(used)["mara"])
    for _ in range(2):  # each key that a phone takes removes older ones
        clock.go(180 * A_DAY)
        store.take_key(ONE, keys_of(opened(store))["view"])
    assert store.held_key(ONE, used.id) is not None
    assert store.held_key(ONE, long_ago.id) is None


# ---------------------------------------------------------------------------------- upkeep


def test_phones_are_restored_from_a_bundle(home: Home, tmp_path: Path) -> None:
    store = home.open()
    new = opened(store)
    store.take_key(ONE, keys_of(new)["view"])
    seat = store.take_seat(OTHER, new.id, "mara")
    store.bundle(tmp_path / "bundle.zip")
    assert ONE.encode() not in (tmp_path / "bundle.zip").read_bytes()
    for url in ("memory:", f"sqlite:///{tmp_path}/other.db"):
        migrate(url)
        with open_store(url) as restored:
            for _ in range(2):
                restored.restore(tmp_path / "bundle.zip")
            assert restored.held_key(OTHER, new.id) == seat
            held = restored.held_key(ONE, new.id)
            assert held is not None
            assert held.role == "view"
            with pytest.raises(SeatTakenError):
                restored.take_seat("third", new.id, "mara")


def test_phones_are_stored_only_as_hashes(sqlite: Home) -> None:
    store = sqlite.open()
    store.take_key(ONE, keys_of(opened(store))["mara"])
    sqlite.close()
    assert ONE.encode() not in sqlite.path.read_bytes()
