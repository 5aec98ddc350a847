"""``/tournament/<tournament_id>/direct``: the tables of the round, the urgent first; the clock."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from http import HTTPStatus
from statistics import median_low
from typing import Any, Final, NamedTuple

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.service import NewEvent
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import ASSISTANT, DIRECTOR
from scorekeeper.tournaments.advancing import AdvanceChange, find_changed_advance
from scorekeeper.tournaments.checked_rounds import BY_HAND
from scorekeeper.tournaments.events import (
    CallAnswered,
    ClockStopped,
    RoundClosed,
    RoundStarted,
    TimeAdded,
)
from scorekeeper.tournaments.hall_views import (
    HallClockView,
    HallTablesView,
    HallTableView,
    view_clock,
    view_tables,
)
from scorekeeper.tournaments.next_steps import NextStep, list_next_steps
from scorekeeper.tournaments.open_tables import list_unplayed
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.taken_back import TakingBack, list_recall, list_reopening
from scorekeeper.tournaments.tournament import Tournament
from scorekeeper.tournaments.values import DirectorCall, TournamentRound
from scorekeeper.web.forms.typed import clean_line, parse_whole
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    record_built,
    record_in_tournament,
    see_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint("tournament_direct", __name__,
                      url_prefix="/tournament/<tournament_id>/direct")  # fmt: skip
blueprint.after_request(no_store)

NO_DRAW: Final = "-"
USUAL_MINUTES: Final = 30  # of a round whose stage names none
ASSISTANT_STEPS: Final = ("answer", "start", "record")
CALLED, DISPUTED, MISSING, PLAYING, UNCONFIRMED, DONE = range(6)  # the urgent first

Minutes = int | None


class DeskRow(NamedTuple):
    """A table of the round, with how urgent it is.

    ``minutes`` are those since its last entry, or since the start of the clock; ``behind`` is the
    number of hands behind the median. ``waits`` is whether its result from paper is missing.
    """

    table: HallTableView
    minutes: Minutes
    behind: int
    waits: bool

    @property
    def urgency(self) -> int:
        """The kind of attention that it needs; the lowest first."""
        table = self.table
        flags = (bool(table.calls), bool(table.disputed), table.missing, self.playing,
                 bool(table.unconfirmed))  # fmt: skip
        return flags.index(True) if any(flags) else DONE

    @property
    def playing(self) -> bool:
        """Whether its result is not on record yet."""
        return self.waits or (self.table.session is not None and not self.table.ended)


class OpenCall(NamedTuple):
    """A call that is not answered, with the name of the caller and its minutes."""

    call: DirectorCall
    name: str
    minutes: Minutes


@dataclass(frozen=True, slots=True)
class DirectorDesk:
    """All that the director's page shows at one moment.

    ``published`` is the number of published rounds; ``drawn`` is whether another one is drawn.
    ``by_hand`` are the stages that are drawn so. ``advance`` is the change that a correction made
    in those who go on to the next stage, if the director has to decide. ``can_recall`` is whether
    nobody has played yet in the round.
    """

    round: HallTablesView
    rows: Sequence[DeskRow]
    calls: Sequence[OpenCall]
    steps: Sequence[NextStep]
    clock: HallClockView
    started: bool
    stage: str
    minutes: int
    entrants: int
    published: int
    drawn: bool
    closed: bool
    tag: str
    by_hand: frozenset[int]
    advance: AdvanceChange | None
    names: Mapping[str, str]
    mark: str
    can_recall: bool

    @property
    def playing(self) -> int:
        """How many tables are still playing, or wait for their result from paper."""
        return sum(row.playing for row in self.rows)

    @property
    def next_step(self) -> NextStep | None:
        """The step that comes next; None while the tables play."""
        step = next(iter(self.steps), None)
        waits = step is not None and step.step == "close_round" and self.playing > 0
        return None if waits else step


# ----------------------------------------------------------------------------------- the page


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the tables of the latest round, the calls, the clock, and what comes next."""
    return render_desk(tournament_visitor(tournament_id, DIRECTOR, ASSISTANT))


