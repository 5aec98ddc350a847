"""Results with and against other members, computed by hand."""

from fractions import Fraction

from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.meetings import (
    MIN_HANDS,
    Meeting,
    count_meetings,
    find_best_partners,
    find_nemeses,
)
from scorekeeper.clubs.statistics import HandTally
from tests.clubs.founding import attended, evening, match

FIVE = "ada bea ciro dora ezio"


def of_hands(*hands: PlayedHand, players: str = FIVE) -> list[AttendedEvening]:
    """An evening with one match of these hands."""
    match_played = match(1, *[0] * len(players.split()), players=players)._replace(hands=hands)
    return attended([evening("06", match_played)])


def hand(scores: str, *parties: str, number: int = 1) -> PlayedHand:
    """Return a hand with these scores of the five players, and these parties."""
    scores_by_player = dict(zip(FIVE.split(), map(int, scores.split()), strict=False))
    return PlayedHand(
        number, scores_by_player, open=False, parties=tuple(tuple(p.split()) for p in parties)
    )


def test_hand_counts_with_partners_and_against_opponents() -> None:
    there = of_hands(hand("2 1 -1 -1 -1", "ada bea", "ciro dora ezio"),
                     hand("-4 1 1 1 1", "ada", "bea ciro dora ezio", number=2))  # fmt: skip
    ada, bea = count_meetings("ada", there), count_meetings("bea", there)
    assert ada["bea"] == Meeting("bea", HandTally(1, 1, 0), HandTally(1, 0, 0))
    assert ada["ciro"].against == HandTally(2, 1, 0)
    assert bea["ciro"] == Meeting("ciro", HandTally(1, 1, 0), HandTally(1, 1, 0))
    assert bea["ciro"].hands == ada["bea"].hands == 2


def test_parties_of_different_sizes_are_compared_per_player() -> None:
    # 6 by two is 3 a head, 12 by three is 4: the two of them lost; 8 and 12 are level
    there = of_hands(hand("6 0 4 4 4", "ada bea", "ciro dora ezio"),
                     hand("4 4 4 4 4", "ada bea", "ciro dora ezio", number=2))  # fmt: skip
    assert count_meetings("ada", there)["bea"].together == HandTally(2, 0, 1)
    assert count_meetings("ciro", there)["dora"].together == HandTally(2, 1, 1)
    assert count_meetings("ada", there)["ciro"].against == HandTally(
        2, 1, 1
    )  # 6 to 4, though together lost


def test_hands_without_parties_and_guests_are_left_out() -> None:
    assert count_meetings("ada", of_hands(hand("1 1 0 0 0"))) == {}
    there = [
        attended_._replace(member_of={**attended_.member_of, "bea": None})
        for attended_ in of_hands(hand("2 1 -1 -1 -1", "ada bea", "ciro dora ezio"))
    ]
    assert set(count_meetings("ada", there)) == {"ciro", "dora", "ezio"}


def test_a_best_partner_and_a_nemesis_need_enough_hands() -> None:
    def met(other: str, together: HandTally, against: HandTally) -> Meeting:
        return Meeting(other, together, against)

    few, many = MIN_HANDS - 1, MIN_HANDS
    some = [
        met("bea", HandTally(few, few, 0), HandTally(few, 0, 0)),
        met("ciro", HandTally(many, 12, 0), HandTally(many, 5, 0)),
        met("dora", HandTally(many, 11, 2), HandTally(many, 4, 2)),  # 12 of 20, and 5 of 20, too
        met("ezio", HandTally(many, 11, 0), HandTally(many, 10, 0)),  # even is no nemesis
    ]
    assert [partner.other for partner in find_best_partners(some)] == ["ciro", "dora"]
    assert [nemese.other for nemese in find_nemeses(some)] == ["ciro", "dora"]
    assert find_nemeses([some[3]]) == []
    assert find_best_partners([]) == []
    assert some[2].against.share == Fraction(1, 4)
