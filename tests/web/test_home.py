"""``/``: what this is, the games, the ways in."""

from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.web.pages import page_of


def test_every_game_is_named_and_leads_to_its_rules(client: FlaskClient) -> None:
    page = page_of(client.get("/"))
    links = {a["href"] for a in page.all("a")}
    for game in GAMES.values():
        assert game.name in page.words
        assert game.summary in page.words
        assert f"/rules/{game.id}" in links
    assert {"/score", "/score/example", "/rules", "/api/docs"} <= links
