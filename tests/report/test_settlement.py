"""Settlements of matches between players, and of sessions in money.

Tests of ``report.settlement_words``.
"""

from collections.abc import Mapping
from dataclasses import replace
from io import BytesIO
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.checked import GameFaultError
from scorekeeper.play.settlement import Settlement
from scorekeeper.report.report import view_report
from scorekeeper.report.settlement import settle_matches
from scorekeeper.report.settlement_words import describe_stake, list_evening_notes, list_match_notes
from scorekeeper.report.views import MoneyView, SettlementView
from scorekeeper.session.session import Session
from tests.evenings import Evening, event, golden_logs, opening

FIVE = ["mara", "leo", "nina", "ugo", "zoe"]
EURO = {"currency": "EUR", "point": 10, "match": 100}


def chiamata(**more: Any) -> Evening:
    """An evening of one hand of which Leo gets 4, Nina 2, and each of the others pays 2."""
    evening = Evening(
        opening(*FIVE), event("match_started", game="briscola_chiamata", seats=FIVE, **more)
    )
    return hand(evening, "mara")


def hand(evening: Evening, dealer: str) -> Evening:
    evening.say("hand_started", dealer=dealer)
    evening.say("bid_made", player="leo", bid=72)
    evening.say("partner_revealed", player="nina")
    evening.say("points_counted", points={"bidder": 80})
    return evening


def settled(evening: Evening, match: int = 1) -> SettlementView:
    return settle_matches(evening.session, evening.view)[match - 1]


def purse(evening: Evening) -> MoneyView:
    [money] = evening.view.money or ()
    return money


# ------------------------------------------------------------------------------------ points


def test_a_penalty_leaves_the_scale_as_it_is() -> None:
    evening = chiamata()
    assert settled(evening).balances == {"mara": -2, "leo": 4, "nina": 2, "ugo": -2, "zoe": -2}
    evening.say("penalty_given", side="zoe", points=-1, reason="late")
    settlement = settled(evening)
    assert settlement.balances == {"mara": -1, "leo": 4, "nina": 2, "ugo": -2, "zoe": -3}
    assert settlement.odd == ["mara"], "who sits after Zoe"
    evening.say("penalty_given", side="zoe", points=-3, reason="late again")
    settlement = settled(evening)
    assert settlement.balances == {"mara": -1, "leo": 5, "nina": 3, "ugo": -1, "zoe": -6}
    assert settlement.odd == []


def test_a_penalty_that_the_others_share_already_is_not_shared_again() -> None:
    evening = chiamata()
    evening.say("penalty_given", side="zoe", points=-4, reason="talked", spread="others")
    settlement = settled(evening)
    assert settlement.balances == evening.match()["totals"]
    assert settlement.balances == {"mara": -1, "leo": 5, "nina": 3, "ugo": -1, "zoe": -6}


def test_differences_of_riparto_with_a_penalty() -> None:
    seats = ["mara", "leo", "nina"]
    evening = Evening(opening(*seats), event("match_started", game="riparto", seats=seats))
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=6)
    evening.say("points_counted", points={"leo": 6, "nina": 9, "mara": 0})
    assert settled(evening).balances == {"mara": -6, "leo": 12, "nina": -6}
    evening.say("penalty_given", side="nina", points=-1, reason="late")
    assert settled(evening).balances == {"mara": -5, "leo": 13, "nina": -8}


def test_partners_of_knock_each_get_what_the_side_gets() -> None:
    seats = FIVE[:4]
    evening = Evening(opening(*seats), event("match_started", game="knock", seats=seats))
    evening.say("hand_started", dealer="mara")
    evening.say("points_counted", points={"A": 62, "B": 38}, tricks={"A": 7, "B": 6})
    evening.say("penalty_given", side="A", points=-2, reason="talked")
    assert settled(evening).balances == {"mara": 10, "nina": 10, "leo": -10, "ugo": -10}


LOGS = [path for path in golden_logs() if path.name == "evening.jsonl"]


def test_every_golden_log_comes_to_nothing() -> None:
    for path in golden_logs():
        with path.open("rb") as stream:
            session = Session.read(stream)
        report = view_report(session)
        for match, settlement in zip(report.matches, settle_matches(session, report), strict=True):
            assert sum(settlement.balances.values()) == 0, path
            assert all(sum(due.amounts.values()) == 0 for due in settlement.dues), path
            assert (match.settlement is None) is (match.stake is None)


# ------------------------------------------------------------------------------------- money


