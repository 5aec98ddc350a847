"""The verdict on a record with a fault: whether the audit finds it, and the suggestions."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Final

from benchmarks.faults.alterations import Fault
from benchmarks.faults.contents import same_words, words
from benchmarks.faults.hands import alarms, scored
from benchmarks.faults.rivals import ENOUGH, likely_rivals, rivals_of_kind
from benchmarks.faults.unknowable import why_unknowable
from scorekeeper.base.errors import UnusableError
from scorekeeper.repair import suggestions
from scorekeeper.repair.suggestion_views import SuggestionView
from scorekeeper.repair.trials import is_grave
from scorekeeper.report.what_if import suppose
from scorekeeper.session.session import Session
from tests.repair.scenes import list_proposed

FIRST: Final = 3  # suggestions that a person reads


@dataclass(frozen=True)
class Audited:
    """The result of the audit for a fault.

    ``result`` is ``refused`` where the log cannot be used, ``found``, ``unknowable`` or
    ``unfound``; ``why`` says why no record can know it. Where the fault is found there should be
    no such reason: that one holds all the same shows how much the reasons would hide.
    """

    fault: Fault
    result: str
    why: str = ""
    asks: bool = False  # for corrections: most warnings do not


@dataclass(frozen=True)
class Searched:
    """The suggestions for a fault.

    ``exact`` is the place of the true correction from 1, ``right_score`` that of the first
    suggestion that gives the true score; 0 where it is not among the first. ``undecided`` says
    that the same kind of fault makes this record of three other hands or more, so that the truth
    is among the first only by luck. ``explained`` says of a miss that three other faults or more
    are as likely, of any kind. ``seconds`` are of the processor.
    """

    fault: Fault
    exact: int
    right_score: int
    undecided: bool
    explained: bool
    seconds: float
    offered: Sequence[SuggestionView] = field(default_factory=list, repr=False)


def audited(fault: Fault) -> Audited:
    """Return the result of the audit for a fault."""
    try:
        session = fault.hand.session(fault.record)
        found_alarms = alarms(session)
    except UnusableError:
        return Audited(fault, "refused")
    why = why_unknowable(fault, session)
    if found_alarms:
        return Audited(fault, "found", why, any(map(is_grave, found_alarms)))
    return Audited(fault, "unknowable" if why else "unfound", why)


def searched(fault: Fault, *, times: int = FIRST) -> Searched:
    """Return the suggestions for a fault that the audit finds."""
    hand = fault.hand
    session = hand.session(fault.record)
    begun = time.process_time()
    offered = suggestions(session)
    seconds = time.process_time() - begun
    exact = right_score = 0
    first = [
        suggestion
        for _, of_hand in groupby(offered, key=lambda suggestion: suggestion.hand)
        for suggestion in list(of_hand)[:times]
    ]
    for place, suggestion in enumerate(first, 1):
        corrected = suppose(session, corrections=list_proposed(suggestion))
        if not right_score and scored(corrected) == hand.scores:
            right_score = place
        if not exact and says_the_same(fault, corrected):
            exact = place
    of_kind = rivals_of_kind(fault)
    explained = not exact and likely_rivals(fault) >= ENOUGH
    return Searched(fault, exact, right_score, of_kind >= ENOUGH, explained, seconds, first)


def says_the_same(fault: Fault, corrected: Session) -> bool:
    """Return whether the hand as corrected says what it did before the fault was made.

    Nobody can know the figure of a missed bid without effect.
    """
    true = fault.hand.session(fault.hand.record)
    any_figure = fault.kind == "bid missed"
    now, due = (words(session, any_figure=any_figure) for session in (corrected, true))
    return same_words(now, due) and not alarms(corrected)
