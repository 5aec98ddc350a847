"""Corrections as events, and the state of a session after them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.corrections import EventInserted, EventReplaced, EventStruck
from scorekeeper.events.disputes import Correction
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.log.sets import Corrects
from scorekeeper.play.scoring import Severity, add_up
from scorekeeper.repair.suggestion_views import SuggestionView
from scorekeeper.repair.trials import Candidate, Edit, Trial
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.report.views import EventView
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

MOST_ORDERS_TRIED: Final = 40  # beginnings of orders in which corrections can be appended


@dataclass(frozen=True, slots=True)
class TriedCandidate:
    """A candidate with the entries and the findings after it."""

    candidate: Candidate
    entries: Sequence[Entry]
    trial: Trial

    @property
    def rank(self) -> tuple[float, ...]:
        """Return a sort key: what is left, how unlikely, how many changes."""
        grave, slight = self.trial.wrong
        return (grave + self.trial.beside, slight, self.candidate.cost, len(self.candidate.edits))


class Scratch:
    """A session on which corrections are tried as they would be recorded, and then undone."""

    def __init__(self, session: Session) -> None:
        self.session = session

    def confirm(
        self, match: MatchRecord, hand: HandRecord, tried: TriedCandidate, before: Sequence[str]
    ) -> SuggestionView | None:
        """The suggestion of a candidate; None where no log with it can be used."""
        reason, edits = tried.candidate.reason, tried.candidate.edits
        inserted = self.session.corrections.inserted
        corrections = [event for edit in edits for event in of_edit(edit, reason, inserted)]
        encoded = [
            Correction(correction.TYPE, codec.encode(correction)) for correction in corrections
        ]
        try:
            outcome = self.session.try_corrections(
                encoded, lambda: self._outcome(match, hand, before)
            )
        except UnusableError:
            return None
        if set(outcome.leaves) - {*tried.trial.grave, *tried.trial.slight}:
            return None
        listed = [
            EventView(correction.type, correction.data)
            for correction in self._in_usable_order(encoded)
        ]
        return replace(outcome, corrections=listed)

    def _in_usable_order(self, corrections: Sequence[Correction]) -> Sequence[Correction]:
        """Return corrections in an order in which each can be appended alone.

        They stay as they are where that is such an order, or where none is found. Events that are
        inserted after the same entry keep their order, which is that of the record.
        """
        try_corrections: set[frozenset[int]] = set()

        def completed(order: tuple[int, ...]) -> tuple[int, ...] | None:
            left = [place for place in range(len(corrections)) if place not in order]
            if len(left) <= 1:  # all together can be used
                return (*order, *left)
            waiting: set[int] = set()
            for place in left:
                after = corrections[place].data.get("after")
                longer, chosen = (*order, place), frozenset((*order, place))
                if (
                    after in waiting
                    or chosen in try_corrections
                    or len(try_corrections) == MOST_ORDERS_TRIED
                ):
                    continue
                waiting |= {after} if after is not None else set()
                try_corrections.add(chosen)
                usable = self._is_usable([corrections[number] for number in longer])
                candidate = completed(longer) if usable else None
                if candidate is not None:
                    return candidate
            return None

        return [corrections[place] for place in completed(()) or range(len(corrections))]

    def _is_usable(self, corrections: Sequence[Correction]) -> bool:
        """Return whether the log can be used after some corrections."""
        try:
            return self.session.try_corrections(corrections, lambda: True)
        except UnusableError:
            return False

    def _outcome(
        self, match: MatchRecord, hand: HandRecord, before: Sequence[str]
    ) -> SuggestionView:
        """Return a suggestion without its corrections, as the session stands corrected."""
        there = self.session.structure.matches[match.number - 1]
        anew = there.hands[hand.number - 1]
        after = [
            finding.code
            for finding in list_hand_findings(there, anew)
            if finding.severity is not Severity.INFO
        ]
        lines = anew.deal.result.lines if there.is_complete(anew) else ()
        return SuggestionView(
            match=match.number,
            hand=hand.number,
            corrections=(),
            resolves=[
                code for code in dict.fromkeys(before) if after.count(code) < before.count(code)
            ],
            leaves=list(dict.fromkeys(after)),
            scores=add_up(lines, there.sides),
        )


# -------------------------------------------------------------------- from edits to events


def of_edit(edit: Edit, reason: str, inserted: Collection[int]) -> Iterator[Corrects]:
    """Yield the corrections for an edit; an inserted event is struck and inserted anew."""
    event = edit.event
    if event is None:
        yield EventStruck(edit.seq, reason)
        return
    data = codec.encode(event)
    if edit.insert or edit.seq in inserted:
        if not edit.insert:
            yield EventStruck(edit.seq, reason)
        yield EventInserted(edit.seq, event.TYPE, data, reason)
    else:
        yield EventReplaced(edit.seq, event.TYPE, data, reason)
