"""JSON Schemas of events and logs, derived from the declarations by which they are read.

A schema cannot check references (to a player of the session, or a side of the match). Everything
that it refuses, a reader refuses, too. The patterns mean the same in every common dialect of
regular expressions.
"""

import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from scorekeeper.base.currencies import MINOR_DIGITS
from scorekeeper.cards.packs import Pack
from scorekeeper.events.common import COMMON, MatchStarted
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.disputes import CorrectionProposed
from scorekeeper.events.event import SALT, SALT_SAYS, Event, has_salt
from scorekeeper.events.fields import (
    PLAYER_ID,
    RANDOM,
    RESERVED_IDS,
    AnyOf,
    Anything,
    CardCode,
    Currency,
    Day,
    Declared,
    Each,
    Exact,
    Flag,
    Kind,
    LastDay,
    Many,
    Nested,
    Nothing,
    OneOf,
    PlayerId,
    Random,
    SideId,
    Whole,
    Words,
    parts_of,
)
from scorekeeper.games import GAMES
from scorekeeper.games.game import Classes, Game
from scorekeeper.log.chain import SEALED_FIELDS
from scorekeeper.play.rulebook import (
    ID,
    MAX_ID_CHARACTERS,
    Choice,
    ListOf,
    NamedTexts,
    Number,
    Numbers,
    Option,
)

Schema = dict[str, Any]

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
CARD_PATTERN: Final = r"^((A|K|Q|N|J|10|[2-9])[SHDCB]|T([1-9]|1[0-9]|2[01])|FOOL)$"
CONTROL: Final = r"[\x00-\x1f\x7f-\x9f]"
CONTROL_IN_TEXT: Final = r"[\x00-\x08\x0b-\x1f\x7f-\x9f]"
ANY_CARD: Final[Schema] = {"type": "string", "pattern": CARD_PATTERN}

# The name of the schema of an event that stands within another one, and where it stands.
CORRECTED: Final = "corrected"
_CORRECTED_EVENT: Final[Schema] = {"$ref": f"#/$defs/{CORRECTED}"}
NESTED_EVENTS: Final[Mapping[str, Schema]] = {
    EventReplaced.TYPE: _CORRECTED_EVENT,
    EventInserted.TYPE: _CORRECTED_EVENT,
    CorrectionProposed.TYPE: {
        "allOf": [{"properties": {"corrections": {"items": _CORRECTED_EVENT}}}]
    },
}

# The fields of a line in a sealed log, beside type and data.
SEAL_FIELDS: Final[Mapping[str, Schema]] = {
    "seq": {"type": "integer", "minimum": 1, "description": "place in the stream, without gaps"},
    "at": {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$",
           "description": "the time at which it was recorded"},
    "by": {"type": "string", "pattern": f"^{PLAYER_ID}$",
           "description": "the author: a player, keeper or import"},
    "hash": {"type": "string", "pattern": "^[0-9a-f]{64}$",
             "description": "SHA-256 over the hash before and this event"},
}  # fmt: skip


# ------------------------------------------------------------------------------------- kinds


def _words_schema(kind: Words, card: Schema) -> Schema:
    """Return the schema of a text or name without control characters."""
    if not kind.name:
        text: Schema = {"type": "string", "maxLength": kind.longest}
        return {**text, "not": {"pattern": CONTROL_IN_TEXT}}
    name: Schema = {"type": "string", "minLength": 1, "maxLength": kind.longest, "pattern": r"\S"}
    return {**name, "not": {"pattern": CONTROL}}


def _player_schema(kind: PlayerId, card: Schema) -> Schema:
    """Return the schema of a player's id."""
    reserved = {"enum": sorted(RESERVED_IDS)}
    return {"type": "string", "pattern": f"^{PLAYER_ID}$", "not": reserved}


