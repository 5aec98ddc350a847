"""Forms for facts that stay hidden while a hand is played, and are recorded after it."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.events.fields import CardCode, Each, Many, Part, Whole, parts_of
from scorekeeper.events.sentences import question_of, title_after, title_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.log import codec
from scorekeeper.play.deal import Deal
from scorekeeper.report.late_events import LateEvent, list_late_events
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.entry.steps import Step
from scorekeeper.web.forms.scene import Scene, value_label
from scorekeeper.web.forms.widget import Chip, Slot
from scorekeeper.web.forms.widgets import card_chips, json_fragment
from scorekeeper.web.wording.filters import with_colon

REASON_LATE: Final = "told after the hand"


def late_steps(hand: HandRecord, scene: Scene, *, corrects: bool) -> Iterator[Step]:
    """Yield a form for each hidden fact of a complete hand that is not recorded yet.

    With ``corrects``, also for facts that only a correction can add.
    """
    for late in list_late_events(hand):
        if late.kept is None and late.after is None:
            yield _late_event_step(late, hand, scene)
        elif corrects:
            yield from (_replacing_steps if late.kept else _inserting_steps)(late, hand, scene)


def _late_event_step(late: LateEvent, hand: HandRecord, scene: Scene) -> Step:
    """Return the form for an event that is recorded late, with its cards."""
    slots = tuple(
        _several_cards(part, scene) for part in parts_of(late.declared) if part.name in late.fields
    )
    fixed = json.dumps({"player": late.player})
    title = _title_in_hand(hand, title_of(late.declared))
    return Step(late.declared.TYPE, title, fixed, slots, seldom=True, must=True)


def _title_in_hand(hand: HandRecord, what: str, name: str | None = None) -> str:
    """Return a title with the number of the hand, and a name: “Talon in hand 3”, “…: Mara”."""
    title = str(_("%(what)s in hand %(number)s", what=what, number=hand.number))
    return title if name is None else f"{with_colon(title)} {name}"


def _replacing_steps(late: LateEvent, hand: HandRecord, scene: Scene) -> Iterator[Step]:
    """Yield the form that replaces an event by itself with its hidden fields.

    Yields nothing if there is no field to fill in.
    """
    kept = late.kept
    assert kept is not None  # noqa: S101  # for the types
    slots = tuple(
        _in_correction(slot)
        for part in parts_of(late.declared)
        if part.name in late.fields
        for slot in _hidden_field_slots(part, late.player, hand.deal, scene)
    )
    data = codec.encode(kept.event)
    fixed = json.dumps({"seq": kept.seq, "type": kept.event.TYPE, "data": data})
    name = scene.names.get(late.player, "")
    title = _title_in_hand(hand, _event_title(kept.event, scene), name)
    if slots:
        yield Step(EventReplaced.TYPE, title, fixed, slots, seldom=True, must=True)


def _inserting_steps(late: LateEvent, hand: HandRecord, scene: Scene) -> Iterator[Step]:
    """Yield the form that inserts an exchange: the number of cards, and which, if known."""
    asks = [part for part in parts_of(late.declared) if part.name in late.fields]
    slots = [*_known_card_slots(asks, scene), *_count_slots(asks)]
    data = {"player": late.player}
    fixed = json.dumps({"after": late.after, "type": late.declared.TYPE, "data": data})
    name = scene.names.get(late.player, "")
    title = _title_in_hand(hand, title_after(late.declared), name)
    yield Step(EventInserted.TYPE, title, fixed, tuple(slots), seldom=True, must=True)


def _known_card_slots(asks: Iterable[Part], scene: Scene) -> Iterator[Slot]:
    """Yield the choice of cards, if they are known."""
    for part in asks:
        if isinstance(part.kind, Many):
            cards = _in_correction(_several_cards(part, scene))
            label = str(_("%(what)s, if known", what=question_of(part)))
            yield replace(cards, optional=True, label=label)


def _count_slots(asks: Iterable[Part]) -> Iterator[Slot]:
    """Yield the number of cards, which records the choice."""
    for part in asks:
        if isinstance(part.kind, Whole):
            values = [
                Chip(json_fragment(part.name, n), str(n)) for n in range(1, part.kind.high + 1)
            ]
            yield _in_correction(Slot(part.name, "chips", tuple(values), asks=question_of(part)))


def _event_title(event: Event, scene: Scene) -> str:
    """Return the title of an event for a form after the hand, with its values in words."""
    values = ((part, getattr(event, part.name)) for part in parts_of(type(event)))
    labels = {part.name: value_label(part.kind, value, scene.pack) for part, value in values}
    return title_after(type(event)).format_map(labels)


def _hidden_field_slots(part: Part, player: str, deal: Deal, scene: Scene) -> Iterator[Slot]:
    """Yield the choice of cards for a hidden field.

    For cards given away, one for each other player.
    """
    kind = part.kind
    if isinstance(kind, Many):
        if not part.follows:
            yield _several_cards(part, scene)
    elif isinstance(kind, CardCode):
        cards = _cards_played_by(player, deal, scene)
        yield Slot(part.name, "cards", card_chips(part.name, cards), label=question_of(part))
    elif isinstance(kind, Each):
        for other in scene.match.seats if scene.match else ():
            if other != player:
                label = str(_("Given to %(name)s", name=scene.names.get(other, other)))
                chips = tuple(
                    chip._replace(fragment=f'{{"{part.name}":{chip.fragment}}}')
                    for chip in card_chips(other, _cards_played_by(other, deal, scene))
                )
                yield Slot(f"{part.name}.{other}", "cards", chips, label=label)


def _cards_played_by(player: str, deal: Deal, scene: Scene) -> list[Card]:
    """Return the cards that a player is known to have had; the whole pack if none are known."""
    own = [card for card, play in deal.first.items() if play.player == player]
    every = list(scene.pack.cards if scene.pack else ())
    return [card for card in every if card in own] or every


def _several_cards(part: Part, scene: Scene) -> Slot:
    """Return the choice of several of the cards that have not been played."""
    chips = card_chips(part.name, scene.unplayed_cards(), several=True)
    return Slot(part.name, "many", chips, asks=question_of(part))


def _in_correction(slot: Slot) -> Slot:
    """Return a group whose buttons add the data of an event to a correction, with its reason."""
    chips = (
        chip._replace(fragment=f'{{"data":{chip.fragment},"reason":"{REASON_LATE}"}}')
        for chip in slot.values
    )
    return replace(slot, values=tuple(chips))
