"""A game in half points: Knock, whose units are halves of a point, also in its scores."""

from dataclasses import replace
from fractions import Fraction

import pytest

from scorekeeper.base.parts import simplify
from scorekeeper.events.fields import COUNT, Each, Whole
from scorekeeper.events.playing import PLAY, play_events
from scorekeeper.games import GAMES
from scorekeeper.games.checked import with_checked_values
from scorekeeper.games.game import Game
from scorekeeper.games.knock import GAME as KNOCK
from scorekeeper.games.knock.state import KnockDeal
from scorekeeper.play.facts import SIDE, HandFacts
from scorekeeper.play.scoring import Result
from scorekeeper.play.settlement import Settlement

HALVES = 2
HALF = Fraction(1, HALVES)


class HalvesDeal(KnockDeal):
    """A hand of Knock whose 100 units are halves of a point."""

    COUNTED_IN = HALVES


def in_halves(share: Fraction = HALF) -> Game:
    """Return Knock with counts and scores in half points, as the loader would keep it.

    Each point of Knock scores a ``share`` of a point: with another one the game is wrong.
    """

    def score(deal: HalvesDeal) -> Result:
        result = KNOCK.score(deal)
        lines = (line._replace(points=simplify(line.points * share)) for line in result.lines)
        return replace(result, lines=tuple(lines))

    taken, *others = KNOCK.facts.facts
    assert taken.kind == Each(SIDE, COUNT)
    taken = replace(taken, kind=Each(SIDE, Whole(0, parts=HALVES)))
    game = replace(
        KNOCK,
        parts=HALVES,
        events=(*play_events(HALVES), *(kind for kind in KNOCK.events if kind not in PLAY)),
        start=HalvesDeal,
        score=score,
        facts=HandFacts((taken, *others), KNOCK.facts.sentences),
        settlement=Settlement("The players of a side share its total.", zero_sum=True, shared=True),
    )
    return with_checked_values(game)


def install(patch: pytest.MonkeyPatch, share: Fraction = HALF) -> None:
    """Put the game in the place of Knock."""
    patch.setitem(GAMES._versions, "knock", (in_halves(share),))
