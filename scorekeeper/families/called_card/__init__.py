"""Code shared by the games of Briscola with a called card.

An auction makes one player the bidder. The bidder calls a card and plays with its holder against
all the others. The holder can be the bidder, and is unknown until the record shows it. The
modules are those of a game: the events (``events``), the state of a hand (``auction``,
``state``), the result and payments (``score``), and the checks (``audit``).
"""
