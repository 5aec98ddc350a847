"""What a hand is played under: the seats, the dealer, the options."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scorekeeper.base.cached import cached_property
from scorekeeper.cards.packs import Pack


@dataclass(frozen=True)
class Table:
    """What a hand is played under.

    ``seats`` are all the players of the match in order of play, ``players`` those who take
    part in this hand, eldest first.
    """

    pack: Pack
    seats: tuple[str, ...]
    players: tuple[str, ...]
    dealer: str
    options: Mapping[str, Any]
    sides: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]

    @property
    def eldest(self) -> str:
        """Who sits after the dealer (G2)."""
        return self.players[0]

    def name(self, player: str) -> str:
        """What the others call a player, or a side by its players."""
        if player in self.names:
            return self.names[player]
        return " & ".join(self.names[one] for one in self.sides.get(player, ())) or player

    @cached_property
    def side_of(self) -> Mapping[str, str]:
        """The side of each player."""
        return {player: side for side, members in self.sides.items() for player in members}

    def by_side(self, points: Mapping[str, int]) -> dict[str, int]:
        """What the players of each side have together."""
        return {side: sum(points[one] for one in members) for side, members in self.sides.items()}

    @cached_property
    def turns(self) -> Mapping[str, tuple[str, ...]]:
        """The active players in order of play, by the one who begins."""
        two = self.players * 2
        return {one: two[at : at + len(self.players)] for at, one in enumerate(self.players)}

    def after(self, player: str, steps: int = 1) -> str:
        """The active player a given number of places after another in order of play."""
        place = self.players.index(player) + steps
        return self.players[place % len(self.players)]
