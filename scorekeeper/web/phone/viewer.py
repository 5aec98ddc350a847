"""The viewer of a page, who sees what the table knows, whatever their key is for.

A host's phone lies on the table and is often that of a player: a host who also has a seat acts for
that seat.
"""

from dataclasses import replace

from scorekeeper.http.access import holder_of, report_holder
from scorekeeper.service import Holder
from scorekeeper.web.phone.own_seat import own_seat


def viewer_of(session_id: str) -> Holder:
    """Return the holder of the request's key, as a person at the table.

    Raises `UnknownSessionError`, `MissingKeyError` or `RateLimitError`.
    """
    return _seated(session_id, holder_of(session_id))


def reader_of(session_id: str) -> Holder:
    """Return the viewer of a page in review, which a club's key opens, too.

    A host who also has a seat acts for that seat.
    """
    return _seated(session_id, report_holder(session_id))


def _seated(session_id: str, holder: Holder) -> Holder:
    """Return the holder as a person at the table; a host who also has a seat acts for that seat."""
    seat = own_seat(session_id) if holder.role == "host" and holder.player is None else None
    return replace(holder, player=seat.player if seat else holder.player, at_table=True)
