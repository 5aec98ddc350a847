"""What is heard at a table: each entry once, the result of a hand, and the score, in words."""

import html
import re
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.cards.packs import Card
from scorekeeper.games import GAMES
from tests.browser.hands import DICE, played, recorded_events
from tests.browser.hands import GAMES as SEATS
from tests.evenings import event, struck
from tests.thinned import thinned
from tests.web.looking import everybodys
from tests.web.pages import Page
from tests.web.tapping import FRAGMENT, Tapped
from tests.web.test_face_down import SECRET, secrets, two_worlds
from tests.web.test_language_words import pack_of

SIGNS: Final = re.compile(r"[♠♥♦♣&×·✓★\u2212+/{}]|(?<![\w])-\d")


@pytest.fixture
def client() -> FlaskClient:
    return everybodys()


def begun(client: FlaskClient, game: str, *events: Any, dealer: str = "leo") -> Tapped:
    """Return a table at which the first hand of a game was dealt."""
    seats = SEATS[game]
    match = event("match_started", game=game, seats=seats.split())
    return Tapped.open(client, seats, match, event("hand_started", dealer=dealer), *events)


def heard(table: Tapped, shown: int, who: str = "view", language: str = "en") -> str:
    """Return the words for a phone that shows a version."""
    headers = {"X-Shown": str(shown), "Accept-Language": language}
    return of_page(table.get("", who=who, **FRAGMENT, **headers).text, "said")


def of_page(text: str, name: str) -> str:
    """Return the words that a page has for its live region."""
    found = re.search(rf'data-{name}="([^"]*)"', text)
    return html.unescape(found[1]) if found else ""


TRICK: Final = event("trick_taken", player="mara")


def test_own_entry_is_heard_without_and_anothers_with_its_recorder(client: FlaskClient) -> None:
    table = begun(client, "knock")
    table.record(TRICK, who="leo")
    assert heard(table, 3, "leo") == "Mara took trick 1."
    assert heard(table, 3, "mara") == "Leo: Mara took trick 1."
    table.record(TRICK)
    assert heard(table, 4, "view") == "Host: Mara took trick 2."
    assert heard(table, 3, "host") == "Leo: Mara took trick 1. Mara took trick 2."
    assert heard(table, 3, "view") == "Leo: Mara took trick 1. Host: Mara took trick 2."


def test_player_who_records_of_themselves_is_named_once(client: FlaskClient) -> None:
    table = begun(client, "riparto")
    table.record(event("bid_made", player="leo", points=5), who="leo")
    assert heard(table, 3) == "Leo bid 5."


def test_nothing_is_heard_twice_or_without_a_version(client: FlaskClient) -> None:
    table = begun(client, "knock", TRICK)
    assert heard(table, 4) == ""
    assert of_page(table.get("", **FRAGMENT).text, "said") == ""
    assert of_page(table.get("").text, "said") == ""


def test_of_many_entries_the_last_are_heard(client: FlaskClient) -> None:
    table = begun(client, "knock", *[TRICK] * 10)
    assert heard(table, 3, "host").startswith("7 earlier entries. Mara took trick 8.")
    table.record(*[event("note_added", text="a")] * 60)
    assert heard(table, 3) == ""


def test_card_that_ends_a_trick_names_its_winner(client: FlaskClient) -> None:
    plays = (("mara", "AS"), ("leo", "KS"), ("zoe", "9S"), ("ben", "JS"))
    table = begun(client, "riparto", event("bid_made", player="mara", points=5))
    for player, card in plays:
        table.record(event("card_played", player=player, card=card))
    assert heard(table, 4, "host") == (
        "Mara played ace of spades. Leo played king of spades. Zoë played 9 of spades. "
        "ben played jack of spades. Mara took trick 1."
    )
    assert heard(table, 5, "host", "it").startswith("Leo ha giocato il re di picche.")
    assert heard(table, 5, "host", "fr").startswith("Leo a joué le roi de pique.")


def test_what_is_taken_back_is_heard(client: FlaskClient) -> None:
    table = begun(client, "knock", TRICK)
    table.record(struck(4))
    assert heard(table, 4, "host") == "Taken back: Mara took the trick."


def test_correction_of_an_earlier_hand_is_no_result(client: FlaskClient) -> None:
    table = begun(client, "knock", event("points_counted", points={"A": 52, "B": 48}))
    assert "Hand 1: " in heard(table, 3)
    version = table.report()["version"]
    table.record(event("note_added", text="late"))
    assert heard(table, version, "host") == "Note: late."


@pytest.mark.parametrize("language", thinned(["en", "it", "fr"], 2))
@pytest.mark.parametrize("game", GAMES)
def test_result_and_score_are_those_of_the_report(
    client: FlaskClient, game: str, language: str
) -> None:
    table = begun(client, game)
    version, words = table.report()["version"], ""
    for raw in recorded_events(game, "tricks", DICE[game]):
        table.record(raw)
        words = heard(table, version, language=language)
        assert words
        assert not SIGNS.search(words)
        version = table.report()["version"]
    match = table.report()["matches"][-1]
    now = match["games"][-1]["scores"] if "games" in match else match["totals"]
    asked = of_page(table.get("", **FRAGMENT, **{"Accept-Language": language}).text, "score")
    score = re.sub("minus |meno |moins ", "-", asked.split(".")[0].partition(":")[2])
    assert [int(points) for points in re.findall(r"-?\d+", score)][: len(now)] == list(now.values())
    assert asked.split(".")[0] in words


@pytest.mark.parametrize("game", SECRET)
def test_nothing_face_down_is_heard(client: FlaskClient, game: str) -> None:
    pack = pack_of(game)
    for secret, name in secrets(game):
        (*before, _laid), _other = two_worlds(game, secret, name, more=0)
        table = begun(client, game, dealer=played(game, SECRET[game]).dealer)
        table.record(*before, as_played=True)
        version = table.report()["version"]
        table.record(secret, as_played=True)
        for who in ("host", "view", "leo"):
            words = heard(table, version, who)
            assert words
            for code in flattened(secret["data"][name]):
                assert pack.speak(Card.parse(code)) not in words


def flattened(cards: Any) -> list[str]:
    """Return the cards of a field: a card, several, or one for each player."""
    if isinstance(cards, dict):
        return [code for value in cards.values() for code in flattened(value)]
    return [cards] if isinstance(cards, str) else list(cards)


def test_page_has_one_polite_region(client: FlaskClient) -> None:
    table = begun(client, "knock", TRICK)
    page: Page = table.page()
    live = [one for one in page.tags if {"aria-live", "role"} & one[1].keys()
            and (one[1].get("role") in ("status", "log") or "aria-live" in one[1])]  # fmt: skip
    assert [attributes["id"] for _, attributes in live] == ["said"]
