"""How many have to agree before a hand is corrected, and who.

Only what is recorded here is held to it; a log is replayed whatever signatures it has.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import zip_longest
from typing import Any, Final, Literal, NamedTuple

from scorekeeper.events.common import PenaltyGiven, ScoreClaimed
from scorekeeper.events.corrections import EventReplaced
from scorekeeper.events.disputes import Correction
from scorekeeper.events.playing import CardsShown, PointsCounted
from scorekeeper.log import codec
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

Needed = Literal["sides", "seats"]

# Figures of a played hand: another one corrects an error of entry or of arithmetic. Any other
# correction may change a trick or an irregularity.
FIGURES: Final = (PointsCounted.TYPE, ScoreClaimed.TYPE)
AFTER_RESULT: Final = (ScoreClaimed, CardsShown, PenaltyGiven)  # may follow a hand's result


class SignersNeeded(NamedTuple):
    """The signatures that corrections of a hand need.

    ``matches`` are the numbers of its own match and of those whose report changes. ``needed`` is
    whether sides or seats of its own match have to sign; of other matches every seat has to.
    ``of`` maps each of them to the seats that can sign for it.
    """

    matches: tuple[int, ...]
    needed: Needed
    of: Mapping[str, frozenset[str]]

    @property
    def seats(self) -> frozenset[str]:
        """All whose signature counts."""
        return frozenset().union(*self.of.values())

    def others(self, hand: HandRecord) -> list[int]:
        """The matches that change beside that of the hand."""
        return [number for number in self.matches if number != hand.match.number]

    def missing(self, signed: Collection[str]) -> list[str]:
        """The seats, or sides, of which a signature is still missing."""
        return [one for one, members in self.of.items() if members.isdisjoint(signed)]


@dataclass(frozen=True, slots=True)
class Quorum:
    """How many signatures it takes: ``in_time`` for a wrong figure, else one of every seat.

    In time is until a given number of ``minutes`` after the hand's result, in an open session.
    """

    minutes: int = 30
    in_time: Needed = "sides"

    def needs(
        self, session: Session, hand: HandRecord, corrections: Sequence[Correction], at: str
    ) -> SignersNeeded:
        """Who has to agree to corrections of a hand at a time.

        Raises `UnusableError` if they cannot be.
        """
        match, needed = hand.match, self._needed(session, hand, corrections, at)
        of: dict[str, frozenset[str]] = {}
        if needed == "sides":
            of.update((side, frozenset(members)) for side, members in match.sides.items())
        changed = {match.number: list(match.seats), **changed_matches(session, corrections)}
        for number, seats in changed.items():
            if number != match.number or needed == "seats":
                of.update((seat, frozenset({seat})) for seat in seats)
        return SignersNeeded(tuple(sorted(changed)), needed, of)

    def _needed(
        self, session: Session, hand: HandRecord, corrections: Sequence[Correction], at: str
    ) -> Needed:
        """Whether one signature of each side of the hand suffices, or every seat has to sign."""
        figures = all(
            is_figure(session, hand.started.seq, one.type, one.data) for one in corrections
        )
        return self.in_time if figures and self.is_in_time(session, hand, at) else "seats"

    def is_in_time(self, session: Session, hand: HandRecord, at: str) -> bool:
        """Whether a hand is recent, and the session open."""
        if session.structure.closed is not None:
            return False
        result = self.result_at(session, hand)
        age = datetime.fromisoformat(at) - datetime.fromisoformat(result)
        return age <= timedelta(minutes=self.minutes)

    def result_at(self, session: Session, hand: HandRecord) -> str:
        """When the result of a hand was recorded, or what there is of one."""
        return max(
            (
                one.at
                for one in hand.entries
                if one.seq not in session.corrections.inserted
                and not isinstance(one.event, AFTER_RESULT)
            ),
            default=hand.started.at,
        )


def changed_matches(session: Session, corrections: Sequence[Correction]) -> dict[int, list[str]]:
    """The matches that corrections change, by number: who sits there, or would.

    UnusableError where they cannot be recorded.
    """

    def list_recorded() -> list[tuple[MatchRecord, Any]]:
        return [(match, match.list_recorded()) for match in session.structure.matches]

    found: dict[int, list[str]] = {}
    tried = session.try_corrections(corrections, list_recorded, after_end=True)
    for pair in zip_longest(list_recorded(), tried):
        there = [one for one in pair if one is not None]
        if len(there) < len(pair) or pair[0][1] != pair[1][1]:
            found[there[0][0].number] = [seat for match, _ in there for seat in match.seats]
    return found


def is_figure(session: Session, hand: int, kind: str, data: Any) -> bool:
    """Whether a correction puts another figure where one stood in a hand, and moves no trick."""
    event = codec.decode(kind, data)
    if not isinstance(event, EventReplaced) or event.type not in FIGURES:
        return False
    record = session.structure.segment_of[event.seq].hand
    standing = [one for one in record.entries if one.seq == event.seq] if record else []
    if record is None or record.started.seq != hand or not standing:
        return False
    before = standing[0].event
    same_tricks = codec.encode(before).get("tricks") == event.data.get("tricks")
    return event.type == before.TYPE and same_tricks
