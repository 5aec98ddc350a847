"""The JSON Schemas of the kinds of logs."""

from typing import Any

import pytest
from jsonschema import Draft202012Validator

from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.service.log_schemas import LOG_SCHEMAS
from tests.evenings import event

CLUB = Draft202012Validator(LOG_SCHEMAS["club"]())


@pytest.mark.parametrize("kind", LOG_SCHEMAS)
def test_the_schema_of_each_kind_is_a_schema(kind: str) -> None:
    Draft202012Validator.check_schema(LOG_SCHEMAS[kind]())


def test_schema_of_a_club_names_every_event_of_a_club() -> None:
    types = LOG_SCHEMAS["club"]()["properties"]["type"]["enum"]
    assert types == [declared.TYPE for declared in CLUB_EVENTS]


@pytest.mark.parametrize(
    ("line", "fits"),
    [
        (event("club_opened", name="Circolo", format=1), True),
        (event("club_opened", name="Circolo", format=2), False),
        (event("club_opened", name="Circolo"), False),
        (event("club_changed"), False),
        (event("club_changed", zone="Europe/Rome"), True),
        (event("evening_entered", session="s7k2m4p9q3rt", players={"mara": None}), True),
        (event("evening_entered", session="s7k2m4p9q3rt", players={"Mara": None}), False),
        (event("season_changed", season="autumn", to=None), True),
        (event("season_changed", season="autumn", to="soon"), False),
        (event("session_closed"), False),
        (event("event_replaced", seq=2, type="member_left", data={"member": "leo"}), True),
        (event("event_replaced", seq=2, type="member_left", data={}), False),
        (event("event_replaced", seq=2, type="bid_made", data={"player": "leo"}), False),
    ],
    ids=str,
)
def test_schema_of_a_club_accepts_only_its_events(line: Any, fits: bool) -> None:
    assert CLUB.is_valid(line) is fits
