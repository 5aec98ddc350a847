"""Foundations for all packages, without cards: errors, language, caching, and limits."""
