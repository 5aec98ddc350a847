"""Codes to join a session, in all three stores."""

import pytest

from scorekeeper.base.errors import UnknownSessionError
from scorekeeper.store import Attempt, KeyRequest, keyring
from tests.store.asking import Clock, opened
from tests.store.homes import Home

ODD = ["", "x", "\x00", "\ud800", "../../etc", "a" * 10_000, "23456789abcd", "'; --", "é" * 12]


def test_code_opens_its_session_until_it_expires(home: Home) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    new = opened(store)
    code = store.new_code(new.id, 900)
    assert len(code) == keyring.CODE_LENGTH == 6
    assert set(code) <= set(keyring.LETTERS)
    assert store.find_code(code) == new.id
    clock.go(899.999)
    assert store.find_code(code) == new.id
    clock.go(0.001)
    assert store.find_code(code) is None


def test_codes_have_no_letters_that_look_alike() -> None:
    assert sorted(keyring.LETTERS) == sorted(set("abcdefghijklmnopqrstuvwxyz23456789") - set("ilo"))


def test_session_has_one_code_at_a_time(home: Home) -> None:
    store = home.open()
    one, other = opened(store), opened(store)
    first, of_other = store.new_code(one.id, 900), store.new_code(other.id, 900)
    second = store.new_code(one.id, 900)
    assert store.find_code(first) is None
    assert store.find_code(second) == one.id
    assert store.find_code(of_other) == other.id


def test_code_is_not_issued_twice(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even by the rare chance that random codes are equal."""
    store = home.open()
    one, other = opened(store), opened(store)
    taken = store.new_code(one.id, 900)
    drawn = iter([taken, taken, "zzzzzz"])
    monkeypatch.setattr(keyring, "new_codes", lambda attempt: drawn)
    assert store.new_code(other.id, 900) == "zzzzzz"
    assert store.find_code(taken) == one.id


def test_expired_code_can_be_issued_again(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    clock = Clock()
    store = home.set_clock(clock)
    one, other = opened(store), opened(store)
    code = store.new_code(one.id, 60)
    clock.go(60)
    monkeypatch.setattr(keyring, "new_codes", lambda attempt: iter([code]))
    assert store.new_code(other.id, 60) == code
    assert store.find_code(code) == other.id


@pytest.mark.parametrize("replaces", [False, True])
def test_repeated_attempt_does_not_bring_back_a_code_that_ended_with_a_key(
    home: Home, replaces: bool
) -> None:
    """The phone whose key was revoked knows that code."""
    store, attempt = home.open(), Attempt("k" * 20, b"form")
    new = opened(store)
    code = store.new_code(new.id, 900, attempt)
    assert store.new_code(new.id, 900, attempt) == code
    view = next(key.id for key in store.keys(new.id) if key.role == "view")
    if replaces:
        store.add_key(new.id, KeyRequest("view"), view)
    else:
        store.revoke_key(new.id, view, ends_code=True)
    again = store.new_code(new.id, 900, attempt)
    assert store.find_code(code) is None
    assert store.find_code(again) == new.id
    assert store.new_code(new.id, 900, attempt) == again


@pytest.mark.parametrize("odd", ODD)
def test_unknown_code_or_session_is_refused(home: Home, odd: str) -> None:
    store = home.open()
    assert store.find_code(odd) is None
    with pytest.raises(UnknownSessionError):
        store.new_code(odd, 900)


def test_codes_are_stored_only_as_hashes(sqlite: Home) -> None:
    store = sqlite.open()
    code = store.new_code(opened(store).id, 900)
    sqlite.close()
    assert code.encode() not in b"".join(
        path.read_bytes() for path in sqlite.path.parent.glob(f"{sqlite.path.name}*")
    )


def test_code_survives_a_restart(database: Home) -> None:
    with database.open() as store:
        new = opened(store)
        code = store.new_code(new.id, 900)
    assert database.open().find_code(code) == new.id
