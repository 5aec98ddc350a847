"""The places of streams: a few at once, shared fairly by sessions and addresses."""

import threading
from collections import Counter
from collections.abc import Callable


class StreamPlace:
    """The place of a stream that is open, or about to be."""

    def __init__(self, session_id: str, address: str) -> None:
        self.session_id = session_id
        self.address = address
        self.given_up = False  # for another, who asked when there was no room
        self.wake: Callable[[], object] = lambda: None  # to be called when it is given up


class StreamPlaces:
    """The places of the streams of a process, at most a given number.

    Where there is none left, who asks gets that of a stream of a session, or address, that holds
    more of them; its phone looks now and then instead.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._places: dict[StreamPlace, None] = {}  # the oldest first
        self._by_session: Counter[str] = Counter()
        self._by_address: Counter[str] = Counter()
        self._ending = 0  # streams that gave up their place, and have not heard of it yet

    def enter(self, session_id: str, address: str) -> StreamPlace | None:
        """Take a place, if there is one; whoever got one leaves it again."""
        place = StreamPlace(session_id, address)
        with self._lock:
            if len(self._places) >= self.most and not self._make_room(place):
                return None
            self._places[place] = None
            self._count(place, 1)
        return place

    def leave(self, place: StreamPlace) -> None:
        """Give a place back."""
        with self._lock:
            if place.given_up:
                self._ending -= 1
            else:
                self._remove(place)

    def _remove(self, place: StreamPlace) -> None:
        del self._places[place]
        self._count(place, -1)

    def _count(self, place: StreamPlace, more: int) -> None:
        for counter, name in (
            (self._by_session, place.session_id), (self._by_address, place.address),
        ):  # fmt: skip
            counter[name] += more
            if not counter[name]:
                del counter[name]

    def _make_room(self, place: StreamPlace) -> bool:
        """Let a stream give up its place where the places are shared more evenly then.

        Evenly is where the squares of how many each session and each address holds come to
        little: each change makes their sum less, so that nobody is sent to and fro.
        """
        if not self._places or self._ending > self.most // 4:
            return False
        by_session, by_address = self._by_session, self._by_address

        def gain(one: StreamPlace) -> int:
            of_sessions = by_session[one.session_id] - by_session[place.session_id] - 1
            of_addresses = by_address[one.address] - by_address[place.address] - 1
            same_session, same_address = (
                one.session_id == place.session_id,
                one.address == place.address,
            )
            return (0 if same_session else of_sessions) + (0 if same_address else of_addresses)

        best = max(self._places, key=gain)  # of several the oldest
        if gain(best) <= 0:
            return False
        best.given_up = True
        self._remove(best)
        self._ending += 1
        best.wake()
        return True
