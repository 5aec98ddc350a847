"""What can be wrong with a hand of Briscola Chiamata."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.families.called_card import audit as calling
from scorekeeper.games.briscola_chiamata.rules import LOWEST_RANK
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play import checks
from scorekeeper.play.scoring import Check, Sight, Text


def call_of_another_rank(deal: ChiamataDeal) -> Iterator[Sight]:
    """A bid of one rank, and a card called of another (C4); the call counts as it was made."""
    bid, call, due = deal.bid, deal.call, deal.rank_bid
    if bid is None or call is None or due is None or call.event.card.rank == due:
        return
    text = Text(
        "{player} bid {bid} and called {card}",
        player=deal.table.name(call.event.player), bid=bid.event.bid, card=call.event.card,
    )  # fmt: skip
    yield Sight((call.seq, bid.seq), text, (call.event.player,))


def not_the_lowest_missing(deal: ChiamataDeal) -> Iterator[Sight]:
    """On a bid of 2 or points, another card called than the lowest trump he lacked (C4)."""
    bid, call = deal.bid, deal.call
    if bid is None or call is None or deal.rank_bid or call.event.card.rank == LOWEST_RANK:
        return
    bidder, called = bid.event.player, call.event.card
    for card in _from_called_down(deal, called):
        for seq, holder in _held_by(deal, card):
            if (holder == bidder) is (card is called):
                text = Text(
                    "{bidder} called {called}, and {holder} held {card}: it was not the lowest "
                    "trump that {bidder} lacked",
                    bidder=deal.table.name(bidder), called=called,
                    holder=deal.table.name(holder), card=card,
                )  # fmt: skip
                yield Sight((call.seq, seq), text, (bidder,))
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


def play_out_of_turn(deal: ChiamataDeal) -> Iterator[Sight]:
    """Cards out of turn; eldest leads to the first trick (C6)."""
    return checks.out_of_turn(deal, deal.table.eldest)


def call_certain(deal: ChiamataDeal) -> bool:
    """Whether the call needs no proof, or all cards are there to prove it."""
    ruled = deal.rank_bid or (deal.called is not None and deal.called.rank == LOWEST_RANK)
    return bool(ruled) or calling.all_played(deal)


CARDS: Final = "the cards of every trick"
AUCTION: Final = "every bid and pass"

CHECKS: Final = (
    Check("out_of_turn", "C1", calling.bid_out_of_turn, "the auction", calling.whole_auction,
          AUCTION),
    Check("bad_bid", "C2", calling.bid_too_low),
    Check("bad_bid", "C1", calling.bid_after_pass),
    Check("bad_bid", "C1", calling.bid_after_end),
    Check("bad_call", "C4", calling.call_without_effect),
    Check("bad_call", "C4", call_of_another_rank),
    Check("false_call", "C4", not_the_lowest_missing, "the call", call_certain, CARDS),
    Check("wrong_partner", "C5", calling.wrong_partner, "who the partner was",
          calling.partner_known, "who played the called card"),
    Check("shown_mismatch", "C6", checks.shown_mismatch),
    Check("duplicate_card", "C6", checks.duplicate_card),
    Check("too_many", "C6", checks.too_many),
    Check("out_of_turn", "C6", play_out_of_turn, "the order of play", calling.all_played, CARDS),
    Check("wrong_winner", "C6", checks.wrong_winner, "the winners of the tricks",
          calling.all_played, CARDS),
    Check("wrong_winner", "C6", calling.beaten_winner),
    Check("total_mismatch", "C6", checks.total_mismatch),
    Check("count_mismatch", "C7", checks.count_mismatch, "the count", calling.points_certain,
          CARDS),
    Check("count_mismatch", "C6", calling.impossible_count),
    Check("count_mismatch", "C7", checks.outcome_mismatch),
    Check("claim_mismatch", "C8", checks.claim_mismatch),
)  # fmt: skip
