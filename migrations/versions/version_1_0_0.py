"""The schema of version 1.0.0, with the triggers that keep three tables append-only."""

# ruff: noqa: INP001  # Alembic finds it by its path
# ruff: noqa: S608  # the inserted names are those of this file and of the schema

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0005"  # it replaces 0001 to 0005, which made the same schema
down_revision = None
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None

CLUSTERED: Final = {"sqlite_with_rowid": False}
APPEND_ONLY: Final = ("sessions", "events", "requests")


def upgrade() -> None:
    """Create the database tables and their guards."""
    create_sessions()
    create_events()
    create_requests()
    create_keys()
    create_limits()
    create_codes()
    create_held()
    create_evenings()
    if op.get_bind().dialect.name == "sqlite":
        guard_sqlite()
    else:
        guard_postgresql()
        create_append_events()


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")


# ------------------------------------------------------------------------------------- tables


def create_sessions() -> None:
    """Create the table of sessions and clubs."""
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("created", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_sessions"),
        sa.CheckConstraint("length(id) between 8 and 32", name=op.f("ck_sessions_id")),
        sa.CheckConstraint("length(created) = 24", name=op.f("ck_sessions_created")),
        **CLUSTERED,
    )


def create_events() -> None:
    """Create the table of events."""
    op.create_table(
        "events",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("type", sa.String(64), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.Column("by", sa.String(32), nullable=False),
        sa.Column("line", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("session", "seq", name="pk_events"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_events_session_sessions"),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_events_seq")),
        sa.CheckConstraint("length(type) between 1 and 64", name=op.f("ck_events_type")),
        sa.CheckConstraint("length(at) = 24", name=op.f("ck_events_at")),
        sa.CheckConstraint('length("by") between 1 and 32', name=op.f("ck_events_by")),
        sa.CheckConstraint("length(line) >= 2", name=op.f("ck_events_line")),
        sa.CheckConstraint("length(hash) = 64", name=op.f("ck_events_hash")),
        **CLUSTERED,
    )


def create_requests() -> None:
    """Create the table of executed requests with their answers."""
    op.create_table(
        "requests",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("status", sa.Integer, nullable=False),
        sa.Column("answer", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("session", "key", name="pk_requests"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_requests_session_sessions"),
        sa.CheckConstraint("length(key) between 1 and 200", name=op.f("ck_requests_key")),
        sa.CheckConstraint("length(digest) = 32", name=op.f("ck_requests_digest")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_requests_version")),
        sa.CheckConstraint("status between 200 and 599", name=op.f("ck_requests_status")),
        **CLUSTERED,
    )


def create_keys() -> None:
    """Create the table of capability keys."""
    op.create_table(
        "keys",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("role", sa.String(8), nullable=False),
        sa.Column("player", sa.String(32), nullable=True),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("created", sa.String(24), nullable=False),
        sa.Column("expires", sa.String(24), nullable=True),
        sa.Column("revoked", sa.String(24), nullable=True),
        sa.Column("last_used", sa.String(24), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_keys_session_sessions"),
        sa.UniqueConstraint("digest", name="uq_keys_digest"),
        sa.CheckConstraint("role in ('host', 'seat', 'view')", name=op.f("ck_keys_role")),
        sa.CheckConstraint("(role = 'seat') = (player is not null)", name=op.f("ck_keys_player")),
        sa.CheckConstraint("length(digest) = 32", name=op.f("ck_keys_digest")),
        **CLUSTERED,
    )
    op.create_index("ix_keys_session", "keys", ["session"])


def create_limits() -> None:
    """Create the table of the counts of limited acts."""
    op.create_table(
        "limits",
        sa.Column("kind", sa.String(32), nullable=False),
        sa.Column("subject", sa.LargeBinary, nullable=False),
        sa.Column("started", sa.String(24), nullable=False),
        sa.Column("count", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("kind", "subject", name="pk_limits"),
        sa.CheckConstraint("length(subject) = 32", name=op.f("ck_limits_subject")),
        sa.CheckConstraint("count >= 1", name=op.f("ck_limits_count")),
        **CLUSTERED,
    )


def create_codes() -> None:
    """Create the table of codes to join a session."""
    op.create_table(
        "codes",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_codes"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_codes_session_sessions"),
        sa.UniqueConstraint("digest", name="uq_codes_digest"),
        sa.CheckConstraint("length(digest) = 32", name=op.f("ck_codes_digest")),
        **CLUSTERED,
    )


def create_held() -> None:
    """Create the table of the keys that phones hold."""
    op.create_table(
        "held",
        sa.Column("phone", sa.LargeBinary, nullable=False),
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("phone", "session", name="pk_held"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_held_session_sessions"),
        sa.CheckConstraint("length(phone) = 32", name=op.f("ck_held_phone")),
        **CLUSTERED,
    )
    op.create_index("ix_held_session", "held", ["session"])


def create_evenings() -> None:
    """Create the table of the results of evenings, by session and head."""
    op.create_table(
        "evenings",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("session", "head", name="pk_evenings"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_evenings_session_sessions"),
        sa.CheckConstraint("length(head) = 64", name=op.f("ck_evenings_head")),
        sa.CheckConstraint("length(told) >= 2", name=op.f("ck_evenings_told")),
        **CLUSTERED,
    )


# ----------------------------------------------------------------------------------- triggers

# In SQLite, REPLACE deletes without firing a trigger against DELETE, unless the connection turned
# on recursive triggers. So each unique key has a guard before the insert; that of events is the
# trigger for the next seq.
REPLACEABLE: Final = {
    "sessions": "id = NEW.id",
    "requests": "session = NEW.session AND key = NEW.key",
}


def guard_sqlite() -> None:
    """Create the triggers of SQLite."""
    for table in APPEND_ONLY:
        for verb in ("UPDATE", "DELETE"):
            op.execute(f"""
                CREATE TRIGGER {table}_no_{verb.lower()} BEFORE {verb} ON {table}
                BEGIN SELECT RAISE(ABORT, '{table}: nothing is ever changed'); END
            """)
    for table, same in REPLACEABLE.items():
        op.execute(f"""
            CREATE TRIGGER {table}_no_replace BEFORE INSERT ON {table}
            WHEN EXISTS (SELECT 1 FROM {table} WHERE {same})
            BEGIN SELECT RAISE(ABORT, '{table}: nothing is ever changed'); END
        """)
    op.execute("""
        CREATE TRIGGER events_next_seq BEFORE INSERT ON events
        WHEN NEW.seq IS NOT (SELECT coalesce(max(seq), 0) + 1 FROM events
                             WHERE session = NEW.session)
        BEGIN SELECT RAISE(ABORT, 'events: this seq is not the next of its session'); END
    """)


def guard_postgresql() -> None:
    """Create the triggers of PostgreSQL; they do not depend on the search path of the caller."""
    events = f"{schema()}.events"
    op.execute(f"""
        CREATE FUNCTION {schema()}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION '%: nothing is ever changed', TG_TABLE_NAME
                USING ERRCODE = 'restrict_violation';
        END $$
    """)
    # Not max(seq), which PostgreSQL may answer by reading the whole stream.
    op.execute(f"""
        CREATE FUNCTION {schema()}.demand_next_seq() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            IF NEW.seq IS DISTINCT FROM 1 + coalesce(
                (SELECT seq FROM {events} WHERE session = NEW.session
                 ORDER BY seq DESC LIMIT 1), 0)
            THEN
                RAISE EXCEPTION 'events: this seq is not the next of its session'
                    USING ERRCODE = 'restrict_violation';
            END IF;
            RETURN NEW;
        END $$
    """)
    for table in APPEND_ONLY:
        guard(table, f"{table}_no_change", "BEFORE UPDATE OR DELETE OR TRUNCATE",
              "FOR EACH STATEMENT", "refuse_change")  # fmt: skip
    guard("events", "events_next_seq", "BEFORE INSERT", "FOR EACH ROW", "demand_next_seq")


def guard(table: str, name: str, when: str, each: str, function: str) -> None:
    """Create a trigger."""
    op.execute(f"""
        CREATE TRIGGER {name} {when} ON {schema()}.{table} {each}
        EXECUTE FUNCTION {schema()}.{function}()
    """)
    # It also fires if session_replication_role is set to skip triggers.
    op.execute(f"ALTER TABLE {schema()}.{table} ENABLE ALWAYS TRIGGER {name}")


# A whole append in one statement; each further statement would add a fifth to its time. The writer
# sealed the lines on the head that it knows. If the session has another head or version, or the
# request was executed before, nothing is written, and the writer finds out why. The lock comes
# first, so that the queries after it see all that its former holder committed. A trigger that
# suppresses a row undoes the append.
APPEND_EVENTS: Final = """
    CREATE FUNCTION {schema}.append_events(
        of_session text, after_seq int, after_hash text,
        types text[], times text[], authors text[], lines bytea[], hashes text[],
        request_key text, request_digest bytea, answer_status int, answer_bytes bytea
    ) RETURNS boolean LANGUAGE plpgsql AS $$
    DECLARE
        last_seq int;
        last_hash text;
    BEGIN
        PERFORM pg_advisory_xact_lock({lock}, hashtext(of_session));
        IF request_key IS NOT NULL THEN
            PERFORM 1 FROM {schema}.requests WHERE session = of_session AND key = request_key;
            IF FOUND THEN
                RETURN false;
            END IF;
        END IF;
        SELECT seq, hash INTO last_seq, last_hash FROM {schema}.events
            WHERE session = of_session ORDER BY seq DESC LIMIT 1;
        IF last_seq IS DISTINCT FROM after_seq OR last_hash IS DISTINCT FROM after_hash THEN
            RETURN false;
        END IF;
        FOR i IN 1 .. cardinality(lines) LOOP
            INSERT INTO {schema}.events (session, seq, type, at, by, line, hash) VALUES
                (of_session, after_seq + i, types[i], times[i], authors[i], lines[i], hashes[i]);
            IF NOT FOUND THEN
                RAISE internal_error USING MESSAGE = 'events: a row was not taken';
            END IF;
        END LOOP;
        IF request_key IS NOT NULL THEN
            INSERT INTO {schema}.requests (session, key, digest, version, status, answer) VALUES
                (of_session, request_key, request_digest, after_seq + cardinality(lines),
                 answer_status, answer_bytes);
            IF NOT FOUND THEN
                RAISE internal_error USING MESSAGE = 'requests: a row was not taken';
            END IF;
        END IF;
        RETURN true;
    END $$
"""
LOCK: Final = 1396918864  # the first key of every advisory lock of this project


def create_append_events() -> None:
    """Create the function that appends events."""
    op.execute(APPEND_EVENTS.format(schema=schema(), lock=LOCK))


def schema() -> str:
    """Return the quoted name of the schema that contains the tables."""
    name: str = op.get_bind().scalar(sa.text("SELECT quote_ident(current_schema())"))
    return name
