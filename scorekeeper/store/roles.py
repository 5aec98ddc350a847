"""The role that the service runs as in PostgreSQL: it can add events, and nothing else to them."""

from collections.abc import Mapping
from typing import Any, Final

import psycopg
from psycopg import sql

from scorekeeper.store.addresses import PostgresServer
from scorekeeper.store.connecting import FOR_THE_SCHEMA, Hosts
from scorekeeper.store.postgres_server import translated

# The owner of the tables could switch their triggers off; this role can not even try.
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
    """Make a role, if there is none, and grant it what the service needs and no more.

    To be run by the owner of the tables, after each migration. Without a password the role logs in
    as the server allows.

    Raises `ValueError` if the role could change the tables anyway.
    """
    hosts = Hosts(server, FOR_THE_SCHEMA)
    with translated("changed"), hosts.connect(autocommit=False) as connection:
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
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,))
    return found.fetchone() is not None


def _grant(connection: psycopg.Connection[Any], role: sql.Identifier) -> None:
    row = connection.execute("SELECT current_database(), current_schema()").fetchone()
    database, schema = (sql.Identifier(one) for one in row or ())
    names = {"role": role, "database": database, "schema": schema}
    connection.execute(sql.SQL("GRANT CONNECT ON DATABASE {database} TO {role}").format(**names))
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA {schema} TO {role}").format(**names))
    for table, rights in GRANTS.items():
        here = {**names, "table": sql.Identifier(table), "rights": sql.SQL(rights)}
        connection.execute(sql.SQL("REVOKE ALL ON {schema}.{table} FROM {role}").format(**here))
        connection.execute(sql.SQL("GRANT {rights} ON {schema}.{table} TO {role}").format(**here))
