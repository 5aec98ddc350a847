"""The table of the keys by which events came that the log does not ascribe to anybody."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create the table."""
    op.create_table(
        "recorders",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("key", sa.String(32), nullable=False),
        sa.PrimaryKeyConstraint("session", "seq", name="pk_recorders"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_recorders_session_sessions"),
        sa.CheckConstraint("seq >= 1", name=op.f("ck_recorders_seq")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
