"""``/tournament/<tournament_id>/print``: pages to print, and files of the seats and standings."""

import time
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Final, NamedTuple

from flask import Blueprint, Response, render_template, request, url_for
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound

from scorekeeper.answers import jobs
from scorekeeper.base.errors import BusyError
from scorekeeper.exports.filenames import content_disposition
from scorekeeper.exports.tournament import TournamentFile
from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS
from scorekeeper.http.answering import compute_secret
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import reader_of, request_language
from scorekeeper.service.slip_keys import count_slips, make_player_keys, make_table_keys
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.web.frame.form_keys import MAX_WAIT_SECONDS, POLL_SECONDS, form_attempt
from scorekeeper.web.opening.share import link_address
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    see_tournament,
    tournament_visitor,
)

blueprint = Blueprint("tournament_print", __name__, url_prefix="/tournament/<tournament_id>/print")
blueprint.after_request(no_store)

SEATING: Final = "tournament_exports.get_tournament_seating_file"
STANDINGS: Final = "tournament_exports.get_tournament_standings_file"
PAGES: Final = "tournament_exports.get_tournament_pages"
SLIPS: Final = "slips.pdf"
SLIP_KINDS: Final = ("players", "tables")
# The pages to print, each with the call that makes it.
PRINTED: Final = (
    ("score_sheets", _l("Blank score sheet of each table")),
    ("road_cards", _l("Road cards: round, table and seat of each")),
    ("cross_table", _l("Who met whom")),
    ("prizes", _l("Prizes")),
)


class ReadyFiles(NamedTuple):
    """What can be printed now: the latest round, and whether all rounds of its stage are out."""

    round: int
    all_rounds: bool
    prizes: bool


@blueprint.get("")
def page(tournament_id: str) -> str:
    """List the pages to print, and the files."""
    return render_print(tournament_visitor(tournament_id))


def render_print(visitor: TournamentVisitor, wrong: str = "") -> str:
    """Return the HTML page; only a director can print slips."""
    tournament_id = visitor.tournament_id
    ready = tournaments().with_state(tournament_id, list_ready)
    language = request_language()

    def address(endpoint: str, form: str) -> str:
        return url_for(endpoint, tournament=tournament_id, form=form,
                       language=language)  # fmt: skip

    left_out = {
        *(() if ready.round else ("score_sheets", "road_cards", "cross_table")),
        *(() if ready.all_rounds else ("road_cards",)),
        *(() if ready.prizes else ("prizes",)),
    }
    return render_template(
        "tournament/print.html", at=visitor, ready=ready, wrong=wrong,
        slips=count_slips(tournaments(), tournament_id) if visitor.directs else None,
        printed=[(address(PAGES, form), words) for form, words in PRINTED if form not in left_out],
        seating=list_files("seating.", lambda form: address(SEATING, form)) if ready.round else [],
        standings=list_files("standings.", lambda form: address(STANDINGS, form)),
    )  # fmt: skip


def list_ready(record: TournamentRecord) -> ReadyFiles:
    """Return what can be printed of the published rounds."""
    latest = record.find_latest_published()
    if latest is None:
        return ReadyFiles(0, all_rounds=False, prizes=bool(record.opening.prizes))
    published = sum(drawn.published and drawn.stage == latest.stage
                    for drawn in record.rounds.values())  # fmt: skip
    all_rounds = published >= record.stages[latest.stage - 1].rounds
    return ReadyFiles(latest.number, all_rounds, bool(record.opening.prizes))


def list_files(before: str, address: Callable[[str], str]) -> list[tuple[str, str]]:
    """Return the address and the kind of each file whose name begins with a text."""
    forms = [name.removeprefix(before) for name in TOURNAMENT_FORMATS if name.startswith(before)]
    return [(address(form), form.upper()) for form in forms]


@blueprint.post("/slips")
def slips(tournament_id: str) -> Response | tuple[str, int]:
    """Make keys for players or tables, and answer with their slips: the PDF is their only copy.

    Those who have a key get none, unless the form says that older slips are to stop working. The
    same form again gets the same slips.
    """
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    kind = request.form.get("for", "")
    if kind not in SLIP_KINDS:
        raise NotFound
    renew = request.form.get("renew") == "yes"
    asked = tournaments(), tournament_id, form_attempt()
    players = make_player_keys(*asked, renew=renew) if kind == "players" else {}
    tables = make_table_keys(*asked, renew=renew) if kind == "tables" else {}
    if not players and not tables:
        wrong = str(_("There are slips or links already. Nothing was printed."))
        return render_print(visitor, wrong), HTTPStatus.CONFLICT
    file = see_tournament(
        tournament_id,
        lambda snapshot: TournamentFile.of(
            tournament_id, snapshot.state, snapshot.results, reader_of({}),
            scoreboard=snapshot.scoreboard,
        ),
    )  # fmt: skip
    slips_file = _draw_slips(
        file,
        {table: link_address(new.key, new.secret) for table, new in tables.items()},
        {player: link_address(new.key, new.secret) for player, new in players.items()},
        tournament_id,
    )
    answer = Response(slips_file, content_type=TOURNAMENT_FORMATS["seating.pdf"].media)
    answer.headers["Content-Disposition"] = content_disposition(f"{file.name}-{SLIPS}")
    return answer


def _draw_slips(
    file: TournamentFile, tables: Mapping[int, str], players: Mapping[str, str], subject: str
) -> bytes:
    """Return slips with these addresses as a PDF.

    Raises `BusyError` if it is still busy after a moment: the form may have been sent twice.
    """
    end = time.monotonic() + MAX_WAIT_SECONDS
    while True:
        try:
            return compute_secret(subject, jobs.draw_slips, file, tables, players)
        except BusyError:
            if time.monotonic() > end:
                raise
            time.sleep(POLL_SECONDS)
