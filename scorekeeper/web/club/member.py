"""``/club/<club_id>/member/<member>``: what a member did, with whom, where it opens."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound

from scorekeeper.base.json_object import JsonObject
from scorekeeper.clubs.books import EVER, Books
from scorekeeper.clubs.plain_figures import member as told_member
from scorekeeper.clubs.plain_figures import records as told_records
from scorekeeper.clubs.season_words import PART, RECORD
from scorekeeper.http.extensions import clubs
from scorekeeper.web.club.evening_lines import titles
from scorekeeper.web.club.form_chart import form_chart
from scorekeeper.web.club.rule_sets import THE_ONLY, RuleSet, rule_sets, with_rules
from scorekeeper.web.club.season_table import SeasonChoice, choices, told_season
from scorekeeper.web.club.visitor import part_of, visitor_of

blueprint = Blueprint("club_member", __name__, url_prefix="/club/<club_id>/member/<member>")


@dataclass(frozen=True, slots=True)
class MemberFigures:
    """What is known of a member in a season, or in all evenings.

    ``games`` are his figures game by game, each with its set of rules. ``titles`` has the day and
    the title of each evening; ``records`` are those of the club that are his, each with its game,
    which is None for all games, and its rules. ``tag`` names the version that all are of.
    """

    told: JsonObject
    games: Sequence[tuple[JsonObject, RuleSet]]
    seasons: Sequence[SeasonChoice]
    titles: Mapping[str, tuple[str, str]]
    records: Sequence[tuple[JsonObject | None, RuleSet, JsonObject]]
    tag: str


@blueprint.get("")
def page(club_id: str, member: str) -> str:
    """Show a member's figures of a season, that of the query or the latest."""
    visitor = visitor_of(club_id)
    asked = request.args.get("season")
    found = clubs().see(
        club_id, partial(figures_of, member, asked), ("member on pages", member, asked)
    )
    table = told_season(club_id, asked)
    if found is None or table is None:
        raise NotFound(_("There is no such member in this club, or no such season."))
    row = next((one for one in table["rows"] if one["member"] == found.told["member"]), None)
    part = part_of(row["made_of"][::-1] if row else (), "#made")
    return render_template(
        "club/member.html", at=visitor, member=found, row=row, part=part, season=table["season"],
        EVER=EVER, PART=PART, RECORD=RECORD, form_chart=form_chart,
    )  # fmt: skip


def figures_of(member: str, season_id: str | None, books: Books) -> MemberFigures | None:
    """What is known of a member; None where there is no such member or season."""
    now, season = books.roll.now(member), books.season(season_id)
    if now not in books.roll.members or season is None:
        return None
    everything = books.played(None)
    there = everything if season.id == EVER else books.played(season)
    told, sets = told_member(now, there, books.names), rule_sets(books)
    return MemberFigures(
        told, with_rules(told["games"], sets), choices(books), titles(books),
        list(records_of(now, told_records(everything, books.names), sets)), books.tag,
    )  # fmt: skip


def records_of(
    member: str, told: JsonObject, sets: Mapping[str, RuleSet]
) -> Iterator[tuple[JsonObject | None, RuleSet, JsonObject]]:
    """The records that a member holds, alone or with others, each with its game and rules."""
    every: list[tuple[JsonObject | None, RuleSet, JsonObject]] = [
        (game, rules, one)
        for game, rules in with_rules(told["games"], sets) for one in game["records"]
    ]  # fmt: skip
    for record in (*every, *((None, THE_ONLY, one) for one in told["club"])):
        if any(who["member"] == member for who in record[2]["members"]):
            yield record
