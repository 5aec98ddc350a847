"""A tournament prepared for export: standings, the seating that its reader may see, prizes.

A draw that is not published is in it only if the caller asks for draws, for a director.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.exports.filenames import parse_time, slug
from scorekeeper.games import GAMES
from scorekeeper.languages.reader import PROGRAM, UTC, Reader, time_zones
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.standings import Scoreboard
from scorekeeper.tournaments.standings_views import (
    TournamentStandingsView,
    view_tournament_standings,
)
from scorekeeper.tournaments.table_rules import PAIRS, count_deals
from scorekeeper.tournaments.values import TournamentRound

UNKNOWN_TIME: Final = "1980-01-01T00:00:00.000Z"


@dataclass(frozen=True, slots=True)
class SeatView(DeclaredView):
    """A player in a seat."""

    seat: int = declare("the number of the seat; the first deals first", minimum=1)
    player: str = declare("the id of the player, who may be a substitute")
    name: str = declare("the name of the player")
    entrant: str = declare("the id of the entrant")


@dataclass(frozen=True, slots=True)
class SeatedTableView(DeclaredView):
    """A table with its players."""

    table: int = declare("the number of the table", minimum=1)
    deals: int | None = declare("how many hands it deals; null if its match has an end of its own")
    entrants: Sequence[str] = declare("the ids of its entrants")
    seats: Sequence[SeatView] = declare("its players, in seat order")


@dataclass(frozen=True, slots=True)
class SeatingView(DeclaredView):
    """The seating of a round."""

    round: int = declare("the number of the round", minimum=1)
    stage: int = declare("the number of its stage", minimum=1)
    stage_name: str = declare("the name of its stage")
    published: bool = declare("true if everybody may see it")
    tables: Sequence[SeatedTableView] = declare("the tables")
    byes: Sequence[str] = declare("the ids of the entrants who sit out")


class PrizeLine(NamedTuple):
    """The prizes of a place, or of the places that several entrants share."""

    first: int
    last: int
    names: tuple[str, ...]
    prizes: tuple[int | str, ...]


class RegisteredPlayer(NamedTuple):
    """A player with the entrant to whom they belong."""

    name: str
    entrant: str


class TournamentDescription(NamedTuple):
    """What a tournament's log says about the evening.

    ``rounds`` is how many rounds the stage of the standings has. ``began`` and ``ended`` are times
    of play, empty if none is known. ``closed`` is empty while the tournament goes on.
    """

    id: str
    name: str
    game: str
    place: str
    zone: str
    pairs: bool
    zero_sum: bool
    rounds: int
    currency: str
    began: str
    ended: str
    closed: str


@dataclass(frozen=True, slots=True)
class TournamentFile:
    """The standings of a stage and the seating of rounds, for a reader.

    ``rounds`` are those that the reader may see, and ``asked`` is the one that files of a seating
    are about, by default the last published one. ``names`` are those of the entrants by id, and
    ``players`` are all players, substitutes included.
    """

    about: TournamentDescription
    standings: TournamentStandingsView
    rounds: Sequence[SeatingView]
    names: Mapping[str, str]
    groups: Mapping[str, str]
    players: Mapping[str, RegisteredPlayer]
    prizes: Sequence[PrizeLine]
    reader: Reader = PROGRAM
    asked: int | None = None
    tag: str = ""

    @classmethod
    def of(
        cls, tournament_id: str, record: TournamentRecord, results: Mapping[str, PlayedTable],
        reader: Reader, *, scoreboard: Scoreboard | None = None, stage: int | None = None,
        after_round: int | None = None, team: int = 0, changed: Sequence[str] = (),
        round_number: int | None = None, sees_draws: bool = False, tag: str = "",
    ) -> "TournamentFile":  # fmt: skip
        """Prepare a tournament with the results of its sessions.

        Without `sees_draws` only published rounds are in it. Raises `UnusableError` for a stage or
        a round that does not exist, or that the reader may not see.
        """
        if stage is not None:
            record.get_stage(stage)
        if round_number is not None:
            find = record.require_round if sees_draws else record.require_published
            find(round_number)
        board = scoreboard or Scoreboard()
        computed = board.compute(record, results, stage, after_round)
        table = view_tournament_standings(record, computed, team=team, changed=changed)
        return cls(
            about=_describe(tournament_id, record, results, table.stage),
            standings=table,
            rounds=[
                _view_seating(record, drawn)
                for _, drawn in sorted(record.rounds.items())
                if drawn.published or sees_draws
            ],
            names={entrant.id: entrant.name for entrant in record.entrants.values()},
            groups={entrant.id: entrant.group for entrant in record.entrants.values()
                    if entrant.group is not None},
            players={player: RegisteredPlayer(name, entrant.id)
                     for player, name, entrant in record.list_players()},
            prizes=list(_list_prizes(record, results, board, table)),
            reader=reader, asked=round_number, tag=tag,
        )  # fmt: skip

    @property
    def title(self) -> str:
        """The names of the tournament and the stage; one of them if they are the same."""
        return " · ".join(dict.fromkeys((self.about.name, self.standings.name)))

    @property
    def game(self) -> str:
        """The name of the game in the current language."""
        return GAMES[self.about.game].local_name if self.about.game in GAMES else self.about.game

    @property
    def name(self) -> str:
        """The beginning that the names of all files of the tournament share."""
        return slug(self.about.name) or "tournament"

    @property
    def latest(self) -> datetime:
        """The last known time of the tournament."""
        return parse_time(self.about.closed or self.about.ended or UNKNOWN_TIME)

    @property
    def seating(self) -> SeatingView:
        """The seating that is asked for. Raises `UnusableError` if no round is published yet."""
        shown = [
            seating
            for seating in self.rounds
            if seating.round == self.asked or (self.asked is None and seating.published)
        ]
        if not shown:
            raise UnusableError("no round is published yet", field="round")
        return shown[-1]

    @property
    def stage_seatings(self) -> list[SeatingView]:
        """The seating of all rounds of the stage.

        Raises `UnusableError` if the reader cannot see all of them.
        """
        shown = [seating for seating in self.rounds if seating.stage == self.standings.stage]
        if len(shown) < self.about.rounds:
            words = (f"road cards need the draw of all {self.about.rounds} rounds of the stage: "
                     f"{len(shown)} can be shown")  # fmt: skip
            raise UnusableError(words, field="stage")
        return shown

    @property
    def protests_until(self) -> datetime | None:
        """The end of the time for protests, in local time; None before the close."""
        until = self.standings.protests_until
        return None if until is None else self.to_local_time(until)

    def to_local_time(self, at: str) -> datetime:
        """Return a time of the log in the zone of the tournament, else in that of the reader."""
        zone = self.about.zone or self.reader.zone
        return parse_time(at).astimezone(ZoneInfo(zone if zone in time_zones() else UTC))


def _describe(
    tournament_id: str, record: TournamentRecord, results: Mapping[str, PlayedTable], stage: int
) -> TournamentDescription:
    """Return what the log says about the evening."""
    opening, game = record.opening, record.opening.game
    money = opening.fee or opening.stake
    times = sorted(_list_times(record, results))
    return TournamentDescription(
        id=tournament_id,
        name=opening.name,
        game=game,
        place=opening.place or "",
        zone=opening.zone or "",
        pairs=opening.entrants == PAIRS,
        zero_sum=game in GAMES and GAMES[game].settlement.zero_sum,
        rounds=record.stages[stage - 1].rounds,
        currency=money.currency if money is not None else "",
        began=times[0] if times else "",
        ended=times[-1] if times else "",
        closed=record.closed_at if record.heads is not None else "",
    )


def _list_times(record: TournamentRecord, results: Mapping[str, PlayedTable]) -> Iterator[str]:
    """Yield the known times of play: those of hands, and of the clocks of published rounds."""
    for played in results.values():
        for hand in played.hands:
            yield from filter(None, (hand.started_at, hand.ended_at))
    for drawn in record.rounds.values():
        if drawn.published:
            yield from (change.at for change in drawn.clock if change.at)


def _view_seating(record: TournamentRecord, drawn: TournamentRound) -> SeatingView:
    """Return the seating of a round."""
    stage = record.stages[drawn.stage - 1]
    return SeatingView(
        drawn.number, drawn.stage, stage.name, drawn.published,
        [_view_table(record, drawn, number) for number in range(1, len(drawn.tables) + 1)],
        drawn.byes,
    )  # fmt: skip


def _view_table(record: TournamentRecord, drawn: TournamentRound, number: int) -> SeatedTableView:
    """Return a table of a round; partners sit opposite, as in its session."""
    entrants = drawn.tables[number - 1]
    places = 2 if record.opening.entrants == PAIRS else 1
    seated = [(entrant, place) for place in range(places) for entrant in entrants]
    seats = list[SeatView]()
    for seat, (entrant, place) in enumerate(seated, start=1):
        known = record.entrants[entrant]
        player = known.list_players(drawn.number)[place]
        seats.append(SeatView(seat, player, dict(known.all_players())[player], entrant))
    hands, game = record.stages[drawn.stage - 1].hands, record.opening.game
    deals = None
    if hands is not None and game in GAMES:
        deals = count_deals(GAMES[game], len(seats), hands)
    return SeatedTableView(number, deals, entrants, seats)


def _list_prizes(
    record: TournamentRecord, results: Mapping[str, PlayedTable], board: Scoreboard,
    table: TournamentStandingsView,
) -> Iterator[PrizeLine]:  # fmt: skip
    """Yield the prizes by place; behind the last stage come the places of the stages before."""
    prizes = {int(place): prize for place, prize in (record.opening.prizes or {}).items()}
    places: dict[int, list[str]] = {}
    known = set[str]()
    for stage in range(table.stage, 0, -1):
        if len(known) >= max(prizes, default=0):
            break
        rows = (table.rows if stage == table.stage
                else board.compute(record, results, stage).rows)  # fmt: skip
        new = [row for row in rows if row.entrant not in known]
        before = len(known)
        for row in new:
            ahead = sum(other.place < row.place for other in new)
            places.setdefault(before + ahead + 1, []).append(record.entrants[row.entrant].name)
        known |= {row.entrant for row in new}
    for first, names in sorted(places.items()):
        last = first + len(names) - 1
        won = tuple(prizes[place] for place in range(first, last + 1) if place in prizes)
        if won:
            yield PrizeLine(first, last, tuple(names), won)
    taken = sum(map(len, places.values()))
    for place in sorted(prizes):
        if place > taken:
            yield PrizeLine(place, place, (), (prizes[place],))
