"""The score sheet: a report laid out as players know it, with hands as rows and sides as columns.

Penalties are rows, too, so that each column adds up from top to bottom.
"""

from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.play.match_members import (
    GAMES_OF_MATCH,
    GameOfMatchView,
    ReckoningView,
    read_games,
    read_reckoning,
)
from scorekeeper.play.scoring import add_up
from scorekeeper.report.penalties import PlacedPenalty, place_penalties
from scorekeeper.report.views import HandView, MatchView, ReportView
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session


@dataclass(frozen=True, slots=True)
class Cell:
    """The points of a side in a hand, and its total after it; None if nothing was scored."""

    points: ExactPoints | None
    total: ExactPoints | None


EMPTY_CELL: Final = Cell(None, None)


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty beside a hand, 0 for before the first: its side, its reason, and its effect.

    The cells of sides that it did not change are empty. ``game`` is None if no game counts it.
    """

    kind: ClassVar[str] = "penalty"
    seq: int
    hand: int
    side: str
    reason: str
    cells: Mapping[str, Cell]
    game: int | None = None


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: its number, dealer and state, a cell for each side, and its signers."""

    kind: ClassVar[str] = "hand"
    hand: int
    dealer: str
    status: str
    level: str
    cells: Mapping[str, Cell]
    winner: str | None
    signed: tuple[str, ...]
    disputed: bool
    game: int | None = None


@dataclass(frozen=True, slots=True)
class GameHead:
    """The row above the steps of a game, in a match that has several."""

    kind: ClassVar[str] = "head"
    game: GameOfMatchView


@dataclass(frozen=True, slots=True)
class SumRow:
    """A row below the steps, with a figure for each side.

    ``what`` is ``game`` for the scores of a ``game``, ``totals`` for those of the match, and
    ``settled`` for its reckoning, which ``text`` explains.
    """

    kind: ClassVar[str] = "sum"
    what: str
    figures: Mapping[str, ExactPoints]
    game: GameOfMatchView | None = None
    text: str = ""


SheetStep = HandRow | PenaltyRow
GridRow = GameHead | SheetStep | SumRow


@dataclass(frozen=True, slots=True)
class Sheet:
    """One match: its columns (sides with the names of their players), rows and totals.

    ``played`` is whether a hand of it is complete: without one it has no result. ``counts`` is the
    unit of the totals: ``points``, ``hands`` won or ``games`` won. ``steps`` are the hands and
    penalties in their sequence, ``rows`` the hands alone. ``reckoning`` is the result of the match
    in a game that does not settle it by its totals.
    """

    match: int
    game: str
    columns: Mapping[str, str]
    steps: tuple[SheetStep, ...]
    totals: Mapping[str, ExactPoints]
    status: str
    winners: tuple[str, ...]
    undecided: bool
    played: bool
    options: JsonObject
    games: tuple[GameOfMatchView, ...] = ()
    counts: str = "points"
    reckoning: ReckoningView | None = None
    rows: tuple[HandRow, ...] = field(init=False)

    def __post_init__(self) -> None:
        rows = tuple(step for step in self.steps if isinstance(step, HandRow))
        object.__setattr__(self, "rows", rows)

    @property
    def parts(self) -> Iterator[tuple[GameOfMatchView | None, list[SheetStep]]]:
        """The steps by game, each with the report of the game; all in one part without games.

        Steps that wait for a game that has not begun, or that no game counts, come last, with None.
        """
        by_game: dict[int | None, list[SheetStep]] = {}
        for step in self.steps:
            by_game.setdefault(step.game, []).append(step)
        for number in sorted(by_game, key=lambda number: number or len(self.steps)):
            yield self.game_of(by_game[number][0]), by_game[number]

    def grid(self, hands: Container[int] | None = None) -> Iterator[GridRow]:
        """Yield all rows from top to bottom; with ``hands`` only the steps of these hands."""
        for game, steps in self.parts:
            shown = [step for step in steps if hands is None or step.hand in hands]
            if game and shown:
                yield GameHead(game)
            yield from shown
            if game and shown:
                yield SumRow("game", game.scores, game)
        yield SumRow("totals", self.totals)
        if self.reckoning:
            yield SumRow("settled", self.reckoning.points, text=self.reckoning.text)

    def game_of(self, step: SheetStep) -> GameOfMatchView | None:
        """Return the report of a step's game; None if it has none, or before the game has begun."""
        begun = step.game is not None and step.game <= len(self.games)
        return self.games[step.game - 1] if begun and step.game else None


def make_sheets(report: ReportView, session: Session) -> list[Sheet]:
    """Return the sheets of a session and its report, one for each match."""
    pairs = zip(report.matches, session.structure.matches, strict=True)
    return [make_sheet(match, record, session.structure.players) for match, record in pairs]


