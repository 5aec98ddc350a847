"""Random play of each game with honest records and a known result, written from the rules alone.

No module may import from ``scorekeeper``, except ``common`` to compute a report: a misreading of
the rules on either side shows as a difference between the two.
"""
