"""What the pages that look back on a session share: who looks, at which hand, in what words."""

from collections.abc import Callable, Hashable
from typing import Final, TypeVar

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.http.access import ANY
from scorekeeper.http.extensions import service
from scorekeeper.http.preferences import asked_language
from scorekeeper.report.footnotes import BY, STATES
from scorekeeper.report.marks import MARKS
from scorekeeper.service import Holder
from scorekeeper.service.permissions import refuse_role
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Position
from scorekeeper.web.frame.drawings import sprite
from scorekeeper.web.phone.viewer import reader_of

T = TypeVar("T")


def look(session_id: str, make: Callable[[Session, Holder], T]) -> T:
    """What is made of a session for whoever looks at it.

    Raises `UnknownSessionError`, `MissingKeyError` or `ForbiddenError`.
    """
    holder = reader_of(session_id)
    refuse_role(holder, *ANY)
    return service().see(session_id, lambda found: make(found, holder), holder)


def seen_by_many(
    session_id: str, holder: Holder, what: Hashable, make: Callable[[Session], str]
) -> tuple[Position, str]:
    """A part of a page, made once for all whose language, role, seat and key are the same.

    Of the keys only those of seats count, as one may take back what another may not. It is kept
    by where the log ends, which is returned, too. ``holder`` may see the session, and ``what``
    names all else that the part depends on.
    """
    key = holder.key.id if holder.role == "seat" and holder.key else None
    named = what, asked_language(), sprite(""), holder.role, holder.player, key
    end, made = service().see_shared(
        session_id, named, lambda session: make(session).encode(), holder
    )
    return end, made.decode()


def copy_of(session_id: str) -> tuple[Session, Holder]:
    """A copy of a session, to be worked with for long while others record; and who asks."""
    entries, awaiting, hidden, holder = look(
        session_id,
        lambda found, holder: (
            list(found.corrections.recorded.values()), found.awaiting, found.hidden, holder,
        ),
    )  # fmt: skip
    copy = Session.of(entries, awaiting)
    copy.hidden = hidden
    return copy, holder


def hand_at(session: Session, match: int | None, hand: int) -> HandRecord:
    """A hand by its numbers, without a match of the last one; NotFound."""
    matches = session.structure.matches
    number = len(matches) if match is None else match
    if not 1 <= number <= len(matches) or not 1 <= hand <= len(matches[number - 1].hands):
        raise NotFound(_("There is no such hand in this session."))
    return matches[number - 1].hands[hand - 1]


# -------------------------------------------------------------------------------------- seats


def round_the_table(
    players: tuple[str, ...], direction: str, nearest: str | None
) -> dict[str, int]:
    """Where players sit, by places counted counter-clockwise from the one who looks."""
    first = players.index(nearest) if nearest in players else 0
    many = len(players)
    steps = {player: (place - first) % many for place, player in enumerate(players)}
    if direction == "clockwise":
        return {player: -step % many for player, step in steps.items()}
    return steps


def groups_of(head: str) -> list[str]:
    """A fingerprint in groups of four letters, to be read aloud and compared."""
    return [head[place : place + 4] for place in range(0, len(head), 4)]


GLOBALS: Final = {
    "HOW": {
        "struck": _l("struck"),
        "replaced": _l("replaced"),
        "inserted": _l("inserted"),
    },
    "STATE": {name: _l(text) for name, text in STATES.items()},
    "MARKS": MARKS,
    "BY": {name: _l(text) for name, text in BY.items()},
}
