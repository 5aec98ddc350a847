"""The database tables of seats that ask to become the host, and of hosts' own seats."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create the tables; of a seat that a host took before, it is not known that it is theirs."""
    op.create_table(
        "host_requests",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.Column("asked", sa.String(24), nullable=False),
        sa.Column("ended", sa.String(24), nullable=True),
        sa.Column("outcome", sa.String(16), nullable=True),
        sa.PrimaryKeyConstraint("session", name="pk_host_requests"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.id"], name="fk_host_requests_session_sessions"
        ),
        sa.CheckConstraint("length(asked) = 24", name=op.f("ck_host_requests_asked")),
        sa.CheckConstraint(
            "(ended is null) = (outcome is null)", name=op.f("ck_host_requests_outcome")
        ),
        sqlite_with_rowid=False,
    )
    for name in ("host_agreements", "host_seats"):
        op.create_table(
            name,
            sa.Column("session", sa.String(32), nullable=False),
            sa.Column("key", sa.String(32), nullable=False),
            sa.PrimaryKeyConstraint("session", "key", name=f"pk_{name}"),
            sa.ForeignKeyConstraint(
                ["session"], ["sessions.id"], name=f"fk_{name}_session_sessions"
            ),
            sqlite_with_rowid=False,
        )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
