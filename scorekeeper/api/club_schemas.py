"""Schemas of the requests and answers about clubs."""

from typing import Any, Final

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
    CLUB_ID,
    ID,
    OF_CLUBS,
    AnswerSchema,
    each,
    flag,
    like,
    many,
    one_of,
    part,
    words,
)
from scorekeeper.api.session_schemas import KeySchema, PositionSchema, StoredEventSchema
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.clubs.events import ClubOpened, MemberJoined
from scorekeeper.clubs.season_views import ClubSeasonView
from scorekeeper.events.fields import OneOf, PlayerId
from scorekeeper.log.schema import data_schema
from scorekeeper.service.club_rights import ROLES

MAX_FIRST_MEMBERS: Final = 1_000  # of a new club, in the request that opens it
MAX_KEYS_PER_APPEND: Final = 200


# ------------------------------------------------------------------------------------- bodies


def _make_opening_schema() -> dict[str, Any]:
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


# ------------------------------------------------------------------------------------ answers


class ClubSecretsSchema(AnswerSchema):
    """The keys of a new club."""

    host = words("the key of the host, with all rights")
    view = words("the key to view")


class ClubOpenedSchema(PositionSchema):
    """A new club."""

    id = like(CLUB_ID, "its id in later requests")
    keys = part(ClubSecretsSchema, "the keys, shown only once: the server stores only their hashes")


class MemberSchema(AnswerSchema):
    """A member."""

    id = words("the id by which events name the member")
    name = words("the name of the member")
    left = flag("true if the member has left")


class EveningSchema(AnswerSchema):
    """An evening that counts."""

    session = words("the id of its session")
    title = words("the title; empty if the evening cannot be read here")
    began = words("the time at which the first hand was dealt; empty if it is unknown")
    head = words("the hash of its last event; empty if the evening cannot be read here")
    players = each(fields.String(allow_none=True), "the member for each player; null for a guest")
    unread = words(
        "the reason if it cannot be read here: `unknown`, `not_installed`, `not_followed`",
        allow_none=True,
    )
    followed = flag(
        "true if the key that entered it is still open; otherwise the evening is read "
        "as it was when the key was closed"
    )


class HouseSchema(AnswerSchema):
    """House rules that the club stores for its new tables."""

    name = words("the name of the house rules")
    game = words("the id of the game")
    options = each(
        fields.Raw(),
        "the options, as in `match_started`; options that are left out have their defaults",
    )
    unusable = words("the reason if no match can be played with them here", allow_none=True)


class ClubSchema(PositionSchema):
    """A club."""

    id = like(CLUB_ID, "its id")
    name = words("the name of the club")
    place = words("the place where it meets", allow_none=True)
    currency = words("the currency of its ledger", allow_none=True)
    zone = words("the time zone in which its days begin")
    members = many(part(MemberSchema), "all members, also those who left")
    evenings = many(part(EveningSchema), "the evenings that count, in the order of entering")
    seasons = many(part(schema_of(ClubSeasonView)), "its seasons")
    houses = many(part(HouseSchema), "the house rules that it stores")


class ClubEventSchema(StoredEventSchema):
    """An event of a club, word for word as its log has it."""

    type = one_of("the type of the event", OF_CLUBS)
    data = each(fields.Raw(), "the data of the event")


class ClubRecordedSchema(PositionSchema):
    """The events that were just recorded."""

    events = many(part(ClubEventSchema), "the events")


class ClubPageSchema(ClubRecordedSchema):
    """Some of the events of a club."""

    more = fields.Boolean(
        metadata={"description": "true if more events follow; else it is left out"}
    )


class ClubKeySchema(KeySchema):
    """A key, without its secret."""

    class Meta(KeySchema.Meta):
        """A club has no seats."""

        exclude = ("player",)

    role = one_of("the role", ROLES)
    member = words("the id of the member to whom the key belongs", allow_none=True)


class ClubKeysSchema(AnswerSchema):
    """The keys of a club."""

    keys = many(part(ClubKeySchema), "all keys ever made, the oldest first")


class NewClubKeySchema(ClubKeySchema):
    """A key just made."""

    key = words("the key itself, shown only once")
