"""A new table, and how the other phones come to it."""
