"""``/tournament/<tournament_id>``: where everybody sits now, and what it is to one player."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import ForbiddenError, UnusableError
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import ENTRANT
from scorekeeper.tournaments.events import DirectorCalled
from scorekeeper.tournaments.hall_seats import RoundClock, find_clock, find_seat
from scorekeeper.tournaments.hall_views import HallTablesView, view_tables
from scorekeeper.web.forms.typed import clean_line, line_error
from scorekeeper.web.tournament.own_view import OwnView, view_own
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    record_in_tournament,
    see_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("tournament", __name__, url_prefix="/tournament/<tournament_id>")
blueprint.after_request(no_store)

MAX_CALL_CHARACTERS: Final = 400


@dataclass(frozen=True, slots=True)
class TournamentNow:
    """The tables of the latest round, and what the tournament is to the visitor, if they play.

    ``version`` is that of the log: a page is out of date when another event is recorded. ``names``
    are those of the entrants who sit out.
    """

    tables: HallTablesView
    names: Mapping[str, str]
    clock: RoundClock | None
    own: OwnView | None
    version: int
    zone: str

    def format_time(self, at: datetime) -> str:
        """Return a time in the time zone of the tournament."""
        return f"{at.astimezone(ZoneInfo(self.zone)):%H:%M}"


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the tables of the latest round, first what concerns the visitor."""
    return render_page(tournament_visitor(tournament_id))


@blueprint.post("/call")
def call(tournament_id: str) -> Response | tuple[str, int]:
    """Call the director to the table at which the visitor sits."""
    visitor = tournament_visitor(tournament_id, ENTRANT)
    about = clean_line(request.form.get("about", ""))
    wrong = line_error(about, MAX_CALL_CHARACTERS) if about else _("Say what it is about.")
    seat = tournaments().with_state(tournament_id, lambda state: find_seat(state, visitor.player))
    if seat is None:
        wrong = _("You can call the director while you sit at a table.")
    if seat is None or wrong:
        return render_page(visitor, str(wrong), about), 422
    data = {"round": seat.round, "table": seat.table, "about": about, "caller": visitor.player}
    try:
        record_in_tournament(visitor, NewEvent(DirectorCalled.TYPE, data))
    except (ForbiddenError, UnusableError) as error:
        return render_page(visitor, message_for_players(error), about), 422
    return to(url_for(".page", tournament_id=tournament_id), 303)


def render_page(visitor: TournamentVisitor, wrong: str = "", about: str = "") -> str:
    """Return the HTML page; ``wrong`` is what is wrong with a call that was typed."""
    now = see_tournament(visitor.tournament_id, lambda snapshot: _see_now(snapshot, visitor))
    return render_template(
        "tournament/page.html", at=visitor, now=now, tables=now.tables, own=now.own, wrong=wrong,
        about=about, server_time=tournaments().now(),
    )  # fmt: skip


def _see_now(snapshot: TournamentSnapshot, visitor: TournamentVisitor) -> TournamentNow:
    """Return the tournament as the visitor sees it now."""
    record = snapshot.state
    latest = record.find_latest_published()
    own = view_own(snapshot, visitor.player, visitor.entrant) if visitor.entrant else None
    table = own.seat.table if own is not None and own.seat is not None else 0
    playing = latest is not None and not latest.closed
    return TournamentNow(
        view_tables(record, latest, snapshot.results),
        {entrant: record.entrants[entrant].name for entrant in (latest.byes if latest else ())},
        find_clock(record, latest, table) if latest is not None and playing else None,
        own, snapshot.position.version, record.opening.zone or "UTC",
    )  # fmt: skip
