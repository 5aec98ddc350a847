"""Everything in a tournament's log that stands, and how its parts are found."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.tournaments.events import TournamentOpened
from scorekeeper.tournaments.stages import Stage
from scorekeeper.tournaments.time_limits import format_time
from scorekeeper.tournaments.values import (
    DirectorCall,
    Entrant,
    PointAdjustment,
    TournamentRound,
)

PROTEST_MINUTES: Final = 30  # after the close, unless the tournament says otherwise


@dataclass(slots=True)
class TournamentRecord:
    """The entrants, stages, rounds and calls of a tournament; the values are immutable."""

    opened: TournamentOpened | None = None
    stages: list[Stage] = field(default_factory=list)
    entrants: dict[str, Entrant] = field(default_factory=dict)
    rounds: dict[int, TournamentRound] = field(default_factory=dict)
    adjustments: list[PointAdjustment] = field(default_factory=list)
    calls: dict[int, DirectorCall] = field(default_factory=dict)  # by the seq of the call
    lots: list[tuple[str, ...]] = field(default_factory=list)
    heads: dict[str, str] | None = None  # of its sessions at the close
    disclosed: set[int] = field(default_factory=set)  # stages whose draws foretell no round
    closed_at: str = ""
    closed_seq: int = 0

    @property
    def opening(self) -> TournamentOpened:
        """The first event."""
        if self.opened is None:
            raise AssertionError("apply() refuses all events before the opening")
        return self.opened

    def get_stage(self, number: int) -> Stage:
        """Return a stage by its number, from 1 on. Raises `UnusableError` if there is none."""
        if number > len(self.stages):
            cause = expected(f"a stage from 1 to {len(self.stages)}", number, "no_such_stage")
            raise UnusableError(cause, field="data.stage")
        return self.stages[number - 1]

    def require_entrant(self, entrant_id: str, path: str = "entrant") -> Entrant:
        """Return an entrant. Raises `UnusableError` if there is none with this id."""
        entrant = self.entrants.get(entrant_id)
        if entrant is None:
            cause = expected("an entrant of this tournament", entrant_id, "no_such_entrant")
            raise UnusableError(cause, field=f"data.{path}")
        return entrant

    def require_round(self, number: int) -> TournamentRound:
        """Return a round that is drawn. Raises `UnusableError` if it is not."""
        drawn = self.rounds.get(number)
        if drawn is None:
            words = f"round {number} is not drawn"
            raise UnusableError(Cause(words, "not_drawn", round=number), field="data.round")
        return drawn

    def require_published(self, number: int) -> TournamentRound:
        """Return a round that the hall sees. Raises `UnusableError` if it is not published."""
        drawn = self.require_round(number)
        if not drawn.published:
            words = f"round {number} is not published"
            raise UnusableError(Cause(words, "not_published", round=number), field="data.round")
        return drawn

    def require_open_round(self, number: int) -> TournamentRound:
        """Return a published round. Raises `UnusableError` also if it is closed."""
        drawn = self.require_published(number)
        if drawn.closed:
            words = f"round {number} is closed"
            raise UnusableError(Cause(words, "round_closed", round=number), field="data.round")
        return drawn

    def require_table(self, drawn: TournamentRound, table: int) -> tuple[str, ...]:
        """Return the entrants of a table. Raises `UnusableError` if the round has no such table."""
        if table > len(drawn.tables):
            cause = expected(f"a table from 1 to {len(drawn.tables)}", table, "no_such_table")
            raise UnusableError(cause, field="data.table")
        return drawn.tables[table - 1]

    def list_players(self) -> Iterator[tuple[str, str, Entrant]]:
        """Yield the id, the name and the entrant of every player, substitutes included."""
        for entrant in self.entrants.values():
            for player, name in entrant.all_players():
                yield player, name, entrant

    def find_tables(self, player: str) -> dict[int, int]:
        """Return the table of a player in each published round in which they are drawn to one."""
        tables = {}
        for drawn in self.rounds.values():
            if drawn.published:
                for entrant in drawn.list_seated():
                    if player in self.entrants[entrant].list_players(drawn.number):
                        tables[drawn.number] = drawn.find_table(entrant) or 0
        return tables

    def find_latest_published(self) -> TournamentRound | None:
        """Return the latest round that the hall sees; None before the first."""
        published = (drawn for drawn in self.rounds.values() if drawn.published)
        return max(published, key=lambda drawn: drawn.number, default=None)

    def find_present_table(self, player: str) -> tuple[int, int] | None:
        """Return the round and the table at which a player sits now; None if at none.

        That is in the latest published round, as long as it is open.
        """
        latest = self.find_latest_published()
        table = self.find_tables(player).get(latest.number) if latest is not None else None
        return None if latest is None or table is None or latest.closed else (latest.number, table)

    @property
    def uses_check_in(self) -> bool:
        """Whether entrants are noted as present, so that only those are drawn."""
        return any(entrant.present for entrant in self.entrants.values())

    def list_drawable(self, number: int) -> list[Entrant]:
        """Return the entrants who can be drawn in a round, in the order of their registration."""
        check_in = self.uses_check_in
        return [
            entrant
            for entrant in self.entrants.values()
            if entrant.plays_in(number) and (entrant.present or not check_in)
        ]

    @property
    def protests_until(self) -> str | None:
        """The time until which protests are heard; None before the close, or if it is unknown."""
        if not self.closed_at:
            return None
        given = self.opening.protest_minutes
        minutes = PROTEST_MINUTES if given is None else given
        return format_time(datetime.fromisoformat(self.closed_at) + timedelta(minutes=minutes))

    def count_published(self, stage: int) -> int:
        """Return how many rounds of a stage are published."""
        return sum(drawn.published for drawn in self.rounds.values() if drawn.stage == stage)

    def note_disclosed(self) -> None:
        """Note the stages whose last planned round is published, or that are over."""
        latest = max((drawn.stage for drawn in self.rounds.values() if drawn.published), default=0)
        self.disclosed |= {
            number for number, stage in enumerate(self.stages, start=1)
            if number < latest or self.count_published(number) >= stage.rounds
            or self.heads is not None
        }  # fmt: skip

    def list_sessions(self) -> dict[str, tuple[int, int]]:
        """Return the round and the table of each session."""
        return {
            table_session.session: (drawn.number, table)
            for drawn in self.rounds.values()
            for table, table_session in (drawn.sessions or {}).items()
            if table_session is not None
        }
