"""The result of a hand for a club: its parts and parties, and its points without doublings."""

import io
from typing import Any

import pytest

from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.session.session import Session
from tests.evenings import GOLDEN, by_hand, event, opening

FIVE = ("mara", "leo", "nina", "ugo", "zoe")


def hands(*events: Any, **options: Any) -> tuple[PlayedHand, ...]:
    """The hands of a match of Chiamata."""
    log = by_hand([opening(*FIVE), event("match_started", game="briscola_chiamata", seats=FIVE,
                                         options=options), *events])  # fmt: skip
    evening = PlayedEvening.of("one", Session.read(io.BytesIO(log)))
    return evening.matches[0].hands


def a_hand(dealer: str, partner: str | None = "leo") -> list[Any]:
    """A hand that Mara bids and makes, with this partner; her own for none."""
    events = [event("hand_started", dealer=dealer), event("bid_made", player="mara", bid="4")]
    if partner:
        events.append(event("partner_revealed", player=partner))
    return [*events, event("outcome_recorded", made=True)]


def test_the_bidder_and_partner_are_a_party_and_the_others_another() -> None:
    [hand_played] = hands(*a_hand("zoe"))
    assert hand_played.parts == {"mara": "bidder", "leo": "partner", "nina": "defender",
                         "ugo": "defender", "zoe": "defender"}  # fmt: skip
    assert hand_played.parties == (("mara", "leo"), ("nina", "ugo", "zoe"))
    assert (hand_played.facts["bid"], hand_played.facts["made"], hand_played.seq) == ("4", True, 3)
    [alone] = hands(*a_hand("zoe", partner="mara"))
    assert alone.parties == (("mara",), ("leo", "nina", "ugo", "zoe"))


def test_a_doubling_from_before_is_not_in_what_a_hand_earned() -> None:
    thrown_in = [event("hand_started", dealer="zoe"),
                 event("hand_abandoned", reason="weak", kind="weak_hand")]  # fmt: skip
    plain, doubled = (
        hands(*before, *a_hand("mara" if before else "zoe"), next_double=["weak_hand"])
        for before in ([], thrown_in)
    )
    assert doubled[0].times == 2
    assert doubled[0].scores == {player: 2 * n for player, n in plain[0].scores.items()}
    assert [doubled[0].undoubled_score(player) for player in FIVE] == list(plain[0].scores.values())


def test_parties_are_the_sides_of_the_match() -> None:
    with (GOLDEN / "knock" / "evening.jsonl").open("rb") as stream:
        knock = PlayedEvening.of("k", Session.read(stream)).matches[0]
    assert set(knock.hands[0].parties) == set(knock.sides.values())
    with (GOLDEN / "riparto" / "evening.jsonl").open("rb") as stream:
        riparto = PlayedEvening.of("r", Session.read(stream)).matches[0]
    assert {len(party) for hand in riparto.hands for party in hand.parties} == {1}


def test_doubled_hands_of_picchetto_are_undoubled() -> None:
    with (GOLDEN / "picchetto" / "so-many-hands.jsonl").open("rb") as stream:
        matches = PlayedEvening.of("p", Session.read(stream)).matches
    doubled = next(match for match in matches if '"four_deals"' in match.terms)
    assert [hand.times for hand in doubled.hands] == [2, 1, 1, 2]
    assert doubled.hands[3].scores == {"mara": 80, "leo": 20}
    assert [doubled.hands[3].undoubled_score(player) for player in ("mara", "leo")] == [40, 10]


@pytest.mark.parametrize("game", ["picchetto", "briscola_regina"])
def test_facts_of_a_hand_are_countable(game: str) -> None:
    with (GOLDEN / game / "evening.jsonl").open("rb") as stream:
        matches = PlayedEvening.of("one", Session.read(stream)).matches
    names = {name for match in matches for hand in match.hands for name in hand.facts}
    assert names
    assert not names & {"trump", "called", "bris"}  # suits and cards are not counted
