"""Correcting an entry: from the desk, from the log of the table, and during a hand.

Tests of ``web.dispute.forms``.
"""

import json
import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest

from tests.api.asking import Table, hand, match
from tests.evenings import Raw, event, replaced, struck
from tests.web.looking import OWN, cookie, everybodys, forms, look, page, post

DESK: Final = "/d/1-1"
BID: Final = 4  # its seq
PHONES: Final = 6
NINE: Final = replaced(BID, "bid_made", player="leo", points=9)


@pytest.fixture
def table() -> Table:
    """A hand of Riparto in events 3 to 5: Leo bid 5 and took 5."""
    table = Table.open(everybodys())
    table.do(match(), *hand())
    return table


@pytest.fixture
def at_play() -> Table:
    """A hand of Riparto with Leo's bid of 5 only."""
    table = Table.riparto(everybodys())
    table.do(event("bid_made", player="leo", points=5))
    return table


def entry_links(table: Table, path: str, who: str) -> list[str]:
    """Return the addresses of entries that a page links to."""
    hrefs = [attrs.get("href") or "" for tag, attrs in page(table, path, who).tags if tag == "a"]
    return [href.rpartition("/d/")[2] for href in hrefs if "/e/" in href]


def previewed(table: Table, *corrections: Raw, who: str) -> dict[str, dict[str, str]]:
    """Return the forms of the preview page."""
    return forms(page(table, f"{DESK}/preview?pick={json.dumps(corrections)}&reason=so", who))


def sent(table: Table, what: str, who: str, form: dict[str, str], **more: Any) -> str:
    """Return the address to which a form redirects."""
    answer = post(table, f"{DESK}/{what}", who, **{**form, **more})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def types(table: Table, after: int) -> list[str]:
    events = table.get(f"/events?after={after}").get_json()["events"]
    return [raw["type"] for raw in events]


# ---------------------------------------------------------------------------------- the desk


def test_without_a_suggestion_the_entries_come_first_each_with_a_link_to_change_it(
    table: Table,
) -> None:
    table.do(event("hand_disputed", player="leo", reason="Wrong score"))
    words = page(table, DESK, "leo").words
    first = words.index("Which entry is wrong?")
    assert first < words.index("so no correction can be worked out") < words.index("The evidence")
    assert "Leo bid 5" in words[first : words.index("The evidence")]
    assert "Change Leo bid 5" in words
    assert entry_links(table, DESK, "leo") == ["1-1/e/3", "1-1/e/4", "1-1/e/5"]
    assert entry_links(table, DESK, "view") == []
    assert "Which entry is wrong?" not in page(table, DESK, "view").words


def test_an_entry_is_named_by_its_words(table: Table) -> None:
    words = page(table, f"{DESK}/e/{BID}", "leo").words
    assert words.count("Correct: Leo bid 5") == 2  # the title and the heading
    inserted = page(table, f"{DESK}/e/{BID}?insert=bid_made", "leo").words
    assert "Left out after: Leo bid 5" in inserted


def test_equal_tricks_are_distinguished_by_their_numbers() -> None:
    table = Table.riparto(everybodys())
    taken = [event("trick_taken", player=player) for player in ("leo", "leo", *["mara"] * 7)]
    table.do(event("bid_made", player="leo", points=5), *taken)
    words = page(table, DESK, "leo").words
    assert "Change Trick 1: Leo took the trick" in words
    assert "Change Trick 2: Leo took the trick" in words
    assert "Correct: Trick 2: Leo took the trick" in page(table, f"{DESK}/e/6", "leo").words


def test_struck_entries_are_folded(table: Table) -> None:
    table.do(event("score_claimed", scores={"leo": 5}), struck(6))
    words = page(table, DESK, "leo").words
    assert words.index("Change Points counted") < words.index("1 entry crossed out")
    assert "The table wrote down: Leo 5 crossed out" in words[words.index("1 entry crossed out") :]
    assert "1-1/e/6" not in entry_links(table, DESK, "leo")


