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


def _opening() -> dict[str, Any]:
    """Return the schema of the body that opens a club: its first event, and its first members."""
    schema = data_schema(ClubOpened)
    parts = {name: part for name, part in schema["properties"].items() if name != "format"}
    people = {"type": "array", "maxItems": MAX_FIRST_MEMBERS, "items": data_schema(MemberJoined),
              "description": "who is in it from the beginning"}  # fmt: skip
    return {**schema, "properties": {**parts, "members": people}, "required": ["name"]}


OPENING: Final = _opening()


class ClubAppendSchema(GivenSchema):
    """Events of a club to be recorded, all of them or none."""

    events = NewEvents(
        "in the order in which they are to stand; their types are those of a club: "
        + ", ".join(f"`{name}`" for name in OF_CLUBS),
        OF_CLUBS,
    )
    keys = fields.List(
        fields.String(),
        validate=lambda keys: len(keys) <= MAX_KEYS_PER_APPEND,
        metadata={"description": "keys to the evenings that are entered, which are not kept",
                  "maxItems": MAX_KEYS_PER_APPEND},
    )  # fmt: skip


class ClubKeyBodySchema(GivenSchema):
    """A key to be made."""

    role = member(OneOf(ROLES), "what it opens", type="string")
    whose = member(PlayerId(), "whose it is, and only with a member's", optional=True)
    whose.data_key = "member"
    expires = Time("when it opens nothing any more, in UTC")
    replaces = Matching(ID, "the id of a key", "the id of a key to be revoked for it")


class SeasonSchema(GivenSchema):
    """The season that a request is about."""

    season = member(PlayerId(), "its id; else that which began last, or all evenings",
                    optional=True)  # fmt: skip


# ------------------------------------------------------------------------------------ answers


def figure_of(doc: str, *, none: bool = False) -> fields.Float:
    """Return the field of a figure, which need not be a whole number."""
    return fields.Float(required=True, allow_none=none, metadata={"description": doc})


class ClubSecretsSchema(AnswerSchema):
    """The keys of a new club."""

    host = words("opens everything")
    view = words("opens the session or club to viewers")


class ClubOpenedSchema(PositionSchema):
    """A new club."""

    id = like(CLUB_ID, "its id in later requests")
    keys = part(ClubSecretsSchema, "shown only once, stored only hashed")


class MemberSchema(AnswerSchema):
    """A member."""

    id = words("by which events name the member")
    name = words("what the others call the member")
    left = flag("whether the member has left")


class EveningSchema(AnswerSchema):
    """An evening that counts."""

    session = words("the id of its session")
    title = words("what it is called; empty where it cannot be read here")
    began = words("when its first hand was dealt; empty where no time is known")
    head = words("the hash of its last event; empty where it cannot be read here")
    players = each(fields.String(allow_none=True), "from its players to members, null for a guest")
    unread = words(
        "why it cannot be read here: `unknown`, `not_installed`, `not_followed`", allow_none=True
    )
    followed = flag(
        "whether the key that entered it still opens it; else it stands here as it was then"
    )


class ClubSeasonSchema(AnswerSchema):
    """A season."""

    id = words("by which it is asked for")
    name = words("what it is called; empty for all evenings of a club without seasons")
    first = words("its first day; null for all evenings", allow_none=True, data_key="from")
    to = words("its last day, null while it is open", allow_none=True)
    games = many(fields.String(), "the ids of its games")
    ranking = each(fields.Raw(), "what is counted, as `season_opened` has it")
    ties = many(fields.String(), "what parts equals, one after the other")
    closed = flag("whether it was closed: its table is that of the evenings as they stood then")


class HouseSchema(AnswerSchema):
    """House rules that the club stores for its new tables."""

    name = words("what the club calls them")
    game = words("the id of the game")
    options = each(fields.Raw(), "as `match_started` has them: those left out have their defaults")
    unusable = words("why no match can be played by them here", allow_none=True)


