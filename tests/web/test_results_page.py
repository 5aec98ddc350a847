"""The results: standings as in the report, charts, and payments that settle the balances.

Tests of ``web.review.chart`` and ``web.review.paid``.
"""

import re
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfReader

from scorekeeper.languages.money import format_amount, with_minus_sign
from scorekeeper.report.footnotes import collect_footnotes
from scorekeeper.report.report import view_report
from scorekeeper.report.sheet import HandRow, PenaltyRow, make_sheets
from scorekeeper.service import Holder
from scorekeeper.session.session import Session
from scorekeeper.web.review import results as module
from scorekeeper.web.review.chart import HEIGHT, WIDTH, draw_chart, round_levels
from scorekeeper.web.review.results import (
    MOST_HANDS,
    MOST_MATCHES,
    MOST_OTHERS,
    Results,
    build_results,
)
from tests.api.asking import NO_KEY, Table, hand, match
from tests.evenings import by_hand, event, opening
from tests.thinned import EACH_LOG, thinned
from tests.web.looking import (
    EVENINGS,
    GOLDEN,
    brought_in,
    everybodys,
    look,
    page,
    report_of,
)
from tests.web.pages import EXAMPLE, STATIC

SEATS: Final = ("mara", "leo", "nina")


@EACH_LOG
def test_the_standings_are_those_of_the_report(path: Path) -> None:
    log = path.read_bytes()
    here = brought_in(log)
    html = look(here, "/results").text
    results = page(here, "/results")
    names = {player["id"]: player["name"] for player in report_of(log)["session"]["players"]}
    places = re.findall(
        r'<li[^>]*><span class="rank">(\d)</span> <bdi>(.*?)</bdi> <span><b>(.*?)</b>', html
    )
    expected = []
    for reported in report_of(log)["matches"]:
        if not any(one["status"] == "complete" for one in reported["hands"]):
            continue  # it has no result
        totals = sorted(reported["totals"].items(), key=lambda total: -total[1])
        for side, total in totals:
            rank = 1 + sum(other > total for _, other in totals)
            sides = " &amp; ".join(names[player] for player in reported["sides"][side])
            expected.append((str(rank), sides, with_minus_sign(total)))
    assert places == expected
    links = {a["href"] for a in results.all("a")}
    for reported in report_of(log)["matches"]:
        for reported_hand in reported["hands"]:
            assert any(
                link.endswith(f"/h/{reported['match']}-{reported_hand['hand']}") for link in links
            )


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_the_lines_of_the_drawing_go_through_every_hand(path: Path) -> None:
    log = path.read_bytes()
    results = page(brought_in(log), "/results")
    lines = [attrs["points"].split() for attrs in results.all("polyline")]
    expected = []
    session = Session.read(BytesIO(log))
    for sheet in make_sheets(view_report(session), session):
        by_games = any(game for game, _ in sheet.parts)
        for _, steps in sheet.parts if by_games else [(None, sheet.rows)]:
            dealt = [row for row in steps if isinstance(row, HandRow) and row.status != "open"]
            expected += [len(dealt) + 1] * len(sheet.columns)
    assert [len(line) for line in lines] == expected
    for point in (point for line in lines for point in line):
        x, y = map(float, point.split(","))
        assert 0 <= x <= WIDTH
        assert 0 <= y <= HEIGHT


def test_the_drawing_of_a_game_leads_where_its_score_with_penalties_is() -> None:
    here = Table.open(everybodys(), "mara leo")
    fines = [event("penalty_given", side=side, points=points, reason="late")
             for side, points in (("mara", -10), ("leo", -5))]  # fmt: skip
    count = event("points_counted", points={"mara": 28, "leo": 14})
    here.do(event("match_started", game="picchetto", seats=["mara", "leo"]), fines[0],
            event("hand_started", dealer="mara"), count, fines[1])  # fmt: skip
    words = page(here, "/results").words
    assert re.search("Mara.?: 18", words)
    assert re.search("Leo.?: 9", words)
    (game,) = here.get().get_json()["matches"][0]["games"]
    assert game["scores"] == {"mara": 18, "leo": 9}


def test_no_separator_of_a_summary_hangs_at_the_end_of_a_line() -> None:
    gists = re.findall(r'class="gist">(.*?)</p>', look(brought_in(EXAMPLE), "/results").text)
    assert set(re.findall("·(.{6})", " ".join(gists))) == {"&nbsp;"}


