"""Scorekeeper: the score of games played with real cards, and why every point is there."""

__version__ = "1.0.0"
