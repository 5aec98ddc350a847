"""Backups of another service open nothing: ``store.bundles`` and ``store.sqlite``."""

from dataclasses import replace
from pathlib import Path

import pytest

from scorekeeper.base.errors import UnusableBackupError
from scorekeeper.store import KeyRequest, New, Opened, Store, bundles, keyring
from scorekeeper.store.contract import Followed
from scorekeeper.store.kept import Kept
from tests.store.asking import KEYS, append, note, opened
from tests.store.homes import Home, memory_home
from tests.store.tampering import edited
from tests.tournaments import hall

CLUB: list[New] = [
    ("club_opened", {"format": 1, "name": "Elsewhere"}),
    ("member_joined", {"id": "mara", "name": "Mara"}),
]


def entering(session_id: str, how: str) -> New:
    """Return an event, or a correction, that enters a session in a club."""
    entered = {"session": session_id, "players": {"mara": "mara"}}
    if how == "evening_entered":
        return how, entered
    place = {"after": 2} if how == "event_inserted" else {"seq": 3}
    return how, {**place, "type": "evening_entered", "data": entered, "reason": ""}


def club_of(store: Store, *events: New) -> Opened:
    """Open a club with a key of its host."""
    return store.open_club([*CLUB, note(), *events], "keeper", (KeyRequest("host"),))


def kept_in(store: Store, path: Path) -> dict[str, Kept]:
    """Return the stored streams by id."""
    store.bundle(path)
    return {kept.id: kept for kept in bundles.read(path)}


@pytest.fixture
def own_store(database: Home) -> Store:
    return database.open()


@pytest.fixture
def foreign_store() -> Store:
    return memory_home().open()


@pytest.mark.parametrize("how", ["evening_entered", "event_inserted", "event_replaced"])
def test_foreign_club_opens_no_session(
    own_store: Store, foreign_store: Store, tmp_path: Path, how: str
) -> None:
    evening = opened(own_store)
    club = club_of(foreign_store, entering(evening.id, how))
    foreign_store.bundle(tmp_path / "club.zip")
    where = f"club {club.id}, event 4: it enters session {evening.id}"
    with pytest.raises(UnusableBackupError, match=where):
        own_store.restore(tmp_path / "club.zip")
    assert own_store.clubs() == []
    assert own_store.find_key(club.keys[0].secret) is None
    assert own_store.stops(club.id) == {}


def test_club_of_another_service_cannot_enter_a_tournament_of_this_one(
    own_store: Store, foreign_store: Store, tmp_path: Path
) -> None:
    opening = hall.opening()
    tournament = own_store.open_tournament([(opening["type"], opening["data"])], "keeper", KEYS)
    entering_it = ("tournament_entered", {"tournament": tournament.id, "entrants": {}})
    club = club_of(foreign_store, entering_it)
    foreign_store.backup(tmp_path / "club.zip")
    with pytest.raises(UnusableBackupError, match=f"it enters session {tournament.id}"):
        own_store.restore(tmp_path / "club.zip")
    assert own_store.find_key(club.keys[0].secret) is None


def test_foreign_club_with_the_log_of_a_session_does_not_open_it(
    own_store: Store, foreign_store: Store, tmp_path: Path
) -> None:
    """Every viewer has the log; the keys in the backup are others."""
    evening = opened(own_store)
    stolen = foreign_store.import_sealed(
        own_store.export(evening.id).splitlines(keepends=True), KEYS
    )
    club = club_of(foreign_store, entering(evening.id, "evening_entered"))
    kept = kept_in(foreign_store, tmp_path / "kept.zip")
    keys = tuple(
        (replace(key, stream_id=evening.id), digest) for key, digest in kept[stolen.id].keys
    )
    forged = replace(kept[stolen.id], id=evening.id, keys=keys)
    for parts in ([forged], [forged, kept[club.id]]):
        path = tmp_path / f"{len(parts)}.zip"
        bundles.write(path, parts)
        with pytest.raises(
            UnusableBackupError, match=f"session {evening.id}: .* of another service"
        ):
            own_store.restore(path)
    assert own_store.clubs() == []
    assert own_store.find_key(stolen.keys[0].secret) is None


@pytest.mark.parametrize(
    "requested",
    [KeyRequest("host"), KeyRequest("host", expires="2020-01-01T00:00:00.000Z"),
     KeyRequest("view"), KeyRequest("seat", "mara")],
    ids=["revoked", "expired", "view", "seat"],
)  # fmt: skip
def test_only_an_open_host_key_proves_that_a_backup_is_of_this_service(
    own_store: Store, foreign_store: Store, tmp_path: Path, requested: KeyRequest
) -> None:
    """The holder of any key may know its id and hash, and adds a host's key of their own."""
    evening = opened(own_store)
    guest = own_store.add_key(evening.id, requested)
    if requested == KeyRequest("host"):
        own_store.revoke_key(evening.id, guest.key.id)
    stolen = foreign_store.import_sealed(
        own_store.export(evening.id).splitlines(keepends=True), KEYS
    )
    own = [key for key in kept_in(own_store, tmp_path / "own.zip")[evening.id].keys
           if key[0].id == guest.key.id]  # fmt: skip
    kept_session = kept_in(foreign_store, tmp_path / "kept.zip")[stolen.id]
    keys = tuple((replace(key, stream_id=evening.id), digest) for key, digest in kept_session.keys)
    bundles.write(
        tmp_path / "forged.zip", [replace(kept_session, id=evening.id, keys=(*own, *keys))]
    )
    with pytest.raises(UnusableBackupError, match=f"session {evening.id}: .* of another service"):
        own_store.restore(tmp_path / "forged.zip")
    assert own_store.find_key(stolen.keys[0].secret) is None


