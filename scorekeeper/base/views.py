"""Declaration of answers: views, whose JSON and whose schema follow from their fields.

A view is a frozen dataclass whose fields are made by :func:`declare`. The type of a field is its
shape: a text, a number, exact points, a boolean, a list, an object by keys, another view, or any of
these or null. :func:`to_json_values` returns the values for JSON, and :func:`from_json_values` a
view of them; the schemas of answers are derived from :func:`declared_fields`.
"""

import dataclasses
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import NoneType, UnionType
from typing import (
    Any,
    ClassVar,
    Final,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import decode_exact, encode_exact

Encoder = Callable[[Any], Any]
ViewEncoder = Callable[[Any], dict[str, Any]]


class DeclaredView:
    """The base class of views.

    ``SCHEMA`` is the name of its schema, by default that of the class without ``View``; subclasses
    do not inherit it. ``ORDER`` has the fields in the order of the JSON, if the schema has another.
    """

    __slots__ = ()
    SCHEMA: ClassVar[str]
    ORDER: ClassVar[tuple[str, ...]] = ()


V = TypeVar("V", bound=DeclaredView)


class Description(NamedTuple):
    """What the type of a field cannot say, see :func:`declare`.

    ``beside`` is true for a mapping whose members stand beside the other fields. ``null`` is true
    if the schema allows null for an optional field.
    """

    doc: str
    optional: bool = False
    minimum: int | None = None
    pattern: str = ""
    values: Sequence[str] | Callable[[], Sequence[str]] = ()
    key: str = ""
    of_items: str = ""
    beside: bool = False
    null: bool = False


def declare(
    doc: str,
    *,
    optional: bool = False,
    minimum: int | None = None,
    pattern: str = "",
    values: Sequence[str] | Callable[[], Sequence[str]] = (),
    key: str = "",
    of_items: str = "",
    null: bool = False,
    default: Any = dataclasses.MISSING,
) -> Any:
    """Declare a field of a view; ``doc`` describes it, and ``of_items`` each item of a list.

    An ``optional`` field is absent from the JSON if it is None; another one is null. ``minimum`` is
    the lowest value of a number, and ``pattern`` the regular expression of a text. ``values`` are
    the possible texts, or a function that returns them when a schema is made. Pattern and values
    of a list are those of its items. ``key`` is the key in JSON, if the name is another. The schema
    of an optional field allows null only with ``null``. ``default`` is the value of an instance
    that is made without one.
    """
    description = Description(
        doc, optional, minimum, pattern, values, key, of_items=of_items, null=null
    )
    metadata = {"description": description}
    return dataclasses.field(default=None if optional else default, metadata=metadata)


def own_members(doc: str) -> Any:
    """Declare a field whose members stand in the JSON beside the other fields of the view."""
    metadata = {"description": Description(doc, beside=True)}
    return dataclasses.field(default_factory=dict, metadata=metadata)


class Shape(NamedTuple):
    """The shape of values: a plain type, `list`, `dict` or a view, with the shape of its items.

    ``nullable`` values may be None. Any value has the type `object`, and exact points `Fraction`.
    """

    type: type
    items: "Shape | None" = None
    nullable: bool = False


class ViewField(NamedTuple):
    """A declared field of a view: its name, shape, key in JSON, and description."""

    name: str
    shape: Shape
    key: str
    description: Description


_FIELDS: Final[dict[type[DeclaredView], tuple[ViewField, ...]]] = {}


def declared_fields(view: type[DeclaredView]) -> tuple[ViewField, ...]:
    """Return the declared fields of a view in order."""
    if view not in _FIELDS:
        _FIELDS[view] = tuple(_list_fields(view))
    return _FIELDS[view]


def _list_fields(view: type[DeclaredView]) -> Iterator[ViewField]:
    """Yield the declared fields of a view in order."""
    hints = get_type_hints(view)
    for field in dataclasses.fields(view):  # type: ignore[arg-type]
        description: Description = field.metadata["description"]
        key = description.key or field.name
        yield ViewField(field.name, _shape_of(hints[field.name]), key, description)


def _shape_of(hint: Any) -> Shape:
    """Return the shape that a type annotation describes. Raises TypeError for any other type."""
    origin, arguments = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        inner = [argument for argument in arguments if argument is not NoneType]
        shape = Shape(Fraction) if inner == [int, Fraction] else _shape_of(*inner)
        return shape._replace(nullable=NoneType in arguments)
    if origin is not None and issubclass(origin, Mapping):
        return Shape(dict, _shape_of(arguments[1]))
    if origin is not None and issubclass(origin, Sequence):
        return Shape(list, _shape_of(arguments[0]))
    if hint is Any:
        return Shape(object)
    if hint in PLAIN_TYPES or issubclass(hint, DeclaredView):
        return Shape(hint)
    raise TypeError(hint)


PLAIN_TYPES: Final = (str, int, float, bool)


def to_json_values(view: DeclaredView) -> dict[str, Any]:
    """Return the values of a view for JSON: objects, lists and plain values."""
    return _encoder_of_view(type(view))(view)


_ENCODERS: Final[dict[type[DeclaredView], ViewEncoder]] = {}


def _encoder_of_view(view: type[DeclaredView]) -> ViewEncoder:
    """Return the function that encodes the views of a class."""
    if view not in _ENCODERS:
        _ENCODERS[view] = make_encoder(view, encoder_of)
    return _ENCODERS[view]


def make_encoder(
    view: type[DeclaredView], encoder_of_field: Callable[[Shape], Encoder | None]
) -> ViewEncoder:
    """Return a new function that encodes the views of a class, each field by its shape."""
    declared = declared_fields(view)
    if view.ORDER:
        declared = tuple(sorted(declared, key=lambda field: view.ORDER.index(field.name)))
    fields = [
        (field.name, field.key, encoder_of_field(field.shape), described.optional, described.beside)
        for field, described in ((field, field.description) for field in declared)
    ]

    def encode(value: Any) -> dict[str, Any]:
        """Return the values of the view for JSON."""
        members: dict[str, object] = {}
        for name, key, encoder, optional, beside in fields:
            item = getattr(value, name)
            if beside:
                members.update(item)
            elif item is not None:
                members[key] = item if encoder is None else encoder(item)
            elif not optional:
                members[key] = None
        return members

    return encode


def from_json_values(view: type[V], values: JsonObject) -> V:
    """Return the view whose values for JSON these are; other members are ignored.

    Views with members of their own beside their fields cannot be read.
    """
    return view(
        **{
            field.name: _decode(field.shape, values.get(field.key))
            for field in declared_fields(view)
        }
    )


def _decode(shape: Shape, value: Any) -> Any:
    """Return a value of a shape from its JSON."""
    if value is None:
        return None
    if shape.type is list and shape.items:
        return [_decode(shape.items, item) for item in value]
    if shape.type is dict and shape.items:
        return {key: _decode(shape.items, item) for key, item in value.items()}
    if shape.type is Fraction:
        return decode_exact(value)
    return from_json_values(shape.type, value) if issubclass(shape.type, DeclaredView) else value


def encoder_of(shape: Shape) -> Encoder | None:
    """Return the function that encodes values other than None; None for plain values."""
    items = None if shape.items is None else _encoder_of_item(shape.items)
    if shape.type is Fraction:
        return encode_exact
    if shape.type is list:
        return list if items is None else lambda value: [items(item) for item in value]
    if shape.type is dict:
        if items is None:
            return dict
        return lambda value: {key: items(item) for key, item in value.items()}
    return _encoder_of_view(shape.type) if issubclass(shape.type, DeclaredView) else None


def _encoder_of_item(shape: Shape) -> Encoder | None:
    """Return the function that encodes the items of a list or object; None for plain values."""
    encoder = encoder_of(shape)
    if encoder is None or not shape.nullable:
        return encoder
    return lambda value: None if value is None else encoder(value)
