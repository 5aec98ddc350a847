"""The database table of sessions and clubs that the operator deleted."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create the table; nothing could be deleted before."""
    op.create_table(
        "deleted",
        sa.Column("id", sa.String(32), nullable=False),
        sa.Column("at", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_deleted"),
        sa.CheckConstraint("length(id) between 8 and 32", name=op.f("ck_deleted_id")),
        sa.CheckConstraint("length(at) = 24", name=op.f("ck_deleted_at")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
