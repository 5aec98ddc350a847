"""``/tournament/<tournament_id>``: where everybody sits now, and one's own table."""

from dataclasses import dataclass

from flask import Blueprint, render_template

from scorekeeper.http.headers import no_store
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.tournaments.hall_views import HallTablesView, HallTableView, view_tables
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    see_tournament,
    tournament_visitor,
)

blueprint = Blueprint("tournament", __name__, url_prefix="/tournament/<tournament_id>")
blueprint.after_request(no_store)


@dataclass(frozen=True, slots=True)
class OwnTable:
    """The table at which the visitor sits in the latest round; ``seat`` counts from 1."""

    table: HallTableView
    seat: int


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the tables of the latest round, first the visitor's own."""
    visitor = tournament_visitor(tournament_id)
    tables, tag = see_tournament(tournament_id, _view_latest)
    return render_template(
        "tournament/page.html", at=visitor, tables=tables, own=find_own(tables, visitor), tag=tag
    )


def _view_latest(snapshot: TournamentSnapshot) -> tuple[HallTablesView, str]:
    """Return the tables of the latest published round, and the tag of the tournament."""
    latest = snapshot.state.find_latest_published()
    return view_tables(snapshot.state, latest, snapshot.results), snapshot.tag


def find_own(tables: HallTablesView, visitor: TournamentVisitor) -> OwnTable | None:
    """Return the table of the visitor; None if they sit at none."""
    for table in tables.tables:
        seats = [seated.entrant for seated in table.entrants]
        if visitor.entrant in seats:
            return OwnTable(table, seats.index(visitor.entrant) + 1)
    return None
