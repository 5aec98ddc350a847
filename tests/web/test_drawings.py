"""Cards as they are drawn."""

import pytest
from flask import Flask

from scorekeeper.base.language import speaking
from scorekeeper.cards.packs import FOOL, Card, french, italian, tarot
from scorekeeper.languages.catalogues import in_language
from scorekeeper.web.frame.drawings import card_face, card_faces, symbol
from tests.web.pages import Page


@pytest.mark.parametrize(
    ("language", "said", "letter"), [("en", "Q♥", "Q"), ("it", "D♥", "D"), ("fr", "D♥", "D")]
)
def test_a_card_is_drawn_in_the_language_of_who_looks(
    app: Flask, language: str, said: str, letter: str
) -> None:
    for more in ("", ", led"):
        with (
            app.test_request_context(headers={"Accept-Language": language}),
            speaking(in_language(language)),
        ):
            card, pack = Card.parse("QH"), french("A K Q")
            drawn = card_face(card, pack, more)
            assert card_faces(pack)[card] == card_face(card, pack)
        assert f'aria-label="{said}{more}"' in drawn
        assert Page.of(drawn).words.strip() == letter
        assert "/static/cards.svg" in drawn
        assert '#french-H"' in drawn


def test_what_is_said_of_a_card_is_escaped(app: Flask) -> None:
    with app.test_request_context():
        assert "&lt;b&gt;" in card_face(Card.parse("QH"), french("A K Q"), "<b>")


def test_each_kind_of_card_has_a_drawing_of_its_own() -> None:
    assert symbol(FOOL, tarot("K").name) == "fool"
    assert symbol(Card.parse("T7"), tarot("K").name) == "trump"
    assert symbol(Card.parse("KS"), italian("K").name) == "italian-S"
