"""``/t/<session_id>/settings``: keys, codes, the level, matches, and closing the session.

Tests of ``web.keeping.closing``, ``web.keeping.rematch`` and ``web.opening.share``.
"""

import re
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.api.asking import Table, client_of, hand, match
from tests.evenings import event
from tests.web.looking import everybodys, look
from tests.web.pages import inputs_of, page_of

OURS = {"Sec-Fetch-Site": "same-origin"}


@pytest.fixture
def table() -> Table:
    table = Table.open(everybodys())
    table.do(match())
    return table


def get(table: Table, path: str = "", who: str = "host") -> Any:
    """Return a page of the settings, for the holder of this key."""
    return ask(table, "GET", path, who)


def ask(table: Table, method: str, path: str, who: str = "host", **data: Any) -> Any:
    """Return the response for a page of the settings."""
    headers = {**OURS, **table.cookie(who)}
    more: dict[str, Any] = {"data": data} if method == "POST" else {}
    return table.client.open(
        f"/t/{table.id}/settings{path}", method=method, headers=headers, **more
    )


def post(table: Table, path: str, who: str = "host", **data: Any) -> Any:
    """Return the response to a form."""
    return ask(table, "POST", path, who, **data)


def link_in(answer: Any) -> str:
    """Return the path of the one link to join on a page."""
    (links,) = {a["href"] for a in page_of(answer).all("a") if "/join/" in a["href"]}
    return urlsplit(links).path


@pytest.mark.parametrize("who", ["host", "leo", "view"])
def test_every_viewer_sees_players_and_the_rule_for_corrections(table: Table, who: str) -> None:
    page = page_of(get(table, who=who))
    assert page.wrong == []
    assert {"Mara", "Leo", "Nina"} <= set(page.words.split())
    assert "within 30 minutes" in page.words
    assert ("Show a code to join" in page.words) == (who == "host")


def test_the_rule_of_signing_is_that_of_the_service() -> None:
    table = Table.open(client_of(correction_minutes=7, correction_quorum="seats"))
    assert "within 7 minutes" in page_of(get(table)).words
    assert "every player signs" in page_of(get(table)).words


# ---------------------------------------------------------------------------------- ways in


@pytest.mark.parametrize(("wish", "role"), [("host", "host"), ("view", "view"), ("as leo", "seat")])
def test_new_link_is_shown_one_time(table: Table, wish: str, role: str) -> None:
    answer = post(table, "/link", **{"for": wish})
    path = link_in(answer)
    assert answer.status_code == 200
    assert answer.headers["Cache-Control"] == "no-store"
    assert page_of(answer).wrong == []
    assert "<svg" in answer.text
    assert table.client.get(path).status_code == 200
    key = table.client.application.extensions["service"].store.find_key(path.split("/")[-1])
    assert (key.role, key.player) == (role, "leo" if role == "seat" else None)
    assert "/join/" not in get(table).text


@pytest.mark.parametrize("wish", ["", "keeper", "as nobody", "as ", "as <b>"])
def test_link_without_a_role_is_refused(table: Table, wish: str) -> None:
    assert post(table, "/link", **{"for": wish}).status_code == 422


def test_a_link_in_the_place_of_another(table: Table) -> None:
    (old,) = table.key_ids()["leo"]
    answer = post(table, "/link", **{"for": "as leo", "replaces": old})
    assert table.client.get(link_in(answer)).status_code == 200
    assert table.client.get(f"/join/{table.keys['leo']}").status_code == 401


def test_new_code_leads_to_this_table(table: Table) -> None:
    answer = post(table, "/code")
    code = re.search(r'the-code">([A-Z0-9]{6})<', answer.text)
    assert code
    assert "Friday" in table.client.get(f"/code?code={code[1]}").text
    assert code[1] not in get(table).text


