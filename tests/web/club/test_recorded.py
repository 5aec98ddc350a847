"""The host takes back events that were recorded in the club by mistake."""

from typing import Any

import pytest

from scorekeeper.clubs.events import CLUB_EVENTS, ClubOpened
from scorekeeper.events.corrections import CORRECTING
from tests.api.hall import Hall
from tests.web.club.visiting import OWN, Visit, riparto
from tests.web.pages import inputs_of

SEASON = {"name": "Autumn", "from": "2026-10-01", "game": ["riparto"], "by": "points"}


@pytest.fixture
def club() -> Visit:
    """A club with events of every kind."""
    visit = Visit.found("Mara", "Leo", "Nina", "Ugo", "Ugolino", "Zoe", currency="EUR", money="yes")
    visit.enter(riparto(title="First Friday"), riparto("2026-10-09", title="Second Friday"))
    visit.done("/settings/season", **SEASON)
    visit.done("/settings/member/ugo", act="rename", name="Ugone")
    visit.done("/settings/merge", member="ugolino", into="ugo")
    visit.done("/settings/member/zoe", act="leave")
    visit.done("/settings/member/leo/points", season="autumn", points="-5", reason="came late")
    visit.done("/money", **{"from": "leo", "to": "mara", "amount": "50.00", "note": "for pizza"})
    visit.done("/settings/houses", **{"game": "knock", "club-house": "Fridays"})
    visit.done("/settings/houses/drop", game="knock", name="Fridays")
    visit.done("/settings/club", place="Bar Sport")
    visit.done("/settings/season/autumn/change", name="Long autumn")
    visit.done("/settings/season/autumn/change", name="Autumn", to="2026-12-31", seen="2026-12-31")
    return visit


def recorded(visit: Visit) -> list[dict[str, Any]]:
    """Return the events of the club's log in its database."""
    log = visit.phone.get(f"/api/clubs/{visit.club_id}/events").get_json()
    return list(log["events"])


def last(visit: Visit, kind: str) -> str:
    """Return the address at which the last event of a kind is taken back."""
    seq = next(event["seq"] for event in reversed(recorded(visit)) if event["type"] == kind)
    return f"/settings/recorded/{seq}"


def last_standing(visit: Visit, kind: str) -> str:
    """Return the address at which the last event of a kind that was not struck is taken back."""
    struck = {event["data"]["seq"] for event in recorded(visit) if event["type"] == "event_struck"}
    seqs = [event["seq"] for event in recorded(visit) if event["type"] == kind]
    return f"/settings/recorded/{next(seq for seq in reversed(seqs) if seq not in struck)}"


def session(visit: Visit) -> str:
    seen = [event for event in recorded(visit) if event["type"] == "evening_entered"]
    return str(seen[-1]["data"]["session"])


def close(visit: Visit) -> None:
    """Close the season."""
    there = "/settings/season/autumn/close"
    visit.done(there, tag=inputs_of(visit.page(there))["tag"])


def standings(visit: Visit) -> Any:
    return visit.phone.get(f"/api/clubs/{visit.club_id}/standings").get_json()["rows"]


def money(visit: Visit) -> Any:
    return visit.phone.get(f"/api/clubs/{visit.club_id}/money").get_json()["money"]


def test_everything_is_listed_in_words_the_newest_first(club: Visit) -> None:
    club.done(f"/evenings/{session(club)}/withdraw", reason="a friendly game")
    close(club)
    words = club.page("/settings/recorded").words
    sentences = [
        "Season closed: Autumn", "Evening withdrawn: Second Friday", "a friendly game",
        "Season changed: Autumn; name Long autumn → Autumn; last day – → 31 Dec 2026",
        "Season changed: Autumn; name Autumn → Long autumn", "Club changed; place – → Bar Sport",
        "House rules removed: Fridays (Knock!)", "House rules saved: Fridays (Knock!)",
        "Leo paid Mara", "50.00", "for pizza", "Leo: \N{MINUS SIGN}5 points in Autumn", "came late",
        "Zoe left the club", "Ugolino is the same person as Ugone", "Ugo is called Ugone now",
        "Season opened: Autumn", "Evening added: Second Friday", "Evening added: First Friday",
        "Zoe joined the club", "Mara joined the club",
    ]  # fmt: skip
    places = [words.find(sentence) for sentence in sentences]
    assert -1 not in places, sentences[places.index(-1)]
    assert places == sorted(places)


