"""What can be wrong with a hand of Tressette."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.play import checks
from scorekeeper.play.checks import fault
from scorekeeper.play.scoring import Check, Sight
from scorekeeper_tressette.events import SameRankDeclared
from scorekeeper_tressette.rules import of_a_kind
from scorekeeper_tressette.state import Declared, TressetteDeal, what_is_declared

# ---------------------------------------------------------------------------- declarations


def nothing_is_declared(deal: TressetteDeal) -> Iterator[Sight]:
    """A declaration at a table that plays without: it scores nothing (T7)."""
    for one in () if deal.declares else deal.declared:
        yield fault("{player} declared, and at this table nobody does", deal, one)


def late_declaration(deal: TressetteDeal) -> Iterator[Sight]:
    """A declaration after its player's first card: it scores nothing (T8)."""
    for one in deal.declared if deal.declares else ():
        if one.late:
            first = [play.seq for play in deal.plays if play.player == one.player][:1]
            yield fault("{player} declared after his first card", deal, one, *first)


def declared_twice(deal: TressetteDeal) -> Iterator[Sight]:
    """A suit or a rank declared again: it scores once (T8)."""
    first = {what_is_declared(one.event): one for one in deal.scored}
    for one in deal.declared if deal.declares else ():
        before = first.get(what_is_declared(one.event), one)
        if not one.late and before is not one:
            yield fault("{player} declared what {other} had declared",
                        deal, one, before.seq, other=deal.name(before.player))  # fmt: skip


def false_declaration(deal: TressetteDeal) -> Iterator[Sight]:
    """Cards declared that were another's, or a suit said to be lacking that was not (T8)."""
    for one in deal.scored:
        yield from islice(_doubts(deal, one), 1)


def _doubts(deal: TressetteDeal, one: Declared) -> Iterator[Sight]:
    for card in deal.cards_of(one):
        yield from _elsewhere(deal, one, card)
    if isinstance(one.event, SameRankDeclared) and one.event.suit is not None:
        yield from _had_it(deal, one, Card.parse(f"{one.event.rank}{one.event.suit}"))


def _elsewhere(deal: TressetteDeal, one: Declared, card: Card) -> Iterator[Sight]:
    """That another played a card, showed it, or declared it before.

    Of a card that is on record twice, one right play is enough.
    """
    plays = deal.plays_of(card)
    if plays and all(play.player != one.player for play in plays):
        yield fault(
            "{player} declared {card}, which {other} played",
            deal, one, plays[0].seq, card=card, other=deal.name(plays[0].player),
        )  # fmt: skip
    later = {declared.seq for declared in deal.scored[deal.scored.index(one) :]}
    for held in deal.held():
        if held.player != one.player and card in held.cards and held.seq not in later:
            yield fault("{player} declared {card}, which {other} held",
                        deal, one, held.seq, card=card, other=deal.name(held.player))  # fmt: skip


def _had_it(deal: TressetteDeal, one: Declared, lacked: Card) -> Iterator[Sight]:
    """That a player had the card of the suit that he said to lack."""
    mine = [play.seq for play in deal.plays_of(lacked) if play.player == one.player]
    held = [it.seq for it in deal.held() if it.player == one.player and lacked in it.cards]
    for seq in mine + held:
        yield fault("{player} held {card}, which he had said to lack",
                    deal, one, seq, card=lacked)  # fmt: skip


def claimed_in_vain(deal: TressetteDeal) -> Iterator[Sight]:
    """Cards declared by a player whose ten cards are on record, and are others (T8)."""
    for one in deal.scored:
        his = checks.played_by(deal, one.player)
        if len(his) < deal.tricks.total or any(_doubts(deal, one)):
            continue
        if len(_of_those(deal, one) & his.keys()) < _size(deal, one):
            proof = [play.seq for play in his.values()]
            yield fault("{player} declared cards that are not among the ten that he played",
                        deal, one, *proof)  # fmt: skip


def _of_those(deal: TressetteDeal, one: Declared) -> set[Card]:
    """The cards of which those declared are some, or all."""
    if isinstance(one.event, SameRankDeclared):
        return set(deal.cards_of(one) or of_a_kind(one.event.rank))
    return set(deal.cards_of(one))


def _size(deal: TressetteDeal, one: Declared) -> int:
    return one.event.count if isinstance(one.event, SameRankDeclared) else len(deal.cards_of(one))


def declarations_checked(deal: TressetteDeal) -> bool:
    """Whether nothing was declared, or all cards are on record beside it."""
    return not deal.scored or deal.all_cards


CHECKS: Final = (
    Check("bad_declaration", "T7", nothing_is_declared),
    Check("bad_declaration", "T8", late_declaration),
    Check("bad_declaration", "T8", declared_twice),
    Check("false_declaration", "T8", false_declaration, "what was declared",
          declarations_checked, checks.CARDS),
    Check("false_declaration", "T8", claimed_in_vain),
    checks.SHOWN.under("T1"),
    checks.TWICE.under("T1"),
    checks.TOO_MANY.under("T1"),
    checks.TURN.under("T4"),
    checks.REVOKE.under("T3"),
    checks.WINNERS.under("T4"),
    checks.BEATEN.under("T4"),
    checks.TOTAL.under("T6"),
    checks.COUNT.under("T6"),
    checks.CLAIM.under("T6"),
)  # fmt: skip
