"""The page of one hand: every figure and trick, and no card before its time.

Tests of ``web.review.hand_story`` and ``web.review.review``.
"""

import re
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

import pytest

from scorekeeper.games import GAMES
from scorekeeper.web.wording.filters import with_sign
from tests.api.asking import NO_KEY, Table, hand, match
from tests.evenings import event, replaced
from tests.thinned import EACH_LOG, thinned_rows
from tests.web.looking import (
    EVENINGS,
    brought_in,
    everybodys,
    look,
    page,
    report_of,
    shown,
)
from tests.web.pages import EXAMPLE, Page, page_of
from tests.web.test_names import PAYLOADS, evening, names_of

KNOCK: Final = event("match_started", game="knock", seats=["mara", "leo", "nina", "ugo"])


def table() -> Table:
    """A hand of Riparto in events 3 to 5."""
    table_ = Table.open(everybodys())
    table_.do(match(), *hand())
    return table_


# --------------------------------------------------------------------------- what is on the page


@EACH_LOG
def test_every_hand_of_every_golden_log_has_its_page(path: Path) -> None:
    log = path.read_bytes()
    here, report = brought_in(log), report_of(log)
    for match_ in report["matches"]:
        for hand_ in match_["hands"]:
            hand_page = page(here, f"/h/{match_['match']}-{hand_['hand']}")
            ids = [attrs["id"] for _, attrs in hand_page.tags if "id" in attrs]
            assert len(ids) == len(set(ids))
            links = {a["href"][1:] for a in hand_page.all("a") if a.get("href", "").startswith("#")}
            assert links <= set(ids)
            for line in hand_["lines"]:
                assert line["text"] in hand_page.words
                assert line["rule"] in hand_page.words
            for points in hand_["scores"].values():
                assert hand_["status"] != "complete" or with_sign(points) in hand_page.words


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_every_clause_leads_into_the_rule_book(path: Path) -> None:
    here = brought_in(path.read_bytes())
    chips = {
        a["href"]
        for number in (1, 2, 3)
        for a in page(here, f"/h/1-{number}").all("a")
        if a.get("class") == "chip"
    }
    books = {
        book: page_of(here.client.get(book)) for book in {chip.split("#")[0] for chip in chips}
    }
    ids = {f"{book}#{attrs.get('id')}" for book, page_ in books.items() for _, attrs in page_.tags}
    assert chips
    assert chips <= ids


@pytest.mark.parametrize("path", ["/h/1-1", "/audit"])
@pytest.mark.parametrize("house", [True, False])
def test_a_clause_is_quoted_with_how_this_table_plays_by_it(path: str, *, house: bool) -> None:
    """A score or finding that quotes another table's rule would be wrong."""
    options = {"bands": [71, 81], "two_call": "two_only"} if house else {}
    seats = ["mara", "leo", "nina", "ugo", "zoe"]
    table = Table.open(everybodys(), " ".join(seats))
    table.do(
        event("match_started", game="briscola_chiamata", seats=seats, options=options),
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", bid=75),
        event("card_called", player="leo", card="4D" if house else "AD"),
        event("partner_revealed", player="nina"),
        event("points_counted", points={"bidder": 80}),
        as_played=True,
    )
    words = page(table, path).words
    assert "C4" in words
    call = "At this table What can a bidder of 2 or of points call if they hold that 2? that 2"
    paid = (
        "At this table How much does a bid of points pay? 2 units from 71 points on and 3 from 81"
    )
    assert (call in words) is house
    assert (paid in words) is (house and path != "/audit")
    assert ("At this table" in words) is house


def test_tricks_are_linked_one_to_the_next_and_say_why_they_were_won() -> None:
    here = brought_in(EXAMPLE)
    hand_page = page(here, "/h/1-1")
    tricks = [
        attrs["id"]
        for tag, attrs in hand_page.tags
        if (attrs.get("class") or "").startswith("one-trick")
    ]
    assert tricks == [f"t{number}" for number in range(1, 10)]
    links = [a["href"] for a in hand_page.all("a") if a.get("rel") in ("prev", "next")]
    assert [link for link in links if link == "#t2"] == ["#t2", "#t2"]
    assert "Mara led. Mara’s A♣ is the highest of the clubs led." in hand_page.words


