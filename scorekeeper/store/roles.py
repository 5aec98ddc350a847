"""The PostgreSQL role of the service, which can add events but not change or delete them."""

from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg import sql

from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.connecting import MIGRATION_SILENCE_SECONDS, Hosts
from scorekeeper.store.postgres_server import translate_errors

# The owner of the database tables could disable their triggers; this role cannot.
GRANTS: Final[Mapping[str, str]] = {
    "sessions": "SELECT, INSERT",
    "events": "SELECT, INSERT",
    "requests": "SELECT, INSERT",
    "recorders": "SELECT, INSERT",
    "keys": "SELECT, INSERT, UPDATE (revoked, last_used)",
    "held": "SELECT, INSERT, DELETE",
    "codes": "SELECT, INSERT, DELETE",
    "evenings": "SELECT, INSERT, DELETE",
    "followed": "SELECT, INSERT, UPDATE (version, head)",
    "host_requests": "SELECT, INSERT, UPDATE (ended, outcome), DELETE",
    "host_agreements": "SELECT, INSERT, DELETE",
    "host_seats": "SELECT, INSERT, DELETE",
    "deleted": "SELECT, INSERT",
    "publications": "SELECT, INSERT, UPDATE (ended, names, parents, left_out)",
    "limits": "SELECT, INSERT, UPDATE, DELETE",
    "alembic_version": "SELECT",
}

UNFIT: Final = """
    SELECT rolsuper OR EXISTS (
        SELECT 1 FROM pg_tables
        WHERE schemaname = current_schema() AND tablename = ANY(%s)
          AND pg_has_role(%s, tableowner, 'member')
    ) FROM pg_roles WHERE rolname = %s
"""


def grant_app_role(server: PostgresServer, role: str, password: str | None = None) -> None:
    """Create a role if it does not exist, and grant it exactly the rights that the service needs.

    The owner of the database tables has to run it after each migration. Without a password the
    authentication rules of the server apply.

    Raises `ValueError` if the role is a superuser, or owns the database tables.
    """
    hosts = Hosts(server, MIGRATION_SILENCE_SECONDS)
    with translate_errors("changed"), hosts.connect(autocommit=False) as connection:
        name = sql.Identifier(role)
        if not _exists(connection, role):
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(name))
        if connection.execute(UNFIT, (list(GRANTS), role, role)).fetchone() != (False,):
            raise ValueError(f"the role {role} owns the tables, or may do anything")
        if password is not None:
            change = sql.SQL("ALTER ROLE {} PASSWORD {}").format(name, sql.Literal(password))
            connection.execute(change)
        _grant(connection, name)


def _exists(connection: psycopg.Connection[Any], role: str) -> bool:
    """Return whether the server has this role."""
    cursor = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,))
    return cursor.fetchone() is not None


def _grant(connection: psycopg.Connection[Any], role: sql.Identifier) -> None:
    """Grant a role the rights in ``GRANTS`` on the present schema, and revoke all others."""
    row = connection.execute("SELECT current_database(), current_schema()").fetchone()
    database, schema = (sql.Identifier(value) for value in row or ())
    names = {"role": role, "database": database, "schema": schema}
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {database} TO {role}").format(**names))
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {schema} TO {role}").format(**names))
    for table, rights in GRANTS.items():
        parts = {**names, "table": sql.Identifier(table), "rights": sql.SQL(rights)}
        connection.execute(sql.SQL("REVOKE ALL ON {schema}.{table} FROM {role}").format(**parts))
        connection.execute(sql.SQL("GRANT {rights} ON {schema}.{table} TO {role}").format(**parts))
