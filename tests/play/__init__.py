"""The room ``play``, by a game of no more than what all games share (:mod:`tests.play.plain`)."""
