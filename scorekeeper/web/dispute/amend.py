"""One entry as a form: what it says, field by field, and what it should say instead."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask_babel import gettext as _
from flask_babel import lazy_gettext as _l

from scorekeeper.base.errors import Unusable
from scorekeeper.base.language import language
from scorekeeper.cards.packs import Card
from scorekeeper.events.common import Event, EventInserted, HandStarted, PenaltyGiven
from scorekeeper.events.fields import (
    AnyOf,
    CardCode,
    Each,
    Flag,
    Kind,
    Many,
    OneOf,
    Part,
    PlayerId,
    SideId,
    Whole,
    Whom,
    parts,
)
from scorekeeper.log import canonical, codec
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.session.structure import decoded
from scorekeeper.web.wording.writing import labelled

FIELD: Final = "f."  # before the name of a field in a form, not to be taken for anything else
LABELS: Final = {
    "player": _l("Who"),
    "dealer": _l("Who dealt"),
    "card": _l("Card"),
    "cards": _l("Cards"),
    "points": _l("Points"),
    "tricks": _l("Tricks"),
    "trick": _l("Number of the trick"),
    "bid": _l("Bid"),
    "suit": _l("Suit"),
    "suits": _l("Suits, the strongest first"),
    "made": _l("Contract"),
    "scores": _l("What was written down"),
    "side": _l("Side"),
    "reason": _l("Reason"),
    "last": _l("Last trick"),
    "count": _l("How many"),
    "value": _l("Points of the cards"),
    "length": _l("How long"),
    "high": _l("Highest card"),
    "rank": _l("Rank"),
    "category": _l("What"),
    "answer": _l("Answer"),
    "signal": _l("Signal"),
    "set": _l("Which insieme"),
}

# What can have been left out of a hand.
KINDS: Final = {
    "card_played": _l("A card"),
    "trick_taken": _l("Who took a trick"),
    "points_counted": _l("The count"),
    "outcome_recorded": _l("Whether the contract was made"),
    "bid_made": _l("A bid"),
    "bid_raised": _l("A raise"),
    "set_distributed": _l("An insieme distributed"),
    "hierarchy_declared": _l("The hierarchy"),
    "bris_called": _l("A Bris"),
    "hands_exchanged": _l("Hands exchanged"),
    "white_declared": _l("A carte blanche"),
    "cards_exchanged": _l("An exchange"),
    "declared": _l("A declaration"),
    "answered": _l("An answer"),
    "shown": _l("A showing"),
    "tricks_counted": _l("Tricks counted"),
    "pique_called": _l("A pique"),
    "repique_called": _l("A repique"),
    "cards_laid_away": _l("Cards laid away"),
    "signal_made": _l("A signal"),
    "fool_paid": _l("A payment for the Fool"),
    "fool_surrendered": _l("The Fool surrendered"),
    "card_called": _l("The called card"),
    "partner_revealed": _l("The partner"),
    "monte_taken": _l("The monte taken"),
    "called_card_shown": _l("The named card shown"),
    "cards_shown": _l("Cards shown"),
    "hand_abandoned": _l("The hand given up"),
    "score_claimed": _l("What was written down"),
    "rest_claimed": _l("The rest claimed"),
}

# What can be said otherwise of a hand: its play, who dealt, and penalties.
EDITABLE: Final = frozenset(KINDS) | {HandStarted.TYPE, PenaltyGiven.TYPE}

Raw = dict[str, Any]


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
    return event if event.TYPE in EDITABLE else None


def kinds_of(record: HandRecord) -> list[tuple[str, str]]:
    """What can have been left out of a hand: names of kinds, each with its words.

    A kind is a type of event, with its category where there are several of one type.
    """
    return [
        (kind, str(KINDS.get(kind.partition(":")[0], "")) + _of_category(kind))
        for kind in _kinds(record)
    ]


def _kinds(record: HandRecord) -> Iterator[str]:
    for name in KINDS:
        found = record.game.by_type.get(name, ())
        if isinstance(found, Mapping):
            yield from (f"{name}:{one}" for one in found)
        elif found:
            yield name


def _of_category(kind: str) -> str:
    category = kind.partition(":")[2]
    return f": {language().word('category', category)}" if category else ""


def declared(record: HandRecord, kind: str) -> type[Event] | None:
    """The declaration of a kind of event; None where the game has none."""
    name, _colon, category = kind.partition(":")
    found = record.game.by_type.get(name) if name in KINDS else None
    if isinstance(found, Mapping):
        return found.get(category)
    return found


def given_by(kind: str) -> Raw:
    """What a kind says already of an event's data."""
    category = kind.partition(":")[2]
    return {"category": category} if category else {}


