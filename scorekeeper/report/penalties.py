"""Penalties in the sequence of a match: beside which hand each stands, and what it changed."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import groupby
from typing import NamedTuple, cast

from scorekeeper.events.common import PenaltyGiven
from scorekeeper.events.event import Entry
from scorekeeper.play.match import Standing
from scorekeeper.play.scoring import Result
from scorekeeper.session.matches import HandEffect, HandRecord, MatchRecord


class GameScores(NamedTuple):
    """The number of a game, None where no games are won, and the score of each side in it."""

    game: int | None
    scores: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class PlacedPenalty:
    """A penalty: who got it and why, and ``points``, by how much it changed which sides.

    It stands beside the hand of that number, 0 for before the first, ``after`` what that hand
    scored or before it. ``game`` is the number of the game that counts it, where games are won:
    one given after a game was won counts in the next, and none after the last.
    """

    seq: int
    side: str
    reason: str
    hand: int
    after: bool
    points: Mapping[str, int]
    game: int | None = None


def place_penalties(match: MatchRecord) -> Iterator[PlacedPenalty]:
    """The penalties of a match in their sequence (G7)."""
    standing = match.game.course.start(match.sides, match.options)
    for _, several in groupby(match.early, key=lambda one: one[0].seq):
        given = list(several)
        then = reduce(match.game.course.penalize, (one for _, one in given), standing)
        yield _make_placed(
            given[0][0], 0, _find_change(_list_scores(match, standing), _list_scores(match, then))
        )
        standing = then
    for hand in match.hands:
        if hand.penalties:
            yield from _place_hand_penalties(match, hand)


def _place_hand_penalties(match: MatchRecord, hand: HandRecord) -> Iterator[PlacedPenalty]:
    """Those of a hand: each changed what the match has with it and had not without it."""
    start = match.standing(hand.number - 1)
    parts = match.compute_effect(hand, start)
    early, game = len(parts.before), match.game.describe_hand(hand.deal).get("game")
    scores = _score_with(match, start, parts._replace(before=(), after=()))
    given = 0
    for place, several in groupby(hand.penalties, key=lambda one: one[0]):
        given += len(list(several))
        so_far = parts._replace(
            before=parts.before[:given], after=parts.after[: max(0, given - early)]
        )
        then = _score_with(match, start, so_far)
        changed = _find_change(scores, then)
        late = given > early or changed.game != game
        yield _make_placed(hand.entries[place], hand.number, changed, late=late)
        scores = then


def _make_placed(
    entry: Entry, hand: int, changed: GameScores, *, late: bool = False
) -> PlacedPenalty:
    event = cast("PenaltyGiven", entry.event)
    return PlacedPenalty(
        entry.seq, event.side, event.reason, hand, late, changed.scores, changed.game
    )


def _score_with(match: MatchRecord, standing: Standing, parts: HandEffect) -> Sequence[GameScores]:
    return _list_scores(match, match.game.course.add(standing, *parts))


def _list_scores(match: MatchRecord, standing: Standing) -> Sequence[GameScores]:
    """The totals, or the scores of the games as a next hand would find them."""
    found = match.game.course.add(standing, Result(), match.options, (), ())
    games = match.game.describe_match(found).get("games")
    if games is None:
        return [GameScores(None, found.totals)]
    return [GameScores(number, game["scores"]) for number, game in enumerate(games, 1)]


def _find_change(before: Sequence[GameScores], after: Sequence[GameScores]) -> GameScores:
    """The game in which something has changed, and by how much, by side; else nothing in none."""
    for (_, old), (game, new) in zip(before, after, strict=True):
        points = {side: new[side] - old[side] for side in new if new[side] != old[side]}
        if points:
            return GameScores(game, points)
    return GameScores(None, {})
