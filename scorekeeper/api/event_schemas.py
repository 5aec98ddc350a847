"""Marshmallow schemas of requests, made of the same kinds as the fields of events.

So a body is refused in the same words as an event in a log, and the OpenAPI document is exact.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields

from scorekeeper.api.schemas import EVENTS, HASH, ID, OF_CLUBS, OF_TOURNAMENTS, TIME
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import SessionOpened
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET
from scorekeeper.events.fields import (
    REASON,
    SEQ,
    Anything,
    Declared,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    PlayerId,
    Whole,
    Whom,
    part,
)
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.languages.reader import DECIMALS, SEPARATORS, time_zones
from scorekeeper.log import codec
from scorekeeper.log.reading import is_time
from scorekeeper.log.schema import data_schema, kind_schema
from scorekeeper.play.prompts import LEVELS
from scorekeeper.repair.whole_corrections import WHOLE_KINDS
from scorekeeper.service import NewEvent
from scorekeeper.store import ROLES

MAX_EVENTS_PER_APPEND: Final = 10_000
MAX_EVENTS_PER_PAGE: Final = 1_000
# Of a what-if: a set, and the event that begins it.
MAX_CORRECTIONS: Final = MAX_CORRECTIONS_IN_SET + 1

_DIGITS: Final = re.compile(r"[0-9]{1,16}", re.ASCII)


def _refuse_unknown_zone(name: str) -> None:
    """Raise `ValidationError` if a time zone is unknown."""
    if name not in time_zones():
        raise ValidationError(expected("a time zone, such as Europe/Rome", name))


class GivenSchema(Schema):
    """A request: unknown members are refused."""

    class Meta:
        """A misspelt member would otherwise be ignored silently."""

        unknown = RAISE

    error_messages = {"type": "expected an object"}  # noqa: RUF012  # as marshmallow declares it


class KindField(fields.Field[object]):
    """A marshmallow field that reads a value of one declared kind, as a log does."""

    default_error_messages = {  # noqa: RUF012  # as marshmallow declares it
        "required": "missing",
        "null": "expected a value, got null",
    }

    def __init__(self, kind: Kind, *, optional: bool) -> None:
        super().__init__(required=not optional, allow_none=False)
        self.kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        """Return the value as its kind reads it. Raises `ValidationError` with its path."""
        try:
            return codec.read_value(self.kind, value)
        except UnusableError as error:
            messages: Any = [error.reason]
            for place in reversed(error.field.split(".") if error.field else ()):
                messages = {place: messages}
            raise ValidationError(messages) from None


def member(kind: Kind, doc: str, *, optional: bool = False, **more: Any) -> KindField:
    """Return the field of a member of a body, of one kind; ``doc`` describes it in OpenAPI."""
    field = KindField(kind, optional=optional)
    field.metadata = {"description": doc, **kind_schema(kind), **more}
    return field


class WholeNumber(fields.Integer):
    """A whole number in a query, within the bounds of its kind."""

    def __init__(self, kind: Whole, doc: str, **more: Any) -> None:
        messages: dict[str, Any] = dict.fromkeys(
            ("invalid", "required"), f"expected {kind.expected}"
        )
        super().__init__(
            metadata={"description": doc, **kind_schema(kind)}, error_messages=messages, **more
        )
        self._kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        """Return a number in a query. Raises `ValidationError` if it is out of bounds."""
        if not _DIGITS.fullmatch(value) or not self._kind.low <= int(value) <= self._kind.high:
            raise self.make_error("invalid")
        return int(value)


class Seq(WholeNumber):
    """A whole number of at least 0 in a query."""

    def __init__(self, doc: str, **more: Any) -> None:
        super().__init__(Whole(0), doc, **more)


class Matching(fields.String):
    """A text that matches a regular expression; ``what`` names it in errors."""

    def __init__(self, pattern: str, what: str, doc: str, **more: Any) -> None:
        missing: dict[str, Any] = {"required": expected(what, None)}
        super().__init__(
            metadata={"description": doc, "pattern": pattern}, error_messages=missing, **more
        )
        self._pattern = re.compile(pattern, re.ASCII)
        self._what = what

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        """Return the text. Raises `ValidationError` if it does not match."""
        if type(value) is not str or not self._pattern.fullmatch(value):
            raise ValidationError(expected(self._what, value))
        return value


class Time(Matching):
    """A time as a log writes it."""

    def __init__(self, doc: str) -> None:
        super().__init__(TIME, "a time such as 2026-11-21T20:14:03.250Z", doc)

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        """Return the text. Raises `ValidationError` if it is no time of a log."""
        if not is_time(super()._deserialize(value)):
            raise ValidationError(expected(self._what, value))
        return str(value)


# ------------------------------------------------------------------------------------- bodies


# A session is opened with the data of its first event, which the service reads.
OPENING: Final = data_schema(SessionOpened)


def event_schemas() -> dict[str, JsonObject]:
    """Return the JSON Schema of each type of event, for all kinds of streams, by component."""
    schemas = {name: _event_schema(name, data) for name, data in (OF_CLUBS | EVENTS).items()}
    return schemas | {
        name_tournament_event(name): _event_schema(name, data)
        for name, data in OF_TOURNAMENTS.items()
    }


def name_tournament_event(name: str) -> str:
    """Return the component of a type of event of tournaments; clubs may have the same type."""
    other = (OF_CLUBS | EVENTS).get(name)
    return name if other in (None, OF_TOURNAMENTS[name]) else f"tournament_{name}"


def _event_schema(name: str, data: JsonObject) -> JsonObject:
    """Return the JSON Schema of an event of a type, whose data has this schema."""
    variants = data.get("anyOf", [data])
    needed = all("required" in variant for variant in variants)
    return {
        "type": "object",
        "description": variants[0].get("description", "A match of one of the games begins."),
        "properties": {
            "type": {"const": name, "description": "the type of the event"},
            "data": {"description": "the data of the event", **data},
        },
        "required": ["type", "data"] if needed else ["type"],
        "additionalProperties": False,
    }


class NewEvents(fields.Field[object]):
    """The events of an append; the service decodes their data in the context of the session."""

    def __init__(self, doc: str, types: Iterable[str] = EVENTS) -> None:
        refs = [{"$ref": f"#/components/schemas/{name}"} for name in types]
        shape = {
            "type": "array",
            "minItems": 1,
            "maxItems": MAX_EVENTS_PER_APPEND,
            "items": {"anyOf": refs},
        }
        super().__init__(
            required=True,
            metadata={"description": doc, **shape},
            error_messages={"required": "missing", "null": "expected a list, got null"},
        )

    def _deserialize(self, value: object, *_: object, **__: object) -> tuple[NewEvent, ...]:
        """Return the new events, undecoded. Raises `ValidationError` with their place."""
        if type(value) is not list or not 1 <= len(value) <= MAX_EVENTS_PER_APPEND:
            raise ValidationError(expected(f"a list of 1 to {MAX_EVENTS_PER_APPEND} events", value))
        return tuple(_parse_new_event(place, event) for place, event in enumerate(value))


def _parse_new_event(place: int, event: object) -> NewEvent:
    """Return a new event with undecoded data. Raises `ValidationError` if it is malformed."""
    if type(event) is not dict:
        raise ValidationError({str(place): [expected('an object with "type" and "data"', event)]})
    for name in event:
        if name not in NewEvent._fields:
            message = "unknown field; an event to be recorded has type and data"
            raise ValidationError({str(place): {name: [message]}})
    if type(event.get("type")) is not str:
        message = expected("the type of an event", event.get("type"))
        raise ValidationError({str(place): {"type": [message]}})
    return NewEvent(event["type"], event.get("data", {}))


class AppendSchema(GivenSchema):
    """Events to be recorded, all of them or none."""

    events = NewEvents("the events, in the order in which they happened")
    as_played = member(
        Flag(), "true to record events that break a rule, as they were played", optional=True
    )


class KeyBodySchema(GivenSchema):
    """A key to be made."""

    role = member(OneOf(ROLES), "the role", type="string")
    player = member(
        PlayerId(Whom.SESSION),
        "the player whose seat it is; only with the role of a seat",
        optional=True,
    )
    expires = Time("the time at which the key expires, in UTC")
    replaces = Matching(ID, "the id of a key", "the id of a key that is revoked in exchange")


class LogText(fields.String):
    """A whole log as a text."""

    def _deserialize(self, value: object, *_: object, **__: object) -> str:
        """Return the text, unchanged. Raises `ValidationError` for any other type."""
        if type(value) is not str:
            raise ValidationError(expected("the text of a log", value))
        return value


@dataclass(frozen=True, slots=True)
class NextCorrection(Declared):
    """A correction that could come next."""

    type: str = part(
        OneOf(tuple(kind.TYPE for kind in CORRECTING), words=""), "the correcting event"
    )
    data: JsonObject = part(Anything(), "its data")


@dataclass(frozen=True, slots=True)
class WholeQuestion(Declared):
    """A question about the correction of a whole thing."""

    kind: str = part(OneOf(tuple(WHOLE_KINDS), words=""), "what is corrected")
    match: int = part(SEQ, "the number of the match")
    hand: int = part(SEQ, "the number of the hand in it")
    answer: JsonObject = part(
        Anything(),
        "what was so in truth: of `exchange_player` `player` and `played`, of `change_dealer` "
        "`dealer`, of `reorder_seats` `seats`, of `change_rules` `options`, of `change_stake` "
        "`stake`, of `add_hand_after` and `add_hand_before` `dealer` and `events`, of "
        "`remove_hand` nothing",
    )
    reason: str | None = part(REASON, "why", optional=True)


class SupposedSchema(GivenSchema):
    """A supposition: other options, corrections, or both."""

    options = member(
        Anything(), "options by name, beside those that the match declares", optional=True
    )
    match = member(
        SEQ,
        "the number of the match whose options change; by default each match whose game has them",
        optional=True,
    )
    corrections = member(
        Many(Nested(NextCorrection), most=MAX_CORRECTIONS, unique=False),
        "corrections as they could be recorded next, in their order; they take effect together",
        optional=True,
    )
    proposal = member(
        SEQ, "the seq of a proposal whose effect is requested; only alone", optional=True
    )
    whole = member(
        Nested(WholeQuestion),
        "a hand, player, dealer, stake, or the rules or seats of a match, to be corrected with all "
        "that depends on it; only alone",
        optional=True,
    )


class SupposedLogSchema(SupposedSchema):
    """A supposition about a log, with that log."""

    log = LogText(
        required=True,
        metadata={"description": "the log, sealed or by hand"},
        error_messages={"required": "missing", "null": "expected the text of a log, got null"},
    )


# ------------------------------------------------------------------------------------ queries


class AfterSchema(GivenSchema):
    """The page of events that is requested."""

    after = Seq("the seq of the last event that the client knows", load_default=0)
    limit = WholeNumber(
        Whole(1, MAX_EVENTS_PER_PAGE),
        "the largest number of events",
        load_default=MAX_EVENTS_PER_PAGE,
    )


class LevelSchema(GivenSchema):
    """The level of detail of the requested prompts."""

    level = member(OneOf(LEVELS), "the level of detail; other prompts are left out", optional=True)


class WitnessSchema(GivenSchema):
    """A remembered head, with its version."""

    version = Seq("the seq of an event", required=True)
    head = Matching(HASH, "64 digits 0-9 and a-f", "the hash of that event", required=True)


class WhichHandSchema(GivenSchema):
    """The hand that a request is about."""

    match = Seq("the number of a match")
    hand = Seq("the number of a hand in that match, or in the last one")


class AuditSchema(WhichHandSchema):
    """The hands for which corrections are suggested."""

    suggest = member(
        OneOf(("0", "1")),
        "1 for suggestions: for the given match or hand, or for all",
        optional=True,
    )


class ReaderSchema(GivenSchema):
    """The reader of a file; by default in the language that the request accepts."""

    language = member(OneOf(tuple(LANGUAGES)), "the language of the words", optional=True)
    zone = fields.String(
        validate=_refuse_unknown_zone,
        metadata={"description": "the time zone of its times, such as `Europe/Rome`; else UTC, or "
                  "that of the phone of which a page of ours asked it"},
    )  # fmt: skip


class TableReaderSchema(ReaderSchema):
    """The reader of a table, and the format of its cells."""

    separator = member(OneOf(SEPARATORS), "the separator of the cells in a row", optional=True)
    decimal = member(OneOf(DECIMALS), "the decimal separator", optional=True)


class RememberedSchema(GivenSchema):
    """The remembered end of a log."""

    head = Matching(HASH, "64 digits 0-9 and a-f", "the last hash")
    count = Seq("the number of events")
