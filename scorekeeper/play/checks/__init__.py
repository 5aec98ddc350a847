"""Checks that several games share, and helpers that build the observations of any check.

Each check examines one deal and yields observations. A game lists them in its table of checks,
each under its own clause: ``checks.REVOKE.under("R7")``.
"""

from typing import Final

from scorekeeper.play.checks.consistency import (
    beaten_winner,
    claim_mismatch,
    count_mismatch,
    duplicate_card,
    outcome_mismatch,
    too_many,
    total_mismatch,
    wrong_winner,
)
from scorekeeper.play.checks.faults import acts_by_others, fault, sides_of
from scorekeeper.play.checks.play import (
    held_later,
    must_overtrump,
    must_trump,
    play_out_of_turn,
    played_by,
    revoke,
    shown_by_two,
    shown_mismatch,
    withheld_card,
)
from scorekeeper.play.checks.timing import (
    first_event_of_play,
    first_event_of_play_or_result,
    late_acts,
)
from scorekeeper.play.deal import Deal
from scorekeeper.play.scoring import Check

__all__ = [
    "acts_by_others",
    "beaten_winner",
    "count_mismatch",
    "fault",
    "first_event_of_play",
    "first_event_of_play_or_result",
    "held_later",
    "late_acts",
    "played_by",
    "shown_by_two",
    "sides_of",
    "total_mismatch",
    "withheld_card",
]

CARDS: Final = "the cards of every trick"


def all_played(deal: Deal) -> bool:
    """Return whether every card of the play is on record, in tricks that their cards decide."""
    return deal.all_cards and len(deal.winning) == deal.tricks.total


def count_is_checkable(deal: Deal) -> bool:
    """Return whether no count is left unchecked: there is none, or the tricks give all points."""
    return not deal.counts or deal.points_known


TURN: Final = Check("out_of_turn", "", play_out_of_turn, "the order of play", all_played, CARDS)
REVOKE: Final = Check("revoke", "", revoke, "following suit", all_played, CARDS)
MUST_TRUMP: Final = Check("must_trump", "", must_trump, "trumping when void", all_played, CARDS)
OVERTRUMP: Final = Check("must_trump", "", must_overtrump, "overtrumping", all_played, CARDS)
SHOWN: Final = Check("shown_mismatch", "", shown_mismatch)
TWICE: Final = Check("duplicate_card", "", duplicate_card)
TOO_MANY: Final = Check("too_many", "", too_many)
WINNERS: Final = Check(
    "wrong_winner", "", wrong_winner, "the winners of the tricks", all_played, CARDS
)
BEATEN: Final = Check("wrong_winner", "", beaten_winner)
TOTAL: Final = Check("total_mismatch", "", total_mismatch)
COUNT: Final = Check("count_mismatch", "", count_mismatch, "the count", count_is_checkable, CARDS)
OUTCOME: Final = Check("count_mismatch", "", outcome_mismatch)
CLAIM: Final = Check("claim_mismatch", "", claim_mismatch)
