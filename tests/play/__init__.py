"""Tests of the package ``play``, with a minimal game (:mod:`tests.play.plain`)."""
