"""Every figure on the results page equals that of the report.

The tests use the golden evenings and simulated ones, some of them for money.
"""

import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from scorekeeper.languages.money import MINUS, format_amount
from tests.evenings import by_hand, golden_evenings
from tests.players.common import GAMES, evening, seeded
from tests.thinned import thinned
from tests.web.looking import brought_in, look, report_of

NOTHING: Final = "\N{EN DASH}"
WON: Final = re.compile(r" won the (hand|game)$")
STEPS: Final = ("line", "line fine")  # a hand, a penalty
TABLE: Final = re.compile(r"<table.*?</table>", re.DOTALL)
STAKES: Final = (
    {"currency": "EUR", "point": 25, "match": 100},
    {"currency": "JPY", "point": 7, "match": 0},
)
MONEY: Final = sorted((Path(__file__).parents[1] / "golden").glob("*/for-money.jsonl"))


class Line(NamedTuple):
    """A row of a table: its class, its head, and the texts of its cells."""

    kind: str
    head: str
    cells: list[str]


def text(html: str) -> str:
    return " ".join(unescape(re.sub("<[^>]*>", " ", html)).split())


def lines(table: str) -> list[Line]:
    """The rows of a table that have cells of their own."""
    lines_found = []
    for kind, row in re.findall(r'<tr(?: class="([^"]*)")?[^>]*>(.*?)</tr>', table, re.DOTALL):
        head = re.search(r"<th[^>]*>(.*?)</th>", row, re.DOTALL)
        cells = re.findall(r"<td[^>]*>(.*?)</td>", row, re.DOTALL)
        lines_found.append(Line(kind, text(head[1]) if head else "", list(map(text, cells))))
    return lines_found


def number(text_: str) -> int:
    return int(text_.replace(MINUS, "-"))


def numbers(cell: str) -> list[int]:
    """Return the figures of a cell, without the words that name a winner."""
    return [number(figure) for figure in WON.sub("", cell).split()]


def matches(html: str) -> dict[int, str]:
    """Return the section of each match."""
    of_matches = html.partition('<h2 id="evening">')[0]
    _before, *parts = re.split(r'<section class="played" id="m(\d+)"', of_matches)
    return {int(n): part for n, part in zip(parts[::2], parts[1::2], strict=True)}


