"""The marks of hands: signs that show at a glance what to know before relying on a score.

Pages, paper and workbooks share this table, with a sign and a word for each mark.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scorekeeper.events.corrections import EventInserted
from scorekeeper.events.disputes import HandConfirmed
from scorekeeper.languages.catalogues import N_
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.report.views import HandView, MatchView, ReportView
from scorekeeper.session.session import Session

HandNumber = tuple[int, int]  # the numbers of a match and of a hand
FindingPlace = tuple[int | None, int | None]  # the same of a finding; None if it is about more


class HandMark(NamedTuple):
    """A sign beside a hand, and its meaning in English."""

    sign: str
    about: str

    @property
    def word(self) -> str:
        """The meaning of the mark in the current language."""
        return _(self.about)


# In the order in which they stand beside a hand.
MARKS: Final = {
    "disputed": HandMark("⚑", N_("disputed")),
    "unresolved": HandMark("⚐", N_("ended without agreement")),
    "wrong": HandMark("!", N_("wrong")),
    "doubtful": HandMark("?", N_("in doubt")),
    "incomplete": HandMark("…", N_("incomplete")),
    "corrected": HandMark("✎", N_("corrected")),
    "signed": HandMark("✓", N_("accepted by every side")),
    "partly": HandMark("◐", N_("accepted by some")),
    "unsigned": HandMark("○", N_("not accepted yet")),
}
# Words for the state of a hand or match, and for the unit of a match's totals.
STATUS: Final = {
    "open": N_("still open"),
    "incomplete": N_("incomplete"),
    "abandoned": N_("abandoned"),
    "complete": N_("complete"),
    "finished": N_("finished"),
}
COUNTED: Final = {
    "points": N_("Total"), "hands": N_("Hands won"), "games": N_("Games won"),
}  # fmt: skip
GRADES: Final = {"error": "wrong", "warning": "doubtful"}


def collect_marks(session: Session, report: ReportView) -> dict[HandNumber, tuple[str, ...]]:
    """Return the names of the marks of each hand, in their order."""
    grades: dict[FindingPlace, set[str]] = {}
    for finding in report.findings:
        if finding.severity in GRADES and finding.code != "incomplete":
            place = finding.match, finding.hand
            grades.setdefault(place, set()).add(GRADES[finding.severity])
    last = {(dispute.match, dispute.hand): dispute.state for dispute in report.disputes}
    corrected = find_corrected_hands(session)
    marks_by_hand: dict[HandNumber, tuple[str, ...]] = {}
    for match in report.matches:
        for hand in match.hands:
            number = match.match, hand.hand
            marks = {*grades.get(number, ()), *_marks_of_hand(match, hand)}
            marks |= {"unresolved"} if last.get(number) == "unresolved" else set()
            marks |= {"corrected"} if number in corrected else set()
            marks_by_hand[number] = tuple(name for name in MARKS if name in marks)
    return marks_by_hand


def _marks_of_hand(match: MatchView, hand: HandView) -> Iterator[str]:
    """Yield the marks that follow from the report of one hand."""
    if hand.disputed:
        yield "disputed"
    if hand.status == "incomplete":
        yield "incomplete"
    if hand.status == "complete":
        yield get_signature_mark(match, hand)


def get_signature_mark(match: MatchView, hand: HandView) -> str:
    """Return whether every side of a match has accepted a complete hand, some have, or none."""
    signed = set(hand.confirmed)
    if not signed:
        return "unsigned"
    every = all(signed.intersection(members) for members in match.sides.values())
    return "signed" if every else "partly"


def find_corrected_hands(session: Session) -> set[HandNumber]:
    """Return the hands whose record was changed by corrections.

    Taking back the last entry at once is no such change, and neither is a late confirmation.
    """
    segments, back = session.structure.segment_of, session.corrections.find_taken_back()
    hands = set()
    for key in _corrected_places(session):
        segment = segments.get(key)
        changed = key not in back and _differs_from_recorded(session, key)
        if changed and segment and segment.hand and segment.match:
            hands.add((segment.match.number, segment.hand.number))
    return hands


def _corrected_places(session: Session) -> set[int]:
    """Return the keys of the entries that corrections name or insert."""
    return {place for _, places in session.corrections.places() for place in places}


def _differs_from_recorded(session: Session, key: int) -> bool:
    """Return whether an entry now reads differently from how it was recorded.

    An inserted or corrected confirmation does not count.
    """
    recorded, reading = session.corrections.recorded[key].event, session.corrections.reading(key)
    if isinstance(recorded, EventInserted):
        return reading is not None and recorded.type != HandConfirmed.TYPE
    return (
        reading is None or reading.event is not recorded
    ) and recorded.TYPE != HandConfirmed.TYPE