@pytest.mark.parametrize("game", GAMES)
def test_players_sit_round_the_table_as_play_goes(game: str) -> None:
    """The viewer sits nearest; the next player to the left if play is clockwise, else right."""
    here = brought_in((EVENINGS[0].parents[1] / game / "evening.jsonl").read_bytes())
    hand_ = next(
        place for place in here.report()["matches"][0]["hands"] if place["level"] == "cards"
    )
    seats = here.report()["matches"][0]["seats"]
    html = look(here, f"/h/1-{hand_['hand']}", "host").text
    first = html[html.index('id="t1"') :]
    first = first[: first.index("</ol>")]
    places = re.findall(r'<li class="at(\d)', first)
    many = len(places)
    step = -1 if GAMES[game].direction == "clockwise" else 1
    assert [int(place) for place in places] == [step * n % many for n in range(many)]
    assert set(map(int, places)) == set(range(many))
    assert len(seats) >= many


def test_seat_of_the_viewer_is_nearest() -> None:
    here = brought_in(EXAMPLE)
    for who, name in (("nina", "Nina"), ("leo", "Leo")):
        html = look(here, "/h/1-1", who).text
        nearest = re.search(r'<li class="at0.*?<bdi>(\w+)</bdi>', html, re.DOTALL)
        assert nearest is not None
        assert nearest[1] == name


def test_a_hand_by_tricks_is_a_table_without_cards_to_look_at() -> None:
    here = Table.open(everybodys(), "mara leo nina ugo")
    won = [event("trick_taken", player=player) for player in ("leo", "leo", "mara")]
    here.do(KNOCK, event("hand_started", dealer="mara"), *won)
    html = look(here, "/h/1-1", "nina").text
    assert "one-trick" not in html
    assert "ring of" not in html
    rows = re.findall(r'<tr id="m1h1t\d">(.*?)</tr>', html, re.DOTALL)
    taken = [["took" in cell for cell in row.split("<td")[1:]] for row in rows]
    _, _, mara, leo = ([place == at for place in range(4)] for at in range(4))
    assert taken == [leo, leo, mara]


@pytest.mark.parametrize("path", ["/h/1-1", "/results"])
def test_players_are_ordered_from_the_viewer(path: str) -> None:
    here = brought_in(EXAMPLE)
    for who, names in (("nina", "Nina Ugo Mara Leo"), ("host", "Mara Leo Nina Ugo")):
        html = look(here, path, who).text
        rows = re.findall(r"<thead>.*?</thead>", html, re.DOTALL)
        name_rows = [
            names_in_row
            for row in rows
            if (names_in_row := re.findall(r"<bdi[^>]*>(\w+)</bdi>", row))
        ]
        assert name_rows[0] == names.split()


def test_a_hand_is_found_without_the_number_of_its_match() -> None:
    here = brought_in(EXAMPLE)
    assert "Briscola Regina" in page(here, "/h/2").words
    assert "Riparto" in page(here, "/h/1-2").words


# ------------------------------------------------------------------------------- who may look


@pytest.mark.parametrize("who", ["host", "view", "leo"])
def test_every_key_opens_the_page(who: str) -> None:
    assert "Hand 1" in page(table(), "/h/1-1", who).words


def test_page_needs_a_key() -> None:
    here = table()
    assert look(here, "/h/1-1", NO_KEY).status_code == 401
    other = Table.open(here.client)
    of_another = here.client.get(f"/t/{here.id}/h/1-1", headers=other.cookie("host"))
    assert of_another.status_code == 401


@pytest.mark.parametrize("path", ["/h/9", "/h/1-9", "/h/9-1", "/h/0", "/h/1-0", "/h/x"])
def test_a_hand_that_is_not_there(path: str) -> None:
    page(table(), path, status=404)


# -------------------------------------------------------------------------------- face down


def test_what_lies_face_down_is_not_shown_before_the_hand_is_over() -> None:
    here = Table.open(everybodys(), "mara leo nina ugo")
    laid = event("cards_laid_away", player="mara", cards=["NC", "8S"])
    here.do(KNOCK, event("hand_started", dealer="mara"), laid, as_played=True)
    for who in ("host", "mara", "leo", "view"):
        words = page(here, "/h/1-1", who).words
        assert "knight of cups" not in words
        assert "Mara laid away cards" in words
        assert "What lies face down stays hidden until it is over" in words
    changed = replaced(4, "cards_laid_away", player="mara", cards=["NC", "9S"])
    here.do(changed, as_played=True)
    words = page(here, "/h/1-1").words
    assert "knight of cups" not in words
    assert "swords" not in words
    here.do(event("points_counted", points={"A": 60}), as_played=True)
    assert "knight of cups" in page(here, "/h/1-1").words


