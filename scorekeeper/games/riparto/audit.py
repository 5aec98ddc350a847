"""What can be wrong with a hand of Riparto."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.games.riparto.rules import TRICKS
from scorekeeper.games.riparto.state import RipartoDeal, cards_of
from scorekeeper.play import checks
from scorekeeper.play.deal import Noted
from scorekeeper.play.scoring import Check, Sight, Text

# ---------------------------------------------------------------------------------- the bids


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


def bad_raise(deal: RipartoDeal) -> Iterator[Sight]:
    """A raise that does not raise, or a second one (R5)."""
    bid, raised = deal.bid, deal.raised
    if bid is None:
        return
    for one in deal.raises:
        if one.event.player == bid.event.player and one is not raised:
            before = raised if raised and one.event.points > bid.event.points else bid
            text = Text(
                "{player} raised to {points} after {before}: it has no effect",
                player=deal.table.name(bid.event.player), points=one.event.points,
                before=before.event.points,
            )  # fmt: skip
            yield Sight((one.seq, before.seq), text, (bid.event.player,))


# -------------------------------------------------------------------------- the ripartitore


def not_declarer(deal: RipartoDeal) -> Iterator[Sight]:
    """An insieme, a raise or a hierarchy by another than the ripartitore (R3 to R6)."""
    bid = deal.bid
    if bid is None:
        return
    acts = (
        ("{player} distributed an insieme, and {ripartitore} had bid most", deal.sets),
        ("{player} raised a bid, and {ripartitore} had bid most", deal.raises),
        ("{player} declared a hierarchy, and {ripartitore} had bid most", deal.hierarchies),
    )
    for template, noted in acts:
        for one in noted:
            if one.event.player != bid.event.player:
                text = Text(
                    template,
                    player=deal.table.name(one.event.player),
                    ripartitore=deal.table.name(bid.event.player),
                )
                yield Sight((one.seq, bid.seq), text, (one.event.player,))


def second_hierarchy(deal: RipartoDeal) -> Iterator[Sight]:
    """A hierarchy is declared once (R6)."""
    first = deal.ranking
    for one in deal.hierarchies:
        if first and one is not first and one.event.player == first.event.player:
            text = Text(
                "{player} declared a hierarchy again: the first stands",
                player=deal.table.name(one.event.player),
            )
            yield Sight((one.seq, first.seq), text, (one.event.player,))


# ------------------------------------------------------------------------------ the insiemi


def bad_deal(deal: RipartoDeal) -> Iterator[Sight]:
    """An insieme twice, the second before the first, or not one card to each other (R4)."""
    seen: dict[int, Noted] = {}
    for one in deal.sets:
        number = one.event.set
        if number in seen:
            text = Text("Insieme {number} was distributed again", number=number)
            yield Sight((one.seq, seen[number].seq), text, (one.event.player,))
        elif number == 1 and 2 in seen:
            text = Text("The second insieme was distributed before the first")
            yield Sight((seen[2].seq, one.seq), text, (seen[2].event.player,))
        seen.setdefault(number, one)
    for one in deal.sets:
        yield from _bad_gifts(deal, one)
    yield from _in_both(deal)


def _bad_gifts(deal: RipartoDeal, one: Noted) -> Iterator[Sight]:
    given = one.event.given
    if given is None:
        return
    others = {player for player in deal.table.players if player != one.event.player}
    cards = [*given.values(), *([one.event.kept] if one.event.kept else [])]
    if set(given) != others or len(set(cards)) != len(cards):
        text = Text("Insieme {number} was not one card to each player", number=one.event.set)
        yield Sight((one.seq,), text, (one.event.player,))


def _in_both(deal: RipartoDeal) -> Iterator[Sight]:
    """A card that came with the first insieme, and with the second again."""
    first: dict[Card, Noted] = {}
    for one in deal.sets:
        for cards in cards_of(one).values():
            for card in cards:
                before = first.setdefault(card, one)
                if before.event.set != one.event.set:
                    text = Text("{card} came with both insiemi", card=card)
                    yield Sight((one.seq, before.seq), text, (one.event.player,))


def insieme_contradicted(deal: RipartoDeal) -> Iterator[Sight]:
    """A card kept or given, which another player then played (R4)."""
    for one in deal.sets:
        for player, cards in cards_of(one).items():
            for play in deal.plays:
                if play.card in cards and play.player != player:
                    text = Text(
                        "{player} got {card} of insieme {number}, and {other} played it",
                        player=deal.table.name(player), card=play.card, number=one.event.set,
                        other=deal.table.name(play.player),
                    )  # fmt: skip
                    yield Sight((one.seq, play.seq), text, (player, play.player))


def never_played(deal: RipartoDeal) -> Iterator[Sight]:
    """A card held by the record, though its holder played nine others (R4)."""
    for held in deal.held():
        played = checks.played_by(deal, held.player)
        missing = next((card for card in held.cards if card not in played), None)
        if missing and len(played) == TRICKS:
            text = Text(
                "{player} held {card}, and played nine other cards",
                player=deal.table.name(held.player), card=missing,
            )  # fmt: skip
            proof = [play.seq for play in played.values()]
            yield Sight((held.seq, *proof), text, (held.player,))


# --------------------------------------------------------------------------------- the play


def play_out_of_turn(deal: RipartoDeal) -> Iterator[Sight]:
    """Cards out of turn; the ripartitore leads to the first trick (R7)."""
    bid = deal.bid
    if bid is None:
        return checks.out_of_turn(deal, None)
    return checks.out_of_turn(deal, bid.event.player, (bid.seq,))


# ---------------------------------------------------------------------- what the record shows


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
    Check("bad_bid", "R5", bad_raise),
    Check("not_declarer", "R3", not_declarer),
    Check("not_declarer", "R6", second_hierarchy),
    Check("bad_deal", "R4", bad_deal, "the insiemi", both_sets, "the cards of both insiemi"),
    Check("shown_mismatch", "R4", insieme_contradicted),
    Check("shown_mismatch", "R7", checks.shown_mismatch),
    Check("shown_mismatch", "R4", never_played),
    Check("duplicate_card", "R1", checks.duplicate_card),
    Check("too_many", "R4", checks.too_many),
    Check("out_of_turn", "R7", play_out_of_turn, "the order of play", all_cards, CARDS),
    Check("revoke", "R7", checks.revoke, "following suit", all_cards, CARDS),
    Check("wrong_winner", "R9", checks.wrong_winner, "the winners of the tricks", all_cards, CARDS),
    Check("wrong_winner", "R9", checks.beaten_winner),
    Check("total_mismatch", "R11", checks.total_mismatch),
    Check("count_mismatch", "R10", checks.count_mismatch, "the count", all_tricks,
          "who took each trick"),
    Check("count_mismatch", "R12", checks.outcome_mismatch),
    Check("claim_mismatch", "R12", checks.claim_mismatch),
)  # fmt: skip
