"""The facts and the summary of a hand of Knock!."""

from typing import Final

from scorekeeper.cards.packs import Suit
from scorekeeper.events.fields import CARD, COUNT, Each, Flag
from scorekeeper.games.knock.state import FoolDebt, KnockDeal, RecordedSignal
from scorekeeper.play.facts import EACH_SIDE, SIDE, HandFact, HandFacts, Phrase, Sentence, has

BY_SIDE: Final = Each(SIDE, COUNT)
WHETHER: Final = Each(SIDE, Flag())


# ----------------------------------------------------------------------------------- the Fool


def _tricks_taken(deal: KnockDeal) -> dict[str, int] | None:
    """Return the tricks of each side, from the tricks on record or else from the count.

    None if neither has them.
    """
    tricks, count = deal.tricks_made(), deal.count()
    return tricks or (dict(count.tricks) if count and count.tricks else None)


def _payer(deal: KnockDeal) -> str | None:
    """Return the side that paid for the Fool, as it was scored; None if none is known."""
    if deal.reckoning is not None:
        return deal.reckoning.payer
    return deal.payment.event.side if deal.payment else None


def _card_paid(deal: KnockDeal) -> dict[str, object]:
    """Return the card that a side paid for the Fool, by that side; empty if unknown (K7)."""
    payer, payment = _payer(deal), deal.payment
    return {payer: payment.event.card} if payer and payment else {}


def _points_paid(deal: KnockDeal) -> dict[str, int]:
    """Return the points of the card that a side paid for the Fool, by that side (K7).

    Empty if they are unknown, or nothing was paid.
    """
    reckoning = deal.reckoning
    return {reckoning.payer: reckoning.paid} if reckoning and reckoning.payer else {}


def _paid_a_trump(deal: KnockDeal) -> dict[str, bool]:
    """Return whether the card that a side paid for the Fool was a trump, by that side.

    Empty if the card is unknown, or nothing was paid.
    """
    payer, payment = _payer(deal), deal.payment
    return {payer: payment.event.card.suit is Suit.T} if payer and payment else {}


def _fool_given_up(deal: KnockDeal) -> dict[str, bool]:
    """Return true for the side that gave up the Fool itself; empty without one (K8)."""
    side = deal.fool_side
    return {side: True} if side and deal.owes(side) is FoolDebt.FOOL else {}


# ------------------------------------------------------------------------------- the gestures

# Gestures that ask the partner for something (K11): to trump the current trick, to lead a trump,
# or not to lead the suit of the gesture.
TO_TRUMP: Final = ("trump_low", "avoid_high", "not_highest")
TO_LEAD_TRUMP: Final = ("bijou", "grand")
NOT_TO_LEAD: Final = ("do_not_return", "do_not_lead")


def _signal_counts(deal: KnockDeal) -> dict[str, int] | None:
    """Return the number of recorded gestures of each side; None without any (K11)."""
    if not deal.signals:
        return None
    sides = [deal.table.side_of[signal.player] for signal in deal.signals]
    return {side: sides.count(side) for side in deal.table.sides}


def _requests_followed(deal: KnockDeal) -> dict[str, int] | None:
    """Return how many of each side's requests by gesture the partner followed.

    None if no gesture is on record.
    """
    if not deal.signals:
        return None
    answered = [
        deal.table.side_of[signal.player] for signal in deal.signals if was_followed(deal, signal)
    ]
    return {side: answered.count(side) for side in deal.table.sides}


def was_followed(deal: KnockDeal, signal: RecordedSignal) -> bool:
    """Return whether the partner did what a gesture asks, by the cards on record.

    The gesture asks to trump the current trick, to lead a trump next, or not to lead a suit. False
    for gestures that ask for nothing.
    """
    request, partner = signal.event.signal, deal.table.after(signal.player, 2)
    played_before = {play.seq for play in deal.plays[: signal.after]}
    if request in TO_TRUMP:
        begun = [
            trick for trick in deal.tricks if trick.plays and trick.plays[0].seq in played_before
        ]
        play = begun[-1].card_of(partner) if begun else None
        return play is not None and play.card.suit is Suit.T
    if request not in (*TO_LEAD_TRUMP, *NOT_TO_LEAD):
        return False
    led = [trick for trick in deal.tricks if trick.plays and trick.plays[0].player == partner]
    later = [trick for trick in led if trick.plays[0].seq not in played_before]
    if not later:
        return False
    if request in TO_LEAD_TRUMP:
        return later[0].led_suit is Suit.T
    begun = [
        trick for trick in deal.tricks if any(play.seq in played_before for play in trick.plays)
    ]
    meant = [trick for trick in led if trick not in later] if request == "do_not_return" else begun
    return bool(meant) and later[0].led_suit is not meant[-1].led_suit


FACTS: Final = HandFacts(
    (
        HandFact("taken", "Points taken", BY_SIDE, lambda deal: deal.result.taken),
        HandFact("tricks", "Tricks", BY_SIDE, _tricks_taken),
        HandFact("fool_paid", "Paid for the Fool", Each(SIDE, CARD), _card_paid),
        HandFact("fool_points", "Points paid for the Fool", BY_SIDE, _points_paid),
        HandFact("fool_trump", "Paid with a trump", WHETHER, _paid_a_trump),
        HandFact("fool_given_up", "Gave up the Fool", WHETHER, _fool_given_up),
        HandFact("signals", "Signals", BY_SIDE, _signal_counts),
        HandFact("answered", "Signals answered", BY_SIDE, _requests_followed),
    ),
    (
        Sentence(EACH_SIDE, (
            (Phrase("took {taken}"),),
            (Phrase("paid {fool_paid} for the Fool"),
             Phrase("gave up the Fool", has("fool_given_up"))),
            (Phrase("signals {signals}, answered {answered}", has("answered")),
             Phrase("signals {signals}", has("signals"))),
        )),
    ),
)  # fmt: skip