# --------------------------------------------------------------------------------- the form


def fields_of(record: HandRecord, kind: type[Event], data: Mapping[str, Any]) -> list[Field]:
    """The fields of an event as they are filled in."""
    return [one for part in parts(kind) for one in _fields(record, part, data.get(part.name))]


def _fields(record: HandRecord, part: Part, value: Any) -> Iterator[Field]:
    label = str(LABELS.get(part.name, part.name.replace("_", " ").capitalize()))
    if isinstance(part.kind, Each):
        given = value or {}
        for key, name in _keys(record, part.kind.key):
            inner = Part(f"{part.name}.{key}", part.kind.of, part.doc, optional=True)
            yield _field(record, inner, f"{labelled(label)} {name}", given.get(key))
    else:
        yield _field(record, part, label, value)


def _field(record: HandRecord, part: Part, label: str, value: Any) -> Field:
    values = _values(record, part.kind)
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
    return str(value)


def _values(record: HandRecord, kind: Kind) -> list[tuple[str, str]]:
    """What can be chosen for a kind, each with its words; nothing where it is written."""
    if isinstance(kind, PlayerId | SideId):
        return _keys(record, kind)
    if isinstance(kind, CardCode):
        return [(card.code, _shown(record, card)) for card in record.match.pack.cards]
    if isinstance(kind, Flag):
        return [("true", _("made")), ("false", _("lost"))]
    if isinstance(kind, OneOf):
        return [(one, _word(record, one)) for one in kind.values]
    return []


def _shown(record: HandRecord, card: Card) -> str:
    return record.match.pack.show(card)


def _word(record: HandRecord, value: str) -> str:
    if value in record.match.pack.suits:
        return record.match.pack.suit_name(value)
    return language().word("value", value.replace("_", " "))


def _keys(record: HandRecord, kind: Kind) -> list[tuple[str, str]]:
    """The players, or sides, that a field can name."""
    table = record.table
    if isinstance(kind, SideId):
        names = {"bidder": _("the bidder’s party"), "defenders": _("the defenders")}
        sides = record.deal.counted_sides() if kind.counted else tuple(record.match.sides)
        return [(one, names.get(one) or table.name(one)) for one in sides]
    seated = isinstance(kind, PlayerId) and kind.whom is not Whom.ACTIVE
    return [(one, table.names[one]) for one in (table.seats if seated else table.players)]


# ---------------------------------------------------------------------------------- read back


def filled_in(record: HandRecord, kind: type[Event], form: Mapping[str, str]) -> Raw:
    """The data of an event as the form gives it; Unusable where it is none."""
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
        raise Unusable(_("This event is not of this hand, or does not stand any more."))
    if form.get("strike"):
        return [_struck(seq, reason)]
    kind = declared(record, form["insert"]) if form.get("insert") else type(event)
    if kind is None:
        raise Unusable(_("There is nothing of this kind in this game."))
    told = {"type": kind.TYPE, "data": filled_in(record, kind, form), "reason": reason}
    if form.get("insert"):
        return [{"type": "event_inserted", "data": {"after": seq, **told}}]
    inserted = session.corrections.recorded[seq].event
    if isinstance(inserted, EventInserted):  # it has no words of its own that could be replaced
        again = {"type": "event_inserted", "data": {"after": inserted.after, **told}}
        return [_struck(seq, reason), again]
    return [{"type": "event_replaced", "data": {"seq": seq, **told}}]


def _struck(seq: int, reason: str) -> Raw:
    return {"type": "event_struck", "data": {"seq": seq, "reason": reason}}
