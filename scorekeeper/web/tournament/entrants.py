"""``/tournament/<tournament_id>/entrants``: registration and check-in."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

from flask import Blueprint, render_template, request, url_for
from flask import redirect as to
from flask_babel import gettext as _
from werkzeug.exceptions import NotFound
from werkzeug.wrappers import Response

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.corrections import CorrectionBegun, EventReplaced, EventStruck
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.events.names import player_ids
from scorekeeper.http.extensions import tournaments
from scorekeeper.http.headers import no_store
from scorekeeper.log import canonical
from scorekeeper.log.replayed import copy_state
from scorekeeper.service import NewEvent, Recorded
from scorekeeper.service.tournament_rights import DIRECTOR
from scorekeeper.streams.requests import StreamAppend
from scorekeeper.tournaments.events import (
    EntrantPaid,
    EntrantPresent,
    EntrantRegistered,
    EntrantReplaced,
    EntrantWithdrawn,
)
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.tournaments.table_rules import PAIRS
from scorekeeper.tournaments.values import Entrant
from scorekeeper.web.forms.typed import clean_line, parse_whole
from scorekeeper.web.frame.form_keys import form_digest, record_after_others, recorded_before
from scorekeeper.web.tournament.of_club import find_club
from scorekeeper.web.tournament.visitor import (
    TournamentVisitor,
    record_built,
    record_in_tournament,
    tournament_visitor,
)
from scorekeeper.web.wording.filters import format_money
from scorekeeper.web.wording.refused import message_in_tournament

blueprint = Blueprint(
    "tournament_entrants", __name__, url_prefix="/tournament/<tournament_id>/entrants"
)
blueprint.after_request(no_store)

MAX_LIST_CHARACTERS: Final = 100_000
CHECK_IN: Final = {"present": EntrantPresent.TYPE, "paid": EntrantPaid.TYPE}


@dataclass(frozen=True, slots=True)
class Registered:
    """The entrants of a tournament, by name.

    ``next_round`` is the first that is not published. ``fee`` is empty if there is none. ``drawn``
    are those who are in a round.
    """

    entrants: Sequence[Entrant]
    pairs: bool
    fee: str
    next_round: int
    drawn: frozenset[str]
    closed: bool

    @classmethod
    def of(cls, state: TournamentState) -> "Registered":
        """Return the entrants of a tournament."""
        fee, latest = state.opening.fee, state.find_latest_published()
        return cls(
            sorted(state.entrants.values(), key=lambda entrant: entrant.name.casefold()),
            state.opening.entrants == PAIRS,
            format_money(fee.amount, fee.currency) if fee is not None else "",
            1 + (latest.number if latest is not None else 0),
            frozenset(entrant for drawn in state.rounds.values()
                      for entrant in (*drawn.list_seated(), *drawn.byes)),
            state.heads is not None,
        )  # fmt: skip

    @property
    def playing(self) -> list[Entrant]:
        """The entrants who have not withdrawn."""
        return [entrant for entrant in self.entrants if entrant.withdrawn_from is None]


# -------------------------------------------------------------------------------- the list


@blueprint.get("")
def page(tournament_id: str) -> str:
    """Show the entrants, each a button that notes them as present."""
    return render_entrants(tournament_visitor(tournament_id, DIRECTOR))


def render_entrants(visitor: TournamentVisitor, wrong: Mapping[str, str] | None = None) -> str:
    """Return the HTML page of the entrants."""
    registered, record = tournaments().with_state(
        visitor.tournament_id, lambda state: (Registered.of(state), copy_state(state))
    )
    return render_template(
        "tournament/entrants.html", at=visitor, wrong=wrong or {}, typed=request.form,
        registered=registered, club=find_club(visitor.tournament_id, record),
        most=MAX_LIST_CHARACTERS, done=request.args.get("done", ""),
    )  # fmt: skip


@blueprint.post("/add")
def add(tournament_id: str) -> Response | tuple[str, int]:
    """Register the entrants of a pasted list, or members who were tapped, all or none."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    if "from_club" in request.form:
        return add_members(visitor)
    text = canonical.to_nfc(request.form.get("text", ""))
    first = parse_whole(request.form.get("from_round", "")[:4])
    wrong = ""
    if len(text) > MAX_LIST_CHARACTERS:
        wrong = str(_("This is longer than %(most)s letters.", most=MAX_LIST_CHARACTERS))
    elif not text.strip():
        wrong = str(_("Type a name."))
    try:
        if not wrong:
            register(visitor, text, first if isinstance(first, int) and first > 1 else None)
    except UnusableError as error:
        wrong = message_in_tournament(error)
        if error.line is not None:
            wrong = str(_("Line %(number)s: %(error)s", number=error.line, error=wrong))
    if wrong:
        return render_entrants(visitor, {"text": wrong}), 422
    return to(url_for(".page", tournament_id=tournament_id, done="added", _anchor="list"), 303)


