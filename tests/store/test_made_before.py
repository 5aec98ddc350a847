"""Databases and logs that an earlier version made open as before, and come to the same.

``tests/fixtures`` has a folder for each such version, named after the newest migration that it
had: what its own server made over HTTP on both databases (an evening of every game, with hands at
all levels, corrections, signatures and disputes, some closed, some with a hand in play; and a log
brought in), dumped as SQL, and beside it, as JSON, what that version told of each session: its
report, its verdict, the keys that opened it and those that had been given up. ``*.jsonl.xz`` are
the logs as it exported them.
"""

import json
import lzma
import sqlite3
from collections.abc import Iterator
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
IN_WORDS: Final = ("text", "message")  # which may be said better


class Before(NamedTuple):
    """A database that an earlier version made, as it is today, and what was told of it then."""

    store: Store
    client: FlaskClient
    told: dict[str, Any]


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
    told = json.loads(text(version / f"{request.param}.json.xz"))
    if request.param == "sqlite":
        path = tmp_path_factory.mktemp("before") / "scorekeeper.db"
        sqlite_file.create(path)
        with closing(sqlite3.connect(path)) as file:
            file.executescript(dump)
        yield from opened(Home("sqlite", f"sqlite:///{path}"), told)
    else:
        with homes.postgres_home(migrated=False) as home:
            schema = home.url.rpartition("%3D")[2]
            dump = dump.replace(f"CREATE SCHEMA {SCHEMA};", "").replace(f"{SCHEMA}.", f"{schema}.")
            with psycopg.connect(home.url, autocommit=True) as connection:
                connection.execute(dump.encode())
            yield from opened(home, told)


def opened(home: Home, told: dict[str, Any]) -> Iterator[Before]:
    (complaint,) = home.open().complaints()
    assert "at revision" in complaint
    migrate(home.url)
    store = home.open()
    assert store.complaints() == []
    assert migrating.check(parse(home.url)) == []
    yield Before(store, client_of(store, computations_an_hour=1000), told)
    home.close()


def figures(told: Any) -> Any:
    """What was told, without its words."""
    if isinstance(told, dict):
        return {key: figures(one) for key, one in told.items() if key not in IN_WORDS}
    return [figures(one) for one in told] if isinstance(told, list) else told


def lacking(then: Any, now: Any, path: str = "") -> Iterator[str]:
    """Where what is told now is not what was told then; more may be told."""
    if isinstance(then, dict) and isinstance(now, dict):
        for key, one in then.items():
            yield from lacking(one, now.get(key), f"{path}.{key}")
    elif isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        for place, pair in enumerate(zip(then, now, strict=True)):
            yield from lacking(*pair, f"{path}.{place}")
    elif then != now:
        yield f"{path}: {then} then, {now} now"


# ---------------------------------------------------------------------------------- databases


def test_every_stream_is_whole_and_ends_where_it_did(before: Before) -> None:
    found = {one.session_id: one.verdict for one in before.store.verify_all()}
    assert {session_id: (one.ok, one.events, one.head) for session_id, one in found.items()} == {
        session_id: (True, told["verify"]["events"], told["verify"]["head"])
        for session_id, told in before.told.items()
    }


def test_every_report_has_the_same_figures(before: Before) -> None:
    for session_id, told in before.told.items():
        answer = before.client.get(
            f"/api/sessions/{session_id}", headers=bearer(told["keys"]["host"])
        )
        assert answer.status_code == 200, answer.text
        assert list(lacking(figures(told["report"]), figures(answer.get_json()))) == []


def test_every_key_opens_what_it_did_and_no_other_does(before: Before) -> None:
    for session_id, told in before.told.items():
        for status, keys in ((200, told["keys"]), (401, told["gone"])):
            assert keys or status == 401
            for name, key in keys.items():
                for path in (f"/api/sessions/{session_id}", f"/t/{session_id}"):
                    answer = before.client.get(path, headers=bearer(key))
                    assert answer.status_code == status, (name, path, answer.text)


def test_what_lies_face_down_is_seen_by_the_host_alone(before: Before) -> None:
    masked = set()
    for session_id, told in before.told.items():
        log = f"/api/sessions/{session_id}/log.jsonl"
        host, view = (
            before.client.get(log, headers=bearer(told["keys"][one])).data.splitlines()
            for one in ("host", "view")
        )
        for one, other in zip(host, view, strict=True):
            if one != other:
                assert json.loads(other)["data"] is None
                masked.add(told["report"]["matches"][0]["game"])
    assert len(masked) > 1


def test_an_append_that_comes_again_is_answered_as_it_was(before: Before) -> None:
    again = {session_id: told for session_id, told in before.told.items() if told["repeat"]}
    assert again
    for session_id, told in again.items():
        asked = told["repeat"]
        headers = {"If-Match": f'"{asked["if_match"]}"', "Idempotency-Key": asked["key"]}
        answer = before.client.post(
            f"/api/sessions/{session_id}/events", data=asked["body"],
            content_type="application/json", headers=headers | bearer(told["keys"]["host"]),
        )  # fmt: skip
        assert (answer.status_code, answer.text) == (201, asked["answer"])


def test_an_evening_goes_on_or_stays_closed(before: Before) -> None:
    closed = 0
    for session_id, told in before.told.items():
        body = {"events": [{"type": "note_added", "data": {"text": "Here we are again"}}]}
        path = f"/api/sessions/{session_id}"
        headers = bearer(told["keys"]["host"])
        version = before.client.get(path, headers=headers).headers["ETag"]
        answer = before.client.post(
            f"{path}/events", json=body, headers=headers | {"If-Match": version}
        )
        closed += told["report"]["session"]["closed"]
        due = 422 if told["report"]["session"]["closed"] else 201
        assert answer.status_code == due, answer.text
    assert 0 < closed < len(before.told)


# --------------------------------------------------------------------------------------- logs


def test_every_log_is_whole_scores_the_same_and_can_be_brought_in(version: Path) -> None:
    told = json.loads(text(version / "sqlite.json.xz")).values()
    by_head = {one["verify"]["head"]: one for one in told}
    client = client_of(sessions_an_hour=1000)
    logs = list(version.glob("*.jsonl.xz"))
    assert len(logs) > 1
    for path in logs:
        log = lzma.decompress(path.read_bytes())
        verdict = verify(BytesIO(log))
        assert verdict.ok
        then = by_head[verdict.head]
        assert verdict.events == then["verify"]["events"]
        assert list(lacking(figures(then["report"]), figures(score(log)))) == []
        new = client.post("/api/sessions/import", data=log, content_type="application/x-ndjson")
        assert (new.status_code, new.get_json()["head"]) == (201, verdict.head)
