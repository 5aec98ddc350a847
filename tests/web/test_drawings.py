"""Drawings of cards, and drawings that are cached for many viewers."""

import re
from pathlib import Path
from typing import Final

import pytest
from flask import Flask
from jinja2 import meta, nodes
from markupsafe import Markup, escape

from scorekeeper.base.language import speaking
from scorekeeper.cards.packs import FOOL, Card, french, italian, tarot
from scorekeeper.languages.catalogues import get_language
from scorekeeper.web.frame.drawings import card_face, card_faces, render_cached, symbol_name
from tests.web.pages import Page

TABLE: Final = Path(__file__).parents[2] / "templates" / "table"
OF_A_REQUEST: Final = {"request", "session", "g", "config"}


@pytest.mark.parametrize(
    ("language", "label", "letter"),
    [
        ("en", "queen of hearts", "Q"),
        ("it", "la donna di cuori", "D"),
        ("fr", "la dame de cœur", "D"),
    ],
)
def test_card_is_drawn_in_the_viewers_language(
    app: Flask, language: str, label: str, letter: str
) -> None:
    for more in ("", ", led"):
        with (
            app.test_request_context(headers={"Accept-Language": language}),
            speaking(get_language(language)),
        ):
            card, pack = Card.parse("QH"), french("A K Q")
            drawn = card_face(card, pack, more)
            assert card_faces(pack)[card] == card_face(card, pack)
        assert f'aria-label="{label}{more}"' in drawn
        assert Page.of(drawn).words.strip() == letter
        assert "/static/cards.svg" in drawn
        assert '#french-H"' in drawn


def test_label_of_a_card_is_escaped(app: Flask) -> None:
    with app.test_request_context():
        assert "&lt;b&gt;" in card_face(Card.parse("QH"), french("A K Q"), "<b>")


def test_each_kind_of_card_has_a_drawing_of_its_own() -> None:
    assert symbol_name(FOOL, tarot("K").name) == "fool"
    assert symbol_name(Card.parse("T7"), tarot("K").name) == "trump"
    assert symbol_name(Card.parse("KS"), italian("K").name) == "italian-S"


def test_drawing_of_equal_facts_is_cached_for_each_language(app: Flask) -> None:
    asked = []

    def name(text: str, notice: str = "") -> Markup:
        asked.append((text, notice))
        return escape(f"{text}{notice}")

    for language in ("en", "it", "en"):
        with app.test_request_context(), speaking(get_language(language)):
            parts = [render_cached(name, text) for text in ("<a>", "b", "b")]
            assert parts == ["&lt;a&gt;", "b", "b"]
    assert asked == [("<a>", ""), ("b", "")] * 2


def test_drawing_with_a_notice_is_not_cached(app: Flask) -> None:
    asked = []

    def name(text: str, notice: str = "") -> Markup:
        asked.append(notice)
        return escape(f"{text}{notice}")

    with app.test_request_context():
        for notice in ("mine", "mine"):
            assert render_cached(name, "draft ", notice=notice) == "draft mine"
        assert render_cached(name, "draft ") == "draft "
    assert asked == ["mine", "mine", ""]


def test_cached_macros_do_not_depend_on_the_viewer(app: Flask) -> None:
    """A cached macro belongs to a template that sees only its arguments."""
    texts = {path.stem: path.read_text(encoding="utf-8") for path in TABLE.glob("*.html")}
    once = {name for text in texts.values() for name in re.findall(r"\bdrawn\((\w+)", text)}
    with_context = re.findall(r"import .* with context", "".join(texts.values()))
    assert once
    assert not [name_ for name_ in with_context if once & set(re.findall(r"\w+", name_))]
    drawn_there: dict[str, list[str]] = {}
    for name in once:
        (text,) = [text for text in texts.values() if f"{{% macro {name}(" in text]
        drawn_there.setdefault(text, []).append(name)
    for text, names in drawn_there.items():
        parsed = app.jinja_env.parse(text)
        set_there = {node.name for node in parsed.find_all(nodes.Name) if node.ctx == "store"}
        known = app.jinja_env.globals.keys() - OF_A_REQUEST | set_there
        assert meta.find_undeclared_variables(parsed) <= known, names
