"""The checks of a hand of Tressette."""

from collections.abc import Iterator
from itertools import islice
from typing import Final

from scorekeeper.authoring import Card, Check, Observation, checks, fault
from scorekeeper_tressette.events import SameRankDeclared
from scorekeeper_tressette.rules import of_a_kind
from scorekeeper_tressette.state import RecordedDeclaration, TressetteDeal, declaration_key

# ---------------------------------------------------------------------------- declarations


def declaration_not_allowed(deal: TressetteDeal) -> Iterator[Observation]:
    """Yield declarations at a table that plays without them: they score nothing (T7)."""
    for declared in () if deal.declares else deal.declared:
        yield fault("{player} declared, and at this table nobody does", deal, declared)


def late_declaration(deal: TressetteDeal) -> Iterator[Observation]:
    """Yield declarations after their player's first card: they score nothing (T8)."""
    for declared in deal.declared if deal.declares else ():
        if declared.late:
            first = [play.seq for play in deal.plays if play.player == declared.player][:1]
            yield fault("{player} declared after their first card", deal, declared, *first)


def declared_twice(deal: TressetteDeal) -> Iterator[Observation]:
    """Yield repeated declarations of a suit or a rank: it scores only the first time (T8)."""
    scored = {declaration_key(declared.event): declared for declared in deal.scored}
    for declared in deal.declared if deal.declares else ():
        first = scored.get(declaration_key(declared.event), declared)
        if not declared.late and first is not declared:
            yield fault("{player} declared what {other} had declared",
                        deal, declared, first.seq, other=deal.name(first.player))  # fmt: skip


def false_declaration(deal: TressetteDeal) -> Iterator[Observation]:
    """Yield declarations of cards of another player, or of lacking a card that was held (T8)."""
    for declared in deal.scored:
        yield from islice(_doubts(deal, declared), 1)


def _doubts(deal: TressetteDeal, declared: RecordedDeclaration) -> Iterator[Observation]:
    for card in deal.cards_of(declared):
        yield from _held_by_another(deal, declared, card)
    if isinstance(declared.event, SameRankDeclared) and declared.event.suit is not None:
        lacked = Card.parse(f"{declared.event.rank}{declared.event.suit}")
        yield from _held_lacked_card(deal, declared, lacked)


def _held_by_another(
    deal: TressetteDeal, declared: RecordedDeclaration, card: Card
) -> Iterator[Observation]:
    """Yield proof that another player played, showed or earlier declared a declared card.

    If a card is recorded twice, one play by the declaring player is enough to drop the finding.
    """
    plays = deal.plays_of(card)
    if plays and all(play.player != declared.player for play in plays):
        yield fault(
            "{player} declared {card}, which {other} played",
            deal, declared, plays[0].seq, card=card, other=deal.name(plays[0].player),
        )  # fmt: skip
    later = {other.seq for other in deal.scored[deal.scored.index(declared) :]}
    for held in deal.held():
        if held.player != declared.player and card in held.cards and held.seq not in later:
            yield fault(
                "{player} declared {card}, which {other} held",
                deal, declared, held.seq, card=card, other=deal.name(held.player),
            )  # fmt: skip


def _held_lacked_card(
    deal: TressetteDeal, declared: RecordedDeclaration, lacked: Card
) -> Iterator[Observation]:
    """Yield proof that a player held the card that they declared to lack."""
    player = declared.player
    played = [play.seq for play in deal.plays_of(lacked) if play.player == player]
    held = [item.seq for item in deal.held() if item.player == player and lacked in item.cards]
    for seq in played + held:
        yield fault("{player} held {card}, but had said they lacked it",
                    deal, declared, seq, card=lacked)  # fmt: skip


def declared_cards_not_played(deal: TressetteDeal) -> Iterator[Observation]:
    """Yield declarations that do not fit the ten recorded cards of their player (T8)."""
    for declared in deal.scored:
        played = checks.played_by(deal, declared.player)
        if len(played) < deal.tricks.total or any(_doubts(deal, declared)):
            continue
        if len(_possible_cards(deal, declared) & played.keys()) < _size(deal, declared):
            proof = [play.seq for play in played.values()]
            yield fault("{player} declared cards that are not among the ten that they played",
                        deal, declared, *proof)  # fmt: skip


def _possible_cards(deal: TressetteDeal, declared: RecordedDeclaration) -> set[Card]:
    """Return the cards that the declaration can mean; those declared are some of them, or all."""
    if isinstance(declared.event, SameRankDeclared):
        return set(deal.cards_of(declared) or of_a_kind(declared.event.rank))
    return set(deal.cards_of(declared))


def _size(deal: TressetteDeal, declared: RecordedDeclaration) -> int:
    if isinstance(declared.event, SameRankDeclared):
        return declared.event.count
    return len(deal.cards_of(declared))


def declarations_checked(deal: TressetteDeal) -> bool:
    """Return whether the declarations can be checked: there are none, or all cards are recorded."""
    return not deal.scored or deal.all_cards


CHECKS: Final = (
    Check("bad_declaration", "T7", declaration_not_allowed),
    Check("bad_declaration", "T8", late_declaration),
    Check("bad_declaration", "T8", declared_twice),
    Check("false_declaration", "T8", false_declaration, "what was declared",
          declarations_checked, checks.CARDS),
    Check("false_declaration", "T8", declared_cards_not_played),
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
