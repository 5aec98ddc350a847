"""Unusual input for a club is refused with the field and the reason, or counts as given.

Tests of ``api.clubs`` and ``service.clubs``.
"""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table, hand, match, problem_of
from tests.api.clubbing import Circle, entering, evening
from tests.evenings import Raw, event

SEASON: Raw = {"name": "Autumn", "games": ["riparto"], "ranking": "points"}


def season(id_: str, **more: Any) -> Raw:
    """Return the event that opens a season."""
    return event("season_opened", id=id_, **{**SEASON, **more})


@pytest.fixture
def circle(on_memory: FlaskClient) -> Circle:
    return Circle.open(on_memory)


def day_of(table: Table) -> str:
    """Return the day on which a session was opened, in UTC."""
    return str(table.get("/events").get_json()["events"][0]["at"][:10])


# -------------------------------------------------------------------------------- evenings


def test_closed_evening_counts(circle: Circle) -> None:
    table = evening(circle.client)
    table.do(event("match_ended"), event("session_closed"), as_played=True)
    circle.enter(table)
    assert circle.figures() == {"leo": 5, "mara": 0, "nina": 0}


def test_evening_without_a_hand_adds_no_figures(circle: Circle) -> None:
    table = Table.open(circle.client)
    circle.enter(table)
    assert circle.figures() == {}
    assert circle.get("/members/leo").get_json()["evenings"] == 0
    table.do(match(), *hand(), as_played=True)
    assert circle.figures()["leo"] == 5


def test_evening_can_only_be_entered_with_its_key(circle: Circle) -> None:
    table, other = evening(circle.client), evening(circle.client)
    for keys in ((), [other.keys["host"]], [circle.keys["host"]]):
        answer = circle.append(entering(table), keys=keys)
        assert problem_of(answer) == (422, "unusable")
        assert "a key to that evening is needed" in answer.get_json()["detail"]
    missing = circle.append(event("evening_entered", session="23456789abcd", players={}))
    assert "a key to that evening is needed" in missing.get_json()["detail"]  # no more details
    assert problem_of(circle.append(entering(table), keys=["x" * 32])) == (422, "unusable")


def test_club_cannot_be_entered_as_an_evening(circle: Circle) -> None:
    other = Circle.open(circle.client)
    entered = event("evening_entered", session=other.id, players={})
    answer = circle.append(entered, keys=[other.keys["host"]])
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["detail"] == "there is no such evening here"


def test_evening_may_count_in_two_clubs(circle: Circle) -> None:
    """A member of two clubs is in the standings of both."""
    table, other = evening(circle.client), Circle.open(circle.client)
    for club_ in (circle, other):
        club_.enter(table)
        assert club_.figures()["leo"] == 5
    table.do(*hand(dealer="leo"), as_played=True)
    assert [club.figures()["leo"] for club in (circle, other)] == [10, 10]


# --------------------------------------------------------------------------------- seasons


def test_seasons_may_last_a_day_be_empty_or_overlap(circle: Circle) -> None:
    table = evening(circle.client)
    circle.enter(table)
    day = day_of(table)
    circle.do(season("day", to=day, **{"from": day}),
              season("before", to="2019-12-31", **{"from": "2019-01-01"}),
              season("all", **{"from": "2019-01-01"}),
              season("again", **{"from": day}))  # fmt: skip
    for season_, figures in (("day", 5), ("all", 5), ("again", 5), ("before", None)):
        assert circle.figures(season_).get("leo") == figures, season_
    circle.do(event("season_closed", season="before", heads={}))
    told_of = circle.get("/standings?season=before").get_json()
    assert (told_of["rows"], told_of["after_the_close"]["moved"]) == ([], [])


@pytest.mark.parametrize(
    ("more", "field", "words"),
    [
        ({"from": "2026-10-02", "to": "2026-10-01"}, "data.to", "cannot end on 2026-10-01"),
        ({"from": "2026-02-30"}, "data.from", "a day such as"),
        ({"from": "yesterday"}, "data.from", "a day such as"),
        ({"games": []}, "data.games", ""),
        ({"games": ["bridge"]}, "data.games", 'no game "bridge" is installed here'),
        ({"games": ["riparto", "knock"]}, "data.ranking", "never added"),
        ({"ranking": "luck"}, "data.ranking", "points"),
        ({"ranking": {"by": "rating", "best": 3}}, "data.ranking.best", "all evenings"),
        *(
            (
                {"ranking": {"by": "places", "places": {many: [1, 0]}}},
                f"data.ranking.places.{many}",
                "a number of players",
            )
            for many in ("\N{SUPERSCRIPT TWO}", "\N{ARABIC-INDIC DIGIT TWO}", "02", "1", "x")
        ),
        ({"name": ""}, "data.name", ""),
    ],
)
def test_invalid_season_is_refused(circle: Circle, more: Raw, field: str, words: str) -> None:
    answer = circle.append(season("autumn", **{"from": "2026-10-01", **more}))
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["field"] == f"events.0.{field}"
    assert words in problem["detail"]