def test_a_stake_turns_points_into_money() -> None:
    evening = chiamata(stake=EURO)
    evening.say("penalty_given", side="zoe", points=-1, reason="late")
    values = evening.match()
    assert values["stake"] == EURO
    settlement = values["settlement"]
    assert settlement["balances"] == {"mara": -17, "leo": 43, "nina": 22, "ugo": -18, "zoe": -30}
    assert settlement["odd"] == ["mara", "leo"]
    assert [(due["what"], due["hand"], due["side"]) for due in settlement["dues"]] == [
        ("hand", 1, None), ("penalties", None, "zoe"),
    ]  # fmt: skip
    assert settlement["doubts"] == [{"why": "open", "hand": None}]
    evening.say("match_ended")
    settlement = evening.match()["settlement"]
    assert settlement["dues"][-1]["amounts"] == {
        "mara": -100, "leo": 400, "nina": -100, "ugo": -100, "zoe": -100,
    }  # fmt: skip
    assert settlement["doubts"] == []
    [money] = evening.report["money"]
    assert money["balances"] == settlement["balances"]
    assert money["digits"] == 2
    assert {payment["to"] for payment in money["payments"]} == {"leo"}
    assert money["fewest"]
    assert not money["provisional"]


def test_indivisible_rest_of_a_match_is_reported() -> None:
    seats = ["mara", "leo", "nina"]
    stake = {"currency": "EUR", "point": 0, "match": 1}
    evening = Evening(
        opening(*seats), event("match_started", game="riparto", seats=seats, stake=stake)
    )
    hand_of_riparto(evening)
    evening.say("penalty_given", side="leo", points=-7, reason="late")
    evening.say("match_ended")
    assert evening.match()["winners"] == ["mara", "nina"]
    settlement = settled(evening)
    assert settlement.balances == {"mara": 1, "leo": -1, "nina": 0}
    assert settlement.odd == ["mara"]


def test_points_of_different_games_are_never_added() -> None:
    evening = chiamata(stake=EURO)
    evening.say("match_started", game="riparto", seats=FIVE[:3])
    hand_of_riparto(evening)
    evening.say("match_started", game="riparto", seats=FIVE[:3], stake={**EURO, "point": 7})
    hand_of_riparto(evening)
    evening.say("match_started", game="picchetto", seats=["mara", "leo"],
                stake={"currency": "JPY", "point": 500, "match": 0})  # fmt: skip
    settlements = evening.view.money or ()
    assert [(settlement.currency, settlement.matches) for settlement in settlements] == [
        ("EUR", [1, 3]), ("JPY", [4]),
    ]  # fmt: skip
    first, other = settled(evening, 1).balances, settled(evening, 3).balances
    assert settlements[0].balances == {
        player: first[player] + other.get(player, 0) for player in FIVE
    }
    assert settlements[1].balances == {"mara": 0, "leo": 0}


def hand_of_riparto(evening: Evening) -> None:
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=6)
    evening.say("points_counted", points={"leo": 6, "nina": 9, "mara": 0})


def test_each_player_s_money_is_the_sum_of_its_lines() -> None:
    for path in LOGS:
        text = path.read_bytes().replace(
            b'"match_started", "data": {', b'"match_started", "data": {"stake": %s, ' % STAKE
        )
        session = Session.read(BytesIO(text))
        report = view_report(session)
        for match in report.matches:
            assert match.settlement is not None
            assert match.settlement.dues
            for side, members in match.sides.items():
                in_all = sum(due.amounts[side] for due in match.settlement.dues)
                assert {match.settlement.balances[member] for member in members} == {in_all}
        assert report.money is not None
        assert sum(report.money[0].balances.values()) == 0


STAKE = b'{"currency": "EUR", "point": 10, "match": 33}'


def test_what_is_disputed_or_incomplete_is_provisional() -> None:
    evening = chiamata(stake=EURO)
    evening.say("hand_disputed", player="zoe", reason="count")
    evening.say("hand_started", dealer="leo")
    evening.say("match_ended")
    settlement = settled(evening)
    assert [(doubt.why, doubt.hand) for doubt in settlement.doubts] == [
        ("disputed", 1),
        ("incomplete", 2),
    ]
    assert purse(evening).provisional
    assert list_notes(evening) == ["It may still change: hand 1 is disputed, hand 2 is incomplete."]
    assert [str(note) for note in list_evening_notes(purse(evening), evening.view)] == [
        "It may still change through match 1."
    ]


def test_doubts_about_several_hands_share_a_sentence() -> None:
    evening = hand(chiamata(stake=EURO), "leo")
    for number in (1, 2):
        evening.say("hand_disputed", player="zoe", reason="count", match=1, hand=number)
    evening.say("match_ended")
    assert list_notes(evening) == ["It may still change: hands 1–2 are disputed."]