def make_sheet(match: MatchView, record: MatchRecord, names: Mapping[str, str]) -> Sheet:
    """Return the sheet of a match; ``names`` are those of its players."""
    return Sheet(
        match=match.match,
        game=match.game,
        columns=name_sides(match.sides, names),
        steps=tuple(_list_steps(match, record, names)),
        totals=match.totals,
        status=match.status,
        winners=tuple(match.winners),
        undecided=bool(match.undecided),
        played=is_played(match),
        options=match.options,
        games=read_games(match.own) or (),
        counts=find_counted_unit(record),
        reckoning=read_reckoning(match.own),
    )


def name_sides(sides: Mapping[str, Sequence[str]], names: Mapping[str, str]) -> dict[str, str]:
    """Return the name of each side: the names of its players, joined by &."""
    return {side: " & ".join(names[player] for player in sides[side]) for side in sides}


class RankedSide(NamedTuple):
    """A side in the standing of a match; sides with the same total share their rank."""

    rank: int
    name: str
    total: ExactPoints
    winner: bool


def rank_sides(match: MatchView, names: Mapping[str, str]) -> list[RankedSide]:
    """Return the sides of a match with their ranks by totals, the highest first.

    ``names`` has the names of the sides.
    """
    totals = match.totals
    return [
        RankedSide(
            1 + sum(other > total for other in totals.values()),
            names[side],
            total,
            side in match.winners,
        )
        for side, total in sorted(totals.items(), key=lambda item: -item[1])
    ]


def is_played(match: MatchView) -> bool:
    """Return whether a hand of a match is complete; without one the match has no result."""
    return any(hand.status == "complete" for hand in match.hands)


def find_counted_unit(match: MatchRecord) -> str:
    """Return what the totals of a match count: points, games won, or hands won."""
    standing = match.standing()
    if GAMES_OF_MATCH in match.game.describe_match(standing):
        return "games"
    results = [hand.deal.result for hand in match.hands]
    winners = [result.winner for result in results]
    won = {side: winners.count(side) for side in match.sides}
    sums = add_up((line for result in results for line in result.lines), match.sides)
    return "hands" if standing.totals == won != sums else "points"


def _list_steps(
    match: MatchView, record: MatchRecord, names: Mapping[str, str]
) -> Iterator[SheetStep]:
    """Yield the rows of a match in their sequence: hands, with penalties before and after them."""
    placed: dict[tuple[int, bool], list[PlacedPenalty]] = {}
    for penalty in place_penalties(record):
        placed.setdefault((penalty.hand, penalty.after), []).append(penalty)
    start = record.game.course.start(record.sides, record.options)
    running = _RunningTotals(match, dict(start.totals))
    yield from map(running.penalty, placed.get((0, False), ()))
    for hand in match.hands:
        yield from map(running.penalty, placed.get((hand.hand, False), ()))
        late = placed.get((hand.hand, True), ())
        yield running.hand(hand, names, late)
        yield from map(running.penalty, late)


class _RunningTotals:
    """The totals of a match from step to step; where games are won, each game begins at zero."""

    def __init__(self, match: MatchView, start: dict[str, ExactPoints]) -> None:
        self.sides = list(match.sides)
        self.games = GAMES_OF_MATCH in match.own
        self.totals: dict[int | None, dict[str, ExactPoints]] = {None: start}

    def penalty(self, penalty: PlacedPenalty) -> PenaltyRow:
        """Return the row of a penalty."""
        totals = self._add_points(penalty.game, penalty.points)
        cells = {
            side: Cell(penalty.points[side], totals[side]) if side in penalty.points else EMPTY_CELL
            for side in self.sides
        }
        return PenaltyRow(
            penalty.seq, penalty.hand, penalty.side, penalty.reason, cells, penalty.game
        )

    def hand(
        self, hand: HandView, names: Mapping[str, str], late: Iterable[PlacedPenalty]
    ) -> HandRow:
        """Return the row of a hand without its ``late`` penalties.

        The totals in the report of a hand include them.
        """
        game = hand.own.get("game")
        if self.games:
            totals = self._add_points(game, hand.scores)
        else:
            totals = self.totals[None] = dict(hand.totals)
            for penalty in late:
                self._add_points(None, {side: -points for side, points in penalty.points.items()})
        scored = hand.status == "complete"
        return HandRow(
            hand=hand.hand,
            dealer=names[hand.dealer],
            status=hand.status,
            level=hand.level,
            cells={
                side: Cell(points, totals[side]) if scored else EMPTY_CELL
                for side, points in hand.scores.items()
            },
            winner=hand.winner,
            signed=tuple(names[player] for player in hand.confirmed),
            disputed=hand.disputed,
            game=game,
        )

    def _add_points(
        self, game: int | None, points: Mapping[str, ExactPoints]
    ) -> dict[str, ExactPoints]:
        """Add points to the totals of a game, or of the match for None, and return these totals."""
        totals = self.totals.setdefault(game, dict.fromkeys(self.sides, 0))
        for side, more in points.items():
            totals[side] += more
        return totals
