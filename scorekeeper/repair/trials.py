"""A hand with other entries on trial: its findings and its score."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.common import HandStarted, PenaltyGiven
from scorekeeper.events.event import Entry, Event
from scorekeeper.play.scoring import SEVERITY, Finding, Severity, add_up
from scorekeeper.report.findings import has_moved_on, list_hand_findings
from scorekeeper.session.matches import HandRecord, MatchRecord

INCOMPLETE: Final = "incomplete"
OUT_OF_TIME: Final = "out_of_time"
WRONG_DEALER: Final = "wrong_dealer"
CORRECTED: Final = frozenset({INCOMPLETE, OUT_OF_TIME, WRONG_DEALER})  # warnings, as errors are


class Edit(NamedTuple):
    """One change of a hand's entries, at the entry with this seq.

    Without an event the entry is struck; ``insert`` puts the event right after it. The seq of
    hand_started is that of the hand's beginning.
    """

    seq: int
    event: Event | None = None
    insert: bool = False


class Candidate(NamedTuple):
    """A correction to try: how unlikely it is, its edits, and why in words."""

    cost: float
    edits: tuple[Edit, ...]
    reason: str


@dataclass(frozen=True, slots=True)
class Trial:
    """The findings and the score of a hand on trial.

    ``grave`` are the codes that a correction is sought for, ``slight`` those of warnings.
    ``beside`` is how many grave findings other hands of the match then have because of it, or
    with a minus how many fewer than they have.
    """

    hand: HandRecord
    grave: tuple[str, ...]
    slight: tuple[str, ...]
    scores: dict[str, ExactPoints]
    beside: int = 0

    @property
    def wrong(self) -> tuple[int, int]:
        """The number of grave and of slight findings."""
        return len(self.grave), len(self.slight)


def is_grave(finding: Finding) -> bool:
    """Return whether a finding asks for a correction by itself."""
    return finding.severity is Severity.ERROR or finding.code in CORRECTED


class Bench:
    """A replay of one hand with other entries; ``suspects`` are the codes checked first."""

    def __init__(self, match: MatchRecord, hand: HandRecord, suspects: Iterable[str] = ()) -> None:
        self.match = match
        self.hand = hand
        first = set(suspects)
        checks = [
            check for check in match.game.checks
            if SEVERITY[check.code] is Severity.ERROR or check.code in CORRECTED
        ]  # fmt: skip
        self.checks = sorted(checks, key=lambda check: check.code not in first)
        tricks = hand.deal.tricks
        going_on = max(tricks.numbered, default=0) < tricks.total
        self.open = going_on and not (has_moved_on(match, hand) or match.is_complete(hand))

    def edited(self, entries: Iterable[Entry], edits: Iterable[Edit]) -> list[Entry]:
        """Return the entries after some edits; inserted ones have the seq 0."""
        by_seq: dict[int, list[Edit]] = {}
        for edit in edits:
            by_seq.setdefault(edit.seq, []).append(edit)
        anew: list[Entry] = []
        for entry in (self.hand.started, *entries):
            kept: Entry | None = entry
            inserted = []
            for edit in by_seq.get(entry.seq, ()):
                if edit.insert and edit.event is not None:
                    inserted.append(Entry(0, edit.event))
                else:
                    kept = replace(entry, event=edit.event) if edit.event else None
            anew += [kept, *inserted] if kept else inserted
        return anew[1:] if anew[0] is self.hand.started else anew

    def write(self, entries: Iterable[Entry]) -> HandRecord:
        """Return the hand with these entries.

        Raises `UnusableError`.
        """
        anew = self.hand.make_blank_copy()
        for entry in entries:
            if isinstance(entry.event, HandStarted):
                anew = HandRecord(self.match, self.hand.number, entry, entry.event.dealer)
            elif isinstance(entry.event, PenaltyGiven):
                anew.penalize(entry, entry.event, new=False)
            else:
                anew.add(entry)
        return anew

    def grave(self, hand: HandRecord, most: int) -> int:
        """Count the grave findings of a hand, up to ``most``."""
        complete = self.match.is_complete(hand) or hand.deal.result.abandoned
        grave_findings = {(INCOMPLETE, 0)} if not complete and not self.open else set()
        if not self._may_deal(hand):
            grave_findings.add((WRONG_DEALER, 0))
        for check in self.checks:
            for sight in check.look(hand.deal):
                grave_findings.add((check.code, sight.events[0] if sight.events else 0))
                if len(grave_findings) >= most:
                    return most
        return len(grave_findings)

    def trial(self, hand: HandRecord) -> Trial:
        """Return the codes of the grave and of the slight findings of a hand, and its score.

        A hand that is still being played does not count as incomplete.
        """
        findings = list(list_hand_findings(self.match, hand))
        if self.open:
            findings = [finding for finding in findings if finding.code != INCOMPLETE]
        grave = tuple(finding.code for finding in findings if is_grave(finding))
        slight = tuple(
            finding.code
            for finding in findings
            if finding.severity is Severity.WARNING and not is_grave(finding)
        )
        lines = hand.deal.result.lines if self.match.is_complete(hand) else ()
        return Trial(
            hand, grave, slight, add_up(lines, self.match.sides), self._out_of_turn_after(hand)
        )

    def _may_deal(self, hand: HandRecord) -> bool:
        """Return whether the dealer of a hand may deal after the hand before it."""
        before = self.match.hands[hand.number - 2] if hand.number > 1 else None
        return hand.dealer in self.match.list_allowed_dealers(before)

    def _out_of_turn_after(self, hand: HandRecord) -> bool:
        """Return whether the dealer of the next hand may not deal after this hand."""
        later = self.match.hands[hand.number : hand.number + 1]
        return any(
            later_hand.dealer not in self.match.list_allowed_dealers(hand) for later_hand in later
        )

    def attempt(self, entries: Iterable[Entry], most: int) -> Trial | None:
        """Return a trial of entries; None if unusable, or with ``most`` grave findings."""
        try:
            hand = self.write(entries)
        except UnusableError:
            return None
        return self.trial(hand) if self.grave(hand, most) < most else None
