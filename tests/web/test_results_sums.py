"""The results page adds up matches of one game over changing players, with one list of payments."""

import re

from tests.api.asking import Table
from tests.evenings import Raw
from tests.report.test_evening_sums import CHANGING, STAKE, hand, match
from tests.web.looking import everybodys, look, page


def played(*more: Raw) -> Table:
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(*CHANGING[1:], *more)
    return table


def test_results_have_one_table_and_one_list_of_payments() -> None:
    table = played()
    html, words = look(table, "/results").text, page(table, "/results").words
    assert "Riparto Matches 1–3 Player Total Matches Matches won" in words
    assert "1. Mara 10 2 1 1. Leo 10 3 1 3. Nina 0 2 0 3. Ugo 0 2 0" in words
    assert html.count('class="pays-list"') == 1
    assert words.count("What is paid for this match is in the sum of the evening.") == 3
    assert "Points are settled match by match." not in words


def test_match_for_money_keeps_its_own_payments() -> None:
    table = played(match(stake=STAKE), *hand("leo", "nina", "mara"))
    html = look(table, "/results").text
    assert len(re.findall('class="pays-list"', html)) == 3, "the match, the evening, the sum"
    assert "€" in html
