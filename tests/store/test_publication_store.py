"""Public addresses: one at a time, new each time, and closed for good once they have ended."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.base.errors import UnknownClubError, UnknownSessionError, UnusableBackupError
from scorekeeper.store import KeyRequest, New, Publication, PublicView, Store, keyring
from scorekeeper.store.bundles import read
from scorekeeper.store.kept import complaints
from tests.store.homes import Home, memory_home

CLUB: list[New] = [("club_opened", {"format": 1, "name": "Circolo"})]
SITE = "https://www.example.org"


@pytest.fixture
def store(home: Home) -> Store:
    return home.open()


def club_in(store: Store) -> str:
    return store.open_club(CLUB, "keeper", (KeyRequest("host"),)).id


def published(store: Store, club_id: str, **view: object) -> Publication:
    """Give a club a new address, and return it."""
    latest = store.latest_publication(club_id)
    store.publish(club_id, latest.number if latest else 0, PublicView(**view))  # type: ignore[arg-type]
    return current(store, club_id)


def current(store: Store, club_id: str) -> Publication:
    latest = store.latest_publication(club_id)
    assert latest is not None
    return latest


def test_a_club_has_no_address_until_it_publishes(store: Store) -> None:
    club_id = club_in(store)
    assert store.latest_publication(club_id) is None
    new = published(store, club_id, parents=(SITE,))
    assert keyring.is_address(new.address)
    assert store.publication_at(new.address) == new
    assert (new.stream_id, new.number, new.ended) == (club_id, 1, None)
    assert (new.names, new.parents) == ("initials", SITE)


def test_an_ended_address_opens_nothing_and_the_next_one_is_new(store: Store) -> None:
    club_id = club_in(store)
    first = published(store, club_id)
    store.end_publication(club_id, first.address)
    assert store.publication_at(first.address) is None
    second = published(store, club_id)
    assert second.number == 2
    assert second.address != first.address
    assert store.publication_at(second.address) == second
    store.end_publication(club_id, first.address)  # a form that comes late
    assert store.publication_at(second.address) == second


def test_six_requests_at_once_make_one_address(store: Store) -> None:
    club_id = club_in(store)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: store.publish(club_id, 0, PublicView()), range(6)))
    only = current(store, club_id)
    assert only.number == 1
    store.end_publication(club_id, only.address)
    with ThreadPoolExecutor(6) as pool:
        list(pool.map(lambda _: store.publish(club_id, 1, PublicView()), range(6)))
    assert current(store, club_id).number == 2


def test_a_form_that_comes_after_the_end_publishes_nothing(store: Store) -> None:
    club_id = club_in(store)
    first = published(store, club_id)
    store.end_publication(club_id, first.address)
    for seen in (0, 2, 7):
        store.publish(club_id, seen, PublicView())
    assert current(store, club_id).ended is not None
    store.change_publication(club_id, first.address, PublicView("full"))
    assert current(store, club_id).names == "initials"


def test_settings_change_and_the_address_stays(store: Store) -> None:
    club_id, other = club_in(store), club_in(store)
    first, of_other = published(store, club_id), published(store, other)
    view = PublicView("full", (SITE, "http://a.example"), "standings")
    store.change_publication(club_id, first.address, view)
    assert store.publication_at(first.address) == first._replace(
        names="full", parents=f"{SITE} http://a.example", left_out="standings"
    )
    store.change_publication(club_id, of_other.address, PublicView("full"))
    store.end_publication(club_id, of_other.address)
    assert store.publication_at(of_other.address) == of_other


@pytest.mark.parametrize("wrong", ["", "x", "o" * 26, "a" * 25, "' or 1=1 --", "\0" * 26, "é" * 26])
def test_other_texts_are_no_addresses(store: Store, wrong: str) -> None:
    published(store, club_in(store))
    assert store.publication_at(wrong) is None


def test_an_unknown_stream_is_not_published(store: Store) -> None:
    with pytest.raises(UnknownClubError):
        store.publish("o23456789abc", 0, PublicView())
    with pytest.raises(UnknownSessionError):
        store.publish("k23456789abc", 0, PublicView())


def test_a_deleted_club_has_no_address(store: Store) -> None:
    club_id = club_in(store)
    address = published(store, club_id).address
    store.delete_stream(club_id)
    assert store.publication_at(address) is None
    assert set(store.count_rows(club_id).values()) == {0}


# ------------------------------------------------------------------------------------ backups


def test_an_older_backup_opens_no_ended_address(database: Home, tmp_path: Path) -> None:
    store = database.open()
    club_id = club_in(store)
    first = published(store, club_id)
    store.bundle(tmp_path / "old.zip")
    store.backup(tmp_path / "old.backup")
    store.end_publication(club_id, first.address)
    second = published(store, club_id)
    for name in ("old.zip", "old.backup"):
        store.restore(tmp_path / name, overwrite=True)
        store = database.open()
        assert store.publication_at(first.address) is None, name
        assert store.publication_at(second.address) == second, name


def test_a_backup_ends_an_address_that_is_open_here(database: Home, tmp_path: Path) -> None:
    store = database.open()
    club_id = club_in(store)
    first = published(store, club_id)
    store.bundle(tmp_path / "old.zip")
    store.end_publication(club_id, first.address)
    second = published(store, club_id)
    store.bundle(tmp_path / "new.zip")
    moved = memory_home().open()
    moved.restore(tmp_path / "old.zip")
    assert moved.publication_at(first.address) == first
    moved.restore(tmp_path / "new.zip")
    assert moved.publication_at(first.address) is None
    assert moved.publication_at(second.address) == second
    moved.restore(tmp_path / "old.zip")
    assert moved.publication_at(second.address) == second


def test_a_backup_with_another_history_of_addresses_changes_none_here(tmp_path: Path) -> None:
    store = memory_home().open()
    club_id = club_in(store)
    store.bundle(tmp_path / "none.zip")
    elsewhere = memory_home().open()
    elsewhere.restore(tmp_path / "none.zip")
    theirs, ours = published(elsewhere, club_id), published(store, club_id)
    elsewhere.bundle(tmp_path / "theirs.zip")
    store.restore(tmp_path / "theirs.zip")
    assert store.publication_at(ours.address) == ours
    assert store.publication_at(theirs.address) is None


def test_a_backup_takes_no_address_of_another_club(tmp_path: Path) -> None:
    store, elsewhere = memory_home().open(), memory_home().open()
    ours = published(store, club_in(store))
    stolen = club_in(elsewhere)
    published(elsewhere, stolen)
    with elsewhere.reading() as work:  # type: ignore[attr-defined]
        work.connection.execute("UPDATE publications SET address = ?", [ours.address])
    elsewhere.bundle(tmp_path / "stolen.zip")
    with pytest.raises(UnusableBackupError, match="another stream's here"):
        store.restore(tmp_path / "stolen.zip")
    assert store.publication_at(ours.address) == ours


def test_wrong_publications_in_a_backup_are_described(tmp_path: Path) -> None:
    store = memory_home().open()
    right = published(store, club_in(store), parents=(SITE,))
    store.bundle(tmp_path / "bundle.zip")
    (kept,) = read(tmp_path / "bundle.zip")
    assert kept.publications == (right,)
    wrong = [
        right._replace(number=2),
        right._replace(address="x"),
        right._replace(names="all"),  # type: ignore[arg-type]
        right._replace(left_out="all"),  # type: ignore[arg-type]
        right._replace(created="today"),
        right._replace(ended="today"),
        right._replace(parents=f"{SITE}; script-src *"),
        right._replace(parents="*"),
    ]
    for publication in wrong:
        (problem,) = complaints(replace(kept, publications=(publication,)), lambda *answer: True)
        assert problem.startswith("public address")
