"""Keys: who is given one is shown it once, and it stands nowhere else."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import psycopg
import pytest
from psycopg import sql

from tests.faults.phones import Phone, body_of
from tests.faults.running import Again, Two
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
    """The answers to a host who records, and makes keys, which are added to these."""
    with closing(Phone(server.port, session)) as host:
        yield host.insist(NOTE, "first")
        yield host.ask("POST", "/events", body_of("late"), **host.headers("second", 1))
        for role in ("view", "host"):
            made = host.ask(
                "POST", "/keys", f'{{"role": "{role}"}}', Content_Type="application/json"
            )
            keys.append(made.json["key"])
            yield host.ask("DELETE", f"/keys/{made.json['id']}")


def used(server: Server, session: Any, key: str) -> Iterator[Answer]:
    """The answers to who uses a key in all ways that there are, and in wrong ones."""
    path, said = f"/api/sessions/{session['id']}", {"Referer": f"http://localhost/join/{key}"}
    for view in VIEWS:
        yield server.get(path + view, Authorization=f"Bearer {key}", **said)
    yield server.get(f"/t/{session['id']}", Cookie=f"table-{session['id']}={key}", **said)
    yield server.get("/api/sessions/23456789abcd", Authorization=f"Bearer {key}")
    for wrong in WRONG:
        yield server.get(wrong.format(key, path), User_Agent=key, X_Request_ID=key, **said)
    server.get(f"/t/{key}")  # says that there is no such session, to who asked and to nobody else
    page = server.get(f"/join/{key}", **said)  # its form holds the key, which it is about
    yield page._replace(body=page.body.replace(f'value="{key}"'.encode(), b"", 1))
    joined = server.get("/join", "POST", f"key={key}", Content_Type=FORM)
    cookieless = {name: one for name, one in joined.headers.items() if name != "Set-Cookie"}
    yield joined._replace(headers=cookieless)


def places(running: Again, database: Iterable[bytes]) -> Iterator[tuple[str, bytes]]:
    """Everything that came of keys which were used, each with its name; the keys come first."""
    server = running.server
    session = server.open_session()
    given = session["keys"]
    keys = [given["host"], given["view"], *given["seats"].values()]
    answers = list(recorded(server, session, keys))
    for key in (*keys, "canary-that-opens-nothing"):
        answers += used(server, session, key)
    yield "keys", "\n".join(keys).encode()
    for answer in answers:
        yield f"an answer of status {answer.status}", f"{answer.headers}".encode() + answer.body
    yield "what was printed", server.printed.read_bytes()
    yield "the log", server.logged.read_bytes()
    dump = b"".join(database)
    assert NOTE.encode() in dump  # what was recorded is in it
    yield "the database", dump


def found(running: Again, database: Iterable[bytes]) -> list[str]:
    """Where a key stands that should not."""
    (_, keys), *others = places(running, database)
    secrets = [*keys.splitlines(), b"canary-that-opens-nothing"]
    assert len(secrets) == len(set(secrets)) == 6
    return [name for name, content in others if any(secret in content for secret in secrets)]


def dump_of(servers: Two) -> Iterator[bytes]:
    """All that a database holds."""
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


def test_a_key_stands_nowhere_but_where_it_was_given(servers: Two) -> None:
    assert found(servers.sound, dump_of(servers)) == []


@pytest.mark.soak
def test_a_service_that_logs_keys_is_found_out(on_sqlite: Two) -> None:
    with on_sqlite.altered.broken("logs keys"):
        assert found(on_sqlite.altered, dump_of(on_sqlite)) == ["the log"]
