"""The findings that new entries add to a session."""

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from scorekeeper.base import pacing
from scorekeeper.play.scoring import Finding, Severity
from scorekeeper.report.findings import list_hand_findings
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.session.session import Session

CACHE_KEY: Final = "findings"


class HandId(NamedTuple):
    """A hand of a session, by the numbers of its match and of itself, from 1."""

    match: int
    hand: int


FIRST_HAND: Final = HandId(1, 1)


class Judge:
    """Compares the findings of a session before and after new entries.

    It audits all hands with ``all_hands``, else the last one and later ones. Unless ``sees_all``,
    it audits the session as the table knows it.
    """

    def __init__(self, folded: FoldedSession, *, sees_all: bool, all_hands: bool) -> None:
        self._folded = folded
        self._sees_all = sees_all
        self._view = view = folded.view(sees_all=sees_all)
        self._hand = last_hand(view.session)
        self._since = self._asks_since = FIRST_HAND if all_hands else self._hand
        known = None if all_hands else view.made.get(CACHE_KEY)
        if known is None:
            known = list(findings_since(view.session, self._since))
        self._before = {identify_finding(finding) for finding in known}
        self._found: list[Finding] = []  # as it is seen now
        self._asked: list[Finding] = []  # as it was seen while cards lay face down

    def observe(self) -> None:
        """Audit the session after an entry or set was added.

        If the entry turns up cards, the client may be asked only about the findings before that: a
        question must not reveal hidden cards. The other findings are reported once the entry is on
        record.
        """
        if self._view.session.hidden and not self._folded.hides():
            self._asked += self._select_new(findings_since(self._view.session, self._asks_since))
            self._asks_since = self._hand._replace(hand=self._hand.hand + 1)
            self._update_view()
        self._hand = last_hand(self._view.session)

    def new_to_ask(self) -> list[Finding]:
        """Return the new findings about which the client may be asked before recording."""
        self._found = list(findings_since(self._view.session, self._asks_since))
        known = {identify_finding(finding) for finding in self._asked}
        return [
            *self._asked,
            *(new for new in self._select_new(self._found) if identify_finding(new) not in known),
        ]

    def new(self) -> list[Finding]:
        """Return all new findings, with the entries on record; cache those of the last hand."""
        view = self._view
        self._update_view()
        if self._view is not view or self._asks_since != self._since:
            self._found = list(findings_since(self._view.session, self._since))
        last = last_hand(self._view.session)
        self._view.made[CACHE_KEY] = [
            finding for finding in self._found if (finding.match, finding.hand) == last
        ]
        return self._select_new(self._found)

    def _select_new(self, findings: Iterable[Finding]) -> list[Finding]:
        """Return those findings that the session did not have before."""
        return [finding for finding in findings if identify_finding(finding) not in self._before]

    def _update_view(self) -> None:
        """Look at the session as the holder knows it now, after cards were turned."""
        self._folded.turn()
        self._view = self._folded.view(sees_all=self._sees_all)


def last_hand(session: Session) -> HandId:
    """Return the id of the last hand of the session; ``FIRST_HAND`` if it has none."""
    matches = session.structure.matches
    for match in reversed(matches):
        if match.hands:
            return HandId(match.number, len(match.hands))
    return FIRST_HAND


def findings_since(session: Session, place: HandId) -> Iterator[Finding]:
    """Yield the findings of the hand ``place`` and of all later hands."""
    for match in session.structure.matches[place.match - 1 :]:
        first = place.hand if match.number == place.match else 1
        for hand in match.hands[first - 1 :]:
            pacing.step(pacing.STEPS_PER_HAND)
            yield from list_hand_findings(match, hand)


def identify_finding(finding: Finding) -> tuple[object, ...]:
    """Return what identifies a finding: its code, match, hand and the event at fault."""
    return finding.code, finding.match, finding.hand, finding.events[:1]


def is_irregular(finding: Finding) -> bool:
    """Return whether a finding is more than a remark about missing entries."""
    return finding.severity is not Severity.INFO
