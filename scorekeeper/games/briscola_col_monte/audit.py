"""What can be wrong with a hand of Briscola col Monte."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.families.called_card import audit as calling
from scorekeeper.games.briscola_col_monte.state import MonteDeal
from scorekeeper.play import checks
from scorekeeper.play.deal import Noted
from scorekeeper.play.scoring import Check, Sight, Text


def showing_without_effect(deal: MonteDeal) -> Iterator[Sight]:
    """The named card shown by another than the bidder, after the first lead, or again (M5)."""
    bid, stands = deal.bid, deal.showing
    if bid is None:
        return
    for one in deal.showings:
        name = deal.table.name(one.player)
        if one.player != bid.event.player:
            text = Text(
                "{player} showed the named card, and the bidder is {bidder}: it does not count",
                player=name, bidder=deal.table.name(bid.event.player),
            )  # fmt: skip
            yield Sight((one.seq, bid.seq), text, (one.player,))
        elif one.late:
            text = Text("{player} showed the named card after the first lead: it does not count",
                        player=name)  # fmt: skip
            yield Sight((one.seq, *_first_trick(deal)), text, (one.player,))
        elif stands is not None and one is not stands:
            text = Text("{player} showed the named card again", player=name)
            yield Sight((one.seq, stands.seq), text, (one.player,))


def _first_trick(deal: MonteDeal) -> tuple[int, ...]:
    return next((trick.events()[:1] for trick in deal.tricks), ())


def shown_and_not_held(deal: MonteDeal) -> Iterator[Sight]:
    """The bidder showed the named card, and another played it, who is the partner (M5)."""
    showing, fell, call = deal.showing, deal.fell, deal.call
    if showing is None or fell is None or call is None or fell.player == showing.player:
        return
    text = Text(
        "{bidder} showed {card} as his own, and {holder} played it",
        bidder=deal.table.name(showing.player), card=fell.card,
        holder=deal.table.name(fell.player),
    )  # fmt: skip
    yield Sight((showing.seq, call.seq, fell.seq), text, (showing.player, fell.player))


def not_bidder(deal: MonteDeal) -> Iterator[Sight]:
    """The monte taken, or cards laid away, by another than the bidder (M3)."""
    bid = deal.bid
    if bid is None:
        return
    acts = (
        ("{player} took the monte, and the bidder is {bidder}: it does not count", deal.montes),
        ("{player} laid cards away, and the bidder is {bidder}: it does not count", deal.lays),
    )
    for template, noted in acts:
        for one in noted:
            if one.event.player != bid.event.player:
                text = Text(
                    template,
                    player=deal.table.name(one.event.player),
                    bidder=deal.table.name(bid.event.player),
                )
                yield Sight((one.seq, bid.seq), text, (one.event.player,))


def lay_away_of_wrong_cards(deal: MonteDeal) -> Iterator[Sight]:
    """Cards laid away twice, a wrong number of them, or a card that was played (M3)."""
    lay = deal.lay
    for one in deal.lays:
        if deal.bidder in (None, one.event.player):
            sights = (_second(one, lay), _wrong_number(deal, one), _played(deal, one))
            yield from [sight for sight in sights if sight is not None][:1]


def _second(one: Noted, lay: Noted | None) -> Sight | None:
    """Cards laid away when that had been done; the first whose cards are on record counts."""
    if lay is None or one is lay or one.event.cards is None:
        return None
    return Sight((one.seq, lay.seq), Text("Cards laid away again: the first lay-away stands"))


def _wrong_number(deal: MonteDeal, one: Noted) -> Sight | None:
    cards = one.event.cards
    if cards is None or len(cards) == deal.size.monte:
        return None
    text = Text("{came} cards were laid away, and the monte has {due}",
                came=len(cards), due=deal.size.monte)  # fmt: skip
    return Sight((one.seq,), text, (one.event.player,))


def _played(deal: MonteDeal, one: Noted) -> Sight | None:
    for card in one.event.cards or ():
        play = deal.first.get(card)
        if play is not None:
            text = Text("{card} was laid away, and {player} played it",
                        card=card, player=deal.table.name(play.player))  # fmt: skip
            return Sight((one.seq, play.seq), text, (one.event.player,))
    return None


def laid_away_though_shown(deal: MonteDeal) -> Iterator[Sight]:
    """The named card was shown and laid away, as recorded or as nobody played it (M5)."""
    showing, call, lay = deal.showing, deal.call, deal.lay
    if showing is None or call is None:
        return
    recorded = lay.event.cards if lay is not None else None
    if call.event.card not in (*(recorded or ()), *(deal.never_played or ())):
        return
    text = Text(
        "{bidder} showed {card} and laid it away; {neighbour} stays his partner",
        bidder=deal.table.name(showing.player), card=call.event.card,
        neighbour=deal.table.name(deal.table.after(showing.player)),
    )  # fmt: skip
    fault = lay.seq if lay is not None else showing.seq
    yield Sight(tuple(dict.fromkeys((fault, call.seq, showing.seq))), text, (showing.player,))


def monte_of_another_size(deal: MonteDeal) -> Iterator[Sight]:
    """A monte of another number of cards than the deal leaves (M1)."""
    for one in deal.montes:
        if one.event.cards is not None and len(one.event.cards) != deal.size.monte:
            text = Text("The monte was taken with {came} cards, and it has {due}",
                        came=len(one.event.cards), due=deal.size.monte)  # fmt: skip
            yield Sight((one.seq,), text)


def monte_contradicted(deal: MonteDeal) -> Iterator[Sight]:
    """A card of the monte that another than the bidder played (M3)."""
    monte = deal.monte
    for card in (monte.event.cards or ()) if monte else ():
        play = deal.first.get(card)
        if monte is not None and play is not None and play.player != monte.event.player:
            text = Text(
                "{bidder} took {card} with the monte, and {player} played it",
                bidder=deal.table.name(monte.event.player), card=card,
                player=deal.table.name(play.player),
            )  # fmt: skip
            yield Sight((monte.seq, play.seq), text, (monte.event.player, play.player))


def play_out_of_turn(deal: MonteDeal) -> Iterator[Sight]:
    """Cards out of turn; the bidder leads to the first trick (M6)."""
    return checks.out_of_turn(deal, deal.bidder)


def lay_away_certain(deal: MonteDeal) -> bool:
    """Whether the cards laid away are on record, or follow from all those played."""
    return deal.never_played is not None or (
        deal.lay is not None and deal.lay.event.cards is not None
    )


def partner_certain(deal: MonteDeal) -> bool:
    """Whether the cards say who the partner is (M3, M5)."""
    return calling.partner_known(deal) or deal.never_played is not None


CARDS: Final = "the cards of every trick"
AUCTION: Final = "every bid and pass"

CHECKS: Final = (
    Check("out_of_turn", "M2", calling.bid_out_of_turn, "the auction", calling.whole_auction,
          AUCTION),
    Check("bad_bid", "M2", calling.bid_too_low),
    Check("bad_bid", "M2", calling.bid_after_pass),
    Check("bad_bid", "M2", calling.bid_after_end),
    Check("bad_call", "M3", calling.call_without_effect),
    Check("bad_call", "M5", showing_without_effect),
    Check("false_call", "M5", shown_and_not_held),
    Check("wrong_partner", "M3", calling.wrong_partner, "who the partner was", partner_certain,
          "who played the named card"),
    Check("not_declarer", "M3", not_bidder),
    Check("bad_deal", "M1", monte_of_another_size),
    Check("bad_discard", "M3", lay_away_of_wrong_cards, "the cards laid away", lay_away_certain,
          "the cards laid away"),
    Check("bad_discard", "M5", laid_away_though_shown),
    Check("shown_mismatch", "M3", monte_contradicted),
    Check("shown_mismatch", "M6", checks.shown_mismatch),
    Check("duplicate_card", "M6", checks.duplicate_card),
    Check("too_many", "M6", checks.too_many),
    Check("out_of_turn", "M6", play_out_of_turn, "the order of play", calling.all_played, CARDS),
    Check("wrong_winner", "M6", checks.wrong_winner, "the winners of the tricks",
          calling.all_played, CARDS),
    Check("wrong_winner", "M6", calling.beaten_winner),
    Check("total_mismatch", "M6", checks.total_mismatch),
    Check("count_mismatch", "M7", checks.count_mismatch, "the count", calling.points_certain,
          CARDS),
    Check("count_mismatch", "M6", calling.impossible_count),
    Check("count_mismatch", "M7", checks.outcome_mismatch),
    Check("claim_mismatch", "M8", checks.claim_mismatch),
)  # fmt: skip
