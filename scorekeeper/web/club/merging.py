"""``/club/<club_id>/settings/merge``: who stands in the club twice becomes one member."""

from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass, fields, replace
from typing import NamedTuple

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.books import Books
from scorekeeper.clubs.events import MembersMerged
from scorekeeper.clubs.ledger import Ledger
from scorekeeper.clubs.roll import Roll
from scorekeeper.clubs.season import MemberRow, Standings
from scorekeeper.clubs.standings import figure
from scorekeeper.events.event import Entry
from scorekeeper.http.headers import unkept
from scorekeeper.service import NewEvent
from scorekeeper.service.permissions import KEEPER
from scorekeeper.web.club.evening_lines import titles
from scorekeeper.web.club.settings import back, roster_of
from scorekeeper.web.club.visitor import record_in_club, see, visitor_of, written
from scorekeeper.web.wording.filters import money
from scorekeeper.web.wording.refused import in_words

blueprint = Blueprint("club_merging", __name__, url_prefix="/club/<club_id>/settings/merge")
blueprint.after_request(unkept)


class Changed(NamedTuple):
    """A line of a table before and after a merger; empty where there is none."""

    name: str
    before: str
    after: str


class ClashingEvening(NamedTuple):
    """An evening that stands in the way of a merger."""

    session_id: str
    day: str
    title: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What a merger changes: by the title of each table its lines that change."""

    evenings: int
    tables: Mapping[str, list[Changed]]


@blueprint.get("")
def form(club_id: str) -> str | tuple[str, int]:
    """Ask who is who; with both named, show what would change."""
    return page(club_id, request.args.get("member", ""), request.args.get("into", ""))


@blueprint.post("")
def merge(club_id: str) -> Response | str | tuple[str, int]:
    """Put them together."""
    visitor = visitor_of(club_id, "host")
    member, into = request.form.get("member", ""), request.form.get("into", "")
    try:
        record_in_club(visitor, NewEvent(MembersMerged.TYPE, {"member": member, "into": into}))
    except UnusableError:
        return page(club_id, member, into)
    return back(club_id, "merged")


def page(club_id: str, member: str, into: str) -> str | tuple[str, int]:
    """The page, with what is wrong where these two cannot be one."""
    visitor, roster = visitor_of(club_id, "host"), roster_of(club_id)
    preview, wrong, evening = None, "", None
    if member and into:
        try:
            preview = see(club_id, lambda books: previewed(books, member, into))
        except UnusableError as error:
            wrong, evening = in_words(error), in_the_way(club_id, error)
    shown = render_template(
        "club/merge.html", at=visitor, names=roster.names, member=member, into=into,
        preview=preview, wrong=wrong, evening=evening,
    )  # fmt: skip
    return (shown, 422) if wrong else shown


def in_the_way(club_id: str, error: UnusableError) -> ClashingEvening | None:
    """The evening at which both played; None where that is not what is wrong."""
    facts = error.reason.facts if isinstance(error.reason, Cause) else {}
    session_id = str(facts.get("session_id", ""))
    day, title = see(club_id, titles).get(session_id, ("", ""))
    return ClashingEvening(session_id, day, title) if title else None


def previewed(books: Books, member: str, into: str) -> Preview:
    """What a merger would change.

    Raises `UnusableError` if it cannot be.
    """
    roll = copied(books.roll)
    event = MembersMerged(member=member, into=into)
    roll.place(Entry(books.events + 1, event, by=KEEPER))
    merged = replace(books, roll=roll)
    one = books.roll.now(member)
    evenings = sum(one in books.roll.played_as(e).values() for e in books.roll.evenings.values())
    found = {
        season.name or str(_("All evenings")): of_season(
            books.standings(season), merged.standings(roll.seasons.get(season.id, season))
        )
        for season in (*books.roll.seasons.values(), books.ever())
    }
    for was, now in zip(books.ledgers(), merged.ledgers(), strict=True):
        found[f"{_('Money')} {was.currency}"] = of_money(was), of_money(now)
    names = {**books.names, **merged.names}
    tables = {title: list(changes(*lines, names)) for title, lines in found.items()}
    return Preview(evenings, {title: lines for title, lines in tables.items() if lines})


def copied(roll: Roll) -> Roll:
    """A roll of its own, on which something can be tried."""
    return replace(roll, **{one.name: copy(getattr(roll, one.name)) for one in fields(roll)})


Lines = dict[str, str]  # by member or account what a table says of him


def of_season(before: Standings, after: Standings) -> tuple[Lines, Lines]:
    """The lines of a season's table before and after."""
    by = before.season.ranking.by
    return _lines(before, by), _lines(after, by)


def _lines(made: Standings, by: str) -> Lines:
    return {row.member: f"{place_of(row)} · {written(figure(row.figure, by))}"
            for row in made.rows}  # fmt: skip


def place_of(row: MemberRow) -> str:
    """The place of a row, as tables have it: shared ones with =, a dash below the line."""
    return f"{row.place}{'=' if row.shared else '.'}" if row.place else "–"


def of_money(ledger: Ledger) -> Lines:
    """The balances of a ledger."""
    return {
        account: money(amount, ledger.currency, sign=True)
        for account, amount in ledger.balances.items()
    }


def changes(old: Lines, new: Lines, names: Mapping[str, str]) -> Iterator[Changed]:
    """The lines of a table that a merger changes, in the order of the new table."""
    for one in dict.fromkeys((*new, *old)):
        if old.get(one) != new.get(one):
            yield Changed(names.get(one, one), old.get(one, ""), new.get(one, ""))
