"""The table of codes by which one joins a session."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "codes",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("digest", sa.LargeBinary, nullable=False),
        sa.Column("expires", sa.String(24), nullable=False),
        sa.PrimaryKeyConstraint("session", name="pk_codes"),
        sa.ForeignKeyConstraint(["session"], ["sessions.id"], name="fk_codes_session_sessions"),
        sa.UniqueConstraint("digest", name="uq_codes_digest"),
        sa.CheckConstraint("length(digest) = 32", name=op.f("ck_codes_digest")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
