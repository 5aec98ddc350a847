"""``/tournament/<tournament_id>/draw``: the next round: drawn, checked, published.

The draw is recorded before it is published. Until then only the directors see it, and it may be
drawn again. Each form names the draw that its page showed, so that two directors do not draw over
one another.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from http import HTTPStatus
from secrets import randbelow
from typing import Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.answers import jobs
from scorekeeper.base.errors import BusyError, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.http.answering import compute
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.http.limits import refuse_many_tables
from scorekeeper.log import canonical
from scorekeeper.service import NewEvent
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.service.tournaments import PublishRequest
from scorekeeper.streams.requests import StreamAppend
from scorekeeper.tournaments.checked_rounds import (
    RepeatedMeeting,
    list_meetings,
    list_problems,
)
from scorekeeper.tournaments.draws.draw import MAX_SEED
from scorekeeper.tournaments.events import RoundDrawn, SeatsExchanged
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.values import TournamentRound
from scorekeeper.web.frame.form_keys import form_digest, is_recorded_soon, recorded_before
from scorekeeper.web.tournament.direct import (
    count_published,
    find_unpublished,
    list_playing,
    mark_of,
    render_desk,
)
from scorekeeper.web.tournament.drawn_from import PlaceThenAndNow, compare_with_draw
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    append_form,
    see_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint("tournament_drawing", __name__,
                      url_prefix="/tournament/<tournament_id>/draw")  # fmt: skip
blueprint.after_request(no_store)

SEED_BYTES: Final = 8


class DrawChangedError(Exception):
    """The draw is another one than the page showed from which the form was sent."""


@dataclass(frozen=True, slots=True)
class DrawnDesk:
    """A round that is drawn and not published, checked.

    ``changed`` is whether results have changed since it was drawn from them; ``compared`` are the
    standings at the draw and now. ``early`` is whether the round before is open, and ``playing``
    are its tables that still play.
    """

    drawn: TournamentRound
    names: Mapping[str, str]
    meetings: Sequence[RepeatedMeeting]
    again: Collection[str]
    problems: Sequence[str]
    changed: bool
    compared: Sequence[PlaceThenAndNow]
    playing: Sequence[int]
    early: bool
    published: int
    mark: str

    @property
    def sizes(self) -> Mapping[int, int]:
        """How many tables there are of each size."""
        sizes = sorted(map(len, self.drawn.tables))
        return {size: sizes.count(size) for size in sizes}


# ----------------------------------------------------------------------------------- the page


@blueprint.get("")
def page(tournament_id: str) -> Response | str:
    """Show the round that is drawn and not published, with what is to be checked."""
    return render_draw(tournament_visitor(tournament_id, DIRECTOR)) or redirect_to_desk(
        tournament_id
    )


def render_draw(visitor: TournamentVisitor, wrong: str = "") -> str:
    """Return the HTML page of the draw; empty if no round waits for its publication."""
    desk = see_tournament(visitor.tournament_id, view_draw)
    if desk is None:
        return ""
    return render_template("tournament/draw.html", at=visitor, desk=desk, wrong=wrong)


def view_draw(snapshot: TournamentSnapshot) -> DrawnDesk | None:
    """Return the round that is drawn and not published; None if there is none."""
    state = snapshot.state
    drawn = find_unpublished(state)
    if drawn is None:
        return None
    event = RoundDrawn(
        drawn.stage, drawn.number, drawn.tables, drawn.byes, drawn.generator, drawn.heads,
        early=True,
    )  # fmt: skip
    meetings = list_meetings(state, event)
    problems = [message_in_tournament(UnusableError(problem.text))
                for problem in list_problems(state, event)]  # fmt: skip
    present = {played.session_id: played.head for played in snapshot.results.values()}
    changed = any(present.get(session, head) != head for session, head in drawn.heads.items())
    again = {entrant for meeting in meetings for entrant in meeting.entrants}
    names = {entrant.id: entrant.name for entrant in state.entrants.values()}
    return DrawnDesk(
        drawn, names, meetings, again, problems, changed,
        compare_with_draw(state, snapshot.results, drawn), list_playing(snapshot, drawn.number - 1),
        bool(early_fields(state, drawn.number)), count_published(state), mark_of(drawn),
    )  # fmt: skip


# ---------------------------------------------------------------------------------- the forms


def redirect_to_desk(tournament_id: str) -> Response:
    """Return a redirection to the director's page."""
    return to(url_for("tournament_direct.page", tournament_id=tournament_id), 303)


def redirect_to_draw(tournament_id: str) -> Response:
    """Return a redirection to the draw."""
    return to(url_for("tournament_drawing.page", tournament_id=tournament_id), 303)


def refuse_changed_draw(record: TournamentRecord) -> None:
    """Raise `DrawChangedError` unless the form's page showed the present draw."""
    known = request.form.get("mark", ""), request.form.get("published", "")
    if known != (mark_of(find_unpublished(record)), str(count_published(record))):
        raise DrawChangedError


