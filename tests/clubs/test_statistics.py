"""A member's statistics, computed by hand: figures, parts, bids, runs and form."""

from fractions import Fraction
from typing import Any

import pytest

from scorekeeper.clubs.evening import PlayedMatch
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.clubs.statistics import FORM_EVENINGS, HandTally, compute_statistics
from scorekeeper.clubs.views import FigureSource, HandFigure
from tests.clubs.founding import attended, evening, match


def with_hands(match_: PlayedMatch, *hands: PlayedHand) -> PlayedMatch:
    """A match with these hands."""
    return match_._replace(hands=hands)


def contract(number: int, bidder: str, points: int, *, is_made: bool, **more: Any) -> PlayedHand:
    """A hand of three, in which the bidder gets so many points and the others half of them each."""
    scores = {
        player: points if player == bidder else -points // 2 for player in ("ada", "bea", "ciro")
    }
    parts = {player: "bidder" if player == bidder else "defender" for player in scores}
    facts = {"bidder": bidder, "bid": 5, "made": is_made, "took": points, **more}
    return PlayedHand(number, scores, open=False, seq=10 * number, parts=parts, facts=facts)


THREE = "ada bea ciro"
FIRST = with_hands(
    match(1, 8, -4, -4, players=THREE),
    contract(1, "ada", 6, is_made=True, bid=4),
    contract(2, "bea", -4, is_made=False),  # ada gets 2
)
SECOND = with_hands(
    match(1, -2, 1, 1, players=THREE),
    contract(1, "ada", -2, is_made=False, award=["ada"]),
)
EVENINGS = attended([evening("06", FIRST), evening("13", SECOND)])


def test_figures_are_those_of_the_hands() -> None:
    [ada] = compute_statistics("ada", EVENINGS)
    # points 6 + 2 - 2 = 6 in three hands; a match won alone, one lost
    assert (ada.points, ada.hands, ada.average) == (6, 3, 2)
    assert (ada.matches, ada.finished, ada.won, ada.drawn) == (2, 2, 1, 0)
    assert ada.evenings == ["evening06", "evening13"]
    assert ada.best == HandFigure("evening06", 1, 1, 10, points=6)
    assert ada.worst == HandFigure("evening13", 1, 1, 10, points=-2)
    assert [(form.session_id, form.points, form.points_a_hand) for form in ada.form] == [
        ("evening06", 8, 4), ("evening13", -2, -2)
    ]  # fmt: skip


def test_parts_and_bids_are_won_as_the_contract_goes() -> None:
    [ada] = compute_statistics("ada", EVENINGS)
    assert ada.parts == {"bidder": HandTally(2, 1, 0), "defender": HandTally(1, 1, 0)}
    assert ada.bids == {"4": HandTally(1, 1, 0), "5": HandTally(1, 0, 0)}
    [ciro] = compute_statistics("ciro", EVENINGS)
    assert ciro.parts == {"defender": HandTally(3, 2, 0)}  # ada made it, bea and ada did not


def test_declared_facts_are_counted_by_their_kind() -> None:
    [ada], [bea] = (compute_statistics(player, EVENINGS) for player in ("ada", "bea"))
    took, award = ada.facts["took"], ada.facts["award"]
    # of the contract, so the bidder's: 6 and -2; the one hand with an award was hers
    assert (took.hands, took.sum, took.most) == (
        2,
        4,
        HandFigure("evening06", 1, 1, 10, points=6),
    )
    assert (award.counted, award.hands, award.sum) == (True, 1, 1)
    assert (bea.facts["award"].hands, bea.facts["award"].sum) == (1, 0)


def test_a_doubled_hand_counts_for_what_was_played_in_it() -> None:
    doubled = with_hands(match(1, 12, -6, -6, players=THREE),
                         contract(1, "ada", 12, is_made=True)._replace(times=4))  # fmt: skip
    [ada] = compute_statistics("ada", attended([evening("06", doubled)]))
    assert (ada.points, ada.best and ada.best.points) == (3, 3)


def test_sets_of_terms_are_kept_apart_and_games_too() -> None:
    others = [match(2, 1, 0, 0, players=THREE, terms="odd"), match(3, 9, 0, players="ada bea",
                                                                  game="knock")]  # fmt: skip
    statistics = compute_statistics("ada", attended([evening("06", FIRST, *others)]))
    assert [(part.game, part.terms, part.points) for part in statistics] == [
        ("riparto", "odd", 1), ("knock", "usual", 9), ("riparto", "usual", 8),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("totals", "longest"),
    [
        ([(3, 1), (2, 2), (5, 4), (0, 1), (1, 0)], 3),  # a shared one goes on
        ([(0, 1), (0, 1)], 0),
    ],
)
def test_a_run_is_of_matches_won_one_after_the_other(totals: Any, longest: int) -> None:
    many = [match(n, *some, players="ada bea") for n, some in enumerate(totals, 1)]
    [ada] = compute_statistics("ada", attended([evening("06", *many)]))
    assert (ada.run.matches if ada.run else 0) == longest
    if ada.run:
        assert (ada.run.first, ada.run.last) == (
            FigureSource("evening06", 1),
            FigureSource("evening06", 3),
        )


def test_shared_wins_are_parts_and_an_open_match_is_none() -> None:
    many = [match(1, 4, 4, players="ada bea"), match(2, 4, 1, players="ada bea", over=False)]
    [ada] = compute_statistics("ada", attended([evening("06", *many)]))
    assert (ada.won, ada.drawn, ada.finished, ada.open) == (Fraction(1, 2), 1, 1, True)


def test_the_form_is_that_of_the_last_evenings() -> None:
    many = [evening(f"{n:02}", match(1, n, -n, players="ada bea")) for n in range(1, 14)]
    [ada] = compute_statistics("ada", attended(many))
    assert [evening_.points for evening_ in ada.form] == list(range(14 - FORM_EVENINGS, 14))


def test_member_without_hands_has_no_figures() -> None:
    assert compute_statistics("leo", EVENINGS) == []
    assert compute_statistics("ada", attended([evening("06", match(1, 0, 0, hands=0))])) == []