def test_a_disputed_hand_is_flagged_and_leads_to_its_dispute() -> None:
    here = Table.open(everybodys())
    here.do(match(), *hand())
    assert "disputed" not in page(here, "/results").words.replace("⚑ disputed", "")
    here.do(event("hand_disputed", player="leo", reason="no"), who="leo")
    results = page(here, "/results")
    assert "1 hand is disputed" in results.words
    links = [a["href"] for a in results.all("a") if a.get("class") == "bad"]
    assert links == [f"/t/{here.id}/d/1-1"] * 2


def test_statistics_of_players() -> None:
    here = brought_in(EXAMPLE)
    words = page(here, "/results").words
    assert "Mara +9 2 2 12 2" in words, "best hand, contracts, made, tricks, dealt"
    assert "pays Mara 37" in words


def test_match_for_money_is_settled_in_money() -> None:
    here = Table.open(everybodys())
    stake = {"currency": "EUR", "point": 10, "match": 100}
    here.do(event("match_started", game="riparto", seats=["mara", "leo", "nina"], stake=stake))
    here.do(*hand(), event("penalty_given", side="leo", points=-1, reason="late"))
    words = page(here, "/results").words
    assert "Played for money: €0.10 a point, €1.00 for the match." in words
    assert "It may still change: the match is still open." in words
    here.do(event("hand_disputed", player="leo", reason="no"), who="leo")
    here.do(event("match_ended"))
    results = page(here, "/results")
    report = here.report()
    assert report["money"][0]["provisional"]
    assert "It may still change: hand 1 is disputed." in results.words
    assert "Penalties of Leo" in results.words
    [money] = report["money"]
    order = sorted(money["balances"], key=lambda player: -money["balances"][player])
    names = {player["id"]: player["name"] for player in report["session"]["players"]}
    amounts = [format_amount(money["balances"][player], "EUR", sign=True) for player in order]
    heads, cells = " ".join(names[player] for player in order), " ".join(amounts)
    assert f"Match {heads} 1 {cells} Total {cells}" in results.words
    for payment in money["payments"]:
        assert format_amount(payment["amount"], "EUR") in results.words
    links = {a["href"] for a in results.all("a")}
    assert "#m1" in links, "from the evening to its match"
    assert f"/t/{here.id}/h/1-1" in links, "and on to the hand"


def test_points_of_unlike_matches_are_settled_match_by_match_and_never_added() -> None:
    here = Table.open(everybodys())
    here.do(match(), *hand(), match(last_three="sweep"), *hand())
    words = page(here, "/results").words
    assert "Points are settled match by match." in words
    assert "Who pays whom for the evening" not in words


@pytest.mark.parametrize("path", thinned(EVENINGS, 2), ids=lambda path: path.parent.name)
def test_page_and_pdf_sheet_have_equal_texts(path: Path) -> None:
    """Names, figures and footnotes, except for line breaks and spaces."""
    here = brought_in(path.read_bytes())
    paper = PdfReader(BytesIO(here.get("/sheet.pdf").data))
    printed = "".join("".join(sheet_page.extract_text().split()) for sheet_page in paper.pages)
    shown = "".join(page(here, "/results").words.split())
    log = here.get("/log.jsonl").data
    session = Session.read(BytesIO(log))
    report = view_report(session)
    for section in collect_footnotes(session, report):
        for note in section.notes:
            assert "".join(note.place.split()) in shown
            for text in (note.sign, note.text, *note.more):
                assert "".join(text.split()) in printed, note
                assert "".join(text.split()) in shown, note
    for sheet in make_sheets(report, session):
        for side, name in sheet.columns.items():
            for text in (name, with_minus_sign(sheet.totals[side])):
                assert "".join(text.split()) in printed
                assert "".join(text.split()) in shown
        for step in sheet.steps:
            if isinstance(step, PenaltyRow):
                assert "".join(step.reason.split()) in printed
                assert "".join(step.reason.split()) in shown


def matches_of(*hands: int) -> list[Any]:
    """Return matches of so many hands, with penalties after the first and before the last hand."""
    events: list[Any] = [opening(*SEATS)]
    for many in hands:
        events.append(match())
        for number in range(1, many + 1):
            events += hand(SEATS[number % 3])
            if number in (1, many - 1):
                events.append(event("penalty_given", side="leo", points=-1, reason=f"at {number}"))
    return events