def _many_schema(kind: Many, card: Schema) -> Schema:
    """Return the schema of a list of another kind, with its sizes."""
    many: Schema = {"type": "array", "items": kind_schema(kind.of, card)}
    if kind.unique:
        many["uniqueItems"] = True
    sizes = kind.sizes or ((kind.fewest, kind.most),)
    limits = [_size_limits(size) for size in sizes]
    return {**many, **limits[0]} if len(limits) == 1 else {**many, "anyOf": limits}


def _size_limits(size: int | tuple[int, int]) -> Schema:
    """Return the members that limit a list to a size, or to a range of sizes."""
    fewest, most = size if isinstance(size, tuple) else (size, size)
    return {"minItems": fewest, "maxItems": most}


def _each_schema(kind: Each, card: Schema) -> Schema:
    """Return the schema of an object whose keys and values have other kinds."""
    key, value = kind_schema(kind.key, card), kind_schema(kind.of, card)
    return {"type": "object", "propertyNames": key, "additionalProperties": value}


KINDS: Final[Mapping[type[Kind], Callable[[Any, Schema], Schema]]] = {
    Whole: lambda kind, card: {"type": "integer", "minimum": kind.low, "maximum": kind.high},
    Exact: lambda kind, card: {
        "anyOf": [
            {"type": "integer", "minimum": -kind.most, "maximum": kind.most},
            {"type": "string", "pattern": "^-?[0-9]{1,10}/[0-9]{1,4}$"},
        ]
    },
    Words: _words_schema,
    Flag: lambda kind, card: {"const": True} if kind.only_true else {"type": "boolean"},
    OneOf: lambda kind, card: {"enum": list(kind.values)},
    Currency: lambda kind, card: {"enum": sorted(MINOR_DIGITS)},
    AnyOf: lambda kind, card: {
        "anyOf": [kind_schema(inner_kind, card) for inner_kind in kind.kinds]
    },
    PlayerId: _player_schema,
    SideId: lambda kind, card: {"type": "string"},
    CardCode: lambda kind, card: card,
    Many: _many_schema,
    Each: _each_schema,
    Nested: lambda kind, card: data_schema(kind.of, card),
    Random: lambda kind, card: {"type": "string", "pattern": f"^[A-Za-z0-9_-]{{{kind.letters}}}$"},
    Anything: lambda kind, card: {
        "type": "object",
        "propertyNames": {"pattern": "^[A-Za-z0-9_-]{1,64}$"},
    },
    Nothing: lambda kind, card: {"type": "null"},
    Day: lambda kind, card: {"type": "string", "format": "date", "pattern": r"^\d{4}-\d\d-\d\d$"},
    LastDay: lambda kind, card: {"anyOf": [kind_schema(Day(), card), {"type": "null"}]},
}


def kind_schema(kind: Kind, card: Schema = ANY_CARD) -> Schema:
    """Return the schema of a field of this kind; ``card`` is the schema of a card."""
    return KINDS[type(kind)](kind, card)


# ------------------------------------------------------------------------------------ events


def data_schema(declared: type[Declared], card: Schema = ANY_CARD) -> Schema:
    """Return the schema of an event's data, or of an object within it."""
    fields = parts_of(declared)
    properties = {
        event_part.log_name: {"description": event_part.doc, **kind_schema(event_part.kind, card)}
        for event_part in fields
    }
    if has_salt(declared):
        properties[SALT] = {"description": SALT_SAYS, **kind_schema(RANDOM)}
    schema: Schema = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
    }
    if issubclass(declared, Event) and declared.FEWEST_FIELDS:
        schema["minProperties"] = declared.FEWEST_FIELDS
    required = [event_part.log_name for event_part in fields if not event_part.optional]
    return {**schema, "required": required} if required else schema


def event_schema(declared: type[Event], card: Schema = ANY_CARD) -> Schema:
    """Return the schema of ``{"type", "data"}``; ``data`` may be missing if it can be empty."""
    return _event_schema_with_data(declared, data_schema(declared, card))


def _event_schema_with_data(declared: type[Event], data: Schema) -> Schema:
    """Return the schema of ``{"type", "data"}`` for an event whose data has this schema."""
    return {
        "description": inspect.cleandoc(declared.__doc__ or ""),
        "type": "object",
        "properties": {"type": {"const": declared.TYPE}, "data": data},
        "required": ["type", "data"] if _needs_data(data) else ["type"],
        "additionalProperties": False,
    }


