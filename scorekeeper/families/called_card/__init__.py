"""Briscola with a called card: what the games of that kind share.

An auction makes one player the bidder. He calls a card and plays with whoever holds it, against
all the others; who that is, is unknown until the record says so, and he may be alone. The files
are those of a game: what is written down (``events``), what it amounts to (``auction``,
``state``), what it comes to and who pays (``score``), and what can be wrong (``audit``).
"""
