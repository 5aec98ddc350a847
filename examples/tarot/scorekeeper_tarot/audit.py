"""The checks of a hand of French Tarot."""

from collections.abc import Iterator
from typing import Final

from scorekeeper.authoring import Check, Observation, Text, checks
from scorekeeper_tarot.state import TarotDeal


def named_otherwise(deal: TarotDeal) -> Iterator[Observation]:
    """Yield partners and bouts that the cards contradict, or that were named anew (F2, F3)."""
    partner = deal.partner and deal.partner.player
    named = [event.seq for event in deal.reveals if event.player != partner]
    named += [counted.seq for counted in deal.bouts_counted
              if deal.bouts != (counted.event.bouts, counted.event.petit)]  # fmt: skip
    yield from (Observation((seq,), Text("The record shows otherwise")) for seq in named)


CHECKS: Final = (
    checks.SHOWN.under("F1"),
    checks.TWICE.under("F1"),
    checks.TOO_MANY.under("F1"),
    checks.TURN.under("F4"),
    checks.REVOKE.under("F4"),
    checks.MUST_TRUMP.under("F4"),
    checks.OVERTRUMP.under("F4"),
    checks.WINNERS.under("F4"),
    checks.TOTAL.under("F2"),
    checks.COUNT.under("F2"),
    Check("count_mismatch", "F3", named_otherwise),
    checks.CLAIM.under("F5"),
)
