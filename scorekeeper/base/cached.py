"""Properties that are worked out once, for what is asked many times of one reading."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar, overload

Found = TypeVar("Found")


class cached_property(Generic[Found]):  # noqa: N801 - named as the one of functools
    """A property that is worked out once, and kept in the instance until it is forgotten.

    Unlike functools.cached_property, which takes a lock each time, and whose names nobody can
    ask for (:func:`cached_names`).
    """

    def __init__(self, find: Callable[[Any], Found]) -> None:
        self.find = find
        self.name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type[Any]) -> "cached_property[Found]": ...
    @overload
    def __get__(self, instance: object, owner: type[Any]) -> Found: ...
    def __get__(
        self, instance: object | None, owner: type[Any]
    ) -> "cached_property[Found] | Found":
        if instance is None:
            return self
        found = instance.__dict__[self.name] = self.find(instance)
        return found


_NAMES: dict[type[Any], tuple[str, ...]] = {}


def cached_names(owner: type[Any]) -> tuple[str, ...]:
    """The names of the properties of a class that are worked out once."""
    if owner not in _NAMES:
        _NAMES[owner] = tuple(
            name
            for one in owner.__mro__
            for name, value in vars(one).items()
            if isinstance(value, cached_property)
        )
    return _NAMES[owner]


def kept_in_it(find: Callable[[Any], Found]) -> Callable[[Any], Found]:
    """Let what a function makes of a value that never changes be made once, and kept in the value.

    For what is made of it by a module that it does not know.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def found(of: Any) -> Found:
        kept = of.__dict__
        if name not in kept:
            kept[name] = find(of)
        made: Found = kept[name]
        return made

    return found
