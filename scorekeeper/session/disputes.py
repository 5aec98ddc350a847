"""What is said of hands: who signed or disputed them, what was proposed, and how it was settled.

A signature under a proposal counts while the proposal reads and the hand stands as they did.
One that cannot count, or comes twice, is passed over; whether those that do are enough is no matter
of the replay, nor whether another proposal was open.
"""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, Protocol

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.events.disputes import (
    CorrectionProposed,
    DisputeSettled,
    HandConfirmed,
    HandDisputed,
    ProposalDeclined,
    ProposalSigned,
)
from scorekeeper.events.event import Entry, Event
from scorekeeper.events.references import refuse_unknown
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.signatures import (
    PlacedEntry,
    Signature,
    SignedHand,
    WordingKey,
    capture_signed_hand,
    is_unchanged,
)


class HandLookup(Protocol):
    """The matches and hands that something is said of, as far as they are there by now.

    ``work`` is told how much work was done, and refuses to do too much.
    """

    hand_by_seq: dict[int, HandRecord]  # by the seq of their hand_started
    matches: list[MatchRecord]
    work: Callable[[int], None]

    @property
    def match(self) -> MatchRecord:
        """The match at hand.

        Raises `UnusableError` if there is none.
        """


@dataclass(slots=True)
class FirstPlacements:
    """What entries were about when they were first placed: corrections do not change that.

    ``hands`` has the seq of a hand_started, ``words`` which words of a proposal were signed, and
    ``stood`` hands as they stood, which all that place a session anew have in common.
    """

    hands: dict[WordingKey, int] = field(default_factory=dict)
    words: dict[WordingKey, WordingKey] = field(default_factory=dict)
    signed_hands: dict[WordingKey, SignedHand] = field(default_factory=dict)

    def copy(self) -> "FirstPlacements":
        """The same, to be gone on with apart."""
        return FirstPlacements(dict(self.hands), dict(self.words), self.signed_hands)

    def forget_all_but(self, entries: Container[int]) -> None:
        """Forget how hands stood for entries that are no longer recorded."""
        for wording in [
            one for one in self.signed_hands if not (one[0] in entries and one[1] in entries)
        ]:
            del self.signed_hands[wording]

    def forget(self, key: int) -> None:
        """Forget the entry with this key, which was refused."""
        self.hands.pop((key, key), None)
        self.words.pop((key, key), None)


@dataclass(slots=True)
class Proposal:
    """Corrections of a hand, known by its seq, and who agreed to them before it was closed."""

    wording: WordingKey
    entry: Entry
    hand: int
    signed: list[tuple[Signature, Entry]] = field(default_factory=list)
    declined: list[Entry] = field(default_factory=list)
    settled: WordingKey | None = None

    def copy(self) -> "Proposal":
        """Return a copy that can be changed without a change of this one."""
        return replace(self, signed=list(self.signed), declined=list(self.declined))

    @property
    def event(self) -> CorrectionProposed:
        """What was proposed."""
        assert isinstance(self.entry.event, CorrectionProposed)  # noqa: S101  # for the types
        return self.entry.event

    @property
    def closed(self) -> bool:
        """Whether it was declined, or its dispute settled."""
        return bool(self.declined) or self.settled is not None


@dataclass(slots=True)
class Dispute:
    """One dispute about a hand, from what opened it to the ruling."""

    opened: list[Entry] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    settled: Entry | None = None

    def copy(self, proposals: Mapping[int, Proposal]) -> "Dispute":
        """Return a copy that refers to the copied ``proposals``, by their seqs."""
        own = [proposals[one.entry.seq] for one in self.proposals]
        return Dispute(list(self.opened), own, self.settled)


