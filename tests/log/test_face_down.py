"""``log.face_down``: a salt goes where something can lie face down, and nowhere else."""

import subprocess
import sys
from typing import Any

import pytest

from scorekeeper.events.event import SALT
from scorekeeper.log.face_down import OPEN_TYPES, add_salt, get_hidden_fields, remove_salt
from tests.evenings import GOLDEN

KIND, (FIELD, *_MORE) = next((kind, sorted(fields)) for kind, fields in get_hidden_fields().items())
HIDDEN: dict[str, Any] = {FIELD: ["7C"]}
PUT_IN = {"type": KIND, "data": HIDDEN}


@pytest.mark.parametrize(
    ("kind", "data", "within"),
    [
        (KIND, HIDDEN, []),
        ("event_replaced", {"seq": 4, **PUT_IN}, ["data"]),
        ("event_inserted", {"after": 4, **PUT_IN}, ["data"]),
        ("correction_proposed", {"corrections": [PUT_IN]}, ["corrections", 0, "data"]),
        (
            "correction_proposed",
            {"corrections": [{"type": "event_replaced", "data": {"seq": 4, **PUT_IN}}]},
            ["corrections", 0, "data", "data"],
        ),
    ],
    ids=["itself", "replaced", "inserted", "proposed", "proposed to be replaced"],
)
def test_salt_can_be_added_and_removed(kind: str, data: Any, within: list[Any]) -> None:
    salted: Any = add_salt(kind, data)
    assert remove_salt(kind, salted) == data
    for step in within:
        salted = salted[step]
    assert salted.keys() == {FIELD, SALT}


@pytest.mark.parametrize(
    ("kind", "data"),
    [
        (KIND, 7),
        (KIND, {"another": 7}),
        ("points_counted", {"corrections": [PUT_IN]}),
        ("points_counted", PUT_IN),
        ("event_replaced", {"type": KIND}),
        ("correction_proposed", {}),
        ("correction_proposed", {"corrections": "all"}),
        ("correction_proposed", {"corrections": {"type": KIND}}),
        ("correction_proposed", {"corrections": ["all", {"type": KIND}, {"data": HIDDEN}]}),
    ],
)
def test_open_or_invalid_data_gets_no_salt(kind: str, data: Any) -> None:
    assert add_salt(kind, data) == data
    assert remove_salt(kind, data) == data


LOADED = """
import sys
from scorekeeper.session.session import Session
with open(sys.argv[1], "rb") as log:
    Session.read(log)
print(*sorted(one for one in sys.modules if one.endswith(".rules") and ".games." in one))
"""


def test_correction_of_a_common_event_loads_no_other_game() -> None:
    log = GOLDEN / "riparto" / "evening.jsonl"
    assert b"event_replaced" in log.read_bytes()
    done = subprocess.run(
        [sys.executable, "-c", LOADED, str(log)], check=True, capture_output=True, text=True
    )
    assert done.stdout.split() == ["scorekeeper.games.riparto.rules"]


def test_common_events_are_open_in_every_game() -> None:
    assert not OPEN_TYPES & get_hidden_fields().keys()
    assert {"card_played", "points_counted", "note_added"} <= OPEN_TYPES
