"""Streams of changes, as many at once as there are threads to spare for them, shared fairly."""

import select
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Final

from scorekeeper.live.notifier import Notifier
from scorekeeper.store import Position

LIFE: Final = 60.0  # seconds until a stream ends, and who still watches begins another
GAP: Final = 0.4  # seconds at least between two changes that one stream tells of
LOOK: Final = 2.0  # seconds after which to look again at what a stream follows
HEARTBEAT: Final = 5.0  # seconds without a change after which a sign of life is due
State = tuple[Position, str]  # where a stream ends, and how those stand that it follows
# Where the system can tell that the other end was closed before anything is written to it.
CLOSED: Final = getattr(select, "POLLRDHUP", 0)


class OpenStream:
    """A stream that is open, or about to: of which session, asked for from which address."""

    def __init__(self, session_id: str, address: str) -> None:
        self.session = session_id
        self.address = address
        self.given_up = False  # for another, who asked when there was no room


class Streams:
    """The streams that are open in this process, at most so many.

    Each keeps a thread of the server. Were they not fewer than its threads, pages would wait
    for ever, and nobody would be told why. Where there is no room, who asks gets the place of a
    stream of a session, or address, that holds more of them; its phone looks now and then instead.
    """

    def __init__(self, notifier: Notifier, most: int) -> None:
        self.notifier = notifier
        self._most = most
        self._lock = threading.Lock()
        self._places: list[OpenStream] = []  # the oldest first
        self._ending = 0  # streams that gave up their place, and have not heard of it yet

    def enter(self, session_id: str, address: str) -> OpenStream | None:
        """Take a place, if there is one; whoever got one leaves it again."""
        place = OpenStream(session_id, address)
        with self._lock:
            if len(self._places) >= self._most and not self._make_room(place):
                return None
            self._places.append(place)
        return place

    def leave(self, place: OpenStream) -> None:
        """Give a place back."""
        with self._lock:
            if place.given_up:
                self._ending -= 1
            else:
                self._places.remove(place)

    def _make_room(self, place: OpenStream) -> bool:
        """Let a stream give up its place where the places are shared more evenly then.

        Evenly is where the squares of how many each session and each address holds come to
        little: each change makes their sum less, so that nobody is sent to and fro.
        """
        if not self._places or self._ending > self._most // 4:
            return False
        by_session = Counter(one.session for one in self._places)
        by_address = Counter(one.address for one in self._places)

        def gain(one: OpenStream) -> int:
            of_sessions = by_session[one.session] - by_session[place.session] - 1
            of_addresses = by_address[one.address] - by_address[place.address] - 1
            same_session, same_address = one.session == place.session, one.address == place.address
            return (0 if same_session else of_sessions) + (0 if same_address else of_addresses)

        best = max(self._places, key=gain)  # of several the oldest
        if gain(best) <= 0:
            return False
        best.given_up = True
        self._places.remove(best)
        self._ending += 1
        return True

    def changes(
        self, session_id: str, since: int | None, gone: Callable[[], bool] = lambda: False
    ) -> Iterator[Position | None]:
        """Where the session ends: at once if that is not at ``since``, then as it changes.

        Of changes that come fast on one another it tells together: each makes all who watch ask
        for the report. None is a sign of life. Ends after a while, when who watches is ``gone``,
        or when the server is to stop.
        """
        end = time.monotonic() + LIFE
        known, told = -1 if since is None else since, 0.0
        while (left := end - time.monotonic()) > 0 and not self.notifier.stopped:
            time.sleep(max(0.0, told + GAP - time.monotonic()))
            position = self.notifier.changes(session_id, known, min(HEARTBEAT, left), gone)
            if position is None and gone():
                return
            if position is not None:
                known, told = position.version, time.monotonic()
            yield position

    def states(
        self, id_: str, state: Callable[[], State], gone: Callable[[], bool] = lambda: False
    ) -> Iterator[State | None]:
        """How a stream stands that follows others, too: at once, then whenever it is otherwise.

        It is told of what is recorded in it at once, and of the others when it looks again.
        """
        end, known = time.monotonic() + LIFE, None
        while (left := end - time.monotonic()) > 0 and not self.notifier.stopped:
            now = state()
            if gone():
                return
            if now != known:
                known = now
                yield now
            elif self.notifier.changes(id_, now[0].version, min(LOOK, left), gone) is None:
                yield None


def is_closed(connection: int) -> bool:
    """Whether the other end of a connection, by its file descriptor, was closed."""
    poll = select.poll()
    poll.register(connection, CLOSED)
    return bool(poll.poll(0))
