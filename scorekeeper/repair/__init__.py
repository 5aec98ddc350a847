"""Corrections that would make a hand's record agree with itself and with the rules."""

from scorekeeper.repair.suggestions import searched, suggestions

__all__ = ["searched", "suggestions"]