def _needs_data(schema: Schema) -> bool:
    """Return whether data of this schema cannot be empty."""
    return "required" in schema or "minProperties" in schema


def game_schemas(game: Game) -> dict[str, Schema]:
    """Return the schemas of a game's events by type, with its cards, player numbers and options."""
    card: Schema = {"enum": list_cards(game)}
    schemas = {
        name: _any_of_schemas([event_schema(class_, card) for class_ in list_classes(classes)])
        for name, classes in game.by_type.items()
    }
    return {**schemas, MatchStarted.TYPE: _event_schema_with_data(MatchStarted, match_schema(game))}


def list_classes(classes: Classes) -> list[type[Event]]:
    """Return the declarations of one type of event: one, or one for each category."""
    return [classes] if isinstance(classes, type) else list(dict.fromkeys(classes.values()))


def _any_of_schemas(schemas: list[Schema]) -> Schema:
    """Return a schema that accepts a value of any of these schemas."""
    return schemas[0] if len(schemas) == 1 else {"anyOf": schemas}


def list_cards(game: Game) -> list[str]:
    """Return the codes of all cards that a match of this game can be played with."""
    packs = {pack.name: pack for pack in list_packs(game)}
    return list(dict.fromkeys(card.code for pack in packs.values() for card in pack.cards))


def list_packs(game: Game) -> list[Pack]:
    """Return each pack that a game's options allow, for the most players; its default first."""
    seats = max(game.seats)
    option = next((option for option in game.book.options if option.name == "pack"), None)
    names = list(option.choices) if option else []
    pack_options: list[dict[str, Any]] = [{"pack": name} for name in names] or [{}]
    return [game.pack(game.options(option, seats), seats) for option in pack_options]


# ------------------------------------------------------------------------------------ options


def choice_schema(choice: Choice) -> Schema:
    """Return the schema of one of the values, or families of values, of an option."""
    if isinstance(choice, ListOf | NamedTexts):
        return _list_schema(choice)
    if isinstance(choice, Numbers):
        return _numbers_schema(choice)
    if not isinstance(choice, Number):
        return {"const": choice}
    number: Schema = {"type": "integer"}
    if choice.only:
        number["enum"] = list(choice.only)
    else:
        number |= {"minimum": choice.low, "maximum": choice.high}
    if choice.step != 1:
        number["multipleOf"] = choice.step
    if choice.key is None:
        return number
    return {
        "type": "object",
        "properties": {choice.key: number},
        "required": [choice.key],
        "additionalProperties": False,
    }


def _numbers_schema(choice: Numbers) -> Schema:
    """Return the schema of the values of an option that is a list or object of numbers."""
    if choice.only is not None:
        return {"const": choice.value(choice.only)}
    number = {"type": "integer", "minimum": choice.low, "maximum": choice.high}
    if choice.keys:
        named: Schema = {"properties": dict.fromkeys(choice.keys, number)}
        return {"type": "object", **named, "required": list(choice.keys),
                "additionalProperties": False}  # fmt: skip
    limits = {"minItems": choice.least, "maxItems": choice.most}
    return {"type": "array", "items": number, **limits, "uniqueItems": choice.rising}


def _list_schema(choice: ListOf | NamedTexts) -> Schema:
    """Return the schema of the values of an option that is a list of names or of texts."""
    if isinstance(choice, ListOf):
        items: Schema = {"enum": list(choice.values)}
        several: Schema = {"type": "array", "items": items, "uniqueItems": True}
        return several if choice.values else {"type": "array", "maxItems": 0}
    if not choice.most:
        return {"type": "array", "maxItems": 0}
    name = {"type": "string", "pattern": f"^{ID}$", "maxLength": MAX_ID_CHARACTERS}
    text = {"type": "string", "minLength": 1, "maxLength": choice.longest}
    items = {
        "type": "object",
        "properties": {
            "id": {**name, "not": {"anyOf": [{"enum": list(choice.taken)}, {"pattern": "__"}]}},
            "text": {**text, "not": {"pattern": CONTROL}},
        },
        "required": ["id", "text"],
        "additionalProperties": False,
    }
    return {"type": "array", "items": items, "maxItems": choice.most}


