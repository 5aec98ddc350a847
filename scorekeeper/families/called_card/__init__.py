"""Code shared by the games of Briscola with a called card.

It is a contract (:mod:`scorekeeper.families.contracts`) for some of Briscola's 120 points. The
suit of the called card is trump. The modules are those of a game: the bids to play alone
(``carichi``), the event (``events``), the state of a hand (``state``), the result and payments
(``score``), and the checks (``audit``).
"""
