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
from scorekeeper.session.signatures import At, Signature, Signed, Wording, as_it_stands, holds


class Hands(Protocol):
    """The matches and hands that something is said of, as far as they are there by now.

    ``work`` is told how much work was done, and refuses to do too much.
    """

    hand_at: dict[int, HandRecord]  # by the seq of their hand_started
    matches: list[MatchRecord]
    work: Callable[[int], None]

    @property
    def match(self) -> MatchRecord:
        """The match at hand.

        Raises `UnusableError` if there is none.
        """


@dataclass(slots=True)
class FirstPlaced:
    """What entries were about when they were first placed: corrections do not change that.

    ``hands`` has the seq of a hand_started, ``words`` which words of a proposal were signed, and
    ``stood`` hands as they stood, which all that place a session anew have in common.
    """

    hands: dict[Wording, int] = field(default_factory=dict)
    words: dict[Wording, Wording] = field(default_factory=dict)
    stood: dict[Wording, Signed] = field(default_factory=dict)

    def copy(self) -> "FirstPlaced":
        """The same, to be gone on with apart."""
        return FirstPlaced(dict(self.hands), dict(self.words), self.stood)

    def forget_all_but(self, entries: Container[int]) -> None:
        """Forget how hands stood for entries that are no longer recorded."""
        for wording in [one for one in self.stood if not (one[0] in entries and one[1] in entries)]:
            del self.stood[wording]

    def forget(self, key: int) -> None:
        """Forget the entry with this key, which was refused."""
        self.hands.pop((key, key), None)
        self.words.pop((key, key), None)