def option_schema(option: Option) -> Schema:
    """Return the schema of the values of an option, with its text as description."""
    values = [choice_schema(choice) for choice in option.choices]
    return {"description": option.text, **_any_of_schemas(values)}


def match_schema(game: Game) -> Schema:
    """Return the schema of the data of ``match_started`` for one game."""
    schema = data_schema(MatchStarted)
    fields = dict(schema["properties"])
    fields["game"] = {**fields["game"], "const": game.id}
    fields["seats"] |= {"anyOf": [_size_limits(number) for number in game.seats]}
    fields["options"] = {
        "description": fields["options"]["description"],
        "type": "object",
        "properties": {option.name: option_schema(option) for option in game.book.options},
        "additionalProperties": False,
    }
    return {**schema, "properties": fields}


# -------------------------------------------------------------------------------------- logs


def log_schema() -> Schema:
    """Return the schema of one line of a session's log, sealed or by hand, of any game."""
    return line_schema("One line of a scorekeeper log", data_schemas_by_type())


def line_schema(title: str, types: Mapping[str, Schema]) -> Schema:
    """Return the schema of one line of a log whose types of events have data of these schemas."""
    conditions = [_make_condition(name, schema) for name, schema in types.items()]
    return {
        "$schema": DIALECT,
        "title": title,
        "description": "By hand a line has type and data, in a sealed log all six fields.",
        "type": "object",
        "properties": {"type": {"enum": list(types)}, "data": {"type": "object"}, **SEAL_FIELDS},
        "required": ["type"],
        "additionalProperties": False,
        "dependentRequired": {name: list(SEALED_FIELDS) for name in SEAL_FIELDS},
        "allOf": conditions,
        "$defs": {
            **{name: {**schema, **NESTED_EVENTS.get(name, {})} for name, schema in types.items()},
            CORRECTED: {
                "description": "An event of the same log, within a correction or a proposal.",
                "properties": {"type": {"enum": list(types)}},
                "allOf": conditions,
            },
        },
    }  # fmt: skip


def _make_condition(name: str, schema: Schema) -> Schema:
    """Return the condition that an event of this type has data of its schema."""
    consequence: Schema = {"properties": {"data": {"$ref": f"#/$defs/{name}"}}}
    if all(map(_needs_data, schema.get("anyOf", [schema]))):
        consequence["required"] = ["data"]
    return {
        "if": {"properties": {"type": {"const": name}}, "required": ["type"]},
        "then": consequence,
    }


def data_schemas(declared: Iterable[type[Event]]) -> dict[str, Schema]:
    """Return the schemas of the data of these events, by type."""
    return {class_.TYPE: _data_schema_of_classes([class_]) for class_ in declared}


def data_schemas_by_type() -> dict[str, Schema]:
    """Return the schemas of the data of all types of events in all games."""
    by_type = data_schemas(COMMON)
    classes_by_type: dict[str, list[type[Event]]] = {}
    for game in GAMES.values():
        for declared in game.events:
            known = classes_by_type.setdefault(declared.TYPE, [])
            if declared not in known:
                known.append(declared)
    by_type |= {name: _data_schema_of_classes(several) for name, several in classes_by_type.items()}
    by_type[MatchStarted.TYPE] = {"anyOf": [match_schema(game) for game in GAMES.values()]}
    return by_type


def _data_schema_of_classes(several: Iterable[type[Event]]) -> Schema:
    """Return the schema of the data of one type, which several classes may declare."""
    return _any_of_schemas(
        [
            {"description": inspect.cleandoc(class_.__doc__ or ""), **data_schema(class_)}
            for class_ in several
        ]
    )
