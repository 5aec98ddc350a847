"""The rounds of a stage with their results, who met whom, what was ruled, and figures."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.tournaments.hall_views import HallTablesView, view_tables
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.values import TournamentRound


class RoundResults(NamedTuple):
    """A round with the results of its tables, and what drew it.

    ``byes`` are names. ``used`` is whether the draw used results of earlier rounds.
    """

    view: HallTablesView
    byes: tuple[str, ...]
    generator: str
    seed: int
    used: bool
    paper: frozenset[int]


class TableMeeting(NamedTuple):
    """A table at which two entrants met; ``session`` is None for a table on paper."""

    round: int
    table: int
    session: str | None


class CrossRow(NamedTuple):
    """An entrant's meetings with each entrant, in the same order."""

    name: str
    meetings: tuple[tuple[TableMeeting, ...], ...]


class RulingLine(NamedTuple):
    """A decision of the director: ``kind`` is call, hand, assigned or adjusted.

    ``subject`` is what it was about or whom, and ``text`` the answer or the reason.
    """

    seq: int
    kind: str
    round: int | None
    table: int | None
    subject: str
    text: str
    points: Fraction | None = None
    counts: bool | None = None


class BestHand(NamedTuple):
    """The highest score of a hand."""

    name: str
    score: ExactPoints
    session: str
    round: int
    table: int


class TournamentFigures(NamedTuple):
    """How much was played."""

    rounds: int
    tables: int
    paper: int
    hands: int
    fewest: int
    most: int
    best: BestHand | None


def list_rounds(
    record: TournamentRecord, results: Mapping[str, PlayedTable], stage: int
) -> list[RoundResults]:
    """Return the published rounds of a stage with their results."""
    return [
        RoundResults(
            view_tables(record, drawn, results),
            tuple(record.entrants[entrant].name for entrant in drawn.byes),
            drawn.generator.name, drawn.generator.seed, bool(drawn.heads), frozenset(drawn.paper),
        )
        for drawn in list_published(record, stage)
    ]  # fmt: skip


def list_published(record: TournamentRecord, stage: int | None = None) -> list[TournamentRound]:
    """Return the published rounds of a stage, or of all, in their order."""
    return [
        drawn
        for _number, drawn in sorted(record.rounds.items())
        if drawn.published and stage in (None, drawn.stage)
    ]


def list_meetings(record: TournamentRecord, stage: int, order: Sequence[str]) -> list[CrossRow]:
    """Return who met whom in a stage, in the order of the standings."""
    met: dict[tuple[str, str], list[TableMeeting]] = {}
    for drawn in list_published(record, stage):
        for number, table in enumerate(drawn.tables, 1):
            opened = (drawn.sessions or {}).get(number)
            meeting = TableMeeting(drawn.number, number, opened.session if opened else None)
            for own in table:
                for other in table:
                    if own != other:
                        met.setdefault((own, other), []).append(meeting)
    return [
        CrossRow(record.entrants[own].name,
                 tuple(tuple(met.get((own, other), ())) for other in order))
        for own in order
    ]  # fmt: skip


def list_rulings(record: TournamentRecord) -> list[RulingLine]:
    """Return all decisions of the director, in their order."""
    return sorted(_yield_rulings(record))


def _yield_rulings(record: TournamentRecord) -> Iterator[RulingLine]:
    """Yield answered calls, rulings on hands, and points that were set or given."""
    for call in record.calls.values():
        if call.answered is not None:
            yield RulingLine(call.seq, "call", call.round, call.table, call.about,
                             call.answer or "")  # fmt: skip
    for given in record.adjustments:
        name = record.entrants[given.entrant].name
        yield RulingLine(given.seq, "adjusted", given.round, None, name, given.reason, given.points)
    for drawn in list_published(record):
        for (table, hand), ruling in drawn.rulings.items():
            yield RulingLine(ruling.seq, "hand", drawn.number, table, str(hand), ruling.reason,
                             counts=ruling.counts)  # fmt: skip
        for entrant, assigned in drawn.assigned.items():
            yield RulingLine(assigned.seq, "assigned", drawn.number, drawn.find_table(entrant),
                             record.entrants[entrant].name, assigned.reason,
                             assigned.points)  # fmt: skip


def compute_figures(
    record: TournamentRecord, results: Mapping[str, PlayedTable]
) -> TournamentFigures:
    """Return how much was played in the published rounds."""
    rounds = list_published(record)
    played = [
        (drawn, number, results[opened.session])
        for drawn in rounds
        for number, opened in (drawn.sessions or {}).items()
        if opened is not None and opened.session in results
    ]
    counts = [sum(hand.complete for hand in result.hands) for _, _, result in played]
    names = {player: name for player, name, _ in record.list_players()}
    hands = [
        BestHand(names.get(player, player), score, result.session_id, drawn.number, number)
        for drawn, number, result in played
        for hand in result.hands
        if hand.complete
        for player, score in hand.scores.items()
    ]
    return TournamentFigures(
        len(rounds), sum(len(drawn.tables) for drawn in rounds),
        sum(len(drawn.paper) for drawn in rounds), sum(counts), min(counts, default=0),
        max(counts, default=0), max(hands, key=lambda hand: hand.score, default=None),
    )  # fmt: skip
