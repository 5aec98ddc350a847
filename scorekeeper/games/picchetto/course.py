"""A match of Picchetto: up to three games, each from nothing to its own figure (P15, P16)."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.games.picchetto.marks import Orders
from scorekeeper.games.picchetto.rules import games_of
from scorekeeper.play.match import Course, Penalty, Standing
from scorekeeper.play.scoring import Result, add_up


class PlayedGame(NamedTuple):
    """One game of a match: the figure that wins it, the score with penalties, who won it."""

    name: str
    target: int
    scores: Mapping[str, int]
    winner: str | None = None

    def plus(self, points: Mapping[str, int]) -> "PlayedGame":
        """The same game with more on the score."""
        scores = {player: n + points.get(player, 0) for player, n in self.scores.items()}
        return self._replace(scores=scores)


class Games(NamedTuple):
    """The games of a match: those that are won, and the one that is played or comes next.

    A game is listed from its first hand on; what penalties did before that waits in it.
    """

    won: tuple[PlayedGame, ...]
    current: PlayedGame | None  # None after the match
    begun: bool = False

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
    name, target = games_of(options)[number]
    return PlayedGame(name, target, dict.fromkeys(players, 0))


def penalize(standing: Standing, penalty: Penalty) -> Standing:
    """The score of the current game changes, or after a game was won that of the next (G7)."""
    games: Games = standing.extra
    if games.current is None:
        return standing
    current = games.current.plus({penalty.side: penalty.points})
    return standing._replace(extra=games._replace(current=current))


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
    standing = standing._replace(extra=games._replace(begun=True))
    later = []
    for penalty in (*before, *after):
        if ending.winner is None or penalty.seq in ending.penalties:
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
    standing = standing._replace(hands=standing.hands + 1)
    if winner is None:
        return standing._replace(extra=games._replace(current=current))
    won = (*games.won, current._replace(winner=winner))
    totals = {player: n + (player == winner) for player, n in standing.totals.items()}
    over = totals[winner] > len(games_of(options)) // 2
    following = None if over else new_game(len(won), totals, options)
    return standing._replace(totals=totals, over=over, extra=Games(won, following))


def no_penalty(options: Mapping[str, Any], *, over: bool) -> str | None:
    """Why no penalty can be given: after the match there is no game that it could count in."""
    return "the match is over: a penalty has no game left to count in" if over else None


def tell_hand(deal: Any) -> dict[str, Any]:
    """The number of the game that a hand belongs to."""
    return {"game": deal.games.number}


def tell_match(standing: Standing) -> dict[str, Any]:
    """The games of a match, each from its first hand on."""
    games: Games = standing.extra
    told = [
        {"name": game.name, "target": game.target, "scores": dict(game.scores),
         "winner": game.winner}
        for game in games.games
    ]  # fmt: skip
    return {"games": told}


COURSE: Final = Course(start, penalize, add)
