"""``/api/clubs/<club>/…``: a member's figures, the records, the money, and files to take away."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, g, request

from scorekeeper.answers import jobs
from scorekeeper.api.club_figure_schemas import (
    ClubMoneySchema,
    FeedSchema,
    MemberFiguresSchema,
    RecordsSchema,
    SeasonReaderSchema,
    SeasonTableReaderSchema,
)
from scorekeeper.api.club_schemas import SeasonSchema
from scorekeeper.api.clubs import of_club, reads, season_of
from scorekeeper.api.decorators import CLUB, IF_NONE_MATCH, UNCHANGED, opened_in_club, takes_long
from scorekeeper.api.document import Blueprint, asks, refuses
from scorekeeper.api.exports import (
    BYTES,
    CALENDAR,
    CSV,
    PDF,
    PLAIN,
    TEXT,
    VARIANT,
    XLSX,
    for_reader,
)
from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.clubs import plain_figures
from scorekeeper.clubs.books import Books
from scorekeeper.exports.filenames import disposition
from scorekeeper.exports.season import SeasonFile
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import bare, worked_out
from scorekeeper.http.extensions import clubs
from scorekeeper.languages.reader import Reader

blueprint = Blueprint("club_figures", __name__, description="What the evenings of a club come to.")

# What each file is called, after the season.
ENDINGS: Final = {"csv": "csv", "xlsx": "xlsx", "pdf": "pdf", "ics": "ics", "text": "txt"}


# ------------------------------------------------------------------------------------ figures


@reads("/members/<member>", MemberFiguresSchema, "The figures.", SeasonSchema, on=blueprint)
def get_club_member(asked: Mapping[str, Any], club_id: str, member: str) -> Response:
    """Read what a member did, and how he does with and against each other member.

    Of a season, or of all evenings. By the id of who was merged it tells of who he is now.
    """

    def made(books: Books) -> Any:
        who = books.roll.now(member)
        if who not in books.roll.members:
            words = expected("a member of this club", member)
            raise UnusableError(Cause(words, "no_such_member", member=member), field="member")
        return plain_figures.member(who, _played(books, asked), books.names)

    return of_club(club_id, f"member {member}", made)


@reads("/records", RecordsSchema, "The records.", SeasonSchema, on=blueprint)
def get_club_records(asked: Mapping[str, Any], club_id: str) -> Response:
    """Read what nobody in the club has surpassed, in a season or ever."""

    def made(books: Books) -> Any:
        return plain_figures.records(_played(books, asked), books.names)

    return of_club(club_id, "records", made)


def _played(books: Books, asked: Mapping[str, Any]) -> Any:
    """The evenings of the season that is asked about, else all of them."""
    season = asked.get("season")
    return books.played(None if season is None else season_of(books, season))


@reads("/money", ClubMoneySchema, "The money.", on=blueprint)
def get_club_money(club_id: str) -> Response:
    """Read the ledger of a club: what its evenings came to, what was paid, and who owes whom.

    Amounts are in minor units of their currency, and those of one currency add up to nothing.
    """

    def made(books: Books) -> Any:
        return {"money": plain_figures.money(books.ledgers(), books.names)}

    return of_club(club_id, "money", made)


# -------------------------------------------------------------------------------------- files


def made_as(
    form: str, media: str, description: str, query: Any = SeasonReaderSchema, *, link: bool = False
) -> Any:
    """Let a view answer with a file of a season for a reader, which takes long to make."""
    schema = TEXT if media.startswith("text/") else BYTES
    route = blueprint.route(f"/clubs/<club>/exports/{form}", parameters=[CLUB])
    response = blueprint.response(
        200, schema, content_type=media, description=description, headers=VARIANT
    )
    unchanged = Blueprint.doc(responses={304: {**UNCHANGED, "headers": VARIANT}})

    def decorate(view: Any) -> Any:
        asked = blueprint.query(query)(asks(IF_NONE_MATCH)(unchanged(view)))
        open_to = opened_in_club(*ANY, link=link)(asked)
        return route(response(takes_long(refuses("malformed", "unusable")(open_to))))

    return decorate


@made_as("csv", CSV, "One row for each member and evening.", SeasonTableReaderSchema)
def get_season_table(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season with what each evening brought each member."""
    return _of_season(asked, club_id, "csv", f"{CSV}; charset=utf-8")


@made_as("xlsx", XLSX, "A workbook.")
def get_season_workbook(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season, the evenings that make it, and how it is ranked."""
    return _of_season(asked, club_id, "xlsx", XLSX)


@made_as("pdf", PDF, "The table on A4.")
def get_season_paper(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season, to be printed: on one page, of up to fifty members."""
    return _of_season(asked, club_id, "pdf", PDF)


@made_as("text", PLAIN, "The table in a few lines.")
def get_season_text(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season as a text for a chat."""
    return _of_season(asked, club_id, "text", f"{PLAIN}; charset=utf-8")


@made_as("ics", CALENDAR, "The evenings, for a calendar.", FeedSchema, link=True)
def get_club_calendar(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the evenings of a club, or of a season, as a feed for a calendar.

    A calendar that subscribes to an address sends no header: `key` in the query does instead,
    which has to be a key to view. Evenings of which no time is known are not in it.
    """
    season = asked.get("season")

    def file(books: Books, reader: Reader) -> SeasonFile:
        if season is None:
            return SeasonFile.of_evenings(books, reader)
        return SeasonFile.of(books, season_of(books, season), reader)

    return _file(asked, club_id, "ics", f"{CALENDAR}; charset=utf-8", file)


def _of_season(asked: Mapping[str, str], club_id: str, form: str, media: str) -> Response:
    def file(books: Books, reader: Reader) -> SeasonFile:
        return SeasonFile.of(books, season_of(books, asked.get("season")), reader)

    return _file(asked, club_id, form, media, file)


def _file(asked: Mapping[str, str], club_id: str, form: str, media: str, make: Any) -> Response:
    """A file made of a club as it stands; others record on while it is written."""

    @for_reader
    def written(reader: Reader) -> Response:
        known = f"{clubs().see(club_id, lambda books: books.tag)}{g.variant}"
        if request.if_none_match.contains_weak(known):
            answer = bare(304)
            answer.headers["ETag"] = f'"{known}"'
            return answer
        season, tag = clubs().see(club_id, lambda books: (make(books, reader), books.tag))
        key = (club_id, tag, form, asked.get("season"), reader)
        body = worked_out(club_id, key, jobs.export_season, lambda: (season, form))
        answer = Response(body, content_type=media)
        name = f"{season.name}.{ENDINGS[form]}"
        answer.headers["Content-Disposition"] = disposition(name)
        answer.headers["ETag"] = f'"{tag}{g.variant}"'
        return answer

    return written(asked)
