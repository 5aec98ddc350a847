"""Penalties in the sequence of a match: the hand beside which each stands, and its effect."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import NamedTuple, cast

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.common import PenaltyGiven
from scorekeeper.events.event import Entry
from scorekeeper.play.match import Standing
from scorekeeper.play.match_members import read_games
from scorekeeper.play.scoring import Result
from scorekeeper.session.matches import HandEffect, HandRecord, MatchRecord


class GameScores(NamedTuple):
    """The score of each side in a game, given by its number; None if no games are won."""

    game: int | None
    scores: Mapping[str, ExactPoints]


@dataclass(frozen=True, slots=True)
class PlacedPenalty:
    """A penalty: its side and reason, and ``points``, the change of each side's score.

    It stands beside the hand of that number (0 for before the first), ``after`` the hand's score or
    before it. ``game`` is the number of the game that counts it, if games are won: a penalty given
    after a game was won counts in the next one, and in none after the last.
    """

    seq: int
    side: str
    reason: str
    hand: int
    after: bool
    points: Mapping[str, ExactPoints]
    game: int | None = None


def place_penalties(match: MatchRecord) -> Iterator[PlacedPenalty]:
    """Yield the penalties of a match in their sequence (G7)."""
    standing = match.game.course.start(match.sides, match.options)
    for _, several in groupby(match.early, key=lambda early: early[0].seq):
        early_penalties = list(several)
        penalized = reduce(
            match.game.course.penalize, (penalty for _, penalty in early_penalties), standing
        )
        yield _make_placed(
            early_penalties[0][0],
            0,
            _find_change(_list_scores(match, standing), _list_scores(match, penalized)),
        )
        standing = penalized
    for hand in match.hands:
        if hand.penalties:
            yield from _place_hand_penalties(match, hand)


def _place_hand_penalties(match: MatchRecord, hand: HandRecord) -> Iterator[PlacedPenalty]:
    """Yield the penalties of a hand, each with the change that it makes to the scores."""
    start = match.standing(hand.number - 1)
    parts = match.compute_effect(hand, start)
    early, game = len(parts.before), match.game.describe_hand(hand.deal).get("game")
    scores = _score_with(match, start, parts._replace(before=(), after=()))
    penalty_count = 0
    for place, several in groupby(hand.penalties, key=lambda placed: placed[0]):
        penalty_count += len(list(several))
        so_far = parts._replace(
            before=parts.before[:penalty_count], after=parts.after[: max(0, penalty_count - early)]
        )
        new_scores = _score_with(match, start, so_far)
        changed = _find_change(scores, new_scores)
        late = penalty_count > early or changed.game != game
        yield _make_placed(hand.entries[place], hand.number, changed, late=late)
        scores = new_scores


def _make_placed(
    entry: Entry, hand: int, changed: GameScores, *, late: bool = False
) -> PlacedPenalty:
    """Return a penalty with its place; `changed` has the change of scores by side."""
    event = cast("PenaltyGiven", entry.event)
    return PlacedPenalty(
        entry.seq, event.side, event.reason, hand, late, changed.scores, changed.game
    )


def _score_with(match: MatchRecord, standing: Standing, parts: HandEffect) -> Sequence[GameScores]:
    """Return the totals, or scores by game, after a hand with some of its penalties."""
    return _list_scores(match, match.game.course.add(standing, *parts))


def _list_scores(match: MatchRecord, standing: Standing) -> Sequence[GameScores]:
    """Return the totals, or the scores of each game at the beginning of the next hand."""
    standing_at_next = match.game.course.add(standing, Result(), match.options, (), ())
    games = read_games(match.game.describe_match(standing_at_next))
    if games is None:
        return [GameScores(None, standing_at_next.totals)]
    return [GameScores(number, game.scores) for number, game in enumerate(games, 1)]


def _find_change(before: Sequence[GameScores], after: Sequence[GameScores]) -> GameScores:
    """Return the game whose scores changed, and the change by side.

    If nothing changed, the game is None and there are no points.
    """
    for (_, old), (game, new) in zip(before, after, strict=True):
        points = {side: new[side] - old[side] for side in new if new[side] != old[side]}
        if points:
            return GameScores(game, points)
    return GameScores(None, {})
