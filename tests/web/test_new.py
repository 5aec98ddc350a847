"""``/new``: from a form to a session with its match, its host's cookie, and its links.

Tests of ``web.opening.draft``, ``web.opening.options``, ``web.opening.stakes`` and
``web.phone.remembered``.
"""

import html
import json
import re
from typing import Any
from urllib.parse import urlsplit

import pytest
from flask.testing import FlaskClient
from werkzeug.datastructures import MultiDict

from scorekeeper.events.names import player_ids
from scorekeeper.games import GAMES
from scorekeeper.games.game import Game
from scorekeeper.web.frame.ring import seats_in_ring
from tests.api.asking import created
from tests.web.looking import everybodys
from tests.web.pages import Page, inputs_of, page_of

HOSTILE = [
    "<script>alert(1)</script>",
    "\u202eevil\u2066",
    "\U0001f600" * 60,
    "{{ 7919 * 104729 }}",
]
NAMES = ["Mara", "Leo", "Nina", "Ugo", "Ada", "Zoë", "Ivo"]


@pytest.fixture
def phone() -> FlaskClient:
    """A phone, which keeps its cookies."""
    return everybodys().application.test_client()


def post(phone: FlaskClient, /, **data: Any) -> Any:
    """Return the response to a form of our own page."""
    return phone.post("/new", data=data, headers={"Sec-Fetch-Site": "same-origin"})


def opened(phone: FlaskClient, /, **data: Any) -> dict[str, Any]:
    """Return the report of the session that a form opened."""
    answer = post(phone, **data)
    assert answer.status_code == 303, answer.text
    session = urlsplit(answer.headers["Location"]).path.split("/")[2]
    report: dict[str, Any] = phone.get(f"/api/sessions/{session}").get_json()
    return {**report, "id": session}


@pytest.mark.parametrize("game", GAMES)
def test_a_form_that_is_only_given_names_opens_a_table(phone: FlaskClient, game: str) -> None:
    for seats in GAMES[game].seats:
        report = opened(phone, game=game, name=NAMES[:seats])
        (match,) = report["matches"]
        assert match["game"] == game
        assert [player["name"] for player in report["session"]["players"]] == NAMES[:seats]
        book, usual = GAMES[game].book, GAMES[game].options(None, seats)
        assert match["options"] == book.reported(usual)


def test_title_place_and_house_rules(phone: FlaskClient) -> None:
    report = opened(
        phone, game="riparto", name=["Mara", "", "Leo", "Nina"], title=" Friday ", place="Asti",
        **{"o-last_three": "1", "o-match_end": "1", "o-match_end-1": "21"},
    )  # fmt: skip
    assert (report["session"]["title"], report["session"]["place"]) == ("Friday", "Asti")
    options = report["matches"][0]["options"]
    assert (options["last_three"], options["match_end"]) == ("sweep", {"target": 21})
    assert options["bid_tie"] == "first"
    assert len(report["matches"][0]["seats"]) == 3


@pytest.mark.parametrize(
    ("typed", "stake"),
    [
        ({}, None),
        ({"stake-currency": "EUR", "stake-point": " ", "stake-match": ""}, None),
        ({"stake-currency": "EUR", "stake-point": "0", "stake-match": "0,00"}, None),
        ({"stake-point": "0,10"}, {"currency": "EUR", "point": 10, "match": 0}),
        ({"stake-currency": "jpy", "stake-point": "5", "stake-match": "100"},
         {"currency": "JPY", "point": 5, "match": 100}),
    ],
)  # fmt: skip
def test_a_match_is_played_for_money_where_an_amount_is_typed(
    phone: FlaskClient, typed: dict[str, str], stake: dict[str, Any] | None
) -> None:
    report = opened(phone, game="riparto", name=NAMES[:3], **typed)
    assert report["matches"][0].get("stake") == stake
    assert ("money" in report) == (stake is not None)


def test_the_form_says_what_the_highest_hand_pays(phone: FlaskClient) -> None:
    data = {"game": "briscola_col_monte", "name": NAMES[:5], "stake-point": "0.10"}
    page = page_of(phone.get("/new", query_string=data))
    assert "up to 16 points: €1.60." in page.words
    assert "up to 60 points." in page_of(phone.get("/new?game=riparto")).words
    assert "up to" not in page_of(phone.get("/new?game=picchetto")).words


