"""The form that corrects an entry field by field, or adds one that was left out."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import HandAbandoned, ScoreClaimed
from scorekeeper.events.corrections import CorrectionBegun, EventInserted
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Each, Part, Whole, parts_of
from scorekeeper.events.playing import (
    CardPlayed,
    CardsShown,
    OutcomeRecorded,
    PointsCounted,
    RestClaimed,
    TrickTaken,
)
from scorekeeper.events.sentences import in_words, label_of, noun_of
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.service.amending import editable_types
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import decode_entry
from scorekeeper.web.dispute.desk_parts import Raw
from scorekeeper.web.forms.scene import Scene
from scorekeeper.web.forms.widget import Field, FormData
from scorekeeper.web.forms.widgets import widget_of

FIELD: Final = "f."  # prefix of an event's fields in a form
# The events of all games stand before and after those of one game.
FIRST: Final[tuple[type[Event], ...]] = (CardPlayed, TrickTaken, PointsCounted, OutcomeRecorded)
LAST: Final[tuple[type[Event], ...]] = (CardsShown, HandAbandoned, ScoreClaimed, RestClaimed)


def correctable_event_at(session: Session, record: HandRecord, seq: int) -> Event | None:
    """Return the event with a seq after all corrections.

    None if the event is not part of the hand, does not count, or its type cannot be corrected.
    """
    segment = session.structure.segment_of.get(seq)
    reading = session.corrections.reading(seq) if segment else None
    if segment is None or segment.hand is not record or reading is None:
        return None
    event = decode_entry(reading, record.game).event
    return event if type(event) in editable_types(record.game) else None


def addable_kinds(record: HandRecord) -> list[tuple[str, str]]:
    """Return the kinds of event that can be added to a hand, each with its label.

    A kind is a type of event, with its category if the type has several.
    """
    types = _types_by_kind(record.game)
    return [(kind, _kind_label(kind, declared)) for kind, declared in types.items()]


def _types_by_kind(game: Game) -> dict[str, type[Event]]:
    """Return the event types of a game by kind.

    A kind is the type's name, with a category if the type has several.
    """
    own = [event_type for event_type in game.events if event_type not in (*FIRST, *LAST)]
    kinds: dict[str, type[Event]] = {}
    for event_type in (*FIRST, *own, *map(game.own_event, LAST)):
        of_type = game.by_type.get(event_type.TYPE)
        if isinstance(of_type, Mapping):
            kinds |= {
                f"{event_type.TYPE}:{category}": in_category
                for category, in_category in of_type.items()
            }
        elif of_type is event_type:
            kinds[event_type.TYPE] = event_type
    return kinds


def _kind_label(kind: str, declared: type[Event]) -> str:
    """Return the label of a kind of event, with its category if it has one."""
    category = kind.partition(":")[2]
    if not category:
        return noun_of(declared)
    part = next(field for field in parts_of(declared) if field.name == "category")
    return f"{noun_of(declared)}: {in_words(category, part.kind)}"


def type_of_kind(record: HandRecord, kind: str) -> type[Event] | None:
    """Return the event type of a kind; None if the game has no such kind."""
    return _types_by_kind(record.game).get(kind)


def data_of_kind(kind: str) -> Raw:
    """Return the event data that a kind already determines: its category, if it has one."""
    category = kind.partition(":")[2]
    return {"category": category} if category else {}


# --------------------------------------------------------------------------------- the form


def _scene_of(record: HandRecord, me: str | None = None) -> Scene:
    """Return the context of the values in a form about a hand, for the viewer `me`."""
    return Scene(record.table.names, record.match, record.deal, me=me)


def form_fields(
    record: HandRecord, kind: type[Event], data: JsonObject, me: str | None = None
) -> Iterator[Field]:
    """Yield the form fields of an event type, filled in from `data`.

    Players stand in order of play, `me` first. Values that the hand already has in another event
    are left out, where it can have each only once.
    """
    scene = _scene_of(record, me)
    for part in parts_of(kind):
        widget, value = widget_of(part.kind), data.get(part.name)
        excluded = scene.excluded(kind, part)
        gone = {text for other in excluded for text in widget.texts(part.kind, other)}
        for field in widget.fields(part.kind, FIELD + part.name, label_of(part), value, scene):
            required = not (part.optional or field.hint or isinstance(part.kind, Each))
            taken = gone.difference(field.texts)
            values = [choice for choice in field.values if choice[0] not in taken]
            empty = not (required and field.text)
            yield replace(field, values=values, required=required, empty=empty)


def read_event_data(
    record: HandRecord, kind: type[Event], form: FormData, before: JsonObject
) -> Raw:
    """Return the data of an event of a type, as the form's fields state it.

    `before` is the data of the event that it replaces, empty for another one. Raises
    `UnusableError` if it is not a valid event.
    """
    data: Raw = {}
    for part in parts_of(kind):
        name, scene = FIELD + part.name, _scene_of(record)
        value = widget_of(part.kind).read(part.kind, name, form, scene)
        if value is not None and (value != {} or not part.optional):
            data[part.name] = _with_complement(record, part, value, before.get(part.name) or {})
    codec.decode(kind.TYPE, data, record.game.by_type)
    return data


def _with_complement(record: HandRecord, part: Part, value: Any, before: JsonObject) -> Any:
    """Return the counts of a field, with the one that follows from the others and their fixed sum.

    It is the only count that the form leaves as `before`, or empty. Other values are returned as
    they are.
    """
    if not (isinstance(part.kind, Each) and isinstance(part.kind.of, Whole)):
        return value
    total = _scene_of(record).fixed_total(part.name)
    same = [side for side, count in before.items() if value.get(side, count) == count]
    if total is None or len(same) != 1 or len(before) < 2:
        return value
    rest = total - sum(count for side, count in value.items() if side != same[0])
    return {**value, same[0]: rest} if rest >= 0 else value


def build_corrections(
    session: Session, record: HandRecord, form: FormData, seq: int, reason: str
) -> list[Raw]:
    """Return the corrections that a form requests of the event `seq`.

    They are a strike, a replacement, or an insertion after it. Raises `UnusableError` if the event
    is not part of the hand or the form has no valid event.
    """
    event = correctable_event_at(session, record, seq)
    if event is None:
        raise UnusableError(_("This event is not part of this hand, or no longer counts."))
    if form.get("strike"):
        return _replace_correction(session, seq, None, reason)
    kind = type_of_kind(record, form["insert"]) if form.get("insert") else type(event)
    if kind is None:
        raise UnusableError(_("There is nothing of this kind in this game."))
    before = {} if form.get("insert") else codec.encode(event)
    data = read_event_data(record, kind, form, before)
    replacement = {"type": kind.TYPE, "data": data, "reason": reason}
    if form.get("insert"):
        return [{"type": "event_inserted", "data": {"after": seq, **replacement}}]
    inserted = session.corrections.recorded[seq].event
    if isinstance(inserted, EventInserted):  # it has no event of its own to replace
        again = {"type": "event_inserted", "data": {"after": inserted.after, **replacement}}
        return _replace_correction(session, seq, again, reason)
    return [{"type": "event_replaced", "data": {"seq": seq, **replacement}}]


def _replace_correction(session: Session, seq: int, again: Raw | None, reason: str) -> list[Raw]:
    """Return the corrections that strike a correction and record `again` in its place, if given.

    A correction of a set is not struck alone: the whole set is struck, and the others are repeated.
    Raises `UnusableError` if the corrections of the set build on one another.
    """
    begun = session.corrections.begun_set_of(seq)
    if begun is None:
        return [_strike(seq, reason), *([again] if again else ())]
    members = session.corrections.sets[begun.seq].members
    repeated = [again if key == seq else _recorded_again(session, key) for key in members]
    named = [
        correction["data"].get("after", correction["data"].get("seq"))
        for correction in repeated
        if correction
    ]
    if set(members).intersection(named) or not session.hidden.isdisjoint(members):
        raise UnusableError(
            _("This belongs to corrections that build on one another. Take back all of them, and "
              "correct the hand again.")
        )  # fmt: skip
    return [_strike(begun.seq, reason), *(correction for correction in repeated if correction)]


def _recorded_again(session: Session, key: int) -> Raw:
    """Return the recorded correction with seq `key` as an event to append again."""
    event = session.corrections.recorded[key].event
    return {"type": event.TYPE, "data": dict(codec.encode(event))}


def as_a_set(corrections: list[Raw], reason: str = "") -> list[Raw]:
    """Return corrections for one append; several are preceded by the event that begins a set.

    Its reason is that of the first correction, if this has one.
    """
    if len(corrections) < 2:
        return corrections
    reason = corrections[0]["data"].get("reason", reason)
    begun = {"count": len(corrections), "reason": reason}
    return [{"type": CorrectionBegun.TYPE, "data": begun}, *corrections]


def _strike(seq: int, reason: str) -> Raw:
    """Return the correction that strikes the event `seq`."""
    return {"type": "event_struck", "data": {"seq": seq, "reason": reason}}
