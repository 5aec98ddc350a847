"""Every statement names one session, so the tables can be distributed over machines by session.

Here they are partitioned within one database. PostgreSQL reports the partitions that each
statement accesses, also within functions and triggers, while every call of the API and every page
is requested. A statement that accesses several partitions names no session.

Tests of ``store.statements``.
"""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import psycopg
import pytest
from flask.testing import FlaskClient
from sqlalchemy import Executable

from scorekeeper.live import event_streams
from scorekeeper.store import Store, statements
from scorekeeper.store.connecting import Connection
from tests.api.asking import Table, bearer, client_of
from tests.api.routes import REQUESTS
from tests.store import homes
from tests.store.homes import Home

PARTS: Final = 4

# The database tables of sessions: the partitioning column, and the primary key when partitioned.
SPREAD: Final = {
    "sessions": ("id", "id"),
    "events": ("session", "session, seq"),
    "requests": ("session", "session, key"),
    "codes": ("session", "session"),
    "evenings": ("session", "session, head"),
    "followed": ("session", "session, club, key"),
    "held": ("session", "phone, session"),
    "keys": ("session", "session, id"),  # elsewhere an id alone, which then no part could refuse
}

# Statements without a session, and why that is harmless: keys and codes are few and need no parts.
NAMES_NONE: Final[Mapping[Executable, str]] = {
    statements.KEY_OF_SECRET: "a key comes by itself, and is found by the hash of its secret",
    statements.HELD_KEYS: "the first page lists the tables of a phone, whatever they are",
    statements.FORGET_HELD: "beside a key that a phone takes, it forgets what it used long ago",
    statements.HOLD_AS_BEFORE: "a phone that got a new secret holds by it what it held before",
    statements.FORGET_PHONE: "and nothing by the one before",
    statements.CODE: "a code is typed in to be led to its session",
    statements.FORGET_CODES: "beside the code before it, a new one removes what is over",
    statements.ENDS: "a club looks where each of its evenings ends",
    statements.FOLLOWED_BY: "and up to where it may read each of them",
    statements.KEPT_EVENINGS: "and reads what was kept of those that went on",
    statements.SESSION_IDS: "backup and verify, of the command line, go through all sessions",
    statements.LISTED: "the list of all sessions, of the command line",
}

# Settings that let the server report the plan of each executed statement.
EXPLAINED: Final = (
    "session_preload_libraries=auto_explain", "auto_explain.log_min_duration=0",
    "auto_explain.log_nested_statements=on", "auto_explain.log_level=notice",
    "auto_explain.log_format=json",
)  # fmt: skip
A_PART: Final = re.compile(rf"({'|'.join(SPREAD)})_([0-9])")


class Statement(NamedTuple):
    """An executed statement: its text, and the partitions that it accessed."""

    text: str
    parts: frozenset[str]

    @property
    def one_session(self) -> bool:
        """Return whether all accessed partitions can belong to one session."""
        return len({part[-1] for part in self.parts}) <= 1


def numbered(statement: Executable) -> str:
    """Return the text of a statement as on the server, with numbered parameters."""
    names: list[str] = []

    def number(match: re.Match[str]) -> str:
        if match[1] not in names:
            names.append(match[1])
        return f"${names.index(match[1]) + 1}"

    return re.sub(r"%\((\w+)\)s", number, statements.POSTGRESQL[statement])


def parts_of(plan: Any) -> Iterator[str]:
    """Yield the partitions that a plan accesses."""
    if isinstance(plan, list):
        for node in plan:
            yield from parts_of(node)
    elif isinstance(plan, dict):
        if A_PART.fullmatch(plan.get("Relation Name", "")):
            yield plan["Relation Name"]
        for node in plan.values():
            yield from parts_of(node)


@pytest.fixture(scope="module")
def statements_run() -> Iterator[list[Statement]]:
    """Return a list that collects all executed and explained statements."""
    statements_run: list[Statement] = []

    def notice(_: Connection, diagnostic: psycopg.errors.Diagnostic) -> None:
        plan_of = (diagnostic.message_primary or "").partition("plan:\n")
        if plan_of[2]:
            explained = json.loads(plan_of[2])
            parts = frozenset(parts_of(explained["Plan"]))
            statements_run.append(Statement(explained["Query Text"].strip(), parts))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Connection, "notice", notice)
        yield statements_run


