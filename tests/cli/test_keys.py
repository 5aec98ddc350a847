"""``keys``: the operator lists the keys of a session or a club, makes one, and revokes one.

Tests of ``cli.stores``, too: whether a link or a secret is printed.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from scorekeeper.base.paths import resource
from scorekeeper.service import Service
from scorekeeper.store import Key, KeyRequest, Store
from tests.api.asking import Table, client_of
from tests.cli.asking import SEALED, run, words
from tests.evenings import event
from tests.store.conftest import database, postgres, quick_folder, sqlite
from tests.store.homes import Home

__all__ = ["database", "postgres", "quick_folder", "sqlite"]

UNKNOWN: Final = "23456789abcd"
GUIDE: Final = (resource("docs") / "operation.md").read_text(encoding="utf-8")
SECRET: Final = r"[\w-]{32}"


def made(*args: str) -> tuple[str, str]:
    """Make a key; return its id and its secret or link."""
    outcome = run("keys", *args)
    assert outcome.exit_code == 0, outcome.output
    (key_id,) = re.findall(r"^key   (\w{12})$", outcome.output, re.MULTILINE)
    (secret,) = re.findall(r"^(?:host|view|seat)  (\S+)$", outcome.output, re.MULTILINE)
    return key_id, secret


def listed(stream_id: str) -> dict[str, list[str]]:
    """Return the cells of each line of the list, by the id of the key."""
    outcome = run("keys", stream_id)
    assert outcome.exit_code == 0, outcome.output
    head, *lines = outcome.output.splitlines()
    assert head.split() == ["id", "role", "player", "created", "last", "used", "closed"]
    return {line.split()[0]: re.split(r"  +", line)[1:] for line in lines}


@pytest.fixture
def session_id(store: Store) -> str:
    """Import a session, with a key for each role and seat."""
    return Service(store).import_log(SEALED, len(SEALED)).id


def by_role(store: Store, stream_id: str, role: str) -> Key:
    return next(key for key in store.keys(stream_id) if key.role == role)


def test_keys_are_listed_without_secrets(store: Store, session_id: str) -> None:
    host = by_role(store, session_id, "host")
    new = store.add_key(session_id, KeyRequest("view", expires="2030-01-01T20:14:00.000Z"))
    store.revoke_key(session_id, by_role(store, session_id, "view").id)
    store.touch_key(new.key)
    known = {key.id: key for key in store.keys(session_id)}
    lines = listed(session_id)
    assert lines.keys() == known.keys()
    minute = {key_id: key.created[:16].replace("T", " ") for key_id, key in known.items()}
    assert lines[host.id] == ["host", "-", minute[host.id], "-", "-"]
    used = str(known[new.key.id].last_used)[:16].replace("T", " ")
    assert lines[new.key.id] == [
        "view", "-", minute[new.key.id], used, "expires 2030-01-01 20:14",
    ]  # fmt: skip
    assert any(line[-1].startswith("revoked ") for line in lines.values())
    assert {line[1] for line in lines.values() if line[0] == "seat"} == {"mara"}
    assert new.secret not in run("keys", session_id).output


@pytest.mark.parametrize("role", ["host", "view", "seat"])
def test_a_new_key_of_each_role_opens_the_session(
    store: Store, session_id: str, role: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = ("--player", "mara") if role == "seat" else ()
    key_id, secret = made(session_id, "--role", role, *player)
    assert re.fullmatch(SECRET, secret)
    key = store.find_key(secret)
    assert key is not None
    assert (key.id, key.role, key.stream_id) == (key_id, role, session_id)
    assert key.player == ("mara" if player else None)
    monkeypatch.setenv("SCOREKEEPER_PUBLIC_URL", "https://scores.example.org")
    _, link = made(session_id, "--role", role, *player)
    start, _, secret = link.rpartition("/")
    assert start == "https://scores.example.org/join"
    assert store.find_key(secret) is not None


def test_a_key_is_revoked_and_the_code_ends_with_it(store: Store, session_id: str) -> None:
    seat, code = by_role(store, session_id, "seat"), store.new_code(session_id, 900)
    outcome = run("keys", session_id, "--revoke", seat.id)
    assert (outcome.exit_code, words(outcome)) == (
        0, f"{seat.id} is revoked, and opens nothing any more",
    )  # fmt: skip
    assert by_role(store, session_id, "seat").revoked is not None
    assert store.find_code(code) is None


def test_commands_of_the_guide_replace_a_lost_host_key(store: Store, session_id: str) -> None:
    """The commands are those of the guide, unchanged."""
    lost = by_role(store, session_id, "host")
    lines = re.findall(r"^scorekeeper (keys .*)$", GUIDE, re.MULTILINE)
    assert len(lines) == 3
    for line in lines:
        outcome = run(*line.replace("SESSION", session_id).replace("KEY", lost.id).split())
        assert outcome.exit_code == 0, outcome.output
    hosts = [key for key in store.keys(session_id) if key.role == "host"]
    assert [key.revoked is None for key in hosts if key.id == lost.id] == [False]
    assert [key.revoked for key in hosts if key.id != lost.id] == [None]


def test_the_last_key_of_a_host_stays(store: Store, session_id: str) -> None:
    old = by_role(store, session_id, "host")
    outcome = run("keys", session_id, "--revoke", old.id)
    assert outcome.exit_code == 2
    assert "the host's last key: make another one first" in words(outcome)
    assert by_role(store, session_id, "host").revoked is None
    made(session_id, "--role", "host")
    assert run("keys", session_id, "--revoke", old.id).exit_code == 0


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--role", "seat"), "a seat has a player"),
        (("--role", "seat", "--player", "ugo"), 'there is no player "ugo" in this session'),
        (("--role", "host", "--player", "mara"), "no other role has one"),
        (("--player", "mara"), "add --role seat"),
        (("--role", "host", "--revoke", UNKNOWN), "either --role or --revoke"),
        (("--role", "keeper"), "is not one of"),
        (("--revoke", UNKNOWN), f'the session has no key "{UNKNOWN}"'),
        (("--revoke", "\u202e"), "has no key"),
    ],
)
def test_wrong_requests_are_refused(
    store: Store, session_id: str, args: tuple[str, ...], message: str
) -> None:
    before = store.keys(session_id)
    outcome = run("keys", session_id, *args)
    assert outcome.exit_code == 2
    assert message in words(outcome)
    assert store.keys(session_id) == before


@pytest.mark.parametrize("stream_id", [UNKNOWN, "o" + UNKNOWN[1:], "x", "../var", "\u202e"])
@pytest.mark.parametrize("args", [(), ("--role", "host"), ("--revoke", UNKNOWN)])
def test_unknown_sessions_are_reported(store: Store, stream_id: str, args: tuple[str, ...]) -> None:
    outcome = run("keys", stream_id, *args)
    assert outcome.exit_code == 2
    kind = {"o": "club", "i": "tournament"}.get(stream_id[0], "session")
    assert f"there is no {kind} " in outcome.output
    assert "\u202e" not in outcome.output


# ------------------------------------------------------------------------ beside a running service


@pytest.fixture
def running(database: Home, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Home:
    """Let commands use the database on which a service runs."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SCOREKEEPER_DATABASE_URL", database.url)
    return database


