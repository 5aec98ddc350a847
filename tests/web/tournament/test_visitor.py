"""Phones in a hall: one key follows its player from table to table, and does no more.

Of ``tournament.visitor`` and ``tournament.page``.
"""

import json

import pytest
from werkzeug.test import TestResponse

from tests.api.hall import Hall
from tests.evenings import event
from tests.web.pages import inputs_of, page_of
from tests.web.tournament.visiting import Person, opened, service

SIX = ("ada bea ciro", "dora elio fede")


@pytest.fixture
def hall() -> Hall:
    """A tournament with keys for Ada, Dora and an assistant."""
    made = opened()
    for player in ("ada", "dora"):
        made.add_key("entrant", player)
    made.add_key("assistant")
    return made


def test_one_key_follows_its_player_from_table_to_table(hall: Hall) -> None:
    """Ada opens her link before the round; at the table of the round before she only signs."""
    ada, stranger = Person(hall, "ada"), Person(hall, None)
    hall.draw(1, *SIX)
    first = hall.publish()
    assert "Table 1, seat 1" in ada.page().words
    assert begin_hand(ada, first[1]).status_code == 303
    assert begin_hand(ada, first[2]).status_code == 403  # another table: she looks on
    assert stranger.look(f"/t/{first[1]}").status_code == 401
    hall.do(event("round_closed", stage=1, round=1))
    hall.draw(2, "fede bea ada", "ciro elio dora")
    second = hall.publish(2)
    assert "Table 1, seat 3" in ada.page().words
    assert begin_hand(ada, second[1]).status_code == 303
    note = {"type": "note_added", "fixed": json.dumps({"text": "Later"}), "version": "3"}
    assert ada.post(f"/t/{first[1]}/record", **note).status_code == 403
    assert ada.post(f"/t/{second[1]}/record", **note).status_code == 303
    for page in (f"/t/{first[1]}", f"/t/{second[2]}", f"/t/{second[1]}/settings"):
        assert ada.look(page).status_code == 200
        assert stranger.look(page).status_code == 401


def begin_hand(person: Person, session_id: str | None, version: int = 2) -> TestResponse:
    """Begin a hand at a table, as the page does."""
    form = {"type": "hand_started", "fixed": json.dumps({"dealer": "ada"}), "version": version}
    return person.post(f"/t/{session_id}/record", **form)


def test_entry_after_the_round_is_left_to_the_director(hall: Hall) -> None:
    """It is refused as too late and not as outdated; the director reopens the table for it."""
    ada, director = Person(hall, "ada"), Person(hall)
    hall.draw(1, *SIX)
    session = hall.publish()[1]
    hall.do(event("round_closed", stage=1, round=1))
    late = begin_hand(ada, session)
    assert late.status_code == 403
    assert "closed before this arrived" in page_of(late).words
    assert "data-late" in late.text
    for phone in (ada, director):
        part = phone.phone.get(f"/t/{session}", headers={"X-Fragment": "1"})
        assert "The round is closed" in part.text
    undo = inputs_of(director.page(f"/t/{session}"))
    director.done(f"/t/{session}/undo", **{name: undo[name][0] for name in ("version", "back")})
    assert begin_hand(director, session, version=4).status_code == 303


def test_entry_at_a_table_that_the_player_left_is_not_taken_for_a_lost_key(hall: Hall) -> None:
    """Ada was exchanged with Dora while her phone was offline; a viewer never had a form."""
    hall.draw(1, *SIX)
    session = hall.publish()[1]
    exchanged = {"round": 1, "entrants": ["ada", "dora"], "reason": "a couple"}
    hall.do(event("seats_exchanged", **exchanged))
    late = begin_hand(Person(hall, "ada"), session)
    assert late.status_code == 403
    assert "You no longer sit at this table" in page_of(late).words
    assert "data-late" not in begin_hand(Person(hall, "view"), session).text


@pytest.mark.parametrize(("who", "status"), [("host", 200), ("view", 200), (None, 401)])
def test_other_keys_see_the_hall_and_no_seat(hall: Hall, who: str | None, status: int) -> None:
    """A stranger sees nothing; the names of the others are on the page."""
    hall.draw(1, *SIX)
    hall.publish()
    answer = Person(hall, who).look()
    assert answer.status_code == status
    assert ("Table 1" in page_of(answer).words) == (status == 200)
    assert "seat 1" not in page_of(answer).words


def test_a_revoked_key_opens_neither_the_hall_nor_a_table(hall: Hall) -> None:
    """The phone is told that its link was taken back."""
    dora = Person(hall, "dora")
    hall.draw(1, *SIX)
    sessions = hall.publish()
    (key,) = hall.key_ids()["dora"]
    assert hall.ask("DELETE", f"/keys/{key}").status_code == 204
    assert dora.look().status_code == 401
    assert dora.look(f"/t/{sessions[2]}").status_code == 401


def test_a_draw_that_is_not_published_is_on_no_page(hall: Hall) -> None:
    """An entrant is not named with their table until the publication."""
    people = [Person(hall, who) for who in ("ada", "view", "assistant", "host")]
    before = [person.page().words for person in people]
    hall.draw(1, *SIX)
    assert [person.page().words for person in people] == before


def test_a_link_says_what_it_makes_of_the_phone(hall: Hall) -> None:
    """A director, an assistant, a player and a viewer."""
    said = {who: page_of(service().test_client().get(f"/join/{key}")).words
            for who, key in hall.keys.items()}  # fmt: skip
    assert "Become the director" in said["host"]
    assert "Help the director" in said["assistant"]
    assert "Come in as Ada" in said["ada"]
    assert "Look on" in said["view"]


def test_players_cannot_vote_themselves_into_the_directors_place(hall: Hall) -> None:
    """At a table of its own, a lost host is replaced by agreement; a director is not."""
    hall.draw(1, *SIX)
    place = f"/t/{hall.publish()[1]}/settings"
    ada, dora = Person(hall, "ada"), Person(hall, "dora")
    keys = hall.key_ids()
    assert "new host" not in ada.page(place).words
    answers = [ada.post(f"{place}/new-host/ask", after=""),
               dora.post(f"{place}/new-host/agree", request="x"),
               ada.post(f"{place}/new-host/end", request="x"),
               ada.post(f"{place}/new-host/take", request="x"),
               Person(hall).post(f"{place}/new-host/end", request="x")]  # fmt: skip
    assert [answer.status_code for answer in answers] == [403] * 5
    vote = service().extensions["service"].hosting.host_vote(hall.id)
    assert vote.latest is None
    assert hall.key_ids() == keys
