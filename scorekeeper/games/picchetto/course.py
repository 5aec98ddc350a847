"""A match of Picchetto: games, each to its own figure, or a fixed number of hands (P15, P16).

A match of fixed hands is one game without a figure to reach: its score is that of the match,
and what it comes to is settled at the end (:class:`Reckoning`).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause
from scorekeeper.games.picchetto.marks import Orders
from scorekeeper.games.picchetto.rules import (
    DOUBLE_UNDER,
    RUBICON,
    SETTLED,
    Deals,
    deals_of,
    games_of,
)
from scorekeeper.play.match import Course, Penalty, Standing
from scorekeeper.play.scoring import Result, Text, add_up


class PlayedGame(NamedTuple):
    """One game of a match: the figure that wins it, the score with penalties, who won it.

    Without a ``target`` it goes on for that many hands; ``counts`` is for how many games it counts.
    """

    name: str
    target: int | None
    scores: Mapping[str, int]
    winner: str | None = None
    counts: int = 1

    def plus(self, points: Mapping[str, int]) -> "PlayedGame":
        """The same game with more on the score."""
        scores = {player: n + points.get(player, 0) for player, n in self.scores.items()}
        return self._replace(scores=scores)


class MatchReckoning(NamedTuple):
    """What a match of fixed hands comes to at its end: to whom how much, and how (P16)."""

    points: Mapping[str, int]
    text: Text


class Games(NamedTuple):
    """The games of a match: those that are won, and the one that is played or comes next.

    A game is listed from its first hand on; what penalties did before that waits in it.
    ``deals`` are the complete hands of a match that is played for a given number.
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
    """What a complete hand did to its game: who won it by it, and which penalties are in it.

    ``orders`` is there where the tricks were only counted.
    """

    winner: str | None = None
    penalties: tuple[int, ...] = ()  # seqs: recorded before the mark that won
    orders: Orders | None = None


def start(sides: Iterable[str], options: Mapping[str, Any]) -> Standing:
    """The first game, at nothing to anybody."""
    players = tuple(sides)
    return Standing(dict.fromkeys(players, 0), extra=Games((), new_game(0, players, options)))


def new_game(number: int, players: Iterable[str], options: Mapping[str, Any]) -> PlayedGame:
    """A game that nothing has been marked in, by its place in the match from 0."""
    nothing = dict.fromkeys(players, 0)
    if deals_of(options):
        return PlayedGame("game", None, nothing)
    name, target = games_of(options)[number]
    return PlayedGame(name, target, nothing)


def penalize(standing: Standing, penalty: Penalty) -> Standing:
    """The score of the current game changes, or after a game was won that of the next (G7)."""
    games: Games = standing.extra
    if games.current is None:
        return standing
    current = games.current.plus({penalty.side: penalty.points})
    standing = standing._replace(extra=games._replace(current=current))
    return standing._replace(totals=current.scores) if current.target is None else standing


def add(
    standing: Standing,
    result: Result,
    options: Mapping[str, Any],
    before: tuple[Penalty, ...],
    after: tuple[Penalty, ...],
) -> Standing:
    """The match after a hand, whatever became of it.

    Which penalties count in a game that the hand won, its marks have decided (:class:`Ending`);
    those left over count in the next game.
    """
    games: Games = standing.extra
    if games.current is None:
        return standing
    ending: Ending = result.marks if result.complete else Ending()
    if not games.begun:
        standing = standing._replace(extra=games._replace(begun=True))
    later = []
    for penalty in (*before, *after):
        in_it = penalty.seq in ending.penalties if ending.winner else penalty in before
        if in_it:
            standing = penalize(standing, penalty)
        else:
            later.append(penalty)
    if result.complete:
        standing = _marked(standing, result, ending.winner, options)
    for penalty in later:
        standing = penalize(standing, penalty)
    return standing


def _marked(
    standing: Standing, result: Result, winner: str | None, options: Mapping[str, Any]
) -> Standing:
    games: Games = standing.extra
    if games.current is None:
        return standing
    current = games.current.plus(add_up(result.lines, standing.totals))
    deals = deals_of(options)
    if deals:
        games = games._replace(current=current, deals=games.deals + 1)
        return _dealt(standing, games, deals)
    if winner is None:
        return standing._replace(extra=games._replace(current=current))
    if options["match"] == "cent" and min(current.scores.values()) < DOUBLE_UNDER:
        current = current._replace(counts=2)
    won = (*games.won, current._replace(winner=winner))
    totals = {
        player: n + current.counts * (player == winner) for player, n in standing.totals.items()
    }
    over = totals[winner] > len(games_of(options)) // 2
    following = None if over else new_game(len(won), totals, options)
    return Standing(totals, standing.hands, over, Games(won, following))


def _dealt(standing: Standing, games: Games, deals: Deals) -> Standing:
    """A match of a fixed number of hands after one of them, settled after the last (P16)."""
    if games.current is None:
        return standing
    scores = games.current.scores
    equal = len(set(scores.values())) == 1
    over = games.deals >= deals.number + deals.more or (games.deals == deals.number and not equal)
    if over:
        games = games._replace(
            won=(games.current,), current=None, reckoning=settled(scores, games.deals)
        )
    return standing._replace(totals=scores, over=over, extra=games)


LEVEL: Final = "{points} each after {hands} hands: drawn"
ACROSS: Final = "{won} to {lost}: 100 and the difference of {more} make {points}"
UNDER: Final = "{won} to {lost}, which is under 100: 100 and the sum of {more} make {points}"


def settled(scores: Mapping[str, int], hands: int) -> MatchReckoning:
    """What a match comes to that was played over a given number of hands (P16).

    >>> settled({"mara": 131, "leo": 113}, 6).points
    {'mara': 118, 'leo': -118}
    """
    lost, won = sorted(scores.values())
    if won == lost:
        return MatchReckoning(dict.fromkeys(scores, 0), Text(LEVEL, points=won, hands=hands))
    more = won - lost if lost >= RUBICON else won + lost
    points = SETTLED + more
    text = Text(ACROSS if lost >= RUBICON else UNDER, won=won, lost=lost, more=more, points=points)
    return MatchReckoning({one: points if n == won else -points for one, n in scores.items()}, text)


def no_penalty(options: Mapping[str, Any], *, over: bool) -> Cause | None:
    """Why no penalty can be given: after the match there is no game that it could count in."""
    words = "the match is over: a penalty has no game left to count in"
    return Cause(words, "penalty_too_late") if over else None


def tell_hand(deal: Any) -> dict[str, Any]:
    """The number of the game that a hand belongs to, where games are won."""
    return {} if deals_of(deal.table.options) else {"game": deal.games.number}


def tell_match(standing: Standing) -> dict[str, Any]:
    """The games of a match, each from its first hand on; of that many hands, their reckoning."""
    games: Games = standing.extra
    played = games.current or games.won[-1]
    if games.reckoning:
        points, text = games.reckoning
        return {"reckoning": {"points": dict(points), "rule": "P16", "text": text.say()}}
    return {} if played.target is None else {"games": [_told(game) for game in games.games]}


def _told(game: PlayedGame) -> dict[str, Any]:
    told = {"name": game.name, "target": game.target, "scores": dict(game.scores),
            "winner": game.winner}  # fmt: skip
    return told if game.counts == 1 else {**told, "counts": game.counts}


COURSE: Final = Course(start, penalize, add)
