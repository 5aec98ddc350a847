"""Suggestions: which corrections would set a hand right, best first."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from scorekeeper.repair.candidates import candidates
from scorekeeper.repair.confirming import Found, Scratch, Suggestion
from scorekeeper.repair.scene import graves, scene_of
from scorekeeper.repair.trying import Bench, Candidate
from scorekeeper.replay.audit import hand_findings
from scorekeeper.replay.records import HandRecord, MatchRecord
from scorekeeper.replay.session import Session
from scorekeeper.scoring import Finding

MOST: Final = 10  # suggestions for a hand
ENOUGH: Final = 2 * MOST  # corrections after which nothing is wrong; not all can be recorded
MOST_TRIED: Final = 1_100  # candidates of one event
PARTIAL: Final = 5  # of which a second event is sought,
MOST_SECOND: Final = 60  #   so many for each
EVERY: Final = 1_000  # findings, more than any hand has


def suggestions(
    session: Session, match: int | None = None, hand: int | None = None
) -> list[Suggestion]:
    """The corrections that would set right each hand that needs it, best first.

    Of all hands, or those of one match, or with one number, by their numbers from 1.
    """
    found: list[Suggestion] = []
    scratch = Scratch(session)
    for one in session.record.matches:
        for record in one.hands:
            if match in (None, one.number) and hand in (None, record.number):
                found += _of_hand(scratch, one, record)
    return found


def _of_hand(scratch: Scratch, match: MatchRecord, hand: HandRecord) -> Iterator[Suggestion]:
    disputed = hand.started.seq in scratch.session.record.disputed
    before = graves(hand_findings(match, hand), disputed=disputed)
    told = 0
    for found in search(match, hand, before, disputed=disputed) if before else ():
        suggestion = scratch.confirm(match, hand, found, [one.code for one in before])
        if suggestion is not None:
            yield suggestion
            told += 1
            if told == MOST:
                return


# --------------------------------------------------------------------------------- search


def search(
    match: MatchRecord, hand: HandRecord, before: Sequence[Finding], *, disputed: bool
) -> list[Found]:
    """What makes less wrong with a hand: of one event, or of two where no single one suffices."""
    bench = Bench(match, hand, [finding.code for finding in before])
    base = Found(Candidate(0, (), ""), hand.entries, bench.trial(hand))
    scene = scene_of(match, hand, before)
    found = _tried(bench, base, candidates(scene, disputed=disputed)[:MOST_TRIED])
    clean = [one for one in found if not one.trial.grave]
    if clean:
        return clean
    for partial in found[:PARTIAL] or [base]:
        left = graves(hand_findings(match, partial.trial.hand))
        second = scene_of(match, partial.trial.hand, left)
        found += _tried(bench, partial, candidates(second)[:MOST_SECOND])
    clean = [one for one in found if not one.trial.grave]
    return sorted(clean or found, key=lambda one: one.rank)


def _tried(bench: Bench, base: Found, some: Iterable[Candidate]) -> list[Found]:
    """Those candidates after which less is wrong than in ``base``, best first."""
    most = max(bench.grave(base.trial.hand, EVERY), 1)
    taken = {edit.seq for edit in base.candidate.edits} | {0}
    found: list[Found] = []
    clean = 0
    for one in some:
        if taken.isdisjoint(edit.seq for edit in one.edits):
            entries = bench.edited(base.entries, one.edits)
            trial = bench.attempt(entries, most)
            if trial is not None and trial.wrong < base.trial.wrong:
                both = (*base.candidate.edits, *one.edits)
                reason = base.candidate.reason or one.reason
                cost = base.candidate.cost + one.cost
                found.append(Found(Candidate(cost, both, reason), entries, trial))
                clean += trial.wrong == (0, 0)
        if clean == ENOUGH:  # the next are less likely than any of these
            break
    return sorted(found, key=lambda one: one.rank)
