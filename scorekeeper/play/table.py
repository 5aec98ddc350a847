"""The setting of a hand: the seats, the dealer, the options."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, NamedTuple

from scorekeeper.base.cached import cached_property
from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import Pack


class Party(NamedTuple):
    """The words for a party of a hand: players who are counted together, and are no side.

    ``label`` stands alone, ``phrase`` in a sentence, and ``short`` before a figure.
    """

    label: str
    phrase: str
    short: str


# The parties of a hand that is played for a bid, where a game has no words of its own.
PARTIES: Final[Mapping[str, Party]] = MappingProxyType({
    "bidder": Party("Bidder’s party", "the bidder's party", "bidder"),
    "defenders": Party("Defenders", "the defenders", "defenders"),
})  # fmt: skip


@dataclass(frozen=True)
class Table:
    """The setting of a hand.

    ``seats`` are all players of the match in order of play. ``players`` are the active players
    of this hand, eldest first. ``sides`` are the players of each side, ``names`` the display
    names, both by id. ``parties`` are the words for the parties of a hand, by id. Scores have
    ``parts`` of a point.
    """

    pack: Pack
    seats: tuple[str, ...]
    players: tuple[str, ...]
    dealer: str
    options: JsonObject
    sides: Mapping[str, tuple[str, ...]]
    names: Mapping[str, str]
    parties: Mapping[str, Party] = field(default_factory=lambda: PARTIES)
    parts: int = 1

    @property
    def eldest(self) -> str:
        """The active player after the dealer (G2)."""
        return self.players[0]

    def name(self, player: str) -> str:
        """Return the display name of a player, or of a side by its players."""
        if player in self.names:
            return self.names[player]
        return " & ".join(self.names[member] for member in self.sides.get(player, ())) or player

    @cached_property
    def side_of(self) -> Mapping[str, str]:
        """The side of each player."""
        return {player: side for side, members in self.sides.items() for player in members}

    def by_side(self, points: Mapping[str, int]) -> dict[str, int]:
        """Return the sum of the players' points for each side."""
        return {
            side: sum(points[member] for member in members) for side, members in self.sides.items()
        }

    @cached_property
    def turns(self) -> Mapping[str, tuple[str, ...]]:
        """All active players in order of play, by the player who begins."""
        twice = self.players * 2
        size = len(self.players)
        return {player: twice[at : at + size] for at, player in enumerate(self.players)}

    def after(self, player: str, steps: int = 1) -> str:
        """Return the active player ``steps`` places after another in order of play."""
        place = self.players.index(player) + steps
        return self.players[place % len(self.players)]
