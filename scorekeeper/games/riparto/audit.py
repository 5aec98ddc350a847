"""What can be wrong with a hand of Riparto."""

from collections.abc import Iterator
from typing import Final

from scorekeeper import checks
from scorekeeper.games.riparto.state import RipartoDeal
from scorekeeper.hands import Noted
from scorekeeper.scoring import Check, Sight, Text


def bid_out_of_turn(deal: RipartoDeal) -> Iterator[Sight]:
    """A bid made before that of a player whose turn came earlier (R2)."""
    bids = deal.first_bids
    order = deal.table.players
    if not any(bid.event.player == deal.table.eldest for bid in bids):
        return
    for place, bid in enumerate(bids):
        turn = order.index(bid.event.player)
        late = next((b for b in bids[place + 1 :] if order.index(b.event.player) < turn), None)
        if late:
            text = Text(
                "{player} bid before {due}, whose turn came first",
                player=deal.table.name(bid.event.player), due=deal.table.name(late.event.player),
            )  # fmt: skip
            yield Sight((bid.seq, late.seq), text, (bid.event.player,))


def second_bid(deal: RipartoDeal) -> Iterator[Sight]:
    """A player bids once; a further bid has no effect (R2)."""
    first = {bid.event.player: bid for bid in deal.first_bids}
    for bid in deal.bids:
        before = first[bid.event.player]
        if bid is not before:
            text = Text(
                "{player} bid {points} after a bid of {first}: the first bid stands",
                player=deal.table.name(bid.event.player), points=bid.event.points,
                first=before.event.points,
            )  # fmt: skip
            yield Sight((bid.seq, before.seq), text, (bid.event.player,))


def raise_that_lowers(deal: RipartoDeal) -> Iterator[Sight]:
    """A raise that does not raise, or a second one (R5)."""
    bid, raised = deal.bid, deal.raised
    if bid is None:
        return
    for one in deal.raises:
        if one.event.player == bid.event.player and one is not raised:
            before = raised if raised and one.event.points > bid.event.points else bid
            text = Text(
                "{player} raised to {points}, and {before} stands",
                player=deal.table.name(bid.event.player), points=one.event.points,
                before=(raised or bid).event.points,
            )  # fmt: skip
            yield Sight((one.seq, before.seq), text, (bid.event.player,))


def not_declarer(deal: RipartoDeal) -> Iterator[Sight]:
    """An insieme, a raise or a hierarchy by another than the ripartitore (R3 to R6)."""
    bid = deal.bid
    if bid is None:
        return
    acts = (
        (deal.sets, "distributed an insieme"),
        (deal.raises, "raised"),
        (deal.hierarchies, "declared a hierarchy"),
    )
    for noted, did in acts:
        for one in noted:
            if one.event.player != bid.event.player:
                text = Text(
                    f"{{player}} {did}, and the ripartitore is {{ripartitore}}",
                    player=deal.table.name(one.event.player),
                    ripartitore=deal.table.name(bid.event.player),
                )
                yield Sight((one.seq, bid.seq), text, (one.event.player,))


def second_hierarchy(deal: RipartoDeal) -> Iterator[Sight]:
    """A hierarchy is declared once (R6)."""
    declared = deal.declared
    for one in deal.hierarchies:
        if declared and one is not declared and one.event.player == declared.event.player:
            text = Text("A second hierarchy: the first stands")
            yield Sight((one.seq, declared.seq), text, (one.event.player,))


def bad_deal(deal: RipartoDeal) -> Iterator[Sight]:
    """An insieme twice, the second before the first, or not one card to each other (R4)."""
    seen: dict[int, Noted] = {}
    for one in deal.sets:
        number = one.event.set
        if number in seen:
            yield Sight((one.seq, seen[number].seq), Text("Insieme {n} again", n=number))
        elif number == 1 and 2 in seen:
            yield Sight((seen[2].seq, one.seq), Text("The second insieme before the first"))
        seen.setdefault(number, one)
        yield from _bad_gifts(deal, one)


def _bad_gifts(deal: RipartoDeal, one: Noted) -> Iterator[Sight]:
    given = one.event.given
    if given is None:
        return
    others = {player for player in deal.table.players if player != one.event.player}
    cards = [*given.values(), *([one.event.kept] if one.event.kept else [])]
    if set(given) != others or len(set(cards)) != len(cards):
        text = Text("Insieme {n} was not one card to each other player", n=one.event.set)
        yield Sight((one.seq,), text, (one.event.player,))


def insieme_contradicted(deal: RipartoDeal) -> Iterator[Sight]:
    """A card kept or given of which another player then played (R4)."""
    for one in deal.sets:
        got = dict(one.event.given or {})
        if one.event.kept:
            got[one.event.player] = one.event.kept
        for player, card in got.items():
            play = deal.first.get(card)
            if play is not None and play.player != player:
                text = Text(
                    "{player} got {card} of an insieme, and {other} played it",
                    player=deal.table.name(player), card=card, other=deal.table.name(play.player),
                )  # fmt: skip
                yield Sight((one.seq, play.seq), text, (player, play.player))


def play_out_of_turn(deal: RipartoDeal) -> Iterator[Sight]:
    """Cards out of turn; the ripartitore leads to the first trick (R7)."""
    return checks.out_of_turn(deal, deal.bid.event.player if deal.bid else None)


def all_cards(deal: RipartoDeal) -> bool:
    """Whether every card of the play is on record."""
    return deal.all_cards


def all_tricks(deal: RipartoDeal) -> bool:
    """Whether every trick has a winner on record."""
    return deal.all_tricks


def all_bids(deal: RipartoDeal) -> bool:
    """Whether every player's bid is on record."""
    return len(deal.first_bids) == len(deal.table.players)


def both_sets(deal: RipartoDeal) -> bool:
    """Whether both insiemi are on record with their cards."""
    return {one.event.set for one in deal.sets if one.event.given} == {1, 2}


CARDS: Final = "the cards of every trick"

CHECKS: Final = (
    Check("out_of_turn", "R2", bid_out_of_turn, "the order of the bids", all_bids, "every bid"),
    Check("bad_bid", "R2", second_bid),
    Check("bad_bid", "R5", raise_that_lowers),
    Check("not_declarer", "R3", not_declarer),
    Check("not_declarer", "R6", second_hierarchy),
    Check("bad_deal", "R4", bad_deal, "the insiemi", both_sets, "the cards of both insiemi"),
    Check("shown_mismatch", "R4", insieme_contradicted),
    Check("shown_mismatch", "R7", checks.shown_mismatch),
    Check("duplicate_card", "R1", checks.duplicate_card),
    Check("too_many", "R4", checks.too_many),
    Check("out_of_turn", "R7", play_out_of_turn, "the order of play", all_cards, CARDS),
    Check("revoke", "R7", checks.revoke, "following suit", all_cards, CARDS),
    Check("wrong_winner", "R9", checks.wrong_winner, "the winners of the tricks", all_cards, CARDS),
    Check("total_mismatch", "R11", checks.total_mismatch),
    Check("count_mismatch", "R10", checks.count_mismatch, "the count", all_tricks,
          "who took each trick"),
    Check("count_mismatch", "R12", checks.outcome_mismatch),
    Check("claim_mismatch", "R12", checks.claim_mismatch),
)  # fmt: skip
