"""The table of the keys that phones hold."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "held",
        sa.Column("phone", sa.LargeBinary, nullable=False),
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("phone", "session", name="pk_held"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_held_session_sessions"),
        sa.CheckConstraint("length(phone) = 32", name=op.f("ck_held_phone")),
        sqlite_with_rowid=False,
    )
    op.create_index("ix_held_session", "held", ["session"])


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
