"""The function that appends asks of each row whether the table took it."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence
from typing import Final

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the function anew, where there is one."""
    if op.get_context().dialect.name == "postgresql":
        schema = op.get_bind().scalar(sa.text("SELECT quote_ident(current_schema())"))
        op.execute(APPEND_EVENTS.format(schema=schema, lock=LOCK))


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")


# As it was first made, but that a row which is not taken, by whatever trigger, undoes the append.
APPEND_EVENTS: Final = """
    CREATE OR REPLACE FUNCTION {schema}.append_events(
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