ENDS = "it alone can end this match"


@pytest.mark.parametrize(
    ("game", "more", "ends"),
    [
        ("briscola_chiamata", {"o-match_end": "1", "o-match_end-1": "40"}, True),
        ("briscola_chiamata", {"o-match_end": "1", "o-match_end-1": "41"}, False),
        ("briscola_chiamata", {"o-match_end": "2", "o-match_end-2": "11"}, False),
        ("briscola_chiamata", {}, False),
        ("briscola_regina", {"o-match": "1", "o-match-1": "180"}, True),
        ("briscola_regina", {"o-match": "1", "o-match-1": "181"}, False),
        ("riparto", {"o-match_end": "1", "o-match_end-1": "15"}, True),
    ],
)
def test_target_within_one_hand_is_noted_and_accepted(
    phone: FlaskClient,
    game: str,
    more: dict[str, str],
    ends: bool,
) -> None:
    page = page_of(phone.get("/new", query_string={"game": game, **more}))
    assert (ENDS in page.words) is ends
    names = NAMES[: max(GAMES[game].seats)]
    assert opened(phone, **{**inputs_of(page), "name": names})["matches"]


def test_points_of_a_hand_may_be_doubled(phone: FlaskClient) -> None:
    for house, doubled in (("5", True), ("1", False)):
        query = {"game": "briscola_chiamata", "house": house, "stake-point": "1"}
        words = page_of(phone.get("/new", query_string=query)).words
        assert "One hand can bring or cost a player up to" in words
        assert ("An abandoned hand can double that." in words) is doubled


def test_a_list_of_gestures(phone: FlaskClient) -> None:
    chosen = MultiDict([("game", "knock"), ("o-signals", "2"), ("o-signals-2", "last_trump"),
                        *(("name", name) for name in NAMES[:4])])  # fmt: skip
    answer = phone.post("/new", data=chosen, headers={"Sec-Fetch-Site": "same-origin"})
    session_id = answer.headers["Location"].split("/")[2]
    report = phone.get(f"/api/sessions/{session_id}").get_json()
    assert report["matches"][0]["options"]["signals"] == ["last_trump"]


def test_without_a_title_it_is_called_by_the_day_and_by_no_game(phone: FlaskClient) -> None:
    title = opened(phone, game="picchetto", name=NAMES[:2])["session"]["title"]
    assert re.fullmatch(r"Evening of \d+ [A-Z][a-z]+ \d{4}", title)
    chosen = {"name": NAMES[:2], "usual": " Evening of\nMonday "}
    assert opened(phone, game="picchetto", **chosen)["session"]["title"] == "Evening of Monday"
    assert opened(phone, game="picchetto", **chosen, title="Friday")["session"]["title"] == "Friday"


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"name": ["Mara", "Leo"]}, "seats"),
        ({"name": []}, "seats"),
        ({"name": ["Mara", "Mara", "Leo"]}, "name-1"),
        ({"name": ["M" * 61, "Nina", "Leo"]}, "name-0"),
        ({"name": NAMES[:3], "title": "t" * 201}, "title"),
        ({"name": NAMES[:3], "place": "p" * 201}, "place"),
        ({"name": NAMES[:3], "o-match_end": "1"}, "o-match_end"),
        ({"name": NAMES[:3], "o-match_end": "1", "o-match_end-1": "0"}, "o-match_end"),
        ({"name": NAMES[:3], "o-match_end": "1", "o-match_end-1": "many"}, "o-match_end"),
        ({"name": NAMES[:3], "o-match_end": "1", "o-match_end-1": "²"}, "o-match_end"),
        ({"name": NAMES[:3], "o-bid_tie": "7"}, "o-bid_tie"),
        ({"name": NAMES[:3], "o-bid_tie": "x"}, "o-bid_tie"),
        ({"name": NAMES[:3], "game": "knock"}, "seats"),
        ({"name": NAMES[:3], "stake-point": "-1"}, "stake-point"),
        ({"name": NAMES[:3], "stake-point": "0.001"}, "stake-point"),
        ({"name": NAMES[:3], "stake-match": "9" * 14}, "stake-match"),
        ({"name": NAMES[:3], "stake-match": "9" * 9999}, "stake-match"),
        ({"name": NAMES[:3], "stake-point": "1", "stake-currency": "XXX"}, "stake-currency"),
        ({"name": NAMES[:3], "stake-point": "1", "stake-currency": "<b>"}, "stake-currency"),
    ],
)
def test_errors_stand_at_their_fields_and_values_are_kept(
    phone: FlaskClient, data: dict[str, Any], field: str
) -> None:
    before = phone.application.extensions["service"].store.sessions()
    answer = post(phone, **{"game": "riparto", "place": "Asti", **data})
    page = page_of(answer)
    assert answer.status_code == 422
    assert page.wrong == []
    assert f"{field}-wrong" in {attrs.get("id") for _, attrs in page.tags}
    kept = inputs_of(page)
    assert [name for name in kept["name"] if name] == data["name"]
    assert kept["place"] == [data.get("place", "Asti")]
    assert "Set-Cookie" not in answer.headers
    assert phone.application.extensions["service"].store.sessions() == before


