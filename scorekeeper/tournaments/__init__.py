"""Tournaments: many tables, one evening, a director."""
