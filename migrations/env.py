"""Runs the migrations on the connection that ``scorekeeper.store.migrating`` hands over."""  # noqa: INP001

from typing import Any, Literal

from alembic import context
from alembic.autogenerate.api import AutogenContext
from sqlalchemy import Connection
from sqlmodel.sql.sqltypes import AutoString

from scorekeeper.store.tables import METADATA


def render(kind: str, thing: Any, _: AutogenContext) -> str | Literal[False]:
    """How a migration written by Alembic names a column's type."""
    if kind == "type" and isinstance(thing, AutoString):
        return f"sa.String(length={thing.length})"
    return False


def run(connection: Connection) -> None:
    """Run the migrations within the transaction that the connection is in."""
    context.configure(
        connection=connection,
        target_metadata=METADATA,
        render_item=render,
        # Batch mode makes a table anew, and drops its triggers without a word.
        render_as_batch=False,
        compare_type=True,
    )
    context.run_migrations()


run(context.config.attributes["connection"])