def test_conflicting_option_is_named(phone: FlaskClient) -> None:
    """Hearts are left out of a French pack only."""
    book = GAMES["briscola_regina"].book
    removed = next(option for option in book.options if option.name == "removed_two")
    hearts = str(list(removed.choices).index("H"))
    answer = post(phone, game="briscola_regina", name=NAMES[:3], **{"o-removed_two": hearts})
    assert answer.status_code == 422
    assert "o-removed_two-wrong" in answer.text
    assert "This does not fit what is chosen elsewhere." in page_of(answer).words


def test_an_option_without_effect_is_refused_and_both_questions_are_named(
    phone: FlaskClient,
) -> None:
    answer = post(phone, game="briscola_chiamata", name=NAMES[:5],
                  **{"o-next_double": "1", "o-next_double-1": ["weak_hand"]})  # fmt: skip
    assert answer.status_code == 422
    assert "o-next_double-wrong" in answer.text
    assert (
        "“After which hands does the next one pay double?” (double after: weak hand) can have no "
        "effect beside “When may a player ask for a new deal?” (never)."
    ) in page_of(answer).words


GESTURES = "Pull ear: <b>J’ai</b> le Monde\n\nwink: {{ 7919 * 104729 }}\n眨眼"
OWN = [
    {"id": "pull_ear", "text": "<b>J’ai</b> le Monde"},
    {"id": "wink", "text": "{{ 7919 * 104729 }}"},
    {"id": "own_3", "text": "眨眼"},
]


def lines_in(answer: Any) -> str:
    """Return the content of the field for gestures of the table."""
    area = re.search(r'name="o-own_signals-1"[^>]*>(.*?)</textarea>', answer.text, re.DOTALL)
    assert area
    return html.unescape(area[1])


def test_gestures_of_the_table_are_typed_one_on_each_line(phone: FlaskClient) -> None:
    query_ = {"game": "knock", "name": NAMES[:4],
            "o-own_signals": "1", "o-own_signals-1": GESTURES}  # fmt: skip
    report = opened(phone, **query_)
    assert report["matches"][0]["options"]["own_signals"] == OWN
    rules = json.dumps({"own_signals": OWN}, ensure_ascii=False)
    for path in ("/new", "/rules/knock"):
        query = {"game": "knock", "rules": rules}
        page = page_of(phone.get(path, query_string=query))
        assert page.wrong == []
        assert "pull ear: <b>J’ai</b> le Monde, wink: {{ 7919 * 104729 }}, own 3:" in page.words
    answer = phone.get("/new", query_string={"game": "knock", "rules": rules})
    again = inputs_of(page_of(answer)) | {"name": NAMES[:4], "o-own_signals-1": lines_in(answer)}
    assert opened(phone, **again)["matches"] == report["matches"]


