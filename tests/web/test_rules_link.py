"""House rules in a link: shared, shown in the rule book, and harmless.

Tests of ``web.wording.rules_link``.
"""

import json
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.languages.catalogues import load_catalogue
from scorekeeper.web.wording.filters import is_chosen
from scorekeeper.web.wording.rules_link import MAX_RULES_CHARACTERS, options_of_text, rules_as_text
from tests.thinned import thinned_rows
from tests.web.pages import inputs_of, page_of

HOUSES = [(game, house) for game in GAMES.values() for house in game.houses]
RUBICON = {"match": "rubicon", "lead_point": "each"}
HOSTILE = [
    "x", "[]", "[" * 1_900, "{", '{"match": "rubicons"}', '{"match": {"game": 0}}', "null",
    "9" * 6_000,
    '{"<script>alert(1)</script>": 1}', '{"match": ' + "9" * 1_900 + "}", '{"match": ["cent"]}',
    '{"match": NaN}', " " * (MAX_RULES_CHARACTERS + 1), '{"__class__": {}}',
]  # fmt: skip


@pytest.mark.parametrize(("game", "house"), HOUSES, ids=lambda case: getattr(case, "name", ""))
def test_the_rules_of_a_house_come_back_as_they_were(game: Game, house: Any) -> None:
    options = game.options(house.options, max(game.seats))
    text = rules_as_text(game, options)
    assert options_of_text(game, text) == options
    assert json.loads(text).items() >= json.loads(json.dumps(house.options)).items()
    assert options_of_text(game, rules_as_text(game, game.options(None, max(game.seats)))) is None


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("path", ["/new?game=picchetto", "/rules/picchetto?"])
def test_forged_rules_link_is_harmless(client: FlaskClient, path: str, text: str) -> None:
    assert options_of_text(GAMES["picchetto"], text) is None
    name, _, query = path.partition("?")
    query_ = {
        **dict([query.split("=")] if query else []),
        "rules": text,
        "called": "<script>x</script>",
    }
    answer = client.get(name, query_string=query_)
    assert answer.status_code == 200
    assert page_of(answer).wrong == []
    assert "<script>alert" not in answer.text
    assert "<script>x" not in answer.text
    assert ("do not fit Picchetto" in answer.text) == (name == "/new")


def test_rules_link_fills_in_the_form_and_is_summarised(client: FlaskClient) -> None:
    query = {"game": "picchetto", "rules": json.dumps(RUBICON), "name": "Mara", "called": "Club"}
    page = page_of(client.get("/new", query_string=query))
    chosen = inputs_of(page)
    choices = {option.name: list(option.choices) for option in GAMES["picchetto"].book.options}
    for name, value in RUBICON.items():
        assert chosen[f"o-{name}"] == [str(choices[name].index(value))]
    assert chosen["name"][0] == "Mara"
    assert "six hands, and the rubicon at 100 · a point for each lead" in page.words
    (kept,) = [element for element in page.all("div") if element.get("id") == "kept"]
    assert json.loads(kept["data-rules"]) == RUBICON
    links = [a["href"] for a in page.all("a") if a.get("id") == "kept-link"]
    assert inputs_of(page_of(client.get(links[0])))["o-match"] == chosen["o-match"]


def test_the_rule_book_shows_how_a_table_plays(client: FlaskClient) -> None:
    query = {"rules": json.dumps(RUBICON)}
    page = page_of(client.get("/rules/picchetto", query_string=query))
    assert page.wrong == []
    assert page.words.count("At this table") == len(RUBICON)
    meant = GAMES["picchetto"].book.options[2].choices["rubicon"]
    assert f"At this table What is a match? {meant}" in page.words
    assert "At this table Has the second player" not in page.words
    assert "Must the second player beat the card led if they can? no: following" in page.words
    assert "At this table" not in page_of(client.get("/rules/picchetto")).words


@pytest.mark.parametrize(
    ("game", "rules", "says"),
    [
        ("briscola_chiamata", None, "One hand can bring up to 40 points"),
        ("briscola_chiamata", '{"bands":[],"match_end":{"target":8},"next_double":["weak_hand"]}',
         "up to 8 points; an abandoned hand can double that; it alone can end the"),
        ("riparto", None, "One hand can bring up to 15 points"),
    ],
)  # fmt: skip
def test_the_rule_book_says_what_one_hand_can_bring(
    client: FlaskClient, game: str, rules: str | None, says: str
) -> None:
    query = {} if rules is None else {"rules": rules}
    assert says in page_of(client.get(f"/rules/{game}", query_string=query)).words


def test_a_figure_of_the_table_stands_beside_what_it_means(client: FlaskClient) -> None:
    query = {"rules": '{"match":{"game":123}}'}
    words = page_of(client.get("/rules/picchetto", query_string=query)).words
    assert "one game to this many points (one game to 123)" in words


IN_FORCE = {"en": "At this table", "it": "A questo tavolo", "fr": "À cette table"}


@pytest.mark.parametrize(
    ("language", "game", "house"),
    thinned_rows(((language, *house) for language in IN_FORCE for house in HOUSES), 2),
    ids=lambda case: getattr(case, "name", None),
)
def test_the_rule_book_of_a_house_says_all_its_options_in_each_language(
    client: FlaskClient, game: Game, house: Any, language: str
) -> None:
    """Unusual values are marked, and the usual ones are there, too."""
    options = game.options(house.options, max(game.seats))
    path, headers = f"/rules/{game.id}", {"Accept-Language": language}
    answer = client.get(path, query_string={"rules": rules_as_text(game, options)}, headers=headers)
    page = page_of(answer)
    assert page.wrong == []
    marked, translated = IN_FORCE[language], load_catalogue(language)
    assert page.words.count(marked) == len(game.book.changed(options))
    for option in game.book.options:
        meaning = next(
            m for value, m in option.choices.items() if is_chosen(value, options[option.name])
        )
        text = " ".join(f"{translated.gettext(option.text)} {translated.gettext(meaning)}".split())
        usual = option.name not in game.book.changed(options)
        assert (f"{marked} {text}" in page.words) is not usual
        assert text in page.words


def test_empty_list_is_worded_without_brackets(client: FlaskClient) -> None:
    rules = {"rules": '{"bands":[]}'}
    answer = client.get("/rules/briscola_chiamata", query_string=rules)
    words = page_of(answer).words
    assert "At this table How much does a bid of points pay? 1 unit, whatever was bid" in words
    assert "After which hands does the next one pay double? after none" in words
    assert "()" not in words
