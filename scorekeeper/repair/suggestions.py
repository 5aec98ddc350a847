"""Search for the corrections after which a hand agrees with itself, best first."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from math import inf
from time import monotonic
from typing import Final, NamedTuple

from scorekeeper.base.views import declared_fields
from scorekeeper.events.common import HandStarted
from scorekeeper.events.playing import PLAY, TrickTaken
from scorekeeper.log import canonical, codec
from scorekeeper.play.scoring import Finding
from scorekeeper.repair.candidates import candidates, candidates_over_several_events
from scorekeeper.repair.likely_errors import COST
from scorekeeper.repair.outcomes import Scratch, TriedCandidate
from scorekeeper.repair.suggestion_views import AuditedView, SearchedView, SuggestionView
from scorekeeper.repair.suspects import find_suspects, findings_to_correct
from scorekeeper.repair.trials import WRONG_DEALER, Bench, Candidate, Edit, Trial
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.report.views import ReportView
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

MOST_SUGGESTIONS: Final = 10  # for a hand
MOST_CLEAN: Final = 2 * MOST_SUGGESTIONS  # candidates without findings; not all can be recorded
MOST_TRIED: Final = 1_100  # candidates that change one event
PARTIAL: Final = 5  # best candidates to which a second mistake is added,
MOST_SECOND: Final = 60  #   and how many second mistakes are tried for each
SECONDS_OF_HAND: Final = 2.0  # limit on the search in one hand
FIRST_SUGGESTIONS: Final = 3  # that are confirmed even when the time is over
ALL_FINDINGS: Final = 1_000  # findings, more than any hand has


class SearchLimit:
    """The time limit of a search, and its progress.

    ``tried`` counts the corrections that were tried, ``untried`` those that were not. ``whole``
    is false if the time ended the search in the present hand.
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
    """The suggestions that a search found, and its extent."""

    suggestions: list[SuggestionView]
    extent: SearchedView

    def add_to(self, report: ReportView) -> AuditedView:
        """Return a report with the suggestions and the extent of the search."""
        members = {field.name: getattr(report, field.name) for field in declared_fields(ReportView)}
        return AuditedView(**members, suggestions=self.suggestions, searched=self.extent)


def suggestions(
    session: Session, match: int | None = None, hand: int | None = None
) -> list[SuggestionView]:
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
    found_suggestions: list[SuggestionView] = []
    scratch = Scratch(session)
    wrong = [
        (match_record, record, grave)
        for match_record in session.structure.matches if match in (None, match_record.number)
        for record in match_record.hands if hand in (None, record.number)
        for grave in [_findings_of(session, match_record, record)] if grave
    ]  # fmt: skip
    hands = 0
    for faulty_hand in wrong:
        limit.begin_hand()
        limit.whole = True
        if limit.is_over():
            break
        found_suggestions += _of_hand(scratch, *faulty_hand, limit)
        hands += limit.whole
    return Searched(found_suggestions, _view_extent(limit, hands, len(wrong)))


def _view_extent(limit: SearchLimit, hands: int, of: int) -> SearchedView:
    """Return the extent of a search, with a sentence if fewer ``hands`` than all were searched."""
    if hands == of:
        return SearchedView(hands, of, limit.tried, limit.untried)
    text = f"searched {hands} of {of} hands{': ask for one' if of > 1 else ' to the end'}"
    said = f"{text}; corrections tried: {limit.tried}, not tried: {limit.untried}"
    return SearchedView(hands, of, limit.tried, limit.untried, said)


def _findings_of(session: Session, match: MatchRecord, hand: HandRecord) -> list[Finding]:
    """Return the findings of a hand that ask for a correction."""
    return findings_to_correct(
        list_hand_findings(match, hand), disputed=hand.started.seq in session.structure.disputed
    )


def _of_hand(
    scratch: Scratch,
    match: MatchRecord,
    hand: HandRecord,
    before: Sequence[Finding],
    limit: SearchLimit,
) -> Iterator[SuggestionView]:
    confirmed = 0
    for tried in search(match, hand, before, limit):
        suggestion = scratch.confirm(match, hand, tried, [finding.code for finding in before])
        if suggestion is not None:
            yield suggestion
            confirmed += 1
        if confirmed == MOST_SUGGESTIONS or (confirmed >= FIRST_SUGGESTIONS and limit.is_over()):
            return


# --------------------------------------------------------------------------------- search


def search(
    match: MatchRecord,
    hand: HandRecord,
    before: Sequence[Finding],
    limit: SearchLimit,
) -> list[TriedCandidate]:
    """Return the candidates that leave fewer findings, best first, as far as time allows.

    Each undoes one mistake, or two if no single one leaves the hand without findings.
    """
    bench = Bench(match, hand, [finding.code for finding in before])
    base = TriedCandidate(Candidate(0, (), ""), hand.entries, bench.trial(hand))
    scene = find_suspects(match, hand, before)
    several = candidates_over_several_events(scene)
    tried_candidates = [
        *_dealer_before(bench, base),
        *_tried(bench, base, several, len(several), limit),
    ]
    tried_candidates += _tried(bench, base, candidates(scene), MOST_TRIED, limit)
    clean = [attempt for attempt in tried_candidates if not attempt.trial.grave]
    if clean:
        return _without_duplicates(clean)
    for partial in sorted(tried_candidates, key=lambda attempt: attempt.rank)[:PARTIAL] or [base]:
        left = findings_to_correct(list_hand_findings(match, partial.trial.hand))
        second = find_suspects(match, partial.trial.hand, left)
        tried_candidates += _tried(bench, partial, candidates(second), MOST_SECOND, limit)
    clean = [attempt for attempt in tried_candidates if not attempt.trial.grave]
    return _without_duplicates(clean or tried_candidates)


