"""Confirmations and disputes of hands, proposed corrections, their signatures, and rulings.

A signature under a proposal counts as long as neither the words of the proposal nor the hand have
changed. A signature that cannot count, or is repeated, is ignored. The replay does not ask whether
all needed signatures are there, nor whether another proposal was open.
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
    """The matches and hands that were placed so far, which events about hands refer to.

    ``work`` counts steps of work, and raises an error beyond the limit.
    """

    hand_by_seq: dict[int, HandRecord]  # by the seq of their hand_started
    matches: list[MatchRecord]
    work: Callable[[int], None]

    @property
    def match(self) -> MatchRecord:
        """The last match that was started.

        Raises `UnusableError` if there is none.
        """


@dataclass(slots=True)
class FirstPlacements:
    """The hands and wordings that entries were about when first placed; corrections change neither.

    ``hands`` has the seq of a hand_started, ``words`` the wording of the proposal that was signed,
    and ``signed_hands`` the hands as they were signed. All replays of a session share the last one.
    """

    hands: dict[WordingKey, int] = field(default_factory=dict)
    words: dict[WordingKey, WordingKey] = field(default_factory=dict)
    signed_hands: dict[WordingKey, SignedHand] = field(default_factory=dict)

    def copy(self) -> "FirstPlacements":
        """Return a copy that can be extended on its own; the signed hands are shared."""
        return FirstPlacements(dict(self.hands), dict(self.words), self.signed_hands)

    def forget_all_but(self, entries: Container[int]) -> None:
        """Forget the signed hands whose entry or words are not in ``entries``."""
        for wording in [
            wording
            for wording in self.signed_hands
            if not (wording[0] in entries and wording[1] in entries)
        ]:
            del self.signed_hands[wording]

    def forget(self, key: int) -> None:
        """Forget the entry with this key, which was refused."""
        self.hands.pop((key, key), None)
        self.words.pop((key, key), None)


@dataclass(slots=True)
class Proposal:
    """A proposed correction of a hand, given by the seq of its start, and the answers to it.

    ``signed`` and ``declined`` end with the first refusal or the ruling; ``settled`` is the key of
    the ruling.
    """

    wording: WordingKey
    entry: Entry
    hand: int
    signed: list[tuple[Signature, Entry]] = field(default_factory=list)
    declined: list[Entry] = field(default_factory=list)
    settled: WordingKey | None = None

    def copy(self) -> "Proposal":
        """Return a copy that can be changed without changing this one."""
        return replace(self, signed=list(self.signed), declined=list(self.declined))

    @property
    def event(self) -> CorrectionProposed:
        """The event that proposed the corrections."""
        assert isinstance(self.entry.event, CorrectionProposed)  # noqa: S101  # for the types
        return self.entry.event

    @property
    def closed(self) -> bool:
        """Whether the proposal was declined, or its dispute settled."""
        return bool(self.declined) or self.settled is not None


@dataclass(slots=True)
class Dispute:
    """One dispute about a hand, from its opening to the ruling."""

    opened: list[Entry] = field(default_factory=list)
    proposals: list[Proposal] = field(default_factory=list)
    settled: Entry | None = None

    def copy(self, proposals: Mapping[int, Proposal]) -> "Dispute":
        """Return a copy that refers to the copied ``proposals``, by their seqs."""
        own_proposals = [proposals[proposal.entry.seq] for proposal in self.proposals]
        return Dispute(list(self.opened), own_proposals, self.settled)


class Disputes:
    """The confirmations, disputes and proposals of a session, by the seq of the hand_started."""

    def __init__(self, structure: HandLookup, first_placements: FirstPlacements | None) -> None:
        self.structure = structure
        self.first_placements = first_placements.copy() if first_placements else FirstPlacements()
        self.signatures: dict[int, list[Signature]] = {}
        self.unsigned: list[tuple[WordingKey, int]] = []  # new ones that need the hand as it stands
        self.disputes_by_hand: dict[int, list[Dispute]] = {}
        self.disputed: dict[int, None] = {}  # hands with an open dispute, the last last
        self.proposals: dict[int, Proposal] = {}  # by their seqs
        self.about_removed: dict[int, None] = {}  # keys of entries whose hand is gone

    def copy(self) -> "Disputes":
        """Return a copy that can be changed without changing this one."""
        copied = Disputes(self.structure, self.first_placements)
        copied.signatures = {hand: list(signatures) for hand, signatures in self.signatures.items()}
        copied.unsigned, copied.disputed = list(self.unsigned), dict(self.disputed)
        copied.about_removed = dict(self.about_removed)
        copied.proposals = {seq: proposal.copy() for seq, proposal in self.proposals.items()}
        copied.disputes_by_hand = {
            hand: [dispute.copy(copied.proposals) for dispute in disputes]
            for hand, disputes in self.disputes_by_hand.items()
        }
        return copied

    def place(self, at: PlacedEntry) -> None:
        """Place an entry about a hand after all others.

        An entry about a hand that corrections removed has no effect. Raises `UnusableError` if the
        hand or proposal that a new entry is about does not exist.
        """
        seq = self.first_placements.hands.get(at.wording)
        if seq is not None and seq not in self.structure.hand_by_seq:
            self.about_removed[at.wording[0]] = None
            return
        self._HANDLERS[type(at.entry.event)](self, at, at.entry.event)

    def store_signed_hands(self) -> None:
        """Store the present state of the hands that the latest entries signed."""
        for wording, hand in self.unsigned:
            self.first_placements.signed_hands[wording] = capture_signed_hand(
                self.structure.hand_by_seq[hand]
            )
        self.unsigned.clear()

    def signature_holds(self, signature: Signature, hand: HandRecord, inserted: set[int]) -> bool:
        """Return whether a hand is unchanged since it was signed; true for a new signature.

        ``inserted`` has the seqs of all entries that corrections inserted.
        """
        signed = self.first_placements.signed_hands.get(signature.wording)
        return signed is None or is_unchanged(signature, signed, hand, inserted)

    def _find_hand(self, at: PlacedEntry, find: Callable[[], HandRecord]) -> HandRecord:
        """Return the hand that an entry was about when it was first placed, else that of ``find``.

        Raises `UnusableError` if the event names unknown players or sides.
        """
        seq = self.first_placements.hands.get(at.wording)
        hand = find() if seq is None else self.structure.hand_by_seq[seq]
        refuse_unknown(at.entry.event, hand.match.scope)
        return hand

    def _bind_hand(self, at: PlacedEntry, hand: HandRecord, *, captures_hand: bool) -> int:
        """Note the hand that an entry is about, and return the seq of its start.

        With ``captures_hand`` the state of the hand is stored later, by `store_signed_hands`, if
        the entry is new.
        """
        seq = hand.started.seq
        if captures_hand and at.wording not in self.first_placements.hands:
            self.structure.work(hand.cost)
            self.unsigned.append((at.wording, seq))
        self.first_placements.hands[at.wording] = seq
        return seq

    def find_named_hand(
        self, event: HandDisputed | CorrectionProposed | DisputeSettled
    ) -> HandRecord:
        """Return the hand that an event names, or else the last complete one of the match.

        Raises `UnusableError` if there is no such hand.
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
        """Return the last hand that can be confirmed. Raises `UnusableError` if there is none."""
        self.structure.work(match.hands[-1].cost if match.hands else 0)
        hand = match.last_to_confirm()
        if hand is None:
            raise UnusableError(
                Cause("no hand of this match is complete", "no_complete_hand"), field=field
            )
        return hand

    def _get_open_dispute(self, hand: int) -> Dispute:
        """Return the unsettled dispute about a hand; begin one if there is none."""
        disputes = self.disputes_by_hand.setdefault(hand, [])
        if not disputes or disputes[-1].settled is not None:
            disputes.append(Dispute())
        return disputes[-1]

    # ------------------------------------------------------------------------ placing events

    def _confirm(self, at: PlacedEntry, event: HandConfirmed) -> None:
        """Record a player's confirmation of the last complete hand."""
        hand = self._find_hand(at, lambda: self._last_complete(self.structure.match, "type"))
        seq = self._bind_hand(at, hand, captures_hand=True)
        signature = Signature(at.wording, at.entry.seq, event.player)
        self.signatures.setdefault(seq, []).append(signature)

    def _dispute(self, at: PlacedEntry, event: HandDisputed) -> None:
        """Open a dispute about a hand, or add to the open one."""
        seq = self._bind_hand(
            at, self._find_hand(at, lambda: self.find_named_hand(event)), captures_hand=False
        )
        self._get_open_dispute(seq).opened.append(at.entry)
        self.disputed.pop(seq, None)
        self.disputed[seq] = None

    def _propose(self, at: PlacedEntry, event: CorrectionProposed) -> None:
        """Record a proposal for a hand; it begins a dispute if none is open."""
        seq = self._bind_hand(
            at, self._find_hand(at, lambda: self.find_named_hand(event)), captures_hand=True
        )
        proposal = self.proposals[at.entry.seq] = Proposal(at.wording, at.entry, seq)
        self._get_open_dispute(seq).proposals.append(proposal)

    def _sign(self, at: PlacedEntry, event: ProposalSigned) -> None:
        """Record a signature under a proposal; it is ignored once the proposal is closed."""
        proposal = self._require_proposal(event.proposal)
        hand = self._find_hand(at, lambda: self.structure.hand_by_seq[proposal.hand])
        self._bind_hand(at, hand, captures_hand=False)
        self.first_placements.words.setdefault(at.wording, proposal.wording)
        if not proposal.closed:
            signature = Signature(at.wording, at.entry.seq, event.player)
            proposal.signed.append((signature, at.entry))

    def _decline(self, at: PlacedEntry, event: ProposalDeclined) -> None:
        """Record that a player declined a proposal, which closes it."""
        proposal = self._require_proposal(event.proposal)
        hand = self._find_hand(at, lambda: self.structure.hand_by_seq[proposal.hand])
        self._bind_hand(at, hand, captures_hand=False)
        if not proposal.closed:
            proposal.declined.append(at.entry)

    def _settle(self, at: PlacedEntry, event: DisputeSettled) -> None:
        """Record the ruling on a dispute, which closes all its proposals."""
        hand = self._find_hand(at, lambda: self._find_settled_hand(event))
        proposal = None if event.proposal is None else self._require_proposal(event.proposal)
        if proposal is not None and proposal.hand != hand.started.seq:
            words = "the proposal is about another hand"
            raise UnusableError(Cause(words, "of_another_hand"), field="data.proposal")
        seq = self._bind_hand(at, hand, captures_hand=True)
        dispute = self._get_open_dispute(seq)
        dispute.settled = at.entry
        for dispute_proposal in dispute.proposals:
            dispute_proposal.settled = at.wording
        self.disputed.pop(seq, None)

    def _find_settled_hand(self, event: DisputeSettled) -> HandRecord:
        """Return the hand that a ruling is about.

        It is the hand named, or that of the proposal, or the last one with an open dispute. Raises
        `UnusableError` if there is none.
        """
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
        """Return the proposal with this seq. Raises `UnusableError` if there is none."""
        proposal = self.proposals.get(seq)
        if proposal is None:
            cause = expected("the seq of a proposal", seq, "no_such_proposal")
            raise UnusableError(cause, field="data.proposal")
        return proposal

    def find_signers(self, proposal: Proposal) -> dict[str, Entry]:
        """Return the first signature of each player under the present words of a proposal.

        It does not matter here whether the hand has changed.
        """
        signers: dict[str, Entry] = {}
        for signature, entry in proposal.signed:
            if self.first_placements.words[signature.wording] == proposal.wording:
                signers.setdefault(signature.player, entry)
        return signers

    def find_open_proposal(self, hand: HandRecord) -> Proposal | None:
        """Return the last proposal about a hand that can be signed now, if there is one."""
        disputes = self.disputes_by_hand.get(hand.started.seq)
        open_proposals = (
            [proposal for proposal in disputes[-1].proposals if not proposal.closed]
            if disputes
            else []
        )
        return next(
            (proposal for proposal in reversed(open_proposals) if not self.is_void(proposal)), None
        )

    def is_void(self, proposal: Proposal) -> bool:
        """Return whether the hand changed after the proposal, before the ruling if there is one."""
        signed_hands = self.first_placements.signed_hands
        signed_hand, ruling = signed_hands.get(proposal.wording), proposal.settled
        now = ruling and (signed_hands.get((ruling[0], ruling[0])) or signed_hands.get(ruling))
        return signed_hand is not None and signed_hand != (
            now or capture_signed_hand(self.structure.hand_by_seq[proposal.hand])
        )

    def list_valid_signatures(self, proposal: Proposal) -> list[Entry]:
        """Return the signatures under a proposal that count; none if it is void."""
        return [] if self.is_void(proposal) else list(self.find_signers(proposal).values())


HAND_AGREEMENT_EVENTS: Final[frozenset[type[Event]]] = frozenset(Disputes._HANDLERS)  # noqa: SLF001  # whose table it is
