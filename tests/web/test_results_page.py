"""The results: standings as in the report, a drawing of them, and payments that settle them.

Tests of ``web.review.chart`` and ``web.review.payments``.
"""

import re
from itertools import pairwise, product
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web.review.chart import HEIGHT, WIDTH, chart, levels_of
from scorekeeper.web.review.payments import balances, groups, payments
from scorekeeper.web.wording.writing import plain
from tests.api.asking import NOBODY, Table, hand, match
from tests.evenings import event
from tests.web.looking import (
    EACH_LOG,
    EVENINGS,
    GOLDEN,
    brought_in,
    everybodys,
    look,
    page,
    report_of,
)
from tests.web.pages import EXAMPLE, STATIC


@EACH_LOG
def test_the_standings_are_those_of_the_report(path: Path) -> None:
    log = path.read_bytes()
    here = brought_in(log)
    html = look(here, "/results").text
    found = page(here, "/results")
    names = {one["id"]: one["name"] for one in report_of(log)["session"]["players"]}
    places = re.findall(
        r'<li[^>]*><span class="rank">(\d)</span> <bdi>(.*?)</bdi> <span><b>(.*?)</b>', html
    )
    expected = []
    for told in report_of(log)["matches"]:
        totals = sorted(told["totals"].items(), key=lambda one: -one[1])
        for side, total in totals:
            rank = 1 + sum(other > total for _, other in totals)
            sides = " &amp; ".join(names[one] for one in told["sides"][side])
            expected.append((str(rank), sides, plain(total)))
    assert places == expected
    links = {a["href"] for a in found.all("a")}
    for told in report_of(log)["matches"]:
        for one in told["hands"]:
            assert any(link.endswith(f"/h/{told['match']}-{one['hand']}") for link in links)


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_the_lines_of_the_drawing_go_through_every_hand(path: Path) -> None:
    log = path.read_bytes()
    found = page(brought_in(log), "/results")
    lines = [attrs["points"].split() for attrs in found.all("polyline")]
    expected = []
    for told in report_of(log)["matches"]:
        scored = [one.get("game") for one in told["hands"] if one["status"] == "complete"]
        for drawn in dict.fromkeys(scored):  # each game by itself, where games are won
            expected += [scored.count(drawn) + 1] * len(told["sides"])
    assert [len(line) for line in lines] == expected
    for point in (one for line in lines for one in line):
        x, y = map(float, point.split(","))
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_a_disputed_hand_is_flagged_and_leads_to_its_dispute() -> None:
    here = Table.open(everybodys())
    here.do(match(), *hand())
    assert "disputed" not in page(here, "/results").words.replace("⚑ disputed", "")
    here.do(event("hand_disputed", player="leo", reason="no"), who="leo")
    found = page(here, "/results")
    assert "1 hand is disputed" in found.words
    links = [a["href"] for a in found.all("a") if a.get("class") == "bad"]
    assert links == [f"/t/{here.id}/d/1-1"] * 2


def test_what_the_record_gives_of_players() -> None:
    here = brought_in(EXAMPLE)
    words = page(here, "/results").words
    assert "Mara +9 2 2 12 2" in words, "best hand, contracts, made, tricks, dealt"
    assert "pays Mara 37" in words


def test_an_evening_before_any_match() -> None:
    assert "No match has been started yet." in page(Table.open(everybodys()), "/results").words


def test_every_row_of_the_sheet_has_as_many_columns(seven: str) -> None:
    """With seven players, and hands that were abandoned."""
    table = re.search(r'<table class="sheet many">(.*?)</table>', seven, re.DOTALL)
    assert table is not None
    rows = re.findall(r"<tr.*?</tr>", table[1], re.DOTALL)
    spans = [
        sum(int(n or 1) for n in re.findall(r'<t[hd](?:[^>]*?colspan="(\d+)")?', row))
        for row in rows
    ]
    assert set(spans) == {1 + 1 + 7 + 1}, "hand, dealer, players, marks"
    assert '<td colspan="7" class="none">abandoned</td>' in table[1]


@pytest.fixture
def seven() -> str:
    log = (GOLDEN / "briscola_col_monte" / "seven-with-french-cards.jsonl").read_bytes()
    return look(brought_in(log), "/results").text


def test_a_key_is_needed() -> None:
    here = brought_in(EXAMPLE)
    assert look(here, "/results", NOBODY).status_code == 401
    assert look(here, "/results", "view").status_code == 200


def test_the_sheet_carries_the_fingerprint_and_a_square_that_holds_it() -> None:
    here = brought_in(EXAMPLE)
    found = page(here, "/results")
    assert here.head in found.words.replace(" ", "")
    assert any(one.get("class") == "qr" for one in found.all("svg"))
    style = (STATIC / "reading.css").read_text(encoding="utf-8")
    assert "@media print" in style


# ---------------------------------------------------------------------------------- payments

OWED = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(
    lambda some: {str(n): one for n, one in enumerate([*some, -sum(some)])}
)


@given(OWED)
def test_payments_settle_what_is_owed(owed: dict[str, int]) -> None:
    left = dict(owed)
    for payer, to, points in payments(owed):
        assert points > 0
        left[payer] += points
        left[to] -= points
    assert not any(left.values())


@given(OWED)
def test_there_can_be_no_fewer_payments(owed: dict[str, int]) -> None:
    """As few as those who owe, less one for each group that settles by itself: all are tried."""
    some = [one for one in owed.values() if one]
    best = 0
    if len(some) <= 5:
        for parts in product(range(len(some)), repeat=len(some)):
            sums = [sum(v for v, p in zip(some, parts, strict=True) if p == n) for n in set(parts)]
            best = max(best, len(sums) if not any(sums) else 0)
        assert len(payments(owed)) == len(some) - best


def test_scores_that_add_up_to_nothing_are_what_is_paid() -> None:
    assert balances({"a": 4, "b": -4}) == {"a": 4, "b": -4}
    assert balances({"a": 100, "b": 60}) == {"a": 40, "b": -40}
    parted = groups({"a": 3, "b": -3, "c": 2, "d": -2})
    assert sorted(map(sorted, parted)) == [["a", "b"], ["c", "d"]]


# ------------------------------------------------------------------------------------ drawing


@given(st.lists(st.integers(-500, 5000), min_size=1, max_size=20))
def test_every_figure_lies_between_the_levels(figures: list[int]) -> None:
    levels = levels_of(min(figures), max(figures))
    assert levels[0] <= min(figures)
    assert levels[-1] >= max(figures)
    assert 2 <= len(levels) <= 8
    assert 0 in levels


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=7))
def test_names_beside_the_lines_do_not_cover_one_another(ends: list[int]) -> None:
    drawn = chart({str(n): [0, one] for n, one in enumerate(ends)}, {str(n): "x" for n in range(9)})
    assert drawn is not None
    places = sorted(line.label for line in drawn.lines)
    assert all(other - one >= 14.9 for one, other in pairwise(places))


def test_without_a_hand_there_is_no_drawing() -> None:
    assert chart({"a": [0], "b": [0]}, {"a": "A", "b": "B"}) is None
