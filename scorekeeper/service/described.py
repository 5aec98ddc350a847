"""The present title and players of a stored session, without a replay if its log changes neither.

For lists of many sessions, and where the game of a session may not be installed.
"""

from contextlib import suppress
from io import BytesIO
from typing import Final, NamedTuple

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.events.common import PlayerJoined, PlayerRenamed, SessionDescribed
from scorekeeper.log.reading import RawEvent
from scorekeeper.session.session import Session
from scorekeeper.store import Store

CHANGING: Final = tuple(
    b'"%b"' % declared.TYPE.encode() for declared in (SessionDescribed, PlayerJoined, PlayerRenamed)
)


class DescribedSession(NamedTuple):
    """The title of a session and the names of its players."""

    title: str
    players: tuple[str, ...]


def describe_stored(store: Store, session_id: str) -> DescribedSession:
    """Return the present title and players of a stored session.

    They are those of its first event if the log cannot be used here. Raises `UnknownSessionError`.
    """
    log = store.export(session_id)
    if any(mark in log for mark in CHANGING):
        with suppress(ScorekeeperError):
            record = Session.read(BytesIO(log), None).structure
            if record.opened is not None:
                return DescribedSession(record.opened.title, tuple(record.players.values()))
    opening = RawEvent.stored(log.partition(b"\n")[0]).data
    players = [str(player["name"]) for player in opening["players"]]
    return DescribedSession(str(opening["title"]), tuple(players))
