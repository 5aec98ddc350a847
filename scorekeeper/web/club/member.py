"""``/club/<club_id>/member/<member>``: a member's figures, partners and evenings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.clubs.members import view_member
from scorekeeper.clubs.records import view_records
from scorekeeper.clubs.season_words import PART, RECORD
from scorekeeper.clubs.snapshot import ALL_EVENINGS, ClubSnapshot
from scorekeeper.clubs.views import (
    GameFiguresView,
    GameRecordsView,
    MemberFiguresView,
    RecordsView,
    RecordView,
)
from scorekeeper.http.extensions import clubs
from scorekeeper.web.club.evening_lines import titles_by_evening
from scorekeeper.web.club.form_chart import form_chart
from scorekeeper.web.club.rule_sets import THE_ONLY, RuleSet, number_rule_sets, pair_with_rule_sets
from scorekeeper.web.club.season_table import SeasonChoice, season_choices, season_standings
from scorekeeper.web.club.visitor import page_of_list, visitor_of

blueprint = Blueprint("club_member", __name__, url_prefix="/club/<club_id>/member/<member>")


@dataclass(frozen=True, slots=True)
class MemberFigures:
    """The figures of a member in a season, or in all evenings.

    ``games`` are the member's figures by game and set of rules. ``titles`` has the day and title of
    each evening; ``records`` are the club's records that the member holds, each with its rules and
    game, which is None for all games.
    """

    figures: MemberFiguresView
    games: Sequence[tuple[GameFiguresView, RuleSet]]
    seasons: Sequence[SeasonChoice]
    titles: Mapping[str, tuple[str, str]]
    records: Sequence[tuple[GameRecordsView | None, RuleSet, RecordView]]


@blueprint.get("")
def page(club_id: str, member: str) -> str:
    """Show a member's figures in a season, by default the latest."""
    visitor = visitor_of(club_id)
    season_id = request.args.get("season")
    figures = clubs().see(
        club_id, partial(member_figures, member, season_id), ("member on pages", member, season_id)
    )
    table = season_standings(club_id, season_id)
    if figures is None or table is None:
        raise NotFound(_("There is no such member in this club, or no such season."))
    rows = (*table.rows, *table.guests)
    row = next((row for row in rows if row.member == figures.figures.member), None)
    part = page_of_list(row.made_of[::-1] if row else (), "#made")
    return render_template(
        "club/member.html", at=visitor, member=figures, row=row, part=part, season=table.season,
        ALL_EVENINGS=ALL_EVENINGS, PART=PART, RECORD=RECORD, form_chart=form_chart,
    )  # fmt: skip


def member_figures(
    member: str, season_id: str | None, snapshot: ClubSnapshot
) -> MemberFigures | None:
    """Return the figures of a member in a season; None if there is no such member or season.

    `season_id` None means the season that began last.
    """
    member_id, season = snapshot.state.get_current_id(member), snapshot.find_season(season_id)
    if member_id not in snapshot.state.members or season is None:
        return None
    everything = snapshot.list_played(None)
    in_season = everything if season.id == ALL_EVENINGS else snapshot.list_played(season)
    figures, rules_by_terms = (
        view_member(member_id, in_season, snapshot.names),
        number_rule_sets(snapshot),
    )
    records = view_records(everything, snapshot.names)
    return MemberFigures(
        figures,
        pair_with_rule_sets(figures.games, rules_by_terms),
        season_choices(snapshot),
        titles_by_evening(snapshot),
        list(records_held_by(member_id, records, rules_by_terms)),
    )


def records_held_by(
    member: str, records: RecordsView, rules_by_terms: Mapping[str, RuleSet]
) -> Iterator[tuple[GameRecordsView | None, RuleSet, RecordView]]:
    """Yield the club records that a member holds, alone or shared, each with game and rules."""
    of_games: list[tuple[GameRecordsView | None, RuleSet, RecordView]] = [
        (game, rules, item)
        for game, rules in pair_with_rule_sets(records.games, rules_by_terms)
        for item in game.records
    ]
    for record in (*of_games, *((None, THE_ONLY, item) for item in records.club)):
        if any(holder.member == member for holder in record[2].members):
            yield record
