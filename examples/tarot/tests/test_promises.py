"""The promises that every game keeps."""

from scorekeeper.testing.promises import *  # noqa: F403
