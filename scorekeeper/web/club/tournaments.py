"""``/club/<club_id>/tournaments``: the tournaments of a club, their winners and their tables."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

from flask import Blueprint, render_template
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.base.errors import BusyError, UnknownTournamentError
from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.http.access import own_key
from scorekeeper.http.extensions import tournaments
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.web.club.evening_lines import EveningLine, evening_lines, names_of_players
from scorekeeper.web.club.visitor import page_of_list, see_club, visitor_of

blueprint = Blueprint("club_tournaments", __name__, url_prefix="/club/<club_id>/tournaments")

MAX_WINNERS: Final = 10  # tournaments on a page whose winners are computed


class ClubTournament(NamedTuple):
    """A tournament in the list: its row, its winners, and whether this phone can open it."""

    line: EveningLine
    winners: Sequence[str]
    opens: bool


class TableLine(NamedTuple):
    """A table of a tournament that counts: its session, its players and whose match it was."""

    session_id: str
    round: int
    table: int
    names: Sequence[str]
    won: Sequence[str]
    open: bool


@blueprint.get("")
def page(club_id: str) -> str:
    """Show the tournaments of the club, the last one first."""
    visitor = visitor_of(club_id)
    lines, waiting = see_club(club_id, _list_tournaments)
    part = page_of_list(lines)
    shown = [
        ClubTournament(line, find_winners(line) if place < MAX_WINNERS else (),
                       own_key(line.session_id) is not None)
        for place, line in enumerate(part.shown)
    ]  # fmt: skip
    return render_template(
        "club/tournaments.html", at=visitor, part=part, tournaments=shown,
        waiting=[(id_, name, own_key(id_) is not None) for id_, name in waiting],
    )  # fmt: skip


@blueprint.get("/<tournament_id>")
def tables(club_id: str, tournament_id: str) -> str:
    """Show the tables of a tournament that count."""
    visitor = visitor_of(club_id)
    line, listed = see_club(club_id, lambda snapshot: _list_tables(snapshot, tournament_id))
    if line is None:
        raise NotFound(_("This tournament does not count for the club."))
    return render_template(
        "club/tournament.html", at=visitor, line=line, tables=listed, winners=find_winners(line),
        opens=own_key(tournament_id) is not None,
    )  # fmt: skip


def find_winners(line: EveningLine) -> Sequence[str]:
    """Return the names of the entrants who won a closed tournament; empty before the close.

    A club that no longer follows the tournament learns nothing more of it.
    """
    if not line.followed:
        return ()
    with suppress(UnknownTournamentError, BusyError):
        return tournaments().see(line.session_id, _find_winners)
    return ()


def _find_winners(snapshot: TournamentSnapshot) -> Sequence[str]:
    """Return the names of the entrants on the first place of a closed tournament."""
    record = snapshot.state
    if record.heads is None:
        return ()
    table = snapshot.scoreboard.compute(record, snapshot.results, None, None)
    return tuple(record.entrants[row.entrant].name for row in table.rows if row.place == 1)


def _list_tournaments(
    snapshot: ClubSnapshot,
) -> tuple[list[EveningLine], list[tuple[str, str]]]:
    """Return the tournaments with tables as rows, and the id and name of those without any."""
    lines = [line for line in evening_lines(snapshot) if line.tables]
    begun = {line.session_id for line in lines}
    waiting = [(id_, known.name) for id_, known in snapshot.tournaments.items() if id_ not in begun]
    return lines, waiting


def _list_tables(
    snapshot: ClubSnapshot, tournament_id: str
) -> tuple[EveningLine | None, list[TableLine]]:
    """Return a tournament as a row with its tables; None if it has none, or does not count."""
    lines = (line for line in evening_lines(snapshot) if line.session_id == tournament_id)
    tables = [
        attended
        for attended in sort_by_day(snapshot.list_attended(), snapshot.zone)
        if attended.occasion is not None and attended.id == tournament_id
    ]
    listed = []
    for attended in tables:
        labels, at = names_of_players(attended, snapshot.names), attended.occasion
        played = [match for match in attended.evening.matches if match.hands]
        won = [labels[player] for match in played for side in match.winners
               for player in match.sides[side]]  # fmt: skip
        if at is not None:
            listed.append(
                TableLine(
                    attended.evening.session_id, at.round, at.table, list(labels.values()), won,
                    any(match.open for match in played),
                )
            )  # fmt: skip
    return next(lines, None), listed
