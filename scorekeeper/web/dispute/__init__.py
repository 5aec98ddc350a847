"""Disputes about a hand: the desk, the corrections, and their effect."""
