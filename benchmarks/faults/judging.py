"""What comes of a record with a fault: whether the audit finds it, and what is suggested."""

import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from benchmarks.faults.alterations import Fault
from benchmarks.faults.hands import alarms, hand_at, scored
from benchmarks.faults.unknowable import cannot_be_told, why_unknowable
from scorekeeper.base.errors import UnusableError
from scorekeeper.log.codec import encode
from scorekeeper.repair import suggestions
from scorekeeper.report.what_if import suppose
from scorekeeper.session.session import Session

FIRST: Final = 3  # suggestions that a person reads

Suggestion = Mapping[str, Any]


@dataclass(frozen=True)
class Audited:
    """What the audit makes of a fault.

    ``result`` is ``refused`` where the log cannot be used, ``found``, ``unknowable`` or
    ``unfound``; ``why`` says why no record can know it.
    """

    fault: Fault
    result: str
    why: str = ""


@dataclass(frozen=True)
class Searched:
    """What is suggested for a fault.

    ``exact`` is the place of the true correction from 1, ``right_score`` that of the first
    suggestion that gives the true score; 0 where it is not among the first. ``undecided`` is true
    where the truth is not among them, and either nothing is left to find after each of them, or
    what the truth was is on record nowhere. ``seconds`` are of the processor.
    """

    fault: Fault
    exact: int
    right_score: int
    undecided: bool
    seconds: float
    offered: Sequence[Suggestion] = field(default_factory=list, repr=False)


def audited(fault: Fault) -> Audited:
    """Return what the audit finds of a fault."""
    try:
        session = fault.hand.session(fault.record)
        found = alarms(session)
    except UnusableError:
        return Audited(fault, "refused")
    if found:
        return Audited(fault, "found")
    why = why_unknowable(fault, session)
    return Audited(fault, "unknowable" if why else "unfound", why)


def searched(fault: Fault, *, times: int = FIRST) -> Searched:
    """Return what is suggested for a fault that the audit finds."""
    hand = fault.hand
    session = hand.session(fault.record)
    begun = time.process_time()
    offered = suggestions(session)
    seconds = time.process_time() - begun
    exact = right_score = 0
    first = [
        suggestion
        for _, of_hand in groupby(offered, key=lambda found: found["hand"])
        for suggestion in list(of_hand)[:times]
    ]
    for place, suggestion in enumerate(first, 1):
        corrected = suppose(session, corrections=suggestion["corrections"])
        if not right_score and scored(corrected) == hand.scores:
            right_score = place
        if not exact and says_the_same(fault, corrected):
            exact = place
    clean = len(first) >= times and not any(suggestion["leaves"] for suggestion in first)
    undecided = not exact and (clean or cannot_be_told(fault))
    return Searched(fault, exact, right_score, undecided, seconds, first)


# ----------------------------------------------------------------------- two records compared


def says_the_same(fault: Fault, corrected: Session) -> bool:
    """Return whether the hand as corrected says what it did before the fault was made.

    Winners of tricks may be recorded besides, an entry may be there twice, and the number of a
    trick says no more than its place. Nobody can know the figure of a missed bid without effect.
    """
    hand = hand_at(corrected)
    true = fault.hand.session(fault.hand.record)
    any_figure = fault.kind == "bid missed"
    now, due = content(corrected, any_figure=any_figure), content(true, any_figure=any_figure)
    more = Counter(now) - Counter(due)
    return (
        scored(corrected) == fault.hand.scores
        and hand.dealer == hand_at(true).dealer
        and not Counter(due) - Counter(now)
        and all(entry.startswith("trick_taken") or entry in due for entry in more)
        and tricks(corrected) == tricks(true)
        and not alarms(corrected)
    )


def content(session: Session, *, any_figure: bool = False) -> list[str]:
    """The entries of the hand as text, whatever their order."""
    return [
        _as_text(entry.event.TYPE, encode(entry.event), any_figure=any_figure)
        for entry in hand_at(session).entries
    ]


def _as_text(kind: str, data: dict[str, Any], *, any_figure: bool) -> str:
    values = {key: data[key] for key in sorted(data) if (kind, key) != ("trick_taken", "trick")}
    if any_figure and kind == "bid_made":
        values = {
            key: value if value in ("pass", data["player"]) else "bid"
            for key, value in values.items()
        }
    return f"{kind} {values}"


def tricks(session: Session) -> dict[int, list[tuple[str, str]]]:
    """The cards of each trick in the order in which they fell."""
    numbered = hand_at(session).deal.tricks.numbered
    return {
        number: [(play.player, play.card.code) for play in trick.plays]
        for number, trick in numbered.items()
        if trick.plays
    }
