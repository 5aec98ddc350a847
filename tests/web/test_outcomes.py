"""A closed evening shows its results: at the table, on the first page, and to who closed it.

Tests of ``web.forms.outcomes``.
"""

import re

from flask.testing import FlaskClient

from scorekeeper.web.forms.outcomes import list_outcomes
from tests.evenings import event
from tests.web.pages import Page
from tests.web.tapping import Tapped
from tests.web.test_stopping import HAND, fill, riparto_table
from tests.web.test_table import visited

__all__ = ["visited"]

AGAIN = event("match_started", game="picchetto", seats=["leo", "mara"])


def first_page(table: Tapped) -> str:
    """Return what the first page says of the table."""
    answer = table.client.get("/", headers=table.headers())
    line = re.search(r'<ul class="tables">.*?</ul>', answer.text, re.DOTALL)
    assert line is not None
    return Page.of(line[0]).words


def test_closed_evening_shows_the_last_match_with_a_result(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"), AGAIN)
    opened = table.page().words
    assert "Picchetto" in opened
    assert "★" not in first_page(table)
    assert fill(table, "/close").status_code == 303
    html = table.get("").text
    figures = re.findall(r'<span class="figure">(.+?)</span>', html)
    totals = [str(total) for total in table.report()["matches"][0]["totals"].values()]
    assert sorted(figures) == sorted(totals)
    words = Page.of(html).words
    assert "The evening is closed Leo wins See the results" in words
    assert "★" in first_page(table)
    assert "Riparto" in first_page(table)


def test_closed_evening_lists_every_match_with_a_result(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND, event("match_ended"))
    table.record(event("match_started", game="riparto", seats=["leo", "mara", "nina"]), *HAND)
    assert fill(table, "/close", result="undecided").status_code == 303
    words = table.page().words
    assert "Riparto: Leo wins Mara 0 · Leo 5 · Nina 0" in words
    assert "Riparto: Undecided: nobody has won it" in words


def test_evening_without_a_hand_shows_no_score_after_the_close(visited: FlaskClient) -> None:
    table = riparto_table(visited)
    assert fill(table, "/close").status_code == 303
    html = table.get("").text
    assert 'class="figure"' not in html
    assert "No result: no hand was completed" in html
    assert " 0" not in first_page(table)


def test_host_sees_the_results_after_the_close(visited: FlaskClient) -> None:
    table = riparto_table(visited, *HAND)
    answer = fill(table, "/close", result="decided")
    assert answer.location.endswith("/results")
    [outcome] = visited.application.extensions["service"].see(table.id, list_outcomes)
    assert outcome.finished
    assert [side.names for side in outcome.sides if side.won] == [["Leo"]]