def render_desk(visitor: TournamentVisitor, wrong: str = "") -> str:
    """Return the HTML page of the director or an assistant."""
    now = tournaments().now()
    desk = see_tournament(
        visitor.tournament_id, lambda snapshot: view_desk(snapshot, now, directs=visitor.directs)
    )
    return render_template("tournament/direct.html", at=visitor, desk=desk, wrong=wrong)


def view_desk(snapshot: TournamentSnapshot, now: str, *, directs: bool) -> DirectorDesk:
    """Return the director's page of a tournament at a time of the server."""
    state = snapshot.state
    latest = state.find_latest_published()
    view = view_tables(state, latest, snapshot.results)
    stage = state.stages[latest.stage - 1] if latest is not None else state.stages[0]
    steps = list_next_steps(state)
    return DirectorDesk(
        view, list_rows(view, latest, now), list(_list_calls(state, now)),
        [step for step in steps if directs or step.step in ASSISTANT_STEPS],
        view_clock(latest, now), bool(latest and latest.clock), stage.name,
        stage.minutes or USUAL_MINUTES, len(state.entrants), count_published(state),
        find_unpublished(state) is not None, state.heads is not None, snapshot.tag,
        frozenset(number for number, each in enumerate(state.stages, 1) if each.draw == BY_HAND),
        find_changed_advance(state, snapshot.results, snapshot.scoreboard) if directs else None,
        {entrant.id: entrant.name for entrant in state.entrants.values()},
        mark_of(find_unpublished(state)),
        latest is not None and not latest.closed
        and latest.number in list_unplayed(state, snapshot.results),
    )  # fmt: skip


def list_playing(snapshot: TournamentSnapshot, number: int) -> list[int]:
    """Return the tables of a round that still play, in their order; none if it is closed."""
    drawn = snapshot.state.rounds.get(number)
    if drawn is None or not drawn.published or drawn.closed:
        return []
    rows = list_rows(view_tables(snapshot.state, drawn, snapshot.results), drawn, "")
    return sorted(row.table.table for row in rows if row.playing)


def find_unpublished(record: TournamentRecord) -> TournamentRound | None:
    """Return the first round that is drawn and not published."""
    drawn = (each for each in record.rounds.values() if not each.published)
    return min(drawn, key=lambda each: each.number, default=None)


def mark_of(drawn: TournamentRound | None) -> str:
    """Return a text that changes with the draw."""
    if drawn is None:
        return NO_DRAW
    content = repr((drawn.number, drawn.seq, drawn.tables, drawn.byes))
    return sha256(content.encode()).hexdigest()[:16]


def count_published(record: TournamentRecord) -> int:
    """Return how many rounds the hall has seen."""
    return sum(drawn.published for drawn in record.rounds.values())


def list_rows(view: HallTablesView, drawn: TournamentRound | None, now: str) -> list[DeskRow]:
    """Return the tables of a round, the urgent first and then those without an entry for long."""
    begun = drawn.clock[0].at if drawn is not None and drawn.clock else None
    paper = drawn.paper if drawn is not None else {}
    hands = [table.hands for table in view.tables if table.session is not None]
    middle = median_low(hands) if hands else 0
    rows = [
        DeskRow(
            table, count_minutes(table.last_entry or begun, now),
            max(middle - table.hands, 0) if table.session is not None and not table.ended else 0,
            table.session is None and table.table not in paper,
        )
        for table in view.tables
    ]  # fmt: skip
    return sorted(rows, key=lambda row: (row.urgency, -(row.minutes or 0), row.table.table))


def _list_calls(record: TournamentRecord, now: str) -> Iterator[OpenCall]:
    """Yield the calls that are not answered, the oldest first."""
    names = {player: name for player, name, _ in record.list_players()}
    for call in record.calls.values():
        if call.answered is None:
            yield OpenCall(call, names.get(call.caller or "", ""), count_minutes(call.at, now))


