"""Clubs: the evenings that count, the members, and the figures that follow from them."""