@pytest.mark.parametrize(
    "typed", ["wink: so\nWink: so", "bijou: so", "wink: " + "x" * 61, "\n".join("abcdefghijk")]
)
def test_gestures_that_cannot_be_are_refused_beside_their_lines(
    phone: FlaskClient, typed: str
) -> None:
    answer = post(phone, game="knock", name=NAMES[:4],
                  **{"o-own_signals": "1", "o-own_signals-1": typed})  # fmt: skip
    assert answer.status_code == 422
    assert "At most 10 lines of up to 60 letters" in page_of(answer).words
    assert lines_in(answer) == typed


@pytest.mark.parametrize(
    ("game", "names", "words"),
    [
        ("knock", [], "Players who sit opposite each other play together: 1 & 3 against 2 & 4"),
        ("knock", ["Piero", "Anna", "Sandro", "Bea"],
         "Players who sit opposite each other play together: Piero & Sandro against Anna & Bea"),
        ("briscola_regina", ["Piero", "Anna", "", "Sandro", "Bea"],
         ("With 4 players, those opposite each other play together: "
          "Piero & Sandro against Anna & Bea")),
        ("briscola_regina", ["Piero", "Anna", "Sandro"],
         "With 4 players, those opposite each other play together: 1 & 3 against 2 & 4"),
    ],
)  # fmt: skip
def test_partners_are_named_when_seating(
    phone: FlaskClient, game: str, names: list[str], words: str
) -> None:
    assert words in page_of(phone.get("/new", query_string={"pick": game, "name": names})).words


def test_game_without_partners_names_none(phone: FlaskClient) -> None:
    assert "play together" not in page_of(phone.get("/new?pick=riparto")).words


@pytest.mark.parametrize("name", HOSTILE)
def test_names_are_only_text(phone: FlaskClient, name: str) -> None:
    report = opened(phone, game="picchetto", name=[name, "Leo"], title=name, place=name)
    assert report["session"]["players"][0]["name"] == name
    for path in (f"/t/{report['id']}/share", f"/t/{report['id']}/settings", "/new", "/"):
        answer = phone.get(path)
        assert answer.status_code == 200
        assert page_of(answer).wrong == []
        assert name in page_of(answer).text
        assert "<script>alert" not in answer.text
        assert str(7919 * 104729) not in page_of(answer).text


def test_a_form_that_is_damaged_brings_nothing_down(phone: FlaskClient) -> None:
    for data in (b"\xff\x00", b"name=%ff&game=%00", b"a" * 60_000):
        answer = phone.post("/new", data=data, headers={"Sec-Fetch-Site": "same-origin"},
                            content_type="application/x-www-form-urlencoded")  # fmt: skip
        assert answer.status_code == 422
    assert phone.get("/new?game=bridge&pick=x&name=%ff&o-pack=9").status_code == 200


# ------------------------------------------------------------------------------ what it answers


def test_the_phone_becomes_the_hosts_and_the_links_are_shown_for_a_while(
    phone: FlaskClient,
) -> None:
    answer = post(phone, game="picchetto", name=["Mara", "Leo"], level="cards")
    session = answer.headers["Location"].split("/")[2]
    cookies = answer.headers.getlist("Set-Cookie")
    assert all("HttpOnly" in cookie and "SameSite=Lax" in cookie for cookie in cookies)
    (share,) = [cookie for cookie in cookies if cookie.startswith("share-")]
    assert f"Path=/t/{session}/share" in share
    assert "Max-Age=900" in share
    assert any(cookie.startswith(f"level-{session}=cards") for cookie in cookies)
    page = page_of(phone.get(f"/t/{session}/share"))
    links = [a["href"] for a in page.all("a") if "/join/" in a["href"]]
    assert len(links) == 4  # two seats, to look on, and a second host
    for link in links:
        assert phone.get(urlsplit(link).path).status_code == 200
    phone.post(f"/t/{session}/share", headers={"Sec-Fetch-Site": "same-origin"})
    assert "/join/" not in phone.get(f"/t/{session}/share").text


