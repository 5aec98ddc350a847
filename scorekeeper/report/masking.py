"""What lies face down in a session, and the session as the table may know it.

A reader either sees everything, or what the table knows. For the table the log is folded with
the entries that lie face down as far as they are public, and whatever is reported to it is made of
that: where nothing lies face down, it is the session itself.

Only the hand that is being played has cards face down. Whether it is played out is asked of what
everybody sees; so nothing changes for the table with what lies there.

No seat turns cards up alone. The events that one seat recorded last, with no event of anybody else
after them, are its word only: what lay face down before them stays so until another author records
anything, or a player confirms a hand. A hand that such events end awaits acceptance. What that seat
records after such an end lies face down as it did before the end, because the seat can strike both.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.common import HandStarted, NoteAdded
from scorekeeper.events.corrections import EventInserted, EventStruck
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import IN_A_HAND, Entry, Event
from scorekeeper.log.corrected import get_target
from scorekeeper.log.face_down import (
    KEEPER,
    HiddenPart,
    find_hidden_parts,
    get_hidden_fields,
    hide_event,
)
from scorekeeper.log.sets import Corrects
from scorekeeper.play.deal import Deal
from scorekeeper.play.folding import record_entry
from scorekeeper.report.findings import has_moved_on
from scorekeeper.session.matches import AwaitedHands, HandRecord, UnacceptedEnd
from scorekeeper.session.session import Session, get_type
from scorekeeper.session.structure import AUTHORS

NOTHING: Final[frozenset[int]] = frozenset()
EVERYTHING: Final = ""  # no type of event: what lies face down as long as the hand is played
LONG_AGO: Final = 0  # a seq before every entry
NEVER: Final = 2**63  # a seq after every entry
# What players say of a hand.
WORDS: Final = (
    HandConfirmed, HandDisputed, CorrectionProposed, ProposalSigned, ProposalDeclined,
    DisputeSettled,
)  # fmt: skip


def face_down_seqs(session: Session) -> frozenset[int]:
    """Return the seqs of the entries that lie face down now."""
    if not session.covered:
        return NOTHING
    recorded, set_of = session.corrections.recorded, session.corrections.set_of
    since = first_of_one_seat(session)
    lying = _find_lying(session, since, NOTHING)
    if lying and since is not None:
        lying = _find_lying(session, since, _hands_with(session, lying))
    # The reason of a set may tell of the cards that one of its corrections puts in.
    begun = {set_of[key] for key in lying if key in set_of}
    return frozenset(recorded[key].seq for key in (*lying, *begun))


def _find_lying(session: Session, since: int | None, unaccepted: frozenset[int]) -> list[int]:
    """Return the keys of the entries that lie face down.

    `unaccepted` is that of `_lies_face_down`.
    """
    recorded = session.corrections.recorded
    return [
        key
        for key in _coverable_keys(session, since)
        if any(
            _lies_face_down(session, key, hidden_part, since, unaccepted)
            for hidden_part in find_hidden_parts(recorded[key].event)
        )
    ]


def _hands_with(session: Session, keys: Iterable[int]) -> frozenset[int]:
    """Return the seqs of the hand_started of the hands in which these entries were recorded."""
    segment_of = session.structure.segment_of
    hands = (segment_of[key].hand for key in keys)
    return frozenset(hand.started.seq for hand in hands if hand is not None)


def as_the_table_knows(session: Session, hidden: frozenset[int]) -> Session:
    """Return the session with the face-down entries masked; the same session if there are none.

    `hidden` are the seqs of these entries.
    """
    if not hidden:
        return session
    entries = [
        _mask_entry(entry) if entry.seq in hidden else entry
        for entry in session.corrections.recorded.values()
    ]
    awaiting = awaited_hands(session, hidden)
    try:
        known = Session.of(entries, awaiting)
    except UnusableError:
        known = _without_stray_words(entries, awaiting)
    known.hidden = hidden
    return known


def _mask_entry(entry: Entry) -> Entry:
    """Return an entry without its hidden content, and without its author if that is hidden, too."""
    by = KEEPER if entry.event.AUTHOR_HIDDEN else entry.by
    return replace(entry, event=hide_event(entry.event), by=by)


def _without_stray_words(entries: Iterable[Entry], awaiting: AwaitedHands) -> Session:
    """Return a session of these entries without acts on hands that seem incomplete.

    The end of a hand was struck after a player had confirmed or disputed it. Cards in it lie face
    down again, and without them the hand never was complete for the table.
    """
    known = Session(awaiting)
    for entry in entries:
        try:
            known.add(entry)
        except UnusableError:
            if not _is_word(entry.event):
                raise
            known.add(replace(entry, event=NoteAdded("")))
    return known


def _is_word(event: Event) -> bool:
    """Return whether an event confirms or disputes a hand, or proposes, signs or declines.

    An inserted event counts, too.
    """
    inserted = isinstance(event, EventInserted) and event.type in {
        event_type.TYPE for event_type in WORDS
    }
    return inserted or isinstance(event, WORDS)


def awaited_hands(session: Session, hidden: frozenset[int]) -> dict[int, UnacceptedEnd]:
    """Return the hands that await acceptance, by the seq of their `hand_started`."""
    since = first_of_one_seat(session)
    awaited_by_start: dict[int, UnacceptedEnd] = {}
    if since is None or not hidden:
        return awaited_by_start
    recorded = session.corrections.recorded
    for segment in reversed(session.structure.segments):
        hand = segment.hand
        if hand is None or not is_over(hand) or hidden.isdisjoint(segment.keys):
            continue
        ended = _turned_up_at(hand, EVERYTHING, since)
        if ended != LONG_AGO:
            awaited_by_start[hand.started.seq] = UnacceptedEnd(ended, recorded[since].by)
    return awaited_by_start


# ------------------------------------------------------------------------------ who turns cards up


def first_of_one_seat(session: Session) -> int | None:
    """Return the key of the first of the last entries that are all by one seat, else None.

    A confirmation of the latest hand is never among them: it accepts everything before it. Entries
    that the log ascribes to no seat are skipped, since the same seat may have recorded them.
    """
    first, seat = None, ""
    unascribed = _unascribed_sets(session)
    for key, entry in reversed(session.corrections.recorded.items()):
        if key in unascribed or is_secret(session, key):
            continue
        if entry.by in AUTHORS or entry.by != (seat or entry.by) or _confirms(session, key):
            break
        first, seat = key, entry.by
    return first


def _confirms(session: Session, key: int) -> bool:
    """Return whether an entry confirms the hand that had begun last when it was recorded."""
    event = session.corrections.recorded[key].event
    inserted = isinstance(event, EventInserted) and event.type == HandConfirmed.TYPE
    if not inserted and not isinstance(event, HandConfirmed):
        return False
    signed = session.structure.disputes.first_placements.hands.get((key, key))
    return signed == _hand_start_before(session, key)


def is_secret(session: Session, seq: int) -> bool:
    """Return whether the log does not say who recorded an event, or its strike."""
    entry = session.corrections.recorded[seq]
    event = entry.event
    if isinstance(event, EventStruck):
        event = session.corrections.recorded[event.seq].event
    return event.AUTHOR_HIDDEN and entry.by == KEEPER


def _unascribed_sets(session: Session) -> set[int]:
    """Return the keys of sets in which something is taken back that the log does not ascribe."""
    set_of = session.corrections.set_of
    begun = {start for key, start in set_of.items() if is_secret(session, key)}
    return begun | {key for key, start in set_of.items() if start in begun}


def would_lie_face_down(session: Session, kind: str, by: str) -> bool:
    """Return whether an event would lie face down if it were recorded next.

    `kind` is its type and `by` its author.
    """
    hand = session.structure.current_hand
    if hand is None:
        return False
    if not is_over(hand):
        return hand.deal.face_down(kind)
    since = first_of_one_seat(session)
    if since is None or session.corrections.recorded[since].by != by:
        return False
    return hand.started.seq in awaited_hands(session, face_down_seqs(session))


def would_turn_up(session: Session, event: Event) -> bool:
    """Return whether an event by a host, recorded next, would turn face-down cards up."""
    hand, lies = session.structure.current_hand, face_down_seqs(session)
    if hand is None or not lies:
        return False
    if isinstance(event, HandStarted):
        return True
    if event.PLACE is not IN_A_HAND:
        return False
    anew = hand.make_blank_copy()
    for entry in hand.entries:
        anew.add(entry)
    try:
        anew.add(Entry(NEVER, event))
    except UnusableError:
        return False  # it will be refused
    hand.game.evaluate(anew.deal)
    return any(not anew.deal.face_down(kind) for kind in _hidden_types(session, lies))


def _hidden_types(session: Session, seqs: Iterable[int]) -> set[str]:
    """Return the event types that can lie face down in these entries."""
    return {
        hidden_part.type
        for seq in seqs
        for hidden_part in find_hidden_parts(session.corrections.recorded[seq].event)
    }


def turning_seq_by_author(session: Session, hand: HandRecord) -> dict[str, int]:
    """Return the seq of the last event by each author that turned cards of a hand up.

    Cards that still lie face down, or were recorded after that event, do not count.
    """
    turned_up: dict[str, int] = {}
    recorded, lies = session.corrections.recorded, face_down_seqs(session)
    for key in _keys_in(session, hand):
        entry = recorded[key]
        for hidden_part in () if entry.seq in lies else find_hidden_parts(entry.event):
            seq = _turned_up_at(hand, hidden_part.type, key + 1)
            if seq not in (LONG_AGO, NEVER):
                turned_up[recorded[seq].by] = seq
    return turned_up


def _keys_in(session: Session, hand: HandRecord) -> list[int]:
    """Return the keys of the entries of a hand that can lie face down."""
    segment = session.structure.segment_of.get(hand.started.seq)
    return [key for key in segment.keys if key in session.covered] if segment else []


# ------------------------------------------------------------------------------ what lies down


def _coverable_keys(session: Session, since: int | None) -> Iterator[int]:
    """Yield the keys of entries that can lie face down, back to the last hand that is turned up."""
    for segment in reversed(session.structure.segments):
        yield from (key for key in segment.keys if key in session.covered)
        if segment.hand is not None and _turned_up_at(segment.hand, EVERYTHING, since) == LONG_AGO:
            return


def is_over(hand: HandRecord) -> bool:
    """Return whether a hand is played out, abandoned, or followed by another one, by its record."""
    hand.match.is_complete(hand)  # evaluates it
    return _is_played_out(hand.deal) or has_moved_on(hand.match, hand)


def _is_played_out(deal: Deal) -> bool:
    """Return whether a deal is played out or abandoned."""
    return deal.played_out or deal.result.abandoned


def _turned_up_at(hand: HandRecord, kind: str, since: int | None) -> int:
    """Return the seq of the event that turned up the face-down cards of a hand.

    `kind` is the event type that hid them, or `EVERYTHING`. Returns `LONG_AGO` if that was before
    the entry `since`, and `NEVER` if they still lie face down.
    """
    if not is_over(hand) and hand.deal.face_down(kind):
        return NEVER
    if since is None or (_left_at(hand) < since and not _touches(hand, since)):
        return LONG_AGO
    key = len(hand.entries), kind, since, _left_at(hand)
    if key not in hand.turned_up:
        hand.turned_up[key] = _search_turn_up(hand, kind, since)
    return hand.turned_up[key]


def _touches(hand: HandRecord, since: int) -> bool:
    """Return whether an entry `since` or later belongs to a hand."""
    return any(entry.seq >= since for entry in reversed(hand.entries))


def _search_turn_up(hand: HandRecord, kind: str, since: int) -> int:
    """Replay a hand to find the seq at which its face-down cards were turned up.

    The result is that of `_turned_up_at`, without a cache.
    """
    left = _left_at(hand)
    game, deal = hand.game, hand.game.start(hand.table)
    deal.standing = hand.match.standing(hand.number - 1)
    for entry in hand.entries:
        if entry.seq < since:
            record_entry(deal, entry, game.fold)
    game.evaluate(deal)
    if left < since or not deal.face_down(kind):
        return LONG_AGO
    for entry in hand.entries:
        if entry.seq >= since:
            record_entry(deal, entry, game.fold)
            game.evaluate(deal)
            if not deal.face_down(kind):
                return entry.seq
    return left


def _left_at(hand: HandRecord) -> int:
    """Return the seq of the event after a hand: the next hand, or the end of its match.

    Else `NEVER`.
    """
    match = hand.match
    if hand is not match.hands[-1]:
        return match.hands[hand.number].started.seq
    return NEVER if match.ended is None else match.ended.seq


def _lies_face_down(
    session: Session,
    key: int,
    hidden_part: HiddenPart,
    since: int | None,
    unaccepted: frozenset[int],
) -> bool:
    """Return whether hidden content of an entry lies face down.

    `unaccepted` has the seqs of the `hand_started` of hands with face-down content: if one seat
    alone ended such a hand, what it recorded after that lies face down, too. Content that was taken
    back stays face down while its hand goes on. If the beginning of that hand was taken back, all
    of it stays so until a later hand is over.
    """
    corrections, record = session.corrections, session.structure
    named = key if hidden_part.names is None else hidden_part.names
    if named not in corrections.recorded:
        return False
    root = _root_event(session, named)
    inserted = isinstance(corrections.recorded[key].event, EventInserted)
    dealt = _hand_start_before(session, root)
    if dealt not in record.hand_by_seq and not _is_over_since(session, dealt, since):
        return True
    segment = record.segment_of.get(key if inserted else root)
    hands = [segment.hand if segment else None]
    if not (corrections.stands[key] if inserted else _stands(session, root)):
        hands.append(record.hand_by_seq.get(dealt))
    for hand in hands:
        if hand is not None:
            turned_up = _turned_up_at(hand, hidden_part.type, since)
            ended_alone = turned_up != LONG_AGO and hand.started.seq in unaccepted
            if key < turned_up or ended_alone:
                return True
    return False


def _root_event(session: Session, key: int) -> int:
    """Return the key of the event that a chain of corrections is about in the end."""
    event = session.corrections.recorded[key].event
    while isinstance(event, Corrects):
        key = get_target(event)
        event = session.corrections.recorded[key].event
    return key


def _stands(session: Session, root: int) -> bool:
    """Return whether an event that can hide content stands in the place of the recorded one."""
    reading = session.corrections.reading(root)
    was = session.corrections.recorded[root].event.TYPE in get_hidden_fields()
    return reading is not None and (not was or get_type(reading) in get_hidden_fields())


def _hand_start_before(session: Session, root: int) -> int:
    """Return the seq of the last `hand_started` at or before an event; 0 if there is none."""
    recorded = session.corrections.recorded
    seqs = (seq for seq in range(root, 0, -1) if isinstance(recorded[seq].event, HandStarted))
    return next(seqs, 0)


def _is_over_since(session: Session, seq: int, since: int | None) -> bool:
    """Return whether a hand that began after `seq`, or the match, is over.

    It must be over by the record of more than one seat.
    """
    match = session.structure.matches[-1] if session.structure.matches else None
    if match is None or match.ended is not None or match.started.seq > seq:
        return True
    return any(
        hand.started.seq > seq and _turned_up_at(hand, EVERYTHING, since) == LONG_AGO
        for hand in match.hands[-2:]
    )