def add_members(visitor: TournamentVisitor) -> Response | tuple[str, int]:
    """Register members of the club that holds the tournament, who keep their ids.

    In a tournament of pairs two of them are one pair.
    """
    tournament_id = visitor.tournament_id
    chosen = request.form.getlist("member")
    try:
        record_built(visitor, lambda: _register_members(tournament_id, chosen))
    except UnusableError as error:
        return render_entrants(visitor, {"member": message_in_tournament(error)}), 422
    return to(url_for(".page", tournament_id=tournament_id, done="added", _anchor="list"), 303)


def _register_members(tournament_id: str, chosen: Sequence[str]) -> list[NewEvent]:
    """Return the registrations of members. Raises `UnusableError` for a wrong number of them."""
    record = tournaments().with_state(tournament_id, copy_state)
    club, registered = find_club(tournament_id, record), Registered.of(record)
    members = [member for member in (club.free if club else ()) if member.id in chosen]
    if not members:
        raise UnusableError(str(_("Choose who plays.")))
    if registered.pairs and len(members) != 2:
        raise UnusableError(str(_("Choose the two of one pair.")))
    players = [{"id": member.id, "name": member.name} for member in members]
    first = {"from_round": registered.next_round} if registered.next_round > 1 else {}
    if registered.pairs:
        name = " & ".join(member.name for member in members)[:MAX_NAME_CHARACTERS]
        listed = [{"id": members[0].id, "name": name, "players": players}]
    else:
        listed = [{**player, "players": [player]} for player in players]
    return [NewEvent(EntrantRegistered.TYPE, {**entrant, **first}) for entrant in listed]


def register(visitor: TournamentVisitor, text: str, from_round: int | None) -> Recorded:
    """Register a pasted list, once for each form. Raises `UnusableError` with the line."""
    digest = form_digest()

    def record(version: int) -> Recorded:
        asked = StreamAppend(version, key=digest.hex() or None, digest=digest)
        return tournaments().register_pasted(
            visitor.tournament_id, asked, text, from_round, visitor.holder
        )

    return record_after_others(visitor.tournament_id, record)


@blueprint.post("/check-in")
def check_in(tournament_id: str) -> Response:
    """Note that an entrant is present, or has paid; what is noted already stays so."""
    visitor = tournament_visitor(tournament_id, DIRECTOR)
    kind, entrant_id = next(
        ((kind, request.form[name]) for name, kind in CHECK_IN.items() if name in request.form),
        ("", ""),
    )
    known = tournaments().with_state(tournament_id, lambda state: state.entrants.get(entrant_id))
    if known is None:
        raise NotFound(_("There is no such entrant in this tournament."))
    if not (known.present if kind == EntrantPresent.TYPE else known.paid):
        record_unless_noted(visitor, NewEvent(kind, {"entrant": entrant_id}))
    return to(url_for(".page", tournament_id=tournament_id, _anchor=f"e-{entrant_id}"), 303)


def record_unless_noted(visitor: TournamentVisitor, event: NewEvent) -> None:
    """Record an event of the check-in, unless another phone was quicker."""
    try:
        record_in_tournament(visitor, event)
    except UnusableError as error:
        if getattr(error.reason, "why", "") not in ("present_before", "paid_before"):
            raise


# ----------------------------------------------------------------------------- one of them


@blueprint.get("/<entrant>")
def person(tournament_id: str, entrant: str) -> str:
    """Show an entrant, and all that can be changed."""
    return render_entrant(tournament_visitor(tournament_id, DIRECTOR), entrant)


def render_entrant(
    visitor: TournamentVisitor, entrant_id: str, wrong: Mapping[str, str] | None = None
) -> str:
    """Return the page of an entrant. Raises `NotFound` if there is none with this id."""
    entrant, registered = tournaments().with_state(
        visitor.tournament_id, lambda state: (state.entrants.get(entrant_id), Registered.of(state))
    )
    if entrant is None:
        raise NotFound(_("There is no such entrant in this tournament."))
    return render_template(
        "tournament/entrant.html", at=visitor, entrant=entrant, registered=registered,
        wrong=wrong or {}, typed=request.form, done=request.args.get("done", ""),
    )  # fmt: skip


@blueprint.post("/<entrant>")
def change(tournament_id: str, entrant: str) -> Response | tuple[str, int]:
    """Change an entrant; the field `act` of the form says how."""
    visitor, act = tournament_visitor(tournament_id, DIRECTOR), request.form.get("act", "")
    if act not in ACTS:
        raise NotFound
    wrong = ""
    try:
        if not recorded_before(tournament_id):
            known = tournaments().with_state(
                tournament_id, lambda state: state.entrants.get(entrant)
            )
            if known is None:
                raise NotFound(_("There is no such entrant in this tournament."))
            record_built(visitor, partial(ACTS[act], tournament_id, known))
    except UnusableError as error:
        wrong = message_in_tournament(error)
    if wrong:
        return render_entrant(visitor, entrant, {act: wrong}), 422
    if act == "remove":
        return to(url_for(".page", tournament_id=tournament_id, done="removed"), 303)
    return to(url_for(".person", tournament_id=tournament_id, entrant=entrant, done=act), 303)


