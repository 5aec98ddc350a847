"""Suggestions: which corrections would set a hand right, best first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Any, Final, NamedTuple

from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import TrickTaken
from scorekeeper.log import canonical, codec
from scorekeeper.play.scoring import Finding
from scorekeeper.repair.candidates import candidates, over_several
from scorekeeper.repair.likely_errors import COST
from scorekeeper.repair.outcomes import Scratch, Suggestion, TriedCandidate
from scorekeeper.repair.suspects import graves, scene_of
from scorekeeper.repair.trials import WRONG_DEALER, Bench, Candidate, Edit, Trial
from scorekeeper.report.findings import hand_findings
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

MOST: Final = 10  # suggestions for a hand
ENOUGH: Final = 2 * MOST  # corrections after which nothing is wrong; not all can be recorded
MOST_TRIED: Final = 1_100  # candidates of one event
PARTIAL: Final = 5  # of which a second event is sought,
MOST_SECOND: Final = 60  #   this many for each
EVERY: Final = 1_000  # findings, more than any hand has


class Searched(NamedTuple):
    """What was found, in how many of the hands that need it, and how many those are."""

    suggestions: list[Suggestion]
    hands: int
    of: int

    @property
    def whole(self) -> bool:
        """Whether all hands were searched to the end."""
        return self.hands == self.of

    def told(self) -> dict[str, Any]:
        """How far the search came, in JSON and in words."""
        told = {"hands": self.hands, "of": self.of}
        if self.whole:
            return told
        said = f"searched {self.hands} of {self.of} hands"
        return {**told, "said": f"{said}: ask for one" if self.of > 1 else f"{said} to the end"}


def suggestions(
    session: Session, match: int | None = None, hand: int | None = None
) -> list[Suggestion]:
    """The corrections that would set right each hand that needs it, best first.

    Of all hands, or those of one match, or with one number, by their numbers from 1.
    """
    return searched(session, match, hand).suggestions


def searched(
    session: Session, match: int | None = None, hand: int | None = None, seconds: float = inf
) -> Searched:
    """The same, as far as they are found in a given number of seconds.

    Of the hand that was searched when they were over there may be some of its suggestions.
    """
    end = monotonic() + seconds
    found: list[Suggestion] = []
    scratch = Scratch(session)
    wrong = [
        (one, record, grave)
        for one in session.structure.matches if match in (None, one.number)
        for record in one.hands if hand in (None, record.number)
        for grave in [_wrong(session, one, record)] if grave
    ]  # fmt: skip
    for place, one in enumerate(wrong):
        if monotonic() >= end:
            return Searched(found, place, len(wrong))
        found += _of_hand(scratch, *one, end)
        if monotonic() >= end:
            return Searched(found, place, len(wrong))
    return Searched(found, len(wrong), len(wrong))


def _wrong(session: Session, match: MatchRecord, hand: HandRecord) -> list[Finding]:
    """What a hand needs to be set right."""
    return graves(
        hand_findings(match, hand), disputed=hand.started.seq in session.structure.disputed
    )


def _of_hand(
    scratch: Scratch, match: MatchRecord, hand: HandRecord, before: Sequence[Finding], end: float
) -> Iterator[Suggestion]:
    told = 0
    for found in search(match, hand, before, end=end):
        suggestion = scratch.confirm(match, hand, found, [one.code for one in before])
        if suggestion is not None:
            yield suggestion
            told += 1
        if told == MOST or monotonic() >= end:
            return


# --------------------------------------------------------------------------------- search


def search(
    match: MatchRecord,
    hand: HandRecord,
    before: Sequence[Finding],
    *,
    end: float = inf,
) -> list[TriedCandidate]:
    """What makes less wrong with a hand: one mistake, or two where no single one suffices.

    As far as it is found before the clock (``time.monotonic``) stands at ``end``.
    """
    bench = Bench(match, hand, [finding.code for finding in before])
    base = TriedCandidate(Candidate(0, (), ""), hand.entries, bench.trial(hand))
    scene = scene_of(match, hand, before)
    found = [*_dealer_before(bench, base), *_tried(bench, base, over_several(scene), end)]
    found += _tried(bench, base, candidates(scene)[:MOST_TRIED], end)
    clean = [one for one in found if not one.trial.grave]
    if clean:
        return _each_once(clean)
    for partial in sorted(found, key=lambda one: one.rank)[:PARTIAL] or [base]:
        left = graves(hand_findings(match, partial.trial.hand))
        second = scene_of(match, partial.trial.hand, left)
        found += _tried(bench, partial, candidates(second)[:MOST_SECOND], end)
    clean = [one for one in found if not one.trial.grave]
    return _each_once(clean or found)


def _each_once(found: Iterable[TriedCandidate]) -> list[TriedCandidate]:
    """The best candidates first, and of those after which the record is the same only the best."""
    best: dict[bytes, TriedCandidate] = {}
    for one in sorted(found, key=lambda one: one.rank):
        start = one.trial.hand.started
        beyond = (edit.event for edit in one.candidate.edits if edit.seq < start.seq)
        events = [start.event, *(entry.event for entry in one.entries), *beyond]
        record = canonical.encode([[each.TYPE, codec.encode(each)] for each in events if each])
        best.setdefault(record, one)
    return list(best.values())


def _dealer_before(bench: Bench, base: TriedCandidate) -> Iterator[TriedCandidate]:
    """The dealer of the hand before corrected, where that is why this hand's seems wrong."""
    match, hand = bench.match, bench.hand
    if WRONG_DEALER not in base.trial.grave:
        return
    earlier = match.hands[hand.number - 2]
    dealer = match.seats[match.seats.index(hand.dealer) - 1]
    other = Bench(match, earlier)
    edit = Edit(earlier.started.seq, HandStarted(dealer))
    was = other.trial(earlier)
    trial = other.attempt(other.edited(earlier.entries, (edit,)), EVERY)
    if trial is not None and trial.wrong <= was.wrong and not trial.beside:
        grave = tuple(code for code in base.trial.grave if code != WRONG_DEALER)
        fewer = len(trial.grave) - len(was.grave)
        anew = replace(base.trial, grave=grave, beside=base.trial.beside + fewer)
        reason = "another player dealt the hand before"
        yield TriedCandidate(Candidate(COST["dealer before"], (edit,), reason), base.entries, anew)