def test_long_session_shows_some_hands_and_links_to_the_others() -> None:
    """Each hand is on one page; a malformed number shows the last part."""
    here = brought_in(by_hand(matches_of(2 * MOST_HANDS + 10, 2)))
    total = here.report()["matches"][0]["totals"]["leo"]
    hand_ids: list[str] = []
    fines = 0
    path = "/results?match=1"
    for _ in range(3):
        html = look(here, path).text
        hand_ids = [*re.findall(r'<tbody id="m1h(\d+)"', html), *hand_ids]
        fines += html.count('class="fine"')
        assert f">{with_minus_sign(total)}</td>" in html
        assert 'id="m2h1"' not in html
        earlier = re.search(r'href="[^"]*(/results\?match=1&amp;to=\d+)[^"]*">Earlier', html)
        path = earlier[1].replace("&amp;", "&") if earlier else ""
    assert not path
    assert hand_ids == [str(number) for number in range(1, 2 * MOST_HANDS + 11)]
    assert fines == 2
    last = look(here, "/results").text
    assert 'id="m2h2"' in last
    assert 'id="m1-h1"' not in last
    for odd in ("?match=0", "?match=9", "?match=x", "?to=-1", "?to=99999999999999999999", "?to="):
        assert 'id="m2h2"' in look(here, f"/results{odd}").text


