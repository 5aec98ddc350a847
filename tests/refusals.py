"""The refusal of a function, as a value that a test compares."""

from collections.abc import Callable

from scorekeeper.base.errors import ScorekeeperError


def refusal_of(function: Callable[..., object], *arguments: object) -> str:
    """Return the text of the error that a function raises; empty if it raises none."""
    try:
        function(*arguments)
    except ScorekeeperError as error:
        return str(error) or type(error).__name__
    return ""