def money_evening(seed: int, game: str, level: str | None) -> bytes:
    """Return a simulated evening; every second one is for money."""
    events = evening(seeded(seed), game, level, hands=9).events
    if seed % 2:
        events[1]["data"]["stake"] = STAKES[seed // 2 % 2]
    return by_hand(events)


GOLDEN: Final = [pytest.param(path, id=path.parent.name) for path in (*golden_evenings(), *MONEY)]
PLAYED: Final = [(game, seed) for seed in range(20) for game in GAMES]


@pytest.mark.parametrize("path", GOLDEN)
def test_of_golden_evenings(path: Path) -> None:
    compare(path.read_bytes())


@pytest.mark.parametrize("played", thinned(PLAYED, 11), ids=str)
def test_of_simulated_evenings(played: tuple[str, int]) -> None:
    game, seed = played
    compare(money_evening(seed, game, (None, "totals", "cards")[seed % 3]))


def compare(log: bytes) -> None:
    """Compare each match and the totals of the evening with the report."""
    html, report = look(brought_in(log), "/results").text, report_of(log)
    names = {player["id"]: player["name"] for player in report["session"]["players"]}
    parts = matches(html)
    assert list(parts) == [match["match"] for match in report["matches"]]
    for match in report["matches"]:
        ledger, facts, *made_of = tables(parts[match["match"]]) or [[], []]
        if match["hands"]:
            hands(match, ledger)
            players(match, names, facts)
            drawn(match, parts[match["match"]])
        for dues, due in zip(made_of, [match["settlement"]] if made_of else [], strict=True):
            assert payments(parts[match["match"]]) == as_written(due, match["stake"], names)
            paid(match, dues)
    every = html.partition('<h2 id="evening">')[2]
    for money in report.get("money", []):
        assert as_written(money, money, names) <= payments(every)
        evening_paid(report, money, names, every)
    light = sum(finding["severity"] == "info" for finding in report["findings"])
    assert (f"not certain: {light}<" in html) == bool(light)


def tables(html: str) -> list[list[Line]]:
    return [lines(table) for table in TABLE.findall(html)]


def hands(match: dict[str, Any], rows: list[Line]) -> None:
    """Check the points and totals of each hand, and the sum of each column."""
    steps = [row for row in rows if row.kind in STEPS]
    dealt = [row for row in steps if row.kind == "line"]
    assert [int(row.head.split()[0]) for row in dealt] == [hand["hand"] for hand in match["hands"]]
    for row, hand in zip(dealt, match["hands"], strict=True):
        complete = hand["status"] == "complete"
        for cell, side in zip(row.cells, match["sides"], strict=True):
            assert cell == NOTHING or numbers(cell)[0] == hand["scores"][side]
            assert ("won the hand" in cell) == (hand.get("winner") == side)
            assert complete == (cell != NOTHING)
    if "games" not in match:
        hand_totals = list(totals(steps, len(match["sides"])))
        for hand, rows_ in zip(match["hands"], hand_totals, strict=True):
            assert list(hand["totals"].values()) in rows_
    [below] = [row for row in rows if row.kind == "total" and row.head != "Settled"]
    assert list(map(number, below.cells)) == list(match["totals"].values())
    if "wins" not in match["options"].get("match", {}):  # where points are not added
        columns(match, rows)


def totals(steps: list[Line], sides: int) -> Iterator[list[list[int]]]:
    """Return the totals after each hand, and after each penalty before the next one.

    A penalty is listed after its hand, whose totals in the report include it.
    """
    now, rows = [0] * sides, list[list[int]]()
    for row in steps:
        if row.kind == "line" and rows:
            yield rows
        rows = [] if row.kind == "line" else rows
        for place, cell in enumerate(row.cells):
            now[place] = numbers(cell)[1] if cell not in ("", NOTHING) else now[place]
        if row.kind == "line" or rows:
            rows.append(list(now))
    if rows:
        yield rows


def columns(match: dict[str, Any], rows: list[Line]) -> None:
    """Check that the points above each sum add up to it, and the totals beside them."""
    come_to = [list(game["scores"].values()) for game in match.get("games", [])]
    come_to = come_to or [list(match["totals"].values())]
    winners = [game["winner"] for game in match.get("games", [])]
    so_far = [0] * len(match["sides"])
    for row in rows:
        if row.kind in STEPS:
            for place, cell in enumerate(row.cells):
                if cell not in ("", NOTHING):
                    points, total = numbers(cell)
                    so_far[place] += points
                    assert so_far[place] == total
        elif row.cells and row.head and come_to and row.head not in ("Games won", "Settled"):
            assert [numbers(cell)[0] for cell in row.cells] == so_far == come_to.pop(0)
            so_far = [0] * len(so_far)
            if winners:
                won = [side == winners[0] for side in match["sides"]]
                assert ["won the game" in cell for cell in row.cells] == won
                del winners[0]
    assert come_to == []


def drawn(match: dict[str, Any], part: str) -> None:
    """Check that the charts state in words where each line ends."""
    figures = [
        [number(figure) for figure in re.findall(f"\u2069: ([{MINUS}\\d]+)", desc)]
        for desc in map(unescape, re.findall(r"<desc[^>]*>(.*?)</desc>", part, re.DOTALL))
    ]
    ends = [list(game["scores"].values()) for game in match.get("games", [])]
    assert figures in ([], ends or [list(match["totals"].values())])


def players(match: dict[str, Any], names: dict[str, str], rows: list[Line]) -> None:
    """Check each player's best hand, hands won by their side, and hands dealt."""
    cells_by_name = {row.head: row.cells for row in rows[1:]}
    for side, members in match["sides"].items():
        scored = [h["scores"][side] for h in match["hands"] if h["status"] == "complete"]
        won = [hand["winner"] for hand in match["hands"] if hand["winner"] is not None]
        for player in members:
            cells = cells_by_name[names[player]]
            assert cells[0] == NOTHING if not scored else number(cells[0]) == max(scored)
            assert not won or int(cells[1]) == won.count(side)
            assert int(cells[-1]) == sum(hand["dealer"] == player for hand in match["hands"])


# -------------------------------------------------------------------------------------- money


def paid(match: dict[str, Any], rows: list[Line]) -> None:
    """Check the amounts of each hand, the penalties and the match, and the sums."""
    currency, heads = match["stake"]["currency"], match["sides"]
    dues = match["settlement"]["dues"]
    of_sides = [[due["amounts"].get(side, 0) for side in heads] for due in dues]
    sums = [sum(column) for column in zip(*of_sides, strict=True)] or [0] * len(heads)
    assert [row.cells for row in rows[1:]] == [
        [format_amount(amount, currency, "en", sign=True) for amount in amounts]
        for amounts in (*of_sides, sums)
    ]
    for side, amount in zip(heads, sums, strict=True):
        for player in match["sides"][side]:
            assert match["settlement"]["balances"][player] == amount


def evening_paid(
    report: dict[str, Any], money: dict[str, Any], names: dict[str, str], html: str
) -> None:
    """Check the amounts of each match and of the evening, by player."""
    heads = {names[balance]: balance for balance in money["balances"]}
    tables_ = [table for table in TABLE.findall(html) if ">Match<" in table]
    [rows] = [lines(table) for table in tables_]
    [head] = [re.findall(r"<bdi>(.*?)</bdi>", table) for table in tables_]
    order = [heads[unescape(name)] for name in head]
    wanted = [report["matches"][n - 1]["settlement"]["balances"] for n in money["matches"]]
    assert [row.cells for row in rows[1:]] == [
        [
            format_amount(balances.get(player, 0), money["currency"], "en", sign=True)
            for player in order
        ]
        for balances in (*wanted, money["balances"])
    ]


def as_written(
    settlement: dict[str, Any], stake: dict[str, Any], names: dict[str, str]
) -> set[tuple[str, str, str]]:
    """Return the payments of the report."""
    currency = stake["currency"]
    return {(names[payment["from"]], names[payment["to"]],
             format_amount(payment["amount"], currency, "en"))
            for payment in settlement["payments"]}  # fmt: skip


def payments(html: str) -> set[tuple[str, str, str]]:
    """Return the payments on the page."""
    payments_shown = re.findall(r"<li><bdi>(.*?)</bdi>.*?<bdi>(.*?)</bdi> <b>(.*?)</b></li>", html)
    return {(unescape(a), unescape(b), unescape(amount)) for a, b, amount in payments_shown}
