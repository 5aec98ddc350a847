"""``/club/<club_id>/money``: balances, each amount down to its hands, and payments."""

import re
from typing import Any

import pytest

from tests.web.club.visiting import Visit, riparto, well_formed
from tests.web.pages import Page, inputs_of

STAKE = {"currency": "EUR", "point": 10, "match": 100}


@pytest.fixture
def club() -> Visit:
    """Three evenings for money, one of them with a guest."""
    visit = Visit.found(money="yes")
    visit.enter(riparto(stake=STAKE), riparto("2026-10-09", "leo", stake=STAKE))
    visit.enter(riparto("2026-10-16", seats="mara leo pippo", stake=STAKE), join="")
    return visit


def first_ledger(visit: Visit) -> Any:
    (ledger,) = visit.phone.get(f"/api/clubs/{visit.club_id}/money").get_json()["money"]
    return ledger


def accounts(page: Page) -> list[str]:
    links = [a.get("href", "") for a in page.all("a")]
    return [link for link in dict.fromkeys(links) if "/money/of?" in link]


def test_every_balance_opens_at_what_it_is_the_sum_of(club: Visit) -> None:
    links = accounts(club.page("/money"))
    assert len(links) == len(first_ledger(club)["balances"]) == 4
    for link in links:
        html = club.phone.get(link).text
        body, _, foot = html.partition("<tfoot>")
        amounts = [_minor(amount) for amount in re.findall(r"[+\N{MINUS SIGN}]€[\d.]+|€0.00", body)]
        (total,) = re.findall(r"[+\N{MINUS SIGN}]?€[\d.]+", foot)
        assert sum(amounts) == _minor(total)
        assert "/h/1-1" in html
        well_formed(club.phone.get(link))


def _minor(shown: str) -> int:
    sign = -1 if shown.startswith("\N{MINUS SIGN}") else 1
    return sign * round(float(shown.lstrip("+\N{MINUS SIGN}€")) * 100)


def test_a_guest_has_an_account_of_his_evening(club: Visit) -> None:
    assert "Pippo guest" in club.page("/money").words


def test_a_payment_is_offered_and_settles(club: Visit) -> None:
    owed = first_ledger(club)["payments"]
    first = next(debt for debt in owed if "/" not in debt["from"] + debt["to"])
    (link,) = [a["href"] for a in club.page("/money").all("a")
               if f"from={first['from']}&to={first['to']}&" in a.get("href", "")]  # fmt: skip
    form = club.phone.get(link.partition("#")[0])
    assert inputs_of(well_formed(form))["amount"] != [""]
    club.done("/money", **{"from": first["from"], "to": first["to"], "note": "at the bar",
                           "amount": f"{first['amount'] / 100:.2f}".replace(".", ",")})  # fmt: skip
    left = [(payment["from"], payment["to"]) for payment in first_ledger(club)["payments"]]
    assert (first["from"], first["to"]) not in left
    words = club.page("/money?done=paid").words
    assert "The payment is recorded." in words
    assert "at the bar" in words
    assert sum(balance["amount"] for balance in first_ledger(club)["balances"]) == 0


def test_payer_and_payee_who_record_one_payment_are_asked(club: Visit) -> None:
    """Both have seen the same debt, and both record that it was paid."""
    debt = {"from": "leo", "to": "mara", "amount": "5"}
    shown = inputs_of(club.page("/money"))
    (seen,) = shown["seen"]
    club.done("/money", **debt, seen=seen, key="payer" * 5)
    asked = club.post("/money", **debt, seen=seen, key="payee" * 5)
    page = well_formed(asked, 409)
    assert "was recorded meanwhile" in page.words
    assert len(first_ledger(club)["paid"]) == 1
    (now_seen,) = inputs_of(page)["seen"]
    club.done("/money", **debt, seen=now_seen, key="again" * 5)
    assert len(first_ledger(club)["paid"]) == 2
    club.done("/money", **{**debt, "from": "mara", "to": "leo"}, seen=seen, key="other" * 5)
    assert len(first_ledger(club)["paid"]) == 3


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"amount": ""}, "An amount such as 5."),
        ({"amount": "0"}, "An amount such as 5."),
        ({"amount": "-3"}, "An amount such as 5."),
        ({"amount": "1.234"}, "An amount such as 5."),
        ({"amount": "99999999999"}, "At most"),
        ({"from": ""}, "Choose a member of the club."),
        ({"to": "leo"}, "Leo cannot pay Leo."),
        ({"to": "nobody"}, "no member"),
        ({"note": "x" * 201}, "This is longer than 200 letters."),
    ],
)
def test_invalid_payment_is_refused_with_a_message(
    club: Visit, form: dict[str, str], says: str
) -> None:
    page = club.refused("/money", **{"from": "leo", "to": "mara", "amount": "5", **form})
    assert says in page.words
    assert first_ledger(club)["paid"] == []


def test_a_payment_is_of_the_day_on_which_it_was_made_where_the_club_is(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    visit = Visit.found(zone="Europe/Rome", money="yes")
    at = "2026-10-24T22:30:00.000Z"
    monkeypatch.setattr(visit.app.extensions["clubs"], "_clock", lambda: at)
    visit.done("/money", **{"from": "mara", "to": "leo", "amount": "5"})
    for page in ("/money", "/money/of?account=leo&currency=EUR", "/settings/recorded"):
        assert "25 Oct 2026" in visit.page(page).words, page


def test_club_without_a_currency_shows_the_stakes_of_its_evenings() -> None:
    visit = Visit.found()
    assert "Money" not in visit.page().words
    visit.enter(riparto(stake=STAKE))
    assert f"/club/{visit.club_id}/money" in {a.get("href") for a in visit.page().all("a")}


def test_debts_in_another_currency_take_no_payments(club: Visit) -> None:
    says = "This club records payments in EUR only."
    assert says not in club.page("/money").words
    club.enter(riparto("2026-10-23", stake={**STAKE, "currency": "CHF"}))
    assert says in club.page("/money").words.partition("Settle up CHF")[2]


def test_club_without_other_members_offers_no_payment() -> None:
    assert "Record a payment" not in Visit.found("Mara", money="yes").page("/money").words


def test_member_records_only_their_own_payments(club: Visit) -> None:
    leo = club.other("seat", "leo")
    page = leo.refused("/money", **{"from": "nina", "to": "mara", "amount": "5"})
    assert "Record what you paid or got yourself." in page.words
    leo.done("/money", **{"from": "nina", "to": "leo", "amount": "5"})
    assert "Record a payment" not in club.other("view").page("/money").words


def test_a_club_without_a_currency_keeps_no_payments() -> None:
    visit = Visit.found()
    words = visit.page("/money").words
    assert "it keeps no payments" in words
    assert "Nobody has played for money yet." in words
    page = visit.refused("/money", **{"from": "leo", "to": "mara", "amount": "5"})
    assert "Record a payment" not in page.words


def test_unknown_account_is_not_found(club: Visit) -> None:
    for query in ("", "?account=mara&currency=CHF", "?account=x&currency=EUR"):
        assert club.look(f"/money/of{query}").status_code == 404
