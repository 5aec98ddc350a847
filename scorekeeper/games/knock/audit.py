"""The checks of a hand of Knock!."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import FOOL, Card, Suit
from scorekeeper.cards.tricks import Play, Trick
from scorekeeper.games.knock.rules import EMPTY, LAID_AWAY, VALUE, may_be_laid_away
from scorekeeper.games.knock.signals import false_signal, judgeable_signals, unknown_signal
from scorekeeper.games.knock.state import FoolDebt, KnockDeal, cards_of
from scorekeeper.play import checks
from scorekeeper.play.checks import CARDS, fault
from scorekeeper.play.deal import RecordedEvent, events_of
from scorekeeper.play.scoring import Check, Observation, Text

# ------------------------------------------------------------------------------- the lay-away


def not_declarer(deal: KnockDeal) -> Iterator[Observation]:
    """Find lay-aways by players other than the dealer; they have no effect (K2)."""
    for lay_away in deal.lay_aways:
        if lay_away.player != deal.table.dealer:
            yield fault("{player} laid cards away, but the dealer is {dealer}",
                        deal, lay_away, dealer=deal.name(deal.table.dealer))  # fmt: skip


def laid_away_again(deal: KnockDeal) -> Iterator[Observation]:
    """Find further lay-aways by the dealer; the first that names its cards stands (K2)."""
    stands = deal.lay_away
    own = [lay_away for lay_away in deal.lay_aways if lay_away.player == deal.table.dealer]
    for lay_away in own[1:]:
        if stands and lay_away is not stands:
            yield fault("The dealer laid away again: the first lay-away stands",
                        deal, lay_away, stands.seq)  # fmt: skip


def wrong_number(deal: KnockDeal) -> Iterator[Observation]:
    """Find a lay-away of more than two cards, or with fewer cards named (K2)."""
    laid = deal.lay_away
    if laid is None:
        return
    number = len(cards_of(laid.event))
    if number > LAID_AWAY or (laid.event.cards is not None and number < LAID_AWAY):
        yield fault("The dealer laid away {number} cards instead of {due}",
                    deal, laid, number=number, due=LAID_AWAY)  # fmt: skip


def laid_and_played(deal: KnockDeal) -> Iterator[Observation]:
    """Find cards that were laid away and played (K2)."""
    laid = deal.lay_away
    for card in cards_of(laid.event) if laid else ():
        play = deal.first.get(card)
        if laid and play:
            yield fault("The dealer laid away {card}, but {player} played it",
                        deal, laid, play.seq, card=card, player=deal.name(play.player))  # fmt: skip


def may_not_be_laid(deal: KnockDeal) -> Iterator[Observation]:
    """Find a king, the Magician, the World or the Fool in the lay-away (K3)."""
    for card in _cards_laid_away(deal):
        if not may_be_laid_away(card):
            text = Text("The dealer laid away {card}, which is not allowed", card=card)
            yield Observation(_proof_of_laid(deal, card), text, (deal.dealers_side,))


def trump_not_needed(deal: KnockDeal) -> Iterator[Observation]:
    """Find a trump in the lay-away although the dealer held other allowed cards (K3).

    One observation names the first trump too many.
    """
    laid = _cards_laid_away(deal)
    trumps = [card for card in laid if card.suit is Suit.T]
    others = {card: 0 for card in laid if _is_plain_and_allowed(card)} | {
        card: seq for card, seq in _held_by_dealer(deal).items() if _is_plain_and_allowed(card)
    }
    needed = max(0, LAID_AWAY - len(others))
    if len(trumps) > needed:
        kept = tuple(card for card, seq in others.items() if seq)
        text = Text(
            "The dealer laid away {card}, but held {others}, which could have been laid away",
            card=trumps[needed], others=kept or tuple(others),
        )  # fmt: skip
        seqs = (*_proof_of_laid(deal, trumps[needed]), *(seq for seq in others.values() if seq))
        yield Observation(tuple(dict.fromkeys(seqs)), text, (deal.dealers_side,))


def trump_not_shown(deal: KnockDeal) -> Iterator[Observation]:
    """Find trumps laid away that the dealer did not show (K3).

    A lay-away recorded without its cards and without trumps shown proves nothing.
    """
    laid = deal.lay_away
    if laid is None or (laid.event.cards is None and laid.event.trumps_shown is None):
        return
    shown = set(laid.event.trumps_shown or ())
    by_dealer = (cards for cards in deal.shown if cards.player == deal.table.dealer)
    shown |= {card for cards in by_dealer for card in cards.cards}
    for card in _cards_laid_away(deal):
        if card.suit is Suit.T and card not in shown:
            text = Text("The dealer laid away {card}, but did not show it", card=card)
            yield Observation(_proof_of_laid(deal, card), text, (deal.dealers_side,))


def _cards_laid_away(deal: KnockDeal) -> tuple[Card, ...]:
    """Return the cards laid away: those that the lay-away names, and those that were not played.

    The latter are known only once all tricks have their cards.
    """
    named = cards_of(deal.lay_away.event) if deal.lay_away else ()
    missing = deal.laid_away if not deal.again else ()
    return tuple(dict.fromkeys((*named, *missing)))


def _proof_of_laid(deal: KnockDeal, card: Card) -> tuple[int, ...]:
    """Return the seq of the lay-away; if it does not name the card, also those of all tricks."""
    laid = deal.lay_away
    seqs = (laid.seq,) if laid else ()
    return seqs if laid and card in cards_of(laid.event) else (*seqs, *events_of(deal.won))


def _held_by_dealer(deal: KnockDeal) -> dict[Card, int]:
    """Return the cards that the dealer played or showed, each with the seq that proves it.

    Cards that another player played are left out.
    """
    dealer = deal.table.dealer
    held = {card: play.seq for card, play in deal.first.items() if play.player == dealer}
    for shown in deal.shown:
        for card in shown.cards if shown.player == dealer else ():
            if card not in deal.first:
                held.setdefault(card, shown.seq)
    return held


def _is_plain_and_allowed(card: Card) -> bool:
    """Return whether the dealer may lay a card away freely: no trump, honour or king (K3)."""
    return may_be_laid_away(card) and card.suit is not Suit.T


# ----------------------------------------------------------------------------------- the play


def revoke(deal: KnockDeal) -> Iterator[Observation]:
    """Find players who did not follow suit although the record proves that they could (K4)."""
    for trick, play in _off_suit(deal):
        held = next(_held_of_suit(deal, play, trick.led_suit), None)
        if held:
            yield fault(
                "Trick {number}: {player} played {card} and did not follow with {held}",
                deal, play, held[0], number=trick.number, card=play.card, held=held[1],
            )  # fmt: skip


def must_trump(deal: KnockDeal) -> Iterator[Observation]:
    """Find void players who played a plain card although they held a trump (K4)."""
    for trick, play in _off_suit(deal):
        if play.card.suit is Suit.T:
            continue
        trump = next(_held_of_suit(deal, play, Suit.T), None)
        if trump and not any(_held_of_suit(deal, play, trick.led_suit)):
            yield fault(
                "Trick {number}: {player} played {card} instead of a trump, but still held {held}",
                deal, play, trump[0], number=trick.number, card=play.card, held=trump[1],
            )  # fmt: skip


def _off_suit(deal: KnockDeal) -> Iterator[tuple[Trick, Play]]:
    """Yield the plays that did not follow suit, without the Fool, which need not (K6)."""
    for trick in deal.tricks:
        led = trick.led_suit
        for play in trick.plays:
            if play.card is not FOOL and play.card.suit is not led:
                yield trick, play


def _held_of_suit(deal: KnockDeal, play: Play, suit: Suit | None) -> Iterator[tuple[int, Card]]:
    """Yield cards of a suit that a player provably held at a play, each with a seq as proof.

    A card of the dealer's that was laid away proves nothing.
    """
    away = deal.laid_away if play.player == deal.table.dealer else ()
    return checks.held_later(deal, play, lambda card: card.suit is suit and card not in away)


# ------------------------------------------------------------------------------- the Fool


def bad_payment(deal: KnockDeal) -> Iterator[Observation]:
    """Find a card paid for the Fool that was not due, not won, or too good (K7).

    Also found are payments after the valid one.
    """
    stands = deal.payment
    for paid in deal.payments:
        side, card = paid.event.side, paid.event.card
        facts = {"side": deal.name(side), "card": card}
        owed = deal.owes(side)
        if owed not in {FoolDebt.CARD, None}:
            yield _not_due(deal, paid, owed)
        elif deal.cannot_have_won(card, side):
            text = Text(
                "{side} paid for the Fool with {card}, which is in none of their tricks", **facts
            )
            yield Observation((paid.seq, *_proof_of_place(deal, card)), text, (side,))
        elif stands and paid is not stands:
            text = Text("The Fool was already paid for: this has no effect")
            yield Observation((paid.seq, stands.seq), text, (side,))
        elif VALUE[card] > EMPTY and (empty := _empty_card(deal, side)):
            text = Text(
                "{side} paid {card} for the Fool, but had {empty} to pay with",
                **facts, empty=empty.card,
            )  # fmt: skip
            yield Observation((paid.seq, empty.seq), text, (side,))


def bad_surrender(deal: KnockDeal) -> Iterator[Observation]:
    """Find a Fool that was given up although it was not due, or was already settled (K8)."""
    first = deal.surrenders[:1]
    for surrender in deal.surrenders:
        owed = deal.owes(surrender.event.side)
        if owed not in {FoolDebt.FOOL, None}:
            yield _not_due(deal, surrender, owed)
        elif surrender not in first or deal.payment:
            before = deal.payment or first[0]
            text = Text("The Fool was already settled: this has no effect")
            yield Observation((surrender.seq, before.seq), text, (surrender.event.side,))


def _not_due(deal: KnockDeal, settling: RecordedEvent, owed: FoolDebt) -> Observation:
    """Return the observation that a payment or surrender was not due, and why."""
    side = settling.event.side
    text = Text("{side} owed nothing, so this has no effect: {why}",
                side=deal.name(side), why=Text(owed.value))  # fmt: skip
    return Observation((settling.seq, *_proof_of_owed(deal, side, owed)), text, (side,))


def _proof_of_owed(deal: KnockDeal, side: str, owed: FoolDebt) -> tuple[int, ...]:
    """Return the seqs that prove what a side owes for the Fool, or why it owes nothing."""
    if owed is FoolDebt.LAID_AWAY:
        return _proof_of_laid(deal, FOOL)
    play = deal.first.get(FOOL)
    fool = (play.seq,) if play else ()
    if owed is FoolDebt.NOT_PLAYED:
        return fool
    tricks = [won for won in deal.won if deal.table.side_of[won.player] == side]
    if owed is FoolDebt.OWN_TRICK:
        tricks = [won for won in tricks if won.trick is None or play in won.trick.plays]
    elif owed is FoolDebt.FOOL:
        tricks = deal.won
    count = deal.count()
    seqs = events_of(tricks) or ((count.seq,) if count else ())
    return (*fool, *(seq for seq in seqs if seq not in fool))


def _proof_of_place(deal: KnockDeal, card: Card) -> tuple[int, ...]:
    """Return the seqs that prove where a card went: those of its play, or of the lay-away."""
    play = deal.first.get(card)
    return (play.seq,) if play else _proof_of_laid(deal, card)


def _empty_card(deal: KnockDeal, side: str) -> Play | None:
    """Return the play of a card of 1 point or less that a side has won; None without one."""
    won = (card for card, owner in deal.won_cards.items() if owner == side and VALUE[card] <= EMPTY)
    return next((deal.first[card] for card in won if card in deal.first), None)


# --------------------------------------------------------------------- what can be decided


def lay_away_known(deal: KnockDeal) -> bool:
    """Return whether both cards of the lay-away are known."""
    return len(deal.laid_away) == LAID_AWAY


def fool_settled(deal: KnockDeal) -> bool:
    """Return whether the points are known from tricks, and so is the card paid for the Fool.

    No card needs to be known if none was due.
    """
    reckoning = deal.reckoning
    if reckoning is None:
        return False
    return reckoning.payer is None or deal.payment is not None


def signals_judged(deal: KnockDeal) -> bool:
    """Return whether no gesture is left unjudged: all cards are known, or none can be judged."""
    return deal.all_cards or not judgeable_signals(deal)


CHECKS: Final = (
    Check("not_declarer", "K2", not_declarer),
    Check("bad_discard", "K2", wrong_number),
    Check("bad_discard", "K2", laid_and_played),
    Check("bad_discard", "K3", may_not_be_laid, "the lay-away", lay_away_known,
          "the two cards laid away"),
    Check("bad_discard", "K3", trump_not_needed),
    Check("bad_discard", "K3", trump_not_shown),
    Check("bad_discard", "K2", laid_away_again),
    checks.TWICE.under("K1"),
    checks.TOO_MANY.under("K2"),
    checks.SHOWN.under("K4"),
    checks.TURN.under("K4"),
    Check("revoke", "K4", revoke, "following suit", checks.all_played, CARDS),
    Check("must_trump", "K4", must_trump, "trumping when void", checks.all_played, CARDS),
    checks.WINNERS.under("K5"),
    Check("bad_payment", "K7", bad_payment, "the payment for the Fool", fool_settled,
          "the card paid for the Fool"),
    Check("bad_payment", "K8", bad_surrender),
    checks.TOTAL.under("K1"),
    Check("count_mismatch", "K9", checks.count_mismatch, "the count",
          lambda deal: deal.points_known, CARDS),
    checks.CLAIM.under("K9"),
    Check("unknown_signal", "K11", unknown_signal),
    Check("false_signal", "K11", false_signal, "the gestures", signals_judged, CARDS),
)  # fmt: skip
