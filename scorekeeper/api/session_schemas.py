"""Schemas of the answers about sessions and keys."""

from marshmallow import fields

from scorekeeper.api.schemas import (
    CLUB_ID,
    HASH,
    ID,
    TIME,
    AnswerSchema,
    counted,
    each,
    flag,
    like,
    many,
    one_of,
    part,
    words,
)
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.log.schema import SEAL_FIELDS
from scorekeeper.report import views
from scorekeeper.store import ROLES


class SecretsSchema(AnswerSchema):
    """The keys of a new session."""

    host = words("the key of the host, with all rights")
    view = words("the key to view")
    seats = each(fields.String(), "the key of each player")


class PositionSchema(AnswerSchema):
    """The version and head of a session or club."""

    version = counted("the seq of its last event")
    head = like(HASH, "the hash of its last event")


class TestimonySchema(PositionSchema):
    """The comparison of a remembered head with the log, and the present end of the log."""

    holds = flag("true if the log has that hash at that version")


class OpenedSchema(PositionSchema):
    """A new session."""

    id = like(ID, "its id in later requests")
    keys = part(SecretsSchema, "the keys, shown only once: the server stores only their hashes")


# ------------------------------------------------------------------------------------- events


class StoredEventSchema(schema_of(views.EventView)):  # type: ignore[misc]
    """An event as the log has it, except that the data of a face-down event is null."""

    data = each(fields.Raw(), "the data; null while the event lies face down", allow_none=True)
    seq = counted("the place in the session")
    at = like(TIME, "the time at which it was recorded")
    by = like(SEAL_FIELDS["by"]["pattern"], "the author: a player, keeper or import")
    hash = like(HASH, "the hash of the event")


class StreamSchema(PositionSchema):
    """Consecutive events of a session."""

    events = many(part(StoredEventSchema), "the events")


class PageSchema(StreamSchema):
    """Some of the events of a session."""

    more = fields.Boolean(
        metadata={"description": "true if more events follow; else it is left out"}
    )


class RecordedSchema(StreamSchema):
    """The events that were just recorded, and the new findings."""

    findings = many(part(schema_of(views.FindingView)), "the new findings")


# --------------------------------------------------------------------------------------- keys


class KeySchema(AnswerSchema):
    """A key, without its secret."""

    id = like(ID, "the id, by which the key is revoked")
    role = one_of("the role", ROLES)
    player = words("the player whose seat it is", allow_none=True)
    created = like(TIME, "the time at which it was made")
    expires = like(TIME, "the time at which it expires", allow_none=True)
    revoked = like(TIME, "the time at which it was revoked", allow_none=True)
    last_used = like(TIME, "the time of its last use, to the hour", allow_none=True)


class KeysSchema(AnswerSchema):
    """The keys of a session."""

    keys = many(part(KeySchema), "all keys ever made, the oldest first")


class FollowerSchema(AnswerSchema):
    """A club that counts the session."""

    club = like(CLUB_ID, "the id of the club")
    name = words("the name of the club")
    keys = many(
        like(ID, "a key of the session"), "the keys by which it was entered; none if by its host"
    )
    followed = flag("true if the club reads new events")
    version = counted("the last version that the club reads; null for all", allow_none=True)
    head = words(
        "the hash of the event at that version; null for all, empty at version 0", allow_none=True
    )


class FollowersSchema(AnswerSchema):
    """The clubs that count the session."""

    clubs = many(part(FollowerSchema), "the clubs, by name")


class NewKeySchema(KeySchema):
    """A key just made."""

    key = words("the key itself, shown only once")
