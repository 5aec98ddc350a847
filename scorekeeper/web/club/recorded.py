"""``…/settings/recorded``: the events of a club, which the host can take back."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final, NamedTuple
from zoneinfo import ZoneInfo

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import NotInstalledError, UnusableError, why_of
from scorekeeper.clubs.events import (
    ClubChanged,
    ClubOpened,
    EveningEntered,
    EveningWithdrawn,
    HouseDropped,
    HouseKept,
    MemberJoined,
    MemberLeft,
    MemberRenamed,
    MembersMerged,
    PaymentMade,
    PointsAdjusted,
    SeasonChanged,
    SeasonClosed,
    SeasonOpened,
    TournamentEntered,
)
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import CLUB_FIELDS
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.corrections import CorrectionBegun, EventStruck
from scorekeeper.events.event import Entry, Event
from scorekeeper.games import GAMES
from scorekeeper.http.access import shown_keys
from scorekeeper.http.extensions import clubs
from scorekeeper.http.headers import no_store
from scorekeeper.report.span import to_local_day
from scorekeeper.service import NewEvent
from scorekeeper.web.club.visitor import (
    localize_figure,
    page_of_list,
    record_in_club,
    see_club,
    visitor_of,
)
from scorekeeper.web.forms.typed import clean_line, line_error
from scorekeeper.web.frame.form_keys import recorded_before
from scorekeeper.web.wording.filters import format_money
from scorekeeper.web.wording.refused import message_for_players

blueprint = Blueprint("club_recorded", __name__, url_prefix="/club/<club_id>/settings/recorded")
blueprint.after_request(no_store)

MAX_REASON_CHARACTERS: Final = 400

# The names in the sentence of an event, and the fields that have their values.
NAMED: Final[Mapping[type[Event], Mapping[str, str]]] = {
    ClubChanged: {},
    MemberJoined: {"who": "name"},
    MemberRenamed: {"who": "member", "other": "name"},
    MemberLeft: {"who": "member"},
    MembersMerged: {"who": "member", "other": "into"},
    EveningEntered: {"what": "session"},
    EveningWithdrawn: {"what": "session", "note": "reason"},
    TournamentEntered: {"what": "tournament"},
    SeasonOpened: {"what": "name"},
    SeasonChanged: {"what": "season"},
    SeasonClosed: {"what": "season"},
    PointsAdjusted: {"who": "member", "what": "season", "figure": "points", "note": "reason"},
    PaymentMade: {"who": "payer", "other": "to", "note": "note"},
    HouseKept: {"what": "name", "other": "game"},
    HouseDropped: {"what": "name", "other": "game"},
    NoteAdded: {"note": "text"},
}
PEOPLE: Final = ("member", "into", "payer", "to")  # fields with the id of a member
TITLED: Final = ("session", "season", "tournament")


class ChangedValue(NamedTuple):
    """A value of the club or of a season that an event changed; empty if there was or is none."""

    field: str
    before: str
    now: str


class ClubRecordEntry(NamedTuple):
    """An event in the list: its kind, its day, and the names in its sentence."""

    seq: int
    kind: str
    day: str
    who: str = ""
    other: str = ""
    what: str = ""
    figure: str = ""
    note: str = ""
    changes: tuple[ChangedValue, ...] = ()


class PresentValues:
    """The values of a club and its seasons, as they change from event to event of its log."""

    def __init__(self) -> None:
        self._values: dict[tuple[str, str], str] = {}  # by season (empty: the club) and field

    def change(self, event: Event) -> tuple[ChangedValue, ...]:
        """Take over the values that an event names, and return those that it changed."""
        if isinstance(event, ClubOpened | ClubChanged):
            owner, names = "", list(CLUB_FIELDS)
        elif isinstance(event, SeasonOpened | SeasonChanged):
            owner = event.id if isinstance(event, SeasonOpened) else event.season
            names = ["name", "to"]
        else:
            return ()
        opening = isinstance(event, ClubOpened | SeasonOpened)
        named = {
            name: str(getattr(event, name) or "")
            for name in names
            if opening or getattr(event, name) is not None
        }
        changes = tuple(
            ChangedValue(name, self._values.get((owner, name), ""), value)
            for name, value in named.items()
        )
        self._values.update({(owner, name): value for name, value in named.items()})
        return () if opening else changes


# ------------------------------------------------------------------------------------ the pages


@blueprint.get("")
def page(club_id: str) -> str:
    """List the events, the newest first."""
    visitor = visitor_of(club_id, "host")
    return render_template(
        "club/recorded.html", at=visitor, part=page_of_list(entries_to_take_back(club_id)),
        done=request.args.get("done", ""),
    )  # fmt: skip


@blueprint.get("/<int:seq>")
def ask(club_id: str, seq: int) -> str:
    """Show the effect of taking an event back, and ask for the reason."""
    return take_back_page(club_id, seq)


@blueprint.post("/<int:seq>")
def take_back(club_id: str, seq: int) -> Response | tuple[str, int]:
    """Take an event back; later events that depend on it must be taken back first."""
    visitor, reason = visitor_of(club_id, "host"), clean_line(request.form.get("reason", ""))
    if wrong := line_error(reason, MAX_REASON_CHARACTERS, _("Say why in a few words.")):
        return take_back_page(club_id, seq, wrong), 422
    try:
        entry_to_take_back(club_id, seq)
    except NotFound:
        if not recorded_before(club_id):
            raise
    try:
        struck = NewEvent(EventStruck.TYPE, {"seq": seq, "reason": reason})
        record_in_club(visitor, struck, shown=shown_keys())
    except UnusableError as error:
        dependent = seq_of_dependent(error)
        return take_back_page(
            club_id, seq, "" if dependent else message_for_players(error), dependent
        ), 422
    return to(url_for(".page", club_id=club_id, done="taken-back"), 303)


def take_back_page(club_id: str, seq: int, wrong: str = "", rests: int = 0) -> str:
    """Return the page that asks; ``rests`` is the seq of an event that depends on this one."""
    visitor = visitor_of(club_id, "host")
    later = entry_to_take_back(club_id, rests) if rests else None
    return render_template(
        "club/take_back.html",
        at=visitor,
        one=entry_to_take_back(club_id, seq),
        wrong=wrong,
        later=later,
        said=request.form.get("reason", ""),
    )


def seq_of_dependent(error: UnusableError) -> int:
    """Return the seq of the later event that prevents taking one back; 0 for another error."""
    depends = why_of(error) == "another_cannot_stand"
    return int(str(error.args[0].facts["seq"])) if depends else 0


# ------------------------------------------------------------------------------- what is listed


def entry_to_take_back(club_id: str, seq: int) -> ClubRecordEntry:
    """Return the entry with a seq in a club's log.

    Raises `NotFound` if it does not stand, or cannot be taken back.
    """
    event = next((item for item in entries_to_take_back(club_id) if item.seq == seq), None)
    if event is None:
        raise NotFound(_("The club no longer has this on record."))
    return event


def entries_to_take_back(club_id: str) -> list[ClubRecordEntry]:
    """Return the entries of a club's log that stand and can be taken back, newest first."""
    entries, sets = clubs().standing(club_id), clubs().standing_sets(club_id)
    of_sets = {seq for _, members in sets for seq in members}

    def list_entries(snapshot: ClubSnapshot) -> list[ClubRecordEntry]:
        listed = [
            entry for entry in _list_entries(club_id, snapshot, entries) if entry.seq not in of_sets
        ]
        listed += [_list_set(begun, snapshot.zone) for begun, _ in sets]
        return sorted(listed, reverse=True)

    return see_club(club_id, list_entries)


