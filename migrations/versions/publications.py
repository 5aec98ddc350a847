"""The database table of the public addresses of streams."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Create the table; nothing is public before somebody publishes it."""
    op.create_table(
        "publications",
        sa.Column("session", sa.String(32), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("address", sa.String(26), nullable=False),
        sa.Column("created", sa.String(24), nullable=False),
        sa.Column("ended", sa.String(24), nullable=True),
        sa.Column("names", sa.String(8), nullable=False),
        sa.Column("parents", sa.String(2000), nullable=False),
        sa.PrimaryKeyConstraint("session", "number", name="pk_publications"),
        sa.UniqueConstraint("address", name="uq_publications_address"),
        sa.ForeignKeyConstraint(
            ["session"], ["sessions.id"], name="fk_publications_session_sessions"
        ),
        sa.CheckConstraint("number >= 1", name=op.f("ck_publications_number")),
        sa.CheckConstraint("length(address) = 26", name=op.f("ck_publications_address")),
        sa.CheckConstraint("length(created) = 24", name=op.f("ck_publications_created")),
        sa.CheckConstraint("names in ('initials', 'full')", name=op.f("ck_publications_names")),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
