"""The demos of a service: tables and a club in a store of their own, which vanish by themselves.

The store is in memory. Only where several processes share the demos, it is a file in the data
folder, which is made when the service starts and removed when it ends.
"""

import threading
from collections.abc import Callable
from contextlib import suppress
from datetime import date
from typing import Final, NamedTuple

from scorekeeper.base.errors import RateLimitError, UnknownSessionError
from scorekeeper.config import Settings
from scorekeeper.demo.club import EVENINGS, open_demo_club
from scorekeeper.demo.files import open_demo_store
from scorekeeper.demo.opening import OPENING_EVENTS, VISITOR, write_opening
from scorekeeper.demo.players import DemoPlayers
from scorekeeper.live.event_streams import Streams
from scorekeeper.live.notifier import Notifier
from scorekeeper.log.reading import MAX_FILE_BYTES
from scorekeeper.report.incoming import seal_incoming
from scorekeeper.service import Clubs, Service
from scorekeeper.store import Attempt, Key, Position, Store
from scorekeeper.store.limits import time_before
from scorekeeper.streams.room import LogCapacity
from scorekeeper.streams.stream_service import Notify

DEMO_HOURS: Final = 4  # after which a demo vanishes
DEMO_CAPACITY: Final = LogCapacity(1000, 1 << 18)  # events and bytes of a demo table
SECONDS_PER_HOUR: Final = 3600
UNUSED_SECONDS: Final = 600  # after which a table at which nobody records may make room


class StoreServices(NamedTuple):
    """The objects through which requests use a store."""

    service: Service
    clubs: Clubs
    notifier: Notifier
    streams: Streams


class Demos:
    """The demos of this process, at most ``most_tables`` at a time.

    The store is opened at the first use. ``make_services`` returns the services of a store; they
    call the second argument after each append.
    """

    def __init__(
        self,
        settings: Settings,
        make_services: Callable[[Store, Callable[[Notify], Notify]], StoreServices],
    ) -> None:
        self._settings = settings
        self._make_services = make_services
        self._lock = threading.Lock()  # while demos are opened or vanish
        self._opening = threading.Lock()
        self._services: StoreServices | None = None
        self.players = DemoPlayers(lambda: self.services.service, self.remove_old)

    @property
    def services(self) -> StoreServices:
        """The services of the demos' store."""
        if self._services is None:
            with self._opening:
                if self._services is None:
                    store = open_demo_store(self._settings)
                    self._services = self._make_services(store, self._also_play)
        return self._services

    @property
    def store(self) -> Store:
        """The store of the demos."""
        return self.services.service.store

    def open_table(self, attempt: Attempt | None = None) -> Key:
        """Open a table, and return the visitor's key; a repeated attempt opens no second one.

        If as many exist as are allowed, one at which nobody has recorded anything makes room.
        Raises `RateLimitError` if there is none.
        """
        with self._lock:
            self._remove_old()
            if len(self.store.sessions()) >= self._settings.demo_tables + EVENINGS:
                self._remove_unused()
            log = seal_incoming(write_opening(), MAX_FILE_BYTES, self.store.clock())
            new = self.services.service.create_from_log(log, attempt)
        self.players.expect(new.id)
        return next(new_key.key for new_key in new.keys if new_key.key.player == VISITOR)

    def open_club(self) -> Key:
        """Return the key to view the demo club, which is opened if there is none."""
        service, clubs = self.services.service, self.services.clubs
        with self._lock:
            self._remove_old()
            complete = (
                listed.id
                for listed in self.store.clubs()
                if clubs.with_state(listed.id, lambda state: bool(state.seasons))
            )
            today = date.fromisoformat(self.store.clock()[: len("2026-11-21")])
            club_id = next(complete, None) or open_demo_club(service, clubs, today)
        return next(key for key in self.store.keys(club_id) if key.role == "view")

    def remove_old(self) -> None:
        """Delete the demos whose time is over."""
        with self._lock:
            self._remove_old()

    def _remove_old(self) -> None:
        """Delete the demos whose time is over; the caller holds the lock."""
        before = time_before(self.store.clock(), DEMO_HOURS * SECONDS_PER_HOUR)
        for listed in (*self.store.clubs(), *self.store.sessions()):
            if listed.created < before:
                with suppress(UnknownSessionError):  # another process deleted it
                    self.store.delete_stream(listed.id, remembered=False)

    def _remove_unused(self) -> None:
        """Delete the oldest table at which nobody has recorded anything for a while.

        Raises `RateLimitError` if there is none. The caller holds the lock.
        """
        before = time_before(self.store.clock(), UNUSED_SECONDS)
        unused = (
            listed.id
            for listed in self.store.sessions()
            if listed.version == OPENING_EVENTS and listed.created < before
        )
        session_id = next(unused, None)
        if session_id is None:
            raise RateLimitError("so many demos exist already", UNUSED_SECONDS)
        with suppress(UnknownSessionError):  # another process deleted it
            self.store.delete_stream(session_id, remembered=False)

    def stop(self) -> None:
        """Stop the players and the live updates of demos. Takes no lock, as signal handlers do."""
        self.players.stop()
        if self._services is not None:
            self._services.notifier.stop()

    def _also_play(self, notify: Notify) -> Notify:
        """Return a function that also lets the players of a demo table go on after an append."""

        def notify_and_play(stream_id: str, position: Position) -> None:
            notify(stream_id, position)
            self.players.expect(stream_id)

        return notify_and_play
