"""The record of a hand on the page of a table: the hand so far, the Undo button, and the log."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from scorekeeper.events.common import HandStarted, PlayerRenamed, SessionDescribed
from scorekeeper.events.corrections import (
    CorrectionBegun,
    EventInserted,
    EventReplaced,
    EventStruck,
)
from scorekeeper.events.event import A_CORRECTION, Entry
from scorekeeper.events.sentences import Voice
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import Prompt
from scorekeeper.play.scoring import RunningScore
from scorekeeper.report.narration import NarratedTrick, describe_at, narrate_event, narrate_tricks
from scorekeeper.service import Holder
from scorekeeper.service.amending import editable_types, may_amend
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.entry.contract_facts import (
    ContractFact,
    list_announcements,
    list_contract_facts,
)
from scorekeeper.web.entry.to_do import Disputed, list_open_disputes
from scorekeeper.web.entry.undoing import entries_to_undo
from scorekeeper.web.forms.scene import names_at, voice_at
from scorekeeper.web.wording.filters import with_colon

ABOUT_TYPES: Final = (SessionDescribed.TYPE, PlayerRenamed.TYPE)
MOST_SHOWN: Final = 120  # events of a hand in its log


@dataclass(frozen=True, slots=True)
class RecordedSentence:
    """A recorded event as a sentence, with its recorder, time, and whether it was struck.

    `where` is its place at the dispute desk, empty if this phone cannot correct it.
    """

    seq: int
    words: str
    by: str
    at: str
    struck: bool
    where: str


@dataclass(frozen=True, slots=True)
class HandLog:
    """The last hand of a session as sentences, the latest first, and the disputed hands.

    ``about`` are the names and descriptions recorded outside of that hand.
    """

    title: str
    entries: Sequence[RecordedSentence]
    disputed: Sequence[Disputed]
    about: Sequence[RecordedSentence]


@dataclass(frozen=True, slots=True)
class Strip:
    """A hand so far: its contract, its tricks, and the cards that lie on the table.

    ``loud`` is what the whole table should hear, ``counted`` what its players count aloud.
    ``leader`` leads to the trick that is due, or led to the one that is not complete. ``won`` has
    the winner of each trick of the hand, None if it is not won yet; ``taken`` the number of tricks
    of each player, ``tally`` of each side; ``trumps`` the trump suit, or several in their order.
    """

    number: int
    facts: Sequence[ContractFact]
    loud: Sequence[str]
    counted: RunningScore | None
    tricks: Sequence[NarratedTrick]
    table: NarratedTrick | None
    leader: str | None
    won: Sequence[str | None]
    taken: Mapping[str, int]
    tally: Mapping[str, int]
    trumps: Sequence[str]


def build_strip(
    session: Session, match: MatchRecord, hand: HandRecord, due: Iterable[Prompt]
) -> Strip:
    """Return the hand so far for the top of the table page.

    Some of the prompts that are `due` are called to the table.
    """
    tricks = narrate_tricks(hand)
    voice = voice_at(session, match)
    events = [entry.event for entry in hand.entries]
    won = {trick.number: trick.winner for trick in tricks}
    taken = Counter(won.values())
    lying = [trick for trick in tricks if trick.plays]
    return Strip(
        hand.number,
        tuple(list_contract_facts(hand, events, voice)),
        tuple(list_announcements(events, due, voice)),
        match.game.so_far(hand.deal),
        tricks,
        lying[-1] if lying else None,
        _leader(tricks, hand.deal),
        [won.get(number) for number in range(1, hand.deal.tricks.total + 1)],
        {player: taken[player] for player in hand.table.players},
        {side: sum(taken[player] for player in members) for side, members in match.sides.items()},
        hand.deal.trumps(),
    )


def _leader(tricks: Sequence[NarratedTrick], deal: Deal) -> str | None:
    """Return the player who leads to the trick that is due, or led to it; None if not on record."""
    if not tricks:
        return deal.first_leader
    last = tricks[-1]
    return last.winner or (last.plays[0].player if last.plays else None)


@dataclass(frozen=True, slots=True)
class Undoable:
    """The entries that a tap on Undo takes back: their seqs, last one first, and their sentences.

    ``hand`` is the number of the hand if the tap removes the whole hand.
    """

    seqs: Sequence[int] = ()
    words: Sequence[str] = ()
    hand: int | None = None


def describe_undo(session: Session, match: MatchRecord | None, holder: Holder) -> Undoable:
    """Return what a tap on Undo takes back, in sentences; empty if Undo is not offered."""
    entries = entries_to_undo(session, holder)
    voice = voice_at(session, match)
    words = [_describe_taken_back(session, voice, entry) for entry in reversed(entries)]
    whole = len(entries) > 1 and isinstance(entries[-1].event, HandStarted)
    number = len(match.hands) if match is not None and whole else None
    return Undoable([entry.seq for entry in entries], words, number)


def _describe_taken_back(session: Session, voice: Voice, entry: Entry) -> str:
    """Return the sentence about an entry that Undo takes back."""
    segment = session.structure.segment_of.get(entry.seq)
    if segment is None or entry.event.PLACE is A_CORRECTION:
        return describe_entry(session, voice, entry)
    return narrate_event(session, entry.seq, segment, voice).words


def build_hand_log(session: Session, holder: Holder) -> HandLog:
    """Return the last hand as sentences for a viewer, and all disputed hands."""
    record = session.structure
    match = record.matches[-1] if record.matches else None
    hand = match.hands[-1] if match and match.hands else None
    return HandLog(
        record.opened.title if record.opened else "",
        list(_recorded_sentences(session, match, hand, holder)) if match and hand else [],
        list_open_disputes(session, holder.player),
        list(islice(_list_about(session, hand), MOST_SHOWN)),
    )


def _list_about(session: Session, hand: HandRecord | None) -> Iterator[RecordedSentence]:
    """Yield the names and descriptions of the session outside of a hand, the latest first.

    Struck ones are included.
    """
    segments, names = session.structure.segment_of, names_at(session)
    for key, entry in reversed(session.corrections.recorded.items()):
        event, segment = entry.event, segments.get(key)
        inserts = isinstance(event, EventInserted) and event.type in ABOUT_TYPES
        if segment is None or not (inserts or event.TYPE in ABOUT_TYPES):
            continue
        if hand is None or segment.hand is not hand:
            told = narrate_event(session, key, segment)
            by = names.get(entry.by, "")
            yield RecordedSentence(entry.seq, told.words, by, entry.at, told.how == "struck", "")


def _recorded_sentences(
    session: Session, match: MatchRecord, hand: HandRecord, holder: Holder
) -> Iterator[RecordedSentence]:
    """Yield the entries of a hand as sentences, the latest first.

    Struck entries are included, corrections are not.
    """
    voice, names = voice_at(session, match), names_at(session)
    types = (
        {declared.TYPE for declared in editable_types(hand.game)} if may_amend(hand, holder) else ()
    )
    segment, recorded = session.structure.segment_of[hand.started.seq], session.corrections.recorded
    for key in reversed(segment.keys[:1] + segment.keys[1:][-MOST_SHOWN:]):
        entry = recorded[key]
        if not isinstance(entry.event, EventStruck | EventReplaced | CorrectionBegun):
            sentence = narrate_event(session, key, segment, voice)
            by = names.get(entry.by, "")
            struck = sentence.how == "struck"
            changes = sentence.type in types and not struck and key not in session.hidden
            where = f"{match.number}-{hand.number}/e/{key}" if changes else ""
            yield RecordedSentence(entry.seq, sentence.words, by, entry.at, struck, where)


def describe_since(session: Session, version: int) -> list[str]:
    """Return the sentences of all entries after a version, each with its recorder."""
    match = session.structure.matches[-1] if session.structure.matches else None
    voice = voice_at(session, match)
    names = names_at(session)
    sentences = []
    for entry in list(session.corrections.recorded.values())[-MOST_SHOWN:]:
        if entry.seq > version and not isinstance(entry.event, CorrectionBegun):
            by = names.get(entry.by, "")
            words = describe_entry(session, voice, entry)
            sentences.append(f"{with_colon(by)} {words}" if by else words)
    return sentences


def describe_entry(session: Session, voice: Voice, entry: Entry) -> str:
    """Return an entry as a sentence; for a strike, the sentence about the struck event."""
    if isinstance(entry.event, EventStruck):
        struck = session.corrections.recorded.get(entry.event.seq)
        what = _describe_event(session, voice, struck) if struck else ""
        return str(_("Taken back: %(what)s", what=what))
    return _describe_event(session, voice, entry)


def _describe_event(session: Session, voice: Voice, entry: Entry) -> str:
    """Return an entry as a sentence; for a correction, the sentence that it changes."""
    if entry.event.PLACE is not A_CORRECTION or isinstance(entry.event, CorrectionBegun):
        return describe_at(session, entry.seq, entry.event, voice)
    place = session.corrections.place_of(entry.seq)
    segment = session.structure.segment_of.get(place)
    entries = segment.hand.entries if segment and segment.hand else ()
    sentence = next(
        (describe_at(session, place, reading.event, voice) for reading in entries
         if reading.seq == place), ""
    )  # fmt: skip
    return sentence or str(_("A correction"))