def append_to_draw(
    visitor: TournamentVisitor, make: Callable[[int], StreamAppend], where: Response,
    show: Callable[[TournamentVisitor, str], tuple[str, int]] | None = None, file: bytes = b"",
) -> Response | tuple[str, int]:  # fmt: skip
    """Append to the draw that the page showed, and return ``where``.

    Otherwise ``show`` returns the page as it is now, with words; by default that of the draw.
    ``file`` is what was sent with the form.
    """
    show = show or show_again
    tournament_id = visitor.tournament_id

    def ask(version: int) -> StreamAppend:
        tournaments().with_state(tournament_id, refuse_changed_draw)
        return make(version)

    try:
        append_form(visitor, ask, file=file)
    except DrawChangedError:
        if recorded_before(tournament_id, file):  # the same form was sent again
            return where
        wrong = str(_("Another phone changed the draw meanwhile. Nothing was recorded."))
        return show(visitor, wrong)
    except UnusableError as error:
        return show(visitor, message_in_tournament(error))
    return where


def show_again(visitor: TournamentVisitor, wrong: str) -> tuple[str, int]:
    """Return the page of the draw with an error, or the director's page if there is no draw."""
    return render_draw(visitor, wrong) or render_desk(visitor, wrong), HTTPStatus.CONFLICT


@blueprint.post("")
def draw(tournament_id: str) -> Response | tuple[str, int]:
    """Draw the next round by the rules of its stage, or draw it again."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    if recorded_before(tournament_id):
        return redirect_to_draw(tournament_id)
    try:
        event = NewEvent(RoundDrawn.TYPE, {**propose(tournament_id), **_read_early(tournament_id)})
    except BusyError:
        if is_recorded_soon(tournament_id):
            return redirect_to_draw(tournament_id)
        raise
    except DrawChangedError:
        if recorded_before(tournament_id):
            return redirect_to_draw(tournament_id)
        return show_again(visitor, str(_("Another phone drew meanwhile. Look at it first.")))
    except UnusableError as error:
        return show_again(visitor, message_in_tournament(error))
    return append_to_draw(
        visitor, lambda version: StreamAppend(version, (event,)), redirect_to_draw(tournament_id)
    )


def _read_early(tournament_id: str) -> Mapping[str, bool]:
    """Return what says that the round is drawn early, if the form does."""
    if request.form.get("early") != "yes":
        return {}
    return tournaments().with_state(
        tournament_id, lambda state: early_fields(state, count_published(state) + 1)
    )


def early_fields(record: TournamentRecord, number: int) -> Mapping[str, bool]:
    """Return what says that a round is drawn while the one before it is played; else nothing."""
    former = record.rounds.get(number - 1)
    return {"early": True} if former is not None and not former.closed else {}


def propose(tournament_id: str, *, seen: bool = True) -> JsonObject:
    """Return the data of the next round's draw; the same form draws the same.

    With ``seen`` false the form is not of the present draw. Raises `DrawChangedError` if it is of
    another draw, `UnusableError` if none can be drawn, and `BusyError`.
    """
    digest = form_digest()
    seed = int.from_bytes(digest[:SEED_BYTES]) % MAX_SEED if digest else randbelow(MAX_SEED)
    position, state, results = tournaments().copy(tournament_id)
    if seen:
        refuse_changed_draw(state)
    key = (position, "draw", seed, tuple(played.head for played in results.values()))
    made = compute(tournament_id, key, jobs.propose_round, lambda: (state, results, seed))
    draw: JsonObject = canonical.decode(made)["draw"]
    return draw


@blueprint.post("/swap")
def swap(tournament_id: str) -> Response | tuple[str, int]:
    """Exchange two entrants of the draw."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    chosen = request.form.getlist("swap")
    if len(chosen) != 2:
        return show_again(visitor, str(_("Tap two names to swap them.")))
    number = tournaments().with_state(tournament_id, find_unpublished)
    data = {"round": number.number if number is not None else 0, "entrants": chosen,
            "reason": str(_("Swapped before the publication"))}  # fmt: skip
    event = NewEvent(SeatsExchanged.TYPE, canonical.normalize(data))
    return append_to_draw(
        visitor, lambda version: StreamAppend(version, (event,)), redirect_to_draw(tournament_id)
    )


@blueprint.post("/publish")
def publish(tournament_id: str) -> Response | tuple[str, int]:
    """Publish the round: the hall sees it, and its tables open on the phones."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    drawn = tournaments().with_state(tournament_id, find_unpublished)
    where = redirect_to_desk(tournament_id)
    if recorded_before(tournament_id):
        return where
    if drawn is None:
        return show_again(visitor, str(_("This round is published already.")))
    tables = frozenset(range(1, len(drawn.tables) + 1))
    chosen = {int(table) for table in request.form.getlist("paper")
              if table.isdecimal() and len(table) <= 3}  # fmt: skip
    paper = tables if "all" in request.form.getlist("paper") else tables & chosen
    refuse_many_tables(len(tables - paper))
    make = partial(_request_publication, number=drawn.number, paper=paper)
    return append_to_draw(visitor, make, where)


def _request_publication(version: int, *, number: int, paper: frozenset[int]) -> PublishRequest:
    """Return the request to publish a round."""
    return PublishRequest(version, round=number, paper=paper)
