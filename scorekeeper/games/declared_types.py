"""Compare the plain values that a game declares with the types of their fields."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, get_args, get_origin

from scorekeeper.games.checked import LONGEST_TEXT

OURS: Final = __name__.partition(".")[0]
EXACT: Final = (str, int, bool)  # without subclasses, which could print or compare differently


def misfits(value: Any, path: str = "") -> Iterator[str]:
    """Yield the errors in the types of a declaration's fields, and of nested declarations."""
    for field in dataclasses.fields(value):
        yield from _misfit(getattr(value, field.name), field.type, f"{path}{field.name}")


def _misfit(value: Any, wanted: Any, path: str) -> Iterator[str]:
    origin = get_origin(wanted) or wanted
    if origin in EXACT:
        yield from _in_plain(value, origin, path)
    elif origin is tuple:
        yield from _in_tuple(value, wanted, path)
    elif origin is Mapping:
        yield from _in_mapping(value, wanted, path)
    elif origin is Callable:
        if not callable(value):
            yield _expected(path, "function", value)
    elif isinstance(origin, type) and origin.__module__.partition(".")[0] == OURS:
        yield from _in_declaration(value, origin, path)


def _in_plain(value: Any, wanted: Any, path: str) -> Iterator[str]:
    if type(value) is not wanted:
        yield _expected(path, wanted.__name__, value)
    elif wanted is str and len(value) > LONGEST_TEXT:
        yield f"expected as {path} a text of at most {LONGEST_TEXT} characters"


def _in_declaration(value: Any, wanted: type, path: str) -> Iterator[str]:
    if not isinstance(value, wanted):
        yield _expected(path, wanted.__name__, value)
    elif dataclasses.is_dataclass(value):
        yield from misfits(value, f"{path}.")


def _in_tuple(value: Any, wanted: Any, path: str) -> Iterator[str]:
    if type(value) is not tuple:
        yield _expected(path, "tuple", value)
        return
    kinds = get_args(wanted)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        for place, item in enumerate(value):
            yield from _misfit(item, kinds[0], f"{path}.{place}")


def _in_mapping(value: Any, wanted: Any, path: str) -> Iterator[str]:
    if not isinstance(value, Mapping):
        yield _expected(path, "mapping", value)
        return
    for key, item in value.items():
        yield from _misfit(item, get_args(wanted)[1], f"{path}.{key}")


def _expected(path: str, wanted: str, value: Any) -> str:
    return f"expected as {path} a value of the type {wanted}, got {type(value).__name__}"
