"""The search for holdings of both players with which everything on record is true.

A choice is offered only if such holdings exist.
"""