def test_a_proposal_disputes_the_hand_with_it(table: Table) -> None:
    form = previewed(table, NINE, who="leo")["propose"]
    assert sent(table, "propose", "leo", form, reason="I said nine") == f"/t/{table.id}{DESK}"
    assert types(table, 5) == ["hand_disputed", "correction_proposed"]
    (dispute,) = table.report()["disputes"]
    assert dispute["state"] == "proposed"
    assert dispute["opened"][0]["player"] == "leo"
    again = post(table, f"{DESK}/propose", "mara", **{**form, "version": str(table.version + 2)})
    assert again.status_code == 422  # one proposal at a time


def test_host_selects_the_player_for_whom_to_dispute(table: Table) -> None:
    form = previewed(table, NINE, who="host")["propose"]
    assert post(table, f"{DESK}/propose", "host", **form, reason="so").status_code == 422
    sent(table, "propose", "host", form, reason="so", player="nina")
    assert table.report()["disputes"][0]["opened"][0]["player"] == "nina"


@pytest.mark.parametrize("correction", [event("note_added", text="x"), event("nothing")])
def test_malformed_correction_is_refused(table: Table, correction: Raw) -> None:
    pick = json.dumps([correction])
    assert look(table, f"{DESK}/preview?pick={pick}", "leo").status_code == 422


# ------------------------------------------------------------------------- the table's own log


def test_the_log_links_each_entry_to_its_correction(table: Table) -> None:
    assert entry_links(table, "/log", "leo") == ["1-1/e/5", "1-1/e/4", "1-1/e/3"]
    assert "Tap an entry to correct it." in page(table, "/log", "leo").words
    assert entry_links(table, "/log", "view") == []
    assert "Tap an entry" not in page(table, "/log", "view").words


def test_log_separates_an_entry_from_its_author() -> None:
    table = Table.riparto(everybodys())
    table.do(event("bid_made", player="leo", points=5), who="mara")
    assert "Leo bid 5 · Mara" in page(table, "/log", "leo").words.replace("\xa0", " ")


def test_of_a_hand_at_play_only_the_host_corrects_an_entry(at_play: Table) -> None:
    assert entry_links(at_play, "/log", "leo") == []
    assert look(at_play, f"{DESK}/e/{BID}", "leo").status_code == 303
    assert entry_links(at_play, "/log", "host") == ["1-1/e/4", "1-1/e/3"]
    asked = previewed(at_play, NINE, who="host")
    assert "propose" not in asked
    form = asked["correct"]
    assert post(at_play, f"{DESK}/correct", "leo", **form).status_code == 403
    assert post(at_play, f"{DESK}/correct", "view", **form).status_code == 403
    assert sent(at_play, "correct", "host", form) == f"/t/{at_play.id}"
    assert types(at_play, 4) == ["event_replaced"]
    assert "Leo bid 9" in page(at_play, "/log", "leo").words
    assert "Undo Leo bid 9" in page(at_play, "", "host").words


def test_a_hand_that_is_over_is_not_corrected_without_signatures(at_play: Table) -> None:
    form = previewed(at_play, NINE, who="host")["correct"]
    at_play.do(event("points_counted", points={"leo": 5, "nina": 6}))
    later = {**form, "version": str(at_play.version)}
    answer = post(at_play, f"{DESK}/correct", "host", **later)
    assert answer.status_code == 422
    assert "propose the correction" in answer.text
    assert types(at_play, 5) == []


def test_a_correction_at_play_stays_in_its_hand(at_play: Table) -> None:
    form = previewed(at_play, NINE, who="host")["correct"]
    other = json.dumps([struck(2)])
    answer = post(at_play, f"{DESK}/correct", "host", **{**form, "corrections": other})
    assert answer.status_code == 422
    assert types(at_play, 4) == []


