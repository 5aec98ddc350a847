"""``store.kept``: inconsistencies in the stored data of a session are described."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.store.bundles import read
from scorekeeper.store.kept import Kept, complaints
from tests.store.asking import opened
from tests.store.homes import memory_home
from tests.store.test_phones import ONE, keys_of

NO_KEY = "a phone holds key"
TWICE = "a phone is there twice"


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    """Return the only session of a store; its only phone holds a view key."""
    store = memory_home().open()
    store.take_key(ONE, keys_of(opened(store))["view"])
    store.bundle(tmp_path / "bundle.zip")
    (kept_session,) = read(tmp_path / "bundle.zip")
    return kept_session


def complaint(kept: Kept, *phones: tuple[bytes, str]) -> list[str]:
    """Return the problems of the session if these phones held these keys."""
    return list(complaints(replace(kept, phones=phones), lambda *answer: True))


def test_phone_must_be_a_digest_and_hold_an_existing_key(kept: Kept) -> None:
    ((phone, key),) = kept.phones
    other = bytes(32)
    assert complaint(kept, (phone, key), (other, key)) == []
    for wrong in ((phone, "k23456789abc"), (phone[:-1], key), (phone + b"0", key)):
        (problem,) = complaint(kept, wrong)
        assert problem.startswith(NO_KEY)
    assert complaint(kept, (phone, key), (phone, key)) == [TWICE]


def test_recorder_must_be_a_key_of_the_session_for_an_event_by_the_keeper(kept: Kept) -> None:
    ((key, _),) = [pair for pair in kept.keys if pair[0].role == "view"]
    recorder = (1, key.id)

    def problems(kept: Kept, *recorders: tuple[int, str]) -> list[str]:
        return list(complaints(replace(kept, recorders=recorders), lambda *answer: True))

    assert problems(kept, recorder) == []
    for wrong in ((0, key.id), (2, key.id), (1, "k23456789abc")):
        (problem,) = problems(kept, wrong)
        assert "one of them is missing" in problem
    assert problems(kept, recorder, recorder) == ["an event was recorded by two keys"]
    (first, *others) = kept.lines
    by_player = replace(kept, lines=(first._replace(by="mara"), *others))
    assert any("its log names the recorder" in problem for problem in problems(by_player, recorder))
