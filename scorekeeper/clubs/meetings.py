"""How a member does with and against each other member, hand by hand, over all games.

A hand counts alike in every game: with somebody it is won where the party of both got more a
head than the others did, against somebody where the member himself got more than he.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from scorekeeper.clubs.figures import Attended
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.statistics import HandTally, played_by

ENOUGH: Final = 20  # hands from which on somebody can be a best partner, or a nemesis
EVEN: Final = Fraction(1, 2)


@dataclass(slots=True)
class Meeting:
    """How somebody does with another member, and against him."""

    other: str
    together: HandTally = field(default_factory=HandTally)
    against: HandTally = field(default_factory=HandTally)

    @property
    def hands(self) -> int:
        """In how many hands they met."""
        return self.together.hands + self.against.hands


def meetings(member: str, attended: Iterable[Attended]) -> dict[str, Meeting]:
    """How a member does with and against each other, by the other's id; most hands first.

    Guests are met by nobody. Hands of which nobody knows who played with whom are left out.
    """
    found: dict[str, Meeting] = {}
    for one, me in played_by(member, attended):
        for match in one.evening.matches:
            for hand in match.hands:
                _add(found, hand, me, one)
    return dict(sorted(found.items(), key=lambda item: (-item[1].hands, item[0])))


def _add(found: dict[str, Meeting], hand: PlayedHand, me: str, one: Attended) -> None:
    mine = next((party for party in hand.parties if me in party), ())
    if not mine:
        return
    ahead = _ahead(hand, mine) if len(mine) > 1 else 0
    for player, score in hand.scores.items():
        whose = one.whose.get(player)
        if whose is None or player == me:
            continue
        if whose not in found:
            found[whose] = Meeting(whose)
        met = found[whose]
        if player in mine:
            met.together.add(ahead)
        else:
            met.against.add(hand.scores[me] - score)


def _ahead(hand: PlayedHand, party: tuple[str, ...]) -> int:
    """By its sign whether a party got more a head than the others."""
    got = sum(hand.scores[player] for player in party)
    others = len(hand.scores) - len(party)
    return got * others - (sum(hand.scores.values()) - got) * len(party)


def best_partners(met: Iterable[Meeting]) -> list[Meeting]:
    """With whom most hands were won, of all with whom there were enough; several where equal."""
    enough = [one for one in met if one.together.hands >= ENOUGH]
    return _extreme(enough, lambda one: one.together.share)


def nemeses(met: Iterable[Meeting]) -> list[Meeting]:
    """Who was most often in front, of all with enough hands against him; nobody where none was."""
    enough = [one for one in met if one.against.hands >= ENOUGH and one.against.share < EVEN]
    return _extreme(enough, lambda one: -one.against.share)


def _extreme(some: list[Meeting], worth: Callable[[Meeting], Fraction]) -> list[Meeting]:
    most = max(map(worth, some), default=None)
    return [one for one in some if worth(one) == most]
