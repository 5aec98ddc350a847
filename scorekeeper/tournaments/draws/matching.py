"""Pairs of all entrants with the lowest cost: minimum-cost perfect matching."""

from collections.abc import Mapping

from scorekeeper.tournaments.draws.draw import EntrantPair


def match_pairs(costs: Mapping[EntrantPair, int]) -> list[EntrantPair]:
    """Return the pairs with the lowest sum of costs, of as many entrants as can be paired.

    ``costs`` has the pairs that are allowed. The pairs are in the order of their first entrants.
    """
    import networkx as nx  # noqa: PLC0415  # it takes a fifth of a second, and few requests draw

    graph = nx.Graph()
    graph.add_weighted_edges_from((one, other, cost) for (one, other), cost in costs.items())
    matched = nx.min_weight_matching(graph)
    return sorted((min(pair), max(pair)) for pair in matched)
