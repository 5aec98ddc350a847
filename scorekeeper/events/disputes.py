"""The events by which players agree on a hand: signed, disputed, corrected, settled."""

from dataclasses import dataclass
from typing import ClassVar

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import MAX_CORRECTIONS_IN_SET, Display, Event, Place
from scorekeeper.events.fields import (
    ANYBODY,
    REASON,
    SEATED,
    SEQ,
    TEXT,
    Anything,
    Declared,
    Many,
    Nested,
    OneOf,
    part,
)


@dataclass(frozen=True, slots=True)
class HandConfirmed(Event):
    """A player accepts the last complete hand."""

    TYPE: ClassVar = "hand_confirmed"
    PLACE: ClassVar = Place.MATCH
    DISPLAY: ClassVar = Display.LOGGED
    SAYS: ClassVar = ("{player} accepted the hand",)
    player: str = part(SEATED, "who signs")


@dataclass(frozen=True, slots=True)
class HandDisputed(Event):
    """A player disputes the last complete hand, or the one of that number."""

    TYPE: ClassVar = "hand_disputed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "{player} disputed hand {hand}[ of match {match}]: {reason}",
        "{player} disputed the hand: {reason}",
    )
    player: str = part(SEATED, "who disputes")
    reason: str = part(REASON, "what is wrong")
    match: int | None = part(
        SEQ, "the number of the match; if left out, the current one", optional=True
    )
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class Correction(Declared):
    """A correction as proposed."""

    type: str = part(
        OneOf(("event_struck", "event_replaced", "event_inserted"), words=""),
        "the correcting event",
    )
    data: JsonObject = part(Anything(), "its data")


@dataclass(frozen=True, slots=True)
class CorrectionProposed(Event):
    """Corrections that would settle a dispute. They change nothing until they are agreed to."""

    TYPE: ClassVar = "correction_proposed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "A correction of hand {hand}[ of match {match}] was proposed: {reason}",
        "A correction was proposed: {reason}",
    )
    corrections: tuple[Correction, ...] = part(
        Many(Nested(Correction), most=MAX_CORRECTIONS_IN_SET, unique=False),
        "what would be recorded together",
    )
    reason: str = part(REASON, "why")
    match: int | None = part(
        SEQ, "the number of the match; if left out, the current one", optional=True
    )
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)


@dataclass(frozen=True, slots=True)
class ProposalSigned(Event):
    """A player agrees to a proposal."""

    TYPE: ClassVar = "proposal_signed"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = ("{player} signed proposal {proposal}",)
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(ANYBODY, "who signs")


@dataclass(frozen=True, slots=True)
class ProposalDeclined(Event):
    """A player declines a proposal, which closes it."""

    TYPE: ClassVar = "proposal_declined"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = ("{player} declined proposal {proposal}",)
    proposal: int = part(SEQ, "the seq of the proposal")
    player: str = part(ANYBODY, "who declines")


@dataclass(frozen=True, slots=True)
class DisputeSettled(Event):
    """A dispute ends."""

    TYPE: ClassVar = "dispute_settled"
    PLACE: ClassVar = Place.DISPUTE
    SAYS: ClassVar = (
        "Dispute[ about hand {hand}][ of match {match}] settled, {ruling}[ ({proposal})]: {text}",
    )
    ruling: str = part(OneOf(("corrected", "upheld", "unresolved"), words="ruling"), "how")
    text: str = part(TEXT, "the ruling in words")
    match: int | None = part(SEQ, "the number of the match", optional=True)
    hand: int | None = part(SEQ, "the number of the hand in that match", optional=True)
    proposal: int | None = part(SEQ, "the seq of the proposal that settles it", optional=True)
