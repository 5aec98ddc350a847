"""The form that corrects an entry field by field, or adds one that was left out."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import HandAbandoned, ScoreClaimed
from scorekeeper.events.corrections import CorrectionBegun, EventInserted
from scorekeeper.events.event import Event
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Each,
    Flag,
    Kind,
    Many,
    Nested,
    OneOf,
    Part,
    PlayerId,
    SideId,
    Whole,
    Whom,
    parts_of,
)
from scorekeeper.events.offered import excluded_values, values_in_pack
from scorekeeper.events.playing import (
    CardPlayed,
    CardsShown,
    OutcomeRecorded,
    PointsCounted,
    RestClaimed,
    TrickTaken,
)
from scorekeeper.events.sentences import in_words, label_of, noun_of, standalone_words
from scorekeeper.games.game import Game
from scorekeeper.log import canonical, codec
from scorekeeper.service.amending import editable_types
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import decode_entry
from scorekeeper.web.dispute.desk_parts import Raw
from scorekeeper.web.frame.ring import sides_starting_with, starting_with
from scorekeeper.web.wording.filters import with_colon

FIELD: Final = "f."  # prefix of an event's fields in a form
# The events of all games stand before and after those of one game.
FIRST: Final[tuple[type[Event], ...]] = (CardPlayed, TrickTaken, PointsCounted, OutcomeRecorded)
LAST: Final[tuple[type[Event], ...]] = (CardsShown, HandAbandoned, ScoreClaimed, RestClaimed)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form: a choice if it has `values`, else a number or a text.

    `values` are pairs of a value and its label.
    """

    name: str
    label: str
    value: str
    values: Sequence[tuple[str, str]] = ()
    number: bool = False
    least: int | None = None
    optional: bool = False
    hint: str = ""


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
    return [
        (kind, _kind_label(kind, declared_type))
        for kind, declared_type in _types_by_kind(record.game).items()
    ]


def _types_by_kind(game: Game) -> dict[str, type[Event]]:
    """Return the event types of a game by kind.

    A kind is the type's name, with a category if the type has several.
    """
    own = [event_type for event_type in game.events if event_type not in (*FIRST, *LAST)]
    kinds: dict[str, type[Event]] = {}
    for event_type in (*FIRST, *own, *LAST):
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


def form_fields(
    record: HandRecord, kind: type[Event], data: JsonObject, me: str | None = None
) -> list[Field]:
    """Return the form fields of an event type, filled in from `data`.

    Players stand in order of play, `me` first.
    """
    with_values = ((part, data.get(part.name)) for part in parts_of(kind))
    return [
        field
        for part, value in with_values
        for field in _without_taken(record, kind, part, value, me)
    ]


def _without_taken(
    record: HandRecord, kind: type[Event], part: Part, value: object, me: str | None
) -> Iterator[Field]:
    """Yield a field without the values that the hand already has in another event."""
    gone = {_as_typed(taken) for taken in excluded_values(kind, part, record.entries)} - {
        _as_typed(value)
    }
    for field in _fields_of_part(record, part, value, me):
        yield replace(
            field, values=[(text, label) for text, label in field.values if text not in gone]
        )


def _fields_of_part(record: HandRecord, part: Part, value: Any, me: str | None) -> Iterator[Field]:
    """Yield the form fields of an event's part.

    There is one for each player or side if the part has a value for each.
    """
    label = label_of(part)
    if isinstance(part.kind, Each):
        values = value or {}
        for key, name in _players_or_sides(record, part.kind.key, me):
            inner = Part(f"{part.name}.{key}", part.kind.of, part.doc, optional=True)
            yield _make_field(record, inner, f"{with_colon(label)} {name}", values.get(key), me)
    else:
        yield _make_field(record, part, label, value, me)


def _make_field(record: HandRecord, part: Part, label: str, value: object, me: str | None) -> Field:
    """Return the form field of an event's part: label, value as text, and choices."""
    values = _choices(record, part.kind, me)
    written = isinstance(part.kind, Many)
    return Field(
        name=FIELD + part.name,
        label=label,
        value=_as_typed(value),
        values=values,
        number=isinstance(part.kind, Whole) and not values,
        least=0 if isinstance(part.kind, Whole) and part.kind.low >= 0 else None,
        optional=part.optional,
        hint=_("One after another with spaces, as in: %(example)s", example=_example(record, part))
        if written
        else "",
    )


def _example(record: HandRecord, part: Part) -> str:
    """Return an example of the text to type in a field with several cards or suits."""
    cards = record.match.pack.cards
    if isinstance(part.kind, Many) and isinstance(part.kind.of, CardCode):
        return f"{cards[0].code} {cards[-1].code}"
    return " ".join(record.match.pack.suits)


