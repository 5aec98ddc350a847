"""Clubs: which evenings count, who is who, and what follows from them."""
