"""Properties and functions that are computed once for each object."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar, overload

T = TypeVar("T")


class cached_property(Generic[T]):  # noqa: N801 - named as the one of functools
    """A property that is computed once and stored in the instance.

    Unlike functools.cached_property it takes no lock, and :func:`cached_names` lists its names.
    """

    def __init__(self, find: Callable[[Any], T]) -> None:
        self.find = find
        self.name = find.__name__
        self.__doc__ = find.__doc__

    @overload
    def __get__(self, instance: None, owner: type) -> "cached_property[T]": ...
    @overload
    def __get__(self, instance: object, owner: type) -> T: ...
    def __get__(self, instance: object | None, owner: type) -> "cached_property[T] | T":
        if instance is None:
            return self
        value = instance.__dict__[self.name] = self.find(instance)
        return value


_NAMES: dict[type, tuple[str, ...]] = {}


def cached_names(owner: type) -> tuple[str, ...]:
    """Return the names of the cached properties of a class and its bases."""
    if owner not in _NAMES:
        _NAMES[owner] = tuple(
            name
            for base in owner.__mro__
            for name, value in vars(base).items()
            if isinstance(value, cached_property)
        )
    return _NAMES[owner]


def cached_in_argument(find: Callable[[Any], T]) -> Callable[[Any], T]:
    """Decorate a function of one argument so that its result is stored in that argument.

    The argument must have a ``__dict__`` and never change. This lets a module attach results to
    objects of another module.
    """
    name = f"{find.__module__}.{find.__qualname__}"

    @wraps(find)
    def compute(argument: object) -> T:
        cache = argument.__dict__
        if name not in cache:
            cache[name] = find(argument)
        result: T = cache[name]
        return result

    return compute
