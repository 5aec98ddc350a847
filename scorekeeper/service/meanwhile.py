"""What others recorded while somebody filled in a form, and whether the form still says the same.

A client that knows an earlier version is refused, unless what came since leaves its entry as it
was meant: that is judged here, and what the rules say of the entry is judged as always.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from scorekeeper.events.common import (
    HandAbandoned,
    HandStarted,
    MatchEnded,
    MatchStarted,
    NoteAdded,
    PenaltyGiven,
    PlayerJoined,
)
from scorekeeper.events.corrections import CorrectionBegun, EventStruck
from scorekeeper.events.disputes import HandConfirmed, ProposalSigned
from scorekeeper.events.event import A_CORRECTION, IN_A_HAND, Entry, Event
from scorekeeper.events.playing import RestClaimed, TrickTaken
from scorekeeper.families.called_card.events import PartnerRevealed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session

MOST: Final = 50  # entries since, beyond which somebody has to look at them
# What names a player, and is not that player's own declaration: several may name another one.
ABOUT_A_PLAYER: Final = (TrickTaken, RestClaimed, PartnerRevealed, HandAbandoned)

# What stands in a hand beside its play, and changes no other hand.
IN_ITS_HAND: Final = (HandStarted, HandConfirmed, PenaltyGiven, EventStruck)

Harmless = Callable[[Entry], bool]


def recorded_since(session: Session, version: int) -> list[Entry]:
    """Return the entries after a version, in the order in which they were recorded."""
    recorded = session.corrections.recorded
    first = max(version, 0) + 1
    return [recorded[seq] for seq in range(first, session.events + 1) if seq in recorded]


def all_harmless(session: Session, version: int, harmless: Harmless) -> bool:
    """Return whether all that was recorded after a version is little, and harmless."""
    since = recorded_since(session, version)
    return 0 < len(since) <= MOST and all(
        isinstance(entry.event, NoteAdded | PlayerJoined) or harmless(entry) for entry in since
    )


def _came_and_went(session: Session, after: int, entry: Entry) -> bool:
    """Return whether an entry after that seq was taken back, or took back only such ones."""
    corrections, event = session.corrections, entry.event
    if isinstance(event, CorrectionBegun):
        members = corrections.sets[entry.seq].members if entry.seq in corrections.sets else ()
        return bool(members) and all(
            _came_and_went(session, after, corrections.recorded[seq]) for seq in members
        )
    if isinstance(event, EventStruck):
        return bool(corrections.stands.get(entry.seq)) and event.seq > after
    return event.PLACE is not A_CORRECTION and corrections.reading(entry.seq) is None


def hand_of(session: Session, entry: Entry) -> HandRecord | None:
    """Return the hand in which an entry stands; None for one that stands in none."""
    return hand_at(session, session.corrections.place_of(entry.seq))


def hand_at(session: Session, place: int) -> HandRecord | None:
    """Return the hand in which an entry stands, by its place; None where that is in none."""
    segment = session.structure.segment_of.get(place)
    return segment.hand if segment else None


def elsewhere(session: Session, hand: HandRecord) -> Harmless:
    """Return whether an entry belongs to the play of another hand than this one."""

    def in_another(entry: Entry) -> bool:
        event = entry.event
        plays = event.PLACE is IN_A_HAND or isinstance(event, IN_ITS_HAND)
        return plays and hand_of(session, entry) not in (None, hand)

    return in_another


def own(event: Event, by: str | None) -> bool:
    """Return whether an event is what a player declares of their own play."""
    return (
        by is not None
        and event.PLACE is IN_A_HAND
        and not isinstance(event, ABOUT_A_PLAYER)
        and getattr(event, "player", None) == by
    )


def leaves_confirmation(session: Session, players: Iterable[str], hand: HandRecord) -> Harmless:
    """Return whether an entry leaves it to these players to confirm a hand.

    Whatever came after the hand and was taken back since does.
    """
    others, another = set(players), elsewhere(session, hand)
    last = hand.entries[-1].seq if hand.entries else hand.started.seq

    def harmless(entry: Entry) -> bool:
        event = entry.event
        confirms = isinstance(event, HandConfirmed) and event.player not in others
        of_the_match = isinstance(event, MatchStarted | MatchEnded)
        return confirms or of_the_match or another(entry) or _came_and_went(session, last, entry)

    return harmless


def leaves_signature(session: Session, player: str, proposal: int, hand: HandRecord) -> Harmless:
    """Return whether an entry leaves it to a player to sign a proposal about a hand."""
    another = elsewhere(session, hand)

    def harmless(entry: Entry) -> bool:
        event = entry.event
        signs = isinstance(event, ProposalSigned) and event.proposal == proposal
        return (signs and getattr(event, "player", player) != player) or another(entry)

    return harmless


def leaves_own(player: str | None, events: Sequence[Event]) -> Harmless:
    """Return whether an entry leaves a player's own declarations as they were meant."""
    mine = bool(events) and all(own(event, player) for event in events)

    def harmless(entry: Entry) -> bool:
        return mine and entry.by != player and own(entry.event, entry.by)

    return harmless
