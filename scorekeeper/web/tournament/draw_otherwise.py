"""``…/draw/other``: a round drawn early, by hand, or again after others advance to it.

A draw by hand is checked on the page of the draw, like any other.
"""

from collections.abc import Sequence
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from flask import Blueprint, render_template, request
from flask_babel import gettext as _
from werkzeug.wrappers import Response

from scorekeeper.base.errors import BusyError, UnusableError
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.log import canonical, codec
from scorekeeper.service import NewEvent
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.streams.requests import StreamAppend
from scorekeeper.tournaments.advancing import find_changed_advance
from scorekeeper.tournaments.checked_rounds import BY_HAND, make_round_by_hand
from scorekeeper.tournaments.events import DrawKept, RoundDrawn
from scorekeeper.tournaments.proposals import find_stage, list_fields
from scorekeeper.tournaments.taken_back import list_recall
from scorekeeper.tournaments.typed_draws import MAX_CHARACTERS, parse_typed_round
from scorekeeper.web.frame.form_keys import (
    form_digest,
    is_recorded_soon,
    record_after_others,
    recorded_before,
)
from scorekeeper.web.tournament.direct import (
    count_published,
    find_unpublished,
    list_playing,
    mark_of,
    render_desk,
)
from scorekeeper.web.tournament.drawing import (
    DrawChangedError,
    append_to_draw,
    early_fields,
    propose,
    redirect_to_desk,
    redirect_to_draw,
    refuse_changed_draw,
    show_again,
)
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    append_form,
    see_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint("tournament_other_draw", __name__,
                      url_prefix="/tournament/<tournament_id>/draw")  # fmt: skip
blueprint.after_request(no_store)

RECALL: Final = "recall"  # ends the key of a form's first append


class OtherDraw(NamedTuple):
    """What the page shows: the round, its stage, and whether the one before is open.

    ``playing`` are the tables that still play there. ``numbered`` are the entrants in the order in
    which numbers count them.
    """

    round: int
    stage: str
    by_hand: bool
    early: bool
    playing: Sequence[int]
    numbered: Sequence[str]
    mark: str
    published: int


def view_other_draw(snapshot: TournamentSnapshot) -> OtherDraw | None:
    """Return what can be drawn next in another way; None if all rounds are drawn."""
    state = snapshot.state
    drawn = find_unpublished(state)
    number = drawn.number if drawn is not None else count_published(state) + 1
    try:
        stage = state.stages[find_stage(state, number) - 1]
    except UnusableError:
        return None
    return OtherDraw(
        number, stage.name, stage.draw == BY_HAND, bool(early_fields(state, number)),
        list_playing(snapshot, number - 1), [entrant.name for entrant in state.entrants.values()],
        mark_of(drawn), count_published(state),
    )  # fmt: skip


@blueprint.get("/other")
def other(tournament_id: str) -> Response | str:
    """Show how the next round can be drawn early, or by hand."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    return render_other(visitor) or redirect_to_desk(tournament_id)


def render_other(visitor: TournamentVisitor, wrong: str = "", text: str = "") -> str:
    """Return the HTML page; empty if all rounds are drawn."""
    asked = see_tournament(visitor.tournament_id, view_other_draw)
    if asked is None:
        return ""
    return render_template(
        "tournament/draw_otherwise.html", at=visitor, asked=asked, wrong=wrong, text=text,
        most=MAX_CHARACTERS,
    )  # fmt: skip


@blueprint.post("/by-hand")
def by_hand(tournament_id: str) -> Response | tuple[str, int]:
    """Record a round that was drawn by hand: typed, or from a file."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    file = request.files.get("file")
    sent = file.read(MAX_CHARACTERS + 1) if file is not None else b""
    if recorded_before(tournament_id, sent):
        return redirect_to_draw(tournament_id)
    typed = canonical.to_nfc(request.form.get("text", ""))
    text = sent.decode("utf-8-sig", "replace") if sent else typed

    def show(visitor: TournamentVisitor, wrong: str) -> tuple[str, int]:
        return render_other(visitor, wrong, text) or render_desk(
            visitor, wrong
        ), HTTPStatus.CONFLICT

    try:
        data = see_tournament(tournament_id, lambda snapshot: _type_round(snapshot, text))
    except UnusableError as error:
        wrong = message_in_tournament(error)
        if error.line is not None:
            wrong = str(_("Line %(number)s: %(error)s", number=error.line, error=wrong))
        return show(visitor, wrong)[0], HTTPStatus.UNPROCESSABLE_ENTITY
    event = NewEvent(RoundDrawn.TYPE, data)
    return append_to_draw(
        visitor, lambda version: StreamAppend(version, (event,)), redirect_to_draw(tournament_id),
        show, sent,
    )  # fmt: skip