def test_backup_without_an_open_host_key_adds_nothing(
    own_store: Store, foreign_store: Store, tmp_path: Path
) -> None:
    """Such a backup is made before the host's key was replaced, or by the holder of another key."""
    evening = opened(own_store)
    club = club_of(foreign_store, entering(evening.id, "evening_entered"))
    copied = foreign_store.import_sealed(
        own_store.export(evening.id).splitlines(keepends=True), KEYS
    )
    append(foreign_store, copied.id, copied.version, [note()], "keeper")
    made_there = kept_in(foreign_store, tmp_path / "made.zip")
    kept = kept_in(own_store, tmp_path / "own.zip")[evening.id]
    old = replace(kept, keys=tuple(key for key in kept.keys if key[0].role != "host"))
    forged = {
        "events that are not here": [replace(old, lines=made_there[copied.id].lines)],
        "clubs that are not here": [
            replace(old, clubs=(Followed(evening.id, club.id, "", None),))
        ],
        f"club {club.id}, event 4: it enters session {evening.id}": [old, made_there[club.id]],
    }  # fmt: skip
    for number, (why, parts) in enumerate(forged.items()):
        bundles.write(tmp_path / f"{number}.zip", parts)
        with pytest.raises(UnusableBackupError, match=why):
            own_store.restore(tmp_path / f"{number}.zip")
    bundles.write(tmp_path / "old.zip", [old])
    own_store.restore(tmp_path / "old.zip")
    assert kept_in(own_store, tmp_path / "after.zip") == {evening.id: kept}


@pytest.mark.parametrize("change", [
    "UPDATE keys SET id = '222222222222', digest = zeroblob(32) WHERE role = 'host'",
    "UPDATE keys SET role = 'host' WHERE role = 'view'",
])  # fmt: skip
def test_copy_brings_no_host_key_of_its_own(
    sqlite: Home, template: Path, tmp_path: Path, change: str
) -> None:
    del template
    store = sqlite.open()
    evening = opened(store)
    store.backup(tmp_path / "copy.db")
    edited(tmp_path / "copy.db", change)
    before = store.keys(evening.id)
    with pytest.raises(UnusableBackupError, match=evening.id):
        store.restore(tmp_path / "copy.db")
    assert store.keys(evening.id) == before


def test_club_of_this_service_is_restored(own_store: Store, tmp_path: Path) -> None:
    evening = opened(own_store)
    club = club_of(own_store, entering(evening.id, "evening_entered"))
    own_store.bundle(tmp_path / "all.zip")
    append(own_store, evening.id, 1, [note()], "mara")
    own_store.restore(tmp_path / "all.zip")
    other = memory_home().open()
    other.restore(tmp_path / "all.zip")
    assert [session.id for session in other.clubs()] == [club.id]
    assert other.position(evening.id).version == 1


def test_copy_without_a_club_or_with_other_keys_is_not_of_this_database(
    sqlite: Home, template: Path, tmp_path: Path
) -> None:
    del template
    store = sqlite.open()
    evening = opened(store)
    store.backup(tmp_path / "before.db")
    club = club_of(store, entering(evening.id, "evening_entered"))
    with pytest.raises(UnusableBackupError, match=f"lacks events of club {club.id}"):
        store.restore(tmp_path / "before.db")
    assert [session.id for session in store.clubs()] == [club.id]
    store.restore(tmp_path / "before.db", overwrite=True)
    assert store.clubs() == []


def test_club_follows_an_evening_that_is_restored_after_it(
    own_store: Store, tmp_path: Path
) -> None:
    """The host of the evening sees the club, and can stop it."""
    source = memory_home().open()
    evening = opened(source)
    source.bundle(tmp_path / "evening.zip")
    clubs = memory_home().open()
    club = club_of(clubs, entering(evening.id, "evening_entered"))
    clubs.bundle(tmp_path / "club.zip")
    own_store.restore(tmp_path / "club.zip")
    assert own_store.stops(club.id) == {}
    own_store.restore(tmp_path / "evening.zip")
    assert [(follower.club, follower.stop) for follower in own_store.followers(evening.id)] == [
        (club.id, None)
    ]
    assert own_store.stop_following(evening.id, club.id)
    own_store.restore(tmp_path / "evening.zip")
    own_store.restore(tmp_path / "club.zip")
    assert own_store.stops(club.id) == {evening.id: own_store.position(evening.id)}


def test_bundle_contains_the_following_clubs(own_store: Store, tmp_path: Path) -> None:
    evening = opened(own_store)
    view = next(key for key in own_store.keys(evening.id) if key.role == "view")
    clubs = [keyring.new_stream_id(keyring.StreamKind.CLUB) for _ in range(3)]
    own_store.follow(clubs[0], {evening.id: None})
    own_store.follow(clubs[1], {evening.id: view})
    own_store.follow(clubs[2], {evening.id: None})
    own_store.stop_following(evening.id, clubs[2])
    own_store.revoke_key(evening.id, view.id)
    append(own_store, evening.id, 1, [note()], "mara")
    own_store.bundle(tmp_path / "all.zip")
    other = memory_home().open()
    other.restore(tmp_path / "all.zip")
    other.restore(tmp_path / "all.zip")
    assert other.followers(evening.id) == own_store.followers(evening.id)
    assert [other.stops(club).keys() for club in clubs] == [set(), {evening.id}, {evening.id}]