def _list_set(begun: Entry, zone: ZoneInfo) -> ClubRecordEntry:
    """Return a correction set, which is taken back as a whole, as an entry of the list."""
    reason = begun.event.reason if isinstance(begun.event, CorrectionBegun) else ""
    return ClubRecordEntry(begun.seq, begun.event.TYPE, to_local_day(begun.at, zone), note=reason)


def _list_entries(
    club_id: str, snapshot: ClubSnapshot, entries: Sequence[Entry]
) -> Iterable[ClubRecordEntry]:
    """Yield each entry with the facts of its sentence; members have their names of then."""
    name_by_id: dict[str, str] = {}
    guests = set[str]()
    values = PresentValues()
    titles = _titles_by_id(club_id, snapshot, entries)
    currency = (snapshot.state.opened and snapshot.state.opened.currency) or ""
    for entry in entries:
        event = entry.event
        changes = values.change(event)
        if not isinstance(event, ClubOpened):
            facts = {
                name: _value_in_sentence(field, getattr(event, field), name_by_id, titles)
                for name, field in NAMED[type(event)].items()
            }
            if isinstance(event, MemberJoined):
                facts["what"] = "guest" if event.guest else "member" * (event.id in guests)
            if isinstance(event, PaymentMade):
                facts["figure"] = format_money(event.amount, currency)
            yield ClubRecordEntry(
                entry.seq,
                event.TYPE,
                to_local_day(entry.at, snapshot.zone),
                changes=changes,
                **facts,
            )
        if isinstance(event, MemberJoined):
            name_by_id[event.id] = event.name
            (guests.add if event.guest else guests.discard)(event.id)
        elif isinstance(event, MemberRenamed):
            name_by_id[event.member] = event.name


def _titles_by_id(club_id: str, snapshot: ClubSnapshot, entries: Iterable[Entry]) -> dict[str, str]:
    """Return the name of each season and evening by its id, including withdrawn evenings."""
    title_by_id = {season.id: season.name for season in snapshot.state.seasons.values()}
    title_by_id |= {evening.session_id: evening.title for evening in snapshot.evenings.values()}
    title_by_id |= {id_: known.name for id_, known in snapshot.tournaments.items()}
    for entry in entries:
        if isinstance(entry.event, EveningWithdrawn) and entry.event.session not in title_by_id:
            with suppress(UnusableError, NotInstalledError):
                title_by_id[entry.event.session] = clubs().withdrawn(club_id, entry.event.session)
    return title_by_id


def _value_in_sentence(
    field: str, value: Any, name_by_id: Mapping[str, str], titles: Mapping[str, str]
) -> str:
    """Return the value of a field as it is written in a sentence."""
    if field in PEOPLE:
        return name_by_id[value]
    if field == "points":
        return localize_figure(f"{value:+d}")
    if field == "game":
        return GAMES[value].local_name if value in GAMES else str(value)
    return titles.get(value, value) if field in TITLED else str(value or "")
