"""A key is shown to the client that receives it, and appears nowhere else."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql

from tests.faults.phones import Phone, body_of
from tests.faults.running import RestartableServer, ServerPair
from tests.operation.serving import Answer, Server

VIEWS: Final = (
    "",
    "/events",
    "/next",
    "/log.jsonl",
    "/results.csv",
    "/lines.csv",
    "/payments.csv",
    "/keys",
)
WRONG: Final = ("/nothing/{0}", "/?key={0}", "{1}?{0}", "{1}/keys/{0}", "/api/{0}")
FORM: Final = "application/x-www-form-urlencoded"
NOTE: Final = "a note that is on record"


def recorded(server: Server, session: Any, keys: list[str]) -> Iterator[Answer]:
    """Record and make keys as the host; yield the answers, and add the keys to ``keys``."""
    with closing(Phone(server.port, session)) as host:
        yield host.insist(NOTE, "first")
        yield host.ask("POST", "/events", body_of("late"), **host.headers("second", 1))
        for role in ("view", "host"):
            answer = host.ask(
                "POST", "/keys", f'{{"role": "{role}"}}', Content_Type="application/json"
            )
            keys.append(answer.json["key"])
            yield host.ask("DELETE", f"/keys/{answer.json['id']}")


def used(server: Server, session: Any, key: str) -> Iterator[Answer]:
    """Use a key in all correct and several wrong ways; yield the answers."""
    path, headers = f"/api/sessions/{session['id']}", {"Referer": f"http://localhost/join/{key}"}
    for view in VIEWS:
        yield server.get(path + view, Authorization=f"Bearer {key}", **headers)
    yield server.get("/api/sessions/23456789abcd", Authorization=f"Bearer {key}")
    for wrong in WRONG:
        yield server.get(wrong.format(key, path), User_Agent=key, X_Request_ID=key, **headers)
    server.get(f"/t/{key}")  # refuses the key as the id of a session, to this client only
    page = server.get(f"/join/{key}", **headers)  # its form contains the key
    yield page._replace(body=page.body.replace(f'value="{key}"'.encode(), b"", 1))
    joined = server.get("/join", "POST", f"key={key}", Content_Type=FORM)
    cookieless = {name: header for name, header in joined.headers.items() if name != "Set-Cookie"}
    yield joined._replace(headers=cookieless)
    for cookie in joined.cookies:  # none if the key opens nothing
        yield server.get(f"/t/{session['id']}", Cookie=cookie.partition(";")[0], **headers)


def places(running: RestartableServer, database: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield all outputs after keys were used, with their names; the keys come first."""
    server = running.server
    session = server.open_session()
    keys_of_session = session["keys"]
    keys = [keys_of_session["host"], keys_of_session["view"], *keys_of_session["seats"].values()]
    answers = list(recorded(server, session, keys))
    for key in (*keys, "canary-that-opens-nothing"):
        answers += used(server, session, key)
    yield "keys", "\n".join(keys).encode()
    for answer in answers:
        yield f"an answer of status {answer.status}", f"{answer.headers}".encode() + answer.body
    yield "what was printed", server.printed.read_bytes()
    yield "the log", server.logged.read_bytes()
    dump = b"".join(database)
    assert NOTE.encode() in dump  # it contains recorded events
    yield "the database", dump


def find_secrets(running: RestartableServer, database: Iterable[bytes]) -> list[str]:
    """Return the outputs that contain a key and should not."""
    (_, keys), *others = places(running, database)
    secrets = [*keys.splitlines(), b"canary-that-opens-nothing"]
    assert len(secrets) == len(set(secrets)) == 6
    return [name for name, content in others if any(secret in content for secret in secrets)]


def dump_of(servers: ServerPair) -> Iterator[bytes]:
    """Yield the contents of a database."""
    if servers.url.startswith("sqlite:"):
        file = Path(servers.url.removeprefix("sqlite:///"))
        yield from (path.read_bytes() for path in file.parent.glob(f"{file.name}*"))
        return
    with psycopg.connect(servers.url) as connection:
        tables = connection.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        for (table,) in tables.fetchall():
            rows = connection.execute(sql.SQL("SELECT * FROM {}").format(sql.Identifier(table)))
            yield from (field if isinstance(field, bytes) else f"{field}".encode()
                        for row in rows for field in row)  # fmt: skip


def test_key_appears_only_in_the_answer_that_issues_it(servers: ServerPair) -> None:
    assert find_secrets(servers.sound, dump_of(servers)) == []


@pytest.mark.soak
def test_service_that_logs_keys_is_detected(on_sqlite: ServerPair) -> None:
    with on_sqlite.altered.with_fault("logs keys"):
        assert find_secrets(on_sqlite.altered, dump_of(on_sqlite)) == ["the log"]