def _as_typed(value: object) -> str:
    """Return a value of the log as the text of a form field; `-` stands for an empty list."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "-"
    if isinstance(value, Mapping):
        return " ".join(f"{name} {item}" for name, item in value.items())
    return str(value)


def _choices(record: HandRecord, kind: Kind, me: str | None) -> list[tuple[str, str]]:
    """Return the choices for a kind, each with its label; empty if it is typed."""
    if isinstance(kind, PlayerId | SideId):
        return _players_or_sides(record, kind, me)
    if isinstance(kind, CardCode):
        return [(card.code, record.match.pack.show(card)) for card in record.match.pack.cards]
    if isinstance(kind, Flag):
        return [(_as_typed(flag), in_words(flag, kind)) for flag in (True, False)]
    if isinstance(kind, OneOf):
        pack = record.match.pack
        return [
            (option, standalone_words(option, kind, pack)) for option in values_in_pack(kind, pack)
        ]
    return []


def _players_or_sides(
    record: HandRecord, kind: Kind, me: str | None = None
) -> list[tuple[str, str]]:
    """Return the players or sides that a field can name, with their names.

    The side or seat of `me` comes first.
    """
    table = record.table
    if isinstance(kind, SideId):
        names = {"bidder": _("the bidder’s party"), "defenders": _("the defenders")}
        sides = record.deal.counted_sides() if kind.counted else tuple(record.match.sides)
        order = [
            side for side in sides_starting_with(record.match.sides, me) if side in sides
        ] or sides
        return [(side, names.get(side) or table.name(side)) for side in order]
    seated = isinstance(kind, PlayerId) and kind.whom is not Whom.ACTIVE
    players = table.seats if seated else table.players
    return [
        (player, table.names[player])
        for player in starting_with(table.seats, me)
        if player in players
    ]


# ---------------------------------------------------------------------------------- read back


def read_event_data(record: HandRecord, kind: type[Event], form: Mapping[str, str]) -> Raw:
    """Return the data of an event of a type, as the form's fields state it.

    Raises `UnusableError` if it is not a valid event.
    """
    data: Raw = {}
    for part in parts_of(kind):
        if isinstance(part.kind, Each):
            values = {
                key: _parse_value(part.kind.of, form[name])
                for key, _name in _players_or_sides(record, part.kind.key)
                if form.get(name := f"{FIELD}{part.name}.{key}", "").strip()
            }
            if values or not part.optional:
                data[part.name] = values
        elif form.get(FIELD + part.name, "").strip():
            data[part.name] = _parse_value(part.kind, form[FIELD + part.name])
    codec.decode(kind.TYPE, data, record.game.by_type)
    return data


def _parse_value(kind: Kind, text: str) -> Any:
    """Return a value as in the log; invalid text is returned unchanged, for the codec to reject."""
    text = str(canonical.normalize(text.strip()))
    if isinstance(kind, Flag):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(kind, Many):
        return (
            [_parse_value(kind.of, item) for item in text.replace(",", " ").split()]
            if text != "-"
            else []
        )
    if isinstance(kind, AnyOf):
        words = {
            value for option in kind.kinds if isinstance(option, OneOf) for value in option.values
        }
        name, _space, number = text.partition(" ")
        within = {part.name for option in kind.kinds if isinstance(option, Nested)
                  for part in parts_of(option.of)}  # fmt: skip
        if number and name in within:
            return {name: _int_or_text(number)}
        return text if text in words else _int_or_text(text)
    if isinstance(kind, Whole):
        return _int_or_text(text)
    return text


def _int_or_text(text: str) -> Any:
    """Return the text as an integer; other text is returned as it is, for the codec to reject."""
    try:
        return int(text.replace("\N{MINUS SIGN}", "-")) if len(text) <= 17 else text
    except ValueError:
        return text


def build_corrections(
    session: Session, record: HandRecord, form: Mapping[str, str], seq: int, reason: str
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
    replacement = {"type": kind.TYPE, "data": read_event_data(record, kind, form), "reason": reason}
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


def as_a_set(corrections: list[Raw]) -> list[Raw]:
    """Return corrections for one append; several are preceded by the event that begins a set."""
    if len(corrections) < 2:
        return corrections
    reason = corrections[0]["data"].get("reason", "")
    begun = {"count": len(corrections), "reason": reason}
    return [{"type": CorrectionBegun.TYPE, "data": begun}, *corrections]


def _strike(seq: int, reason: str) -> Raw:
    """Return the correction that strikes the event `seq`."""
    return {"type": "event_struck", "data": {"seq": seq, "reason": reason}}
