"""A member's results with and against each other member, hand by hand, over all games.

A hand counts alike in every game. Two members win it together if their party got more points per
player than the others; against another member it is won by the member with more points.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Final

from scorekeeper.base.parts import ExactPoints
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.statistics import HandTally, find_attendances

MIN_HANDS: Final = 20  # with another member, who can then be a best partner or a nemesis
EVEN: Final = Fraction(1, 2)


@dataclass(slots=True)
class Meeting:
    """A member's results with another member, and against them."""

    other: str
    together: HandTally = field(default_factory=HandTally)
    against: HandTally = field(default_factory=HandTally)

    @property
    def hands(self) -> int:
        """The number of hands that both took part in."""
        return self.together.hands + self.against.hands


def count_meetings(member: str, attended: Iterable[AttendedEvening]) -> dict[str, Meeting]:
    """Return a member's results with and against each other member, by the other's id.

    Most hands come first. Guests are left out, and so are hands whose parties are not known.
    """
    meeting_by_member: dict[str, Meeting] = {}
    for attended_evening, me in find_attendances(member, attended):
        for match in attended_evening.evening.matches:
            for hand in match.hands:
                _add_hand(meeting_by_member, hand, me, attended_evening)
    return dict(sorted(meeting_by_member.items(), key=lambda item: (-item[1].hands, item[0])))


def _add_hand(
    meeting_by_member: dict[str, Meeting], hand: PlayedHand, me: str, attended: AttendedEvening
) -> None:
    """Add a hand to the results of the player `me` with and against each other member."""
    mine = next((party for party in hand.parties if me in party), ())
    if not mine:
        return
    ahead = _compare_parties(hand, mine) if len(mine) > 1 else 0
    for player, score in hand.scores.items():
        member_of = attended.member_of.get(player)
        if member_of is None or player == me:
            continue
        if member_of not in meeting_by_member:
            meeting_by_member[member_of] = Meeting(member_of)
        meeting = meeting_by_member[member_of]
        if player in mine:
            meeting.together.add(ahead)
        else:
            meeting.against.add(hand.scores[me] - score)


def _compare_parties(hand: PlayedHand, party: tuple[str, ...]) -> ExactPoints:
    """Return a positive number if a party got more points per player than the others.

    It is 0 if they got as many, else negative.
    """
    party_sum = sum(hand.scores[player] for player in party)
    others = len(hand.scores) - len(party)
    return party_sum * others - (sum(hand.scores.values()) - party_sum) * len(party)


def find_best_partners(all_meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the partners with the largest share of won hands, among those with enough hands.

    There are several if their shares are equal.
    """
    enough = [meeting for meeting in all_meetings if meeting.together.hands >= MIN_HANDS]
    return _select_best(enough, lambda meeting: meeting.together.share)


def find_nemeses(all_meetings: Iterable[Meeting]) -> list[Meeting]:
    """Return the opponents who were ahead most often, among those with enough hands.

    The list is empty if no opponent was ahead in more than half of them.
    """
    enough = [
        meeting
        for meeting in all_meetings
        if meeting.against.hands >= MIN_HANDS and meeting.against.share < EVEN
    ]
    return _select_best(enough, lambda meeting: -meeting.against.share)


def _select_best(candidates: list[Meeting], worth: Callable[[Meeting], Fraction]) -> list[Meeting]:
    """Return all candidates with the highest worth."""
    most = max(map(worth, candidates), default=None)
    return [meeting for meeting in candidates if worth(meeting) == most]
