"""What the rule books of games with a called card have in common."""

from scorekeeper.play.rulebook import Number, Option


def match_end_option(clause: str) -> Option:
    """The option ``match_end``."""
    return Option("match_end", clause, "When does a match end?", {
        "open": "when the players say so",
        Number("target"): "when a total reaches this and is alone in front after a hand",
        Number("hands"): "after so many complete hands; the highest total wins, or shares",
    })  # fmt: skip
