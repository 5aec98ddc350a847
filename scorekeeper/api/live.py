"""``…/stream`` of sessions and clubs: server-sent events that say that something changed."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from flask import Response, request

from scorekeeper.api.decorators import CLUB, SESSION, opened, opened_in_club
from scorekeeper.api.document import Blueprint, asks, refuses
from scorekeeper.base.errors import NoRoom, ScorekeeperError
from scorekeeper.http.access import ANY, still_opens
from scorekeeper.http.answering import gone
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import clubs, service, streams
from scorekeeper.http.headers import unkept
from scorekeeper.http.monitoring import EVENT_STREAM
from scorekeeper.store import Position

blueprint = Blueprint("live", __name__, description="Who watches hears of each change.")

AGAIN: Final = b"retry: 1000\n\n"  # milliseconds until a client that lost the stream comes back
BREATH: Final = b":\n\n"


LAST_EVENT_ID: Final = {
    "name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
    "description": "the version that is known; browsers send it when they come back",
}  # fmt: skip


@blueprint.route("/sessions/<session:session>/stream", parameters=[SESSION])
@blueprint.response(
    200,
    {"type": "string"},
    content_type=EVENT_STREAM,
    description='`data: {"version": …, "head": …}` at once and at each change, for a minute.',
)
@refuses("no_room")
@opened(*ANY)
@asks(LAST_EVENT_ID)
def watch(session: str) -> Response:
    """Watch a session.

    Tells of the version and the head, and no more: who wants the report asks for it. There is
    room for so many; who gets 503 asks for the report with `If-None-Match` instead. Where there is
    no room a stream of a session, or of an address, that holds more of them ends for a new one.
    """
    service().store.position(session)
    watched = streams()
    place = watched.enter(session, client_address())
    if place is None:
        raise NoRoom("there is no room for one more stream; ask for the report now and then")
    left = gone()
    changes = watched.changes(session, known(), lambda: place.given_up or left())
    answer = Response(event_stream(changes, still_opens(session)), content_type=EVENT_STREAM)
    answer.call_on_close(partial(watched.leave, place))
    answer.headers["X-Accel-Buffering"] = "no"
    return unkept(answer)


@blueprint.route("/clubs/<club>/stream", parameters=[CLUB])
@blueprint.response(
    200,
    {"type": "string"},
    content_type=EVENT_STREAM,
    description='`data: {"version": …, "head": …, "tag": …}` at once and at each change.',
)
@refuses("no_room")
@opened_in_club(*ANY)
def watch_club(club: str) -> Response:
    """Watch a club, and the evenings that count for it while they are played.

    `tag` is another one whenever the table of a season may be another. The stream ends after a
    minute, or for a new one as that of a session does.
    """
    watched = streams()
    place = watched.enter(club, client_address())
    if place is None:
        raise NoRoom("there is no room for one more stream; ask for the table now and then")
    left, state = gone(), clubs().state
    changes = watched.states(club, lambda: state(club), lambda: place.given_up or left())
    answer = Response(club_stream(changes, still_opens(club)), content_type=EVENT_STREAM)
    answer.call_on_close(partial(watched.leave, place))
    answer.headers["X-Accel-Buffering"] = "no"
    return unkept(answer)


def club_stream(
    changes: Iterator[tuple[Position, str] | None], opens: Callable[[], bool]
) -> Iterator[bytes]:
    """The stream of a club, in the words of server-sent events."""
    yield AGAIN
    try:
        for state in changes:
            if not opens():
                return
            yield BREATH if state is None else club_line(*state)
    except ScorekeeperError:
        return  # the storage is not available: the client comes back, and is told so


def club_line(position: Position, tag: str) -> bytes:
    """One event of the stream of a club."""
    return b'data: {"version":%d,"head":"%b","tag":"%b"}\n\n' % (
        position.version, position.head.encode(), tag.encode(),
    )  # fmt: skip


def known() -> int | None:
    """The version that the client knows, None where it says nothing that can be one."""
    said = request.headers.get("Last-Event-ID", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


def event_stream(changes: Iterator[Position | None], opens: Callable[[], bool]) -> Iterator[bytes]:
    """The stream, in the words of server-sent events, as long as the key ``opens`` it."""
    yield AGAIN
    try:
        for position in changes:
            if not opens():
                return
            yield BREATH if position is None else line(position)
    except ScorekeeperError:
        return  # the storage is not available: the client comes back, and is told so


def line(position: Position) -> bytes:
    """One event of a stream."""
    return b'id: %d\ndata: {"version":%d,"head":"%b"}\n\n' % (
        position.version, position.version, position.head.encode(),
    )  # fmt: skip
