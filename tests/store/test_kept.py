"""``store.kept``: what of a session in a backup does not fit together is named."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.store.bundles import read
from scorekeeper.store.kept import Kept, complaints
from tests.store.asking import opened
from tests.store.homes import memory_home
from tests.store.test_phones import ONE, keys_of

NO_KEY = "a phone holds key"
TWICE = "a phone stands there twice"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """The session of a store that has no other; its only phone holds a key to look on."""
    store = memory_home().open()
    store.take_key(ONE, keys_of(opened(store))["view"])
    store.bundle(tmp_path / "bundle.zip")
    (one,) = read(tmp_path / "bundle.zip")
    return one


def complaint(kept: Kept, *phones: tuple[bytes, str]) -> list[str]:
    """What is said of the session if these phones held these keys."""
    return list(complaints(replace(kept, phones=phones), lambda *answer: True))


def test_a_phone_is_a_digest_and_holds_a_key_that_is_there(kept: Kept) -> None:
    ((phone, key),) = kept.phones
    other = bytes(32)
    assert complaint(kept, (phone, key), (other, key)) == []
    for wrong in ((phone, "k23456789abc"), (phone[:-1], key), (phone + b"0", key)):
        (said,) = complaint(kept, wrong)
        assert said.startswith(NO_KEY)
    assert complaint(kept, (phone, key), (phone, key)) == [TWICE]
