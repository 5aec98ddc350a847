"""The events that correct others, which stay in the log as they were."""

from dataclasses import dataclass
from typing import ClassVar, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET, Event, Place
from scorekeeper.events.fields import REASON, SEQ, Anything, Whole, Words, part

# A schema of one line cannot know whether the correction stands inside a set.
WHY: Final = "why; may be left out only inside a set of corrections"


@dataclass(frozen=True, slots=True)
class CorrectionBegun(Event):
    """A group of corrections begins. They take effect together, after the last of them."""

    TYPE: ClassVar = "correction_begun"
    PLACE: ClassVar = Place.CORRECTION
    SAYS: ClassVar = ("{count} corrections together: {reason}",)
    SALTED: ClassVar = True  # the reason may name the cards that one of the corrections puts in
    count: int = part(Whole(2, MAX_CORRECTIONS_IN_SET), "how many corrections the set has")
    reason: str = part(REASON, "why")


@dataclass(frozen=True, slots=True)
class EventStruck(Event):
    """An earlier event is to be left out."""

    TYPE: ClassVar = "event_struck"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    reason: str | None = part(REASON, WHY, optional=True)


@dataclass(frozen=True, slots=True)
class EventReplaced(Event):
    """An event replaces an earlier one."""

    TYPE: ClassVar = "event_replaced"
    PLACE: ClassVar = Place.CORRECTION
    seq: int = part(SEQ, "the event")
    type: str = part(Words(64, name=True), "the type of what takes its place")
    data: JsonObject = part(Anything(), "the data of what takes its place")
    reason: str | None = part(REASON, WHY, optional=True)


@dataclass(frozen=True, slots=True)
class EventInserted(Event):
    """An event that was left out comes right after an earlier one."""

    TYPE: ClassVar = "event_inserted"
    PLACE: ClassVar = Place.CORRECTION
    after: int = part(SEQ, "the event that it comes after")
    type: str = part(Words(64, name=True), "the type of what comes in")
    data: JsonObject = part(Anything(), "the data of what comes in")
    reason: str | None = part(REASON, WHY, optional=True)


# The events that correct one event, and all events that correct a log.
CORRECTIONS: Final = (EventStruck, EventReplaced, EventInserted)
CORRECTING: Final = (*CORRECTIONS, CorrectionBegun)
