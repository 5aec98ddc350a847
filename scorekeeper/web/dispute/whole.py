"""The forms for corrections of whole things: a hand, a player, the rules, the stake, the seats."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Declared, Each, Part, parts_of
from scorekeeper.events.sentences import label_of, noun_of
from scorekeeper.log import codec
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Ask
from scorekeeper.repair.whole_corrections import (
    WHOLE_KINDS,
    AddedHand,
    AgreedRules,
    AgreedSeats,
    AgreedStake,
    WholeKind,
    build_whole,
    list_kinds,
)
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.dispute.amend import FIELD
from scorekeeper.web.forms.scene import Scene, names_at
from scorekeeper.web.forms.widget import Field, FormData
from scorekeeper.web.forms.widgets import widget_of
from scorekeeper.web.opening.options import (
    OPTION,
    OptionField,
    chosen_options,
    option_fields,
    options_as_form,
)
from scorekeeper.web.opening.stakes import (
    FIELDS as STAKE_FIELDS,
)
from scorekeeper.web.opening.stakes import (
    StakeField,
    chosen_stake,
    stake_as_form,
    stake_field,
)
from scorekeeper.web.wording.whole_kinds import WHOLE_WORDS, WholeWords

DEALER: Final = f"{FIELD}dealer"


@dataclass(frozen=True, slots=True)
class FieldGroup:
    """Fields of one event of a hand that is put in; ``instead`` of the group before it."""

    label: str
    fields: Sequence[Field]
    instead: bool = False
    optional: bool = False


@dataclass(frozen=True, slots=True)
class WholeForm:
    """The form for a kind of whole correction.

    ``groups`` are the events of a hand, ``options`` and ``stake`` those of a match; ``asks_first``
    is set if the rest of the form depends on the dealer.
    """

    kind: WholeKind
    words: WholeWords
    fields: Sequence[Field] = ()
    groups: Sequence[FieldGroup] = ()
    options: Sequence[OptionField] = ()
    stake: StakeField | None = None
    asks_first: bool = False


@dataclass(frozen=True, slots=True)
class _Copy:
    """One place of a hand's form for an event: the prefix of its fields, and its declarations."""

    prefix: str
    ask: Ask
    declared: type[Event]
    alternative: int
    first: bool = field(default=True)


def list_whole_links(record: HandRecord) -> list[tuple[str, WholeWords]]:
    """Return the kinds of whole corrections of a hand with their words, by id."""
    return [(kind.id, WHOLE_WORDS[kind.id]) for kind in list_kinds(record)]


def find_kind(record: HandRecord, name: str) -> WholeKind:
    """Return the kind of whole correction with this id.

    Raises `UnusableError` if the hand has none.
    """
    kind = WHOLE_KINDS.get(name)
    if kind is None or kind not in list_kinds(record):
        raise UnusableError(_("Choose what should be corrected."))
    return kind


# --------------------------------------------------------------------------------- the forms


def build_whole_form(
    session: Session, record: HandRecord, kind: WholeKind, form: FormData, me: str | None
) -> WholeForm:
    """Return the form of a kind with its present content; without any, what is recorded."""
    whole, match = WholeForm(kind, WHOLE_WORDS[kind.id]), record.match
    if kind.asks is AgreedRules:
        given = any(name.startswith(OPTION) for name in form)
        values = form if given else options_as_form(match.game, match.options)
        return replace(whole, options=option_fields(match.game, values))
    if kind.asks is AgreedStake:
        given = any(name in form for name in STAKE_FIELDS)
        values = FormData(form if given else stake_as_form(match.stake))
        return replace(whole, stake=stake_field(match.game, values, len(match.seats)))
    scene = Scene(names_at(session), match, me=me)
    if kind.asks is AddedHand:
        return _build_hand_form(whole, record, form, scene)
    present: JsonObject = {"seats": list(match.seats)} if kind.asks is AgreedSeats else {}
    parts = parts_of(kind.asks)
    present = {**present, **_read_parts(parts, FIELD, form, scene)}
    fields = [each for part in parts for each in _build_fields(part, FIELD, present, scene)]
    return replace(whole, fields=fields)


def _build_fields(part: Part, prefix: str, data: JsonObject, scene: Scene) -> Iterator[Field]:
    """Yield the fields for a part of a declaration, filled in from `data`."""
    widget, value = widget_of(part.kind), data.get(part.name)
    for each in widget.fields(part.kind, prefix + part.name, label_of(part), value, scene):
        required = not (each.hint or isinstance(part.kind, Each))
        yield replace(each, required=required, empty=not (required and each.text))


