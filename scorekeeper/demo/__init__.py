"""The demo: a table in the middle of a hand and the season of a club, without any setup."""
