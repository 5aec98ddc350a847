"""What nobody may see while a hand is played, asked for once it is over.

What was laid away can be said then as it is (its first record that names cards has effect).
What an event on record kept back is added to it by the host, as a correction, and so is an
exchange that nobody recorded: its place is before the declarations, elder's first.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from flask_babel import gettext as _

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import Entry, Event, EventInserted, EventReplaced
from scorekeeper.events.fields import CardCode, Each, Many, Part, Whole, parts
from scorekeeper.log import codec
from scorekeeper.play.deal import Deal
from scorekeeper.service import Holder
from scorekeeper.session.matches import HandRecord
from scorekeeper.web.entry.labels import field_of, title_of
from scorekeeper.web.entry.slots import Scene, Slot, Value
from scorekeeper.web.entry.steps import Step, kept_back
from scorekeeper.web.wording.writing import labelled

LAID_AWAY: Final = "cards_laid_away"
EXCHANGED: Final = "cards_exchanged"
WHITE: Final = "white_declared"
TOLD_AFTER: Final = "told after the hand"


def told_late(hand: HandRecord, scene: Scene, holder: Holder) -> Iterator[Step]:
    """A form for everything of a complete hand that was not to be seen, and is not on record."""
    if not hand.deal.tricks.numbered:
        return  # of which only the totals were asked
    for declared in scene.match.game.events if scene.match else ():
        if declared.TYPE == LAID_AWAY:
            yield from _laid_away(declared, hand, scene)
    for entry in hand.entries:
        if holder.role == "host" and entry.event.TYPE != LAID_AWAY and _is_bare(entry.event):
            yield from _added(entry, hand, scene)
    if holder.role == "host" and hand.deal.first:
        yield from _exchange(hand, scene)


def _is_bare(event: Event) -> bool:
    names = kept_back(type(event))
    return bool(names) and all(getattr(event, name) is None for name in names)


def _laid_away(declared: type[Event], hand: HandRecord, scene: Scene) -> Iterator[Step]:
    said = [entry.event for entry in hand.entries if isinstance(entry.event, declared)]
    if any(not _is_bare(event) for event in said):
        return
    player = getattr(hand.deal, "bidder", hand.deal.table.dealer)
    part = next(one for one in parts(declared) if one.name == "cards")
    slot = _several(part, scene.unseen(), scene, {})
    fixed = json.dumps({"player": player})
    title = _of_hand(hand, title_of(declared.TYPE))
    yield Step(declared.TYPE, title, fixed, (slot,), seldom=True, must=True)


def _of_hand(hand: HandRecord, what: str) -> str:
    return str(_("%(what)s in hand %(number)s", what=what, number=hand.number))


def _added(entry: Entry, hand: HandRecord, scene: Scene) -> Iterator[Step]:
    """The event once more, with what it kept back."""
    event = entry.event
    player = str(getattr(event, "player", ""))
    slots = [
        slot
        for part in parts(type(event))
        if part.name in kept_back(type(event))
        for slot in _slots(part, player, hand.deal, scene)
    ]
    fixed = {"seq": entry.seq, "type": event.TYPE, "data": codec.encode(event)}
    title = f"{labelled(_of_hand(hand, _titled(event)))} {scene.names.get(player, '')}"
    if slots:
        found = tuple(slots)
        yield Step(EventReplaced.TYPE, title, json.dumps(fixed), found, seldom=True, must=True)


def _exchange(hand: HandRecord, scene: Scene) -> Iterator[Step]:
    """The first exchange that is not on record, in a game in which everybody exchanges."""
    declared = next((one for one in hand.game.events if one.TYPE == EXCHANGED), None)
    done = [getattr(entry.event, "player", "") for entry in hand.entries if _is_exchange(entry)]
    missing = [player for player in hand.deal.table.players if player not in done]
    if declared is None or not missing:
        return
    player = missing[0]
    by_name = {part.name: part for part in parts(declared)}
    cards = _several(by_name["discarded"], scene.unseen(), scene, {"reason": TOLD_AFTER})
    cards = replace(cards, optional=True, label=str(_("Thrown away, if it is known")))
    fixed = {"after": _before(hand, player), "type": EXCHANGED, "data": {"player": player}}
    thrown = _of_hand(hand, str(_("Cards thrown away")))
    title = f"{labelled(thrown)} {scene.names.get(player, '')}"
    slots = (cards, _numbers(by_name["count"]))
    yield Step(EventInserted.TYPE, title, json.dumps(fixed), slots, seldom=True, must=True)


def _is_exchange(entry: Entry) -> bool:
    return entry.event.TYPE == EXCHANGED


def _before(hand: HandRecord, player: str) -> int:
    """The seq of what comes right before an exchange: the deal, a White, elder's exchange."""
    elder = hand.deal.table.players[0]
    found = hand.started.seq
    for entry in hand.entries:
        of_elder = getattr(entry.event, "player", "") == elder
        if entry.event.TYPE == WHITE and (of_elder or player != elder):
            found = entry.seq
        if _is_exchange(entry) and of_elder and player != elder:
            found = entry.seq
    return found