def test_key_is_revoked_after_a_page_with_the_consequences(table: Table) -> None:
    (key,) = table.key_ids()["leo"]
    page = page_of(get(table, f"/key/{key}"))
    assert page.wrong == []
    assert key in inputs_of(page)["key"]
    assert table.key_ids()["leo"] == [key]
    assert post(table, "/revoke", key=key).status_code == 303
    assert "leo" not in table.key_ids()
    assert table.client.get(f"/join/{table.keys['leo']}").status_code == 401


def test_the_last_key_of_the_host_stays(table: Table) -> None:
    (key,) = table.key_ids()["host"]
    assert "This phone came in by it" in page_of(get(table, f"/key/{key}")).words
    assert post(table, "/revoke", key=key).status_code == 409
    assert get(table).status_code == 200


@pytest.mark.parametrize("key", ["nothing", "x" * 400, "<b>"])
def test_a_key_that_is_not_there(table: Table, key: str) -> None:
    assert get(table, f"/key/{key}").status_code == 404
    assert post(table, "/revoke", key=key).status_code == 404


def test_key_of_another_session_is_not_found(table: Table) -> None:
    other = Table.open(table.client)
    (key,) = other.key_ids()["leo"]
    assert post(table, "/revoke", key=key).status_code == 404
    assert other.key_ids()["leo"] == [key]


def test_page_shows_when_each_phone_was_last_active(table: Table) -> None:
    table.get(who="nina")
    words = page_of(get(table)).words
    assert "Nina has a phone here" in words
    assert "Leo on the host’s phone" in words
    assert "just now" in words


def test_the_level_of_this_phone(table: Table) -> None:
    answer = post(table, "/level", "leo", level="cards")
    assert answer.status_code == 303
    assert answer.headers["Set-Cookie"].startswith(f"level-{table.id}=cards;")
    assert f"Path=/t/{table.id};" in answer.headers["Set-Cookie"]  # the one that the table sets
    odd = post(table, "/level", level="everything")
    assert odd.headers["Set-Cookie"].startswith(f"level-{table.id}=tricks;")


def test_viewer_has_no_level_setting(table: Table) -> None:
    assert "How much you write down" in page_of(get(table, who="leo")).words
    assert "How much you write down" not in page_of(get(table, who="view")).words
    assert post(table, "/level", "view", level="cards").status_code == 403


# ---------------------------------------------------------------------------- the match, people


def test_player_joins_late(table: Table) -> None:
    assert post(table, "/player", name=" Ugo ").status_code == 303
    assert table.report()["session"]["players"][-1] == {"id": "ugo", "name": "Ugo"}
    assert table.get("/events").get_json()["events"][-1]["type"] == "player_joined"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u2060", "Mara", "x" * 61])
def test_invalid_name_of_a_late_player_is_refused(table: Table, name: str) -> None:
    before = table.report()["session"]["events"]
    answer = post(table, "/player", name=name)
    assert answer.status_code == 422
    assert "late-wrong" in answer.text
    assert table.report()["session"]["events"] == before


def test_another_match_begins_as_the_one_before(table: Table) -> None:
    table.do(event("match_ended"), match("nina mara leo", last_three="sweep"))
    page = page_of(get(table, "/match"))
    assert page.wrong == []
    chosen = [
        option["value"]
        for option in page.all("option")
        if "selected" in option and "value" in option
    ]
    assert chosen[:3] == ["nina", "mara", "leo"]
    assert inputs_of(page)["o-last_three"] == ["1"]
    (moment,) = inputs_of(page)["moment"]
    answer = post(table, "/match", game="riparto", seat=["leo", "nina", "mara", ""], moment=moment)
    assert (answer.status_code, answer.headers["Location"]) == (303, f"/t/{table.id}")
    matches = table.report()["matches"]
    assert [match_["status"] for match_ in matches] == ["finished", "finished", "open"]
    assert matches[-1]["seats"] == ["leo", "nina", "mara"]