def _without_duplicates(attempts: Iterable[TriedCandidate]) -> list[TriedCandidate]:
    """Sort candidates, best first; of those that make the same record keep the best."""
    best: dict[bytes, TriedCandidate] = {}
    for attempt in _different_scores_first(sorted(attempts, key=lambda attempt: attempt.rank)):
        start = attempt.trial.hand.started
        beyond = (edit.event for edit in attempt.candidate.edits if edit.seq < start.seq)
        events = [start.event, *(entry.event for entry in attempt.entries), *beyond]
        record = canonical.encode([[each.TYPE, codec.encode(each)] for each in events if each])
        best.setdefault(record, attempt)
    return list(best.values())


def _different_scores_first(attempts: Iterable[TriedCandidate]) -> list[TriedCandidate]:
    """Move back candidates that insert the same with other figures, if the score is the same.

    Their order, best first, is kept otherwise.
    """
    known: set[str] = set()
    first: list[TriedCandidate] = []
    later: list[TriedCandidate] = []
    for attempt in attempts:
        edit, *others = attempt.candidate.edits
        if others or not edit.insert or edit.event is None or isinstance(edit.event, PLAY):
            first.append(attempt)
            continue
        data = {
            name: int if isinstance(value, int) else value
            for name, value in codec.encode(edit.event).items()
        }
        key = repr((edit.seq, edit.event.TYPE, data, attempt.trial.wrong, attempt.trial.scores))
        (later if key in known else first).append(attempt)
        known.add(key)
    return sorted([*first, *later], key=lambda attempt: attempt.rank[:2])


def _dealer_before(bench: Bench, base: TriedCandidate) -> Iterator[TriedCandidate]:
    """Yield another dealer of the hand before, if this hand's dealer is then in turn."""
    match, hand = bench.match, bench.hand
    if WRONG_DEALER not in base.trial.grave:
        return
    earlier = match.hands[hand.number - 2]
    dealer = match.seats[match.seats.index(hand.dealer) - 1]
    other = Bench(match, earlier)
    edit = Edit(earlier.started.seq, HandStarted(dealer))
    was = other.trial(earlier)
    trial = other.attempt(other.edited(earlier.entries, (edit,)), ALL_FINDINGS)
    if trial is not None and trial.wrong <= was.wrong and not trial.beside:
        grave = tuple(code for code in base.trial.grave if code != WRONG_DEALER)
        fewer = len(trial.grave) - len(was.grave)
        anew = replace(base.trial, grave=grave, beside=base.trial.beside + fewer)
        reason = "another player dealt the hand before"
        yield TriedCandidate(Candidate(COST["dealer before"], (edit,), reason), base.entries, anew)


def _tried(
    bench: Bench, base: TriedCandidate, some: Sequence[Candidate], first: int, limit: SearchLimit
) -> list[TriedCandidate]:
    """Try the ``first`` candidates; return those that improve on ``base``, best first."""
    most = max(bench.grave(base.trial.hand, ALL_FINDINGS), 1)
    taken = {edit.seq for edit in base.candidate.edits} | {0}
    tried_by_key: dict[str, TriedCandidate] = {}
    clean = tried = 0
    for candidate in some[:first]:
        # The next are less likely than that many others; or there is no more time.
        if clean == MOST_CLEAN or limit.is_over():
            break
        tried += 1
        if taken.isdisjoint(edit.seq for edit in candidate.edits):
            entries = bench.edited(base.entries, candidate.edits)
            trial = bench.attempt(entries, most)
            key = _comparison_key(candidate, base, trial) if trial else ""
            if trial is not None and trial.wrong < base.trial.wrong and key not in tried_by_key:
                both = (*base.candidate.edits, *candidate.edits)
                reason = base.candidate.reason or candidate.reason
                cost = base.candidate.cost + candidate.cost
                tried_by_key[key] = TriedCandidate(Candidate(cost, both, reason), entries, trial)
                clean += trial.wrong == (0, 0)
    limit.tried += tried
    limit.untried += len(some) - tried
    return sorted(tried_by_key.values(), key=lambda attempt: attempt.rank)


def _comparison_key(candidate: Candidate, base: TriedCandidate, trial: Trial) -> str:
    """Return a key that is equal for candidates of which one is enough.

    These are strikes of equal events with the same result, moves of an entry with the same
    result, and winners of tricks that are inserted at different places with the same result.
    """
    first = candidate.edits[0]
    winners = [edit.event for edit in candidate.edits if isinstance(edit.event, TrickTaken)]
    if len(winners) == len(candidate.edits) and all(edit.insert for edit in candidate.edits):
        return repr((replace(winners[-1], trick=None), trial.wrong, trial.scores))
    if first.event is not None or any(edit.event is None for edit in candidate.edits[1:]):
        return repr(candidate.edits)
    event = next(entry.event for entry in base.entries if entry.seq == first.seq)
    moved = [edit.event for edit in candidate.edits[1:]]
    if moved not in ([], [event]):
        return repr(candidate.edits)
    words = replace(event, trick=None) if isinstance(event, TrickTaken) else event
    return repr((words, moved, trial.wrong, trial.scores))
