"""One entry as a form: what it says, field by field, and what it should say instead."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
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
    parts,
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
from scorekeeper.events.sentences import alone, in_words, label_of, noun_of
from scorekeeper.games.game import Game
from scorekeeper.log import canonical, codec
from scorekeeper.service.amending import editable
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import decoded
from scorekeeper.web.dispute.desk import Raw
from scorekeeper.web.frame.ring import turned, turned_sides
from scorekeeper.web.wording.filters import labelled

FIELD: Final = "f."  # before the name of a field in a form, not to be taken for anything else
# What every game has comes around what a game has of its own.
FIRST: Final[tuple[type[Event], ...]] = (CardPlayed, TrickTaken, PointsCounted, OutcomeRecorded)
LAST: Final[tuple[type[Event], ...]] = (CardsShown, HandAbandoned, ScoreClaimed, RestClaimed)


@dataclass(frozen=True, slots=True)
class Field:
    """A field of the form: a choice where it has ``values``, else a number or a text."""

    name: str
    label: str
    value: str
    values: Sequence[tuple[str, str]] = ()
    number: bool = False
    least: int | None = None
    optional: bool = False
    hint: str = ""


def entry_at(session: Session, record: HandRecord, seq: int) -> Event | None:
    """The event of a hand with this seq as it reads now; None where none can be said otherwise."""
    segment = session.structure.segment_of.get(seq)
    reading = session.corrections.reading(seq) if segment else None
    if segment is None or segment.hand is not record or reading is None:
        return None
    event = decoded(reading, record.game).event
    return event if type(event) in editable(record.game) else None


def kinds_of(record: HandRecord) -> list[tuple[str, str]]:
    """What can have been left out of a hand: names of kinds, each with its words.

    A kind is a type of event, with its category where there are several of one type.
    """
    return [(kind, _noun(kind, one)) for kind, one in _kinds(record.game).items()]


def _kinds(game: Game) -> dict[str, type[Event]]:
    own = [one for one in game.events if one not in (*FIRST, *LAST)]
    found: dict[str, type[Event]] = {}
    for one in (*FIRST, *own, *LAST):
        of_type = game.by_type.get(one.TYPE)
        if isinstance(of_type, Mapping):
            found |= {f"{one.TYPE}:{category}": it for category, it in of_type.items()}
        elif of_type is one:
            found[one.TYPE] = one
    return found


def _noun(kind: str, declared: type[Event]) -> str:
    category = kind.partition(":")[2]
    if not category:
        return noun_of(declared)
    part = next(one for one in parts(declared) if one.name == "category")
    return f"{noun_of(declared)}: {in_words(category, part.kind)}"


def declared(record: HandRecord, kind: str) -> type[Event] | None:
    """The declaration of a kind of event; None where the game has none."""
    return _kinds(record.game).get(kind)


def given_by(kind: str) -> Raw:
    """What a kind says already of an event's data."""
    category = kind.partition(":")[2]
    return {"category": category} if category else {}


# --------------------------------------------------------------------------------- the form


def fields_of(
    record: HandRecord, kind: type[Event], data: Mapping[str, Any], me: str | None = None
) -> list[Field]:
    """The fields of an event as they are filled in; players in their order, ``me`` first."""
    asked = ((part, data.get(part.name)) for part in parts(kind))
    return [one for part, value in asked for one in _left(record, kind, part, value, me)]


def _left(
    record: HandRecord, kind: type[Event], part: Part, value: Any, me: str | None
) -> Iterator[Field]:
    """A field, without what cannot be meant in it, as it is said once in a hand, by another."""
    gone = {_written(one) for one in excluded_values(kind, part, record.entries)} - {
        _written(value)
    }
    for one in _fields(record, part, value, me):
        yield replace(one, values=[(left, said) for left, said in one.values if left not in gone])


def _fields(record: HandRecord, part: Part, value: Any, me: str | None) -> Iterator[Field]:
    label = label_of(part)
    if isinstance(part.kind, Each):
        given = value or {}
        for key, name in _keys(record, part.kind.key, me):
            inner = Part(f"{part.name}.{key}", part.kind.of, part.doc, optional=True)
            yield _field(record, inner, f"{labelled(label)} {name}", given.get(key), me)
    else:
        yield _field(record, part, label, value, me)


def _field(record: HandRecord, part: Part, label: str, value: Any, me: str | None) -> Field:
    values = _values(record, part.kind, me)
    written = isinstance(part.kind, Many)
    return Field(
        name=FIELD + part.name,
        label=label,
        value=_written(value),
        values=values,
        number=isinstance(part.kind, Whole) and not values,
        least=0 if isinstance(part.kind, Whole) and part.kind.low >= 0 else None,
        optional=part.optional,
        hint=_("One after another with spaces, as in: %(example)s", example=_example(record, part))
        if written
        else "",
    )


def _example(record: HandRecord, part: Part) -> str:
    cards = record.match.pack.cards
    if isinstance(part.kind, Many) and isinstance(part.kind.of, CardCode):
        return f"{cards[0].code} {cards[-1].code}"
    return " ".join(record.match.pack.suits)


