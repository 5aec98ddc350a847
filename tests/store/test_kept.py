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


def test_an_event_that_came_by_a_key_is_there_as_the_keepers_and_so_is_the_key(kept: Kept) -> None:
    ((key, _),) = [one for one in kept.keys if one[0].role == "view"]
    right = (1, key.id)

    def said(*recorders: tuple[int, str]) -> list[str]:
        return list(complaints(replace(kept, recorders=recorders), lambda *answer: True))

    assert said(right) == []
    for wrong in ((0, key.id), (2, key.id), (1, "k23456789abc")):
        (complaint,) = said(wrong)
        assert "one of them is not there" in complaint
    assert said(right, right) == ["an event came by two keys"]
    (first, *others) = kept.lines
    of_a_player = replace(kept, lines=(first._replace(by="mara"), *others), recorders=(right,))
    assert any("the log says who" in one for one in complaints(of_a_player, lambda *answer: True))
