"""A match of Picchetto: games, each to its own figure, or a fixed number of hands (P15, P16).

A match of fixed hands is one game without a target: its score is that of the match, and its
result is computed at the end (:class:`MatchReckoning`).
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints
from scorekeeper.base.views import to_json_values
from scorekeeper.games.picchetto.marks import OrderOutcomes
from scorekeeper.games.picchetto.rules import (
    DOUBLE_UNDER,
    RUBICON,
    SETTLED,
    Deals,
    deals_of,
    games_of,
)
from scorekeeper.games.picchetto.views import PicchettoHandView, PicchettoMatchView
from scorekeeper.play.match import Course, Penalty, Standing
from scorekeeper.play.match_members import GameOfMatchView, ReckoningView
from scorekeeper.play.scoring import Result, Text, add_up


class PlayedGame(NamedTuple):
    """One game of a match: the points that win it, the score with penalties, and the winner.

    Without a ``target`` it goes on for a fixed number of hands. ``counts`` is the number of games
    that it counts as (P16).
    """

    name: str
    target: int | None
    scores: Mapping[str, int]
    winner: str | None = None
    counts: int = 1

    def with_points(self, points: Mapping[str, ExactPoints]) -> "PlayedGame":
        """Return the game with points added to its score."""
        scores = {player: n + int(points.get(player, 0)) for player, n in self.scores.items()}
        return self._replace(scores=scores)


class MatchReckoning(NamedTuple):
    """The result of a match of fixed hands: the points by player, and their explanation (P16)."""

    points: Mapping[str, int]
    text: Text


class Games(NamedTuple):
    """The games of a match: those that are won, and the one that is played or comes next.

    A game is listed from its first hand on; earlier penalties are already in its score. ``deals``
    is the number of complete hands, in a match of fixed hands.
    """

    won: tuple[PlayedGame, ...]
    current: PlayedGame | None  # None after the match
    begun: bool = False
    deals: int = 0
    reckoning: MatchReckoning | None = None

    @property
    def games(self) -> tuple[PlayedGame, ...]:
        """The games of which a hand was dealt."""
        return (*self.won, self.current) if self.current and self.begun else self.won

    @property
    def number(self) -> int:
        """The number of the current game, from 1; after the match, of the last one."""
        return len(self.won) + (self.current is not None)


class Ending(NamedTuple):
    """The effect of a complete hand on its game: its winner, and the penalties that count in it.

    ``orders`` is set if the tricks were only counted.
    """

    winner: str | None = None
    penalties: tuple[int, ...] = ()  # seqs: recorded before the mark that won
    orders: OrderOutcomes | None = None


def start(sides: Iterable[str], options: JsonObject) -> Standing:
    """Return the standing before the first hand of a match: no points, and the first game open."""
    players = tuple(sides)
    return Standing(dict.fromkeys(players, 0), extra=Games((), new_game(0, players, options)))


def new_game(number: int, players: Iterable[str], options: JsonObject) -> PlayedGame:
    """Return a game with nothing marked, by its number in the match from 0."""
    zeros = dict.fromkeys(players, 0)
    if deals_of(options):
        return PlayedGame("game", None, zeros)
    name, target = games_of(options)[number]
    return PlayedGame(name, target, zeros)


def penalize(standing: Standing, penalty: Penalty) -> Standing:
    """Return the standing after a penalty: it changes the current game, or else the next (G7).

    After the match it changes nothing. In a match of fixed hands it also changes the totals.
    """
    games: Games = standing.extra
    if games.current is None:
        return standing
    current = games.current.with_points({penalty.side: penalty.points})
    standing = standing._replace(extra=games._replace(current=current))
    return standing._replace(totals=current.scores) if current.target is None else standing


def add(
    standing: Standing,
    result: Result,
    options: JsonObject,
    before: tuple[Penalty, ...],
    after: tuple[Penalty, ...],
) -> Standing:
    """Return the standing after a hand, complete or not, with the penalties in and after it.

    If the hand won a game, :class:`Ending` lists the penalties that count in it; the others count
    in the next game.
    """
    games: Games = standing.extra
    if games.current is None:
        return standing
    ending: Ending = result.marks if result.complete else Ending()
    if not games.begun:
        standing = standing._replace(extra=games._replace(begun=True))
    later = []
    for penalty in (*before, *after):
        counts_here = penalty.seq in ending.penalties if ending.winner else penalty in before
        if counts_here:
            standing = penalize(standing, penalty)
        else:
            later.append(penalty)
    if result.complete:
        standing = _add_complete_hand(standing, result, ending.winner, options)
    for penalty in later:
        standing = penalize(standing, penalty)
    return standing


def _add_complete_hand(
    standing: Standing, result: Result, winner: str | None, options: JsonObject
) -> Standing:
    """Return the standing after the lines of a complete hand.

    ``winner`` is the player who won the game with it, or None. In "cent" a game counts two if the
    loser stayed under 50 (P16).
    """
    games: Games = standing.extra
    if games.current is None:
        return standing
    current = games.current.with_points(add_up(result.lines, standing.totals))
    deals = deals_of(options)
    if deals:
        games = games._replace(current=current, deals=games.deals + 1)
        return _add_fixed_hand(standing, games, deals)
    if winner is None:
        return standing._replace(extra=games._replace(current=current))
    if options["match"] == "cent" and min(current.scores.values()) < DOUBLE_UNDER:
        current = current._replace(counts=2)
    won = (*games.won, current._replace(winner=winner))
    totals = {
        player: int(n) + current.counts * (player == winner)
        for player, n in standing.totals.items()
    }
    over = totals[winner] > len(games_of(options)) // 2
    following = None if over else new_game(len(won), totals, options)
    return Standing(totals, standing.hands, over, Games(won, following))


def _add_fixed_hand(standing: Standing, games: Games, deals: Deals) -> Standing:
    """Return the standing of a match of fixed hands after one of them, settled at the end (P16)."""
    if games.current is None:
        return standing
    scores = games.current.scores
    equal = len(set(scores.values())) == 1
    over = games.deals >= deals.number + deals.more or (games.deals == deals.number and not equal)
    if over:
        games = games._replace(
            won=(games.current,), current=None, reckoning=reckon_match(scores, games.deals)
        )
    return standing._replace(totals=scores, over=over, extra=games)


LEVEL: Final = "{points} each after {hands} hands: drawn"
ACROSS: Final = "{won} to {lost}: 100 and the difference of {more} make {points}"
UNDER: Final = "{won} to {lost}, which is under 100: 100 and the sum of {more} make {points}"


def reckon_match(scores: Mapping[str, int], hands: int) -> MatchReckoning:
    """Return the result of a match of fixed hands by its scores (P16).

    >>> reckon_match({"mara": 131, "leo": 113}, 6).points
    {'mara': 118, 'leo': -118}
    """
    lost, won = sorted(scores.values())
    if won == lost:
        return MatchReckoning(dict.fromkeys(scores, 0), Text(LEVEL, points=won, hands=hands))
    more = won - lost if lost >= RUBICON else won + lost
    points = SETTLED + more
    text = Text(ACROSS if lost >= RUBICON else UNDER, won=won, lost=lost, more=more, points=points)
    result = {player: points if n == won else -points for player, n in scores.items()}
    return MatchReckoning(result, text)


def no_penalty(options: JsonObject, *, over: bool) -> Cause | None:
    """Return why no penalty can be given after the match: no game is left; else None."""
    words = "the match is over: a penalty has no game left to count in"
    return Cause(words, "penalty_too_late") if over else None


def describe_hand(deal: Any) -> JsonObject:
    """Return the number of the hand's game for the report; empty in matches of fixed hands."""
    fixed = deals_of(deal.table.options)
    return to_json_values(PicchettoHandView(None if fixed else deal.games.number))


def describe_match(standing: Standing) -> JsonObject:
    """Return the additional keys of a match for the report.

    They are its games, each from its first hand on, or the result of fixed hands at the end.
    """
    games: Games = standing.extra
    played = games.current or games.won[-1]
    if games.reckoning:
        points, text = games.reckoning
        return to_json_values(
            PicchettoMatchView(reckoning=ReckoningView(points, "P16", text.say()))
        )
    if played.target is None:
        return {}
    return to_json_values(PicchettoMatchView(games=list(_view_games(games.games))))


def _view_games(games: Iterable[PlayedGame]) -> Iterator[GameOfMatchView]:
    """Yield games for the report: name, target, scores, winner, and count if above one."""
    for name, target, scores, winner, counts in games:
        assert target is not None  # noqa: S101  # only a match of fixed hands has none
        yield GameOfMatchView(name, target, scores, winner, None if counts == 1 else counts)


COURSE: Final = Course(start, penalize, add)