def _written(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return " ".join(map(str, value)) or "-"
    if isinstance(value, Mapping):
        return " ".join(f"{name} {one}" for name, one in value.items())
    return str(value)


def _values(record: HandRecord, kind: Kind, me: str | None) -> list[tuple[str, str]]:
    """What can be chosen for a kind, each with its words; nothing where it is written."""
    if isinstance(kind, PlayerId | SideId):
        return _keys(record, kind, me)
    if isinstance(kind, CardCode):
        return [(card.code, record.match.pack.show(card)) for card in record.match.pack.cards]
    if isinstance(kind, Flag):
        return [(_written(one), in_words(one, kind)) for one in (True, False)]
    if isinstance(kind, OneOf):
        pack = record.match.pack
        return [(one, alone(one, kind, pack)) for one in values_in_pack(kind, pack)]
    return []


def _keys(record: HandRecord, kind: Kind, me: str | None = None) -> list[tuple[str, str]]:
    """The players, or sides, that a field can name; whose phone this is comes first."""
    table = record.table
    if isinstance(kind, SideId):
        names = {"bidder": _("the bidder’s party"), "defenders": _("the defenders")}
        sides = record.deal.counted_sides() if kind.counted else tuple(record.match.sides)
        order = [one for one in turned_sides(record.match.sides, me) if one in sides] or sides
        return [(one, names.get(one) or table.name(one)) for one in order]
    seated = isinstance(kind, PlayerId) and kind.whom is not Whom.ACTIVE
    players = table.seats if seated else table.players
    return [(one, table.names[one]) for one in turned(table.seats, me) if one in players]


# ---------------------------------------------------------------------------------- read back


def filled_in(record: HandRecord, kind: type[Event], form: Mapping[str, str]) -> Raw:
    """The data of an event as the form gives it.

    Raises `UnusableError` if it is none.
    """
    data: Raw = {}
    for part in parts(kind):
        if isinstance(part.kind, Each):
            given = {
                key: _read(part.kind.of, form[name])
                for key, _name in _keys(record, part.kind.key)
                if form.get(name := f"{FIELD}{part.name}.{key}", "").strip()
            }
            if given or not part.optional:
                data[part.name] = given
        elif form.get(FIELD + part.name, "").strip():
            data[part.name] = _read(part.kind, form[FIELD + part.name])
    codec.decode(kind.TYPE, data, record.game.by_type)
    return data


def _read(kind: Kind, text: str) -> Any:
    """A value as it would stand in the log; what is no such value is left to be refused."""
    text = str(canonical.normalized(text.strip()))
    if isinstance(kind, Flag):
        return {"true": True, "false": False}.get(text, text)
    if isinstance(kind, Many):
        return (
            [_read(kind.of, one) for one in text.replace(",", " ").split()] if text != "-" else []
        )
    if isinstance(kind, AnyOf):
        words = {value for one in kind.kinds if isinstance(one, OneOf) for value in one.values}
        name, _space, number = text.partition(" ")
        within = {part.name for one in kind.kinds if isinstance(one, Nested)
                  for part in parts(one.of)}  # fmt: skip
        if number and name in within:
            return {name: _number(number)}
        return text if text in words else _number(text)
    if isinstance(kind, Whole):
        return _number(text)
    return text


def _number(text: str) -> Any:
    try:
        return int(text.replace("\N{MINUS SIGN}", "-")) if len(text) <= 17 else text
    except ValueError:
        return text


def corrections(
    session: Session, record: HandRecord, form: Mapping[str, str], seq: int, reason: str
) -> list[Raw]:
    """The corrections that a form asks for: a strike, other words, or what was left out.

    Unusable where what was filled in is no such event.
    """
    event = entry_at(session, record, seq)
    if event is None:
        raise UnusableError(_("This event is not part of this hand, or no longer counts."))
    if form.get("strike"):
        return _instead(session, seq, None, reason)
    kind = declared(record, form["insert"]) if form.get("insert") else type(event)
    if kind is None:
        raise UnusableError(_("There is nothing of this kind in this game."))
    told = {"type": kind.TYPE, "data": filled_in(record, kind, form), "reason": reason}
    if form.get("insert"):
        return [{"type": "event_inserted", "data": {"after": seq, **told}}]
    inserted = session.corrections.recorded[seq].event
    if isinstance(inserted, EventInserted):  # it has no words of its own that could be replaced
        again = {"type": "event_inserted", "data": {"after": inserted.after, **told}}
        return _instead(session, seq, again, reason)
    return [{"type": "event_replaced", "data": {"seq": seq, **told}}]


def _instead(session: Session, seq: int, again: Raw | None, reason: str) -> list[Raw]:
    """The corrections that put another in the place of one, or nothing.

    One that belongs to a set is not struck alone: the whole set is, and its others come again.
    """
    begun = session.corrections.begun_set_of(seq)
    if begun is None:
        return [_struck(seq, reason), *([again] if again else ())]
    members = session.corrections.sets[begun.seq].members
    found = [again if key == seq else _again(session, key) for key in members]
    named = [one["data"].get("after", one["data"].get("seq")) for one in found if one]
    if set(members).intersection(named) or not session.hidden.isdisjoint(members):
        raise UnusableError(
            _("This belongs to corrections that build on one another. Take back all of them, and "
              "correct the hand anew.")
        )  # fmt: skip
    return [_struck(begun.seq, reason), *(one for one in found if one)]


def _again(session: Session, key: int) -> Raw:
    """A correction as it would be recorded once more."""
    event = session.corrections.recorded[key].event
    return {"type": event.TYPE, "data": dict(codec.encode(event))}


def as_a_set(corrections: list[Raw]) -> list[Raw]:
    """Corrections as they are recorded in one append: several of them as a set."""
    if len(corrections) < 2:
        return corrections
    reason = corrections[0]["data"].get("reason", "")
    begun = {"count": len(corrections), "reason": reason}
    return [{"type": CorrectionBegun.TYPE, "data": begun}, *corrections]


def _struck(seq: int, reason: str) -> Raw:
    return {"type": "event_struck", "data": {"seq": seq, "reason": reason}}