def _type_round(snapshot: TournamentSnapshot, text: str) -> dict[str, Any]:
    """Return the data of a typed round. Raises `UnusableError` with the line."""
    state = snapshot.state
    drawn = find_unpublished(state)
    number = drawn.number if drawn is not None else count_published(state) + 1
    stage = find_stage(state, number)
    before = [each for each in state.rounds.values()
              if each.stage == stage and each.number < number]  # fmt: skip
    fields = list_fields(state, snapshot.results, stage, before, number)
    typed = parse_typed_round(text, state, number, {who for field in fields for who in field})
    data = codec.encode(make_round_by_hand(state, number, typed.tables, typed.byes))
    return {**data, **early_fields(state, number)}


# ---------------------------------------------------------------- others advance than were drawn


@blueprint.post("/keep")
def keep(tournament_id: str) -> Response | tuple[str, int]:
    """Keep the draw of a stage's first round, though others advance to it now."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    data = {
        "round": request.form.get("round", 0, type=int),
        "through": request.form.getlist("through"), "out": request.form.getlist("out"),
    }  # fmt: skip
    event = NewEvent(DrawKept.TYPE, canonical.normalize(data))
    return append_to_draw(
        visitor, lambda version: StreamAppend(version, (event,)), redirect_to_desk(tournament_id)
    )


@blueprint.post("/again")
def again(tournament_id: str) -> Response | tuple[str, int]:
    """Draw a published round again, to which others advance now: take its publication back first.

    The draw is then checked and published like any other.
    """
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    if recorded_before(tournament_id):
        return redirect_to_draw(tournament_id)
    try:
        _recall(visitor)
        event = NewEvent(RoundDrawn.TYPE, propose(tournament_id, seen=False))
        append_form(visitor, lambda version: StreamAppend(version, (event,)))
    except (BusyError, DrawChangedError, UnusableError) as error:
        if _is_recalled(tournament_id) and is_recorded_soon(tournament_id):
            return redirect_to_draw(tournament_id)
        if isinstance(error, BusyError):
            raise
        if isinstance(error, UnusableError):
            return show_again(visitor, message_in_tournament(error))
        wrong = str(_("Another phone changed the draw meanwhile. Nothing was recorded."))
        return show_again(visitor, wrong)
    return redirect_to_draw(tournament_id)


def _recall_key() -> str | None:
    """Return the key with which this form takes a publication back, before it draws."""
    digest = form_digest()
    return f"{digest.hex()} {RECALL}" if digest else None


def _is_recalled(tournament_id: str) -> bool:
    """Return whether this form has taken a publication back: it may have been sent twice."""
    key = _recall_key()
    return bool(key and tournaments().find_answer(tournament_id, key, form_digest()))


def _recall(visitor: TournamentVisitor) -> None:
    """Take back the publication of the round to which others advance, once for each form.

    Raises `DrawChangedError` or `UnusableError`.
    """
    tournament_id, key = visitor.tournament_id, _recall_key()
    if _is_recalled(tournament_id):
        return

    def record(version: int) -> Any:
        tournaments().with_state(tournament_id, refuse_changed_draw)
        changed = see_tournament(
            tournament_id,
            lambda now: find_changed_advance(now.state, now.results, now.scoreboard),
        )  # fmt: skip
        if changed is None or not changed.published:
            raise DrawChangedError
        reason = str(_("Others advance to it"))
        corrections = tournaments().with_log(
            tournament_id, lambda held: list_recall(held, changed.round, reason)
        )
        events = tuple(NewEvent(kind, data) for kind, data in corrections)
        asked = StreamAppend(version, events, key, form_digest())
        return tournaments().record(tournament_id, asked, visitor.holder)

    record_after_others(tournament_id, record)