@dataclass(slots=True)
class Proposal:
    """Corrections of a hand, known by its seq, and who agreed to them before it was closed."""

    said: Wording
    entry: Entry
    hand: int
    signed: list[tuple[Signature, Entry]] = field(default_factory=list)
    declined: list[Entry] = field(default_factory=list)
    settled: Wording | None = None

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

    def __init__(self, record: Hands, bound: FirstPlaced | None) -> None:
        self.structure = record
        self.bound = bound.copy() if bound else FirstPlaced()
        self.signatures: dict[int, list[Signature]] = {}
        self.unsigned: list[tuple[Wording, int]] = []  # new ones that need the hand as it stands
        self.courses: dict[int, list[Dispute]] = {}
        self.disputed: dict[int, None] = {}  # hands with an open dispute, the last last
        self.proposals: dict[int, Proposal] = {}  # by their seqs

    def copy(self) -> "Disputes":
        """Return a copy that can be changed without a change of this one."""
        copied = Disputes(self.structure, self.bound)
        copied.signatures = {hand: list(given) for hand, given in self.signatures.items()}
        copied.unsigned, copied.disputed = list(self.unsigned), dict(self.disputed)
        copied.proposals = {seq: proposal.copy() for seq, proposal in self.proposals.items()}
        copied.courses = {
            hand: [dispute.copy(copied.proposals) for dispute in disputes]
            for hand, disputes in self.courses.items()
        }
        return copied

    def place(self, at: At) -> None:
        """Put an entry that is about a hand at the end."""
        self._PLACES[type(at.entry.event)](self, at, at.entry.event)

    def remember(self) -> None:
        """Keep the hands that something new was said of as they stand now."""
        for said, hand in self.unsigned:
            self.bound.stood[said] = as_it_stands(self.structure.hand_at[hand])
        self.unsigned.clear()

    def stands(self, signature: Signature, hand: HandRecord, inserted: set[int]) -> bool:
        """Return whether a hand still stands as it was signed; so it does where that is new."""
        signed = self.bound.stood.get(signature.said)
        return signed is None or holds(signature, signed, hand, inserted)

    def _about(self, at: At, find: Callable[[], HandRecord]) -> HandRecord:
        """The hand that an entry was about when it was first placed."""
        seq = self.bound.hands.get(at.said)
        hand = find() if seq is None else self.structure.hand_at.get(seq)
        if hand is None:
            raise UnusableError(Cause("the hand that it is about is no longer there", "hand_gone"))
        refuse_unknown(at.entry.event, hand.match.scope)
        return hand

    def _bind(self, at: At, hand: HandRecord, *, stood: bool) -> int:
        """Note which hand an entry is about, and how that ``stood``; the seq of the hand."""
        seq = hand.started.seq
        if stood and at.said not in self.bound.hands:
            self.structure.work(hand.cost)
            self.unsigned.append((at.said, seq))
        self.bound.hands[at.said] = seq
        return seq

    def named(self, event: HandDisputed | CorrectionProposed | DisputeSettled) -> HandRecord:
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

    def _course(self, hand: int) -> Dispute:
        """The dispute about a hand that is not settled yet, begun where there is none."""
        courses = self.courses.setdefault(hand, [])
        if not courses or courses[-1].settled is not None:
            courses.append(Dispute())
        return courses[-1]

    # ---------------------------------------------------------------------- what can be said

    def _confirm(self, at: At, event: HandConfirmed) -> None:
        hand = self._about(at, lambda: self._last_complete(self.structure.match, "type"))
        seq = self._bind(at, hand, stood=True)
        signature = Signature(at.said, at.entry.seq, event.player)
        self.signatures.setdefault(seq, []).append(signature)

    def _dispute(self, at: At, event: HandDisputed) -> None:
        seq = self._bind(at, self._about(at, lambda: self.named(event)), stood=False)
        self._course(seq).opened.append(at.entry)
        self.disputed.pop(seq, None)
        self.disputed[seq] = None

    def _propose(self, at: At, event: CorrectionProposed) -> None:
        seq = self._bind(at, self._about(at, lambda: self.named(event)), stood=True)
        proposal = self.proposals[at.entry.seq] = Proposal(at.said, at.entry, seq)
        self._course(seq).proposals.append(proposal)

    def _sign(self, at: At, event: ProposalSigned) -> None:
        proposal = self._proposal(event.proposal)
        hand = self._about(at, lambda: self.structure.hand_at[proposal.hand])
        self._bind(at, hand, stood=False)
        self.bound.words.setdefault(at.said, proposal.said)
        if not proposal.closed:
            signature = Signature(at.said, at.entry.seq, event.player)
            proposal.signed.append((signature, at.entry))

    def _decline(self, at: At, event: ProposalDeclined) -> None:
        proposal = self._proposal(event.proposal)
        hand = self._about(at, lambda: self.structure.hand_at[proposal.hand])
        self._bind(at, hand, stood=False)
        if not proposal.closed:
            proposal.declined.append(at.entry)

    def _settle(self, at: At, event: DisputeSettled) -> None:
        hand = self._about(at, lambda: self._settled_hand(event))
        named = None if event.proposal is None else self._proposal(event.proposal)
        if named is not None and named.hand != hand.started.seq:
            words = "the proposal is about another hand"
            raise UnusableError(Cause(words, "of_another_hand"), field="data.proposal")
        seq = self._bind(at, hand, stood=True)
        course = self._course(seq)
        course.settled = at.entry
        for proposal in course.proposals:
            proposal.settled = at.said
        self.disputed.pop(seq, None)

    def _settled_hand(self, event: DisputeSettled) -> HandRecord:
        """The hand named, or the one of the proposal, or the one disputed last and still open."""
        if event.hand is not None or event.match is not None:
            return self.named(event)
        if event.proposal is not None:
            return self.structure.hand_at[self._proposal(event.proposal).hand]
        if self.disputed:
            return self.structure.hand_at[next(reversed(self.disputed))]
        raise UnusableError(Cause("no dispute is open", "no_dispute"), field="type")

    _PLACES: ClassVar[dict[type[Event], Callable[[Any, At, Any], None]]] = {
        HandConfirmed: _confirm,
        HandDisputed: _dispute,
        CorrectionProposed: _propose,
        ProposalSigned: _sign,
        ProposalDeclined: _decline,
        DisputeSettled: _settle,
    }

    # ------------------------------------------------------------------------------ proposals

    def _proposal(self, seq: int) -> Proposal:
        proposal = self.proposals.get(seq)
        if proposal is None:
            cause = expected("the seq of a proposal", seq, "no_such_proposal")
            raise UnusableError(cause, field="data.proposal")
        return proposal

    def signers(self, proposal: Proposal) -> dict[str, Entry]:
        """Who signed a proposal as it reads now, whether the hand has changed or not.

        Each by his first signature: a second one adds nothing.
        """
        found: dict[str, Entry] = {}
        for signature, entry in proposal.signed:
            if self.bound.words[signature.said] == proposal.said:
                found.setdefault(signature.player, entry)
        return found

    def open_proposal(self, hand: HandRecord) -> Proposal | None:
        """The proposal about a hand that can be signed now, the last of several."""
        courses = self.courses.get(hand.started.seq)
        still = [one for one in courses[-1].proposals if not one.closed] if courses else []
        return next((one for one in reversed(still) if not self.void(one)), None)

    def void(self, proposal: Proposal) -> bool:
        """Whether the hand was changed after the proposal and before the ruling, or until now."""
        stood = self.bound.stood
        then, ruling = stood.get(proposal.said), proposal.settled
        now = ruling and (stood.get((ruling[0], ruling[0])) or stood.get(ruling))
        return then is not None and then != (
            now or as_it_stands(self.structure.hand_at[proposal.hand])
        )

    def counting(self, proposal: Proposal) -> list[Entry]:
        """The entries by which a proposal is signed, as far as they count."""
        return [] if self.void(proposal) else list(self.signers(proposal).values())


ABOUT_A_HAND: Final[frozenset[type[Event]]] = frozenset(Disputes._PLACES)  # noqa: SLF001  # whose table it is