def test_findings_reveal_no_face_down_card() -> None:
    here = Table.open(everybodys(), "mara leo nina ugo")
    laid = event("cards_laid_away", player="mara", cards=["KC", "8S"])
    here.do(KNOCK, event("hand_started", dealer="mara"), laid, as_played=True)
    assert [finding["code"] for finding in here.report()["findings"]] == ["bad_discard"]
    assert "king of cups" not in page(here, "/h/1-1").words
    assert "king of cups" not in page(here, "/audit").words
    here.do(event("points_counted", points={"A": 60}), as_played=True)
    assert "king of cups" in page(here, "/h/1-1").words
    assert "king of cups" in page(here, "/audit").words


# ----------------------------------------------------------------------- signed and corrected


def test_a_signature_is_void_after_a_correction_and_the_change_is_shown() -> None:
    here = table()
    here.do(event("hand_confirmed", player="leo"), who="leo")
    assert "Leo accepted this hand." in page(here, "/h/1-1").words
    here.do(replaced(5, "points_counted", points={"mara": 4, "leo": 11}), as_played=True)
    words = page(here, "/h/1-1").words
    assert "Leo accepted the hand before it was changed." in words
    assert "Void since the correction in event 7." in words
    assert "Event 5 was replaced: typed wrongly" in words
    assert "Mara 10" in words
    assert "Leo 11" in words


def test_signature_by_the_host_for_another_is_marked() -> None:
    here = table()
    here.do(event("hand_confirmed", player="leo"))
    assert "on the host’s phone" in page(here, "/h/1-1").words


def test_missing_checks_of_a_hand_name_the_facts_that_would_settle_them() -> None:
    words = page(table(), "/h/1-1").words
    assert "Not on record, so not checked or not certain: 1" in words
    assert "To check this, record:" in words


def test_a_penalty_stands_in_the_arithmetic() -> None:
    here = table()
    here.do(event("penalty_given", side="nina", points=-2, reason="late"))
    words = page(here, "/h/1-1").words
    assert f"{with_sign(-2)} Nina: penalty G7 late" in words


# ---------------------------------------------------------------------------------- hostile


@pytest.mark.parametrize(
    ("path", "text"),
    thinned_rows(
        product(["/h/1-1", "/h/1-2", "/results", "/audit", "/d/1-1", "/d/1-2"], PAYLOADS), 3
    ),
)
def test_typed_text_is_escaped(path: str, text: str) -> None:
    hand_page = page(shown(evening(text)), path)
    assert own_names(hand_page) == plain_names(path)
    assert text in hand_page.text


@cache
def plain_names(path: str) -> list[str]:
    """Return the names in a page without any typed text."""
    return own_names(page(shown(evening("plain")), path))


def own_names(page_: Page) -> list[str]:
    """Return the names of tags in their order, without those that split a long name."""
    return [name for name in names_of(page_.tags) if name not in ("bdi", "span")]


def test_a_name_keeps_to_its_place() -> None:
    answer = look(brought_in(evening("\u202eevil")), "/h/1-2")
    html = answer.text[answer.text.index("<main") :]
    for mark in re.finditer("\u202e", html):
        before = html[: mark.start()]
        assert before.rfind("<bdi>") > before.rfind("</bdi>"), before[-200:]


def unstyled(page_: Page) -> bool:
    return not any("style" in attrs for _, attrs in page_.tags)


@pytest.mark.parametrize("path", ["/h/1-1", "/results", "/audit", "/d/1-3", "/h/1-4"])
def test_nothing_in_these_pages_needs_another_policy(path: str) -> None:
    hand_page = page(brought_in(EXAMPLE), path)
    assert unstyled(hand_page)
    assert all("src" in script for script in hand_page.all("script"))
    assert len(hand_page.all("h1")) == 1
    for attrs in hand_page.all("link") + hand_page.all("script"):
        where = attrs.get("href") or attrs["src"]
        assert where.startswith("/")
