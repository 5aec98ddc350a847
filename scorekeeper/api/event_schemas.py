"""What comes in over HTTP, as marshmallow schemas made of the kinds that events are made of.

So a body is refused in the same words as an event in a log, and the document is exact.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from marshmallow import RAISE, Schema, ValidationError, fields

from scorekeeper.api.schemas import EVENTS, HASH, ID, OF_CLUBS, TIME
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.events.common import SessionOpened
from scorekeeper.events.corrections import CORRECTING
from scorekeeper.events.event import MOST_IN_A_SET
from scorekeeper.events.fields import (
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
from scorekeeper.service import NewEvent
from scorekeeper.store import ROLES

MOST_EVENTS: Final = 10_000  # of one append
MOST_IN_A_PAGE: Final = 1_000  # events of one answer
MOST_CORRECTIONS: Final = MOST_IN_A_SET + 1  # of a what-if: a set, and the event that begins it

_DIGITS: Final = re.compile(r"[0-9]{1,16}", re.ASCII)


def _known_zone(name: str) -> None:
    if name not in time_zones():
        raise ValidationError(expected("a time zone, such as Europe/Rome", name))


class GivenSchema(Schema):
    """What a client sends: a member that is not known is refused."""

    class Meta:
        """A misspelt member would say nothing, and seem to."""

        unknown = RAISE

    error_messages = {"type": "expected an object"}  # noqa: RUF012  # as marshmallow declares it


class KindField(fields.Field[Any]):
    """A marshmallow field that reads one declared kind."""

    default_error_messages = {  # noqa: RUF012  # as marshmallow declares it
        "required": "missing",
        "null": "expected a value, got null",
    }

    def __init__(self, kind: Kind, *, optional: bool) -> None:
        super().__init__(required=not optional, allow_none=False)
        self.kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> Any:
        try:
            return codec.read(self.kind, value)
        except UnusableError as error:
            messages: Any = [error.reason]
            for place in reversed(error.field.split(".") if error.field else ()):
                messages = {place: messages}
            raise ValidationError(messages) from None


def member(kind: Kind, doc: str, *, optional: bool = False, **more: Any) -> KindField:
    """A member of a body; ``more`` is what its schema says beside what the kind does."""
    field = KindField(kind, optional=optional)
    field.metadata = {"description": doc, **kind_schema(kind), **more}
    return field


class WholeNumber(fields.Integer):
    """A whole number in a query, from one to another."""

    def __init__(self, kind: Whole, doc: str, **more: Any) -> None:
        said: dict[str, Any] = dict.fromkeys(("invalid", "required"), f"expected {kind.expected}")
        super().__init__(
            metadata={"description": doc, **kind_schema(kind)}, error_messages=said, **more
        )
        self._kind = kind

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> int:
        if not _DIGITS.fullmatch(value) or not self._kind.low <= int(value) <= self._kind.high:
            raise self.make_error("invalid")
        return int(value)


class Seq(WholeNumber):
    """A whole number from 0 on in a query."""

    def __init__(self, doc: str, **more: Any) -> None:
        super().__init__(Whole(0), doc, **more)


class Matching(fields.String):
    """A text of some pattern."""

    def __init__(self, pattern: str, what: str, doc: str, **more: Any) -> None:
        missing: dict[str, Any] = {"required": expected(what, None)}
        super().__init__(
            metadata={"description": doc, "pattern": pattern}, error_messages=missing, **more
        )
        self._pattern = re.compile(pattern, re.ASCII)
        self._what = what

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if type(value) is not str or not self._pattern.fullmatch(value):
            raise ValidationError(expected(self._what, value))
        return value


class Time(Matching):
    """A time as a log writes it."""

    def __init__(self, doc: str) -> None:
        super().__init__(TIME, "a time such as 2026-11-21T20:14:03.250Z", doc)

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if not is_time(super()._deserialize(value)):
            raise ValidationError(expected(self._what, value))
        return str(value)


# ------------------------------------------------------------------------------------- bodies


# A session is opened with the data of its first event, which the service reads.
OPENING: Final = data_schema(SessionOpened)


def event_schemas() -> dict[str, dict[str, Any]]:
    """Each type of event as it can be recorded, by the name of its component."""
    return {name: _event_schema(name, data) for name, data in (OF_CLUBS | EVENTS).items()}


def _event_schema(name: str, data: dict[str, Any]) -> dict[str, Any]:
    variants = data.get("anyOf", [data])
    needed = all("required" in one for one in variants)
    return {
        "type": "object",
        "description": variants[0].get("description", "A match of one of the games begins."),
        "properties": {
            "type": {"const": name, "description": "what happened"},
            "data": {"description": "its facts", **data},
        },
        "required": ["type", "data"] if needed else ["type"],
        "additionalProperties": False,
    }


class NewEvents(fields.Field[Any]):
    """The events of an append; what they say is read by the service, in its place."""

    def __init__(self, doc: str, types: Iterable[str] = EVENTS) -> None:
        refs = [{"$ref": f"#/components/schemas/{name}"} for name in types]
        shape = {"type": "array", "minItems": 1, "maxItems": MOST_EVENTS, "items": {"anyOf": refs}}
        super().__init__(
            required=True,
            metadata={"description": doc, **shape},
            error_messages={"required": "missing", "null": "expected a list, got null"},
        )

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> tuple[NewEvent, ...]:
        if type(value) is not list or not 1 <= len(value) <= MOST_EVENTS:
            raise ValidationError(expected(f"a list of 1 to {MOST_EVENTS} events", value))
        return tuple(_new_event(place, one) for place, one in enumerate(value))


def _new_event(place: int, one: Any) -> NewEvent:
    if type(one) is not dict:
        raise ValidationError({str(place): [expected('an object with "type" and "data"', one)]})
    for name in one:
        if name not in NewEvent._fields:
            said = "unknown field; an event to be recorded has type and data"
            raise ValidationError({str(place): {name: [said]}})
    if type(one.get("type")) is not str:
        said = expected("the type of an event", one.get("type"))
        raise ValidationError({str(place): {"type": [said]}})
    return NewEvent(one["type"], one.get("data", {}))


class AppendSchema(GivenSchema):
    """Events to be recorded, all of them or none."""

    events = NewEvents("in the order in which they happened")
    as_played = member(Flag(), "record it as it happened, though it breaks a rule", optional=True)


class KeyBodySchema(GivenSchema):
    """A key to be made."""

    role = member(OneOf(ROLES), "what it opens", type="string")
    player = member(PlayerId(Whom.SESSION), "whose seat it is, and only with a seat", optional=True)
    expires = Time("when it opens nothing any more, in UTC")
    replaces = Matching(ID, "the id of a key", "the id of a key to be revoked for it")


class LogText(fields.String):
    """A whole log as a text."""

    def _deserialize(self, value: Any, *_: Any, **__: Any) -> str:
        if type(value) is not str:
            raise ValidationError(expected("the text of a log", value))
        return value


@dataclass(frozen=True, slots=True)
class NextCorrection(Declared):
    """A correction that could come next."""

    type: str = part(OneOf(tuple(one.TYPE for one in CORRECTING), words=""), "the correcting event")
    data: Mapping[str, Any] = part(Anything(), "its data")


class SupposedSchema(GivenSchema):
    """What might have been: other options, corrections, or both."""

    options = member(Anything(), "options by name, beside those that were said", optional=True)
    match = member(SEQ, "whose options; else of each match whose game has them", optional=True)
    corrections = member(
        Many(Nested(NextCorrection), most=MOST_CORRECTIONS, unique=False),
        "corrections as they could be recorded next, in their order; they take effect together",
        optional=True,
    )
    proposal = member(
        SEQ, "the seq of a proposal, for what it changes; nothing else", optional=True
    )


class SupposedLogSchema(SupposedSchema):
    """The same of a log that comes with it."""

    log = LogText(
        required=True,
        metadata={"description": "the log, sealed or by hand"},
        error_messages={"required": "missing", "null": "expected the text of a log, got null"},
    )


# ------------------------------------------------------------------------------------ queries


class AfterSchema(GivenSchema):
    """Which events are known."""

    after = Seq("the seq of the last event that is known", load_default=0)
    limit = WholeNumber(Whole(1, MOST_IN_A_PAGE), "how many at most", load_default=MOST_IN_A_PAGE)


class LevelSchema(GivenSchema):
    """At which level of detail a table records."""

    level = member(OneOf(LEVELS), "only what belongs to this level of detail", optional=True)


class WitnessSchema(GivenSchema):
    """A place in a log, as somebody remembers it."""

    version = Seq("the seq of an event", required=True)
    head = Matching(HASH, "64 digits 0-9 and a-f", "the hash that it had", required=True)


class WhichHandSchema(GivenSchema):
    """Which hand is asked about."""

    match = Seq("the number of a match")
    hand = Seq("the number of a hand in that match, or in the last one")


class AuditSchema(WhichHandSchema):
    """What is to be said beside the report."""

    suggest = member(OneOf(("0", "1")), "1 for suggestions: of that match or hand, or of all",
                    optional=True)  # fmt: skip


class ReaderSchema(GivenSchema):
    """For whom a file is made; without more in the language that the request accepts."""

    language = member(OneOf(tuple(LANGUAGES)), "the language of its words", optional=True)
    zone = fields.String(
        validate=_known_zone,
        metadata={"description": "the time zone of its times, such as `Europe/Rome`; else UTC, or "
                  "that of the phone of which a page of ours asked it"},
    )  # fmt: skip


class TableReaderSchema(ReaderSchema):
    """For whom a table is made, and how it is written."""

    separator = member(OneOf(SEPARATORS), "what parts the cells of a row", optional=True)
    decimal = member(OneOf(DECIMALS), "what stands before decimals", optional=True)


class RememberedSchema(GivenSchema):
    """How a log ended, as somebody remembers it."""

    head = Matching(HASH, "64 digits 0-9 and a-f", "its last hash")
    count = Seq("how many events it had")
