"""``/tournament/<tournament_id>/print``: pages to print, and files of the seats and standings."""

from collections.abc import Callable
from typing import Final, NamedTuple

from flask import Blueprint, render_template, url_for
from flask_babel import lazy_gettext as _l

from scorekeeper.exports.tournament_formats import TOURNAMENT_FORMATS
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.preferences import request_language
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.web.tournament.visitor import tournament_visitor

blueprint = Blueprint("tournament_print", __name__, url_prefix="/tournament/<tournament_id>/print")
blueprint.after_request(no_store)

SEATING: Final = "tournament_exports.get_tournament_seating_file"
STANDINGS: Final = "tournament_exports.get_tournament_standings_file"
PAGES: Final = "tournament_exports.get_tournament_pages"
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
    visitor = tournament_visitor(tournament_id)
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
        "tournament/print.html", at=visitor, ready=ready,
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
