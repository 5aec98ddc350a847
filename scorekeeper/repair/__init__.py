"""Corrections that would make a hand's record agree with itself and with the rules."""

from scorekeeper.repair.suggesting import suggestions

__all__ = ["suggestions"]
