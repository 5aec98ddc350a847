"""A match without a complete hand has no winner, and no page shows a result of it."""

from tests.api.asking import Table, hand, match
from tests.evenings import event
from tests.web.looking import everybodys, look


def test_match_without_hands_has_no_winner_in_the_report() -> None:
    table = Table.open(everybodys())
    table.do(match(), *hand(), match(), event("session_closed"))
    assert len(table.report()["matches"]) == 2
    html = look(table, "/results").text
    assert "Won by <bdi>Leo</bdi>" in html
    assert "Shared by" not in html
    won = html.partition("Matches won")[2].partition("</table>")[0]
    assert [won.count(f"<td>{number}</td>") for number in (0, 1, 2)] == [2, 1, 0]


def test_match_without_hands_has_no_winner_on_sheets() -> None:
    table = Table.open(everybodys())
    table.do(match(), event("match_ended"), event("session_closed"))
    for path in ("/results", ""):
        html = look(table, path).text
        assert "Shared by" not in html
        assert 'class="winner"' not in html
    log = table.get("/log.jsonl").data
    page = table.client.post("/score", data={"text": log.decode()}).text
    assert "No result: no hand was completed" in page
    assert "Shared by" not in page


def test_match_without_hands_has_no_winner_at_the_table() -> None:
    table = Table.open(everybodys())
    table.do(match(), *hand(), match(), event("match_ended"))
    over = look(table, "").text
    assert "No result: no hand was completed" in over
    assert "Shared by" not in over
    table.do(event("session_closed"))
    closed = look(table, "").text
    assert closed.count('class="winner"') == 1  # of the first match
    assert "<bdi>Leo</bdi> wins" in closed
