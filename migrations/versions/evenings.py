"""The table of what evenings come to, by their heads."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "evenings",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("head", sa.String(64), nullable=False),
        sa.Column("told", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("session", "head", name="pk_evenings"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_evenings_session_sessions"),
        sa.CheckConstraint("length(head) = 64", name=op.f("ck_evenings_head")),
        sa.CheckConstraint("length(told) >= 2", name=op.f("ck_evenings_told")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
