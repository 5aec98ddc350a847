"""What can be wrong with an auction, a called card and what is said of the parties."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.families.called_card.state import BIDDER, DEFENDERS, CallingDeal, Partner
from scorekeeper.play import checks
from scorekeeper.play.deal import Noted
from scorekeeper.play.scoring import Sight, Text


def bid_out_of_turn(deal: CallingDeal) -> Iterator[Sight]:
    """A bid or a pass before that of a player whose turn came first."""
    for bid, proof in deal.auction.out_of_turn():
        text = Text(
            "{player} spoke before {due}, whose turn it was in the auction",
            player=deal.table.name(bid.event.player), due=deal.table.name(proof.event.player),
        )  # fmt: skip
        yield Sight((bid.seq, proof.seq), text, (bid.event.player,))


def bid_too_low(deal: CallingDeal) -> Iterator[Sight]:
    """A bid that is not higher than the last; it has no effect."""
    for bid, proof in deal.auction.too_low:
        text = Text(
            "{player} bid {bid}, which is not higher than {best}: it does not count",
            player=deal.table.name(bid.event.player), bid=bid.event.bid, best=proof.event.bid,
        )  # fmt: skip
        yield Sight((bid.seq, proof.seq), text, (bid.event.player,))


def bid_after_pass(deal: CallingDeal) -> Iterator[Sight]:
    """A bid, or another pass, by a player who had passed; it has no effect."""
    for bid, proof in deal.auction.after_pass:
        text = Text(
            "{player} spoke again after a pass, which is final: it does not count",
            player=deal.table.name(bid.event.player),
        )
        yield Sight((bid.seq, proof.seq), text, (bid.event.player,))


def bid_after_end(deal: CallingDeal) -> Iterator[Sight]:
    """A bid when the auction was over; it has no effect."""
    for bid, proof in deal.auction.after_end:
        text = Text(
            "{player} bid {bid} when the auction was over: the bid of {best} stands",
            player=deal.table.name(bid.event.player), bid=bid.event.bid, best=proof.event.bid,
        )  # fmt: skip
        yield Sight((bid.seq, proof.seq), text, (bid.event.player,))


def whole_auction(deal: CallingDeal) -> bool:
    """Whether the auction is on record from its beginning to its end."""
    return deal.auction.whole and deal.auction.over


def call_without_effect(deal: CallingDeal) -> Iterator[Sight]:
    """A card called by another than the bidder, or once more by him."""
    bid, call = deal.bid, deal.call
    if bid is None:
        return
    for one in deal.calls:
        name = deal.table.name(one.event.player)
        if one.event.player != bid.event.player:
            text = Text(
                "{player} called {card}, and the bidder is {bidder}: it does not count",
                player=name, card=one.event.card, bidder=deal.table.name(bid.event.player),
            )  # fmt: skip
            yield Sight((one.seq, bid.seq), text, (one.event.player,))
        elif call is not None and one is not call:
            text = Text(
                "{player} called {card} after {first}: the first call stands",
                player=name, card=one.event.card, first=call.event.card,
            )  # fmt: skip
            yield Sight((one.seq, call.seq), text, (one.event.player,))


def wrong_partner(deal: CallingDeal) -> Iterator[Sight]:
    """Somebody was said to be the partner, and by the cards, or a later word, another is."""
    partner = deal.partner
    for one in deal.reveals:
        said = one.event.player
        if said is None:  # it lies face down
            continue
        if partner is not None and said != partner.player:
            yield Sight(
                (one.seq, *partner.events), _not_he(deal, said, partner), (said, partner.player)
            )
        elif deal.fell is None:
            yield from _shown_by_another(deal, one)


def _not_he(deal: CallingDeal, said: str, partner: Partner) -> Text:
    facts = {"said": deal.table.name(said), "partner": deal.table.name(partner.player)}
    if partner.player == deal.bidder:
        return Text("{said} was said to be the partner, and the bidder, {partner}, was alone",
                    **facts)  # fmt: skip
    return Text("{said} was said to be the partner, and by the record {partner} was", **facts)


def _shown_by_another(deal: CallingDeal, one: Noted) -> Iterator[Sight]:
    """The called card was shown in the hand of a player with whom this is not the partner."""
    said, called = one.event.player, deal.called
    for shown in deal.shown if called is not None else ():
        if called in shown.cards and said not in deal.partners_with(shown.player):
            text = Text(
                "{said} was said to be the partner, and {holder} showed {card}",
                said=deal.table.name(said), holder=deal.table.name(shown.player),
                card=called,
            )  # fmt: skip
            yield Sight((one.seq, shown.seq), text, (said, shown.player))
            return


def beaten_winner(deal: CallingDeal) -> Iterator[Sight]:
    """Who was said to have taken a trick had been beaten in it, as far as its cards are known."""
    return checks.beaten_winner(deal) if deal.trump is not None else iter(())


def impossible_count(deal: CallingDeal) -> Iterator[Sight]:
    """A count with points for a party that it gives no trick."""
    for count in deal.sound_counts():
        for side, tricks in (count.tricks or {}).items():
            if tricks == 0 and count.points[side] > 0:
                text = Text(POINTS_WITHOUT_A_TRICK[side], points=count.points[side])
                yield Sight((count.seq,), text)


POINTS_WITHOUT_A_TRICK: Final = {
    BIDDER: "{points} points were counted for the bidder's party, and not one trick",
    DEFENDERS: "{points} points were counted for the defenders, and not one trick",
}


def partner_known(deal: CallingDeal) -> bool:
    """Whether the cards on record say who the partner is."""
    return deal.fell is not None


def all_played(deal: CallingDeal) -> bool:
    """Whether every card of the play is on record, in tricks that their cards decide."""
    return deal.all_cards and all(deal.decided(won.trick) for won in deal.won if won.trick)


def points_certain(deal: CallingDeal) -> bool:
    """Whether the record of the tricks makes the points of both parties."""
    return deal.points_made() is not None
