"""The facts and the summary of a hand of Knock!."""

from typing import Final

from scorekeeper.cards.packs import Suit
from scorekeeper.events.fields import CARD, COUNT, Each, Flag
from scorekeeper.games.knock.state import KnockDeal, Owed, Signalled
from scorekeeper.play.facts import EACH_SIDE, SIDE, HandFact, HandFacts, Phrase, Sentence, has

BY_SIDE: Final = Each(SIDE, COUNT)
WHETHER: Final = Each(SIDE, Flag())


# ----------------------------------------------------------------------------------- the Fool


def _tricks(deal: KnockDeal) -> dict[str, int] | None:
    made, count = deal.tricks_made(), deal.count()
    return made or (dict(count.tricks) if count and count.tricks else None)


def _payer(deal: KnockDeal) -> str | None:
    """Return the side that paid for the Fool, as it was scored."""
    if deal.reckoning is not None:
        return deal.reckoning.payer
    return deal.payment.event.side if deal.payment else None


def _card_paid(deal: KnockDeal) -> dict[str, object]:
    """Return the card that a side paid for the Fool (K7)."""
    payer, payment = _payer(deal), deal.payment
    return {payer: payment.event.card} if payer and payment else {}


def _points_paid(deal: KnockDeal) -> dict[str, int]:
    """What the card was worth that a side paid for the Fool, where the cards say it (K7)."""
    reckoning = deal.reckoning
    return {reckoning.payer: reckoning.paid} if reckoning and reckoning.payer else {}


def _paid_a_trump(deal: KnockDeal) -> dict[str, bool]:
    payer, payment = _payer(deal), deal.payment
    return {payer: payment.event.card.suit is Suit.T} if payer and payment else {}


def _given_up(deal: KnockDeal) -> dict[str, bool]:
    """Return the side that gave up the Fool itself (K8)."""
    side = deal.fool_side
    return {side: True} if side and deal.owes(side) is Owed.FOOL else {}


# ------------------------------------------------------------------------------- the gestures

# Gestures that ask partner for something (K11), by what he then does or not: he trumps the trick
# in which he is asked, leads a trump, or does not lead the suit spoken of.
TO_TRUMP: Final = ("trump_low", "avoid_high", "not_highest")
TO_LEAD_TRUMP: Final = ("bijou", "grand")
NOT_TO_LEAD: Final = ("do_not_return", "do_not_lead")


def _signals(deal: KnockDeal) -> dict[str, int] | None:
    """Return the number of recorded gestures of each side (K11)."""
    if not deal.signals:
        return None
    made = [deal.table.side_of[one.player] for one in deal.signals]
    return {side: made.count(side) for side in deal.table.sides}


def _answered(deal: KnockDeal) -> dict[str, int] | None:
    """Return how many of each side's requests by gesture the partner followed."""
    if not deal.signals:
        return None
    answered = [deal.table.side_of[one.player] for one in deal.signals if was_answered(deal, one)]
    return {side: answered.count(side) for side in deal.table.sides}


def was_answered(deal: KnockDeal, made: Signalled) -> bool:
    """Return whether the partner did what a gesture asks, by the cards on record."""
    signal, partner = made.event.signal, deal.table.after(made.player, 2)
    gone = {play.seq for play in deal.plays[: made.after]}
    if signal in TO_TRUMP:
        begun = [one for one in deal.tricks if one.plays and one.plays[0].seq in gone]
        play = begun[-1].card_of(partner) if begun else None
        return play is not None and play.card.suit is Suit.T
    if signal not in (*TO_LEAD_TRUMP, *NOT_TO_LEAD):
        return False
    leads = [one for one in deal.tricks if one.plays and one.plays[0].player == partner]
    later = [one for one in leads if one.plays[0].seq not in gone]
    if not later:
        return False
    if signal in TO_LEAD_TRUMP:
        return later[0].led_suit is Suit.T
    own = [one for one in deal.tricks if any(play.seq in gone for play in one.plays)]
    spoken_of = [one for one in leads if one not in later] if signal == "do_not_return" else own
    return bool(spoken_of) and later[0].led_suit is not spoken_of[-1].led_suit


FACTS: Final = HandFacts(
    (
        HandFact("taken", "Points taken", BY_SIDE, lambda deal: deal.result.taken),
        HandFact("tricks", "Tricks", BY_SIDE, _tricks),
        HandFact("fool_paid", "Paid for the Fool", Each(SIDE, CARD), _card_paid),
        HandFact("fool_points", "Points paid for the Fool", BY_SIDE, _points_paid),
        HandFact("fool_trump", "Paid with a trump", WHETHER, _paid_a_trump),
        HandFact("fool_given_up", "Gave up the Fool", WHETHER, _given_up),
        HandFact("signals", "Signals", BY_SIDE, _signals),
        HandFact("answered", "Signals answered", BY_SIDE, _answered),
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