def test_the_links_of_one_table_are_not_shown_at_another(phone: FlaskClient) -> None:
    first = post(phone, game="picchetto", name=["Mara", "Leo"])
    kept = next(
        cookie for cookie in first.headers.getlist("Set-Cookie") if cookie.startswith("share-")
    )
    value = kept.partition("=")[2].partition(";")[0]
    second = post(phone, game="picchetto", name=["Nina", "Ugo"])
    other = second.headers["Location"].split("/")[2]
    phone.set_cookie(f"share-{other}", value, path=f"/t/{other}/share")
    assert "/join/" not in phone.get(f"/t/{other}/share").text


def test_a_revoked_link_is_not_shown(phone: FlaskClient) -> None:
    report = opened(phone, game="picchetto", name=["Mara", "Leo"])
    store = phone.application.extensions["service"].store
    for key in store.keys(report["id"]):
        if key.role == "seat":
            store.revoke_key(report["id"], key.id)
    page = page_of(phone.get(f"/t/{report['id']}/share"))
    assert len([a for a in page.all("a") if "/join/" in a["href"]]) == 2


def test_so_many_tables_in_an_hour() -> None:
    phone = created(sessions_an_hour=2).test_client()
    statuses = [post(phone, game="picchetto", name=["Mara", "Leo"]).status_code for _ in range(3)]
    assert statuses == [303, 303, 429]


# ------------------------------------------------------------------------------ known players


def test_the_last_players_sit_down_at_a_tap(phone: FlaskClient) -> None:
    opened(phone, game="riparto", name=["Mara", "Leo", "Nina"])
    page = page_of(phone.get("/new"))
    buttons = {(button.get("name"), button.get("value")) for button in page.all("button")}
    assert {("again", "1"), ("sit", "Mara"), ("sit", "Nina")} <= buttons
    assert inputs_of(page)["game"] == ["riparto"]
    seated = inputs_of(page_of(phone.get("/new?game=riparto&again=1")))
    assert seated["name"] == ["Mara", "Leo", "Nina", ""]
    fields = inputs_of(page_of(phone.get("/new?game=riparto&name=Ugo&name=&sit=Mara&place=Asti")))
    assert (fields["name"][:3], fields["place"]) == (["Ugo", "Mara", ""], ["Asti"])


def test_a_cookie_of_players_keeps_within_what_browsers_keep(phone: FlaskClient) -> None:
    for n in range(12):
        names = ["\U0001f600" * 55 + f"{n}{seat}" for seat in range(2)]
        answer = post(phone, game="picchetto", name=names)
        cookie = next(
            cookie
            for cookie in answer.headers.getlist("Set-Cookie")
            if cookie.startswith("players=")
        )
        assert len(cookie) < 4096
    assert phone.get("/new").status_code == 200


def test_forged_cookie_causes_no_error(phone: FlaskClient) -> None:
    for value in ("", "x", "seat=%ff&name=%00", "&".join(["name=x"] * 500), "game=bridge"):
        phone.set_cookie("players", value)
        assert phone.get("/new").status_code == 200


# ------------------------------------------------------------------------------ ids, the picture


def test_ids_are_made_of_names() -> None:
    ids = player_ids(["Zoë", "zoe", "李", "keeper", "-", "A B", "x" * 60])
    assert list(ids.values()) == ["zoe", "zoe-2", "player", "keeper-2", "player-2", "a-b",
                                    "x" * 28]  # fmt: skip


def test_seats_are_arranged_in_the_direction_of_play() -> None:
    """The first is nearest; if play is clockwise, the next one is to the viewer's left."""
    first, left, far, right = seats_in_ring(4, "clockwise")
    assert first.y > 150
    assert far.y < 50
    assert left.x < 50
    assert right.x > 150
    assert seats_in_ring(4, "counter-clockwise")[1].x > 150


@pytest.mark.parametrize("game", GAMES)
def test_every_option_has_its_clause_and_default(phone: FlaskClient, game: str) -> None:
    page = page_of(phone.get(f"/new?pick={game}"))
    chips = {a["href"].partition("#")[2] for a in page.all("a") if a.get("class") == "chip"}
    assert chips == {option.clause for option in GAMES[game].book.options} | {"G10"}
    chosen = inputs_of(page)
    for option in GAMES[game].book.options:
        assert len(chosen[f"o-{option.name}"]) == 1
        assert option.text in page.words


# ------------------------------------------------------------------------------------ houses