def list_notes(evening: Evening) -> list[str]:
    settlement = settled(evening)
    return [str(note) for note in list_match_notes(settlement, settlement.odd)]


def test_stake_is_described() -> None:
    def write(amount: int, currency: str) -> str:
        return f"{amount} {currency}"

    evening = chiamata(stake=EURO)
    stake = evening.session.structure.matches[0].stake
    assert stake is not None
    assert str(describe_stake(stake, "points", write)) == (
        "Played for money: 10 EUR a point, 100 EUR for the match."
    )
    evening = chiamata(stake={**EURO, "match": 0})
    stake = evening.session.structure.matches[0].stake
    assert stake is not None
    assert str(describe_stake(stake, "games", write)) == (
        "Played for money: 10 EUR for each game won."
    )


def test_a_stake_that_is_corrected_changes_what_is_paid() -> None:
    evening = chiamata(stake=EURO)
    assert settled(evening).balances["leo"] == 40
    started = {"game": "briscola_chiamata", "seats": FIVE}
    evening.replace(2, "match_started", **started, stake={**EURO, "point": 1000})
    assert settled(evening).balances["leo"] == 4000
    evening.replace(2, "match_started", **started)
    assert settled(evening).balances["leo"] == 4
    assert "money" not in evening.report


WRONG: list[tuple[Mapping[str, Any], str]] = [
    ({**EURO, "point": 0.1}, "data.stake.point"),
    ({**EURO, "point": -1}, "data.stake.point"),
    ({**EURO, "point": True}, "data.stake.point"),
    ({**EURO, "point": "10"}, "data.stake.point"),
    ({**EURO, "match": 10**9 + 1}, "data.stake.match"),
    ({**EURO, "match": 10**400}, "data.stake.match"),
    ({**EURO, "currency": "XXX"}, "data.stake.currency"),
    ({**EURO, "currency": "eur"}, "data.stake.currency"),
    ({**EURO, "currency": ["EUR"]}, "data.stake.currency"),
    ({"currency": "EUR", "point": 1}, "data.stake.match"),
    ({**EURO, "hand": 1}, "data.stake.hand"),
]


@pytest.mark.parametrize(("stake", "field"), WRONG)
def test_a_stake_that_is_none(stake: Mapping[str, Any], field: str) -> None:
    with pytest.raises(UnusableError) as refused:
        chiamata(stake=stake)
    assert refused.value.field == field


def test_the_largest_stake_and_penalty_can_be_settled() -> None:
    evening = chiamata(stake={"currency": "CLF", "point": 10**9, "match": 10**9})
    evening.say("penalty_given", side="zoe", points=2**53 - 1, reason="large")
    evening.say("match_ended")
    assert sum(purse(evening).balances.values()) == 0
    assert purse(evening).payments


@pytest.mark.parametrize(
    ("stake", "due"),
    [({"stake": {"currency": "EUR", "point": 5, "match": 50}}, 306 * 5 + 50), ({}, 306)],
)
def test_a_match_of_so_many_hands_settles_what_it_comes_to(
    stake: Mapping[str, Any], due: int
) -> None:
    evening = Evening(
        opening("mara", "leo"),
        event("match_started", game="picchetto", seats=["mara", "leo"],
              options={"match": "rubicon"}, **stake),
    )  # fmt: skip
    for place, (mine, theirs) in enumerate([(125, 81), *[(0, 0)] * 5]):
        evening.add(event("hand_started", dealer=("leo", "mara")[place % 2]))
        evening.add(event("points_counted", points={"mara": mine, "leo": theirs}))
    match = evening.match()
    assert match["reckoning"]["points"] == {"mara": 306, "leo": -306}
    assert settled(evening).balances == {"mara": due, "leo": -due}
    assert ("settlement" in match) is bool(stake)


def test_a_game_that_pays_more_than_it_takes_is_at_fault() -> None:
    evening = Evening(
        opening(*FIVE[:3]), event("match_started", game="riparto", seats=FIVE[:3]),
        event("hand_started", dealer="mara"), event("bid_made", player="leo", points=5),
        event("points_counted", points={"leo": 5, "mara": 10, "nina": 0}),
    )  # fmt: skip
    report = evening.view
    (record,) = evening.session.structure.matches
    record.game = replace(record.game, settlement=Settlement("As it comes.", zero_sum=True))
    with pytest.raises(GameFaultError) as caught:
        settle_matches(evening.session, report)
    assert caught.value.game == "riparto"
