"""Typed text is shown as text everywhere, and does not affect the text around it."""

import re

import pytest
from flask.testing import FlaskClient

from tests.web.pages import log_of, page_of, score

PAYLOADS = (
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"'><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "</textarea><h1>",
    "javascript:alert(1)",
    "&lt;b&gt; &amp;",
    "\u202eevil\u2066",
    "' onmouseover='x",
    "{name}%s${x}",
)


def evening(text: str) -> str:
    """Return a log in which every free text is this one."""
    players = [
        {"id": player, "name": text[:55] + str(n)} for n, player in enumerate(("a", "b", "c"))
    ]
    return log_of(
        ("session_opened", {"title": text, "place": text, "players": players}),
        ("player_joined", {"id": "d", "name": text}),
        ("match_started", {"game": "riparto", "seats": ["a", "b", "c"]}),
        ("penalty_given", {"side": "a", "points": -1, "reason": text}),
        ("hand_started", {"dealer": "a"}),
        ("hand_abandoned", {"reason": text, "player": "b"}),
        ("hand_started", {"dealer": "b"}),
        ("bid_made", {"player": "c", "points": 6}),
        ("bid_made", {"player": "c", "points": 7}),
        ("note_added", {"text": text}),
        ("points_counted", {"points": {"a": 4, "b": 5, "c": 6}}),
        ("score_claimed", {"scores": {"a": 3}}),
        ("hand_confirmed", {"player": "a"}),
        ("hand_disputed", {"player": "a", "reason": text}),
        ("dispute_settled", {"ruling": "upheld", "text": text}),
        ("penalty_given", {"side": "b", "points": 1, "reason": text}),
        ("event_struck", {"seq": 9, "reason": text}),
        ("event_inserted", {"after": 8, "type": "note_added", "data": {"text": text},
                            "reason": text}),
        ("match_ended", {"reason": text}),
    )  # fmt: skip


def names_of(tags: list[tuple[str, dict[str, str]]]) -> list[str]:
    """Return the elements of names; a cut name has one to be seen and one for screen readers."""
    return [tag for tag, _ in tags if tag != "bdi"]


@pytest.mark.parametrize("text", PAYLOADS)
def test_markup_is_shown_as_text(client: FlaskClient, text: str) -> None:
    answer = score(client, evening(text))
    page, plain = page_of(answer), page_of(score(client, evening("plain")))
    assert answer.status_code == 200
    assert page.wrong == []
    assert names_of(page.tags) == names_of(plain.tags), "the same elements as with a plain text"
    assert page.text.count(text) == plain.text.count("plain")


@pytest.mark.parametrize("text", PAYLOADS)
def test_an_unusable_log_is_shown_as_text(client: FlaskClient, text: str) -> None:
    logs = [evening(text_).replace('"riparto"', '"bridge"') for text_ in (text, "plain")]
    page, plain = (page_of(score(client, log)) for log in logs)
    assert page.wrong == []
    assert names_of(page.tags) == names_of(plain.tags)


@pytest.mark.parametrize("text", PAYLOADS)
def test_a_wrong_address_is_shown_as_text(client: FlaskClient, text: str) -> None:
    page = page_of(client.get("/rules/" + text.replace("/", "")))
    assert names_of(page.tags) == names_of(page_of(client.get("/rules/bridge")).tags)


def test_a_name_is_kept_apart_from_the_text_around_it(client: FlaskClient) -> None:
    """A right-to-left name must not reverse the text after it."""
    html = score(client, evening("\u202eevil")).get_data(as_text=True)
    body = html[html.index("<body") :]
    places = [mark.start() for mark in re.finditer("\u202e", body)]
    assert places
    for place in places:
        before = body[:place]
        opened = [mark.start() for mark in re.finditer(r"<bdi[ >]", before)]
        assert opened, before[-200:]
        assert opened[-1] > before.rfind("</bdi>"), before[-200:]


def test_the_longest_names_are_shown(client: FlaskClient) -> None:
    answer = score(client, evening("W" * 60))
    assert answer.status_code == 200


def test_a_sentence_keeps_its_direction_whatever_that_of_the_names_in_it(
    client: FlaskClient,
) -> None:
    """A right-to-left name at its beginning reversed the sentence with its figures."""
    arabic, hebrew = "\u0645\u062d\u0645\u062f \u0639\u0644\u064a", "\u05d0\u05d3\u05d4"
    players = [{"id": player, "name": name} for player, name in (("a", arabic), ("b", hebrew))]
    log = log_of(
        ("session_opened", {"title": "Friday", "players": players}),
        ("match_started", {"game": "picchetto", "seats": ["a", "b"]}),
        ("hand_started", {"dealer": "a"}),
        ("points_counted", {"points": {"a": 12, "b": 30}}),
        ("hand_disputed", {"player": "a", "reason": "no"}),
    )
    text = score(client, log).text
    assert f'<bdi dir="ltr"><bdi>{arabic}</bdi> dealt</bdi>' in text
    counted = f"Points counted: <bdi>{arabic}</bdi> 12, <bdi>{hebrew}</bdi> 30"
    assert f'<bdi dir="ltr">{counted}</bdi>' in text