def count_minutes(at: str | None, now: str) -> Minutes:
    """Return the whole minutes from one time to another; None if one is not known."""
    if not at or not now:
        return None
    passed = datetime.fromisoformat(now) - datetime.fromisoformat(at)
    return max(0, int(passed.total_seconds()) // 60)


# ------------------------------------------------------------------------------------ buttons


def record_and_return(visitor: TournamentVisitor, *events: NewEvent) -> Response | tuple[str, int]:
    """Record events and return to the page, which says in words why they are refused.

    A button has no field that could be wrong: the tournament has gone on since the page was shown.
    """
    try:
        record_in_tournament(visitor, *events)
    except UnusableError as error:
        return render_desk(visitor, message_in_tournament(error)), HTTPStatus.CONFLICT
    return to(url_for("tournament_direct.page", tournament_id=visitor.tournament_id), 303)


@blueprint.post("/clock")
def clock(tournament_id: str) -> Response | tuple[str, int]:
    """Start or stop the clock, or add time; the field `act` of the form says which."""
    visitor = tournament_visitor(tournament_id, DIRECTOR, ASSISTANT)
    kinds = {"start": RoundStarted.TYPE, "stop": ClockStopped.TYPE, "add": TimeAdded.TYPE}
    act = request.form.get("act", "")
    if act not in kinds:
        raise NotFound
    data: dict[str, Any] = {"round": read_number("round")}
    if act != "stop":
        data["minutes"] = read_number("minutes")
    if act == "add" and request.form.get("table"):
        data["table"] = read_number("table")
    return record_and_return(visitor, NewEvent(kinds[act], data))


@blueprint.post("/answer")
def answer(tournament_id: str) -> Response | tuple[str, int]:
    """Answer a call, with words for the book of rulings if there are any."""
    visitor = tournament_visitor(tournament_id, DIRECTOR, ASSISTANT)
    data: dict[str, Any] = {"call": read_number("call")}
    if text := clean_line(request.form.get("text", "")):
        data["text"] = text
    return record_and_return(visitor, NewEvent(CallAnswered.TYPE, data))


@blueprint.post("/reopen")
def reopen(tournament_id: str) -> Response | tuple[str, int]:
    """Open a round that was closed by mistake: its tables record again."""
    return _take_back(tournament_id, list_reopening, str(_("Closed by mistake")))


@blueprint.post("/recall")
def recall(tournament_id: str) -> Response | tuple[str, int]:
    """Take back the publication of a round in which nobody has played yet."""
    return _take_back(tournament_id, list_recall, str(_("Published by mistake")))


def _take_back(
    tournament_id: str, list_corrections: Callable[[Tournament, int, str], TakingBack], reason: str
) -> Response | tuple[str, int]:
    """Record the corrections of the round in the form, and return to the page."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    number = request.form.get("round", 0, type=int)

    def build() -> list[NewEvent]:
        corrections = tournaments().with_log(
            tournament_id, lambda held: list_corrections(held, number, reason)
        )
        return [NewEvent(kind, data) for kind, data in corrections]

    try:
        record_built(visitor, build)
    except UnusableError as error:
        return render_desk(visitor, message_in_tournament(error)), HTTPStatus.CONFLICT
    return to(url_for("tournament_direct.page", tournament_id=tournament_id), 303)


@blueprint.post("/close")
def close(tournament_id: str) -> Response | tuple[str, int]:
    """Close the round."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    data = {"stage": read_number("stage"), "round": read_number("round")}
    return record_and_return(visitor, NewEvent(RoundClosed.TYPE, data))


def read_number(name: str, form: Mapping[str, str] | None = None) -> int | str:
    """Return the number in a field of the form; other text is for the codec to refuse."""
    return parse_whole((request.form if form is None else form).get(name, "")[:9])
