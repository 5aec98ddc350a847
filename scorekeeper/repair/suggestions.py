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
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

MOST: Final = 10  # suggestions for a hand
ENOUGH: Final = 2 * MOST  # corrections after which nothing is wrong; not all can be recorded
MOST_TRIED: Final = 1_100  # candidates of one event
PARTIAL: Final = 5  # of which a second event is sought,
MOST_SECOND: Final = 60  #   this many for each
SECONDS_OF_HAND: Final = 2.0  # for which the search in a hand may go on,
FIRST: Final = 3  #   beside the first suggestions, which are confirmed even then
EVERY: Final = 1_000  # findings, more than any hand has


class SearchLimit:
    """The time that a search may take, and how far it came.

    ``tried`` counts the corrections that were tried, ``untried`` those that were not. ``whole``
    is whether no search in a hand was ended by its time.
    """

    def __init__(self, seconds: float, seconds_of_hand: float) -> None:
        self.end = monotonic() + seconds
        self.seconds_of_hand = seconds_of_hand
        self.end_of_hand = self.end
        self.tried = 0
        self.untried = 0
        self.whole = True

    def begin_hand(self) -> None:
        """Start the time of the next hand, which ends with that of the whole search."""
        self.end_of_hand = min(monotonic() + self.seconds_of_hand, self.end)

    def is_over(self) -> bool:
        """Return whether the time for this hand is over; then the search is not whole."""
        over = monotonic() >= self.end_of_hand
        self.whole = self.whole and not over
        return over


class Searched(NamedTuple):
    """The suggestions, in how many of the hands that need them the search came to its end.

    ``tried`` and ``untried`` are the corrections that were tried, and those that were not.
    """

    suggestions: list[Suggestion]
    hands: int
    of: int
    tried: int
    untried: int

    @property
    def whole(self) -> bool:
        """Whether all hands were searched to the end."""
        return self.hands == self.of

    def told(self) -> dict[str, Any]:
        """Return how far the search came, as JSON and in words."""
        counts = {"hands": self.hands, "of": self.of, "tried": self.tried, "untried": self.untried}
        return counts if self.whole else {**counts, "said": self.in_words()}

    def in_words(self) -> str:
        """Return how far a search came that did not come to its end."""
        text = f"searched {self.hands} of {self.of} hands"
        text += ": ask for one" if self.of > 1 else " to the end"
        return f"{text}; corrections tried: {self.tried}, not tried: {self.untried}"


def suggestions(
    session: Session, match: int | None = None, hand: int | None = None
) -> list[Suggestion]:
    """Return the corrections that would set right each hand that needs it, best first.

    Of all hands, or those of one match, or with one number, by their numbers from 1. The search
    takes as long as it needs.
    """
    return searched(session, match, hand, seconds_of_hand=inf).suggestions


def searched(
    session: Session,
    match: int | None = None,
    hand: int | None = None,
    seconds: float = inf,
    *,
    seconds_of_hand: float = SECONDS_OF_HAND,
) -> Searched:
    """Return the suggestions that are found in time: in all, and for each hand.

    For a hand whose time was over there may be some of its suggestions.
    """
    limit = SearchLimit(seconds, seconds_of_hand)
    found: list[Suggestion] = []
    scratch = Scratch(session)
    wrong = [
        (one, record, grave)
        for one in session.structure.matches if match in (None, one.number)
        for record in one.hands if hand in (None, record.number)
        for grave in [_wrong(session, one, record)] if grave
    ]  # fmt: skip
    hands = 0
    for one in wrong:
        limit.begin_hand()
        limit.whole = True
        if limit.is_over():
            break
        found += _of_hand(scratch, *one, limit)
        hands += limit.whole
    return Searched(found, hands, len(wrong), limit.tried, limit.untried)


def _wrong(session: Session, match: MatchRecord, hand: HandRecord) -> list[Finding]:
    """What a hand needs to be set right."""
    return graves(
        list_hand_findings(match, hand), disputed=hand.started.seq in session.structure.disputed
    )


def _of_hand(
    scratch: Scratch,
    match: MatchRecord,
    hand: HandRecord,
    before: Sequence[Finding],
    limit: SearchLimit,
) -> Iterator[Suggestion]:
    told = 0
    for found in search(match, hand, before, limit):
        suggestion = scratch.confirm(match, hand, found, [one.code for one in before])
        if suggestion is not None:
            yield suggestion
            told += 1
        if told == MOST or (told >= FIRST and limit.is_over()):
            return


# --------------------------------------------------------------------------------- search


def search(
    match: MatchRecord,
    hand: HandRecord,
    before: Sequence[Finding],
    limit: SearchLimit,
) -> list[TriedCandidate]:
    """What makes less wrong with a hand: one mistake, or two where no single one suffices.

    As far as it is found in time.
    """
    bench = Bench(match, hand, [finding.code for finding in before])
    base = TriedCandidate(Candidate(0, (), ""), hand.entries, bench.trial(hand))
    scene = scene_of(match, hand, before)
    several = over_several(scene)
    found = [*_dealer_before(bench, base), *_tried(bench, base, several, len(several), limit)]
    found += _tried(bench, base, candidates(scene), MOST_TRIED, limit)
    clean = [one for one in found if not one.trial.grave]
    if clean:
        return _each_once(clean)
    for partial in sorted(found, key=lambda one: one.rank)[:PARTIAL] or [base]:
        left = graves(list_hand_findings(match, partial.trial.hand))
        second = scene_of(match, partial.trial.hand, left)
        found += _tried(bench, partial, candidates(second), MOST_SECOND, limit)
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
    bench: Bench, base: TriedCandidate, some: Sequence[Candidate], first: int, limit: SearchLimit
) -> list[TriedCandidate]:
    """Those of the ``first`` candidates after which less is wrong than in ``base``, best first."""
    most = max(bench.grave(base.trial.hand, EVERY), 1)
    taken = {edit.seq for edit in base.candidate.edits} | {0}
    found: dict[str, TriedCandidate] = {}
    clean = tried = 0
    for one in some[:first]:
        # The next are less likely than that many others; or there is no more time.
        if clean == ENOUGH or limit.is_over():
            break
        tried += 1
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
    limit.tried += tried
    limit.untried += len(some) - tried
    return sorted(found.values(), key=lambda one: one.rank)


def _told_as(one: Candidate, base: TriedCandidate, trial: Trial) -> str:
    """What a candidate is told by.

    Strikes of the same words that come to the same are one, and so are moves of an entry, and
    winners of tricks that come in at other places.
    """
    first = one.edits[0]
    winners = [edit.event for edit in one.edits if isinstance(edit.event, TrickTaken)]
    if len(winners) == len(one.edits) and all(edit.insert for edit in one.edits):
        return repr((replace(winners[-1], trick=None), trial.wrong, trial.scores))
    if first.event is not None or any(edit.event is None for edit in one.edits[1:]):
        return repr(one.edits)
    event = next(entry.event for entry in base.entries if entry.seq == first.seq)
    moved = [edit.event for edit in one.edits[1:]]
    if moved not in ([], [event]):
        return repr(one.edits)
    words = replace(event, trick=None) if isinstance(event, TrickTaken) else event
    return repr((words, moved, trial.wrong, trial.scores))
