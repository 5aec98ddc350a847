"""What can be wrong with an auction, a called card and what is said of the parties."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.families.called_card.carichi import said
from scorekeeper.families.called_card.rules import asks_for_new_deals
from scorekeeper.families.called_card.state import BIDDER, DEFENDERS, CallingDeal
from scorekeeper.play import checks
from scorekeeper.play.checks import fault, late_acts, play_or_result
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Check, Observation, Text


def bid_out_of_turn(deal: CallingDeal) -> Iterator[Observation]:
    """A bid or a pass before that of a player whose turn came first."""
    for bid, proof in deal.auction.out_of_turn():
        yield fault("{player} spoke before {due}, whose turn it was in the auction",
                    deal, bid, proof.seq, due=deal.name(proof.player))  # fmt: skip


def bid_too_low(deal: CallingDeal) -> Iterator[Observation]:
    """A bid that is not higher than the last; it has no effect."""
    for bid, proof in deal.auction.too_low:
        yield fault("{player} bid {bid}, which is not higher than {best}: it does not count",
                    deal, bid, proof.seq, bid=said(bid.event.bid),
                    best=said(proof.event.bid))  # fmt: skip


AGAIN: Final = {
    True: "{player} spoke again after a pass, which is final: it does not count",
    False: "{player} spoke again when everybody had passed: it does not count",
}


def bid_after_pass(deal: CallingDeal) -> Iterator[Observation]:
    """A bid, or another pass, by a player who had passed; it has no effect."""
    for bid, proof in deal.auction.after_pass:
        yield fault(AGAIN[deal.auction.final], deal, bid, proof.seq)


def bid_after_end(deal: CallingDeal) -> Iterator[Observation]:
    """A bid when the auction was over; it has no effect."""
    for bid, proof in deal.auction.after_end:
        yield fault("{player} bid {bid} when the auction was over: the bid of {best} stands",
                    deal, bid, proof.seq, bid=said(bid.event.bid),
                    best=said(proof.event.bid))  # fmt: skip


def whole_auction(deal: CallingDeal) -> bool:
    """Whether the auction is on record from its beginning to its end."""
    return deal.auction.whole and deal.auction.over


def call_without_effect(deal: CallingDeal) -> Iterator[Observation]:
    """A card called by another than the bidder, or once more by him."""
    bid, call = deal.bid, deal.call
    for one in deal.calls if bid else ():
        card = one.event.card
        if bid and one.player != bid.player:
            yield fault(
                "{player} called {card}, and the bidder is {bidder}: it does not count",
                deal, one, bid.seq, card=card, bidder=deal.name(bid.player),
            )  # fmt: skip
        elif deal.solo and bid:
            yield fault("{player} bid carichi and called {card}: it does not count",
                        deal, one, bid.seq, card=card)  # fmt: skip
        elif call is not None and one is not call:
            yield fault("{player} called {card} after {first}: the first call stands",
                        deal, one, call.seq, card=card, first=call.event.card)  # fmt: skip


def called_late(deal: CallingDeal) -> Iterator[Observation]:
    """The card called after the play had begun, or its result was recorded; the call counts."""
    return late_acts("{player} called the card after the play had begun",
                     deal, [deal.call], play_or_result(deal))  # fmt: skip


def not_a_weak_hand(deal: CallingDeal) -> Iterator[Observation]:
    """A new deal asked for with a hand that is not weak, by the cards shown of it."""
    asked = deal.abandoned
    if asked is None or asked.event.kind != "weak_hand" or asked.player is None:
        return
    shown = next((one for one in deal.shown if one.player == asked.player), None)
    if shown and asks_for_new_deals(deal.table.options) and not deal.may_ask_anew(asked.player):
        yield fault("{player} asked for a new deal, and the cards shown are too good for it",
                    deal, asked, shown.seq)  # fmt: skip


def doubling_unclear(deal: CallingDeal) -> Iterator[Observation]:
    """A hand whose doubling depends on one before it that has no result on record."""
    bid = deal.bid
    if bid is not None and deal.result.complete and deal.waits.unsure:
        text = Text("A hand before this one has no result yet: how much this one pays can change")
        yield Observation((bid.seq,), text)


def wrong_partner(deal: CallingDeal) -> Iterator[Observation]:
    """Somebody was said to be the partner, and by the cards, or a later word, another is."""
    partner = deal.partner
    for one in deal.reveals:
        if one.event.player is None:  # it lies face down
            continue
        if partner is not None and one.player != partner.player:
            yield fault(
                "{said} was said to be the partner, and the bidder, {partner}, was alone"
                if partner.player == deal.bidder
                else "The partner was said to be {said}, but according to the record it was "
                     "{partner}",
                deal, one, *partner.events, also=partner.player, said=deal.name(one.player),
                partner=deal.name(partner.player),
            )  # fmt: skip
        elif deal.fell is None:
            yield from _shown_by_another(deal, one)


def _shown_by_another(deal: CallingDeal, one: RecordedEvent) -> Iterator[Observation]:
    """The called card was shown in the hand of a player with whom this is not the partner."""
    called = deal.called
    for shown in deal.shown if called is not None else ():
        if called in shown.cards and one.player not in deal.partners_with(shown.player):
            yield fault(
                "{said} was said to be the partner, and {holder} showed {card}",
                deal, one, shown.seq, also=shown.player, said=deal.name(one.player),
                holder=deal.name(shown.player), card=called,
            )  # fmt: skip
            return


def beaten_winner(deal: CallingDeal) -> Iterator[Observation]:
    """Who was said to have taken a trick had been beaten in it, as far as its cards are known."""
    known = deal.solo or deal.trump is not None
    return checks.beaten_winner(deal) if known else iter(())


def impossible_count(deal: CallingDeal) -> Iterator[Observation]:
    """A count with points for a party that it gives no trick."""
    for count in deal.sound_counts():
        for side, tricks in (count.tricks or {}).items():
            if tricks == 0 and count.points[side] > 0:
                text = Text(POINTS_WITHOUT_A_TRICK[side], points=count.points[side])
                yield Observation((count.seq,), text)


POINTS_WITHOUT_A_TRICK: Final = {
    BIDDER: "{points} points were counted for the bidder's party, and not one trick",
    DEFENDERS: "{points} points were counted for the defenders, and not one trick",
}


def partner_known(deal: CallingDeal) -> bool:
    """Whether the cards on record say who the partner is, or the bid that there is none."""
    return deal.solo or deal.fell is not None


AUCTION: Final = "every bid and pass"


def of_the_auction(turn: str, higher: str, call: str) -> tuple[Check, ...]:
    """The checks of an auction and its call, under these clauses of a game.

    They are those that say whose turn it is, that a bid is higher than the last, and who calls.
    """
    return (
        Check("out_of_turn", turn, bid_out_of_turn, "the auction", whole_auction, AUCTION),
        Check("bad_bid", higher, bid_too_low),
        Check("bad_bid", turn, bid_after_pass),
        Check("bad_bid", turn, bid_after_end),
        Check("bad_call", call, call_without_effect),
    )


def of_new_deals(weak: str, doubling: str) -> tuple[Check, ...]:
    """The checks of abandoned hands, and of the hand after them, under these clauses."""
    return (
        Check("false_call", weak, not_a_weak_hand),
        Check("game_unclear", doubling, doubling_unclear),
    )


def of_the_play(play: str, contract: str, payment: str) -> tuple[Check, ...]:
    """The checks of the play and of what it came to, under these clauses of a game."""
    return (
        checks.SHOWN.under(play),
        checks.TWICE.under(play),
        checks.TOO_MANY.under(play),
        checks.TURN.under(play),
        checks.WINNERS.under(play),
        Check("wrong_winner", play, beaten_winner),
        checks.TOTAL.under(play),
        Check("count_mismatch", contract, checks.count_mismatch, "the count",
              lambda deal: deal.points_made() is not None, checks.CARDS),
        Check("count_mismatch", play, impossible_count),
        checks.OUTCOME.under(contract),
        checks.CLAIM.under(payment),
    )  # fmt: skip
