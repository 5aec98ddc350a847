"""The checks of a hand of Riparto."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.games.riparto.rules import TRICKS
from scorekeeper.games.riparto.state import RipartoDeal, cards_of
from scorekeeper.play import checks
from scorekeeper.play.checks import acts_by_others, fault, first_event_of_play_or_result, late_acts
from scorekeeper.play.deal import RecordedEvent
from scorekeeper.play.scoring import Check, Observation

# ---------------------------------------------------------------------------------- the bids


def bid_out_of_turn(deal: RipartoDeal) -> Iterator[Observation]:
    """Find bids before that of a player whose turn came earlier (R2).

    Nothing is found unless eldest's bid is on record.
    """
    bids, order = deal.first_bids, deal.table.players
    if not any(bid.player == deal.table.eldest for bid in bids):
        return
    for place, bid in enumerate(bids):
        turn = order.index(bid.player)
        late = next((b for b in bids[place + 1 :] if order.index(b.player) < turn), None)
        if late:
            due = deal.name(late.player)
            yield fault("{player} bid before {due}, whose turn came first",
                        deal, bid, late.seq, due=due)  # fmt: skip


def second_bid(deal: RipartoDeal) -> Iterator[Observation]:
    """Find further bids of a player; they have no effect (R2)."""
    first = {bid.player: bid for bid in deal.first_bids}
    for bid in deal.bids:
        before = first[bid.player]
        if bid is not before:
            yield fault(
                "{player} bid {points} after a bid of {first}: the first bid stands",
                deal, bid, before.seq, points=bid.event.points, first=before.event.points,
            )  # fmt: skip


def bad_raise(deal: RipartoDeal) -> Iterator[Observation]:
    """Find raises that are not higher than the bid, and second raises (R5)."""
    bid, valid = deal.bid, deal.raised
    for raised in deal.raises:
        if bid and raised.player == bid.player and raised is not valid:
            points = raised.event.points
            before = valid if valid and points > bid.event.points else bid
            yield fault(
                "{player} raised to {points} after {before}: it has no effect",
                deal, raised, before.seq, points=points, before=before.event.points,
            )  # fmt: skip


# -------------------------------------------------------------------------- the ripartitore


def not_declarer(deal: RipartoDeal) -> Iterator[Observation]:
    """Find insiemi, raises and hierarchies of players other than the ripartitore (R3 to R6)."""
    whose = "ripartitore"
    yield from acts_by_others("{player} dealt out an insieme, but {ripartitore} had bid most",
                          deal, deal.sets, deal.bid, whose)  # fmt: skip
    yield from acts_by_others("{player} raised a bid, but {ripartitore} had bid most",
                          deal, deal.raises, deal.bid, whose)  # fmt: skip
    yield from acts_by_others("{player} declared a hierarchy, but {ripartitore} had bid most",
                          deal, deal.hierarchies, deal.bid, whose)  # fmt: skip


def second_hierarchy(deal: RipartoDeal) -> Iterator[Observation]:
    """Find further hierarchies of the ripartitore; only the first counts (R6)."""
    first = deal.ranking
    for hierarchy in deal.hierarchies:
        if first and hierarchy is not first and hierarchy.player == first.player:
            yield fault("{player} declared a hierarchy again: the first stands",
                        deal, hierarchy, first.seq)  # fmt: skip


def raised_late(deal: RipartoDeal) -> Iterator[Observation]:
    """Find the valid raise if it came after the first card, trick or result (R5)."""
    return late_acts("{player} raised after play had begun",
                     deal, [deal.raised], first_event_of_play_or_result(deal))  # fmt: skip


def ranked_late(deal: RipartoDeal) -> Iterator[Observation]:
    """Find the valid hierarchy if it came after the first card, trick or result (R6)."""
    return late_acts("{player} declared the hierarchy after play had begun",
                     deal, [deal.ranking], first_event_of_play_or_result(deal))  # fmt: skip


def distributed_late(deal: RipartoDeal) -> Iterator[Observation]:
    """Find the ripartitore's insiemi after the first card, trick or result (R4).

    Of repeated ones only the first is checked.
    """
    first: dict[int, RecordedEvent] = {}
    for insieme in deal.sets:
        if deal.bid is None or insieme.player == deal.bid.player:
            first.setdefault(insieme.event.set, insieme)
    return late_acts("{player} dealt out an insieme after play had begun",
                     deal, first.values(), first_event_of_play_or_result(deal))  # fmt: skip


# ------------------------------------------------------------------------------ the insiemi


def bad_deal(deal: RipartoDeal) -> Iterator[Observation]:
    """Find insiemi that are repeated, out of order, or not one card to each player (R4)."""
    first: dict[int, RecordedEvent] = {}
    for insieme in deal.sets:
        number = insieme.event.set
        if number in first:
            yield fault("Insieme {number} was dealt out again",
                        deal, insieme, first[number].seq, number=number)  # fmt: skip
        elif number == 1 and 2 in first:
            yield fault("The second insieme was dealt out before the first",
                        deal, first[2], insieme.seq)  # fmt: skip
        first.setdefault(number, insieme)
    for insieme in deal.sets:
        yield from _bad_gifts(deal, insieme)
    yield from _cards_in_both_insiemi(deal)


def _bad_gifts(deal: RipartoDeal, insieme: RecordedEvent) -> Iterator[Observation]:
    """Yield a fault if a recorded insieme is not one different card to each player."""
    gifts, kept = insieme.event.given, insieme.event.kept
    if gifts is None:
        return
    others = set(deal.table.players) - {insieme.player}
    cards = [*gifts.values(), *([kept] if kept else [])]
    if set(gifts) != others or len(set(cards)) != len(cards):
        yield fault("Insieme {number} was not one card for each player",
                    deal, insieme, number=insieme.event.set)  # fmt: skip


def _cards_in_both_insiemi(deal: RipartoDeal) -> Iterator[Observation]:
    """Yield a fault for each card that is in both insiemi."""
    first: dict[Card, RecordedEvent] = {}
    for insieme in deal.sets:
        for cards in cards_of(insieme).values():
            for card in cards:
                before = first.setdefault(card, insieme)
                if before.event.set != insieme.event.set:
                    yield fault("{card} came with both insiemi",
                                deal, insieme, before.seq, card=card)  # fmt: skip


def insieme_contradicted(deal: RipartoDeal) -> Iterator[Observation]:
    """Find cards of an insieme that a player other than its receiver played (R4)."""
    for insieme, got in deal.gifts:
        for play in deal.plays:
            if play.card in got.cards and play.player != got.player:
                yield fault(
                    "{player} got {card} of insieme {number}, but {other} played it",
                    deal, got, play.seq, also=play.player, card=play.card,
                    number=insieme.event.set, other=deal.name(play.player),
                )  # fmt: skip


def never_played(deal: RipartoDeal) -> Iterator[Observation]:
    """Find recorded cards of a player who played nine other cards (R4).

    At most one card of each recorded holding is found.
    """
    for held in deal.held():
        if len(deal.plays_by[held.player]) < TRICKS:
            continue
        played = checks.played_by(deal, held.player)
        missing = next((card for card in held.cards if card not in played), None)
        if missing and len(played) == TRICKS:
            proof = [play.seq for play in played.values()]
            yield fault("{player} held {card}, but played nine other cards",
                        deal, held, *proof, card=missing)  # fmt: skip


# ---------------------------------------------------------------------- what the record shows


def all_bids_recorded(deal: RipartoDeal) -> bool:
    """Return whether every player's bid is on record."""
    return len(deal.first_bids) == len(deal.table.players)


