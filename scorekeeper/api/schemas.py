"""The marshmallow schemas of answers, from which the OpenAPI document is made.

A view returns plain values. Its schema documents them and does not change them, so that a key
that a game adds to the report is not lost. The tests check that answers match the document.
"""

import inspect
from collections.abc import Iterable
from typing import Any, Final

from marshmallow import EXCLUDE, Schema

from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.events.event import Event
from scorekeeper.log.schema import SEAL_FIELDS, data_schema, data_schemas_by_type
from scorekeeper.store.keyring import ID_PATTERNS, StreamKind
from scorekeeper.tournaments.events import TOURNAMENT_EVENTS

EVENTS: Final = data_schemas_by_type()  # the data of each type of event


def describe_events(events: Iterable[type[Event]]) -> dict[str, JsonObject]:
    """Return the schemas of the data of events, with their descriptions, by type."""
    return {
        event_type.TYPE: {
            "description": inspect.cleandoc(event_type.__doc__ or ""),
            **data_schema(event_type),
        }
        for event_type in events
    }


OF_CLUBS: Final = describe_events(CLUB_EVENTS)  # the same of a club
OF_TOURNAMENTS: Final = describe_events(TOURNAMENT_EVENTS)
HASH: Final[str] = SEAL_FIELDS["hash"]["pattern"]
TIME: Final[str] = SEAL_FIELDS["at"]["pattern"]
ID: Final = f"^{ID_PATTERNS[StreamKind.SESSION]}$"
CLUB_ID: Final = f"^{ID_PATTERNS[StreamKind.CLUB]}$"
TOURNAMENT_ID: Final = f"^{ID_PATTERNS[StreamKind.TOURNAMENT]}$"


class AnswerSchema(Schema):
    """Base of the schemas of answers, which are documented and sent unchanged."""

    class Meta:
        """Readers ignore unknown members, which later versions may add."""

        unknown = EXCLUDE

    def dump(self, obj: object, *, many: bool | None = None) -> Any:
        """Return the value unchanged."""
        return obj
