"""Formats of figures, times, cards and clauses on a page."""

from typing import Any

import pytest
from flask import Flask

from scorekeeper.base.language import speaking
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import get_language
from scorekeeper.languages.money import MINUS, with_minus_sign
from scorekeeper.play.rulebook import COMMON
from scorekeeper.web.wording.filters import (
    clause_href,
    clause_of,
    format_age,
    format_day_of,
    is_chosen,
    isolate_direction,
    mark_up_code,
    tone_class,
    with_colon,
    with_sign,
)

RIPARTO = GAMES["riparto"]
NOW = "2026-11-21T20:14:03.250Z"


@pytest.mark.parametrize(
    ("points", "signed", "plain", "class_"),
    [(5, "+5", "5", "plus"), (0, "0", "0", "nil"), (-12, f"{MINUS}12", f"{MINUS}12", "minus")],
)
def test_figures(points: int, signed: str, plain: str, class_: str) -> None:
    assert (with_sign(points), with_minus_sign(points), tone_class(points)) == (
        signed, plain, class_
    )  # fmt: skip


@pytest.mark.parametrize(
    ("language", "day", "label"),
    [
        ("en", "21 November 2026", "Score:"),
        ("it", "21 novembre 2026", "Score:"),
        ("fr", "21 novembre 2026", "Score :"),
    ],
)
def test_days_and_labels_are_those_of_a_language(
    app: Flask, language: str, day: str, label: str
) -> None:
    asks = app.test_request_context(headers={"Accept-Language": language})
    with asks, speaking(get_language(language)):
        assert format_day_of(NOW) == day
        assert with_colon("Score").replace("\N{NO-BREAK SPACE}", " ").replace(
            "\N{NARROW NO-BREAK SPACE}", " "
        ) == label  # fmt: skip


@pytest.mark.parametrize(
    ("at", "words"),
    [
        (None, ""),
        ("2026-11-21T20:14:00.000Z", "just now"),
        ("2026-11-21T20:12:03.000Z", "2 minutes ago"),
        ("2026-11-21T17:14:03.000Z", "3 hours ago"),
        ("2026-11-19T20:14:03.000Z", "2 days ago"),
    ],
)
def test_age_of_an_event_in_words(app: Flask, at: str | None, words: str) -> None:
    with app.test_request_context():
        assert format_age(at, NOW) == words


def test_a_clause_is_found_in_the_book_or_among_those_of_all(app: Flask) -> None:
    assert clause_of(RIPARTO, "R7").id == "R7"
    assert clause_of(RIPARTO, COMMON[0].id) is COMMON[0]
    with app.test_request_context():
        assert clause_href("R7", RIPARTO) == "/rules/riparto#R7"
        assert clause_href("R7", None) == "/rules#R7"
        assert clause_href(COMMON[0].id, RIPARTO) == f"/rules#{COMMON[0].id}"


@pytest.mark.parametrize(
    ("choice", "value", "is_it"),
    [("open", "open", True), ("open", "shut", False), (1, 1, True), (1, True, False)],
)
def test_a_choice_is_a_value_of_its_own_kind(choice: Any, value: Any, is_it: bool) -> None:
    assert is_chosen(choice, value) is is_it


def test_what_a_value_of_an_option_means() -> None:
    (option,) = (option for option in RIPARTO.book.options if option.name == "match_end")
    assert option.meaning("open") == option.choices["open"]
    assert option.meaning({"hands": 7}) not in ("", option.meaning("open"))
    assert option.meaning("never heard of") == ""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("a `b` < `c`", "a <code>b</code> &lt; <code>c</code>"),
        ("<b>", "&lt;b&gt;"),
    ],
)
def test_code_is_marked_and_nothing_else_is_markup(text: str, written: str) -> None:
    assert str(mark_up_code(text)) == written


def test_a_sentence_keeps_its_direction_whatever_names_are_in_it() -> None:
    assert str(isolate_direction("Leo <3")) == "<bdi>Leo &lt;3</bdi>"
    name = "\N{HEBREW LETTER ALEF}\N{HEBREW LETTER BET}"
    assert str(isolate_direction(f"{name} {name} bid 3")) == (
        f'<bdi dir="ltr"><bdi>{name} {name}</bdi> bid 3</bdi>'
    )
