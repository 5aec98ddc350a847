"""What entries add to the findings of a session."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from scorekeeper.base import pacing
from scorekeeper.play.scoring import Finding, Severity
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.service.cache import Folded
from scorekeeper.session.session import Session

MADE: Final = "findings"
STEPS_FOR_A_HAND: Final = (
    20  # of the pace: the audit of a hand takes as long as placing this many entries
)


class HandId(NamedTuple):
    """A hand of a session, by the numbers of its match and of itself, from 1."""

    match: int
    hand: int


BEGINNING: Final = HandId(1, 1)


class Judge:
    """Knows the findings of a session, and tells those that came with what was added since.

    Looks at all hands where ``all_hands`` could be touched; else at the last one and those that
    begin after it. Who does not see all is told and asked of what the table knows.
    """

    def __init__(self, folded: Folded, *, sees_all: bool, all_hands: bool) -> None:
        self._folded = folded
        self._sees_all = sees_all
        self._view = view = folded.view(sees_all=sees_all)
        self._hand = last_hand(view.session)
        self._since = self._asks_since = BEGINNING if all_hands else self._hand
        known = None if all_hands else view.made.get(MADE)
        if known is None:
            known = list(findings_since(view.session, self._since))
        self._before = {fault(finding) for finding in known}
        self._found: list[Finding] = []  # as it is seen now
        self._asked: list[Finding] = []  # as it was seen while cards lay face down

    def look_on(self) -> None:
        """Look at what was just added.

        Where it turns up the cards, what was seen before is what can be asked about: nobody is to
        learn from a question what lies there. Of that hand all is found once it is on record.
        """
        if self._view.session.hidden and not self._folded.hides():
            self._asked += self._new(findings_since(self._view.session, self._asks_since))
            self._asks_since = self._hand._replace(hand=self._hand.hand + 1)
            self._turn()
        self._hand = last_hand(self._view.session)

    def asked(self) -> list[Finding]:
        """The findings that were not there before, as far as they can be asked about."""
        self._found = list(findings_since(self._view.session, self._asks_since))
        known = {fault(finding) for finding in self._asked}
        return [*self._asked, *(one for one in self._new(self._found) if fault(one) not in known)]

    def new(self) -> list[Finding]:
        """The findings that were not there before, as the session is seen once it is on record."""
        view = self._view
        self._turn()
        if self._view is not view or self._asks_since != self._since:
            self._found = list(findings_since(self._view.session, self._since))
        last = last_hand(self._view.session)
        self._view.made[MADE] = [one for one in self._found if (one.match, one.hand) == last]
        return self._new(self._found)

    def _new(self, found: Iterable[Finding]) -> list[Finding]:
        return [finding for finding in found if fault(finding) not in self._before]

    def _turn(self) -> None:
        self._folded.turn()
        self._view = self._folded.view(sees_all=self._sees_all)


def last_hand(session: Session) -> HandId:
    """The last hand of the session, or where its first one will be."""
    matches = session.structure.matches
    for match in reversed(matches):
        if match.hands:
            return HandId(match.number, len(match.hands))
    return BEGINNING


def findings_since(session: Session, place: HandId) -> Iterator[Finding]:
    """The findings of a hand and of all hands after it."""
    for match in session.structure.matches[place.match - 1 :]:
        first = place.hand if match.number == place.match else 1
        for hand in match.hands[first - 1 :]:
            pacing.step(STEPS_FOR_A_HAND)
            yield from list_hand_findings(match, hand)


def fault(finding: Finding) -> tuple[object, ...]:
    """What makes two findings the same one: the code, the hand and the event at fault."""
    return finding.code, finding.match, finding.hand, finding.events[:1]


def is_irregular(finding: Finding) -> bool:
    """Whether a finding is more than a remark on what was not recorded."""
    return finding.severity is not Severity.INFO
