"""The known holdings in a hand of Briscola Regina: the cards shown, and the number of others.

Any card may be played to any trick, so no play shows that a player lacks a card. Known are only
the cards that were shown and not played since, and the number of cards of each player.
"""

from collections.abc import Sequence

from scorekeeper.cards.packs import Card
from scorekeeper.games.briscola_regina.rules import DEALT
from scorekeeper.games.briscola_regina.state import HeldCards, ReginaDeal
from scorekeeper.play.prompts.following import unrecorded_plays
from scorekeeper.play.prompts.play import all_cards_so_far


class KnownHoldings:
    """The cards that players showed and may still hold, and the number of their other cards."""

    def __init__(self, deal: ReginaDeal) -> None:
        """Collect the cards shown and not played, and count the other cards of each player."""
        self.by_cards = all_cards_so_far(deal)
        self._hidden = unrecorded_plays(deal)
        self.unseen = [card for card in deal.table.pack.cards if card not in deal.first]
        self.holder: dict[Card, str] = {}
        shown: dict[str, list[int]] = {player: [] for player in deal.table.players}
        for held in (*deal.calls, *deal.showings):
            holder = current_holder(deal, held)
            for card in held.cards:
                if card not in deal.first and card not in self.holder:
                    self.holder[card] = holder
                    shown[holder].append(held.trick)
        # The number of each player's unknown cards; below 0 if the player showed too many.
        self.room = {
            player: holding_size(deal, player) - self._kept(player, tricks)
            for player, tricks in shown.items()
        }
        # A list of the Bris beside a count does not show when they were called.
        self.timed = bool(deal.tricks.numbered) or min(self.room.values()) >= 0

    def _kept(self, player: str, tricks: Sequence[int]) -> int:
        """Return how many of the cards that a player showed they must still hold.

        ``tricks`` has for each shown card the number of the trick in which it was shown. The
        player may have played one of them to each trick that is recorded by its winner alone.
        """
        hidden = self._hidden[player]
        kept = (
            sum(shown >= trick for shown in tricks) - sum(number >= trick for number in hidden)
            for trick in set(tricks)
        )
        return max(0, max(kept, default=0))

    def may_hold(self, player: str, *cards: Card) -> bool:
        """Return whether a player can have all these cards, which are not played."""
        others = [card for card in cards if self.holder.get(card) != player]
        return not others or (
            self.room[player] >= len(others) and not any(card in self.holder for card in others)
        )


def holding_size(deal: ReginaDeal, player: str) -> int:
    """Return the number of cards that a player holds now (B4).

    It is that of the deal until the stock is gone, less a card played to the open trick.
    """
    trick = deal.tricks.open
    played = trick is not None and trick.card_of(player) is not None
    return min(DEALT, deal.tricks.total + 1 - deal.tricks.due) - played


def current_holder(deal: ReginaDeal, held: HeldCards) -> str:
    """Return the player who has a holding now, after partners exchanged hands (B8)."""
    table = deal.table
    if table.options["hand_exchange"] != "swap" or len(table.players) != 4:
        return held.player
    side = table.side_of[held.player]
    times = len(deal.exchanges_of[side]) - held.exchanged
    return table.after(held.player, 2 * times)
