"""The checks of a hand of Briscola Regina."""

from collections.abc import Iterator
from itertools import product
from operator import itemgetter
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.games.briscola_regina.rules import STOCK_LASTS
from scorekeeper.games.briscola_regina.state import Exchange, HeldCards, ReginaDeal, suit_of_bris
from scorekeeper.play import checks
from scorekeeper.play.checks import fault
from scorekeeper.play.deal import events_of
from scorekeeper.play.scoring import Check, Observation, Text


def bris_again(deal: ReginaDeal) -> Iterator[Observation]:
    """Find Bris on a suit already called; they score nothing and take no number (B5)."""
    first = {suit_of_bris(call): call for call in deal.first_calls()}
    for call in deal.calls:
        before = first[suit_of_bris(call)]
        if call is not before:
            yield fault(
                "{player} called Bris with {cards}, but {first} had already called that suit",
                deal, call, before.seq, cards=call.cards, first=deal.name(before.player),
            )  # fmt: skip


def figures_again(deal: ReginaDeal) -> Iterator[Observation]:
    """Find four kings or knights shown a second time; they score nothing (B7)."""
    first = deal.first_figures
    for kind, held in deal.figures:
        if held is not first[kind]:
            yield fault("{player} showed {cards}, but {first} had already shown them",
                        deal, held, first[kind].seq, cards=held.cards,
                        first=deal.name(first[kind].player))  # fmt: skip


def false_call(deal: ReginaDeal) -> Iterator[Observation]:
    """Find Bris of players who cannot have held both cards (B5); they count as recorded."""
    return _contradicted_holdings(
        deal, deal.calls,
        "{player} called Bris with {card}, but {other} had played it",
        "{player} called Bris with {card}, but {other} played it later",
    )  # fmt: skip


def bris_too_late(deal: ReginaDeal) -> Iterator[Observation]:
    """Find Bris after the end of the stock, if that is not allowed (B5); they count as recorded."""
    if deal.table.options["bris_until"] == "hand_end":
        return
    last = STOCK_LASTS[len(deal.table.players)]
    for call in deal.first_calls():
        if call.trick > last:
            yield fault("{player} called Bris with {cards} when the stock was gone",
                        deal, call, cards=call.cards)  # fmt: skip


def bris_out_of_time(deal: ReginaDeal) -> Iterator[Observation]:
    """Find Bris within a trick or another player's turn, if not allowed (B5); they count.

    The turn is known if the trick is on record by its cards.
    """
    when = deal.table.options["bris_when"]
    for call in deal.first_calls() if when != "any" else ():
        trick = deal.tricks.numbered.get(call.trick)
        earlier = deal.plays[: call.played]
        before = [play for play in trick.plays if play in earlier] if trick else []
        if trick is None or not trick.plays:
            continue
        played = {play.player for play in before}
        turns = deal.table.turns[trick.plays[0].player]
        due = next((player for player in turns if player not in played), call.player)
        if when == "between_tricks" and before:
            yield fault("{player} called Bris with {cards} in the middle of a trick",
                        deal, call, before[-1].seq, cards=call.cards)  # fmt: skip
        elif when == "own_turn" and due != call.player:
            yield fault("{player} called Bris with {cards}, but it was {due}’s turn", deal, call,
                        trick.plays[0].seq, cards=call.cards, due=deal.name(due))  # fmt: skip


def false_showing(deal: ReginaDeal) -> Iterator[Observation]:
    """Find cards shown that were played before, or that another plays later or had shown.

    Partners who exchanged hands may show and play the same card.
    """
    yield from _contradicted_holdings(
        deal, deal.showings,
        "{player} showed {card}, but {other} had played it",
        "{player} showed {card}, but {other} played it later",
    )  # fmt: skip
    for _, before, held, card in sorted(_shown_by_two(deal), key=itemgetter(0)):
        yield checks.shown_by_two(deal, held, before, card)


def _shown_by_two(deal: ReginaDeal) -> Iterator[tuple[int, HeldCards, HeldCards, Card]]:
    """Yield each showing of a card that another player had shown and not passed on.

    It comes with the place of the first such showing before, that showing, and the card. Of
    partners who may swap hands, only showings since their last exchange count.
    """
    first: dict[tuple[Card, str, int | None], tuple[int, HeldCards]] = {}
    for place, held in enumerate(deal.showings):
        conflicts = []
        for card, other in product(held.cards, deal.table.players):
            exchanged = held.exchanged if deal.may_swap(held.player, other) else None
            before = first.get((card, other, exchanged))
            if before and not deal.may_pass(before[1], held.player, held.played):
                conflicts.append((*before, held, card))
        if conflicts:
            yield min(conflicts, key=itemgetter(0))
        for card in held.cards:
            first.setdefault((card, held.player, held.exchanged), (place, held))
            first.setdefault((card, held.player, None), (place, held))