def _build_hand_form(
    whole: WholeForm, record: HandRecord, form: FormData, scene: Scene
) -> WholeForm:
    """Return the form for a hand that is put in: its dealer, and the questions of its totals.

    Where not everybody plays in each hand, the dealer is asked for first.
    """
    dealer, seats = form.get(DEALER, ""), record.match.seats
    part = next(part for part in parts_of(AddedHand) if part.name == "dealer")
    known = dealer in seats
    before = seats[seats.index(record.dealer) - 1]
    due = before if whole.kind.first_hand else record.match.list_allowed_dealers(record)[-1]
    fields = list(_build_fields(part, FIELD, {"dealer": dealer if known else due}, scene))
    deal = _deal_by(record.match, dealer if known else due)
    if len(deal.table.players) < len(seats) and not known:
        return replace(whole, fields=fields, asks_first=True)
    scene = replace(scene, deal=deal)
    groups = [
        FieldGroup(
            noun_of(copy.declared),
            list(_fields_of_copy(copy, form, scene)),
            instead=copy.alternative > 0,
            optional=copy.ask.optional or not copy.first,
        )
        for copy in _list_copies(record.match.game.questions(deal))
    ]
    return replace(whole, fields=fields, groups=groups)


def _deal_by(match: MatchRecord, dealer: str) -> Deal:
    """Return an empty deal of a match by a dealer."""
    deal = match.game.start(match.seating_of(dealer).table)
    deal.standing = match.standing()
    match.game.evaluate(deal)
    return deal


def _list_copies(asks: Iterable[Ask]) -> Iterator[_Copy]:
    """Yield the places for events in the form of a hand by its totals, which has these ``asks``."""
    for number, ask in enumerate(asks):
        for time in range(ask.times):
            for alternative, declared in enumerate(ask.events):
                prefix = f"{FIELD}{number}-{time}-{alternative}."
                yield _Copy(prefix, ask, declared, alternative, first=time == 0)


def _fields_of_copy(copy: _Copy, form: FormData, scene: Scene) -> Iterator[Field]:
    """Yield the fields of one event; the form leaves out optional values."""
    must = not copy.ask.optional and len(copy.ask.events) == 1
    parts = _parts_of_form(copy.declared)
    data = _read_parts(parts, copy.prefix, form, scene)
    for part in parts:
        for each in _build_fields(part, copy.prefix, data, scene):
            yield replace(each, required=each.required and must)


def _parts_of_form(declared: type[Declared]) -> list[Part]:
    """Return the parts of an event that the form of a hand asks for."""
    return [part for part in parts_of(declared) if not part.optional]


# --------------------------------------------------------------------------------- the answers


def build_whole_corrections(
    session: Session, record: HandRecord, kind: WholeKind, form: FormData, reason: str
) -> list[Correction]:
    """Return the corrections that a form of a kind asks for.

    Raises `UnusableError` if they cannot be recorded, or the form is not valid.
    """
    answer = _read_answer(session, record, kind, form)
    return build_whole(session, record, kind, answer, reason)


def _read_answer(
    session: Session, record: HandRecord, kind: WholeKind, form: FormData
) -> JsonObject:
    """Return the answer of a form in JSON. Raises `UnusableError` if a value is not valid."""
    match, wrong = record.match, dict[str, str]()
    if kind.asks is AgreedRules:
        options = chosen_options(match.game, form, wrong)
        _refuse_wrong(wrong)
        return {"options": options}
    if kind.asks is AgreedStake:
        stake = chosen_stake(form, wrong)
        _refuse_wrong(wrong)
        return {} if stake is None else {"stake": stake}
    scene = Scene(names_at(session), match)
    if kind.asks is AddedHand:
        return _read_hand(record, form, scene)
    return _read_parts(parts_of(kind.asks), FIELD, form, scene)


def _refuse_wrong(wrong: dict[str, str]) -> None:
    """Raise `UnusableError` with the first message about a field, if there is any."""
    for message in wrong.values():
        raise UnusableError(message)


def _read_hand(record: HandRecord, form: FormData, scene: Scene) -> JsonObject:
    """Return the dealer and events of a hand that a form describes."""
    dealer, match = form.get(DEALER, ""), record.match
    if dealer not in match.seats:
        raise UnusableError(_("Choose who dealt."))
    deal = _deal_by(match, dealer)
    scene = replace(scene, deal=deal)
    events: list[JsonObject] = []
    answered: set[tuple[int, str]] = set()
    for copy in _list_copies(match.game.questions(deal)):
        data = _read_parts(_parts_of_form(copy.declared), copy.prefix, form, scene)
        question = id(copy.ask), copy.prefix.rpartition("-")[0]
        if not data or question in answered:
            continue
        answered.add(question)
        codec.decode(copy.declared.TYPE, data, match.game.by_type)
        events.append({"type": copy.declared.TYPE, "data": data})
    return {"dealer": dealer, "events": events}


def _read_parts(parts: Sequence[Part], prefix: str, form: FormData, scene: Scene) -> dict[str, Any]:
    """Return the values of a form's fields that are filled in."""
    data: dict[str, Any] = {}
    for part in parts:
        value = widget_of(part.kind).read(part.kind, prefix + part.name, form, scene)
        if value is not None and value != {}:
            data[part.name] = value
    return data
