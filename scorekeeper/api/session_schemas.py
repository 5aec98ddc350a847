"""Schemas of the answers about sessions, prompts and keys."""

from marshmallow import fields, validate

from scorekeeper.api.report_schemas import FindingSchema
from scorekeeper.api.schemas import (
    CLUB_ID,
    EVENT_TYPES,
    HASH,
    ID,
    TIME,
    AnswerSchema,
    EventSchema,
    counted,
    each,
    flag,
    like,
    many,
    one_of,
    part,
    words,
)
from scorekeeper.log.schema import SEAL_FIELDS
from scorekeeper.play.prompts import LEVELS
from scorekeeper.store import ROLES


class SecretsSchema(AnswerSchema):
    """The keys of a new session."""

    host = words("opens everything")
    view = words("opens the session or club to viewers")
    seats = each(fields.String(), "the key of each player")


class PositionSchema(AnswerSchema):
    """The version and head of a session or club."""

    version = counted("the seq of its last event")
    head = like(HASH, "the hash of its last event")


class TestimonySchema(PositionSchema):
    """The comparison of a remembered head with the log, and the present end of the log."""

    holds = flag("whether the log has that hash at that version")


class OpenedSchema(PositionSchema):
    """A new session."""

    id = like(ID, "its id in later requests")
    keys = part(SecretsSchema, "shown only once, stored only hashed")


# ------------------------------------------------------------------------------------- events


class StoredEventSchema(EventSchema):
    """An event as the log has it, except that the data of a face-down event is null."""

    data = each(fields.Raw(), "its facts; null while they lie face down", allow_none=True)
    seq = counted("its place in the session")
    at = like(TIME, "when it was recorded")
    by = like(SEAL_FIELDS["by"]["pattern"], "who recorded it: a player, keeper or import")
    hash = like(HASH, "the link of the chain")


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

    findings = many(part(FindingSchema), "the findings that came with it")


# ------------------------------------------------------------------------------------ prompts


class CountsSchema(AnswerSchema):
    """The range of counts of a prompt that has too many to list."""

    field = words("the member of the data that holds a number for each side")
    sides = many(fields.String(), "the sides")
    totals = many(fields.Integer(), "what they make together: one of these, or anything")
    least = each(fields.Integer(), "the least of each side")
    most = each(fields.Integer(), "the most of each side")


class PromptSchema(AnswerSchema):
    """A type of event that can be recorded next, with its choices."""

    type = one_of("the type of the event", EVENT_TYPES)
    player = words("whose act it is, where it is one player's", allow_none=True)
    levels = many(fields.String(validate=validate.OneOf(LEVELS)), "where it belongs")
    choices = many(each(fields.Raw(), "the whole data of the event"), "the likeliest first")
    counts = part(CountsSchema, "where more can be chosen", required=False)


# --------------------------------------------------------------------------------------- keys


class KeySchema(AnswerSchema):
    """A key, without its secret."""

    id = like(ID, "by which it is revoked")
    role = one_of("what it opens", ROLES)
    player = words("whose seat it is", allow_none=True)
    created = like(TIME, "when it was made")
    expires = like(TIME, "when it opens nothing any more", allow_none=True)
    revoked = like(TIME, "when it was revoked", allow_none=True)
    last_used = like(TIME, "when it was used last, to the hour", allow_none=True)


class KeysSchema(AnswerSchema):
    """The keys of a session."""

    keys = many(part(KeySchema), "all that were ever made, the oldest first")


class FollowerSchema(AnswerSchema):
    """A club that counts the session."""

    club = like(CLUB_ID, "the id of the club")
    name = words("what the club is called")
    keys = many(like(ID, "a key of the session"), "by which it was entered; none for its host")
    followed = flag("whether the club reads what is recorded from now on")
    version = counted("up to where the club reads the session, null for all", allow_none=True)
    head = words("the hash of the event there, null for all; empty at version 0", allow_none=True)


class FollowersSchema(AnswerSchema):
    """The clubs that count the session."""

    clubs = many(part(FollowerSchema), "by name")


class NewKeySchema(KeySchema):
    """A key just made."""

    key = words("the key itself, shown only once")
