"""The checks of a hand of Briscola Chiamata."""

from collections.abc import Iterable, Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.families.called_card import audit as calling
from scorekeeper.families.called_card.carichi import bid_words
from scorekeeper.games.briscola_chiamata.rules import NEEDS
from scorekeeper.games.briscola_chiamata.state import ChiamataDeal
from scorekeeper.play import checks
from scorekeeper.play.checks import fault, first_event_of_play, late_acts
from scorekeeper.play.scoring import Check, Observation, Text


def call_of_another_rank(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find calls of another rank than the bid's (C4); the call counts as recorded."""
    bid, call, due = deal.bid, deal.call, deal.rank_bid
    if bid is None or call is None or due is None or call.event.card.rank == due:
        return
    yield fault("{player} bid {bid} and called {card}",
                deal, call, bid.seq, bid=bid_words(bid.event.bid),
                card=call.event.card)  # fmt: skip


# The texts by the option call_duty.
NOT_DUE: Final = {
    "rank_bid": "{bidder} called {called}, but {holder} held {card}: it was not the lowest trump "
    "that {bidder} lacked",
    "highest_missing": "{bidder} called {called}, but {holder} held {card}: it was not the "
    "highest trump that {bidder} lacked",
}


def not_the_trump_due(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find calls of another trump than the bidder had to call by the holding (C4).

    The proof is a holder of the called card, or of a trump that the call implies. At most one
    fault is found.
    """
    bid, call = deal.bid, deal.call
    beyond = (
        deal.trumps_implied_by(call.event.card) if bid is not None and call is not None else None
    )
    if call is None or beyond is None:
        return
    called = call.event.card
    for card in (called, *beyond):
        for seq, holder in _proven_holders(deal, card):
            if (holder == call.player) is (card is called):
                yield fault(
                    NOT_DUE[deal.table.options["call_duty"]],
                    deal, call, seq, bidder=deal.name(call.player), called=called,
                    holder=deal.name(holder), card=card,
                )  # fmt: skip
                return


def alone_against_the_rules(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find calls of a card that the bidder held, if playing alone is not allowed (C5)."""
    bid, partner = deal.bid, deal.partner
    if bid is None or partner is None or partner.player != bid.player:
        return
    if deal.may_be_alone or deal.solo:
        return
    text = Text("{player} played alone, but at this table nobody may", player=deal.name(bid.player))
    yield Observation(partner.events, text, checks.sides_of(deal, bid.player))


def did_not_follow(deal: ChiamataDeal) -> Iterable[Observation]:
    """Find revokes, if the options require players to follow suit (C6)."""
    return checks.REVOKE.look(deal) if deal.table.options["must_follow"] else iter(())


def following_certain(deal: ChiamataDeal) -> bool:
    """Return whether no revoke can be unknown: suit is free, or all cards are on record."""
    return not deal.table.options["must_follow"] or checks.all_played(deal)


WHEN: Final = {
    "early": "{player} called {card} before the first trick was over",
    "late": "{player} called {card} when the second trick had begun",
}


def call_at_another_time(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find a call that did not come right after the first trick, if it must (C4)."""
    call, first = deal.call, deal.tricks.numbered.get(1)
    if not deal.blind or call is None or first is None:
        return
    cards = len(first.plays)
    if call.after != cards and first.plays:
        when, proof = (
            ("early", first.plays[-1]) if call.after < cards else ("late", deal.plays[cards])
        )
        yield fault(WHEN[when], deal, call, proof.seq, card=call.event.card)


def called_late(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find a late call, unless `call_at_another_time` finds it already (C4).

    It is late after the play has begun; or if the card is called after the first trick, once the
    second has begun.
    """
    if not deal.blind:
        return calling.called_late(deal)
    calls = [] if any(call_at_another_time(deal)) else [deal.call]
    return late_acts("{player} called the card after the second trick had begun",
                     deal, calls, first_event_of_play(deal, trick=2))  # fmt: skip


def last_did_not_bid(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find passes and too low bids of a last player who had to bid after all passed (C1)."""
    for bid, proof in deal.auction.shirked:
        yield fault("All others had passed, and {player} had to bid at least {least}",
                    deal, bid, proof.seq, least=deal.auction.least or 0)  # fmt: skip


def points_before_the_two(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find bids of points before the 2, if that must come first (C2); they have no effect."""
    for bid, proof in deal.auction.before_time:
        yield fault("{player} bid {bid} before anybody had bid the 2: it does not count",
                    deal, bid, proof.seq, bid=bid_words(bid.event.bid))  # fmt: skip


def bid_on_weak_trumps(deal: ChiamataDeal) -> Iterator[Observation]:
    """Find a bid of points with weaker trumps than the option ``bid_needs`` requires (C2).

    Nothing is found unless all cards of the bidder are on record.
    """
    bid, call, held = deal.bid, deal.call, deal.holding_of_bidder
    if bid is None or call is None or held is None or not isinstance(bid.event.bid, int):
        return
    needs = NEEDS.get(deal.table.options["bid_needs"])
    trumps = [card.rank for card in held if card.suit is deal.trump]
    if needs is not None and not needs(bid.event.bid, trumps):
        yield fault("{player} bid {bid} on trumps that are too weak for it",
                    deal, bid, call.seq, bid=bid.event.bid)  # fmt: skip


def strength_certain(deal: ChiamataDeal) -> bool:
    """Return whether the strength of the bid is known, or the bid needs none.

    It is known if the call and all cards of the bidder are on record.
    """
    by_points = deal.bid is not None and isinstance(deal.bid.event.bid, int)
    needs = deal.table.options["bid_needs"] != "none" and by_points
    return not needs or (deal.holding_of_bidder is not None and deal.call is not None)


def _proven_holders(deal: ChiamataDeal, card: Card) -> Iterator[tuple[int, str]]:
    """Yield each seq that proves a holder of a card, with that player.

    A card that was played twice proves no holder by its play.
    """
    play = deal.first.get(card)
    if play is not None and card not in deal.twice:
        yield play.seq, play.player
    for shown in deal.shown:
        if card in shown.cards:
            yield shown.seq, shown.player


def call_certain(deal: ChiamataDeal) -> bool:
    """Return whether the record decides if the call was right.

    It does if the bid or an option decides the call, or all cards are on record.
    """
    free = deal.called is not None and deal.trumps_implied_by(deal.called) is None
    return bool(deal.rank_bid) or deal.solo or free or checks.all_played(deal)


CHECKS: Final = (
    *calling.auction_checks(turn="C1", higher="C2", call="C4"),
    *calling.redeal_checks(weak="C3", doubling="C3"),
    Check("bad_bid", "C1", last_did_not_bid),
    Check("bad_bid", "C2", points_before_the_two),
    Check("bad_bid", "C2", bid_on_weak_trumps, "the strength of the bid", strength_certain,
          checks.CARDS),
    Check("bad_call", "C4", call_of_another_rank),
    Check("bad_call", "C4", call_at_another_time),
    Check("out_of_time", "C4", called_late),
    Check("false_call", "C4", not_the_trump_due, "the call", call_certain, checks.CARDS),
    Check("bad_call", "C5", alone_against_the_rules),
    Check("revoke", "C6", did_not_follow, "following suit", following_certain, checks.CARDS),
    Check("wrong_partner", "C5", calling.wrong_partner, "who the partner was",
          calling.partner_known, "who played the called card"),
    *calling.play_checks(play="C6", contract="C7", payment="C8"),
)  # fmt: skip
