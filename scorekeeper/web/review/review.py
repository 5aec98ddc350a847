"""Functions shared by the pages in review: the viewer, the hand, and cached parts of pages."""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.base import pacing
from scorekeeper.http.access import ANY
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import request_language
from scorekeeper.report.footnotes import BY, STATES
from scorekeeper.report.marks import MARKS
from scorekeeper.service import Holder
from scorekeeper.service.permissions import refuse_role
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.streams.requests import UnderLock
from scorekeeper.web.frame.drawings import sprite_url
from scorekeeper.web.phone.viewer import reader_of
from scorekeeper.web.wording.days import writes_month_first

T = TypeVar("T")


def see_as_viewer(session_id: str, make: Callable[[Session, Holder], T]) -> T:
    """Return the result of `make` for a session and the viewer of the request.

    Raises `UnknownSessionError`, `MissingKeyError` or `ForbiddenError`.
    """
    holder = reader_of(session_id)
    refuse_role(holder, *ANY)
    return service().see(session_id, lambda session: make(session, holder), holder)


def cached_part(
    session_id: str, holder: Holder, what: Hashable, make: UnderLock[Session, str]
) -> tuple[Position, str]:
    """Return the end of the log and a part of a page, cached for viewers with equal access.

    Access is equal if language, order of dates, role and seat are; for a seat also the key, as one
    key may strike what another may not. ``holder`` may see the session, and ``what`` identifies
    everything else that the part depends on.
    """
    key = holder.key.id if holder.role == "seat" and holder.key else None
    language = request_language(), writes_month_first()
    cache_key = what, language, sprite_url(""), holder.role, holder.player, key, holder.only_signs
    end, content = service().see_shared(
        session_id, cache_key, lambda session: make(session).encode(), holder
    )
    return end, content.decode()


def copy_session(session_id: str) -> tuple[Session, Holder]:
    """Return a copy of a session, for long work while others record, and the viewer.

    Raises `BusyError` if the session is long and too many others are being worked for.
    """
    entries, awaiting, hidden, holder = see_as_viewer(
        session_id,
        lambda session, holder: (
            list(session.corrections.recorded.values()), session.awaiting, session.hidden, holder,
        ),
    )  # fmt: skip
    pacing.expect(len(entries))
    copy = Session.of(entries, awaiting)
    copy.hidden = hidden
    return copy, holder


def find_hand(session: Session, match: int | None, hand: int) -> HandRecord:
    """Return a hand by its numbers, by default of the last match.

    Raises `NotFound` if there is none.
    """
    matches = session.structure.matches
    number = len(matches) if match is None else match
    if not 1 <= number <= len(matches) or not 1 <= hand <= len(matches[number - 1].hands):
        raise NotFound(_("There is no such hand in this session."))
    return matches[number - 1].hands[hand - 1]


# -------------------------------------------------------------------------------------- seats


def places_around_table(
    players: tuple[str, ...], direction: str, nearest: str | None
) -> dict[str, int]:
    """Return the place of each player, counted counter-clockwise from the player `nearest`.

    `direction` is the direction of play.
    """
    first = players.index(nearest) if nearest in players else 0
    count = len(players)
    steps = {player: (place - first) % count for place, player in enumerate(players)}
    if direction == "clockwise":
        return {player: -step % count for player, step in steps.items()}
    return steps


def group_fingerprint(head: str) -> list[str]:
    """Return a fingerprint in groups of four digits, to be read aloud and compared."""
    return [head[place : place + 4] for place in range(0, len(head), 4)]


GLOBALS: Final = {
    "HOW": {
        "struck": _l("crossed out"),
        "replaced": _l("replaced"),
        "inserted": _l("inserted"),
    },
    "STATE": {name: _l(text) for name, text in STATES.items()},
    "MARKS": MARKS,
    "BY": {name: _l(text) for name, text in BY.items()},
}
