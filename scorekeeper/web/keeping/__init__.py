"""Keeping a table: keys and players, another match, the end of the evening, what is taken home."""
