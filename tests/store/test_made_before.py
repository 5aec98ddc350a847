"""Databases and logs of earlier versions can be opened, with the same results.

``tests/fixtures`` has a folder for each such version. It contains SQL dumps of both databases,
filled over HTTP: a session of every game, with hands at all levels, corrections, signatures and
disputes, some closed, some with a hand in play; an imported log; and a club that counts three of
the sessions and withdrew a fourth. A development version recorded the sessions of 1.0.0, which
migrated that database and recorded the club. Beside the dumps, as JSON, are the version's answers
about each session and club: its report or standings, its verdict, the keys that opened it and the
revoked ones. ``*.jsonl.xz`` are exported logs.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from contextlib import closing
from io import BytesIO
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest
from flask.testing import FlaskClient

from scorekeeper.log.reading import verify
from scorekeeper.store import Store, migrate, migrating, sqlite_file
from scorekeeper.store.addresses import parse
from tests.api.asking import bearer, client_of
from tests.evenings import score
from tests.store import homes
from tests.store.homes import Home

FIXTURES: Final = Path(__file__).parents[1] / "fixtures"
VERSIONS: Final = sorted(FIXTURES.iterdir())
SCHEMA: Final = "made_before"  # of PostgreSQL, in the dumps
WORDED: Final = ("text", "message")  # fields whose wording may change


class Before(NamedTuple):
    """A database of an earlier version, migrated, and the answers of that version about it."""

    home: Home
    store: Store
    client: FlaskClient
    recorded: dict[str, Any]  # by session
    clubs: dict[str, Any]


def text(path: Path) -> str:
    return lzma.decompress(path.read_bytes()).decode()


@pytest.fixture(scope="module", params=VERSIONS, ids=lambda path: path.name)
def version(request: pytest.FixtureRequest) -> Path:
    folder: Path = request.param
    return folder


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def before(
    request: pytest.FixtureRequest, version: Path, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Before]:
    dump = text(version / f"{request.param}.sql.xz")
    recorded = json.loads(text(version / f"{request.param}.json.xz"))
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("before") / "scorekeeper.db"
        sqlite_file.create(path)
        with closing(sqlite3.connect(path)) as file:
            file.executescript(dump)
        yield from opened(Home("sqlite", f"sqlite:///{path}"), recorded)
    else:
        with homes.postgres_home(migrated=False) as home:
            schema = home.url.rpartition("%3D")[2]
            dump = dump.replace(f"CREATE SCHEMA {SCHEMA};", "").replace(f"{SCHEMA}.", f"{schema}.")
            with psycopg.connect(home.url, autocommit=True) as connection:
                connection.execute(dump.encode())
            yield from opened(home, recorded)


def opened(home: Home, recorded: dict[str, Any]) -> Iterator[Before]:
    (complaint,) = home.open().complaints()
    assert "at revision" in complaint
    migrate(home.url)
    store = home.open()
    assert store.complaints() == []
    assert migrating.check(parse(home.url)) == []
    client = client_of(store, computations_an_hour=1000)
    yield Before(home, store, client, recorded["sessions"], recorded["clubs"])
    home.close()


def figures(recorded: Any) -> Any:
    """Return an answer without its worded fields."""
    if isinstance(recorded, dict):
        return {key: figures(value) for key, value in recorded.items() if key not in WORDED}
    return [figures(element) for element in recorded] if isinstance(recorded, list) else recorded


def lacking(former: Any, present: Any, path: str = "") -> Iterator[str]:
    """Yield the places where the present answer lacks or changes a part of the former one."""
    if isinstance(former, dict) and isinstance(present, dict):
        for key, value in former.items():
            yield from lacking(value, present.get(key), f"{path}.{key}")
    elif isinstance(former, list) and isinstance(present, list) and len(former) == len(present):
        for place, pair in enumerate(zip(former, present, strict=True)):
            yield from lacking(*pair, f"{path}.{place}")
    elif former != present:
        yield f"{path}: {former} then, {present} now"


# The definitions of tables, constraints, indexes, triggers and functions. A check has no
# definition here, because PostgreSQL words it differently once it is restored from a dump.
DEFINITIONS: Final = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL",
    "postgresql": """
        WITH tables AS (SELECT oid FROM pg_class
                        WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r')
        SELECT attname::text, concat(attrelid::regclass, ' ', attnum, ' ',
            format_type(atttypid, atttypmod), ' ', attnotnull)
            FROM pg_attribute WHERE attrelid IN (SELECT oid FROM tables) AND attnum > 0
        UNION SELECT conname, CASE WHEN contype <> 'c' THEN pg_get_constraintdef(oid) END
            FROM pg_constraint WHERE conrelid IN (SELECT oid FROM tables)
        UNION SELECT 'index', pg_get_indexdef(indexrelid)
            FROM pg_index WHERE indrelid IN (SELECT oid FROM tables)
        UNION SELECT tgname, concat(tgenabled, pg_get_triggerdef(oid))
            FROM pg_trigger WHERE tgrelid IN (SELECT oid FROM tables) AND NOT tgisinternal
        UNION SELECT proname, pg_get_functiondef(oid)
            FROM pg_proc WHERE pronamespace = current_schema()::regnamespace
    """,
}


def schema(home: Home) -> set[tuple[str, str]]:
    """Return the name and the definition of everything in a database's schema."""
    if home.kind == "sqlite":
        with closing(sqlite3.connect(home.path)) as file:
            return set(file.execute(DEFINITIONS["sqlite"]))
    name = home.url.rpartition("%3D")[2]
    with homes.sql(home) as connection:
        rows = connection.execute(DEFINITIONS["postgresql"]).fetchall()
    return {(str(thing), str(text).replace(f"{name}.", "")) for thing, text in rows}


# ---------------------------------------------------------------------------------- databases


def test_every_stream_is_whole_and_has_its_former_end(before: Before) -> None:
    verdicts = {checked.session_id: checked.verdict for checked in before.store.verify_all()}
    assert {
        session_id: (verdict.ok, verdict.events, verdict.head)
        for session_id, verdict in verdicts.items()
    } == {
        session_id: (True, recorded["verify"]["events"], recorded["verify"]["head"])
        for session_id, recorded in (before.recorded | before.clubs).items()
    }


def test_schema_is_that_of_a_new_database(before: Before, request: pytest.FixtureRequest) -> None:
    kind = before.home.kind
    new = request.getfixturevalue("sqlite" if kind == "sqlite" else "migrated_schema")
    assert len(schema(new)) > len(migrating.GUARDS[kind])
    assert schema(before.home) == schema(new)


def test_every_report_has_its_former_figures(before: Before) -> None:
    for session_id, recorded in before.recorded.items():
        answer = before.client.get(
            f"/api/sessions/{session_id}", headers=bearer(recorded["keys"]["host"])
        )
        assert answer.status_code == 200, answer.text
        assert list(lacking(figures(recorded["report"]), figures(answer.get_json()))) == []


def ended_figures(standings: Any, unended: AbstractSet[str]) -> dict[tuple[str, str], Any]:
    """Return what each evening made of each member, without evenings that nobody ended."""
    return {
        (row["member"], made["session"]): made
        for row in standings["rows"]
        for made in row["made_of"]
        if made["session"] not in unended
    }


def test_every_club_has_its_former_standings_and_follows_its_evenings(before: Before) -> None:
    for club_id, recorded in before.clubs.items():
        answer = before.client.get(
            f"/api/clubs/{club_id}/standings", headers=bearer(recorded["keys"]["host"])
        )
        assert answer.status_code == 200, answer.text
        former, present = figures(recorded["standings"]), figures(answer.get_json())
        assert former["evenings"] == present["evenings"]
        # The version of then ranked no matches that nobody had ended.
        unended = {match["session"] for match in present["unended"]}
        assert ended_figures(former, unended) == ended_figures(present, unended) != {}
    followed = {
        (follower.club, follower.key, follower.stop)
        for session_id in before.recorded
        for follower in before.store.followers(session_id)
    }
    assert followed == {(club_id, "", None) for club_id in before.clubs}


def test_keys_open_their_sessions_and_revoked_keys_do_not(before: Before) -> None:
    for session_id, recorded in before.recorded.items():
        for status, keys in ((200, recorded["keys"]), (401, recorded["gone"])):
            assert keys or status == 401
            for name, key in keys.items():
                for path in (f"/api/sessions/{session_id}", f"/t/{session_id}"):
                    answer = before.client.get(path, headers=bearer(key))
                    assert answer.status_code == status, (name, path, answer.text)


def test_only_the_host_sees_face_down_cards(before: Before) -> None:
    masked = set()
    for session_id, recorded in before.recorded.items():
        log = f"/api/sessions/{session_id}/log.jsonl"
        host, view = (
            before.client.get(log, headers=bearer(recorded["keys"][role])).data.splitlines()
            for role in ("host", "view")
        )
        for one, other in zip(host, view, strict=True):
            if one != other:
                assert json.loads(other)["data"] is None
                masked.add(recorded["report"]["matches"][0]["game"])
    assert len(masked) > 1


def test_repeated_append_gets_its_former_answer(before: Before) -> None:
    again = {
        session_id: recorded
        for session_id, recorded in before.recorded.items()
        if recorded["repeat"]
    }
    assert again
    for session_id, recorded in again.items():
        asked = recorded["repeat"]
        headers = {"If-Match": f'"{asked["if_match"]}"', "Idempotency-Key": asked["key"]}
        answer = before.client.post(
            f"/api/sessions/{session_id}/events", data=asked["body"],
            content_type="application/json", headers=headers | bearer(recorded["keys"]["host"]),
        )  # fmt: skip
        assert (answer.status_code, answer.text) == (201, asked["answer"])


def test_open_session_continues_and_closed_session_stays_closed(before: Before) -> None:
    closed = 0
    for session_id, recorded in before.recorded.items():
        body = {"events": [{"type": "note_added", "data": {"text": "Here we are again"}}]}
        path = f"/api/sessions/{session_id}"
        headers = bearer(recorded["keys"]["host"])
        version = before.client.get(path, headers=headers).headers["ETag"]
        answer = before.client.post(
            f"{path}/events", json=body, headers=headers | {"If-Match": version}
        )
        closed += recorded["report"]["session"]["closed"]
        due = 422 if recorded["report"]["session"]["closed"] else 201
        assert answer.status_code == due, answer.text
    assert 0 < closed < len(before.recorded)


# --------------------------------------------------------------------------------------- logs


def test_every_log_is_whole_has_its_former_score_and_can_be_imported(version: Path) -> None:
    recorded = json.loads(text(version / "sqlite.json.xz"))["sessions"].values()
    by_head = {session["verify"]["head"]: session for session in recorded}
    client = client_of(sessions_an_hour=1000)
    logs = list(version.glob("*.jsonl.xz"))
    assert len(logs) > 1
    for path in logs:
        log = lzma.decompress(path.read_bytes())
        verdict = verify(BytesIO(log))
        assert verdict.ok
        former = by_head[verdict.head]
        assert verdict.events == former["verify"]["events"]
        assert list(lacking(figures(former["report"]), figures(score(log)))) == []
        new = client.post("/api/sessions/import", data=log, content_type="application/x-ndjson")
        assert (new.status_code, new.get_json()["head"]) == (201, verdict.head)
