"""Who looks at a page: he sees what the table knows, whatever his key is for.

The phone of a host lies among the others, and is often that of a player: who has a seat beside
being the host speaks for himself by that.
"""

from dataclasses import replace

from scorekeeper.http.access import holder_of, reading
from scorekeeper.service import Holder
from scorekeeper.web.phone.own_seat import own_seat


def viewer_of(session_id: str) -> Holder:
    """Who holds the key that came, as one at the table.

    Raises `UnknownSessionError`, `MissingKeyError` or `RateLimitError`.
    """
    return _seated(session_id, holder_of(session_id))


def reader_of(session_id: str) -> Holder:
    """The same of a page that looks back, which also a key to a club opens."""
    return _seated(session_id, reading(session_id))


def _seated(session_id: str, holder: Holder) -> Holder:
    seat = own_seat(session_id) if holder.role == "host" and holder.player is None else None
    return replace(holder, player=seat.player if seat else holder.player, at_table=True)
