"""What can be wrong with a hand of Tressette."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.play import checks
from scorekeeper.play.scoring import Check, Sight, Text
from scorekeeper_tressette.events import SameRankDeclared
from scorekeeper_tressette.rules import of_a_kind
from scorekeeper_tressette.state import Declared, TressetteDeal, what_is_declared

# ---------------------------------------------------------------------------- declarations


def nothing_is_declared(deal: TressetteDeal) -> Iterator[Sight]:
    """A declaration at a table that plays without: it scores nothing (T7)."""
    for one in () if deal.declares else deal.declared:
        text = Text("{player} declared, and at this table nobody does", player=_name(deal, one))
        yield _sight(deal, one, text)


def late_declaration(deal: TressetteDeal) -> Iterator[Sight]:
    """A declaration after its player's first card: it scores nothing (T8)."""
    for one in deal.declared if deal.declares else ():
        if one.late:
            first = next((play for play in deal.plays if play.player == one.event.player), None)
            text = Text("{player} declared after his first card", player=_name(deal, one))
            yield _sight(deal, one, text, *([first.seq] if first else []))


def declared_twice(deal: TressetteDeal) -> Iterator[Sight]:
    """A suit or a rank declared again: it scores once (T8)."""
    first = {what_is_declared(one.event): one for one in deal.scored}
    for one in deal.declared if deal.declares else ():
        before = first.get(what_is_declared(one.event), one)
        if not one.late and before is not one:
            text = Text(
                "{player} declared what {other} had declared",
                player=_name(deal, one), other=_name(deal, before),
            )  # fmt: skip
            yield _sight(deal, one, text, before.seq)


Doubt = tuple[Text, int]  # what speaks against a declaration, and the event that proves it


def false_declaration(deal: TressetteDeal) -> Iterator[Sight]:
    """Cards declared that were another's, or a suit said to be lacking that was not (T8)."""
    for one in deal.scored:
        doubt = next(_doubts(deal, one), None)
        if doubt:
            yield _sight(deal, one, *doubt)


def _doubts(deal: TressetteDeal, one: Declared) -> Iterator[Doubt]:
    for card in deal.cards_of(one):
        yield from _elsewhere(deal, one, card)
    if isinstance(one.event, SameRankDeclared) and one.event.suit is not None:
        yield from _had_it(deal, one, Card.parse(f"{one.event.rank}{one.event.suit}"))


def _elsewhere(deal: TressetteDeal, one: Declared, card: Card) -> Iterator[Doubt]:
    """That another played a card, showed it, or declared it before.

    Of a card that is on record twice, one right play is enough.
    """
    name, plays = _name(deal, one), deal.plays_of(card)
    if plays and all(play.player != one.event.player for play in plays):
        yield Text(
            "{player} declared {card}, which {other} played",
            player=name, card=card, other=deal.table.name(plays[0].player),
        ), plays[0].seq  # fmt: skip
    later = {declared.seq for declared in deal.scored[deal.scored.index(one) :]}
    for held in deal.held():
        if held.player != one.event.player and card in held.cards and held.seq not in later:
            yield Text(
                "{player} declared {card}, which {other} held",
                player=name, card=card, other=deal.table.name(held.player),
            ), held.seq  # fmt: skip


def _had_it(deal: TressetteDeal, one: Declared, lacked: Card) -> Iterator[Doubt]:
    """That a player had the card of the suit that he said to lack."""
    text = Text("{player} held {card}, which he had said to lack",
                player=_name(deal, one), card=lacked)  # fmt: skip
    mine = [play for play in deal.plays_of(lacked) if play.player == one.event.player]
    held = [held for held in deal.held() if held.player == one.event.player]
    for seq in [play.seq for play in mine] + [it.seq for it in held if lacked in it.cards]:
        yield text, seq


def claimed_in_vain(deal: TressetteDeal) -> Iterator[Sight]:
    """Cards declared by a player whose ten cards are on record, and are others (T8)."""
    for one in deal.scored:
        his = checks.played_by(deal, one.event.player)
        if len(his) < deal.tricks.total or next(_doubts(deal, one), None):
            continue
        if len(_of_those(deal, one) & his.keys()) < _size(deal, one):
            text = Text(
                "{player} declared cards that are not among the ten that he played",
                player=_name(deal, one),
            )
            yield _sight(deal, one, text, *(play.seq for play in his.values()))


def _of_those(deal: TressetteDeal, one: Declared) -> set[Card]:
    """The cards of which those declared are some, or all."""
    if isinstance(one.event, SameRankDeclared):
        return set(deal.cards_of(one) or of_a_kind(one.event.rank))
    return set(deal.cards_of(one))


def _size(deal: TressetteDeal, one: Declared) -> int:
    return one.event.count if isinstance(one.event, SameRankDeclared) else len(deal.cards_of(one))


def _name(deal: TressetteDeal, one: Declared) -> str:
    return deal.table.name(one.event.player)


def _sight(deal: TressetteDeal, one: Declared, text: Text, *proof: int) -> Sight:
    return Sight((one.seq, *proof), text, checks.sides_of(deal, one.event.player))


# ---------------------------------------------------------------- the play, and what is decided


def play_out_of_turn(deal: TressetteDeal) -> Iterator[Sight]:
    """Cards out of turn; eldest leads to the first trick (T4)."""
    return checks.out_of_turn(deal, deal.table.eldest)


def all_cards(deal: TressetteDeal) -> bool:
    """Whether every card of the play is on record."""
    return deal.all_cards


def count_checked(deal: TressetteDeal) -> bool:
    """Whether there is no count, or all points are on record beside it."""
    return not deal.counts or deal.points_known


def declarations_checked(deal: TressetteDeal) -> bool:
    """Whether nothing was declared, or all cards are on record beside it."""
    return not deal.scored or deal.all_cards


CARDS: Final = "the cards of every trick"

CHECKS: Final = (
    Check("bad_declaration", "T7", nothing_is_declared),
    Check("bad_declaration", "T8", late_declaration),
    Check("bad_declaration", "T8", declared_twice),
    Check("false_declaration", "T8", false_declaration, "what was declared",
          declarations_checked, CARDS),
    Check("false_declaration", "T8", claimed_in_vain),
    Check("shown_mismatch", "T1", checks.shown_mismatch),
    Check("duplicate_card", "T1", checks.duplicate_card),
    Check("too_many", "T1", checks.too_many),
    Check("out_of_turn", "T4", play_out_of_turn, "the order of play", all_cards, CARDS),
    Check("revoke", "T3", checks.revoke, "following suit", all_cards, CARDS),
    Check("wrong_winner", "T4", checks.wrong_winner, "the winners of the tricks", all_cards,
          CARDS),
    Check("wrong_winner", "T4", checks.beaten_winner),
    Check("total_mismatch", "T6", checks.total_mismatch),
    Check("count_mismatch", "T6", checks.count_mismatch, "the count", count_checked, CARDS),
    Check("claim_mismatch", "T6", checks.claim_mismatch),
)  # fmt: skip
