"""``…/stream`` of sessions, clubs and tournaments: a server-sent event for each change."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from functools import partial
from typing import Final

from flask import Response, g, request

from scorekeeper.api.decorators import (
    CLUB,
    SESSION,
    TOURNAMENT,
    opened,
    opened_in_club,
    opened_in_tournament,
)
from scorekeeper.api.document import Blueprint, asks, refuses
from scorekeeper.base.errors import NoStreamCapacityError
from scorekeeper.http.access import ANY
from scorekeeper.http.client import client_address
from scorekeeper.http.extensions import clubs, service, streams, tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.monitoring import EVENT_STREAM
from scorekeeper.http.streaming import stream_answer
from scorekeeper.live.event_streams import StreamState, WatchedStream
from scorekeeper.service import Clubs, Service, Tournaments
from scorekeeper.service.tournament_rights import ROLES
from scorekeeper.store import keyring
from scorekeeper.store.key_store import KeyStore

blueprint = Blueprint("live", __name__, description="Live updates of sessions and clubs.")

RETRY_FIELD: Final = b"retry: 1000\n\n"  # milliseconds until a browser reconnects
KEEP_ALIVE_COMMENT: Final = b":\n\n"

LAST_EVENT_ID: Final = {
    "name": "Last-Event-ID", "in": "header", "schema": {"type": "string"},
    "description": "the version that the client has; browsers send it when they reconnect",
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
    """Stream the changes of a session.

    Each event has the version and the head; the client then requests the report. The number of
    streams is limited: a client that gets 503 requests the report with `If-None-Match` instead.
    At the limit, a stream of the session or address that holds most of them ends for a new one.
    """
    return open_stream(
        WatchedStream(session_id, partial(session_state, service(), session_id)),
        session_update,
        last_event_id(),
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
    """Stream the changes of a club and of the evenings that it counts.

    `tag` changes whenever the table of a season may have changed. The stream ends after a minute,
    or earlier for a new one, as that of a session does.
    """
    look = partial(club_state, clubs(), club_id)
    return open_stream(WatchedStream(club_id, look, follows_others=True), club_update)


@blueprint.route("/tournaments/<tournament>/stream", parameters=[TOURNAMENT])
@blueprint.response(
    200,
    {"type": "string"},
    content_type=EVENT_STREAM,
    description='`data: {"version": …, "head": …, "tag": …}` at once and at each change.',
)
@refuses("no_room")
@opened_in_tournament(*ROLES)
def watch_tournament(tournament_id: str) -> Response:
    """Stream the changes of a tournament and of the sessions of its tables.

    `tag` changes whenever the standings may have changed. The stream ends after a minute, or
    earlier for a new one, as that of a session does.
    """
    look = partial(club_state, tournaments(), tournament_id)
    return open_stream(WatchedStream(tournament_id, look, follows_others=True), club_update)


def open_stream(
    watched: WatchedStream, write: Callable[[StreamState], bytes], since: int | None = None
) -> Response:
    """Return the stream of a session, club or tournament for the holder ``g.holder``.

    ``write`` returns the bytes of a state; ``since`` is the version that the client has. Raises
    `NoStreamCapacityError` if all slots are taken by streams with an equal or better claim.
    """
    slots = streams().slots
    slot = slots.acquire(watched.id, client_address())
    if slot is None:
        raise NoStreamCapacityError(
            "there is no room for one more stream; ask for the report now and then"
        )
    states = streams().states(watched, slot, g.holder.key.id, since)
    answer = stream_answer(event_stream(states, write), EVENT_STREAM)
    answer.call_on_close(partial(slots.release, slot))
    answer.headers["X-Accel-Buffering"] = "no"
    return no_store(answer)


def session_state(sessions: Service, session_id: str) -> StreamState:
    """Return the end of a session and its open keys, for its stream.

    The keys to the tournament that opened it are among them.
    """
    keys = open_keys(sessions.access, session_id)
    for followed in sessions.following.followers(session_id):
        if keyring.is_tournament(followed.club):
            keys |= open_keys(sessions.access, followed.club)
    return StreamState(sessions.end(session_id), keys)


def club_state(kept: Clubs | Tournaments, id_: str) -> StreamState:
    """Return the end of a club or tournament, its open keys, and a tag of its sessions."""
    position, tag = kept.state(id_)
    return StreamState(position, open_keys(kept.access, id_), tag)


def open_keys(access: KeyStore, id_: str) -> frozenset[str]:
    """Return the ids of the keys of a stream that are open now."""
    now = access.clock()
    return frozenset(key.id for key in access.keys(id_) if keyring.is_open(key, now))


def last_event_id() -> int | None:
    """Return the version in the request's Last-Event-ID, or None if it has no usable one."""
    header = request.headers.get("Last-Event-ID", "")
    return int(header) if header.isascii() and header.isdigit() and len(header) < 10 else None


async def event_stream(
    states: AsyncGenerator[StreamState | None, None], write: Callable[[StreamState], bytes]
) -> AsyncGenerator[bytes, None]:
    """Yield the states as server-sent events; a comment for None, to keep alive."""
    yield RETRY_FIELD
    async with aclosing(states):
        async for state in states:
            yield KEEP_ALIVE_COMMENT if state is None else write(state)


def session_update(state: StreamState) -> bytes:
    """Return a server-sent event with the version and head of a session."""
    position = state.position
    return b'id: %d\ndata: {"version":%d,"head":"%b"}\n\n' % (
        position.version, position.version, position.head.encode(),
    )  # fmt: skip


def club_update(state: StreamState) -> bytes:
    """Return a server-sent event with the version, head and tag of a club or tournament."""
    position = state.position
    return b'data: {"version":%d,"head":"%b","tag":"%b"}\n\n' % (
        position.version, position.head.encode(), state.tag.encode(),
    )  # fmt: skip