def _withdraw(tournament_id: str, entrant: Entrant) -> list[NewEvent]:
    """Return the withdrawal of an entrant."""
    data: dict[str, Any] = {"entrant": entrant.id, "from_round": _read_round("from_round")}
    reason = clean_line(request.form.get("reason", ""))
    return [NewEvent(EntrantWithdrawn.TYPE, {**data, "reason": reason} if reason else data)]


def _substitute(tournament_id: str, entrant: Entrant) -> list[NewEvent]:
    """Return the event by which somebody plays for an entrant's player."""
    name = clean_line(request.form.get("name", ""))
    taken = tournaments().with_state(
        tournament_id,
        lambda state: {*state.entrants, *(player for player, _, _ in state.list_players())},
    )
    (substitute,) = player_ids([name], taken).values()
    data: dict[str, Any] = {
        "entrant": entrant.id, "player": request.form.get("player", next(iter(entrant.players))),
        "substitute": {"id": substitute, "name": name}, "from_round": _read_round("from_round"),
    }  # fmt: skip
    if request.form.get("to_round"):
        data["to_round"] = _read_round("to_round")
    return [NewEvent(EntrantReplaced.TYPE, data)]


def _rename(tournament_id: str, entrant: Entrant) -> list[NewEvent]:
    """Return the correction of an entrant's names and group."""
    names = [clean_line(request.form.get(f"name.{player}", name))
             for player, name in entrant.players.items()]  # fmt: skip
    whole = clean_line(request.form.get("whole", "")) if len(names) > 1 else names[0]
    group = clean_line(request.form.get("group", ""))
    players = [{"id": player, "name": name}
               for player, name in zip(entrant.players, names, strict=True)]  # fmt: skip
    first = entrant.from_round if entrant.from_round > 1 else None
    data = {"id": entrant.id, "name": whole, "players": players, "group": group,
            "seed": entrant.seed, "from_round": first}  # fmt: skip
    given = {name: value for name, value in data.items() if value}
    reason = str(_("Corrected by the director"))
    return [NewEvent(EventReplaced.TYPE, {
        "seq": entrant.seq, "type": EntrantRegistered.TYPE, "data": given, "reason": reason,
    })]  # fmt: skip


def _remove(tournament_id: str, entrant: Entrant) -> list[NewEvent]:
    """Return the corrections that take a registration back, and the check-in with it."""
    reason = str(_("Recorded by mistake"))
    seqs = [
        _find_last(tournament_id, entrant, kind)
        for kind, noted in (
            (EntrantPresent.TYPE, entrant.present),
            (EntrantPaid.TYPE, entrant.paid),
        )
        if noted
    ]
    if not seqs:
        return [NewEvent(EventStruck.TYPE, {"seq": entrant.seq, "reason": reason})]
    begun = NewEvent(CorrectionBegun.TYPE, {"count": len(seqs) + 1, "reason": reason})
    return [begun, *(NewEvent(EventStruck.TYPE, {"seq": seq}) for seq in (*seqs, entrant.seq))]


def _strike(tournament_id: str, entrant: Entrant, kind: str) -> list[NewEvent]:
    """Return the correction that takes back the last event of a type about an entrant."""
    seq = _find_last(tournament_id, entrant, kind)
    return [NewEvent(EventStruck.TYPE, {"seq": seq, "reason": str(_("Recorded by mistake"))})]


def _find_last(tournament_id: str, entrant: Entrant, kind: str) -> int:
    """Return the seq of the last event of a type about an entrant; 0 if there is none."""
    named = b'"%b"' % kind.encode()
    lines = tournaments().events(tournament_id).lines
    for line in reversed(lines):
        if named in line:
            event = canonical.decode(line)
            if event["type"] == kind and event["data"]["entrant"] == entrant.id:
                return int(event["seq"])
    return 0


def _read_round(name: str) -> int | str:
    """Return the number of a round in the form; other text is for the codec to refuse."""
    return parse_whole(request.form.get(name, "")[:5])


ACTS: Final[dict[str, Callable[[str, Entrant], list[NewEvent]]]] = {
    "withdraw": _withdraw,
    "substitute": _substitute,
    "rename": _rename,
    "remove": _remove,
    "absent": lambda id_, entrant: _strike(id_, entrant, EntrantPresent.TYPE),
    "unpaid": lambda id_, entrant: _strike(id_, entrant, EntrantPaid.TYPE),
    "back": lambda id_, entrant: _strike(id_, entrant, EntrantWithdrawn.TYPE),
    "alone": lambda id_, entrant: _strike(id_, entrant, EntrantReplaced.TYPE),
}