def test_commands_take_effect_in_a_running_service(running: Home) -> None:
    table = Table.open(client_of(running.open()))
    table.do(event("note_added", text="before"))
    (old,) = [key["id"] for key in table.get("/keys").get_json()["keys"] if key["role"] == "host"]
    _, table.keys["new"] = made(table.id, "--role", "host")
    table.do(event("note_added", text="by the new host"), who="new")
    assert run("keys", table.id, "--revoke", old).exit_code == 0
    assert table.append(event("note_added", text="by the old one")).status_code == 401
    assert table.get().status_code == 401
    assert listed(table.id)[old][-1].startswith("revoked ")


def test_a_club_has_keys_of_members(running: Home) -> None:
    client = client_of(running.open())
    body = {"name": "Circolo", "members": [{"id": "mara", "name": "Mara"}]}
    answer = client.post("/api/clubs", json=body)
    assert answer.status_code == 201, answer.text
    club_id = answer.get_json()["id"]
    _, host = made(club_id, "--role", "host")
    _, member = made(club_id, "--role", "seat", "--player", "mara")
    for secret, status in ((host, 200), (member, 403)):
        headers = {"Authorization": f"Bearer {secret}"}
        assert client.get(f"/api/clubs/{club_id}", headers=headers).status_code == 200
        assert client.get(f"/api/clubs/{club_id}/keys", headers=headers).status_code == status
    refused = run("keys", club_id, "--role", "seat", "--player", "ugo")
    assert refused.exit_code == 2
    assert 'there is no member "ugo" in this club' in words(refused)
    (old,) = [key_id for key_id, row in listed(club_id).items() if row[0] == "host"][:1]
    assert run("keys", club_id, "--revoke", old).exit_code == 0