def pressed(phone: FlaskClient, path: str) -> tuple[list[str], list[str]]:
    """Return the presets that can be tapped, and the chosen one."""
    buttons = [
        button for button in page_of(phone.get(path)).all("button") if button.get("name") == "house"
    ]
    return (
        [button["value"] for button in buttons],
        [button["value"] for button in buttons if button["aria-pressed"] == "true"],
    )


def selected(page: Page) -> dict[str, str]:
    """Return the selected option values, by field."""
    chosen, name = {}, ""
    for tag, attrs in page.tags:
        name = attrs.get("name", "") if tag == "select" else name
        if tag == "option" and "selected" in attrs and name.startswith("o-"):
            chosen[name] = "2"  # the only number that a default has
    return chosen


@pytest.mark.parametrize(
    "game", [game for game in GAMES.values() if game.houses], ids=lambda g: g.id
)
def test_a_house_is_chosen_at_one_tap_and_recorded_spelled_out(
    phone: FlaskClient, game: Game
) -> None:
    path = f"/new?game={game.id}"
    assert pressed(phone, path) == ([str(n) for n in range(len(game.houses) + 1)], ["0"])
    for place, house in enumerate(game.houses, start=1):
        assert pressed(phone, f"{path}&house={place}")[1] == [str(place)]
        page = page_of(phone.get(f"{path}&house={place}"))
        form = {**inputs_of(page), **selected(page)}
        names = NAMES[: max(game.seats)]
        (match,) = opened(phone, **{**form, "name": names})["matches"]
        options = game.options(house.options, len(names))
        assert match["options"] == game.book.reported(options)
        assert match["options"].items() >= {**house.options}.items()


def test_the_usual_rules_are_back_at_a_tap(phone: FlaskClient) -> None:
    path = "/new?game=briscola_chiamata&o-bands=2&name=Leo&house="
    assert pressed(phone, path)[1] == ["1"]
    assert pressed(phone, f"{path}0")[1] == ["0"]
    assert "Leo" in phone.get(f"{path}0").text
    for hostile in ("99", "-1", "x", "٣"):
        assert pressed(phone, f"{path}{hostile}")[1] == ["1"]


@pytest.mark.parametrize("field", ["house", "o-bands", "mine"])
def test_a_number_of_thousands_of_digits_is_no_place(phone: FlaskClient, field: str) -> None:
    query = {"game": "briscola_chiamata", field: "9" * 6000}
    assert phone.get("/new", query_string=query).status_code == 200
    named = {**query, "name": NAMES[:5]}
    assert post(phone, **named).status_code == (422 if field == "o-bands" else 303)


def test_the_next_match_takes_houses_and_kept_rules_too(phone: FlaskClient) -> None:
    """A phone stores rules as the text of a link, which fills in the form."""
    table = opened(phone, game="briscola_regina", name=NAMES[:4])
    path = f"/t/{table['id']}/settings/match"
    assert pressed(phone, path) == (["0", "1", "2"], ["0"])
    seats = [player["id"] for player in table["session"]["players"]][::-1]
    query = {"game": "briscola_regina", "seat": seats,
            "rules": '{"bris_when":"own_turn","match":"open"}'}  # fmt: skip
    page = page_of(phone.get(path, query_string=query))
    assert "open end · Bris in one’s turn" in page.words
    form = inputs_of(page)
    chosen = [option.get("value") for option in page.all("option") if "selected" in option]
    assert [name for name in chosen if name in seats] == seats
    (kept,) = [element for element in page.all("div") if element.get("id") == "kept"]
    assert kept["data-game"] == "briscola_regina"
    again = {**query, "rules": kept["data-rules"]}
    drawn = inputs_of(page_of(phone.get(path, query_string=again)))
    assert drawn.pop("key") != form.pop("key")
    assert drawn == form


