"""The money of a club, computed by hand, and always zero in all."""

import io
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.clubs.evening import PlayedEvening, PlayedMatch, PlayedMoney
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.ledger import Ledger, compute_ledgers
from scorekeeper.clubs.values import RecordedPayment as Paid
from scorekeeper.report.report import view_report
from scorekeeper.report.settlement import settle_matches
from scorekeeper.report.views import PaymentView
from scorekeeper.session.session import Session
from tests.clubs.founding import attended, evening, match
from tests.evenings import GOLDEN


def staked(number: int, *amounts: int, currency: str = "EUR", **more: Any) -> PlayedMatch:
    """Return a match of these players with these amounts."""
    match_played = match(number, *amounts, **more)
    money = PlayedMoney(
        currency,
        dict(zip(match_played.sides, amounts, strict=False)),
        (),
        (),
        open=match_played.open,
    )
    return match_played._replace(money=money)


EVENINGS = [
    evening("06", staked(1, 500, -200, -300, players="ada bea ciro"),
            staked(2, 100, -100, players="bea ciro")),
    evening("13", staked(1, -150, 150, players="ada bea")),
]  # fmt: skip
PAID = [Paid("ciro", "ada", 250, "in cash", 20, "2026-11-14T10:00:00.000Z")]


def test_balances_are_those_of_the_evenings_and_what_was_paid() -> None:
    [euros] = compute_ledgers(attended(EVENINGS), PAID, "EUR")
    # ada 500 - 150 - 250; bea -200 + 100 + 150; ciro -300 - 100 + 250
    assert euros.balances == {"ada": 100, "bea": 50, "ciro": -150}
    assert euros.payments == [PaymentView("ciro", "ada", 100), PaymentView("ciro", "bea", 50)]
    assert euros.fewest
    assert not euros.open
    first, second = euros.evenings
    assert first.balances == {"ada": 500, "bea": -100, "ciro": -400}
    assert [part.match for part in first.matches] == [1, 2]
    assert second.balances == {"ada": -150, "bea": 150}


def test_each_currency_stands_by_itself_and_the_clubs_comes_first() -> None:
    francs = evening("20", staked(1, 7, -7, players="ada bea", currency="CHF"))
    ledgers = compute_ledgers(attended([francs, *EVENINGS]), PAID, "EUR")
    assert [ledger.currency for ledger in ledgers] == ["EUR", "CHF"]
    assert ledgers[1].balances == {"ada": 7, "bea": -7}
    assert ledgers[1].paid == ()
    assert compute_ledgers(attended([evening("06", match(1, 3, 1))])) == []  # no stake, no money


def test_player_without_an_account_has_one_for_one_evening() -> None:
    [euros] = compute_ledgers(attended(EVENINGS, "ciro"), (), "EUR")
    assert euros.balances == {"ada": 350, "bea": 50, "evening06/ciro": -400}
    assert euros.unnamed == {"evening06/ciro": ("Ciro", "2026-11-06")}


def test_open_match_makes_the_ledger_open() -> None:
    open_one = evening("20", staked(1, 1, -1, players="ada bea", over=False))
    [euros] = compute_ledgers(attended([open_one]))
    assert euros.open
    assert euros.evenings[0].provisional


def test_result_of_an_evening_equals_its_report() -> None:
    log = (GOLDEN / "briscola_chiamata" / "for-money.jsonl").read_bytes()
    session = Session.read(io.BytesIO(log))
    [values] = settle_matches(session, view_report(session))
    evening_played = PlayedEvening.of("one", session)
    [euros] = compute_ledgers(attended([evening_played]))
    assert PlayedEvening.from_json(evening_played.to_json()) == evening_played
    assert euros.balances == values.balances
    [due] = [part for part in euros.evenings[0].matches[0].made_of if part.what == "penalties"]
    assert due.side == "zoe"


AMOUNTS = st.lists(st.integers(-999, 999), min_size=3, max_size=3)


@given(
    st.lists(AMOUNTS, max_size=6),
    st.lists(st.integers(1, 500), max_size=4),
    st.sets(st.sampled_from(["ada", "bea", "ciro"])),
    st.booleans(),
)
def test_balances_always_sum_to_zero(
    many: list[list[int]],
    paid: list[int],
    guests: set[str],
    merged: bool,
) -> None:
    nights = [evening(f"{n:02}", staked(1, *some, -sum(some))) for n, some in enumerate(many, 1)]
    payments = [Paid("ada", "dora", amount, None, 9, "") for amount in paid]
    there = attended(nights, *guests)
    if merged:
        there = [
            AttendedEvening(evening_.evening, {**evening_.member_of, "ada": "dora", "dora": None})
            for evening_ in there
        ]
    [euros] = compute_ledgers(there, payments, "EUR")
    assert sum(euros.balances.values()) == 0
    assert settled(euros) == dict.fromkeys(euros.balances, 0)


def settled(ledger: Ledger) -> dict[str, int]:
    """The balances after its payments."""
    left = dict(ledger.balances)
    for payment in ledger.payments:
        left[payment.payer] += payment.amount
        left[payment.to] -= payment.amount
    return left
