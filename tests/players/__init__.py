"""Random honest play of each game with known truth, written from the rules alone.

Nothing here may import from ``scorekeeper``, but ``common`` where it asks for a report: a
misreading of the rules on either side shows as a difference between the two.
"""