def _tried(
    bench: Bench, base: TriedCandidate, some: Iterable[Candidate], end: float
) -> list[TriedCandidate]:
    """Those candidates after which less is wrong than in ``base``, best first."""
    most = max(bench.grave(base.trial.hand, EVERY), 1)
    taken = {edit.seq for edit in base.candidate.edits} | {0}
    found: dict[str, TriedCandidate] = {}
    clean = 0
    for one in some:
        if taken.isdisjoint(edit.seq for edit in one.edits):
            entries = bench.edited(base.entries, one.edits)
            trial = bench.attempt(entries, most)
            told = _told_as(one, base, trial) if trial else ""
            if trial is not None and trial.wrong < base.trial.wrong and told not in found:
                both = (*base.candidate.edits, *one.edits)
                reason = base.candidate.reason or one.reason
                cost = base.candidate.cost + one.cost
                found[told] = TriedCandidate(Candidate(cost, both, reason), entries, trial)
                clean += trial.wrong == (0, 0)
        # The next are less likely than that many others; or there is no more time.
        if clean == ENOUGH or monotonic() >= end:
            break
    return sorted(found.values(), key=lambda one: one.rank)


def _told_as(one: Candidate, base: TriedCandidate, trial: Trial) -> str:
    """What a candidate is told by.

    Strikes of the same words that come to the same are one, and so are moves of an entry.
    """
    first = one.edits[0]
    if first.event is not None or any(edit.event is None for edit in one.edits[1:]):
        return repr(one.edits)
    event = next(entry.event for entry in base.entries if entry.seq == first.seq)
    moved = [edit.event for edit in one.edits[1:]]
    if moved not in ([], [event]):
        return repr(one.edits)
    words = replace(event, trick=None) if isinstance(event, TrickTaken) else event
    return repr((words, moved, trial.wrong, trial.scores))