class ClubSchema(PositionSchema):
    """A club."""

    id = like(CLUB_ID, "its id")
    name = words("what it is called")
    place = words("where it meets", allow_none=True)
    currency = words("the currency of its ledger", allow_none=True)
    zone = words("the time zone in which its days begin")
    members = many(part(MemberSchema), "all members, also those who left")
    evenings = many(part(EveningSchema), "what counts, in the order of entering")
    seasons = many(part(ClubSeasonSchema), "its seasons")
    houses = many(part(HouseSchema), "the house rules that it keeps")


class ClubEventSchema(StoredEventSchema):
    """An event of a club, word for word as its log has it."""

    type = one_of("what happened", OF_CLUBS)
    data = each(fields.Raw(), "its facts")


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
    figure = figure_of("what is counted of it")
    total = number("the member's score in it")
    hands = counted("complete hands in which the member took part")
    won = figure_of("1, 0, or a part where shared")
    provisional = flag("whether it may still change by itself")
    rating = fields.Dict(metadata={"description": "before and after it, where ratings are counted"})


class EveningFigureSchema(AnswerSchema):
    """A member's result in one evening."""

    session = words("the id of its session")
    figure = figure_of("what is counted of it")
    counted = flag("whether it counts: of the best evenings others do")
    matches = many(part(MatchFigureSchema), "its matches")


class AdjustmentSchema(AnswerSchema):
    """Points that the club gave or took."""

    points = number("how many, with their sign")
    reason = words("why")
    event = counted("the seq of the event in the club's log")


class RowSchema(AnswerSchema):
    """One member's line of the table."""

    place = number("null below the line", allow_none=True)
    shared = flag("whether others have the same place")
    parted_by = words(
        "the tie-break that separated the member from others with the same figure", allow_none=True
    )
    member = words("the id of the member")
    name = words("what the others call the member")
    figure = figure_of("what is counted")
    shown = words("the figure as people read it")
    evenings = counted("how many evenings")
    matches = counted("how many matches")
    hands = counted("how many complete hands")
    won = figure_of("matches won, shared ones in part")
    provisional = flag("whether the figure may still change by itself")
    made_of = many(part(EveningFigureSchema), "the evenings that make the figure")
    adjustments = many(part(AdjustmentSchema), "points that the club gave or took")
    ratings = fields.Dict(metadata={"description": "by game, where ratings are counted"})


class LeftOutSchema(AnswerSchema):
    """A match that is not added, because its points are of another kind."""

    session = words("the id of its session")
    match = counted("its number in the evening")


class MovedSchema(AnswerSchema):
    """A member whose place a correction after the close would change."""

    member = words("the id of the member")
    name = words("what the others call the member")
    figure = figure_of("the figure in the final table; null if they are not in it", none=True)
    place = number("the place there", allow_none=True)
    figure_now = figure_of("what it would be now; null if they would not be in it", none=True)
    place_now = number("the place that it would give", allow_none=True)


class AfterTheCloseSchema(AnswerSchema):
    """Corrections after a season was closed, which are not in its table."""

    changed = many(fields.String(), "evenings of the table whose logs went on")
    withdrawn = many(fields.String(), "evenings of the table that no longer count")
    entered = many(fields.String(), "evenings that would be in it now")
    lost = many(
        fields.String(), "evenings of the table that cannot be read here: it is made without them"
    )
    moved = many(part(MovedSchema), "the members whose places that would change")


class StandingsSchema(AnswerSchema):
    """The table of a season."""

    season = part(ClubSeasonSchema, "which season")
    evenings = many(fields.String(), "the sessions that it is made of")
    rows = many(part(RowSchema), "its rows in order")
    left_out = many(part(LeftOutSchema), "matches that it does not add")
    after_the_close = part(AfterTheCloseSchema, "of a closed season", required=False)


class ClubKeySchema(KeySchema):
    """A key, without its secret."""

    class Meta(KeySchema.Meta):
        """A club has no seats."""

        exclude = ("player",)

    role = one_of("what it opens", ROLES)
    member = words("whose it is", allow_none=True)


class ClubKeysSchema(AnswerSchema):
    """The keys of a club."""

    keys = many(part(ClubKeySchema), "all that were ever made, the oldest first")


class NewClubKeySchema(ClubKeySchema):
    """A key just made."""

    key = words("the key itself, shown only once")