def _numbers(part: Part) -> Slot:
    """How many; the number records it."""
    assert isinstance(part.kind, Whole)  # noqa: S101  # for the types
    values = [
        Value(_fragment({part.name: n}, {"reason": TOLD_AFTER}), str(n))
        for n in range(1, part.kind.high + 1)
    ]
    return Slot(part.name, "chips", tuple(values))


def _titled(event: Event) -> str:
    if event.TYPE == EXCHANGED:
        return str(_("Cards thrown away"))
    if event.TYPE == "set_distributed":
        return str(_("Insieme %(number)s", number=getattr(event, "set", "")))
    return title_of(event.TYPE)


def _slots(part: Part, player: str, deal: Deal, scene: Scene) -> Iterator[Slot]:
    kind = part.kind
    if isinstance(kind, Many):
        if part.name != "drawn":  # which follows from what was played, and what was thrown away
            yield _several(part, scene.unseen(), scene, {"reason": TOLD_AFTER})
    elif isinstance(kind, CardCode):
        yield _one(
            part.name, field_of(part.name), (part.name,), _played(player, deal, scene), scene
        )
    elif isinstance(kind, Each):
        for other in scene.match.seats if scene.match else ():
            if other != player:
                label = str(_("Given to %(name)s", name=scene.names.get(other, other)))
                cards = _played(other, deal, scene)
                yield _one(f"{part.name}.{other}", label, (part.name, other), cards, scene)


def _played(player: str, deal: Deal, scene: Scene) -> list[Card]:
    """The cards that a player is known to have had; where none are, all of the pack."""
    own = [card for card, play in deal.first.items() if play.player == player]
    every = list(scene.pack.cards if scene.pack else ())
    return [card for card in every if card in own] or every


def _several(part: Part, cards: Iterable[Card], scene: Scene, more: Mapping[str, Any]) -> Slot:
    found = [
        _value({part.name: [card.code]}, card, scene, more)
        for card in cards
    ]  # fmt: skip
    return Slot(part.name, "many", tuple(found))


def _one(name: str, label: str, path: tuple[str, ...], cards: Iterable[Card], scene: Scene) -> Slot:
    found = []
    for card in cards:
        data: Any = card.code
        for field in reversed(path):
            data = {field: data}
        found.append(_value(data, card, scene, {"reason": TOLD_AFTER}))
    return Slot(name, "cards", tuple(found), label=label)


def _value(data: Any, card: Card, scene: Scene, more: Mapping[str, Any]) -> Value:
    """A card to choose; ``more`` stands beside the data of an event within a correction."""
    shown = scene.pack.show(card) if scene.pack else card.code
    return Value(_fragment(data, more), shown, card)


def _fragment(data: Any, more: Mapping[str, Any]) -> str:
    return json.dumps({"data": data, **more} if more else data, separators=(",", ":"))