def test_new_match_during_a_hand_needs_confirmation(table: Table) -> None:
    table.do(*hand(), event("hand_started", dealer="leo"))
    form: Any = {
        **inputs_of(page_of(get(table, "/match"))),
        "seat": ["leo", "nina", "mara"],
        "result": "decided",
    }
    asked = page_of(post(table, "/match", **form))
    assert "Hand 2 is not finished, and scores nothing. Nothing of it is recorded" in asked.words
    assert "Hand 2 is not finished" in page_of(get(table, "/end")).words
    assert len(table.report()["matches"]) == 1
    (yes,) = [button for button in asked.all("button") if button.get("name") == "leaves"]
    table.do(*hand()[1:], event("hand_started", dealer="nina"))
    again = page_of(post(table, "/match", **form, leaves=yes["value"]))
    assert "Hand 3 is not finished" in again.words, "another hand than the one that was named"
    (yes,) = [button for button in again.all("button") if button.get("name") == "leaves"]
    form["moment"] = inputs_of(again)["moment"]
    for _ in range(2):
        answer = post(table, "/match", **form, leaves=yes["value"])
        assert (answer.status_code, len(table.report()["matches"])) == (303, 2)


def test_new_match_after_a_finished_one_needs_no_confirmation(table: Table) -> None:
    table.do(*hand(), event("match_ended"))
    form: Any = {
        **inputs_of(page_of(get(table, "/match"))),
        "seat": ["leo", "nina", "mara"],
        "result": "decided",
    }
    assert post(table, "/match", **form).status_code == 303
    table.do(event("hand_started", dealer="leo"), at=table.report()["session"]["events"])
    assert post(table, "/match", **form).status_code == 303, "the same form once more"
    assert len(table.report()["matches"]) == 2
    assert "not finished" in page_of(get(table, "/end")).words


def test_another_match_is_played_for_the_same_stake(table: Table) -> None:
    stake = {"currency": "CHF", "point": 25, "match": 500}
    table.do(event("match_started", game="riparto", seats=["leo", "mara", "nina"], stake=stake))
    fields = inputs_of(page_of(get(table, "/match")))
    assert [fields[f"stake-{name}"] for name in ("currency", "point", "match")] == [
        ["CHF"], ["0.25"], ["5"],
    ]  # fmt: skip
    post(table, "/match", game="riparto", seat=["leo", "nina", "mara", ""],
         **{f"stake-{name}": fields[f"stake-{name}"][0] for name in stake})  # fmt: skip
    assert table.report()["matches"][-1]["stake"] == stake
    for who in ("view", "leo"):
        headers = table.cookie(who)
        words = page_of(table.client.get(f"/t/{table.id}", headers=headers)).words
        assert "Played for money: CHF 0.25 a point" in words.replace("\xa0", " "), "before a hand"


def test_the_partners_of_another_match_are_named(table: Table) -> None:
    table.do(event("player_joined", id="ugo", name="Ugo"))
    page = page_of(get(table, "/match?pick=knock&seat=leo&seat=ugo&seat=nina&seat=mara"))
    assert "play together: Leo & Nina against Ugo & Mara" in page.words


def test_another_game_is_picked_with_the_same_seats(table: Table) -> None:
    page = page_of(get(table, "/match?pick=briscola_regina&seat=leo&seat=mara"))
    chosen = [
        option["value"]
        for option in page.all("option")
        if "selected" in option and "value" in option
    ]
    assert chosen[:2] == ["leo", "mara"]
    assert inputs_of(page)["game"] == ["briscola_regina"]


@pytest.mark.parametrize(
    ("data", "field"),
    [
        ({"seat": ["leo", "mara"]}, "seats"),
        ({"seat": ["leo", "leo", "mara"]}, "seats"),
        ({"seat": ["leo", "mara", "ghost"]}, "seats"),
        ({"seat": ["leo", "mara", "nina"], "o-match_end": "2", "o-match_end-2": ""}, "o-match_end"),
    ],
)
def test_invalid_match_is_refused(table: Table, data: dict[str, Any], field: str) -> None:
    answer = post(table, "/match", game="riparto", **data)
    assert answer.status_code == 422
    assert f"{field}-wrong" in answer.text
    assert len(table.report()["matches"]) == 1