def spread(owner: psycopg.Connection[Any]) -> None:
    """Partition the empty database tables, with their triggers."""
    guards = owner.execute(
        "SELECT pg_get_triggerdef(oid), tgname, tgrelid::regclass::text FROM pg_trigger "
        "WHERE NOT tgisinternal AND tgrelid = ANY(%s::regclass[])",
        (list(SPREAD),),
    ).fetchall()
    for table, (by, key) in SPREAD.items():
        like = f"(LIKE old_{table} INCLUDING CONSTRAINTS)"
        script = [
            f"ALTER TABLE {table} RENAME TO old_{table}",
            f"CREATE TABLE {table} {like} PARTITION BY HASH ({by})",
            *(f"CREATE TABLE {table}_{n} PARTITION OF {table} "
              f"FOR VALUES WITH (MODULUS {PARTS}, REMAINDER {n})" for n in range(PARTS)),
            f"ALTER TABLE {table} ADD PRIMARY KEY ({key})",
        ]  # fmt: skip
        if by == "session":
            script.append(f"ALTER TABLE {table} ADD FOREIGN KEY (session) REFERENCES sessions")
        for command in script:
            owner.execute(command.encode())
    owner.execute(f"DROP TABLE {', '.join(f'old_{table}' for table in SPREAD)} CASCADE".encode())
    for definition, name, table in guards:
        owner.execute(definition)
        owner.execute(f"ALTER TABLE {table} ENABLE ALWAYS TRIGGER {name}".encode())


@pytest.fixture(scope="module")
def store(statements_run: list[Statement]) -> Iterator[Store]:
    """Return a store with partitioned tables and explained statements."""
    with homes.postgres_home() as home:
        with homes.sql(home) as owner:
            spread(owner)
        more = "".join(f"%20-c{setting.replace('=', '%3D')}" for setting in EXPLAINED)
        explained = Home("postgresql", home.url + more)
        try:
            yield explained.open()
        finally:
            explained.close()


@pytest.fixture(scope="module")
def client(store: Store) -> FlaskClient:
    return client_of(
        store, sessions_an_hour=10**6, failed_keys_an_hour=10**6,
        security_contact="mailto:security@example.org",
    )  # fmt: skip


def ask_all(client: FlaskClient) -> None:
    """Send every request, each about a new session."""
    for request in REQUESTS:
        table = Table.open(client)
        path, more = request.path(table), dict(request.more(table))
        headers = {**bearer(request.about(table).keys[request.sender]), **more.pop("headers", {})}
        answer = client.open(path, method=request.method, headers=headers, buffered=True, **more)
        refused = answer.status_code == request.refused
        assert answer.status_code < 400 or refused, (request.name, answer.text)
    phone = client.application.test_client()  # keeps its cookie
    for _ in range(2):
        table = Table.open(client)
        here = {"Sec-Fetch-Site": "same-origin"}
        joined = phone.post("/join", data={"key": table.keys["leo"]}, headers=here)
        assert joined.status_code < 400, joined.text
        for path in ("/", f"/t/{table.id}", f"/t/{table.id}/settings", "/prefs"):
            assert phone.get(path).status_code == 200, path


def wrong(statements_run: list[Statement]) -> set[str]:
    """Return the statements without a session that are not in the list of exceptions."""
    may = {numbered(statement) for statement in NAMES_NONE}
    return {statement.text for statement in statements_run if not statement.one_session} - may


def test_every_statement_names_one_session(
    client: FlaskClient,
    store: Store,
    statements_run: list[Statement],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(event_streams, "STREAM_LIFE_SECONDS", 0)
    ask_all(client)
    assert all(verified.verdict.ok for verified in store.verify_all())
    store.bundle(tmp_path / "bundle.zip")
    store.restore(tmp_path / "bundle.zip")
    assert store.complaints() == []
    assert store.sessions()
    assert wrong(statements_run) == set()
    assert {part[:-2] for statement in statements_run for part in statement.parts} == set(SPREAD)
    texts = {statement.text for statement in statements_run}
    for statement, why in NAMES_NONE.items():
        assert numbered(statement) in texts, why


def test_statements_of_functions_and_triggers_are_collected(
    client: FlaskClient, statements_run: list[Statement]
) -> None:
    statements_run.clear()
    Table.riparto(client)
    texts = "\n".join(statement.text for statement in statements_run)
    assert "SELECT append_events(" in texts
    assert "session = of_session ORDER BY seq DESC LIMIT 1" in texts
    assert "WHERE session = NEW.session" in texts


def test_statement_without_a_session_is_detected(
    client: FlaskClient, store: Any, statements_run: list[Statement]
) -> None:
    Table.open(client)
    for text in ("SELECT max(seq) FROM events", "SELECT count(*) FROM keys",
                 "UPDATE keys SET last_used = created WHERE id = 'x'"):  # fmt: skip
        statements_run.clear()
        with store._reading() as work:
            work.connection.execute(text)
        assert wrong(statements_run) == {text}
