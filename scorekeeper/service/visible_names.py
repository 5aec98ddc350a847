"""Refuse invisible names and titles of new events; older logs may contain them."""

from collections.abc import Mapping

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.events.names import invisible_texts
from scorekeeper.games.game import Classes
from scorekeeper.log import codec


def refuse_invisible(event: Event, types: Mapping[str, Classes] = codec.COMMON_TYPES) -> None:
    """Raise `UnusableError`, with the field, if a name or title of an event is invisible.

    Events within corrections are checked, too. ``types`` are the types of events of the log.
    """
    field = next(invisible_texts(event), None)
    if field is not None:
        cause = Cause("expected a text with visible characters", "invisible_name")
        raise UnusableError(cause, field=f"data.{field}")
    if isinstance(event, EventReplaced | EventInserted) and event.type in types:
        try:
            refuse_invisible(codec.decode(event.type, event.data, types), types)
        except UnusableError as error:
            error.field = f"data.{error.field}"
            raise
