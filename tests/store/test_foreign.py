"""A backup of another service opens nothing here: ``store.bundles`` and ``store.sqlite``."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import KeyRequest, New, Opened, Store, bundles, keyring
from scorekeeper.store.kept import Kept
from tests.store.asking import KEYS, append, note, opened
from tests.store.homes import Home, memory_home

CLUB: list[New] = [
    ("club_opened", {"format": 1, "name": "Elsewhere"}),
    ("member_joined", {"id": "mara", "name": "Mara"}),
]


def entering(session_id: str, how: str) -> New:
    """What enters a session: an event, or a correction."""
    said = {"session": session_id, "players": {"mara": "mara"}}
    if how == "evening_entered":
        return how, said
    place = {"after": 2} if how == "event_inserted" else {"seq": 3}
    return how, {**place, "type": "evening_entered", "data": said, "reason": ""}


def club_of(store: Store, *events: New) -> Opened:
    """A club with the key of its host."""
    return store.open_club([*CLUB, note(), *events], "keeper", (KeyRequest("host"),))


def kept_in(store: Store, path: Path) -> dict[str, Kept]:
    """All that a store keeps, by id."""
    store.bundle(path)
    return {one.id: one for one in bundles.read(path)}


@pytest.fixture
def here(database: Home) -> Store:
    return database.open()


@pytest.fixture
def elsewhere() -> Store:
    return memory_home().open()


@pytest.mark.parametrize("how", ["evening_entered", "event_inserted", "event_replaced"])
def test_a_club_from_elsewhere_opens_no_evening(
    here: Store, elsewhere: Store, tmp_path: Path, how: str
) -> None:
    evening = opened(here)
    club = club_of(elsewhere, entering(evening.id, how))
    elsewhere.bundle(tmp_path / "club.zip")
    where = f"club {club.id}, event 4: it enters session {evening.id}"
    with pytest.raises(UnusableBackupError, match=where):
        here.restore(tmp_path / "club.zip")
    assert here.clubs() == []
    assert here.find_key(club.keys[0].secret) is None
    assert here.stops(club.id) == {}


def test_neither_does_it_with_the_log_of_the_evening(
    here: Store, elsewhere: Store, tmp_path: Path
) -> None:
    """The log is what anybody has who looks on; the keys in the backup are others."""
    evening = opened(here)
    stolen = elsewhere.import_sealed(here.export(evening.id).splitlines(keepends=True), KEYS)
    club = club_of(elsewhere, entering(evening.id, "evening_entered"))
    kept = kept_in(elsewhere, tmp_path / "kept.zip")
    keys = tuple((replace(key, session_id=evening.id), one) for key, one in kept[stolen.id].keys)
    forged = replace(kept[stolen.id], id=evening.id, keys=keys)
    for parts in ([forged], [forged, kept[club.id]]):
        path = tmp_path / f"{len(parts)}.zip"
        bundles.write(path, parts)
        with pytest.raises(
            UnusableBackupError, match=f"session {evening.id}: .* of another service"
        ):
            here.restore(path)
    assert here.clubs() == []
    assert here.find_key(stolen.keys[0].secret) is None


def test_a_revoked_key_does_not_prove_that_a_backup_is_of_this_service(
    here: Store, elsewhere: Store, tmp_path: Path
) -> None:
    evening = opened(here)
    guest = here.add_key(evening.id, KeyRequest("host"))
    here.revoke_key(evening.id, guest.key.id)
    stolen = elsewhere.import_sealed(here.export(evening.id).splitlines(keepends=True), KEYS)
    own = [one for one in kept_in(here, tmp_path / "own.zip")[evening.id].keys
           if one[0].id == guest.key.id]  # fmt: skip
    made = kept_in(elsewhere, tmp_path / "kept.zip")[stolen.id]
    keys = tuple((replace(key, session_id=evening.id), one) for key, one in made.keys)
    bundles.write(tmp_path / "forged.zip", [replace(made, id=evening.id, keys=(*own, *keys))])
    with pytest.raises(UnusableBackupError, match=f"session {evening.id}: .* of another service"):
        here.restore(tmp_path / "forged.zip")
    assert here.find_key(stolen.keys[0].secret) is None


def test_a_club_of_this_service_comes_back(here: Store, tmp_path: Path) -> None:
    evening = opened(here)
    club = club_of(here, entering(evening.id, "evening_entered"))
    here.bundle(tmp_path / "all.zip")
    append(here, evening.id, 1, [note()], "mara")
    here.restore(tmp_path / "all.zip")
    other = memory_home().open()
    other.restore(tmp_path / "all.zip")
    assert [one.id for one in other.clubs()] == [club.id]
    assert other.position(evening.id).version == 1


def test_a_copy_without_a_club_or_with_other_keys_is_none_of_this_database(
    sqlite: Home, template: Path, tmp_path: Path
) -> None:
    del template
    store = sqlite.open()
    evening = opened(store)
    store.backup(tmp_path / "before.db")
    club = club_of(store, entering(evening.id, "evening_entered"))
    with pytest.raises(UnusableBackupError, match=f"lacks events of club {club.id}"):
        store.restore(tmp_path / "before.db")
    assert [one.id for one in store.clubs()] == [club.id]
    store.restore(tmp_path / "before.db", overwrite=True)
    assert store.clubs() == []


def test_a_bundle_carries_who_follows(here: Store, tmp_path: Path) -> None:
    evening = opened(here)
    view = next(key for key in here.keys(evening.id) if key.role == "view")
    clubs = [keyring.new_club_id() for _ in range(3)]
    here.follow(clubs[0], {evening.id: None})
    here.follow(clubs[1], {evening.id: view})
    here.follow(clubs[2], {evening.id: None})
    here.stop_following(evening.id, clubs[2])
    here.revoke_key(evening.id, view.id)
    append(here, evening.id, 1, [note()], "mara")
    here.bundle(tmp_path / "all.zip")
    other = memory_home().open()
    other.restore(tmp_path / "all.zip")
    other.restore(tmp_path / "all.zip")
    assert other.followers(evening.id) == here.followers(evening.id)
    assert [other.stops(one).keys() for one in clubs] == [set(), {evening.id}, {evening.id}]
