"""Keys as they were seen last."""

import pytest

from scorekeeper.service import keys as keys_module
from scorekeeper.service.keys import Keys
from scorekeeper.service.service import initial_keys
from scorekeeper.store import MemoryStore
from tests.service.evenings import minute


def test_a_key_seen_lately_is_known_for_an_hour_and_one_that_opens_nothing_is_not() -> None:
    times = [minute(0)]
    store = MemoryStore(clock=lambda: times[-1])
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    host = opened.keys[0]
    keys = Keys(store)
    assert keys.find(host.secret)
    assert keys.seen(host.secret) is None  # its use is to be noted first
    store.touch_key(host.key)
    found = keys.find(host.secret)
    assert found
    assert found.id == host.key.id
    assert keys.seen(host.secret) == found
    assert keys.seen("x" * 32) is None
    assert keys.find("x" * 32) is None
    times.append(minute(59))
    assert keys.seen(host.secret) == found
    times.append(minute(61))
    assert keys.seen(host.secret) is None


def test_a_key_that_was_taken_back_is_forgotten_as_it_is_looked_up() -> None:
    store = MemoryStore(clock=lambda: minute(0))
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    view = next(one for one in opened.keys if one.key.role == "view")
    keys = Keys(store)
    store.touch_key(view.key)
    assert keys.find(view.secret)
    assert store.revoke_key(opened.id, view.key.id)
    assert keys.seen(view.secret)  # until the database is asked, as something is written by it
    assert keys.find(view.secret) is None
    assert keys.seen(view.secret) is None


def test_of_too_many_keys_all_but_the_last_are_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keys_module, "MAX_KEYS", 2)
    store = MemoryStore(clock=lambda: minute(0))
    opened = store.open_session(
        [("session_opened", {"title": "Friday", "players": [{"id": "mara", "name": "Mara"}]})],
        "keeper", initial_keys(["mara"]),
    )  # fmt: skip
    secrets = [one.secret for one in opened.keys]
    for one in opened.keys:
        store.touch_key(one.key)
    keys = Keys(store)
    for number, known in ((0, [0]), (1, [0, 1]), (2, [2])):
        assert keys.find(secrets[number])
        assert [n for n, secret in enumerate(secrets) if keys.seen(secret)] == known
