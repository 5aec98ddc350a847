"""The end of a match that its own rule has not ended, and a hand that would be left behind.

Pages ask how the match ends, decided or undecided, before it ends for any reason. They also name a
hand whose result is not on record.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.common import MatchEnded
from scorekeeper.events.sentences import noun_of
from scorekeeper.languages.catalogues import gettext as _
from scorekeeper.play.match import leaders
from scorekeeper.play.prompts import Ask
from scorekeeper.report.next_events import AWAITING, NextEvents
from scorekeeper.report.views import FindingView
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.streams.requests import NewEvent
from scorekeeper.web.forms.scene import names_at, side_label

DECIDED, UNDECIDED = "decided", "undecided"
PLAYED_ON: Final = "played_on"
ANSWERS: Final = (DECIDED, UNDECIDED)


@dataclass(frozen=True, slots=True)
class UnfinishedHand:
    """A hand without a result that the next step would leave behind.

    It has ``entries``, or has only been dealt. ``missing`` are the parts of its record that it
    lacks, in words. ``tricks`` of ``all_tricks`` are on record.
    """

    match: int
    number: int
    contradicts: bool
    entries: bool
    missing: Sequence[str]
    tricks: int
    all_tricks: int

    @property
    def key(self) -> str:
        """The match and the hand, as forms name a hand."""
        return f"{self.match}-{self.number}"

    @property
    def sentences(self) -> list[str]:
        """Sentences about the hand: that it scores nothing, and what is missing."""
        if self.contradicts:
            return [
                _("Hand %(number)s contradicts itself, and scores nothing.", number=self.number)
            ]
        said = [_("Hand %(number)s is not finished, and scores nothing.", number=self.number)]
        if not self.entries:
            return [*said, _("Nothing of it is recorded yet.")]
        said.append(_("Missing: %(parts)s.", parts="; ".join(self.missing)))
        if 0 < self.tricks < self.all_tricks:
            said.append(_("Tricks on record: %(number)s of %(all)s.", number=self.tricks,
                          all=self.all_tricks))  # fmt: skip
        return said


@dataclass(frozen=True, slots=True)
class OpenMatch:
    """A match that goes on, with what has to be known before it ends.

    ``winners`` are the names of the sides that win it if it ends now. They are empty while the end
    of a hand awaits acceptance. Without a complete hand the match is not ``decidable``: it has no
    result.
    """

    number: int
    game: str
    winners: Sequence[str]
    decidable: bool
    unfinished: UnfinishedHand | None

    @property
    def decided(self) -> str:
        """The answer that the match is decided, with its winners."""
        if not self.winners:
            return _("Decided: the highest score wins")
        if len(self.winners) > 1:
            return _("Decided: %(names)s share it", names=_(" and ").join(self.winners))
        return _("Decided: won by %(name)s", name=self.winners[0])

    @property
    def undecided(self) -> str:
        """The answer that the match is not decided."""
        return _("Undecided: nobody wins, the points count")

    def takes(self, answer: str) -> bool:
        """Return whether an answer says how the match ends; any does if there is no result."""
        return answer in ANSWERS or not self.decidable

    def end(self, answer: str, reason: str = "") -> NewEvent:
        """Return the event that ends the match; ``answer`` is one of ``ANSWERS``, or empty."""
        data = {"reason": reason} if reason else {}
        undecided = {"undecided": True} if self.decidable and answer == UNDECIDED else {}
        return NewEvent(MatchEnded.TYPE, {**data, **undecided})


def find_moment(session: Session) -> str:
    """Return the last match and the last hand of it, as forms carry them, such as ``2-5``.

    A form that ends a match or begins one must not do so at a later moment of play.
    """
    matches = session.structure.matches
    return f"{len(matches)}-{len(matches[-1].hands) if matches else 0}"


def refuse_played_on(session: Session, moment: str) -> None:
    """Raise `UnusableError` with the cause ``PLAYED_ON`` unless it is still this moment of play."""
    if find_moment(session) != moment:
        raise UnusableError(Cause("the table has played on since this form was shown", PLAYED_ON))


def find_open_match(session: Session) -> OpenMatch | None:
    """Return the match of a session that goes on; None if there is none."""
    return describe_open_match(NextEvents(session))


def describe_open_match(coming: NextEvents) -> OpenMatch | None:
    """Return the match that goes on, by what can come next; None if there is none."""
    match = coming.match
    if match is None or coming.state in ("over", "closed"):
        return None
    names, waits = names_at(coming.session), coming.state == AWAITING
    decidable = waits or match.last_complete() is not None
    ahead = leaders(match.standing().totals) if decidable and not waits else []
    return OpenMatch(
        match.number,
        match.game.local_name,
        [side_label(side, names, match) for side in ahead],
        decidable,
        _describe_unfinished(coming),
    )


def find_unfinished(session: Session) -> UnfinishedHand | None:
    """Return the last hand of a session if it goes on, or contradicts itself; else None."""
    return _describe_unfinished(NextEvents(session))


def _describe_unfinished(coming: NextEvents) -> UnfinishedHand | None:
    """Return the last hand if it goes on, or contradicts itself, by what can come next."""
    hand = coming.hand
    if hand is None or coming.state not in ("open", "wrong"):
        return None
    tricks = hand.deal.tricks
    return UnfinishedHand(
        hand.match.number,
        hand.number,
        coming.state == "wrong",
        bool(hand.entries),
        _list_missing(hand),
        len(hand.deal.won),
        tricks.total,
    )


def list_questions(session: Session, findings: Sequence[FindingView]) -> list[str]:
    """Return what a page asks before it records what breaks a rule or leaves a hand behind.

    ``findings`` are those that the entry would add; they are empty if it only leaves a hand behind.
    """
    others = [finding.message for finding in findings if finding.code != "incomplete"]
    leaves = not findings or len(others) < len(findings)
    unfinished = find_unfinished(session) if leaves else None
    if unfinished is None:
        return [finding.message for finding in findings]
    return [*unfinished.sentences, *others]


def _list_missing(hand: HandRecord) -> list[str]:
    """Return in words the answers that the record of a hand at totals would need to be complete."""
    asks = [ask for ask in hand.game.questions(hand.deal) if not ask.optional]
    if not asks:
        return [_("the result")]
    before = [ask for ask in asks[:-1] if _is_missing(ask, hand, first=ask is asks[0])]
    return [_name_ask(ask) for ask in (*before, asks[-1])]


def _is_missing(ask: Ask, hand: HandRecord, *, first: bool) -> bool:
    """Return whether a hand lacks an answer that comes before its result.

    The ``first`` one is its contract. Another, as the partner, can follow from the play.
    """
    if hand.deal.contract is None or first:
        return hand.deal.contract is None
    if {type(entry.event) for entry in hand.entries}.intersection(ask.events):
        return False
    return not any(hand.deal.already_shows(declared.TYPE) for declared in ask.events)


def _name_ask(ask: Ask) -> str:
    """Return the events that answer a question, in words within a sentence."""
    nouns = [noun_of(declared) for declared in ask.events]
    return _(" or ").join(noun[:1].lower() + noun[1:] for noun in nouns)
