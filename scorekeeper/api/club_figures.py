"""``/api/clubs/<club>/…``: a member's figures, the records, the money, and files to download."""

from collections.abc import Mapping
from typing import Any, Final

from flask import Response, g, request

from scorekeeper.answers import jobs
from scorekeeper.api.club_schemas import (
    FeedSchema,
    SeasonReaderSchema,
    SeasonSchema,
    SeasonTableReaderSchema,
)
from scorekeeper.api.clubs import of_club, reads, season_of
from scorekeeper.api.decorators import CLUB, IF_NONE_MATCH, UNCHANGED, opened_in_club, takes_long
from scorekeeper.api.document import Blueprint, Decorator, Endpoint, asks, refuses
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
from scorekeeper.api.view_schemas import schema_of
from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.ledger import view_ledgers
from scorekeeper.clubs.members import view_member
from scorekeeper.clubs.money_views import ClubMoneyView
from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.views import MemberFiguresView, RecordsView
from scorekeeper.exports.filenames import content_disposition
from scorekeeper.exports.season import SeasonFile
from scorekeeper.http.access import ANY
from scorekeeper.http.answering import bodiless_answer, compute
from scorekeeper.http.extensions import clubs
from scorekeeper.languages.reader import Reader

blueprint = Blueprint("club_figures", __name__, description="Figures over the evenings of a club.")

# The ending of each file; its name is that of the season.
ENDINGS: Final = {"csv": "csv", "xlsx": "xlsx", "pdf": "pdf", "ics": "ics", "text": "txt"}


# ------------------------------------------------------------------------------------ figures


@reads(
    "/members/<member>", schema_of(MemberFiguresView), "The figures.", SeasonSchema, on=blueprint
)
def get_club_member(asked: JsonObject, club_id: str, member: str) -> Response:
    """Return the figures of a member, and their results with and against each other member.

    Of a season, or of all evenings. The id of a merged member returns the member into whom they
    were merged.
    """

    def make(snapshot: ClubSnapshot) -> MemberFiguresView:
        who = snapshot.state.get_current_id(member)
        if who not in snapshot.state.members:
            words = expected("a member of this club", member)
            raise UnusableError(Cause(words, "no_such_member", member=member), field="member")
        return view_member(who, _list_evenings(snapshot, asked), snapshot.names)

    return of_club(club_id, f"member {member}", make)


@reads("/records", schema_of(RecordsView), "The records.", SeasonSchema, on=blueprint)
def get_club_records(asked: JsonObject, club_id: str) -> Response:
    """Return the records of the club, of a season or of all evenings."""

    def make(snapshot: ClubSnapshot) -> RecordsView:
        return view_records(_list_evenings(snapshot, asked), snapshot.names)

    return of_club(club_id, "records", make)


def _list_evenings(snapshot: ClubSnapshot, asked: JsonObject) -> list[AttendedEvening]:
    """Return the evenings of the season in the query, or all of them if it names none."""
    season = asked.get("season")
    return snapshot.list_played(None if season is None else season_of(snapshot, season))


@reads("/money", schema_of(ClubMoneyView), "The money.", on=blueprint)
def get_club_money(club_id: str) -> Response:
    """Return the ledger of a club: evenings, payments, and balances.

    Amounts are in minor units of their currency, and the balances of one currency add up to 0.
    """

    def make(snapshot: ClubSnapshot) -> ClubMoneyView:
        return ClubMoneyView(view_ledgers(snapshot.compute_ledgers(), snapshot.names))

    return of_club(club_id, "money", make)


# -------------------------------------------------------------------------------------- files


def file_route(
    form: str, media: str, description: str, query: Any = SeasonReaderSchema, *, link: bool = False
) -> Decorator:
    """Return a decorator that serves a view's file of a season at ``exports/`` + ``form``.

    ``media`` is the content type. With ``link`` the address may contain a key to view.
    """
    schema = TEXT if media.startswith("text/") else BYTES
    route = blueprint.route(f"/clubs/<club>/exports/{form}", parameters=[CLUB])
    response = blueprint.response(
        200, schema, content_type=media, description=description, headers=VARIANT
    )
    unchanged = Blueprint.doc(responses={304: {**UNCHANGED, "headers": VARIANT}})

    def decorate(view: Endpoint) -> Endpoint:
        asked = blueprint.query(query)(asks(IF_NONE_MATCH)(unchanged(view)))
        open_to = opened_in_club(*ANY, link=link)(asked)
        return route(response(takes_long(refuses("malformed", "unusable")(open_to))))

    return decorate


@file_route("csv", CSV, "One row for each member and evening.", SeasonTableReaderSchema)
def get_season_table(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season with the points of each member in each evening."""
    return _season_file_answer(asked, club_id, "csv", f"{CSV}; charset=utf-8")


@file_route("xlsx", XLSX, "A workbook.")
def get_season_workbook(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season, the evenings that make it, and how it is ranked."""
    return _season_file_answer(asked, club_id, "xlsx", XLSX)


@file_route("pdf", PDF, "The table on A4.")
def get_season_paper(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season, to be printed: on one page, of up to fifty members."""
    return _season_file_answer(asked, club_id, "pdf", PDF)


@file_route("text", PLAIN, "The table in a few lines.")
def get_season_text(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the table of a season as a text for a chat."""
    return _season_file_answer(asked, club_id, "text", f"{PLAIN}; charset=utf-8")


@file_route("ics", CALENDAR, "The evenings, for a calendar.", FeedSchema, link=True)
def get_club_calendar(asked: Mapping[str, str], club_id: str) -> Response:
    """Export the evenings of a club, or of a season, as a feed for a calendar.

    A calendar that subscribes to an address sends no header: `key` in the query does instead,
    which has to be a key to view. Evenings without a known time are not in it.
    """
    season = asked.get("season")

    def file(snapshot: ClubSnapshot, reader: Reader) -> SeasonFile:
        if season is None:
            return SeasonFile.of_evenings(snapshot, reader)
        return SeasonFile.of(snapshot, season_of(snapshot, season), reader)

    return _file_answer(asked, club_id, "ics", f"{CALENDAR}; charset=utf-8", file)


def _season_file_answer(asked: Mapping[str, str], club_id: str, form: str, media: str) -> Response:
    """Return a file about the season in the query, in one form of the exports."""

    def file(snapshot: ClubSnapshot, reader: Reader) -> SeasonFile:
        return SeasonFile.of(snapshot, season_of(snapshot, asked.get("season")), reader)

    return _file_answer(asked, club_id, form, media, file)


def _file_answer(
    asked: Mapping[str, str], club_id: str, form: str, media: str, make: Any
) -> Response:
    """Return a file made by ``make`` from a snapshot of a club, or 304 if the client has it.

    ``form`` is that of the exports. No lock is held while the file is computed.
    """

    @for_reader
    def written(reader: Reader) -> Response:
        known = f"{clubs().see(club_id, lambda snapshot: snapshot.tag)}{g.variant}"
        if request.if_none_match.contains_weak(known):
            answer = bodiless_answer(304)
            answer.headers["ETag"] = f'"{known}"'
            return answer
        season, tag = clubs().see(club_id, lambda snapshot: (make(snapshot, reader), snapshot.tag))
        key = (club_id, tag, form, asked.get("season"), reader)
        body = compute(club_id, key, jobs.export_season, lambda: (season, form))
        answer = Response(body, content_type=media)
        name = f"{season.name}.{ENDINGS[form]}"
        answer.headers["Content-Disposition"] = content_disposition(name)
        answer.headers["ETag"] = f'"{tag}{g.variant}"'
        return answer

    return written(asked)
