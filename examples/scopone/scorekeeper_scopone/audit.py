"""The checks of a hand of Scopone."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.authoring import Check, Observation, Text, add_up, checks, fault
from scorekeeper_scopone.state import ScoponeDeal


def out_of_turn(deal: ScoponeDeal) -> Iterator[Observation]:
    """Yield the first card of each round that another player should have played (S2)."""
    due = deal.table.turns[deal.table.eldest]
    for start in range(0, len(deal.plays), len(due)):
        for play, player in zip(deal.plays[start : start + len(due)], due, strict=False):
            if play.player != player:
                yield fault("{player} played {card}, but it was {due}’s turn",
                            deal, play, card=play.card, due=deal.name(player))  # fmt: skip
                break


def wrong_capture(deal: ScoponeDeal) -> Iterator[Observation]:
    """Yield what a card took against the rules, or did not take (S2)."""
    for move in deal.moves:
        if move.choice is None or move.took is None:
            continue
        if not any({*cards} == {*move.choice.event.cards} for cards in move.possible or ((),)):
            yield fault("{player} could not take that with {card}",
                        deal, move.choice, move.play.seq, card=move.play.card)  # fmt: skip


def captures_known(deal: ScoponeDeal) -> bool:
    """Return whether what each card took is on record."""
    return deal.piles is not None


def false_scopa(deal: ScoponeDeal) -> Iterator[Observation]:
    """Yield recorded scope that the cards contradict (S3)."""
    left = [play.player for play in deal.swept]
    for named in deal.named_scope if deal.piles is not None else ():
        if named.player in left:
            left.remove(named.player)
        else:
            yield fault("{player} was said to make a scopa, but the cards do not show it",
                        deal, named)  # fmt: skip


def count_mismatch(deal: ScoponeDeal) -> Iterator[Observation]:
    """Yield counts that differ from the cards, are below the scope, or are not the last (S7)."""
    least, last = deal.points_at_least(), deal.count()
    shown = None if deal.piles is None else add_up(deal.result.lines, deal.table.sides)
    for count in deal.all_counts():
        below = any(count.points.get(side, 0) < points for side, points in least.items())
        if below or shown not in (None, count.points):
            text = Text("The points counted do not fit the cards or the scope on record")
            scope = deal.named_scope if deal.piles is None else deal.swept
            yield Observation((count.seq, *(scopa.seq for scopa in scope)), text)
        elif last is not None and count.points != last.points:
            text = Text("Counted again with a different result")
            yield Observation((count.seq, last.seq), text)


CHECKS: Final = (
    checks.TWICE.under("S1"),
    Check("out_of_turn", "S2", out_of_turn),
    Check("revoke", "S2", wrong_capture, "what each card took", captures_known, "every card"),
    Check("count_mismatch", "S3", false_scopa),
    Check("count_mismatch", "S7", count_mismatch),
    checks.CLAIM.under("S7"),
)