def test_one_of_six_simultaneous_corrections_is_recorded(at_play: Table) -> None:
    """The other phones are shown that another entry was recorded since."""
    forms = [previewed(at_play, NINE, who="host")["correct"] for _ in range(PHONES)]
    together = threading.Barrier(PHONES)

    def send(place: int) -> str:
        client = at_play.client.application.test_client(use_cookies=False)
        together.wait()
        answer = client.post(
            f"/t/{at_play.id}{DESK}/correct",
            data=forms[place],
            headers={**cookie(at_play, "host"), **OWN},
        )
        assert answer.status_code == 303
        return str(answer.headers["Location"])

    with ThreadPoolExecutor(PHONES) as pool:
        led = Counter(pool.map(send, range(PHONES)))
    assert led == {f"/t/{at_play.id}": 1, f"/t/{at_play.id}{DESK}?stale=1": PHONES - 1}
    assert types(at_play, 4) == ["event_replaced"]
    assert "Something was recorded in the meantime" in page(at_play, f"{DESK}?stale=1").words


def test_a_correction_at_play_stays_in_its_match(table: Table) -> None:
    """Neither from the desk of another match, nor for an entry of another."""
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(event("bid_made", player="leo", points=5))
    bid = table.version
    here, version = "/d/2-1", str(table.version)
    of_now = json.dumps([replaced(bid, "bid_made", player="leo", points=9)])
    of_then = json.dumps([NINE])
    for desk, corrections in ((DESK, of_now), (DESK, of_then), (here, of_then)):
        form = {"version": version, "corrections": corrections}
        assert post(table, f"{desk}/correct", "host", **form).status_code == 422, (
            desk,
            corrections,
        )
    assert post(table, "/d/3-1/correct", "host", version=version).status_code == 404
    assert types(table, bid) == []
    form = {"version": version, "corrections": of_now}
    assert post(table, f"{here}/correct", "host", **form).status_code == 303
    assert types(table, bid) == ["event_replaced"]


# ------------------------------------------------------------------------- complements of counts

COUNTED: Final[dict[str, tuple[Raw, Raw, Raw]]] = {
    "knock": ({"A": 60, "B": 40}, {"A": 72, "B": 40}, {"A": 72, "B": 28}),
    "knock, one empty": ({"A": 60, "B": 40}, {"A": 72, "B": ""}, {"A": 72, "B": 28}),
    "knock, one side": ({"A": 60}, {"A": 72}, {"A": 72}),
    "knock, both changed": ({"A": 60, "B": 40}, {"A": 72, "B": 30}, {"A": 72, "B": 30}),
    "riparto": (
        {"mara": 2, "leo": 5, "nina": 4, "ugo": 4},
        {"mara": 3, "leo": 6, "nina": 5, "ugo": 4},
        {"mara": 3, "leo": 6, "nina": 5, "ugo": 1},
    ),
    "riparto, one changed": (
        {"mara": 2, "leo": 5, "nina": 4, "ugo": 4},
        {"mara": 3, "leo": 5, "nina": 4, "ugo": 4},
        {"mara": 3, "leo": 5, "nina": 4, "ugo": 4},
    ),
}


@pytest.mark.parametrize("case", COUNTED)
def test_correction_of_a_count_fills_in_what_follows_from_the_others(case: str) -> None:
    counted, typed, wanted = COUNTED[case]
    game = case.partition(",")[0]
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(
        event("match_started", game=game, seats=["mara", "leo", "nina", "ugo"]),
        event("hand_started", dealer="mara"),
        *([event("bid_made", player="leo", points=5)] if game == "riparto" else ()),
        event("points_counted", points=counted),
    )
    seq = table.report()["session"]["events"]
    fields = "".join(f"&f.points.{side}={points}" for side, points in typed.items())
    preview = forms(page(table, f"{DESK}/preview?seq={seq}&reason=so{fields}", "leo"))
    proposals = [form["corrections"] for form in preview.values() if "corrections" in form]
    [correction] = json.loads(proposals[0])
    assert correction["data"]["data"]["points"] == wanted
