"""Settlement of matches: the amount that each side or player gets or pays.

The rule belongs to the game and is the same whatever the totals are (G9). Amounts are whole, in
points or in the minor units of a currency, and add up to 0.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

Amounts = Mapping[str, int]  # by side or player: above 0 they get it, below 0 they pay it


@dataclass(frozen=True, slots=True)
class Settlement:
    """The rule by which the players of a game settle; ``text`` is the rule in words.

    ``zero_sum``: a hand gives to one side what it takes from others, so the totals are what was
    won and lost. In other games each side settles its difference with each other side.
    ``shared``: the players of a side share its amount; else each of them has it in full.
    """

    text: str
    zero_sum: bool = False
    shared: bool = False

    def of_scores(self, scores: Amounts, worth: int = 1) -> dict[str, int]:
        """Return the amount of each side from the scores; a point is worth ``worth`` units.

        If the game is ``zero_sum`` the points are paid as they are. In other games each side gets
        the sum of its differences with the others.
        """
        if self.zero_sum:
            return {side: points * worth for side, points in scores.items()}
        total = sum(scores.values())
        return {side: (points * len(scores) - total) * worth for side, points in scores.items()}

    def of_penalty(self, side: str, points: int, sides: Sequence[str], worth: int = 1) -> "Shares":
        """Return the amounts of a penalty of ``points``, which may be below 0, for ``side``.

        ``sides`` are all sides in order of play. Where totals are paid, the others get equal parts
        of what it costs. Those that sit next after ``side`` get one unit more each of a remainder.
        """
        if not self.zero_sum:
            scores = {other: points * (other == side) for other in sides}
            return Shares(self.of_scores(scores, worth))
        place = sides.index(side)
        others = (*sides[place + 1 :], *sides[:place])
        shares = divide_evenly(-points * worth, others)
        return shares._replace(amounts={side: points * worth, **shares.amounts})

    def of_players(self, sides: Mapping[str, Sequence[str]], amounts: Amounts) -> "Shares":
        """Return the amount of each player, from the amounts and the players of the sides.

        The players of a side share its amount if it is ``shared``; else each of them has all of
        it.
        """
        if not self.shared:
            return Shares(
                {player: amounts[side] for side, players in sides.items() for player in players}
            )
        parts = [divide_evenly(amounts[side], players) for side, players in sides.items()]
        return Shares(
            {player: amount for part in parts for player, amount in part.amounts.items()},
            tuple(player for part in parts for player in part.odd),
        )


DIFFERENCES: Final = Settlement("Each player settles the difference with every other.")


class Shares(NamedTuple):
    """Amounts, and in ``odd`` the sides or players that have one unit more than the others."""

    amounts: Amounts
    odd: tuple[str, ...] = ()


def divide_evenly(amount: int, among: Sequence[str]) -> Shares:
    """Divide an amount into whole parts that differ by at most one unit.

    The first members of ``among`` have one unit more (of either sign) if there is a remainder.

    >>> divide_evenly(-10, ["leo", "nina", "ada", "ugo"])
    Shares(amounts={'leo': -3, 'nina': -3, 'ada': -2, 'ugo': -2}, odd=('leo', 'nina'))
    """
    part, rest = divmod(abs(amount), len(among))
    sign = 1 if amount > 0 else -1
    amounts = {member: sign * (part + (place < rest)) for place, member in enumerate(among)}
    return Shares(amounts, tuple(among[:rest]))


def of_match(sides: Sequence[str], winners: Iterable[str], worth: int) -> Shares:
    """Return the amounts of a match stake: each side that did not win pays ``worth``.

    Several winners divide the sum; the first in order of play have one more of a remainder.
    """
    won = [side for side in sides if side in winners]
    lost = [side for side in sides if side not in won]
    if not won or not lost or not worth:
        return Shares(dict.fromkeys(sides, 0))
    shares = divide_evenly(worth * len(lost), won)
    return shares._replace(amounts={**dict.fromkeys(lost, -worth), **shares.amounts})
