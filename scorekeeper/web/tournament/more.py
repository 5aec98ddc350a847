"""``/tournament/<tournament_id>/more``: what a director seldom needs, and the close."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.language import language
from scorekeeper.base.parts import encode_exact
from scorekeeper.exports.tournament_words import TIE_WORDS
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.log import canonical
from scorekeeper.log.replayed import copy_state
from scorekeeper.service import NewEvent
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.tournaments.events import (
    EntrantPointsAdjusted,
    LotDrawn,
    PlanChanged,
    ResultAssigned,
    SeatsExchanged,
    TournamentClosed,
)
from scorekeeper.tournaments.stages import TIE_RULES, Stage
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.web.forms.typed import MINUS, clean_line
from scorekeeper.web.tournament.direct import read_number
from scorekeeper.web.tournament.new import END_WORDS, POINT_WORDS
from scorekeeper.web.tournament.of_club import find_club
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    record_built,
    tournament_visitor,
)
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint("tournament_more", __name__,
                      url_prefix="/tournament/<tournament_id>/more")  # fmt: skip
blueprint.after_request(no_store)

FIRST_TIE, LAST_TIE = "points", "shared"
CHOSEN_TIES: Final = tuple(rule for rule in TIE_RULES if rule not in (FIRST_TIE, LAST_TIE))
EACH, PLACES = "each", "places"
ADVANCE_WORDS: Final = {
    "overall": _l("The best of all"),
    EACH: _l("The best of each table or group"),
    PLACES: _l("Finals for every place"),
}
FIGURE_CHARACTERS: Final = "+-0123456789./"
MAX_FIGURE_CHARACTERS: Final = 12


@dataclass(frozen=True, slots=True)
class SeldomUsed:
    """What the page shows of a tournament: its entrants, rounds and stages.

    ``round`` is the latest published one, 0 before the first; ``open`` are those that are playing.
    ``drawn`` are the numbers of the stages of which a round is drawn.
    """

    entrants: Mapping[str, str]
    round: int
    open: Sequence[int]
    stages: Sequence[Stage]
    drawn: frozenset[int]
    closed: bool

    @classmethod
    def of(cls, state: TournamentState) -> "SeldomUsed":
        """Return what the page shows of a tournament."""
        latest = state.find_latest_published()
        order = sorted(state.entrants.values(), key=lambda entrant: entrant.name.casefold())
        return cls(
            {entrant.id: entrant.name for entrant in order},
            latest.number if latest is not None else 0,
            [each.number for each in state.rounds.values() if each.published and not each.closed],
            list(state.stages), frozenset(each.stage for each in state.rounds.values()),
            state.heads is not None,
        )  # fmt: skip


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show all that is seldom needed."""
    return render_more(tournament_visitor(tournament_id, DIRECTOR))


def render_more(visitor: TournamentVisitor, wrong: Mapping[str, str] | None = None) -> str:
    """Return the HTML page; ``wrong`` has the errors by form."""
    seldom, record = tournaments().with_state(
        visitor.tournament_id, lambda state: (SeldomUsed.of(state), copy_state(state))
    )
    return render_template(
        "tournament/more.html", at=visitor, wrong=wrong or {}, typed=request.form, ends=END_WORDS,
        points=POINT_WORDS, kinds=ADVANCE_WORDS, list_ties=list_chosen_ties,
        ties={rule: language().say(TIE_WORDS[rule]) for rule in CHOSEN_TIES},
        seldom=seldom, club=find_club(visitor.tournament_id, record),
        done=request.args.get("done", ""),
    )  # fmt: skip


