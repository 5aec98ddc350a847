"""Decide whether an entry for an earlier version may still be recorded.

A client that knows an earlier version is refused, unless the entries since then leave the meaning
of its entry unchanged. The rules of the game are checked as usual after that.
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
    PlayerRenamed,
    SessionDescribed,
)
from scorekeeper.events.corrections import CorrectionBegun, EventStruck
from scorekeeper.events.disputes import HandConfirmed, ProposalSigned
from scorekeeper.events.event import A_CORRECTION, IN_A_HAND, Entry, Event
from scorekeeper.events.playing import RestClaimed, TrickTaken
from scorekeeper.families.contracts.events import PartnerRevealed
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session

MAX_ENTRIES_SINCE: Final = 50  # more than these the user has to see first
# Events that name a player without being their declaration: other players may record them, too.
ABOUT_A_PLAYER: Final = (TrickTaken, RestClaimed, PartnerRevealed, HandAbandoned)

ALWAYS_HARMLESS: Final = (NoteAdded, PlayerJoined, PlayerRenamed, SessionDescribed)
# Events of a hand outside of its play that change no other hand.
IN_ITS_HAND: Final = (HandStarted, HandConfirmed, PenaltyGiven, EventStruck)

Harmless = Callable[[Entry], bool]


def recorded_since(session: Session, version: int) -> list[Entry]:
    """Return the entries after a version, in the order in which they were recorded."""
    recorded = session.corrections.recorded
    first = max(version, 0) + 1
    return [recorded[seq] for seq in range(first, session.events + 1) if seq in recorded]


def all_harmless(session: Session, version: int, harmless: Harmless) -> bool:
    """Return whether entries were recorded after a version, few of them, and all harmless.

    ``harmless`` tests one entry; notes, new players and other names always are.
    """
    since = recorded_since(session, version)
    return 0 < len(since) <= MAX_ENTRIES_SINCE and all(
        isinstance(entry.event, ALWAYS_HARMLESS) or harmless(entry) for entry in since
    )


def _was_taken_back(session: Session, after: int, entry: Entry) -> bool:
    """Return whether an entry had no lasting effect on the entries up to the seq ``after``.

    It was struck again, or struck only later entries.
    """
    corrections, event = session.corrections, entry.event
    if isinstance(event, CorrectionBegun):
        members = corrections.sets[entry.seq].members if entry.seq in corrections.sets else ()
        return bool(members) and all(
            _was_taken_back(session, after, corrections.recorded[seq]) for seq in members
        )
    if isinstance(event, EventStruck):
        return bool(corrections.stands.get(entry.seq)) and event.seq > after
    return event.PLACE is not A_CORRECTION and corrections.reading(entry.seq) is None


def hand_of(session: Session, entry: Entry) -> HandRecord | None:
    """Return the hand of a recorded entry; None if it belongs to none."""
    return hand_at(session, session.corrections.place_of(entry.seq))


def hand_at(session: Session, place: int) -> HandRecord | None:
    """Return the hand in which the entry with key ``place`` stands; None if there is none."""
    segment = session.structure.segment_of.get(place)
    return segment.hand if segment else None


def belongs_elsewhere(session: Session, hand: HandRecord) -> Harmless:
    """Return a test whether an entry belongs to another hand than ``hand``."""

    def in_another(entry: Entry) -> bool:
        event = entry.event
        plays = event.PLACE is IN_A_HAND or isinstance(event, IN_ITS_HAND)
        return plays and hand_of(session, entry) not in (None, hand)

    return in_another


def is_own_declaration(event: Event, by: str | None) -> bool:
    """Return whether an event is a declaration of the player ``by`` about their own play."""
    return (
        by is not None
        and event.PLACE is IN_A_HAND
        and not isinstance(event, ABOUT_A_PLAYER)
        and getattr(event, "player", None) == by
    )


def leaves_confirmation(session: Session, players: Iterable[str], hand: HandRecord) -> Harmless:
    """Return a test whether these players may still confirm a hand after an entry.

    Other players' confirmations, other hands, and entries that were struck again are harmless.
    """
    others, another = set(players), belongs_elsewhere(session, hand)
    last = hand.entries[-1].seq if hand.entries else hand.started.seq

    def harmless(entry: Entry) -> bool:
        event = entry.event
        confirms = isinstance(event, HandConfirmed) and event.player not in others
        of_the_match = isinstance(event, MatchStarted | MatchEnded)
        return confirms or of_the_match or another(entry) or _was_taken_back(session, last, entry)

    return harmless


def leaves_signature(session: Session, player: str, proposal: int, hand: HandRecord) -> Harmless:
    """Return a test whether a player may still sign a proposal about ``hand`` after an entry."""
    another = belongs_elsewhere(session, hand)

    def harmless(entry: Entry) -> bool:
        event = entry.event
        signs = isinstance(event, ProposalSigned) and event.proposal == proposal
        return (signs and getattr(event, "player", player) != player) or another(entry)

    return harmless


def leaves_own(player: str | None, events: Sequence[Event]) -> Harmless:
    """Return a test whether a player's own declarations keep their meaning after an entry.

    Only other players' own declarations are harmless. If ``events`` are no own declarations, no
    entry is.
    """
    mine = bool(events) and all(is_own_declaration(event, player) for event in events)

    def harmless(entry: Entry) -> bool:
        return mine and entry.by != player and is_own_declaration(entry.event, entry.by)

    return harmless
