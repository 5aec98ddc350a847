"""The cache of keys. Tests of ``service.keys``."""

import pytest

from scorekeeper.service.service import initial_keys
from scorekeeper.store import MemoryStore
from scorekeeper.streams import keys as keys_module
from scorekeeper.streams.keys import Keys
from tests.service.evenings import minute


def test_valid_key_is_cached_for_an_hour_and_an_invalid_one_is_not() -> None:
    times = [minute(0)]
    store = MemoryStore(clock=lambda: times[-1])
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    host = opened.keys[0]
    keys = Keys(store)
    assert keys.find(host.secret)
    assert keys.find_recent(host.secret) is None  # the store has not recorded its use yet
    store.touch_key(host.key)
    key = keys.find(host.secret)
    assert key
    assert key.id == host.key.id
    assert keys.find_recent(host.secret) == key
    assert keys.find_recent("x" * 32) is None
    assert keys.find("x" * 32) is None
    times.append(minute(59))
    assert keys.find_recent(host.secret) == key
    times.append(minute(61))
    assert keys.find_recent(host.secret) is None


def test_revoked_key_leaves_the_cache_when_it_is_looked_up() -> None:
    store = MemoryStore(clock=lambda: minute(0))
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    view = next(opened_key for opened_key in opened.keys if opened_key.key.role == "view")
    keys = Keys(store)
    store.touch_key(view.key)
    assert keys.find(view.secret)
    assert store.revoke_key(opened.id, view.key.id)
    assert keys.find_recent(view.secret)  # until a write queries the database
    assert keys.find(view.secret) is None
    assert keys.find_recent(view.secret) is None


def test_full_cache_is_emptied_for_the_next_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "MAX_KEYS", 2)
    store = MemoryStore(clock=lambda: minute(0))
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    secrets = [opened_key.secret for opened_key in opened.keys]
    for opened_key in opened.keys:
        store.touch_key(opened_key.key)
    keys = Keys(store)
    for number, known in ((0, [0]), (1, [0, 1]), (2, [2])):
        assert keys.find(secrets[number])
        assert [n for n, secret in enumerate(secrets) if keys.find_recent(secret)] == known
