"""Who owes whom: how a game settles what its matches come to.

The rule belongs to the game and is the same whatever the totals are (G9). Amounts are whole, in
points or in the minor units of a currency, and add up to nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

Amounts = Mapping[str, int]  # to each side, or each player: what he gets, or below 0 pays


@dataclass(frozen=True, slots=True)
class Settlement:
    """How the players of a game settle, and the same in words.

    ``zero_sum``: what a hand gives to one it takes from others, so the totals are what was won
    and lost; in other games each side settles its difference with each other side. ``shared``:
    the players of a side share what it gets or pays; else each of them does so in full.
    """

    text: str
    zero_sum: bool = False
    shared: bool = False

    def of_scores(self, scores: Amounts, worth: int = 1) -> dict[str, int]:
        """What scores come to between the sides, a point being worth so much."""
        if self.zero_sum:
            return {side: points * worth for side, points in scores.items()}
        total = sum(scores.values())
        return {side: (points * len(scores) - total) * worth for side, points in scores.items()}

    def of_penalty(self, side: str, points: int, sides: Sequence[str], worth: int = 1) -> "Shares":
        """What a penalty of a side comes to between the sides, which are in order of play.

        Where totals are what is paid, the others get in equal parts what it costs; the first to
        sit after its side gets what cannot be divided, one each.
        """
        if not self.zero_sum:
            return Shares(self.of_scores({one: points * (one == side) for one in sides}, worth))
        place = sides.index(side)
        others = (*sides[place + 1 :], *sides[:place])
        shares = divided(-points * worth, others)
        return shares._replace(amounts={side: points * worth, **shares.amounts})

    def of_players(self, sides: Mapping[str, Sequence[str]], amounts: Amounts) -> "Shares":
        """What each player gets or pays, by what his side does."""
        if not self.shared:
            full = {one: amounts[side] for side, players in sides.items() for one in players}
            return Shares(full)
        parts = [divided(amounts[side], players) for side, players in sides.items()]
        return Shares(
            {player: amount for part in parts for player, amount in part.amounts.items()},
            tuple(player for part in parts for player in part.odd),
        )


DIFFERENCES: Final = Settlement("Each player settles the difference with every other.")


class Shares(NamedTuple):
    """What each gets or pays; ``odd`` are those to whom one unit more fell than to others."""

    amounts: Amounts
    odd: tuple[str, ...] = ()


def divided(amount: int, among: Sequence[str]) -> Shares:
    """An amount in equal whole parts; the first have one more of what cannot be divided.

    >>> divided(-10, ["leo", "nina", "ada", "ugo"])
    Shares(amounts={'leo': -3, 'nina': -3, 'ada': -2, 'ugo': -2}, odd=('leo', 'nina'))
    """
    part, rest = divmod(abs(amount), len(among))
    sign = 1 if amount > 0 else -1
    amounts = {one: sign * (part + (place < rest)) for place, one in enumerate(among)}
    return Shares(amounts, tuple(among[:rest]))


def of_match(sides: Sequence[str], winners: Iterable[str], worth: int) -> Shares:
    """What a match itself comes to: each side that did not win pays so much to those that did.

    Several winners divide it; what cannot be divided falls to those who sit first.
    """
    won = [side for side in sides if side in winners]
    lost = [side for side in sides if side not in won]
    if not won or not lost or not worth:
        return Shares(dict.fromkeys(sides, 0))
    shares = divided(worth * len(lost), won)
    return shares._replace(amounts={**dict.fromkeys(lost, -worth), **shares.amounts})