def test_every_kind_of_event_can_be_taken_back_but_the_opening(club: Visit) -> None:
    club.done(f"/evenings/{session(club)}/withdraw", reason="a friendly game")
    close(club)
    version = recorded(club)[-1]["seq"]
    hall = Hall.open(club.app.test_client(use_cookies=False))
    entrants = dict.fromkeys(("ada", "bea", "ciro", "dora", "elio", "fede"))
    entered = {"tournament": hall.id, "entrants": entrants}
    note = {
        "events": [{"type": "note_added", "data": {"text": "rain"}},
                   {"type": "tournament_entered", "data": entered}],
        "keys": [hall.keys["view"]],
    }  # fmt: skip
    headers = {**OWN, "If-Match": f'"{version}"'}
    answer = club.phone.post(f"/api/clubs/{club.club_id}/events", json=note, headers=headers)
    assert answer.status_code == 201, answer.text
    kinds = (
        {event.TYPE for event in CLUB_EVENTS}
        - {event_type.TYPE for event_type in CORRECTING}
        - {ClubOpened.TYPE}
    )
    assert {event["type"] for event in recorded(club)} - {ClubOpened.TYPE} == kinds
    for raw in reversed(recorded(club)[1:]):
        club.done(f"/settings/recorded/{raw['seq']}", reason="all of it was a trial")
    assert "Nothing yet." in club.page("/settings/recorded").words
    assert standings(club) == []
    assert club.look("/settings/recorded/1").status_code == 404


def test_a_payment_that_is_taken_back_counts_no_more(club: Visit) -> None:
    before = money(club)
    club.done("/money", **{"from": "nina", "to": "mara", "amount": "7.00"})
    assert money(club) != before
    there = club.done(last(club, "payment_made"), reason="it was 17")
    assert "Taken back." in club.page(there.partition(club.club_id)[2]).words
    assert money(club) == before
    assert recorded(club)[-1]["data"]["reason"] == "it was 17"


def test_points_that_are_taken_back_count_no_more(club: Visit) -> None:
    before = {row["member"]: row["figure"] for row in standings(club)}
    club.done(last(club, "points_adjusted"), reason="it was Nina")
    after = {row["member"]: row["figure"] for row in standings(club)}
    assert after == before | {"leo": before["leo"] + 5}


def test_an_evening_that_is_taken_back_can_be_added_again(club: Visit) -> None:
    entered = session(club)
    club.done(last(club, "evening_entered"), reason="that was no Leo")
    assert "Second Friday" not in club.page("/evenings").words
    who = {"as-mara": "mara", "as-leo": "ugo", "as-nina": "nina"}
    club.done("/enter", session=entered, **who)
    assert "Second Friday" in club.page("/evenings").words
    assert recorded(club)[-1]["data"]["players"]["leo"] == "ugo"


def test_event_with_dependents_stays_and_the_dependent_is_named(club: Visit) -> None:
    for _ in range(2):
        club.done(last_standing(club, "season_changed"), reason="never mind")
    first = last(club, "season_opened")
    page = club.refused(first, reason="never mind")
    assert "Take that back first: Leo: \N{MINUS SIGN}5 points in Autumn" in page.words
    assert inputs_of(page)["reason"] == ["never mind"]
    assert f"/club/{club.club_id}{last(club, 'points_adjusted')}" in {
        a.get("href") for a in page.all("a")
    }
    club.done(last(club, "points_adjusted"), reason="never mind")
    club.done(first, reason="never mind")


@pytest.mark.parametrize(
    ("reason", "says"),
    [(" ", "Say why in a few words."), ("x" * 401, "This is longer than 400 letters.")],
)
def test_taking_back_needs_a_reason(club: Visit, reason: str, says: str) -> None:
    assert says in club.refused(last(club, "payment_made"), reason=reason).words


def test_event_can_be_taken_back_only_one_time(club: Visit) -> None:
    path = last(club, "payment_made")
    club.done(path, reason="mistyped")
    assert club.look(path).status_code == 404
    assert club.post(path, reason="again").status_code == 404
    assert "Leo paid Mara" not in club.page("/settings/recorded").words


def test_only_the_host_sees_it(club: Visit) -> None:
    assert club.other("seat", "leo").look("/settings/recorded").status_code == 403
    assert "/settings/recorded" not in club.other("seat", "nina").look("/settings").text
