"""A session replayed: entries are added one by one, each usable after those before it."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import BinaryIO, Final, TypeVar

from scorekeeper.base import pacing
from scorekeeper.base.errors import Cause, ScorekeeperError, UnusableError
from scorekeeper.events.common import NoteAdded, PenaltyGiven
from scorekeeper.events.corrections import CorrectionBegun
from scorekeeper.events.disputes import Correction, DisputeSettled
from scorekeeper.events.event import A_CORRECTION, Entry, Event
from scorekeeper.events.fields import MAX_EXACT_NUMBER
from scorekeeper.games.game import Game
from scorekeeper.log import codec
from scorekeeper.log.corrected import Corrections, Undecoded
from scorekeeper.log.face_down import find_hidden_parts
from scorekeeper.log.reading import MAX_FILE_BYTES, LogFile, RawEvent
from scorekeeper.log.sets import refuse_unfinished, refuse_without_reason
from scorekeeper.play.scoring import Finding
from scorekeeper.session.matches import NONE_AWAITED, AwaitedHands, HandRecord
from scorekeeper.session.ordering import NewCorrections, NewOrder, explain_failure, find_proposal
from scorekeeper.session.rewinding import Rewind, Undo, checkpoint, undo_nothing
from scorekeeper.session.structure import (
    STRUCTURAL_TYPES,
    CurrentHand,
    Segment,
    Structure,
    TooLargeSessionError,
    decode_entry,
)

# The work that a log may cause beside adding its entries, in replayed entries: MAX_STEPS, and in
# addition STEPS_PER_ENTRY for each entry. A long session with hundreds of corrections needs
# thousands.
MAX_STEPS: Final = 1_000_000
STEPS_PER_ENTRY: Final = 20


CORRECTED_RULING: Final = "corrected"  # the ruling that carries out what was agreed

# The seq that the first correction of a proposal has while it is tried.
TRIAL_SEQ: Final = MAX_EXACT_NUMBER + 1

T = TypeVar("T")


class Session:
    """One session's stream as replayed so far.

    Entries are added in the order of recording. An entry that could not have been recorded there
    raises `UnusableError` and leaves the session unchanged. A correction replays only the hand that
    it falls in, unless it changes the structure of the session.
    """

    def __init__(self, awaiting: AwaitedHands = NONE_AWAITED) -> None:
        self.awaiting = awaiting  # the hands whose end still has to be accepted, for this reader
        self.corrections = Corrections()
        self._count_steps = partial(count_steps, self.corrections)
        self.structure = Structure(self._count_steps, awaiting=awaiting)
        self.covered: set[int] = set()  # the keys of entries that may lie face down
        self.hidden: frozenset[int] = frozenset()  # the seqs that lie face down for this reader
        self.recorders: Mapping[int, str] = {}  # key ids of events whose ``by`` does not say it
        self.events = 0
        self.head = ""
        self.damage: list[Finding] = []
        self._trial_undos: list[Rewind] = []  # what takes back the entries of a trial, newest last
        self._first_to_forget: int | None = None  # of them: the first that a rebuild makes obsolete
        self._steps_before_trial = 0

    @classmethod
    def of(cls, entries: Iterable[Entry], awaiting: AwaitedHands = NONE_AWAITED) -> "Session":
        """Return the session of these entries; hands in ``awaiting`` are not scored."""
        session = cls(awaiting)
        session.add_all(entries)
        return session

    @classmethod
    def read(cls, stream: BinaryIO, largest: int | None = MAX_FILE_BYTES) -> "Session":
        """Return the session of a log file, sealed or written by hand, with the damage found in it.

        Raises `UnusableError` with the line at fault, and `TooLargeError` beyond ``largest`` bytes.
        """
        log = LogFile(stream, largest)
        session = cls()
        session.add_lines(log)
        session.head = log.head
        session.damage = log.damage
        return session

    @property
    def game(self) -> Game | None:
        """The game whose events can come next, None before the first match."""
        return self.structure.matches[-1].game if self.structure.matches else None

    def add_lines(self, log: Iterable[RawEvent]) -> None:
        """Add all events of a log.

        Raises `UnusableError` with the line, also if the log ends inside a correction set.
        """
        line = 1
        try:
            for raw in log:
                line = raw.line
                self.add_line(raw)
            refuse_unfinished(self.corrections.open_set)
        except UnusableError as error:
            culprit = self.corrections.recorded.get(error.culprit or 0)
            error.line = error.line or (culprit.line if culprit else None) or line
            raise

    def add_line(self, raw: RawEvent) -> Entry:
        """Decode an event of a log, add it, and return its entry.

        Raises `UnusableError`, with nothing changed, if it cannot be used.
        """
        entry = self.decode_line(raw)
        self.add(entry)
        return entry

    def decode_line(self, raw: RawEvent) -> Entry:
        """Decode the next event of a log, by the game that is played now, and return its entry.

        Raises `UnusableError` if it cannot be decoded.
        """
        game = self.game
        types = game.by_type if game else codec.COMMON_TYPES
        event = codec.decode(raw.type, raw.data, types)
        return Entry(raw.seq, event, raw.at, raw.by, raw.hash, raw.line)

    def add_stored(self, line: bytes) -> Entry:
        """Add an event by its line in a store, as `add_line` does."""
        return self.add_line(RawEvent.stored(line))

    def add(self, entry: Entry) -> None:
        """Add the next entry.

        Raises `UnusableError`, with nothing changed, if the entry cannot be used.
        """
        self.add_all((entry,))

    def begin_trial(self) -> None:
        """Begin a trial: ``end_trial`` can take back the entries added from now on."""
        self._steps_before_trial = self.corrections.steps
        self._trial_undos, self._first_to_forget = [checkpoint(self)], None

    def end_trial(self, *, take_back: bool = False) -> None:
        """End a trial: keep its entries, or with ``take_back`` remove them and their effects."""
        undone, self._trial_undos = self._trial_undos, []
        if not take_back or not undone:
            return
        while undone:
            undone.pop()()
        recorded = self.corrections.recorded
        self.corrections.steps = self._steps_before_trial
        self.covered.intersection_update(recorded)
        self.structure.disputes.first_placements.forget_all_but(recorded)
        self.events, self.head = len(recorded), self.corrections.head

    def add_all(self, entries: Iterable[Entry]) -> None:
        """Add the next entries.

        Raises `UnusableError` at the first entry that cannot be used; those before it are added.
        """
        recorded = self.corrections.recorded
        hand, handlers, authors, keys = self._get_current_hand()
        try:
            for entry in entries:
                seq, handler = entry.seq, handlers.get(type(entry.event))
                if hand is None or handler is None or seq in recorded or entry.by not in authors:
                    self._add_checked(entry)
                    hand, handlers, authors, keys = self._get_current_hand()
                else:  # the fast path for nearly all entries, those of play in a hand
                    hand.add_with(handler, entry)
                    recorded[seq] = entry
                    keys.append(seq)
                    if handler.hides:
                        self.covered.add(seq)
        finally:
            self.events = len(recorded)
            self.head = self.corrections.head

    def _get_current_hand(self) -> CurrentHand:
        """Return the hand for the next entries of play; inside a correction set there is none."""
        current = self.structure.get_current_hand()
        return current if self.corrections.open_set is None else current._replace(hand=None)

    def _add_checked(self, entry: Entry) -> None:
        """Add any entry, with all checks; try the corrections of a proposal in it first."""
        steps, structure = self.corrections.steps, self.structure
        try:
            proposed = find_proposal(entry.event)
            if proposed is not None and not self.inside_a_set:
                self._try_corrections(proposed.corrections, undo_nothing, after_end=True)
            undo = self._record(entry)
        except ScorekeeperError:
            self.corrections.steps = steps
            raise
        if self._trial_undos and undo is not None:
            self._trial_undos.append(undo)
            if self.structure is not structure:
                self._forget_replaced_structures()
            self._trial_undos.append(checkpoint(self))
        self.structure.disputes.store_signed_hands()
        if any(find_hidden_parts(entry.event)):
            self.covered.add(entry.seq)

    def _forget_replaced_structures(self) -> None:
        """Release the structures of a trial that were replaced, except that from before the trial.

        Each is as large as the session, and a trial may replace it by every correction. The undo
        function of the first replacement restores the structure from before.
        """
        if self._first_to_forget is not None:
            for later in self._trial_undos[self._first_to_forget :]:
                later.forget_structure()
        self._first_to_forget = len(self._trial_undos)

    @property
    def inside_a_set(self) -> bool:
        """Whether a correction set was begun and is not complete."""
        open_set = self.corrections.open_set
        return open_set is not None and not open_set.awaited

    def _record(self, entry: Entry) -> Rewind | None:
        """Record an entry and place it. Return a function that undoes the effect of corrections.

        Return None if no correction takes effect.

        Raises `ScorekeeperError`, with nothing changed, if the entry cannot be placed.
        """
        corrections, event = self.corrections, entry.event
        key = corrections.add(entry)
        try:
            if event.PLACE is not A_CORRECTION:
                self.structure.place(key, entry)
                corrections.note_other_event(key, self._list_agreed(event))
                return None
            self.structure.refuse_author(entry)
            if isinstance(event, CorrectionBegun):
                self.structure.refuse_unopened(event)
                self.structure.place(key, entry)
                corrections.begin(key, event.count)
                return None
            together = corrections.open_set is not None
            return self._take_effect(corrections.take_due(key), together=together)
        except ScorekeeperError:
            corrections.forget(key)
            self.structure.disputes.first_placements.forget(key)
            raise

    def _list_agreed(self, event: Event) -> Sequence[Correction]:
        """Return the corrections that a ruling carries out; empty for any other event."""
        if not isinstance(event, DisputeSettled) or event.ruling != CORRECTED_RULING:
            return ()
        proposal = self.structure.disputes.proposals.get(event.proposal or 0)
        return proposal.event.corrections if proposal is not None else ()

    def _take_effect(self, keys: Sequence[int], *, together: bool) -> Rewind | None:
        """Apply recorded corrections, and return a function that undoes them, if any.

        With ``together`` they are those of a set or ruling. Proposals among them are tried, too.
        Raises `UnusableError`, with nothing changed, if they cannot stand.
        """
        if not keys:
            return None  # more of their set are to come
        undo = self._apply_corrections(keys, together=together)
        if len(keys) > 1:
            try:
                for key in keys:
                    proposed = find_proposal(self.corrections.recorded[key].event)
                    if proposed is not None:
                        self._try_corrections(proposed.corrections, undo_nothing, after_end=True)
            except ScorekeeperError:
                undo()
                raise
        return undo

    def correct(self, events: Sequence[Event]) -> None:
        """Add corrections that take effect together, even if no event begins a set.

        If one of the events begins a set, they are added one by one. Raises `UnusableError`, with
        the seq at fault as ``culprit``, if they cannot be recorded; the session must not be used
        after that.
        """
        seq, keys = max(self.corrections.recorded, default=0), list[int]()
        as_they_stand = any(isinstance(event, CorrectionBegun) for event in events)
        try:
            for event in events:
                seq += 1
                if as_they_stand:
                    self.add(Entry(seq, event))
                else:
                    if len(events) == 1:
                        refuse_without_reason(event)
                    keys.append(self.corrections.admit(Entry(seq, event)))
            self._take_effect(keys, together=len(keys) > 1)
            refuse_unfinished(self.corrections.open_set)
        except UnusableError as error:
            error.culprit = seq if error.culprit is None else error.culprit
            raise
        self.events, self.head = len(self.corrections.recorded), self.corrections.head

    def try_corrections(
        self, corrections: Sequence[Correction], make: Callable[[], T], *, after_end: bool = False
    ) -> T:
        """Apply corrections together, call ``make``, undo them, and return its result.

        With ``after_end`` they may start a hand, and give a penalty, after the end of a match:
        whether it has ended may depend on what lies face down. Raises `UnusableError` if they
        cannot be recorded.
        """
        steps = self.corrections.steps
        try:
            return self._try_corrections(corrections, make, after_end=after_end)
        finally:
            self.corrections.steps = steps

    def _try_corrections(
        self, corrections: Sequence[Correction], make: Callable[[], T], *, after_end: bool
    ) -> T:
        """Do the same without restoring the count of steps."""
        keys: list[int] = []
        undo: Undo = undo_nothing
        try:
            for place, correction in enumerate(corrections):
                event = codec.decode(correction.type, correction.data)
                if len(corrections) == 1:
                    refuse_without_reason(event)
                keys.append(self.corrections.admit(Entry(TRIAL_SEQ + place, event)))
            if keys:
                undo = self._apply_corrections(keys, after_end=after_end, together=True)
            return make()
        except UnusableError as error:
            last = min(len(keys), len(corrections) - 1)
            place = last if error.culprit is None else error.culprit - TRIAL_SEQ
            field = ".".join(filter(None, (f"data.corrections.{place}", error.field)))
            raise UnusableError(error.reason, field=field) from None
        finally:
            undo()
            for key in reversed(keys):
                self.corrections.forget(key)

    # -------------------------------------------------------------------------- corrections

    def _apply_corrections(
        self, keys: Sequence[int], *, together: bool, after_end: bool = False
    ) -> Rewind:
        """Apply recorded corrections; return a function that undoes them.

        Replays the one hand that they change, or the whole session if they change its structure.
        Only corrections ``together`` may remove a hand that players confirmed or disputed. Raises
        `UnusableError`, with nothing changed, if an entry could not stand with them.
        """
        corrections, structure = self.corrections, self.structure
        order = NewOrder(structure, corrections, self._count_steps)
        places = list(dict.fromkeys(place for key in keys for place in corrections.places_of(key)))
        earlier = [place for place in places if place not in keys]
        types = {place: corrections.types_at(place) for place in earlier}
        structural = any(is_structural(corrections.reading(place)) for place in earlier)
        try:
            for key in keys:
                order.add(key)
                corrections.apply(key)
            after = {place: corrections.reading(place) for place in places}
            new = frozenset(
                place
                for place, entry in after.items()
                if not after_end
                and entry is not None
                and get_type(entry) not in types.get(place, ())
            )
            segments = order.find_segments(places)
            hand = segments[0].hand if len(segments) == 1 else None
            if hand is None or structural or any(map(is_structural, after.values())):
                undo = self._replay_all(order, NewCorrections(keys, new), removes=together)
            else:
                undo = self._replay_hand(order, segments[0], hand, NewCorrections(keys, new))
        except BaseException:
            corrections.undo(keys)
            raise

        return Rewind(undo, lambda: corrections.undo(keys))

    def _replay_hand(
        self, order: NewOrder, segment: Segment, hand: HandRecord, new: NewCorrections
    ) -> Undo:
        """Replay one hand with its new entries; return a function that restores the old record.

        Raises `UnusableError` if an entry could not stand.
        """
        keys = order.keys_of(segment)
        self._count_steps(len(keys) + len(hand.match.hands) - hand.number)
        anew = hand.make_blank_copy()
        for key in keys:
            entry = self.corrections.reading(key)
            if entry is not None and not is_structural(entry) and not is_correction(entry):
                try:
                    self._add_to_hand(anew, decode_entry(entry, hand.game), new=key in new.places)
                except UnusableError as error:
                    raise explain_failure(self.corrections, new, key, error) from None
        self._count_steps(anew.cost)
        structure = self.structure
        structure.replace_hand(segment, anew)
        undo_order = order.commit()

        def undo() -> None:
            undo_order()
            structure.replace_hand(segment, hand)

        return undo

    def _add_to_hand(self, hand: HandRecord, entry: Entry, *, new: bool) -> None:
        """Add an entry to a hand that is replayed; notes have no effect there."""
        if isinstance(entry.event, PenaltyGiven):
            hand.penalize(entry, entry.event, new=new)
        elif not isinstance(entry.event, NoteAdded):
            hand.add(entry)

    def _replay_all(self, order: NewOrder, new: NewCorrections, *, removes: bool) -> Undo:
        """Build the whole structure again in a new order.

        Return a function that restores the old one.

        Raises `UnusableError` if an entry could not stand, or unless it ``removes`` hands, if a
        hand is gone that entries are about.
        """
        before = self.structure
        structure = Structure(self._count_steps, before.disputes.first_placements, self.awaiting)
        for key in order:
            self._count_steps(1)
            try:
                structure.place(key, self.corrections.reading(key), new=key in new.places)
            except UnusableError as error:
                raise explain_failure(self.corrections, new, key, error) from None
        about_removed = structure.disputes.about_removed.keys() - before.disputes.about_removed
        if about_removed and not removes:
            gone = min(about_removed)
            why = UnusableError(Cause("the hand that this is about no longer exists", "hand_gone"))
            raise explain_failure(self.corrections, new, gone, why)
        self.structure = structure

        def undo() -> None:
            self.structure = before

        return undo

    def replace_entries(self, otherwise: Mapping[int, Entry]) -> None:
        """Replay the session with some recorded entries replaced; ``otherwise`` has them by key.

        Raises `UnusableError` if an event could then not stand; the session must not be used after
        that.
        """
        self.corrections.recorded.update(otherwise)
        record = Structure(
            self._count_steps, self.structure.disputes.first_placements, self.awaiting
        )
        for segment in self.structure.segments:
            for key in segment.keys:
                self._count_steps(1)
                try:
                    record.place(key, self.corrections.reading(key), new=False)
                except UnusableError as error:
                    seq = self.corrections.recorded[key].seq
                    raise UnusableError(f"event {seq} would not be valid: {error.reason}") from None
        self.structure = record


def count_steps(corrections: Corrections, steps: int) -> None:
    """Count steps of work; wait for the place for long work if they take long.

    Raises `TooLargeSessionError` beyond the limit for this many entries, and `BusyError`.
    """
    pacing.step(steps)
    corrections.steps += steps
    most = MAX_STEPS + STEPS_PER_ENTRY * len(corrections.recorded)
    if corrections.steps > most:
        words = "too much work: the corrections reach too far back, or a hand is too long"
        raise TooLargeSessionError(Cause(words, "too_much_work"))


def get_type(entry: Entry) -> str:
    """Return the type of an entry, even if it is not decoded yet."""
    event = entry.event
    return event.type if isinstance(event, Undecoded) else event.TYPE


def is_correction(entry: Entry) -> bool:
    """Return whether an entry is a correction or begins a set of them; these are in no hand."""
    return entry.event.PLACE is A_CORRECTION


def is_structural(entry: Entry | None) -> bool:
    """Return whether an entry affects more than its own hand; false for None."""
    return entry is not None and get_type(entry) in STRUCTURAL_TYPES
