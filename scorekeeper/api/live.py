"""``…/stream`` of sessions and clubs: server-sent events that say that something changed."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import Final

from flask import Response, g, request

from scorekeeper.api.decorators import CLUB, SESSION, opened, opened_in_club
from scorekeeper.api.document import Blueprint, asks, refuses
from scorekeeper.base.errors import NoStreamCapacityError
from scorekeeper.http.access import ANY
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import clubs, service, streams
from scorekeeper.http.headers import unkept
from scorekeeper.http.monitoring import EVENT_STREAM
from scorekeeper.http.streaming import streamed
from scorekeeper.live.event_streams import StreamState, WatchedStream
from scorekeeper.service import Clubs
from scorekeeper.store import Store, keyring

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
def watch(session_id: str) -> Response:
    """Watch a session.

    Tells of the version and the head, and no more: who wants the report asks for it. There is
    room for a few; who gets 503 asks for the report with `If-None-Match` instead. Where there is
    no room a stream of a session, or of an address, that holds more of them ends for a new one.
    """
    return follow(
        WatchedStream(session_id, partial(seen_of, service().store, session_id)), line, known()
    )


@blueprint.route("/clubs/<club>/stream", parameters=[CLUB])
@blueprint.response(
    200,
    {"type": "string"},
    content_type=EVENT_STREAM,
    description='`data: {"version": …, "head": …, "tag": …}` at once and at each change.',
)
@refuses("no_room")
@opened_in_club(*ANY)
def watch_club(club_id: str) -> Response:
    """Watch a club, and the evenings that count for it while they are played.

    `tag` is another one whenever the table of a season may be another. The stream ends after a
    minute, or for a new one as that of a session does.
    """
    look = partial(seen_of_club, clubs(), service().store, club_id)
    return follow(WatchedStream(club_id, look, follows_others=True), club_line)


def follow(
    watched: WatchedStream, told: Callable[[StreamState], bytes], since: int | None = None
) -> Response:
    """The stream of what is watched, as it is told, for the holder of the key that came.

    Raises `NoStreamCapacityError`.
    """
    slots = streams().slots
    slot = slots.acquire(watched.id, client_address())
    if slot is None:
        raise NoStreamCapacityError(
            "there is no room for one more stream; ask for the report now and then"
        )
    sights = streams().states(watched, slot, g.holder.key.id, since)
    answer = streamed(event_stream(sights, told), EVENT_STREAM)
    answer.call_on_close(partial(slots.release, slot))
    answer.headers["X-Accel-Buffering"] = "no"
    return unkept(answer)


def seen_of(store: Store, session_id: str) -> StreamState:
    """How a session stands."""
    return StreamState(store.position(session_id), open_keys(store, session_id))


def seen_of_club(clubs: Clubs, store: Store, club_id: str) -> StreamState:
    """How a club stands, and the evenings that count for it."""
    position, tag = clubs.state(club_id)
    return StreamState(position, open_keys(store, club_id), tag)


def open_keys(store: Store, id_: str) -> frozenset[str]:
    """The ids of the keys that open a session or a club now."""
    now = store.clock()
    return frozenset(key.id for key in store.keys(id_) if keyring.opens(key, now))


def known() -> int | None:
    """The version that the client knows, None where it says nothing that can be one."""
    said = request.headers.get("Last-Event-ID", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else None


async def event_stream(
    sights: AsyncGenerator[StreamState | None, None], told: Callable[[StreamState], bytes]
) -> AsyncGenerator[bytes, None]:
    """The stream, in the words of server-sent events."""
    yield AGAIN
    async with aclosing(sights):
        async for sight in sights:
            yield BREATH if sight is None else told(sight)


def line(sight: StreamState) -> bytes:
    """One event of the stream of a session."""
    position = sight.position
    return b'id: %d\ndata: {"version":%d,"head":"%b"}\n\n' % (
        position.version, position.version, position.head.encode(),
    )  # fmt: skip


def club_line(sight: StreamState) -> bytes:
    """One event of the stream of a club."""
    position = sight.position
    return b'data: {"version":%d,"head":"%b","tag":"%b"}\n\n' % (
        position.version, position.head.encode(), sight.tag.encode(),
    )  # fmt: skip