# ---------------------------------------------------------------------------- house rules


def kept(name: str = "Fridays", game: str = "briscola_chiamata", **options: Any) -> Raw:
    """Return the event that stores house rules."""
    return event("house_kept", name=name, game=game, options=options)


@pytest.mark.parametrize(
    ("recorded", "field", "words"),
    [
        (kept(game="bridge"), "data.game", 'no game "bridge" is installed here'),
        (kept(telepathy=True), "data.options.telepathy", "an option of this game"),
        (kept(bands=[81, 71]), "data.options.bands", "rising numbers from 62 to 120"),
        (kept(sweep_pay={"set": 1}), "data.options.sweep_pay", ""),
        (kept(min_bid=90, max_bid=80), "data.options.min_bid", "above the highest"),
        (kept(""), "data.name", "1 to 60 characters"),
        (kept("x" * 61), "data.name", "1 to 60 characters"),
        (kept("two\nlines"), "data.name", "control characters"),
        (kept("\u200b"), "data.name", "visible characters"),
        (kept("FRIDAYS", bands=[]), "data.name", "called Fridays already"),
        (event("house_dropped", name="Sundays", game="briscola_chiamata"), "data.name", "Sundays"),
        (event("house_kept", name="Sundays", game="knock", options=[]), "data.options", "object"),
        (event("house_kept", name="Sundays", game="knock"), "data.options", ""),
    ],
)
def test_invalid_house_rules_are_refused(
    circle: Circle, recorded: Raw, field: str, words: str
) -> None:
    circle.do(kept(bands=[70, 80]))
    before = circle.get().get_json()
    answer = circle.append(recorded)
    assert answer.status_code == 422
    problem = answer.get_json()
    assert problem["field"].startswith(f"events.0.{field}")
    assert words in problem["detail"]
    assert circle.get().get_json() == before


def test_only_the_host_may_store_and_delete_house_rules(circle: Circle) -> None:
    circle.do(kept(bands=[70, 80]))
    circle.add_key("member", "leo")
    for recorded in (
        kept("Sundays"),
        event("house_dropped", name="Fridays", game="briscola_chiamata"),
    ):
        for who in ("leo", "view"):
            assert problem_of(circle.append(recorded, who=who)) == (403, "forbidden")
    (house,) = circle.get(who="view").get_json()["houses"]
    assert house["options"] == {"bands": [70, 80]}


def test_invisible_name_is_refused(circle: Circle) -> None:
    answer = circle.append(event("member_joined", id="ugo", name="\u3164"))
    assert answer.get_json()["field"] == "events.0.data.name"
    opened = circle.client.post("/api/clubs", json={"name": "\u200b"})
    assert (opened.status_code, opened.get_json()["field"]) == (422, "name")
    joined = event("member_joined", id="ugo", name="Ugo")
    circle.do(joined)
    hidden = {"seq": circle.version, "reason": "", "type": "member_joined",
              "data": {"id": "ugo", "name": "\u3164"}}  # fmt: skip
    assert problem_of(circle.append(event("event_replaced", **hidden))) == (422, "unusable")


# --------------------------------------------------------------------------------- members


def test_circular_merger_is_refused(circle: Circle) -> None:
    circle.do(event("member_joined", id="ugo", name="Ugo"),
              event("member_joined", id="ada", name="Ada"),
              event("members_merged", member="ugo", into="ada"))  # fmt: skip
    for one, other in (("ada", "ugo"), ("ugo", "ada"), ("ada", "ada")):
        answer = circle.append(event("members_merged", member=one, into=other))
        assert "one member already" in answer.get_json()["detail"]
    circle.do(event("members_merged", member="ada", into="leo"))
    assert circle.get("/members/ugo").get_json()["member"] == "leo"


def test_three_hundred_members_may_have_the_longest_names(circle: Circle) -> None:
    names = {f"m{n:03}": f"{n:03} ".ljust(60, "W") for n in range(300)}
    people = [{"id": member, "name": name} for member, name in names.items()]
    many = Circle(circle.client, circle.client.post(
        "/api/clubs", json={"name": "C" * 200, "members": people}).get_json())  # fmt: skip
    table = evening(circle.client)
    who = dict(zip(("leo", "mara", "nina"), names, strict=False))
    many.do(entering(table, **who), keys=[table.keys["host"]])
    body = many.get("/standings").get_json()
    assert [row["name"] for row in body["rows"]] == list(names.values())[:3]
    assert len(many.get().get_json()["members"]) == 300
    for number in range(0, 300, 20):
        many.add_key("member", f"m{number:03}")
    twin = many.append(event("member_joined", id="more", name=names["m007"].lower()))
    assert f"called {names['m007']} already" in twin.get_json()["detail"]
    longer = many.append(event("member_joined", id="more", name="W" * 61))
    assert longer.get_json()["field"] == "events.0.data.name"
    assert names["m001"] in many.get("/exports/csv").text
