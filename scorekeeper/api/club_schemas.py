"""Schemas of the requests and answers about clubs."""

from typing import Final

from marshmallow import fields

from scorekeeper.api.event_schemas import (
    GivenSchema,
    Matching,
    NewEvents,
    ReaderSchema,
    TableReaderSchema,
    Time,
    member,
)
from scorekeeper.api.schemas import (
    ID,
    OF_CLUBS,
)
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.events import ClubOpened, MemberJoined
from scorekeeper.events.fields import OneOf, PlayerId
from scorekeeper.log.schema import data_schema
from scorekeeper.service.club_rights import ROLES

MAX_FIRST_MEMBERS: Final = 1_000  # of a new club, in the request that opens it
MAX_KEYS_PER_APPEND: Final = 200


# ------------------------------------------------------------------------------------- bodies


def _make_opening_schema() -> JsonObject:
    """Return the JSON Schema of the body that opens a club: its first event, and members."""
    schema = data_schema(ClubOpened)
    parts = {name: part for name, part in schema["properties"].items() if name != "format"}
    people = {"type": "array", "maxItems": MAX_FIRST_MEMBERS, "items": data_schema(MemberJoined),
              "description": "the first members"}  # fmt: skip
    return {**schema, "properties": {**parts, "members": people}, "required": ["name"]}


OPENING: Final = _make_opening_schema()


class ClubAppendSchema(GivenSchema):
    """Events of a club to be recorded, all of them or none."""

    events = NewEvents(
        "the events in order; their types are those of a club: "
        + ", ".join(f"`{name}`" for name in OF_CLUBS),
        OF_CLUBS,
    )
    keys = fields.List(
        fields.String(),
        validate=lambda keys: len(keys) <= MAX_KEYS_PER_APPEND,
        metadata={"description": "keys to the evenings that are entered; they are not stored",
                  "maxItems": MAX_KEYS_PER_APPEND},
    )  # fmt: skip


class ClubKeyBodySchema(GivenSchema):
    """A key to be made."""

    role = member(OneOf(ROLES), "the role", type="string")
    whose = member(
        PlayerId(),
        "the member to whom the key belongs; only with the role of a member",
        optional=True,
    )
    whose.data_key = "member"
    expires = Time("the time at which the key expires, in UTC")
    replaces = Matching(ID, "the id of a key", "the id of a key that is revoked in exchange")


class SeasonSchema(GivenSchema):
    """The season that a request is about."""

    season = member(
        PlayerId(),
        "the id of the season; by default the season that began last, or all evenings",
        optional=True,
    )


class SeasonReaderSchema(SeasonSchema, ReaderSchema):
    """The season of a file, and the reader's language, time zone and number format."""


class SeasonTableReaderSchema(SeasonSchema, TableReaderSchema):
    """The season of a table as a file, and the format of its values."""


class FeedSchema(SeasonSchema, ReaderSchema):
    """The season of a calendar, all evenings if none is named, and its reader."""

    key = fields.String(metadata={"description": "a key to view, instead of the header"})
