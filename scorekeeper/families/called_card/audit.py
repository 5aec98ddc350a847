"""Checks of an auction, a called card, and the recorded parties."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.families.called_card.rules import allows_redeals
from scorekeeper.families.called_card.state import CallingDeal
from scorekeeper.families.contracts.audit import bid_checks
from scorekeeper.families.contracts.state import BIDDER, DEFENDERS
from scorekeeper.play import checks
from scorekeeper.play.checks import fault, first_event_of_play_or_result, late_acts
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Check, Observation, Text


def call_without_effect(deal: CallingDeal) -> Iterator[Observation]:
    """Find calls by other players than the bidder, calls after carichi, and further calls.

    Nothing is found without a bid on record.
    """
    bid, valid = deal.bid, deal.call
    for call in deal.calls if bid else ():
        card = call.event.card
        if bid and call.player != bid.player:
            yield fault(
                "{player} called {card}, but the bidder is {bidder}: it does not count",
                deal, call, bid.seq, card=card, bidder=deal.name(bid.player),
            )  # fmt: skip
        elif deal.solo and bid:
            yield fault("{player} bid carichi but called {card}: the call does not count",
                        deal, call, bid.seq, card=card)  # fmt: skip
        elif valid is not None and call is not valid:
            yield fault("{player} called {card} after {first}: the first call stands",
                        deal, call, valid.seq, card=card, first=valid.event.card)  # fmt: skip


def called_late(deal: CallingDeal) -> Iterator[Observation]:
    """Find a call after the beginning of the play or after a result; the call counts."""
    return late_acts("{player} called the card after play had begun",
                     deal, [deal.call], first_event_of_play_or_result(deal))  # fmt: skip


def not_a_weak_hand(deal: CallingDeal) -> Iterator[Observation]:
    """Find a redeal that a player asked for although the cards they showed are too good for it."""
    redeal = deal.abandoned
    if redeal is None or redeal.event.kind != "weak_hand" or redeal.player is None:
        return
    shown = next((cards for cards in deal.shown if cards.player == redeal.player), None)
    allowed = deal.may_ask_redeal(redeal.player)
    if shown and allows_redeals(deal.table.options) and not allowed:
        yield fault("{player} asked for a new deal, but the cards shown are too good for it",
                    deal, redeal, shown.seq)  # fmt: skip


def doubling_unclear(deal: CallingDeal) -> Iterator[Observation]:
    """Find a hand whose doubling depends on an earlier hand without a result on record."""
    bid = deal.bid
    if bid is not None and deal.result.complete and deal.waits.unsure:
        text = Text(
            "A hand before this one has no result yet, so what this one pays can still change"
        )
        yield Observation((bid.seq,), text)


def wrong_partner(deal: CallingDeal) -> Iterator[Observation]:
    """Find revealed partners that the cards, a later event, or a card shown contradict.

    A partner who is face down is not compared.
    """
    partner = deal.partner
    for reveal in deal.reveals:
        if reveal.event.player is None:  # face down
            continue
        if partner is not None and reveal.player != partner.player:
            yield fault(
                "{said} was said to be the partner, but the bidder, {partner}, was alone"
                if partner.player == deal.bidder
                else "The partner was said to be {said}, but according to the record it was "
                     "{partner}",
                deal, reveal, *partner.events, also=partner.player, said=deal.name(reveal.player),
                partner=deal.name(partner.player),
            )  # fmt: skip
        elif deal.fell is None:
            yield from _shown_by_another(deal, reveal)


def _shown_by_another(deal: CallingDeal, reveal: RecordedEvent) -> Iterator[Observation]:
    """Yield a fault if the player who showed the called card excludes the revealed partner."""
    called = deal.called
    for shown in deal.shown if called is not None else ():
        if called in shown.cards and reveal.player not in deal.partners_with(shown.player):
            yield fault(
                "{said} was said to be the partner, but {holder} showed {card}",
                deal, reveal, shown.seq, also=shown.player, said=deal.name(reveal.player),
                holder=deal.name(shown.player), card=called,
            )  # fmt: skip
            return


def beaten_winner(deal: CallingDeal) -> Iterator[Observation]:
    """Find recorded winners of tricks whose card was beaten, if trumps are known."""
    known = deal.solo or deal.trump is not None
    return checks.beaten_winner(deal) if known else iter(())


def impossible_count(deal: CallingDeal) -> Iterator[Observation]:
    """Find sound counts with points for a party that has no trick in the same count."""
    for count in deal.sound_counts():
        for side, tricks in (count.tricks or {}).items():
            if tricks == 0 and count.points[side] > 0:
                text = Text(POINTS_WITHOUT_A_TRICK[side], points=count.points[side])
                yield Observation((count.seq,), text)


POINTS_WITHOUT_A_TRICK: Final = {
    BIDDER: "{points} points were counted for the bidder's party, but not one trick",
    DEFENDERS: "{points} points were counted for the defenders, but not one trick",
}


def partner_known(deal: CallingDeal) -> bool:
    """Return whether the cards on record show the partner, or the bid excludes one."""
    return deal.solo or deal.fell is not None


def auction_checks(turn: str, higher: str, call: str) -> tuple[Check, ...]:
    """Return the checks of an auction and its call; the arguments are ids of clauses of the game.

    ``turn`` defines whose turn it is, ``higher`` that a bid is higher than the last, and ``call``
    which card the bidder calls.
    """
    return (
        *bid_checks(turn, higher),
        Check("bad_call", call, call_without_effect),
    )


def redeal_checks(weak: str, doubling: str) -> tuple[Check, ...]:
    """Return the checks of abandoned hands, and of the doubled hand after them.

    ``weak`` and ``doubling`` are ids of clauses of the game.
    """
    return (
        Check("false_call", weak, not_a_weak_hand),
        Check("game_unclear", doubling, doubling_unclear),
    )


def play_checks(play: str, contract: str, payment: str) -> tuple[Check, ...]:
    """Return the checks of the play and of its result; the arguments are ids of clauses.

    ``play`` holds for the play, ``contract`` for the points of the contract, and ``payment`` for
    the score.
    """
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
