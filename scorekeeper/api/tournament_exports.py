"""Files of a tournament to download: its standings, its seating, pages to print, slips."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from flask import Response, g, request

from scorekeeper.answers import jobs
from scorekeeper.api.decorators import (
    IF_NONE_MATCH,
    TOURNAMENT,
    UNCHANGED,
    opened_in_tournament,
    takes,
    takes_long,
)
from scorekeeper.api.document import Blueprint, Decorator, Endpoint, asks, refuses
from scorekeeper.api.event_schemas import GivenSchema
from scorekeeper.api.exports import BYTES, PDF, TEXT, VARIANT, for_reader
from scorekeeper.api.tournament_schemas import (
    PagesSchema,
    SeatingFileSchema,
    SlipsSchema,
    StandingsFileSchema,
)
from scorekeeper.api.tournaments import PATH
from scorekeeper.base.errors import UnusableError, expected
from scorekeeper.base.json_object import JsonObject
from scorekeeper.exports.filenames import content_disposition
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS
from scorekeeper.http.answering import MASKED_SUFFIX, bodiless_answer, compute, compute_secret
from scorekeeper.http.bodies import JSON
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import reader_of
from scorekeeper.languages.reader import Reader
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import DIRECTOR, ROLES

blueprint = Blueprint("tournament_exports", __name__, description="Files of a tournament.")

CHARSET: Final = "; charset=utf-8"
SLIPS: Final = "slips.pdf"
PRINTED: Final = ("score_sheets", "road_cards", "cross_table", "prizes")


class AskedFile(NamedTuple):
    """What a file is about: see `TournamentFile.of`."""

    stage: int | None = None
    after_round: int | None = None
    team: int = 0
    round_number: int | None = None


def file_route(
    before: str, forms: Sequence[str], after: str, asked: type[GivenSchema], what: str
) -> Decorator:
    """Return a decorator that serves the files whose name has a form between two texts.

    The view gets the query, the id of the tournament and the form.
    """
    form = {
        "name": "form", "in": "path", "schema": {"type": "string", "enum": list(forms)},
        "description": what,
    }  # fmt: skip
    media = [TOURNAMENT_FORMATS[f"{before}{known}{after}"].media for known in forms]
    content = {kind: {"schema": _describe_content(kind)} for kind in media}
    answers = {200: {"description": "The file.", "content": content, "headers": VARIANT},
               304: {**UNCHANGED, "headers": VARIANT}}  # fmt: skip
    rule = f"{PATH}/{before}<any({','.join(forms)}):form>{after}"
    route = blueprint.route(rule, parameters=[TOURNAMENT, form])

    def decorate(view: Endpoint) -> Endpoint:
        documented = asks(IF_NONE_MATCH)(Blueprint.doc(responses=answers)(view))
        documented = refuses("malformed", "unusable")(blueprint.query(asked)(documented))
        return route(takes_long(opened_in_tournament(*ROLES)(documented)))

    return decorate


def list_forms(before: str) -> list[str]:
    """Return the endings of the files whose names begin with a text."""
    return [name.removeprefix(before) for name in TOURNAMENT_FORMATS if name.startswith(before)]


def _describe_content(media: str) -> JsonObject:
    """Return the schema of files of a content type: JSON, text or bytes."""
    if media == JSON:
        return {"type": "object"}
    return TEXT if media.startswith("text/") else BYTES


@file_route("standings.", list_forms("standings."), "", StandingsFileSchema, "the kind of file")
def get_tournament_standings_file(asked: JsonObject, tournament_id: str, form: str) -> Response:
    """Export the standings of a stage: a table, a workbook, a page, a picture, a text.

    The HTML page is whole, without scripts, for a website.
    """
    about = AskedFile(asked.get("stage"), asked.get("round"), asked.get("team", 0))
    return _answer_with_file(asked, tournament_id, f"standings.{form}", about)


@file_route("seating.", list_forms("seating."), "", SeatingFileSchema, "the kind of file")
def get_tournament_seating_file(asked: JsonObject, tournament_id: str, form: str) -> Response:
    """Export the seating of a round; the PDF lists it by name and by table."""
    about = AskedFile(round_number=asked.get("round"))
    return _answer_with_file(asked, tournament_id, f"seating.{form}", about)


@file_route("", PRINTED, ".pdf", PagesSchema, "what is printed")
def get_tournament_pages(asked: JsonObject, tournament_id: str, form: str) -> Response:
    """Export pages to print: score sheets of a round, road cards, the cross table, the prizes.

    Road cards have all rounds of a stage; they are refused unless the reader may see all of them.
    """
    about = AskedFile(asked.get("stage"), round_number=asked.get("round"))
    return _answer_with_file(asked, tournament_id, f"{form}.pdf", about)


def _answer_with_file(
    asked: Mapping[str, Any], tournament_id: str, name: str, about: AskedFile
) -> Response:
    """Return a file of a tournament, or 304 if the client has it.

    No lock is held while the file is computed.
    """

    @for_reader
    def written(reader: Reader) -> Response:
        def prepare(snapshot: TournamentSnapshot) -> tuple[TournamentFile | None, str]:
            tag = f"{snapshot.tag}{MASKED_SUFFIX if g.masked else ''}{g.variant}"
            if request.if_none_match.contains_weak(tag):
                return None, tag
            return prepare_file(tournament_id, snapshot, about, reader), tag

        file, tag = tournaments().see(tournament_id, prepare)
        if file is None:
            answer = bodiless_answer(304)
        else:
            key = (tournament_id, tag, name, about, reader)
            body = compute(tournament_id, key, jobs.export_tournament, lambda: (file, name))
            answer = _download(body, file, name)
        answer.headers["ETag"] = f'"{tag}"'
        return answer

    return written(asked)


def prepare_file(
    tournament_id: str, snapshot: TournamentSnapshot, about: AskedFile, reader: Reader
) -> TournamentFile:
    """Return what the files of a tournament have, as far as the holder of the request may see it.

    Raises `UnusableError` for a stage or a round that does not exist or is not published.
    """
    return TournamentFile.of(
        tournament_id, snapshot.state, snapshot.results, reader, scoreboard=snapshot.scoreboard,
        changed=snapshot.changed_after_close, sees_draws=not g.masked, tag=snapshot.tag,
        **about._asdict(),
    )  # fmt: skip


def _download(body: bytes, file: TournamentFile, name: str) -> Response:
    """Return a file to download, with a name that begins with that of the tournament."""
    known = TOURNAMENT_FORMATS.get(name)
    media = known.media if known is not None else PDF
    answer = Response(body, content_type=f"{media}{CHARSET if media.startswith('text/') else ''}")
    answer.headers["Content-Disposition"] = content_disposition(f"{file.name}-{name}")
    return answer


@blueprint.route(f"{PATH}/{SLIPS}", methods=["POST"], parameters=[TOURNAMENT])
@blueprint.response(200, BYTES, content_type=PDF, description="The slips.")
@takes_long
@opened_in_tournament(DIRECTOR)
@takes(SlipsSchema())
def draw_tournament_slips(body: JsonObject, tournament_id: str) -> Response:
    """Print slips with a QR code each, ten on a page: of tables of a round, or of players.

    The addresses come from the client, since the server has only hashes of keys. Nothing is
    recorded, and no cache has the answer.
    """
    reader, about = reader_of({}), AskedFile(round_number=body.get("round"))
    file = tournaments().see(
        tournament_id, lambda snapshot: prepare_file(tournament_id, snapshot, about, reader)
    )
    tables = {_read_table(table): address for table, address in body.get("tables", {}).items()}
    slips = compute_secret(tournament_id, jobs.draw_slips, file, tables, body.get("players", {}))
    return no_store(_download(slips, file, SLIPS))


def _read_table(number: str) -> int:
    """Return the number of a table. Raises `UnusableError` if it is none."""
    if not number.isdecimal():
        raise UnusableError(expected("the number of a table", number), field="tables")
    return int(number)
