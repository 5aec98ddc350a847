"""The JSON Schema of one line of each kind of log, by the name of the kind."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.log.schema import Schema, data_schemas, line_schema, log_schema
from scorekeeper.tournaments.events import TOURNAMENT_EVENTS


def club_log_schema() -> Schema:
    """Return the schema of one line of a club's log, sealed or by hand."""
    return line_schema("One line of the log of a club", data_schemas(CLUB_EVENTS))


def tournament_log_schema() -> Schema:
    """Return the schema of one line of a tournament's log, sealed or by hand."""
    return line_schema("One line of the log of a tournament", data_schemas(TOURNAMENT_EVENTS))


LOG_SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "session": log_schema,
    "club": club_log_schema,
    "tournament": tournament_log_schema,
}
