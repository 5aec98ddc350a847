"""Schemas of answers, derived from the views that the answers are made of."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, Final

from marshmallow import fields, validate

from scorekeeper.api.schemas import AnswerSchema
from scorekeeper.base.views import DeclaredView, Shape, ViewField, declared_fields
from scorekeeper.events.fields import Exact
from scorekeeper.games import GAMES
from scorekeeper.log.schema import kind_schema
from scorekeeper.play.match_members import GameOfMatchView
from scorekeeper.report import explain_views, views

MATCH_VIEWS: Final = [game.match_view for game in GAMES.values() if game.match_view]
HAND_VIEWS: Final = [game.hand_view for game in GAMES.values() if game.hand_view]
# The members that games add, by the view beside whose fields they stand.
OF_GAMES: Final[Mapping[type[DeclaredView], Sequence[type[DeclaredView]]]] = {
    views.MatchView: MATCH_VIEWS,
    views.HandView: HAND_VIEWS,
    explain_views.ExplainedMatchView: MATCH_VIEWS,
    explain_views.ExplainedGameView: [GameOfMatchView],
}
# A view that only matches of one game have, so that the members that it adds are required.
OF_ONE_GAME: Final = explain_views.ExplainedGameView
_SCHEMAS: Final[dict[type[DeclaredView], type[AnswerSchema]]] = {}


def schema_of(view: type[DeclaredView]) -> type[AnswerSchema]:
    """Return the schema of a view; what some games add to it is optional.

    The OpenAPI document calls it by the ``SCHEMA`` of the view, or by its name without ``View``.
    """
    if view not in _SCHEMAS:
        _SCHEMAS[view] = _make_schema(view)
    return _SCHEMAS[view]


def _make_schema(view: type[DeclaredView]) -> type[AnswerSchema]:
    """Return a new schema of a view."""
    declared = {
        declaration.name: _field(declaration, required=not declaration.description.optional)
        for declaration in declared_fields(view)
        if not declaration.description.beside
    }
    added = {
        declaration.name: _field(
            declaration, required=view is OF_ONE_GAME and not declaration.description.optional
        )
        for added_view in OF_GAMES.get(view, ())
        for declaration in declared_fields(added_view)
        if declaration.name not in declared
    }
    first = {name: field for name, field in added.items() if field.required}
    members = {**first, **declared, **added}
    name = vars(view).get("SCHEMA", view.__name__.removesuffix("View"))
    return type(f"{name}Schema", (AnswerSchema,), {"__doc__": view.__doc__, **members})


def _field(declaration: ViewField, *, required: bool) -> fields.Field[Any]:
    """Return the field of a declaration, with its description."""
    described = declaration.description
    more: dict[str, Any] = {"required": required, "metadata": {"description": described.doc}}
    if declaration.key != declaration.name:
        more["data_key"] = declaration.key
    if declaration.shape.nullable and (described.null or not described.optional):
        more["allow_none"] = True
    of_items: dict[str, Any] = {"metadata": {}}
    if described.of_items:
        of_items["metadata"]["description"] = described.of_items
    limited = of_items if declaration.shape.type is list else more
    if described.pattern:
        limited["metadata"]["pattern"] = described.pattern
    if described.values:
        values = described.values() if callable(described.values) else described.values
        limited["validate"] = validate.OneOf(list(values))
    elif described.minimum is not None:
        more["validate"] = validate.Range(described.minimum)
    return _shape_field(declaration.shape, of_items, **more)


class ExactField(fields.Field[Any]):
    """Exact points: a whole number, or a fraction in lowest terms as a text."""

    def __init__(self, **more: Any) -> None:
        super().__init__(**more)
        self.metadata = {**kind_schema(Exact()), **self.metadata}


PLAIN_FIELDS: Final[Mapping[type, Callable[..., fields.Field[Any]]]] = {
    str: fields.String,
    bool: fields.Boolean,
    int: partial(fields.Integer, strict=True),
    float: fields.Float,
    Fraction: ExactField,
    object: fields.Raw,
}


def _shape_field(
    shape: Shape, of_items: Mapping[str, Any] | None = None, **more: Any
) -> fields.Field[Any]:
    """Return the field of a shape; ``more`` are its other arguments, ``of_items`` of its items."""
    items = shape.items and _shape_field(
        shape.items, **{"allow_none": shape.items.nullable, **(of_items or {})}
    )
    if shape.type is list:
        return fields.List(items or fields.Raw(), **more)
    if shape.type is dict:
        return fields.Dict(keys=fields.String(), values=items or fields.Raw(), **more)
    if issubclass(shape.type, DeclaredView):
        return fields.Nested(schema_of(shape.type), **more)
    return PLAIN_FIELDS[shape.type](**more)