def both_insiemi_recorded(deal: RipartoDeal) -> bool:
    """Return whether both insiemi are on record with their cards."""
    return {insieme.event.set for insieme in deal.sets if insieme.event.given} == {1, 2}


CHECKS: Final = (
    Check("out_of_turn", "R2", bid_out_of_turn, "the order of the bids", all_bids_recorded,
          "every bid"),
    Check("bad_bid", "R2", second_bid),
    Check("bad_bid", "R5", bad_raise),
    Check("not_declarer", "R3", not_declarer),
    Check("not_declarer", "R6", second_hierarchy),
    Check("out_of_time", "R5", raised_late),
    Check("out_of_time", "R6", ranked_late),
    Check("out_of_time", "R4", distributed_late),
    Check("bad_deal", "R4", bad_deal, "the insiemi", both_insiemi_recorded,
          "the cards of both insiemi"),
    Check("shown_mismatch", "R4", insieme_contradicted),
    checks.SHOWN.under("R7"),
    Check("shown_mismatch", "R4", never_played),
    checks.TWICE.under("R1"),
    checks.TOO_MANY.under("R4"),
    checks.TURN.under("R7"),
    checks.REVOKE.under("R7"),
    checks.WINNERS.under("R9"),
    checks.BEATEN.under("R9"),
    checks.TOTAL.under("R11"),
    Check("count_mismatch", "R10", checks.count_mismatch, "the count",
          lambda deal: deal.all_tricks, "who took each trick"),
    checks.OUTCOME.under("R12"),
    checks.CLAIM.under("R12"),
)  # fmt: skip
