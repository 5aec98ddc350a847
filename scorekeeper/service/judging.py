"""What entries add to the findings of a session."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from scorekeeper.replay.audit import hand_findings
from scorekeeper.replay.session import Session
from scorekeeper.scoring import Finding, Severity
from scorekeeper.service.folded import Folded

MADE: Final = "findings"


class Place(NamedTuple):
    """A hand of a session, by the numbers of its match and of itself, from 1."""

    match: int
    hand: int


BEGINNING: Final = Place(1, 1)


class Judge:
    """Knows the findings of a session, and tells those that came with what was added since.

    Looks at all hands where ``all_hands`` could be touched; else at the last one and those that
    begin after it.
    """

    def __init__(self, folded: Folded, *, all_hands: bool) -> None:
        self._folded = folded
        self._since = BEGINNING if all_hands else last_hand(folded.session)
        known = folded.made.get(MADE)
        if known is None or all_hands:
            known = list(findings_since(folded.session, self._since))
        self._before = {fault(finding) for finding in known}

    def new(self) -> list[Finding]:
        """The findings that were not there before."""
        session = self._folded.session
        found = list(findings_since(session, self._since))
        last = last_hand(session)
        self._folded.made[MADE] = [one for one in found if (one.match, one.hand) == last]
        return [finding for finding in found if fault(finding) not in self._before]


def last_hand(session: Session) -> Place:
    """The last hand of the session, or where its first one will be."""
    matches = session.record.matches
    for match in reversed(matches):
        if match.hands:
            return Place(match.number, len(match.hands))
    return BEGINNING


def findings_since(session: Session, place: Place) -> Iterator[Finding]:
    """The findings of a hand and of all hands after it."""
    for match in session.record.matches[place.match - 1 :]:
        first = place.hand if match.number == place.match else 1
        for hand in match.hands[first - 1 :]:
            yield from hand_findings(match, hand)


def fault(finding: Finding) -> tuple[object, ...]:
    """What makes two findings the same one: the code, the hand and the event at fault."""
    return finding.code, finding.match, finding.hand, finding.events[:1]


def is_irregular(finding: Finding) -> bool:
    """Whether a finding is more than a remark on what was not recorded."""
    return finding.severity is not Severity.INFO