def _contradicted_holdings(
    deal: ReginaDeal, moments: list[HeldCards], before: str, later: str
) -> Iterator[Observation]:
    """Find declared holdings with a card that the player cannot have held.

    ``before`` is the template for a card that was played before, ``later`` for one that another
    player played later.
    """
    for held in moments:
        plays = [play for card in held.cards if (play := deal.contradicting_play(held, card))]
        if plays:
            play = min(plays, key=deal.plays.index)
            template = before if deal.plays.index(play) < held.played else later
            yield fault(
                template, deal, held, play.seq, card=play.card, other=deal.name(play.player)
            )


# ------------------------------------------------------------------------ exchanges of hands


def bad_exchange(deal: ReginaDeal) -> Iterator[Observation]:
    """Find exchanges of hands at a wrong time, or by players who may not (B8).

    Only the first fault of each exchange is found.
    """
    first: dict[str, Exchange] = {}
    for exchange in deal.exchanges:
        before = first.setdefault(exchange.side, exchange)
        fault = (
            _fault_of_table(deal)
            or _fault_of_repetition(exchange, before)
            or _fault_of_time(deal, exchange)
        )
        if fault:
            template, proof = fault
            text = Text(template, side=deal.name(exchange.side))
            yield Observation((exchange.seq, *proof), text, (exchange.side,))


Fault = tuple[str, tuple[int, ...]] | None


def _fault_of_table(deal: ReginaDeal) -> Fault:
    """Return the fault of any exchange at a table that does not allow it; None if it may."""
    if len(deal.table.players) != 4:
        return "{side} exchanged hands, but only partners of four players may", ()
    if deal.table.options["hand_exchange"] == "none":
        return "{side} exchanged hands, but at this table nobody may", ()
    return None


def _fault_of_repetition(exchange: Exchange, before: Exchange) -> Fault:
    """Return the fault of a second exchange of a side; None for the first.

    ``before`` is the first exchange of the side.
    """
    if exchange is before:
        return None
    return "{side} exchanged hands a second time", (before.seq,)


def _fault_of_time(deal: ReginaDeal, exchange: Exchange) -> Fault:
    """Return the fault of an exchange within a trick, or while the stock lasted; else None.

    The number of the next recorded trick shows whether the stock lasted. In a hand that goes on,
    the last trick before the exchange does. Without either nothing is proved.
    """
    if exchange.open is not None:
        return "{side} exchanged hands in the middle of a trick", exchange.open.events()[:1]
    stock_lasts = STOCK_LASTS[len(deal.table.players)]
    recorded = list(deal.tricks.numbered.values())
    before, after = recorded[: exchange.begun], recorded[exchange.begun :]
    last = max([trick.number for trick in before], default=0)
    if after:
        early = last < after[0].number <= stock_lasts
    else:
        early = 0 < last < stock_lasts and not deal.result.complete
    if not early:
        return None
    proof = after[0] if after else deal.tricks.numbered[last]
    return "{side} exchanged hands while there was still a stock", proof.events()[:1]


# ------------------------------------------------------------------------------- the count


def count_out_of_reach(deal: ReginaDeal) -> Iterator[Observation]:
    """Find counts with more points for a side than its tricks on record allow (B9).

    A count that is also too low for another side is left to the check of the count.
    """
    reach = deal.reach()
    for count in deal.sound_counts():
        low = [side for side in reach if count.points[side] < reach[side].low]
        high = [side for side in reach if count.points[side] > reach[side].high]
        if high and not low:
            text = Text(
                "{side}: {points} card points counted, but {most} at most according to the "
                "tricks on record",
                side=deal.name(high[0]), points=count.points[high[0]],
                most=reach[high[0]].high,
            )  # fmt: skip
            yield Observation((count.seq, *events_of(deal.won)), text, tuple(high))


# ------------------------------------------------------------------ what the record decides


def calls_are_checkable(deal: ReginaDeal) -> bool:
    """Return whether the record has the plays of both cards of every Bris."""
    return all(card in deal.first for call in deal.calls for card in call.cards)


def exchanges_are_checkable(deal: ReginaDeal) -> bool:
    """Return whether no hands were exchanged, or every trick is on record."""
    return not deal.exchanges or bool(_fault_of_table(deal)) or deal.all_tricks


CHECKS: Final = (
    Check("bad_call", "B5", bris_again),
    Check("bad_call", "B7", figures_again),
    Check("bad_call", "B5", bris_too_late),
    Check("bad_call", "B5", bris_out_of_time),
    Check("false_call", "B5", false_call, "each Bris", calls_are_checkable, checks.CARDS),
    Check("bad_exchange", "B8", bad_exchange, "the exchange of hands", exchanges_are_checkable,
          "who took each trick"),
    Check("shown_mismatch", "B1", false_showing),
    checks.TWICE.under("B1"),
    checks.TOO_MANY.under("B4"),
    checks.TURN.under("B2"),
    checks.WINNERS.under("B3"),
    checks.TOTAL.under("B9"),
    checks.COUNT.under("B9"),
    Check("count_mismatch", "B9", count_out_of_reach),
    checks.CLAIM.under("B9"),
)  # fmt: skip
