"""``/club/<club_id>/settings/merge``: two members who are the same person become one."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.events import MembersMerged
from scorekeeper.clubs.ledger import Ledger, name_unnamed
from scorekeeper.clubs.season import MemberRow, Standings
from scorekeeper.clubs.season_effects import apply_on_trial
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import format_figure
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.web.club.evening_lines import titles_by_evening
from scorekeeper.web.club.settings import Roster, club_roster, redirect_to_settings
from scorekeeper.web.club.visitor import localize_figure, record_in_club, see_club, visitor_of
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.wording.filters import format_money
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_merging", __name__, url_prefix="/club/<club_id>/settings/merge")
blueprint.after_request(no_store)


class ChangedRow(NamedTuple):
    """A row of a table before and after a merger; empty if it does not exist."""

    name: str
    before: str
    after: str


class ClashingEvening(NamedTuple):
    """An evening that prevents a merger."""

    session_id: str
    day: str
    title: str


@dataclass(frozen=True, slots=True)
class MergerPreview:
    """The changes of a merger: the changed rows of each table, by its title."""

    evenings: int
    tables: Mapping[str, list[ChangedRow]]


@blueprint.get("")
def form(club_id: str) -> str | tuple[str, int]:
    """Ask for the two members to merge; when both are named, show the changes."""
    return render_form(club_id, request.args.get("member", ""), request.args.get("into", ""))


@blueprint.post("")
def merge(club_id: str) -> Response | str | tuple[str, int]:
    """Merge the two members."""
    visitor = visitor_of(club_id, "host")
    member, into = request.form.get("member", ""), request.form.get("into", "")
    if is_outdated(club_roster(club_id), member, into) and not recorded_before(club_id):
        return render_form(club_id, member, into)
    try:
        record_in_club(visitor, NewEvent(MembersMerged.TYPE, {"member": member, "into": into}))
    except UnusableError:
        return render_form(club_id, member, into)
    return redirect_to_settings(club_id, "merged")


def render_form(club_id: str, member: str, into: str) -> str | tuple[str, int]:
    """Return the form with the changes of the merger, or with an error if it is not possible."""
    visitor, roster = visitor_of(club_id, "host"), club_roster(club_id)
    preview, wrong, evening = None, "", None
    if member and into:
        try:
            preview = see_club(club_id, lambda snapshot: preview_merger(snapshot, member, into))
        except UnusableError as error:
            wrong, evening = message_for_players(error), clashing_evening(club_id, error)
        if not wrong and is_outdated(roster, member, into):
            preview, wrong = None, str(_("Choose a member of the club."))
    shown = render_template(
        "club/merge.html", at=visitor, names=roster.names, people=roster.everybody, member=member,
        into=into, preview=preview, wrong=wrong, evening=evening,
    )  # fmt: skip
    return (shown, 422) if wrong else shown


def is_outdated(roster: Roster, *members: str) -> bool:
    """Return whether one of these ids is not in the list any more, as after another merger."""
    return not set(members) <= roster.names.keys()


def clashing_evening(club_id: str, error: UnusableError) -> ClashingEvening | None:
    """Return the evening at which both played; None if the error has another reason."""
    facts = error.reason.facts if isinstance(error.reason, Cause) else {}
    session_id = str(facts.get("session_id", ""))
    day, title = see_club(club_id, titles_by_evening).get(session_id, ("", ""))
    return ClashingEvening(session_id, day, title) if title else None


def preview_merger(snapshot: ClubSnapshot, member: str, into: str) -> MergerPreview:
    """Return the changes that merging `member` into `into` would make.

    Raises `UnusableError` if it is not possible.
    """
    merged = apply_on_trial(snapshot, MembersMerged(member=member, into=into))
    member_id = snapshot.state.get_current_id(member)
    evenings = sum(
        member_id in snapshot.state.map_players(entered).values()
        for entered in snapshot.state.evenings.values()
    )
    return MergerPreview(evenings, compare_tables(snapshot, merged))


def compare_tables(snapshot: ClubSnapshot, merged: ClubSnapshot) -> dict[str, list[ChangedRow]]:
    """Return the rows that differ in two states of a club, by the title of their table."""
    names = {**snapshot.names, **merged.names}
    rows_by_table = {
        season.name or str(_("All evenings")): rows_of_season(
            snapshot.compute_standings(season),
            merged.compute_standings(merged.state.seasons.get(season.id, season)),
        )
        for season in (*snapshot.state.seasons.values(), snapshot.make_all_time_season())
    }
    for ledger, merged_ledger in zip(
        snapshot.compute_ledgers(), merged.compute_ledgers(), strict=True
    ):
        rows_by_table[f"{_('Money')} {ledger.currency}"] = (
            rows_of_ledger(ledger),
            rows_of_ledger(merged_ledger),
        )
        names |= name_unnamed(ledger, snapshot.names)
    tables = {title: list(changed_rows(*lines, names)) for title, lines in rows_by_table.items()}
    return {title: lines for title, lines in tables.items() if lines}


Lines = dict[str, str]  # rows of a table by member or account


def rows_of_season(before: Standings, after: Standings) -> tuple[Lines, Lines]:
    """Return the place and figure of each member in a season's table, before and after."""
    by = before.season.ranking.by
    return _place_and_figure_by_member(before, by), _place_and_figure_by_member(after, by)


def _place_and_figure_by_member(standings: Standings, by: str) -> Lines:
    """Return the place and figure of each member as text; `by` is the ranking."""
    return {row.member: f"{format_place(row)} · {localize_figure(format_figure(row.figure, by))}"
            for row in (*standings.rows, *standings.guests)}  # fmt: skip


def format_place(row: MemberRow) -> str:
    """Return a row's place as tables show it: shared places with =, a dash below the line."""
    return f"{row.place}{'=' if row.shared else '.'}" if row.place else "–"


def rows_of_ledger(ledger: Ledger) -> Lines:
    """Return the formatted balance of each account of a ledger."""
    return {
        account: format_money(amount, ledger.currency, sign=True)
        for account, amount in ledger.balances.items()
    }


def changed_rows(old: Lines, new: Lines, names: Mapping[str, str]) -> Iterator[ChangedRow]:
    """Yield the rows that differ between two tables, in the order of the new table.

    A row that one of the tables lacks is empty there.
    """
    for key in dict.fromkeys((*new, *old)):
        if old.get(key) != new.get(key):
            yield ChangedRow(names.get(key, key), old.get(key, ""), new.get(key, ""))
