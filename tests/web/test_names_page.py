"""``web.keeping.names``: a player gets another name, the evening another title, place or day."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import Table, client_of, hand, match
from tests.api.clubbing import Circle
from tests.evenings import by_hand, event, opening
from tests.web.pages import inputs_of, page_of

OURS = {"Sec-Fetch-Site": "same-origin"}
WAS = {"was-title": "Friday", "was-place": "", "was-name.mara": "Mara", "was-name.leo": "Leo",
       "was-name.nina": "Nina"}  # fmt: skip


@pytest.fixture
def table() -> Table:
    return Table.open(client_of())


def get(table: Table, who: str = "host", query: str = "") -> TestResponse:
    path = f"/t/{table.id}/settings/names{query}"
    return table.client.get(path, headers=table.cookie(who))


def post(table: Table, who: str = "host", **form: Any) -> TestResponse:
    data = {**WAS, **{name.replace("__", "."): value for name, value in form.items()}}
    path = f"/t/{table.id}/settings/names"
    return table.client.post(path, data=data, headers={**OURS, **table.cookie(who)})


def about(table: Table) -> dict[str, Any]:
    session: dict[str, Any] = table.report()["session"]
    return session


def names(table: Table) -> list[str]:
    return [player["name"] for player in about(table)["players"]]


def test_host_changes_everything_in_one_form(table: Table) -> None:
    answer = post(table, title="Saturday", place="At Leo’s", date="2019-03-01",
                  name__mara="Maria", name__leo="Leonardo")  # fmt: skip
    assert answer.status_code == 303
    assert (about(table)["title"], about(table)["place"]) == ("Saturday", "At Leo’s")
    assert about(table)["date"] == "2019-03-01"
    assert names(table) == ["Maria", "Leonardo", "Nina"]
    words = page_of(table.client.get(answer.location, headers=table.cookie())).words
    for sentence in ("Saved.", "Mara is now called Maria", "Leo is now called Leonardo",
                     "The evening is now called Saturday", "Now: 1 March 2019"):  # fmt: skip
        assert sentence in words


def test_page_shows_the_present_value_beside_each_field(table: Table) -> None:
    page = page_of(get(table))
    assert page.wrong == []
    for words in ("Now: Friday", "Now: Mara", "Now: Leo", "Now: Nina"):
        assert words in page.words
    values = inputs_of(page)
    assert values["title"] == values["was-title"] == ["Friday"]
    assert values["name.leo"] == values["was-name.leo"] == ["Leo"]


def test_seat_changes_its_own_name_and_nothing_else(table: Table) -> None:
    values = inputs_of(page_of(get(table, "leo")))
    assert {name for name in values if not name.startswith("was-")} == {"key", "name.leo"}
    assert post(table, "leo", name__leo="Leonardo").status_code == 303
    before = about(table)
    assert before["players"][1]["name"] == "Leonardo"
    for form in ({"name__mara": "Maria"}, {"title": "Saturday"}, {"date": "2020-01-01"}):
        assert post(table, "leo", **{"was-name__leo": "Leonardo", **form}).status_code == 422
    assert about(table) == before


def test_viewer_stranger_and_seat_of_another_table_change_nothing(table: Table) -> None:
    other = Table.open(table.client)
    table.keys["other"] = other.keys["leo"]
    for who, status in (("view", 403), ("other", 401)):
        assert get(table, who).status_code == status
        assert post(table, who, name__leo="x").status_code == status
    stranger = table.client.application.test_client()
    assert (
        stranger.post(
            f"/t/{table.id}/settings/names", data={"title": "x"}, headers=OURS
        ).status_code
        == 401
    )
    (seat,) = table.key_ids()["leo"]
    cookie = table.cookie("leo")
    assert table.ask("DELETE", f"/keys/{seat}").status_code == 204
    path = f"/t/{table.id}/settings/names"
    assert (
        table.client.post(path, data={"name.leo": "x"}, headers={**OURS, **cookie}).status_code
        == 401
    )
    assert (about(table)["events"], names(table)) == (1, ["Mara", "Leo", "Nina"])


def test_closed_evening_can_be_put_right_years_later(table: Table) -> None:
    table.do(match(), *hand(), event("session_closed"))
    assert (
        "Change names, title or day"
        in page_of(table.client.get(f"/t/{table.id}/settings", headers=table.cookie())).words
    )
    assert post(table, title="The last Friday", name__leo="Leonardo").status_code == 303
    assert post(table, "nina", name__nina="Nina B.").status_code == 303
    assert names(table) == ["Mara", "Leonardo", "Nina B."]
    results = table.client.get(f"/t/{table.id}/results", headers=table.cookie("view"))
    assert "The last Friday" in results.text
    assert "Leonardo" in results.text


def test_same_form_sent_twice_is_recorded_once(table: Table) -> None:
    for _ in range(2):
        answer = post(table, key="k" * 22, title="Saturday", name__leo="Leonardo")
        assert answer.status_code == 303
        assert answer.location.endswith("since=1")
    assert about(table)["events"] == 3


@pytest.mark.parametrize(
    ("form", "words"),
    [
        ({"title": ""}, "Type a title."),
        ({"title": "\u200b"}, "Type a title."),
        ({"title": "x" * 201}, "longer than 200"),
        ({"place": "x" * 201}, "longer than 200"),
        ({"date": "2025-02-29"}, "Choose a day."),
        ({"date": ""}, "Choose a day."),
        ({"name__leo": ""}, "Type a name."),
        ({"name__leo": "x" * 61}, "longer than 60"),
        ({"name__leo": "mara"}, "Somebody else has this name"),
        ({"name__leo": "M\u200bara"}, "Somebody else has this name"),
        ({"name__leo": "Ada", "name__nina": "ADA"}, "Somebody else has this name"),
        ({}, "You have not changed anything."),
        ({"title": "Friday"}, "You have not changed anything."),
    ],
)
def test_wrong_field_is_shown_with_its_reason(
    table: Table, form: dict[str, str], words: str
) -> None:
    form = {"was-date": inputs_of(page_of(get(table)))["was-date"][0], **form}
    answer = post(table, **form)
    assert answer.status_code == 422
    assert words in page_of(answer).words
    assert about(table)["events"] == 1


def test_two_players_exchange_their_names(table: Table) -> None:
    assert post(table, name__leo="Mara", name__mara="Leo").status_code == 303
    assert names(table) == ["Leo", "Mara", "Nina"]


def test_place_is_kept_if_it_is_emptied(table: Table) -> None:
    assert post(table, place="Bar").status_code == 303
    answer = post(table, **{"was-place": "Bar", "place": ""})
    assert answer.status_code == 422
    assert "It can be changed, and not removed." in page_of(answer).words
    assert about(table)["place"] == "Bar"


def test_field_that_another_changed_meanwhile_is_shown_first(table: Table) -> None:
    assert post(table, "leo", name__leo="Leone").status_code == 303
    answer = post(table, title="Saturday", name__leo="Leonardo")
    assert answer.status_code == 422
    page = page_of(answer)
    assert "Meanwhile somebody has changed this." in page.words
    assert "Now: Leone" in page.words
    assert inputs_of(page)["name.leo"] == ["Leonardo"]
    assert inputs_of(page)["was-name.leo"] == ["Leone"]
    assert about(table)["title"] == "Friday"


def test_field_that_was_not_touched_leaves_what_another_changed(table: Table) -> None:
    assert post(table, "leo", name__leo="Leone").status_code == 303
    assert post(table, title="Saturday", name__leo="Leo").status_code == 303
    assert names(table) == ["Mara", "Leone", "Nina"]


def post_at_once(table: Table, typed: dict[str, str]) -> list[int]:
    """Let each of these players type a name at the same moment; return the statuses."""
    app = table.client.application
    cookies = {player: table.cookie(player) for player in typed}
    now = {player["id"]: player["name"] for player in about(table)["players"]}

    def send(player: str) -> int:
        data = {f"was-name.{player}": now[player], f"name.{player}": typed[player]}
        headers = {**OURS, **cookies[player]}
        client = app.test_client(use_cookies=False)
        return client.post(f"/t/{table.id}/settings/names", data=data, headers=headers).status_code

    with ThreadPoolExecutor(len(typed)) as pool:
        return sorted(pool.map(send, typed))


def test_six_phones_change_names_at_once_and_none_is_lost() -> None:
    table = Table.open(client_of(), "a b c d e f")
    typed = {player: f"{player.upper()} II" for player in "abcdef"}
    assert post_at_once(table, typed) == [303] * 6
    assert names(table) == [*typed.values()]


def test_of_six_phones_that_type_one_name_at_once_one_gets_it() -> None:
    table = Table.open(client_of(), "a b c d e f")
    assert post_at_once(table, {player: f"Marco{' ' * (player > 'c')}" for player in "abcdef"}) == [
        303, *[422] * 5,
    ]  # fmt: skip
    assert names(table).count("Marco") == 1


def test_imported_evening_gets_its_day_and_its_club_counts_it() -> None:
    client = client_of()
    circle = Circle.open(client)
    circle.do(event("season_opened", id="s", name="2019", games=["riparto"], ranking="points",
                    **{"from": "2019-01-01", "to": "2019-12-31"}))  # fmt: skip
    log = by_hand([opening("mara", "leo", "nina"), match(), *hand()])
    answer = client.post(
        "/api/sessions/import", data=log, content_type="application/x-ndjson"
    ).get_json()
    table = Table(client, answer)
    circle.enter(table)
    page = page_of(get(table))
    assert "Now: unknown" in page.words
    assert "The day decides in which seasons the evening counts:" in page.words
    assert post(table, date="2019-03-01").status_code == 303
    assert circle.figures("s")["mara"] is not None


def test_odd_names_of_an_old_log_are_no_change_until_somebody_types() -> None:
    client = client_of()
    players = [{"id": "a", "name": " Leo  "}, {"id": "b", "name": "leo"},
               {"id": "c", "name": "\u200b"}]  # fmt: skip
    log = by_hand([event("session_opened", title=" Friday ", players=players)])
    answer = client.post("/api/sessions/import", data=log, content_type="application/x-ndjson")
    table = Table(client, answer.get_json())
    form = {name: values[0] for name, values in inputs_of(page_of(get(table))).items()}
    data = {**form, "place": "Bar"}
    path = f"/t/{table.id}/settings/names"
    headers = {**OURS, **table.cookie()}
    assert table.client.post(path, data=data, headers=headers).status_code == 303
    assert (names(table), about(table)["place"]) == ([" Leo  ", "leo", "\u200b"], "Bar")
    assert about(table)["events"] == 2


@pytest.mark.parametrize("since", ["", "x", "-1", "0", "99999999999999999999", "1"])
def test_any_version_in_the_address_is_fine(table: Table, since: str) -> None:
    assert get(table, query=f"?since={since}").status_code == 200


@pytest.mark.parametrize("who", ["leo", "host"])
def test_undo_passes_over_a_new_name_and_takes_back_the_play(table: Table, who: str) -> None:
    table.do(match(), event("hand_started", dealer="mara"))
    table.do(event("bid_made", player="leo", points=5), who=who)
    assert post(table, who, name__leo="Leonardo").status_code == 303
    page = table.client.get(f"/t/{table.id}", headers=table.cookie(who))
    undo = page_of(page)
    assert inputs_of(undo)["back"] == ["4"]
    form = {"version": "5", "back": inputs_of(undo)["back"][0]}
    answer = table.client.post(
        f"/t/{table.id}/undo", data=form, headers={**OURS, **table.cookie(who)}
    )
    assert answer.status_code == 303
    assert names(table) == ["Mara", "Leonardo", "Nina"]


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_log_says_what_was_before_also_after_the_close(table: Table, who: str) -> None:
    table.do(match(), *hand())
    assert post(table, name__leo="Leonardo").status_code == 303
    table.do(event("session_closed"), at=about(table)["events"])
    again = post(table, **{"was-name.leo": "Leonardo"}, name__leo="Léo", title="Saturday")
    assert again.status_code == 303
    words = page_of(table.client.get(f"/t/{table.id}/log", headers=table.cookie(who))).words
    for sentence in ("Leo is now called Leonardo", "Leonardo is now called Léo",
                     "The evening is now called Saturday"):  # fmt: skip
        assert words.count(sentence) == 1


def test_new_table_for_an_evening_long_ago(client: FlaskClient) -> None:
    form = {"game": "riparto", "name": ["Mara", "Leo", "Nina"], "date": "2019-03-01",
            "usual": "21 November 2026"}  # fmt: skip
    answer = client.post("/new", data=form, headers=OURS)
    assert answer.status_code == 303
    page = page_of(client.get(answer.location))
    assert "2019" in page.words
    wrong = client.post("/new", data={**form, "date": "2019-02-30"}, headers=OURS)
    assert wrong.status_code == 422
    assert "Choose a day." in page_of(wrong).words


def test_named_day_is_no_time_that_a_phone_moves_to_its_zone(table: Table) -> None:
    table.do(match(), *hand(), event("session_described", date="2019-03-01"))
    page = page_of(table.client.get(f"/t/{table.id}/results", headers=table.cookie()))
    assert "1 March 2019" in page.words
    assert not [tag for tag in page.all("time") if tag.get("datetime", "").startswith("2019")]