def test_addresses_with_equal_content_share_a_cached_page(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Else a viewer could force a new rendering with each address, while nobody records."""
    computed_parts: list[tuple[int | None, int | None]] = []

    def recording_results(session: Session, holder: Holder, *part: int | None) -> Results:
        computed_parts.append((part[0], part[1]))
        return build_results(session, holder, *part)

    monkeypatch.setattr(module, "build_results", recording_results)
    many = MOST_HANDS + 10
    long, short = (by_hand(matches_of(*hands)) for hands in ((many, 2), (2, 2)))
    odd = ["", "?match=2", "?match=9", "?match=x", "?to=2&y=1", "?to=99", "?match=2&to=-1"]
    asked = [*odd, *(f"?match=1&to={to}" for to in ("x", 0, 1, 2, 9, 10, 11, many, 10**30))]
    for log, parts in ((long, {(2, 2), (1, many), (1, 10)}), (short, {(None, None)})):
        computed_parts.clear()
        here = brought_in(log)
        shown = {problem_of(here, f"/results{query}") for query in asked}
        assert len(shown) == len(computed_parts) == len(set(computed_parts))
        assert set(computed_parts) == parts


def problem_of(here: Table, path: str) -> str:
    """Return the text of a page between its head and its foot."""
    return look(here, path).text.partition("<main")[2]


def test_session_with_many_matches_shows_one_and_links_to_the_others() -> None:
    """Each is listed with its standing, so that all can be found and printed."""
    many = MOST_MATCHES + 1
    events = matches_of(*[2] * many)
    events[-1:-1] = [event("hand_disputed", player="leo", reason="no")]
    here = brought_in(by_hand(events))
    shown: dict[int, str] = {}
    for number in (1, 7, many):
        html = look(here, f"/results?match={number}").text
        assert re.findall(r'<tbody id="m(\d+)h1"', html) == [str(number)]
        others = re.findall(r'<tr id="m(\d+)"><th scope="row"><a href="\?match=(\d+)">', html)
        assert others == [(str(n), str(n)) for n in range(1, many + 1) if n != number]
        rows = re.findall(r'<tr id="m(\d+)">.*?<td>(.*?)</td>', html)
        shown |= {int(n): " ".join(re.sub("<[^>]*>", " ", row).split()) for n, row in rows}
    for reported in here.report()["matches"]:
        text = shown[reported["match"]]
        for player, total in reported["totals"].items():
            assert re.search(rf"{player.capitalize()} {with_minus_sign(total)}( |$)", text)
        assert ("still open" in text) == (reported["status"] == "open")
        assert ("⚑ 1" in text) == (reported["match"] == many)
        won = re.findall(r"★&nbsp; Winner: (\w+)", text)
        assert won == [winner.capitalize() for winner in reported["winners"]]


def test_session_with_very_many_matches_is_listed_in_parts() -> None:
    here = brought_in(by_hand(matches_of(*[0] * (2 * MOST_OTHERS + 1))))
    path, hand_ids = "/results", set[int]()
    for _ in range(3):
        html = look(here, path).text
        hand_ids |= {int(n) for n in re.findall(r' id="m(\d+)"', html)}
        assert ("Later matches" in html) == (path != "/results")
        earlier = re.search(r'href="(\?match=\d+)#others">Earlier', html)
        path = f"/results{earlier[1]}" if earlier else ""
    assert not path
    assert hand_ids == set(range(1, 2 * MOST_OTHERS + 2))


@pytest.mark.parametrize(
    "hands",
    [
        [1_500], [1] * 300, [0] * 1_500,
        *(pytest.param(hands, marks=pytest.mark.soak)
          for hands in ([3_300], [1] * 2_000, [0] * 9_999)),
    ],
    ids=len,
)  # fmt: skip
def test_a_page_of_thousands_of_events_stays_small(hands: list[int]) -> None:
    """In the soak of ten thousand events: all hands of one match, short matches, empty ones."""
    here = brought_in(by_hand(matches_of(*hands)[:10_000]))
    page(here, "/results")
    assert len(look(here, "/results").data) < 300_000


def test_an_evening_before_any_match() -> None:
    assert "No match has been started yet." in page(Table.open(everybodys()), "/results").words


def test_every_row_of_the_sheet_has_as_many_columns(seven: str) -> None:
    """With seven players, and hands that were abandoned."""
    table = re.search(r'<table class="many">(.*?)</table>', seven, re.DOTALL)
    assert table is not None
    rows = re.findall(r"<tr.*?</tr>", table[1], re.DOTALL)
    spans = [
        sum(int(n or 1) for n in re.findall(r'<t[hd](?:[^>]*?colspan="(\d+)")?', row))
        for row in rows
    ]
    assert set(spans) == {1 + 7}, "hand, players"
    assert '<p class="gist">Abandoned</p>' in table[1]


@pytest.fixture
def seven() -> str:
    log = (GOLDEN / "briscola_col_monte" / "seven-with-french-cards.jsonl").read_bytes()
    return look(brought_in(log), "/results").text


def test_a_key_is_needed() -> None:
    here = brought_in(EXAMPLE)
    assert look(here, "/results", NO_KEY).status_code == 401
    assert look(here, "/results", "view").status_code == 200


def test_the_sheet_carries_the_fingerprint_and_a_square_that_holds_it() -> None:
    here = brought_in(EXAMPLE)
    results = page(here, "/results")
    assert here.head in results.words.replace(" ", "")
    assert any(drawing.get("class") == "qr" for drawing in results.all("svg"))
    style = (STATIC / "reading.css").read_text(encoding="utf-8")
    assert "@media print" in style


# ------------------------------------------------------------------------------------ drawing


@given(st.lists(st.integers(-500, 5000), min_size=1, max_size=20))
def test_every_figure_lies_between_the_levels(figures: list[int]) -> None:
    levels = round_levels(min(figures), max(figures))
    assert levels[0] <= min(figures)
    assert levels[-1] >= max(figures)
    assert 2 <= len(levels) <= 8
    assert 0 in levels


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=7))
def test_names_beside_the_lines_do_not_cover_one_another(ends: list[int]) -> None:
    drawn = draw_chart(
        {str(n): [0, end] for n, end in enumerate(ends)}, {str(n): "x" for n in range(9)}
    )
    assert drawn is not None
    places = sorted(line.label for line in drawn.lines)
    assert all(lower - upper >= 14.9 for upper, lower in pairwise(places))


@pytest.mark.parametrize("target", [31, -50])
def test_target_lies_within_the_drawing(target: int) -> None:
    drawn = draw_chart({"a": [0, -6], "b": [0, 4]}, {"a": "A", "b": "B"}, target)
    assert drawn is not None
    assert drawn.target is not None
    assert drawn.target.figure == target
    assert 0 <= drawn.target.at <= HEIGHT


def test_without_a_hand_there_is_no_drawing() -> None:
    assert draw_chart({"a": [0], "b": [0]}, {"a": "A", "b": "B"}) is None


@pytest.mark.parametrize("hands", [1, 12, 99, 100, 101, 130, 999, 1200, 10_000])
def test_the_figures_below_keep_apart(hands: int) -> None:
    drawn = draw_chart({"a": range(hands + 1)}, {"a": "A"})
    assert drawn is not None
    assert drawn.hands[0].figure == 0
    wide = [7 * len(str(mark.figure)) for mark in drawn.hands]  # in letters of 11 units
    for (left, right), (left_width, right_width) in zip(
        pairwise(drawn.hands), pairwise(wide), strict=True
    ):
        assert right.at - left.at >= (left_width + right_width) / 2 + 5
    assert len(drawn.hands) > min(hands, 5)