@blueprint.post("/<act>")
def record(tournament_id: str, act: str) -> Response | tuple[str, int]:
    """Record what one of the forms says."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    if act not in ACTS:
        raise NotFound
    kind, build = ACTS[act]
    try:
        record_built(visitor, lambda: [NewEvent(kind, build(tournament_id))])
    except UnusableError as error:
        return render_more(visitor, {act: message_in_tournament(error)}), 422
    return to(url_for(".page", tournament_id=tournament_id, done=act), 303)


def read_points(text: str) -> int | str:
    """Return typed points as in the log: a whole number, or a fraction such as ``"7/2"``.

    Other text is for the codec to refuse.

    >>> read_points("2.5"), read_points("-3")
    ('5/2', -3)
    """
    figure = text.strip().replace(MINUS, "-").replace(",", ".")[:MAX_FIGURE_CHARACTERS]
    if set(figure) <= set(FIGURE_CHARACTERS):
        with suppress(ValueError, ZeroDivisionError):
            return encode_exact(Fraction(figure))
    return figure


def _read_line(name: str) -> str:
    """Return a line of the form."""
    return clean_line(request.form.get(name, ""))


def read_reason() -> str:
    """Return the reason in the form. Raises `UnusableError` if there is none."""
    reason = _read_line("reason")
    if not reason:
        raise UnusableError(str(_("Say why.")))
    return reason


def _adjust(tournament_id: str) -> dict[str, Any]:
    """Return the points that the director gives or takes."""
    data = {"entrant": _read_line("entrant"), "points": read_points(request.form.get("points", "")),
            "reason": read_reason()}  # fmt: skip
    return {**data, "round": read_number("round")} if _read_line("round") else data


def _assign(tournament_id: str) -> dict[str, Any]:
    """Return the points that replace those that were played."""
    return {"entrant": _read_line("entrant"), "points": read_points(request.form.get("points", "")),
            "reason": read_reason(), "round": read_number("round")}  # fmt: skip


def _exchange(tournament_id: str) -> dict[str, Any]:
    """Return the exchange of two seats."""
    return {"round": read_number("round"), "reason": read_reason(),
            "entrants": [_read_line("one"), _read_line("other")]}  # fmt: skip


def _change_plan(tournament_id: str) -> dict[str, Any]:
    """Return the fields of a stage that differ from the present ones."""
    number = read_number("stage")
    data: dict[str, Any] = {"stage": number, "reason": read_reason()}
    stages = tournaments().with_state(tournament_id, lambda state: list(state.stages))
    now = stages[number - 1] if isinstance(number, int) and 0 < number <= len(stages) else None
    for name in ("rounds", "hands", "minutes"):
        figure = read_number(name)
        if figure not in ("", getattr(now, name, None)):
            data[name] = figure
    end = _read_line("at_time")
    if end and end != getattr(now, "at_time", None):
        data["at_time"] = end
    return {**data, **_read_rules(now)} if now is not None else data


def list_chosen_ties(stage: Stage) -> list[str]:
    """Return the tie-breaks of a stage between the points and the shared place."""
    return [rule for rule in stage.tie_rules if rule in CHOSEN_TIES]


def _read_rules(now: Stage) -> dict[str, Any]:
    """Return how the points, the tie-breaks and those who advance differ from the present ones."""
    data: dict[str, Any] = {}
    points, ties = _read_line("points"), [each for each in request.form.getlist("ties") if each]
    if points and points != now.rule.by:
        data["points"] = points
    if "ties" in request.form and ties != list_chosen_ties(now):
        data["ties"] = [FIRST_TIE, *ties, LAST_TIE]
    kind = _read_line("advance")
    if kind:
        advance: dict[str, Any] = {kind: "all" if kind == PLACES else read_number("through")}
        if kind == EACH and _read_line("best"):
            advance["best"] = read_number("best")
        if advance != describe_advance(now):
            data["advance"] = advance
    return data


def describe_advance(stage: Stage) -> dict[str, Any]:
    """Return who advances as in the log; empty if the stage does not say."""
    names = ("overall", EACH, "best", PLACES)
    given = {name: getattr(stage.advance, name, None) for name in names}
    return {name: value for name, value in given.items() if value is not None}


def _draw_lot(tournament_id: str) -> dict[str, Any]:
    """Return the order of those who drew cards."""
    return {"order": [entrant for entrant in map(clean_line, request.form.getlist("order"))
                      if entrant]}  # fmt: skip


def _close(tournament_id: str) -> dict[str, Any]:
    """Return the heads of all sessions of the tournament."""
    return {"heads": tournaments().find_heads(tournament_id)}


def _canonical(build: Callable[[str], dict[str, Any]]) -> Callable[[str], Any]:
    """Return a builder of event data whose texts are in NFC."""
    return lambda tournament_id: canonical.normalize(build(tournament_id))


ACTS: Final[dict[str, tuple[str, Callable[[str], Any]]]] = {
    "points": (EntrantPointsAdjusted.TYPE, _canonical(_adjust)),
    "result": (ResultAssigned.TYPE, _canonical(_assign)),
    "seats": (SeatsExchanged.TYPE, _canonical(_exchange)),
    "plan": (PlanChanged.TYPE, _canonical(_change_plan)),
    "lot": (LotDrawn.TYPE, _canonical(_draw_lot)),
    "close": (TournamentClosed.TYPE, _canonical(_close)),
}
