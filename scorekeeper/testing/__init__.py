"""Tests for authors of games: a plugin of pytest, and the promises that every game keeps.

``from scorekeeper.testing.promises import *`` in a test file asks for them. Nothing else of
Scorekeeper imports this package, so that pytest is needed only by those who run tests.
"""