class Disputes:
    """What was said of the hands of a record, by the seqs of their hand_started."""

    def __init__(self, record: HandLookup, first_placements: FirstPlacements | None) -> None:
        self.structure = record
        self.first_placements = first_placements.copy() if first_placements else FirstPlacements()
        self.signatures: dict[int, list[Signature]] = {}
        self.unsigned: list[tuple[WordingKey, int]] = []  # new ones that need the hand as it stands
        self.disputes_by_hand: dict[int, list[Dispute]] = {}
        self.disputed: dict[int, None] = {}  # hands with an open dispute, the last last
        self.proposals: dict[int, Proposal] = {}  # by their seqs

    def copy(self) -> "Disputes":
        """Return a copy that can be changed without a change of this one."""
        copied = Disputes(self.structure, self.first_placements)
        copied.signatures = {hand: list(given) for hand, given in self.signatures.items()}
        copied.unsigned, copied.disputed = list(self.unsigned), dict(self.disputed)
        copied.proposals = {seq: proposal.copy() for seq, proposal in self.proposals.items()}
        copied.disputes_by_hand = {
            hand: [dispute.copy(copied.proposals) for dispute in disputes]
            for hand, disputes in self.disputes_by_hand.items()
        }
        return copied

    def place(self, at: PlacedEntry) -> None:
        """Put an entry that is about a hand at the end."""
        self._HANDLERS[type(at.entry.event)](self, at, at.entry.event)

    def store_signed_hands(self) -> None:
        """Keep the hands that something new was said of as they stand now."""
        for said, hand in self.unsigned:
            self.first_placements.signed_hands[said] = capture_signed_hand(
                self.structure.hand_by_seq[hand]
            )
        self.unsigned.clear()

    def signature_holds(self, signature: Signature, hand: HandRecord, inserted: set[int]) -> bool:
        """Return whether a hand still stands as it was signed; so it does where that is new."""
        signed = self.first_placements.signed_hands.get(signature.wording)
        return signed is None or is_unchanged(signature, signed, hand, inserted)

    def _find_hand(self, at: PlacedEntry, find: Callable[[], HandRecord]) -> HandRecord:
        """The hand that an entry was about when it was first placed."""
        seq = self.first_placements.hands.get(at.wording)
        hand = find() if seq is None else self.structure.hand_by_seq.get(seq)
        if hand is None:
            raise UnusableError(Cause("the hand that it is about is no longer there", "hand_gone"))
        refuse_unknown(at.entry.event, hand.match.scope)
        return hand

    def _bind(self, at: PlacedEntry, hand: HandRecord, *, signed_hands: bool) -> int:
        """Note which hand an entry is about, and how that ``stood``; the seq of the hand."""
        seq = hand.started.seq
        if signed_hands and at.wording not in self.first_placements.hands:
            self.structure.work(hand.cost)
            self.unsigned.append((at.wording, seq))
        self.first_placements.hands[at.wording] = seq
        return seq

    def find_named_hand(
        self, event: HandDisputed | CorrectionProposed | DisputeSettled
    ) -> HandRecord:
        """The hand that an event names, or else the last complete one.

        Raises `UnusableError`.
        """
        matches = self.structure.matches
        match = self.structure.match
        if event.match is not None:
            if event.match > len(matches):
                what = "the number of a match that was started"
                raise UnusableError(
                    expected(what, event.match, "no_such_match"), field="data.match"
                )
            match = matches[event.match - 1]
        if event.hand is not None:
            if event.hand > len(match.hands):
                what = "the number of a hand that was started"
                raise UnusableError(expected(what, event.hand, "no_such_hand"), field="data.hand")
            return match.hands[event.hand - 1]
        return self._last_complete(match, "data.hand")

    def _last_complete(self, match: MatchRecord, field: str) -> HandRecord:
        self.structure.work(match.hands[-1].cost if match.hands else 0)
        hand = match.last_to_confirm()
        if hand is None:
            raise UnusableError(
                Cause("no hand of this match is complete", "no_complete_hand"), field=field
            )
        return hand

    def _get_open_dispute(self, hand: int) -> Dispute:
        """The dispute about a hand that is not settled yet, begun where there is none."""
        disputes_by_hand = self.disputes_by_hand.setdefault(hand, [])
        if not disputes_by_hand or disputes_by_hand[-1].settled is not None:
            disputes_by_hand.append(Dispute())
        return disputes_by_hand[-1]

    # ---------------------------------------------------------------------- what can be said

    def _confirm(self, at: PlacedEntry, event: HandConfirmed) -> None:
        hand = self._find_hand(at, lambda: self._last_complete(self.structure.match, "type"))
        seq = self._bind(at, hand, signed_hands=True)
        signature = Signature(at.wording, at.entry.seq, event.player)
        self.signatures.setdefault(seq, []).append(signature)

    def _dispute(self, at: PlacedEntry, event: HandDisputed) -> None:
        seq = self._bind(
            at, self._find_hand(at, lambda: self.find_named_hand(event)), signed_hands=False
        )
        self._get_open_dispute(seq).opened.append(at.entry)
        self.disputed.pop(seq, None)
        self.disputed[seq] = None

    def _propose(self, at: PlacedEntry, event: CorrectionProposed) -> None:
        seq = self._bind(
            at, self._find_hand(at, lambda: self.find_named_hand(event)), signed_hands=True
        )
        proposal = self.proposals[at.entry.seq] = Proposal(at.wording, at.entry, seq)
        self._get_open_dispute(seq).proposals.append(proposal)

    def _sign(self, at: PlacedEntry, event: ProposalSigned) -> None:
        proposal = self._require_proposal(event.proposal)
        hand = self._find_hand(at, lambda: self.structure.hand_by_seq[proposal.hand])
        self._bind(at, hand, signed_hands=False)
        self.first_placements.words.setdefault(at.wording, proposal.wording)
        if not proposal.closed:
            signature = Signature(at.wording, at.entry.seq, event.player)
            proposal.signed.append((signature, at.entry))

    def _decline(self, at: PlacedEntry, event: ProposalDeclined) -> None:
        proposal = self._require_proposal(event.proposal)
        hand = self._find_hand(at, lambda: self.structure.hand_by_seq[proposal.hand])
        self._bind(at, hand, signed_hands=False)
        if not proposal.closed:
            proposal.declined.append(at.entry)

    def _settle(self, at: PlacedEntry, event: DisputeSettled) -> None:
        hand = self._find_hand(at, lambda: self._settled_hand(event))
        find_named_hand = None if event.proposal is None else self._require_proposal(event.proposal)
        if find_named_hand is not None and find_named_hand.hand != hand.started.seq:
            words = "the proposal is about another hand"
            raise UnusableError(Cause(words, "of_another_hand"), field="data.proposal")
        seq = self._bind(at, hand, signed_hands=True)
        course = self._get_open_dispute(seq)
        course.settled = at.entry
        for proposal in course.proposals:
            proposal.settled = at.wording
        self.disputed.pop(seq, None)

    def _settled_hand(self, event: DisputeSettled) -> HandRecord:
        """The hand named, or the one of the proposal, or the one disputed last and still open."""
        if event.hand is not None or event.match is not None:
            return self.find_named_hand(event)
        if event.proposal is not None:
            return self.structure.hand_by_seq[self._require_proposal(event.proposal).hand]
        if self.disputed:
            return self.structure.hand_by_seq[next(reversed(self.disputed))]
        raise UnusableError(Cause("no dispute is open", "no_dispute"), field="type")

    _HANDLERS: ClassVar[dict[type[Event], Callable[[Any, PlacedEntry, Any], None]]] = {
        HandConfirmed: _confirm,
        HandDisputed: _dispute,
        CorrectionProposed: _propose,
        ProposalSigned: _sign,
        ProposalDeclined: _decline,
        DisputeSettled: _settle,
    }

    # ------------------------------------------------------------------------------ proposals

    def _require_proposal(self, seq: int) -> Proposal:
        proposal = self.proposals.get(seq)
        if proposal is None:
            cause = expected("the seq of a proposal", seq, "no_such_proposal")
            raise UnusableError(cause, field="data.proposal")
        return proposal

    def find_signers(self, proposal: Proposal) -> dict[str, Entry]:
        """Who signed a proposal as it reads now, whether the hand has changed or not.

        Each by his first signature: a second one adds nothing.
        """
        found: dict[str, Entry] = {}
        for signature, entry in proposal.signed:
            if self.first_placements.words[signature.wording] == proposal.wording:
                found.setdefault(signature.player, entry)
        return found

    def find_open_proposal(self, hand: HandRecord) -> Proposal | None:
        """The proposal about a hand that can be signed now, the last of several."""
        disputes_by_hand = self.disputes_by_hand.get(hand.started.seq)
        still = (
            [one for one in disputes_by_hand[-1].proposals if not one.closed]
            if disputes_by_hand
            else []
        )
        return next((one for one in reversed(still) if not self.is_void(one)), None)

    def is_void(self, proposal: Proposal) -> bool:
        """Whether the hand was changed after the proposal and before the ruling, or until now."""
        signed_hands = self.first_placements.signed_hands
        then, ruling = signed_hands.get(proposal.wording), proposal.settled
        now = ruling and (signed_hands.get((ruling[0], ruling[0])) or signed_hands.get(ruling))
        return then is not None and then != (
            now or capture_signed_hand(self.structure.hand_by_seq[proposal.hand])
        )

    def list_valid_signatures(self, proposal: Proposal) -> list[Entry]:
        """The entries by which a proposal is signed, as far as they count."""
        return [] if self.is_void(proposal) else list(self.find_signers(proposal).values())


HAND_AGREEMENT_EVENTS: Final[frozenset[type[Event]]] = frozenset(Disputes._HANDLERS)  # noqa: SLF001  # whose table it is