def test_the_match_is_ended(table: Table) -> None:
    (moment,) = inputs_of(page_of(get(table, "/end")))["moment"]
    assert post(table, "/end", reason="It is late", moment=moment).status_code == 303
    assert table.report()["matches"][0]["status"] == "finished"
    last = table.get("/events").get_json()["events"][-1]
    assert (last["type"], last["data"]) == ("match_ended", {"reason": "It is late"})
    assert post(table, "/end").status_code == 303  # nothing is left to end
    assert table.get("/events").get_json()["events"][-1] == last


# ---------------------------------------------------------------------------------- the evening


def test_the_evening_is_summed_up_before_it_is_closed(table: Table) -> None:
    table.do(*hand(), event("hand_started", dealer="leo"))
    page = page_of(get(table, "/close"))
    assert page.wrong == []
    for text in ("Hand 2 is not finished", "Nobody accepted 1 hand", "Leo 5"):
        assert text in page.words
    assert not table.report()["session"]["closed"]
    (version,) = inputs_of(page)["version"]
    closing = {"version": version, "result": "decided"}
    assert post(table, "/close", **closing).status_code == 303
    assert table.report()["session"]["closed"]
    assert page_of(get(table)).words.count("The evening is closed.") == 1
    assert post(table, "/close", **closing).status_code == 303  # it is already


@pytest.mark.parametrize("version", ["", "0", "x", "-1", "99999999999999"])
def test_it_is_not_closed_on_an_old_summary(table: Table, version: str) -> None:
    answer = post(table, "/close", version=version)
    assert answer.headers["Location"].endswith("/close?changed=1")
    assert not table.report()["session"]["closed"]


def test_closing_names_a_disputed_hand(table: Table) -> None:
    table.do(*hand())
    table.do(event("hand_disputed", player="nina", reason="no"), who="nina")
    assert "1 hand is disputed" in page_of(get(table, "/close")).words


def test_a_session_without_a_match(table: Table) -> None:
    empty = Table.open(table.client)
    for path in ("", "/match", "/close"):
        answer = get(empty, path)
        assert answer.status_code == 200
        assert page_of(answer).wrong == []


def test_every_page_names_the_table_in_its_title(table: Table) -> None:
    key = table.key_ids()["leo"][0]
    paths = [f"/settings{path}" for path in ("", "/match", "/close", f"/key/{key}")]
    paths += ["/share", "/export"]
    titles = [re.findall("<title>(.*?)</title>", look(table, path).text)[0] for path in paths]
    assert len(set(titles)) == len(paths)
    assert all(" · Friday · " in title for title in titles), titles


def test_every_page_has_one_heading_and_labels(table: Table) -> None:
    for path in ("", "/match", "/close", f"/key/{table.key_ids()['leo'][0]}"):
        page = page_of(get(table, path))
        assert len(page.all("h1")) == 1, path
        ids = [attrs["id"] for _, attrs in page.tags if "id" in attrs]
        assert len(ids) == len(set(ids)), path
        fields = {
            element["id"]
            for tag in ("input", "select", "textarea")
            for element in page.all(tag)
            if element.get("type") != "hidden"
        }
        assert fields == {label["for"] for label in page.all("label")}, path


@pytest.mark.parametrize("name", ["<script>alert(1)</script>", "\u202eevil", "\U0001f600" * 60])
def test_names_are_only_text(name: str) -> None:
    client = everybodys()
    body = {"title": name, "players": [{"id": "leo", "name": name}, {"id": "mara", "name": "M"}]}
    table = Table(client, client.post("/api/sessions", json=body).get_json())
    table.do(event("match_started", game="picchetto", seats=["leo", "mara"]))
    for path in ("", "/match", "/close", f"/key/{table.key_ids()['leo'][0]}"):
        answer = get(table, path)
        assert page_of(answer).wrong == []
        assert name in page_of(answer).text
        assert "<script>alert" not in answer.text
