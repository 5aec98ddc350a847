"""The JSON Schema of one line of each kind of log, by the name of the kind."""

from collections.abc import Callable, Mapping
from typing import Final

from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.log.schema import Schema, data_schemas, line_schema, log_schema


def club_log_schema() -> Schema:
    """Return the schema of one line of a club's log, sealed or by hand."""
    return line_schema("One line of the log of a club", data_schemas(CLUB_EVENTS))


LOG_SCHEMAS: Final[Mapping[str, Callable[[], Schema]]] = {
    "session": log_schema,
    "club": club_log_schema,
}
