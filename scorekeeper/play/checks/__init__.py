"""Checks that several games share, and how any check says what it saw.

Each looks at one deal and yields what it sees. A game lists them in its table of checks, each
under its own clause: ``checks.REVOKE.under("R7")``.
"""

from scorekeeper.play.checks.faults import by_another, fault, sides_of
from scorekeeper.play.checks.play import (
    CARDS,
    REVOKE,
    SHOWN,
    TURN,
    all_played,
    held_later,
    played_by,
)
from scorekeeper.play.checks.records import (
    BEATEN,
    CLAIM,
    COUNT,
    OUTCOME,
    TOO_MANY,
    TOTAL,
    TWICE,
    WINNERS,
    beaten_winner,
    count_mismatch,
    total_mismatch,
)

__all__ = [
    "BEATEN",
    "CARDS",
    "CLAIM",
    "COUNT",
    "OUTCOME",
    "REVOKE",
    "SHOWN",
    "TOO_MANY",
    "TOTAL",
    "TURN",
    "TWICE",
    "WINNERS",
    "all_played",
    "beaten_winner",
    "by_another",
    "count_mismatch",
    "fault",
    "held_later",
    "played_by",
    "sides_of",
    "total_mismatch",
]
