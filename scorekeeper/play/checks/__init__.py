"""Checks that several games share.

Each looks at one deal and yields what it sees; a game lists them in its table of checks, with
its own clauses.
"""

from scorekeeper.play.checks.play import (
    did_not_follow,
    held_later,
    out_of_turn,
    played_by,
    revoke,
    shown_mismatch,
)
from scorekeeper.play.checks.records import (
    beaten_winner,
    claim_mismatch,
    count_mismatch,
    duplicate_card,
    outcome_mismatch,
    sides_of,
    too_many,
    total_mismatch,
    wrong_winner,
)

__all__ = [
    "beaten_winner",
    "claim_mismatch",
    "count_mismatch",
    "did_not_follow",
    "duplicate_card",
    "held_later",
    "out_of_turn",
    "outcome_mismatch",
    "played_by",
    "revoke",
    "shown_mismatch",
    "sides_of",
    "too_many",
    "total_mismatch",
    "wrong_winner",
]
