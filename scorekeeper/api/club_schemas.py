"""Schemas of the requests and answers about clubs."""

from typing import Any, Final

from marshmallow import fields

from scorekeeper.api.event_schemas import (
    GivenSchema,
    Matching,
    NewEvents,
    Time,
    member,
)
from scorekeeper.api.schemas import (
    CLUB_ID,
    ID,
    OF_CLUBS,
    AnswerSchema,
    counted,
    each,
    flag,
    like,
    many,
    number,
    one_of,
    part,
    words,
)
from scorekeeper.api.session_schemas import KeySchema, PositionSchema, StoredEventSchema
from scorekeeper.clubs.events import ClubOpened, MemberJoined
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


# ------------------------------------------------------------------------------------ answers


def figure_of(doc: str, *, none: bool = False) -> fields.Float:
    """Return the field of a required figure, which may have decimals; ``doc`` describes it."""
    return fields.Float(required=True, allow_none=none, metadata={"description": doc})


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


class ClubSeasonSchema(AnswerSchema):
    """A season."""

    id = words("the id, by which requests name the season")
    name = words("the name; empty for all evenings of a club without seasons")
    first = words("its first day; null for all evenings", allow_none=True, data_key="from")
    to = words("its last day, null while it is open", allow_none=True)
    games = many(fields.String(), "the ids of its games")
    ranking = each(fields.Raw(), "the ranking, as in `season_opened`")
    ties = many(fields.String(), "the tie-breaks, in the order of their use")
    closed = flag("true if the season is closed: its table shows the evenings as they were then")


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
    seasons = many(part(ClubSeasonSchema), "its seasons")
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


class MatchFigureSchema(AnswerSchema):
    """A member's result in one match."""

    match = counted("its number in the evening")
    game = words("the id of its game")
    figure = figure_of("the figure that counts for the season")
    total = number("the score of the member in the match")
    hands = counted("the number of complete hands in which the member took part")
    won = figure_of("1 if won, 0 if not, a fraction if shared")
    provisional = flag("true if the figure may still change")
    rating = fields.Dict(
        metadata={
            "description": "the ratings before and after the match, if the season counts ratings"
        }
    )


class EveningFigureSchema(AnswerSchema):
    """A member's result in one evening."""

    session = words("the id of its session")
    figure = figure_of("the figure that counts for the season")
    counted = flag(
        "true if it counts; false if only the best evenings count and it is not one of them"
    )
    matches = many(part(MatchFigureSchema), "its matches")


class AdjustmentSchema(AnswerSchema):
    """Points that the club gave or took."""

    points = number("the points, with their sign")
    reason = words("the reason")
    event = counted("the seq of the event in the club's log")


class RowSchema(AnswerSchema):
    """One member's line of the table."""

    place = number("the place; null for a member with too few evenings", allow_none=True)
    shared = flag("true if others have the same place")
    parted_by = words(
        "the tie-break that separated the member from others with the same figure", allow_none=True
    )
    member = words("the id of the member")
    name = words("the name of the member")
    figure = figure_of("the figure by which members are ranked")
    shown = words("the figure as pages show it")
    evenings = counted("the number of evenings")
    matches = counted("the number of matches")
    hands = counted("the number of complete hands")
    won = figure_of("the number of matches won; a shared one counts in part")
    provisional = flag("true if the figure may still change")
    made_of = many(part(EveningFigureSchema), "the evenings that make up the figure")
    adjustments = many(part(AdjustmentSchema), "the points that the club gave or took")
    ratings = fields.Dict(
        metadata={"description": "the ratings by game, if the season counts ratings"}
    )


class LeftOutSchema(AnswerSchema):
    """A match that is not added, because its points are of another kind."""

    session = words("the id of its session")
    match = counted("its number in the evening")


class MovedSchema(AnswerSchema):
    """A member whose place a correction after the close would change."""

    member = words("the id of the member")
    name = words("the name of the member")
    figure = figure_of("the figure in the final table; null if they are not in it", none=True)
    place = number("the place in the final table", allow_none=True)
    figure_now = figure_of(
        "the figure with the corrections; null if they would not be in it", none=True
    )
    place_now = number("the place with the corrections", allow_none=True)


class AfterTheCloseSchema(AnswerSchema):
    """Corrections after a season was closed, which are not in its table."""

    changed = many(fields.String(), "evenings of the table whose logs went on")
    withdrawn = many(fields.String(), "evenings of the table that no longer count")
    entered = many(fields.String(), "evenings that a table made now would also contain")
    lost = many(
        fields.String(),
        "evenings of the table that cannot be read here; the table is made without them",
    )
    moved = many(part(MovedSchema), "the members whose places would change")


class StandingsSchema(AnswerSchema):
    """The table of a season."""

    season = part(ClubSeasonSchema, "the season")
    evenings = many(fields.String(), "the ids of the sessions that it is made of")
    rows = many(part(RowSchema), "the rows, the first place first")
    left_out = many(part(LeftOutSchema), "the matches that it does not add")
    after_the_close = part(
        AfterTheCloseSchema, "later corrections; only for a closed season", required=False
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
