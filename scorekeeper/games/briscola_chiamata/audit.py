"""What can be wrong with a hand of Briscola Chiamata."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.families.called_card import audit as calling
from scorekeeper.games.briscola_chiamata.rules import LOWEST_RANK
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play import checks
from scorekeeper.play.checks import fault
from scorekeeper.play.scoring import Check, Sight, Word


def call_of_another_rank(deal: ChiamataDeal) -> Iterator[Sight]:
    """A bid of one rank, and a card called of another (C4); the call counts as it was made."""
    bid, call, due = deal.bid, deal.call, deal.rank_bid
    if bid is None or call is None or due is None or call.event.card.rank == due:
        return
    yield fault("{player} bid {bid} and called {card}",
                deal, call, bid.seq, bid=Word("rank", bid.event.bid),
                card=call.event.card)  # fmt: skip


def not_the_lowest_missing(deal: ChiamataDeal) -> Iterator[Sight]:
    """On a bid of 2 or points, another card called than the lowest trump he lacked (C4)."""
    bid, call = deal.bid, deal.call
    if bid is None or call is None or deal.rank_bid or call.event.card.rank == LOWEST_RANK:
        return
    called = call.event.card
    for card in _from_called_down(deal, called):
        for seq, holder in _held_by(deal, card):
            if (holder == call.player) is (card is called):
                yield fault(
                    "{bidder} called {called}, and {holder} held {card}: it was not the lowest "
                    "trump that {bidder} lacked",
                    deal, call, seq, bidder=deal.name(call.player), called=called,
                    holder=deal.name(holder), card=card,
                )  # fmt: skip
                return


def _from_called_down(deal: ChiamataDeal, called: Card) -> tuple[Card, ...]:
    suit = deal.table.pack.suit_of(called.suit) if called.suit else ()
    return suit[suit.index(called) :]


def _held_by(deal: ChiamataDeal, card: Card) -> Iterator[tuple[int, str]]:
    """Who held a card, as far as play or showing proves it."""
    play = deal.first.get(card)
    if play is not None and card not in deal.twice:
        yield play.seq, play.player
    for shown in deal.shown:
        if card in shown.cards:
            yield shown.seq, shown.player


def call_certain(deal: ChiamataDeal) -> bool:
    """Whether the call needs no proof, or all cards are there to prove it."""
    ruled = deal.rank_bid or (deal.called is not None and deal.called.rank == LOWEST_RANK)
    return bool(ruled) or checks.all_played(deal)


CHECKS: Final = (
    *calling.of_the_auction(turn="C1", higher="C2", call="C4"),
    Check("bad_call", "C4", call_of_another_rank),
    Check("false_call", "C4", not_the_lowest_missing, "the call", call_certain, checks.CARDS),
    Check("wrong_partner", "C5", calling.wrong_partner, "who the partner was",
          calling.partner_known, "who played the called card"),
    *calling.of_the_play(play="C6", contract="C7", payment="C8"),
)  # fmt: skip
