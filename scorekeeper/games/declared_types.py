"""Compare the plain values that a game declares with the types of their fields."""

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from types import UnionType
from typing import Any, Final, Union, get_args, get_origin

from scorekeeper.games.value_checks import LONGEST_TEXT

OURS: Final = __name__.partition(".")[0]
UNIONS: Final = (Union, UnionType)
EXACT: Final = (str, int, bool)  # without subclasses, which could print or compare differently


def find_type_errors(value: Any, path: str = "") -> Iterator[str]:
    """Yield an error for each field of a dataclass whose value has another type than declared.

    Nested declarations are searched as well; ``path`` precedes the names of the fields.
    """
    for field in dataclasses.fields(value):
        yield from _type_errors_of(getattr(value, field.name), field.type, f"{path}{field.name}")


def _type_errors_of(value: Any, wanted: Any, path: str) -> Iterator[str]:
    """Yield the type errors of one value; ``wanted`` is its declared type."""
    origin = get_origin(wanted) or wanted
    if origin in UNIONS:
        yield from _errors_of_union(value, get_args(wanted), path)
        return
    if origin in EXACT:
        yield from _errors_of_plain(value, origin, path)
    elif origin is tuple:
        yield from _errors_of_tuple(value, wanted, path)
    elif origin is Mapping:
        yield from _errors_of_mapping(value, wanted, path)
    elif origin is Callable:
        if not callable(value):
            yield _message(path, "function", value)
    elif isinstance(origin, type) and origin.__module__.partition(".")[0] == OURS:
        yield from _errors_of_declaration(value, origin, path)


def _errors_of_union(value: Any, kinds: tuple[Any, ...], path: str) -> Iterator[str]:
    """Yield the errors of a value or of a function that returns one; other unions pass."""
    functions = [kind for kind in kinds if get_origin(kind) is Callable]
    if functions and type(None) not in kinds and not callable(value):
        yield from _type_errors_of(value, kinds[0], path)


def _errors_of_plain(value: Any, wanted: Any, path: str) -> Iterator[str]:
    """Yield an error if a value is not exactly of the type ``wanted``, or is too long a text."""
    if type(value) is not wanted:
        yield _message(path, wanted.__name__, value)
    elif wanted is str and len(value) > LONGEST_TEXT:
        yield f"expected as {path} a text of at most {LONGEST_TEXT} characters"


def _errors_of_declaration(value: object, wanted: type, path: str) -> Iterator[str]:
    """Yield an error if a value is no ``wanted``, else the errors of its fields."""
    if not isinstance(value, wanted):
        yield _message(path, wanted.__name__, value)
    elif dataclasses.is_dataclass(value):
        yield from find_type_errors(value, f"{path}.")


def _errors_of_tuple(value: object, wanted: object, path: str) -> Iterator[str]:
    """Yield an error if a value is no tuple, else the errors of its items.

    The items are searched only in a tuple of any length, such as ``tuple[int, ...]``.
    """
    if type(value) is not tuple:
        yield _message(path, "tuple", value)
        return
    kinds = get_args(wanted)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        for place, item in enumerate(value):
            yield from _type_errors_of(item, kinds[0], f"{path}.{place}")


def _errors_of_mapping(value: object, wanted: object, path: str) -> Iterator[str]:
    """Yield an error if a value is no mapping, else the errors of its values."""
    if not isinstance(value, Mapping):
        yield _message(path, "mapping", value)
        return
    for key, item in value.items():
        yield from _type_errors_of(item, get_args(wanted)[1], f"{path}.{key}")


def _message(path: str, wanted: str, value: object) -> str:
    """Return the error that the value at ``path`` should be of the type named ``wanted``."""
    return f"expected as {path} a value of the type {wanted}, got {type(value).__name__}"
