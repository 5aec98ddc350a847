"""The checks of a hand of Briscola col Monte."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from scorekeeper.families.called_card import audit as calling
from scorekeeper.games.briscola_col_monte.state import MonteDeal
from scorekeeper.play.checks import acts_by_others, fault, first_event_of_play_or_result, late_acts
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Check, Observation, Text

# The texts of a wrong call, by the option call_time and the record.
AT_ANOTHER_TIME: Final = {
    "early": "{player} called {card} before taking the monte",
    "suit": "{player} called {card}, but had named another suit as trump",
    "away": "{player} called {card}, but had laid it away",
}


def call_at_another_time(deal: MonteDeal) -> Iterator[Observation]:
    """Find a call before the monte, of another suit than trump, or of a laid-away card (M3).

    It is for tables that name the card after taking the monte. Only the first of these is
    reported.
    """
    call, suit = deal.call, deal.suit_named
    if call is None or deal.calls_first:
        return
    card, taken = call.event.card, deal.monte or deal.lay_away
    proof: tuple[int, ...] = ()
    if suit is not None and suit.event.suit != card.suit:
        wrong, proof = "suit", (suit.seq,)
    elif taken is not None and call.seq in deal.early:
        wrong, proof = "early", (taken.seq,)
    elif card in (deal.laid_away or ()):
        wrong, proof = "away", (deal.lay_away.seq,) if deal.lay_away else ()
    else:
        return
    yield fault(AT_ANOTHER_TIME[wrong], deal, call, *proof, card=card)


def showing_without_effect(deal: MonteDeal) -> Iterator[Observation]:
    """Find showings of the named card by other players, after the first lead, or again (M5)."""
    bid, stands = deal.bid, deal.showing
    for showing in deal.showings if bid else ():
        if bid and showing.player != bid.player:
            yield fault(
                "{player} showed the named card, but the bidder is {bidder}: it does not count",
                deal, showing, bid.seq, bidder=deal.name(bid.player),
            )  # fmt: skip
        elif showing.late:
            first = next((trick.events()[:1] for trick in deal.tricks), ())
            yield fault("{player} showed the named card after the first lead: it does not count",
                        deal, showing, *first)  # fmt: skip
        elif stands is not None and showing is not stands:
            yield fault("{player} showed the named card again", deal, showing, stands.seq)


def shown_and_not_held(deal: MonteDeal) -> Iterator[Observation]:
    """Find a bidder who showed the named card that another player played, the partner (M5)."""
    showing, fell, call = deal.showing, deal.fell, deal.call
    if showing and fell and call and fell.player != showing.player:
        yield fault(
            "{bidder} showed {card} as their own, but {holder} played it",
            deal, showing, call.seq, fell.seq, also=fell.player,
            bidder=deal.name(showing.player), card=fell.card, holder=deal.name(fell.player),
        )  # fmt: skip


def taken_late(deal: MonteDeal) -> Iterator[Observation]:
    """Find a monte that the bidder took after the first card, trick or result (M3)."""
    taken = deal.monte
    own = taken is not None and deal.bidder in (None, taken.player)
    return late_acts("{player} took the monte after play had begun",
                     deal, [taken] if own else [], first_event_of_play_or_result(deal))  # fmt: skip


def not_bidder(deal: MonteDeal) -> Iterator[Observation]:
    """Find a monte taken, or cards laid away, by a player who is not the bidder (M3)."""
    yield from acts_by_others(
        "{player} took the monte, but the bidder is {bidder}: it does not count",
        deal, deal.montes, deal.bid, "bidder",
    )  # fmt: skip
    yield from acts_by_others(
        "{player} laid cards away, but the bidder is {bidder}: it does not count",
        deal, deal.lay_aways, deal.bid, "bidder",
    )  # fmt: skip


def lay_away_of_wrong_cards(deal: MonteDeal) -> Iterator[Observation]:
    """Find second lay-aways, a wrong number of cards, and cards that were played (M3).

    At most one fault of each lay-away is found, and none of other players than the bidder.
    """
    bidder, valid = deal.bidder, deal.lay_away
    for lay_away in deal.lay_aways:
        if bidder in (None, lay_away.player):
            yield from islice(_lay_away_faults(deal, lay_away, valid), 1)


def _lay_away_faults(
    deal: MonteDeal, lay_away: RecordedEvent, valid: RecordedEvent | None
) -> Iterator[Observation]:
    """Yield the faults of a lay-away: repeated, of a wrong size, or with cards that were played.

    The bidder's first lay-away with its cards on record is the ``valid`` one. One without cards has
    no faults.
    """
    cards = lay_away.event.cards
    if cards is None:
        return
    if valid is not None and lay_away is not valid:
        yield Observation(
            (lay_away.seq, valid.seq), Text("Cards laid away again: the first lay-away stands")
        )
    if len(cards) != deal.size.monte:
        yield fault("{came} cards were laid away, but the monte has {due}",
                    deal, lay_away, came=len(cards), due=deal.size.monte)  # fmt: skip
    for play in deal.fallen(cards):
        player = deal.name(play.player)
        yield fault("{card} was laid away, but {player} played it",
                    deal, lay_away, play.seq, card=play.card, player=player)  # fmt: skip


def laid_away_though_shown(deal: MonteDeal) -> Iterator[Observation]:
    """Find a named card that was shown and laid away, as recorded or not played (M5).

    Nothing is found if the option ``called_in_hand`` gives a showing no effect.
    """
    showing, call, lay_away = deal.showing, deal.call, deal.lay_away
    stays = deal.table.options["called_in_hand"] in ("choice", "right")
    if showing is None or call is None or not stays:
        return
    recorded = lay_away.event.cards if lay_away is not None else None
    if call.event.card not in (*(recorded or ()), *(deal.never_played or ())):
        return
    proof = (call.seq, showing.seq) if lay_away is not None else (call.seq,)
    yield fault(
        "{bidder} showed {card} and laid it away; {neighbour} is still the partner",
        deal, lay_away or showing, *proof, bidder=deal.name(showing.player), card=call.event.card,
        neighbour=deal.name(deal.table.after(showing.player)),
    )  # fmt: skip


def monte_of_another_size(deal: MonteDeal) -> Iterator[Observation]:
    """Find a monte of another number of cards than the deal leaves, or taken again (M1).

    A monte without its cards on record is not compared.
    """
    stands = deal.monte
    for taken in deal.montes:
        cards = taken.event.cards
        if cards is not None and len(cards) != deal.size.monte:
            text = Text("The monte was taken with {came} cards, but it has {due}",
                        came=len(cards), due=deal.size.monte)  # fmt: skip
            yield Observation((taken.seq,), text)
        elif cards is not None and stands and stands is not taken and stands.player == taken.player:
            text = Text("The monte was taken again: the first taking stands")
            yield Observation((taken.seq, stands.seq), text)


def monte_contradicted(deal: MonteDeal) -> Iterator[Observation]:
    """Find cards of the monte that a player other than the bidder played (M3)."""
    monte = deal.monte
    for play in deal.fallen(monte.event.cards or ()) if monte else ():
        if monte and play.player != monte.player:
            yield fault(
                "{bidder} took {card} with the monte, but {player} played it",
                deal, monte, play.seq, also=play.player, bidder=deal.name(monte.player),
                card=play.card, player=deal.name(play.player),
            )  # fmt: skip


def lay_away_certain(deal: MonteDeal) -> bool:
    """Return whether the cards laid away are known: recorded, or all others played.

    It is also certain if there is no monte.
    """
    on_record = deal.lay_away is not None and deal.lay_away.event.cards is not None
    return on_record or deal.never_played is not None or not deal.size.monte


def partner_certain(deal: MonteDeal) -> bool:
    """Return whether the cards decide the partner (M3, M5).

    The called card was played, the bid excludes a partner, or all cards of the play are known.
    """
    return calling.partner_known(deal) or deal.never_played is not None


CHECKS: Final = (
    *calling.auction_checks(turn="M2", higher="M2", call="M3"),
    *calling.redeal_checks(weak="M1", doubling="M2"),
    Check("bad_call", "M3", call_at_another_time),
    Check("bad_call", "M5", showing_without_effect),
    Check("false_call", "M5", shown_and_not_held),
    Check("wrong_partner", "M3", calling.wrong_partner, "who the partner was", partner_certain,
          "who played the named card"),
    Check("not_declarer", "M3", not_bidder),
    Check("out_of_time", "M3", calling.called_late),
    Check("out_of_time", "M3", taken_late),
    Check("bad_deal", "M1", monte_of_another_size),
    Check("bad_discard", "M3", lay_away_of_wrong_cards, "the cards laid away", lay_away_certain,
          "the cards laid away"),
    Check("bad_discard", "M5", laid_away_though_shown),
    Check("shown_mismatch", "M3", monte_contradicted),
    *calling.play_checks(play="M6", contract="M7", payment="M8"),
)  # fmt: skip
