"""The score sheet: a report laid out as players know it, hands as rows and sides as columns.

Penalties are rows, too, where they were given: so each column adds up from its top to its foot.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from scorekeeper.base.language import language
from scorekeeper.events.sentences import spaced
from scorekeeper.games.game import Game
from scorekeeper.play.rulebook import Option
from scorekeeper.play.scoring import add_up
from scorekeeper.report.penalties import PlacedPenalty, place_penalties
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session


@dataclass(frozen=True, slots=True)
class Cell:
    """What a side made in a hand, and its total after it; None where nothing was scored."""

    points: int | None
    total: int | None


EMPTY_CELL: Final = Cell(None, None)


@dataclass(frozen=True, slots=True)
class PenaltyRow:
    """A penalty beside a hand, 0 for before the first: to whom, why, and what it changed.

    Whom it did not change has no points and no total in it. ``game`` is None where none counts it.
    """

    seq: int
    hand: int
    side: str
    reason: str
    cells: Mapping[str, Cell]
    game: int | None = None


@dataclass(frozen=True, slots=True)
class HandRow:
    """One hand: its number, who dealt, how it stands, a cell for each side, and who signed."""

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
class Sheet:
    """One match: its columns (sides with the names of their players), rows and totals.

    ``winners`` of a match that is over are none where no hand of it counted. ``counts`` says what
    the totals of the match are: ``points``, ``hands`` won or ``games`` won. ``steps`` are the hands
    and the penalties in their sequence, ``rows`` the hands alone. ``reckoning`` is what the match
    came to at its end, in a game that settles it otherwise than by its totals, with how.
    """

    match: int
    game: str
    columns: Mapping[str, str]
    steps: tuple[HandRow | PenaltyRow, ...]
    totals: Mapping[str, int]
    status: str
    winners: tuple[str, ...]
    options: Mapping[str, Any]
    games: tuple[Mapping[str, Any], ...] = ()
    counts: str = "points"
    reckoning: Mapping[str, Any] | None = None
    rows: tuple[HandRow, ...] = field(init=False)

    def __post_init__(self) -> None:
        rows = tuple(step for step in self.steps if isinstance(step, HandRow))
        object.__setattr__(self, "rows", rows)

    @property
    def parts(self) -> Iterator[tuple[Mapping[str, Any] | None, list[HandRow | PenaltyRow]]]:
        """The steps by game, each with what the report says of it; all in one without games.

        What waits for a game that was not begun, or that none counts, comes last, without one.
        """
        by_game: dict[int | None, list[HandRow | PenaltyRow]] = {}
        for step in self.steps:
            by_game.setdefault(step.game, []).append(step)
        for number in sorted(by_game, key=lambda one: one or len(self.steps)):
            yield self.game_of(by_game[number][0]), by_game[number]

    def game_of(self, step: HandRow | PenaltyRow) -> Mapping[str, Any] | None:
        """What the report says of the game of a step; None without one, or before it was begun."""
        begun = step.game is not None and step.game <= len(self.games)
        return self.games[step.game - 1] if begun and step.game else None


def make_sheets(report: Mapping[str, Any], session: Session) -> list[Sheet]:
    """The sheets of a session and its report, one for each match."""
    matches = zip(report["matches"], session.structure.matches, strict=True)
    return [make_sheet(told, match, session.structure.players) for told, match in matches]


def make_sheet(told: Mapping[str, Any], match: MatchRecord, names: Mapping[str, str]) -> Sheet:
    """The sheet of a match, of which the report has told, with the names of its players."""
    return Sheet(
        match=told["match"],
        game=told["game"],
        columns={
            side: " & ".join(names[player] for player in players)
            for side, players in told["sides"].items()
        },
        steps=tuple(_list_steps(told, match, names)),
        totals=told["totals"],
        status=told["status"],
        winners=get_winning_sides(told),
        options=told["options"],
        games=tuple(told.get("games", ())),
        counts=find_counted_unit(match),
        reckoning=told.get("reckoning"),
    )


def get_winning_sides(match: Mapping[str, Any]) -> tuple[str, ...]:
    """The sides that won a match of a report; none where it ended before a hand of it counted."""
    played = any(hand["status"] == "complete" for hand in match["hands"])
    return tuple(match["winners"]) if played else ()


def find_counted_unit(match: MatchRecord) -> str:
    """What the totals of a match count: points, games won, or hands won."""
    standing = match.standing()
    if "games" in match.game.describe_match(standing):
        return "games"
    results = [hand.deal.result for hand in match.hands]
    winners = [result.winner for result in results]
    won = {side: winners.count(side) for side in match.sides}
    made = add_up((line for result in results for line in result.lines), match.sides)
    return "hands" if standing.totals == won != made else "points"


def _list_steps(
    told: Mapping[str, Any], match: MatchRecord, names: Mapping[str, str]
) -> Iterator[HandRow | PenaltyRow]:
    placed: dict[tuple[int, bool], list[PlacedPenalty]] = {}
    for penalty in place_penalties(match):
        placed.setdefault((penalty.hand, penalty.after), []).append(penalty)
    running = _RunningTotals(told, dict(match.game.course.start(match.sides, match.options).totals))
    yield from map(running.penalty, placed.get((0, False), ()))
    for hand in told["hands"]:
        yield from map(running.penalty, placed.get((hand["hand"], False), ()))
        late = placed.get((hand["hand"], True), ())
        yield running.hand(hand, names, late)
        yield from map(running.penalty, late)


class _RunningTotals:
    """The totals of a match from step to step; where games are won, each begins at nothing."""

    def __init__(self, told: Mapping[str, Any], start: dict[str, int]) -> None:
        self.sides = list(told["sides"])
        self.games = "games" in told
        self.totals: dict[int | None, dict[str, int]] = {None: start}

    def penalty(self, given: PlacedPenalty) -> PenaltyRow:
        """The row of a penalty."""
        totals = self._add_points(given.game, given.points)
        cells = {
            side: Cell(given.points[side], totals[side]) if side in given.points else EMPTY_CELL
            for side in self.sides
        }
        return PenaltyRow(given.seq, given.hand, given.side, given.reason, cells, given.game)

    def hand(
        self, hand: Mapping[str, Any], names: Mapping[str, str], late: Iterable[PlacedPenalty]
    ) -> HandRow:
        """The row of a hand, before the ``late`` penalties, which its report has in the totals."""
        game = hand.get("game")
        if self.games:
            totals = self._add_points(game, hand["scores"])
        else:
            totals = self.totals[None] = dict(hand["totals"])
            for penalty in late:
                self._add_points(None, {side: -points for side, points in penalty.points.items()})
        scored = hand["status"] == "complete"
        return HandRow(
            hand=hand["hand"],
            dealer=names[hand["dealer"]],
            status=hand["status"],
            level=hand["level"],
            cells={
                side: Cell(points, totals[side]) if scored else EMPTY_CELL
                for side, points in hand["scores"].items()
            },
            winner=hand["winner"],
            signed=tuple(names[player] for player in hand["confirmed"]),
            disputed=hand["disputed"],
            game=game,
        )

    def _add_points(self, game: int | None, points: Mapping[str, int]) -> dict[str, int]:
        totals = self.totals.setdefault(game, dict.fromkeys(self.sides, 0))
        for side, more in points.items():
            totals[side] += more
        return totals


def list_changed_options(match: Sheet, game: Game) -> list[str]:
    """The options of a match that differ from their defaults, each with its value."""
    return [
        f"{name} {format_option_value(value)}"
        for name, value in game.book.changed(match.options).items()
    ]


def format_option_value(value: Any) -> str:
    """The value of an option as it is written.

    >>> format_option_value({"target": 21}), format_option_value(True), format_option_value([])
    ('target 21', 'true', 'none')
    """
    if isinstance(value, dict):
        return " ".join(f"{key} {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(_format_own_text(one) or str(one) for one in value) or "none"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _format_own_text(value: Any) -> str:
    """A text of the table's own with its id; empty for anything else.

    >>> _format_own_text({"id": "pull_ear", "text": "I have the World"})
    'pull ear: I have the World'
    """
    if not isinstance(value, Mapping) or set(value) != {"id", "text"}:
        return ""
    return f"{spaced(value['id'])}: {value['text']}"


def summarize_rules(game: Game, options: Mapping[str, Any]) -> str:
    """The options of a match that are not as usual, in one line; empty where all are.

    >>> from scorekeeper.games import GAMES
    >>> game = GAMES["briscola_chiamata"]
    >>> summarize_rules(game, game.options({"ladder": "points", "bands": [81, 91]}, 5))
    'stakes at 81, 91 · points only'
    """
    changed = game.book.changed(options)
    said = [
        _summarize_option(one, changed[one.name])
        for one in game.book.options
        if one.name in changed
    ]
    return " · ".join(said)


def _summarize_option(option: Option, value: Any) -> str:
    asked = "" if option.in_brief(value)[0] else f"{language().say(option.text)} "
    return asked + summarize_value(option, value)


def summarize_value(option: Option, value: Any) -> str:
    """A value of an option in two or three words.

    >>> from scorekeeper.games import GAMES
    >>> options = {one.name: one for one in GAMES["riparto"].book.options}
    >>> summarize_value(options["match_end"], {"hands": 2})
    '2 hands'
    """
    template, number = option.in_brief(value)
    if not template:
        return describe_value(value)
    return language().say(template).format(n=describe_value(number))


def describe_value(value: Any) -> str:
    """The value of an option as a player reads it.

    >>> describe_value({"target": 21}), describe_value(True), describe_value("last_trick")
    ('target 21', 'yes', 'last trick')
    """
    if isinstance(value, bool):
        return language().word("value", "yes" if value else "no")
    if isinstance(value, Mapping):
        return ", ".join(f"{describe_value(key)} {one}" for key, one in value.items())
    if isinstance(value, list | tuple):
        words = [_format_own_text(one) or describe_value(one) for one in value]
        return ", ".join(words) or language().word("list", "none")
    return language().word("value", str(value).replace("_", " "))
