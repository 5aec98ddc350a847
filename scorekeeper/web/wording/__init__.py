"""Texts in the reader's language: figures, times, cards, clauses, and messages."""
