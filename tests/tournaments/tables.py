"""Sessions of tables, played at random, for tests of tournaments."""

import importlib
import random
from collections.abc import Sequence
from io import BytesIO

from scorekeeper.log.writing import sealed_lines
from scorekeeper.session.session import Session
from scorekeeper.tournaments.played_tables import PlayedTable
from tests.evenings import Raw, event

AT = "2026-11-21T20:00:00.000Z"


class Table:
    """A table: its log grows by hands, and its result follows from the log."""

    def __init__(self, session_id: str, seats: Sequence[str], seed: int, game: str) -> None:
        module = importlib.import_module(f"tests.players.{game}")
        self.session_id = session_id
        self.match = module.Match(random.Random(seed), tuple(seats), {})  # noqa: S311
        players = [{"id": player, "name": player.capitalize()} for player in seats]
        self.log: list[Raw] = [
            event("session_opened", title=session_id, players=players),
            event("match_started", game=game, seats=list(seats)),
        ]

    def play(self, hands: int = 1) -> None:
        """Play hands; the counts are recorded."""
        for _ in range(hands):
            self.log += self.match.play_hand().records["totals"]

    def session(self) -> Session:
        """Return the session of the sealed log."""
        return Session.read(BytesIO(self.sealed()))

    def sealed(self) -> bytes:
        """Return the log as the service keeps it."""
        return b"".join(sealed_lines([(raw["type"], raw.get("data", {})) for raw in self.log], AT))

    @property
    def result(self) -> PlayedTable:
        """The result of the present log."""
        return PlayedTable.of(self.session_id, self.session())
