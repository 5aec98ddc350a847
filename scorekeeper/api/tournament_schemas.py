"""Schemas of the requests about tournaments."""

from typing import Final

from scorekeeper.api.event_schemas import (
    GivenSchema,
    Matching,
    NewEvents,
    ReaderSchema,
    TableReaderSchema,
    Time,
    WholeNumber,
    member,
    name_tournament_event,
)
from scorekeeper.api.schemas import ID, OF_TOURNAMENTS
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.fields import Each, Many, OneOf, PlayerId, Whole, Words
from scorekeeper.games import GAMES
from scorekeeper.log.schema import data_schema
from scorekeeper.service.tournament_rights import ROLES
from scorekeeper.tournaments.draws.draw import MAX_SEED
from scorekeeper.tournaments.events import (
    ENTRANT,
    MAX_ENTRANTS,
    MAX_TABLES,
    ROUND,
    STAGE,
    TABLE,
    TABLE_KEY,
    EntrantRegistered,
    TournamentOpened,
)

MAX_LIST_CHARACTERS: Final = 100_000
ADDRESS: Final = Words(500, name=True)
ASKED_ROUND: Final = (
    "the number of the round; by default the last published one. Only a director gets one that is "
    "not published"
)


def _make_opening_schema() -> JsonObject:
    """Return the JSON Schema of the body that opens a tournament: its first event, and entrants."""
    schema = data_schema(TournamentOpened)
    parts = {name: part for name, part in schema["properties"].items() if name != "format"}
    needed = [name for name in schema["required"] if name != "format"]
    entrants = {"type": "array", "maxItems": MAX_ENTRANTS, "items": data_schema(EntrantRegistered),
                "description": "the first entrants"}  # fmt: skip
    return {**schema, "properties": {**parts, "registered": entrants}, "required": needed}


OPENING: Final = _make_opening_schema()


class TournamentAppendSchema(GivenSchema):
    """Events of a tournament to be recorded, all of them or none."""

    events = NewEvents(
        "the events in order; their types are those of a tournament: "
        + ", ".join(f"`{name}`" for name in OF_TOURNAMENTS),
        [name_tournament_event(name) for name in OF_TOURNAMENTS],
    )


class EntrantsSchema(GivenSchema):
    """A list of entrants, as it is pasted."""

    text = member(
        Words(MAX_LIST_CHARACTERS),
        "a name on each line, or CSV with the columns `name`, `partner` (of pairs), `group` and "
        "`seed`; the players of a pair may stand on one line with `&`, `+` or `/` between them",
    )
    from_round = member(ROUND, "the first round, for late entries", optional=True)


class PublishSchema(GivenSchema):
    """The round to publish."""

    round = member(ROUND, "the number of the round")
    paper = member(
        Many(TABLE, most=MAX_TABLES),
        "the numbers of the tables that are played on paper; all others get a session",
        optional=True,
    )


class DrawSchema(GivenSchema):
    """The draw that is asked for."""

    seed = member(
        Whole(0, MAX_SEED), "the same seed draws the same, else one at random", optional=True
    )


class CheckSchema(GivenSchema):
    """A round that was drawn by hand."""

    round = member(ROUND, "the number of the round")
    tables = member(
        Many(Many(ENTRANT, fewest=1, most=20, unique=False), most=MAX_TABLES, unique=False),
        "the entrants of each table, in seat order",
    )
    byes = member(Many(ENTRANT, unique=False), "who sits out", optional=True)


class TournamentKeyBodySchema(GivenSchema):
    """A key to be made."""

    role = member(OneOf(ROLES), "the role", type="string")
    player = member(
        PlayerId(), "the player of an entrant; only with the role of an entrant", optional=True
    )
    expires = Time("the time at which the key expires, in UTC")
    replaces = Matching(ID, "the id of a key", "the id of a key that is revoked in exchange")


class EntrantKeysSchema(GivenSchema):
    """Keys for all players of the entrants who have none."""

    expires = Time("the time at which the keys expire, in UTC")


class StandingsSchema(GivenSchema):
    """The standings that are asked for."""

    stage = WholeNumber(STAGE, "the number of the stage; by default the last that has begun")
    round = WholeNumber(ROUND, "the last round that counts; by default the last one")
    team = WholeNumber(Whole(1, MAX_ENTRANTS), "with a table of groups: the best so many of each")


class PresetsSchema(GivenSchema):
    """The presets that are asked for."""

    game = member(OneOf(tuple(GAMES)), "the id of the game", type="string")
    entrants = WholeNumber(Whole(2, MAX_ENTRANTS), "the number of entrants, else any")
    minutes = WholeNumber(Whole(1, 24 * 60), "how long the evening is, else any time")


class StandingsFileSchema(TableReaderSchema, StandingsSchema):
    """The standings that a file has, and its reader."""


class SeatingFileSchema(TableReaderSchema):
    """The round whose seating a file has, and its reader."""

    round = WholeNumber(ROUND, ASKED_ROUND)


class PagesSchema(ReaderSchema):
    """The stage or the round that printed pages are about, and their reader."""

    stage = WholeNumber(STAGE, "the number of the stage; by default the last that has begun")
    round = WholeNumber(ROUND, ASKED_ROUND)


class SlipsSchema(GivenSchema):
    """The addresses of the codes on slips; they hold keys, so nothing of them is stored."""

    round = member(ROUND, ASKED_ROUND, optional=True)
    tables = member(
        Each(TABLE_KEY, ADDRESS), "from the number of a table to an address", optional=True
    )
    players = member(Each(ENTRANT, ADDRESS), "from a player to an address", optional=True)


class RoundSchema(GivenSchema):
    """The round that a request is about."""

    round = WholeNumber(ROUND, "the number of the round; by default the last published one")
