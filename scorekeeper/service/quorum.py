"""The signatures that a correction of a hand needs.

The service requires them when it records a ruling. A replayed log may lack signatures.
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

# Events with the points of a played hand. Replacing one corrects an error of entry or arithmetic;
# any other correction may change a trick or an irregularity.
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
        """The seats whose signature counts."""
        return frozenset().union(*self.of.values())

    def others(self, hand: HandRecord) -> list[int]:
        """Return the numbers of the changed matches other than that of the hand."""
        return [number for number in self.matches if number != hand.match.number]

    def missing(self, signed: Collection[str]) -> list[str]:
        """Return the sides and seats whose signature is still missing."""
        return [signer for signer, seats in self.of.items() if seats.isdisjoint(signed)]


@dataclass(frozen=True, slots=True)
class Quorum:
    """The rule for signatures: ``in_time`` says who signs a timely correction of a figure.

    A correction is timely up to ``minutes`` after the result of the hand, while the session is
    open. Every other correction needs a signature of every seat.
    """

    minutes: int = 30
    in_time: Needed = "sides"

    def needs(
        self, session: Session, hand: HandRecord, corrections: Sequence[Correction], at: str
    ) -> SignersNeeded:
        """Return the signatures that corrections of a hand need at a time.

        Raises `UnusableError` if the corrections cannot be recorded.
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
        """Return "sides" if one signature of each side of the hand suffices, else "seats"."""
        figures = all(
            is_correction_of_figure(session, hand.started.seq, correction.type, correction.data)
            for correction in corrections
        )
        return self.in_time if figures and self.is_in_time(session, hand, at) else "seats"

    def is_in_time(self, session: Session, hand: HandRecord, at: str) -> bool:
        """Return whether the session is open and a hand's result recent enough at a time."""
        if session.structure.closed is not None:
            return False
        result = self.result_at(session, hand)
        age = datetime.fromisoformat(at) - datetime.fromisoformat(result)
        return age <= timedelta(minutes=self.minutes)

    def result_at(self, session: Session, hand: HandRecord) -> str:
        """Return the time at which the result of a hand was recorded, or else its last event."""
        return max(
            (
                entry.at
                for entry in hand.entries
                if entry.seq not in session.corrections.inserted
                and not isinstance(entry.event, AFTER_RESULT)
            ),
            default=hand.started.at,
        )


def changed_matches(session: Session, corrections: Sequence[Correction]) -> dict[int, list[str]]:
    """Return the matches that corrections change, by number, with their seats before and after.

    Raises `UnusableError` if the corrections cannot be recorded.
    """

    def list_recorded() -> list[tuple[MatchRecord, Any]]:
        return [(match, match.list_recorded()) for match in session.structure.matches]

    seats_by_match: dict[int, list[str]] = {}
    tried = session.try_corrections(corrections, list_recorded, after_end=True)
    for pair in zip_longest(list_recorded(), tried):
        versions = [version for version in pair if version is not None]
        if len(versions) < len(pair) or pair[0][1] != pair[1][1]:
            number = versions[0][0].number
            seats_by_match[number] = [seat for match, _ in versions for seat in match.seats]
    return seats_by_match


def is_correction_of_figure(session: Session, hand: int, kind: str, data: object) -> bool:
    """Return whether a correction replaces points of a hand by others of the same kind.

    ``hand`` is the seq of the hand's start. A count with other tricks than before is no correction
    of a figure.
    """
    event = codec.decode(kind, data)
    if not isinstance(event, EventReplaced) or event.type not in FIGURES:
        return False
    record = session.structure.segment_of[event.seq].hand
    standing = [entry for entry in record.entries if entry.seq == event.seq] if record else []
    if record is None or record.started.seq != hand or not standing:
        return False
    before = standing[0].event
    same_tricks = codec.encode(before).get("tricks") == event.data.get("tricks")
    return event.type == before.TYPE and same_tricks