@pytest.mark.parametrize("path", ["/new", "/t/{id}/settings/match"])
def test_another_game_begins_with_its_own_usual_rules(phone: FlaskClient, path: str) -> None:
    """Its defaults differ; the redrawn form still has the options of the previous game."""
    table = opened(phone, game="briscola_chiamata", name=NAMES[:5])
    path = path.format(**table)
    seats = [player["id"] for player in table["session"]["players"]]
    before = inputs_of(page_of(phone.get(path, query_string={
        "game": "briscola_chiamata", "seat": seats})))  # fmt: skip
    page = page_of(phone.get(path, query_string={**before, "pick": "briscola_col_monte"}))
    assert "House rules as usual" in page.words
    kept = page_of(phone.get(path, query_string={
        **before, "seat": seats, "o-bands": "2", "pick": "briscola_chiamata"}))  # fmt: skip
    assert "House rules 1 is not as usual" in kept.words


def looked_at(phone: FlaskClient, path: str, fields: dict[str, Any], *games: str) -> Page:
    """Return the form after another game was selected, and another after that."""
    page = None
    for game in games:
        answer = phone.post(path, data={**fields, "pick": game},
                            headers={"Sec-Fetch-Site": "same-origin"})  # fmt: skip
        page = page_of(phone.get(answer.headers["Location"]))
        fields = filled(page)
    assert page is not None
    return page


def filled(page: Page) -> dict[str, Any]:
    """Return the fields that a browser sends of a form, with the values chosen from lists."""
    chosen = [
        option["value"]
        for option in page.all("option")
        if "selected" in option and "value" in option
    ]
    fields = inputs_of(page)
    return {**fields, "seat": [*chosen, *fields.get("seat", [])]} if chosen else fields


def test_players_are_kept_when_another_game_is_selected(phone: FlaskClient) -> None:
    typed = {**inputs_of(page_of(phone.get("/new?game=riparto"))), "name": NAMES[:4], "mine": "3"}
    here = inputs_of(looked_at(phone, "/new", typed, "picchetto"))
    assert (here["name"], here["mine"]) == (NAMES[:4], ["none"])
    back = inputs_of(looked_at(phone, "/new", typed, "picchetto", "riparto"))
    assert ([name for name in back["name"] if name], back["mine"]) == (NAMES[:4], ["3"])
    del here["phone"]
    assert len(opened(phone, **here)["session"]["players"]) == 2


def test_players_of_the_next_match_are_kept_when_another_game_is_selected(
    phone: FlaskClient,
) -> None:
    table = opened(phone, game="riparto", name=NAMES[:3])
    path = "/t/{id}/settings/match".format(**table)
    form = filled(page_of(phone.get(path)))
    seats = [player["id"] for player in table["session"]["players"]]
    assert filled(looked_at(phone, path, form, "picchetto", "riparto"))["seat"][:3] == seats
    two = filled(looked_at(phone, path, form, "picchetto"))
    sent = phone.post(path, data=two, headers={"Sec-Fetch-Site": "same-origin"})
    assert sent.headers["Location"] == "/t/{id}".format(**table)
    report = phone.get("/api/sessions/{id}".format(**table)).get_json()
    assert report["matches"][-1]["seats"] == seats[:2]


def test_a_game_without_houses_offers_none(phone: FlaskClient) -> None:
    assert pressed(phone, "/new?game=riparto") == ([], [])


# ------------------------------------------------------------------------------ secrets of a form


@pytest.mark.parametrize(
    ("button", "value"),
    [("pick", "knock"), ("again", "1"), ("sit", "Ugo"), ("house", "1"), ("rules", "{}")],
)
def test_a_button_that_draws_the_form_anew_puts_no_secret_into_the_address(
    phone: FlaskClient, button: str, value: str
) -> None:
    answer = phone.get("/new?game=riparto")
    assert 'method="get"' not in answer.text
    fields = inputs_of(Page.of(answer.text))
    secrets = {*fields["key"], *fields["phone"]}
    fields_ = {**fields, "name": ["Mara", "Leo", "Nina"], "title": "Friday", button: value}
    answer = phone.post("/new", data=fields_, headers={"Sec-Fetch-Site": "same-origin"})
    assert answer.status_code == 303
    address = answer.headers["Location"]
    assert address.startswith("/new?")
    assert not [secret for secret in secrets if secret in address]
    assert "title=Friday" in address
    again = inputs_of(Page.of(phone.get(address).text))
    assert again["title"] == ["Friday"]
    assert not secrets & {*again["key"], *again["phone"]}
