"""The database table of the evenings that clubs may read, and by which key."""

# ruff: noqa: INP001  # Alembic finds it by its path

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create the table; evenings entered before it count as entered by their host."""
    op.create_table(
        "followed",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("club", sa.String(32), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("version", sa.Integer, nullable=True),
        sa.Column("head", sa.String(64), nullable=True),
        sa.PrimaryKeyConstraint("session", "club", "key", name="pk_followed"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_followed_session_sessions"),
        sa.CheckConstraint("length(club) between 8 and 32", name=op.f("ck_followed_club")),
        sa.CheckConstraint("version >= 1", name=op.f("ck_followed_version")),
        sa.CheckConstraint("length(head) = 64", name=op.f("ck_followed_head")),
        sa.CheckConstraint("(version is null) = (head is null)", name=op.f("ck_followed_stop")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_followed_club", "followed", ["club"])
    connection = op.get_bind()
    sessions = {row[0] for row in connection.execute(sa.text("SELECT id FROM sessions"))}
    entered = {(club, one) for club, one in _entered(connection) if one in sessions}
    for club, one in sorted(entered):
        connection.execute(INSERT, {"session": one, "club": club})


def _entered(connection: sa.Connection) -> Iterator[tuple[str, Any]]:
    """The club and the session of each event that enters an evening."""
    for club, line in connection.execute(ENTERED):
        event = json.loads(bytes(line))
        data = event["data"]
        if event["type"] != "evening_entered":
            data = data.get("data") if data.get("type") == "evening_entered" else None
        if isinstance(data, dict) and isinstance(data.get("session"), str):
            yield club, data["session"]


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")


# The id of a club begins with a letter that none of a session has.
ENTERED: Final = sa.text(
    "SELECT session, line FROM events WHERE session LIKE 'o%' "
    "AND type IN ('evening_entered', 'event_inserted', 'event_replaced')"
)
INSERT: Final = sa.text("INSERT INTO followed (session, club, key) VALUES (:session, :club, '')")
