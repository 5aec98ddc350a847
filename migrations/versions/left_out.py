"""The part that a public page leaves out."""

# ruff: noqa: INP001  # Alembic finds it by its path

from collections.abc import Sequence

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels: Sequence[str] | None = None
depends_on: Sequence[str] | None = None


def upgrade() -> None:
    """Add the column; the pages that are public leave nothing out."""
    column = sa.Column("left_out", sa.String(16), nullable=False, server_default="")
    op.add_column("publications", column)


def downgrade() -> None:
    """Refuse."""
    raise NotImplementedError("what is on record is not taken back")
