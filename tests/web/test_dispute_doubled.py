"""The dispute desk if the correction of one hand changes the pay of a later one.

Tests of ``web.dispute.effect`` and ``web.dispute.desk``.
"""

import json
from typing import Any, Final
from urllib.parse import urlencode

import pytest

from scorekeeper.languages.money import MINUS
from tests.api.asking import Table
from tests.evenings import Raw, event, replaced, struck
from tests.web.looking import everybodys, forms, page, post

FIVE: Final = "mara leo nina ugo zoe"
DESK: Final = "/d/1-1"  # of the hand that was thrown in, event 4
MISDEAL: Final = replaced(4, "hand_abandoned", reason="a misdeal", kind="misdeal")


def played(*result: Raw) -> list[Raw]:
    """Leo bids 71 with Nina: 2 units."""
    return [
        event("hand_started", dealer="mara"),
        event("bid_made", player="leo", bid=71),
        event("partner_revealed", player="nina"),
        *result,
    ]


MADE: Final = event("outcome_recorded", made=True)


@pytest.fixture
def table() -> Table:
    """A weak hand is thrown in, and the hand after it is made."""
    table = Table.open(everybodys(), FIVE)
    table.do(
        event("match_started", game="briscola_chiamata", seats=FIVE.split(),
              options={"next_double": ["weak_hand"], "redeal_max_points": 4}),
        event("hand_started", dealer="mara"),
        event("hand_abandoned", reason="a weak hand", player="ugo", kind="weak_hand"),
        *played(MADE),
    )  # fmt: skip
    return table


def preview(*corrections: Raw) -> str:
    return f"{DESK}/preview?" + urlencode({"pick": json.dumps(corrections), "reason": "so"})


def leo(table: Table, number: int) -> Any:
    return table.report()["matches"][0]["hands"][number - 1]["scores"]["leo"]


@pytest.mark.parametrize("correction", [MISDEAL, struck(4)], ids=["misdeal", "struck"])
def test_the_preview_names_the_later_hand_that_pays_otherwise(
    table: Table, correction: Raw
) -> None:
    words = page(table, preview(correction), "leo").words
    effect = "Hand 2: Mara -4 → -2, Leo 8 → 4, Nina 4 → 2, Ugo -4 → -2, Zoë -4 → -2"
    assert effect.replace("-", MINUS) in words
    assert leo(table, 2) == 8


def test_a_correction_that_changes_no_later_hand_names_none(table: Table) -> None:
    other = replaced(4, "hand_abandoned", reason="four 2s", player="zoe", kind="weak_hand")
    assert "Hand 2:" not in page(table, preview(other), "leo").words


def test_a_hand_between_them_without_a_result_is_no_obstacle(table: Table) -> None:
    table.do(event("hand_started", dealer="leo"),
             event("hand_abandoned", reason="a weak hand", player="ugo", kind="weak_hand"),
             *played(), *played(MADE), as_played=True)  # fmt: skip
    assert [leo(table, hand) for hand in (3, 4, 5)] == [0, 0, 8]
    findings = [
        finding for finding in table.report()["findings"] if finding["code"] == "game_unclear"
    ]
    assert [finding["hand"] for finding in findings] == [5]
    words = page(table, "/d/1-3/preview?" + urlencode({"pick": json.dumps([
        replaced(10, "hand_abandoned", reason="a misdeal", kind="misdeal")]), "reason": "so"}),
        "leo").words  # fmt: skip
    assert "Hand 5: Mara -4 → -2, Leo 8 → 4".replace("-", MINUS) in words
    assert "Hand 4:" not in words


def test_all_sign_for_it_and_the_later_hand_pays_as_it_was_shown(table: Table) -> None:
    for player in FIVE.split():
        table.do(event("hand_confirmed", player=player), who=player)
    form = forms(page(table, preview(MISDEAL), "leo"))["propose"]
    answer = post(table, f"{DESK}/propose", "leo", **{**form, "reason": "so"})
    assert answer.status_code == 303, answer.text
    assert (leo(table, 2), table.report()["matches"][0]["hands"][1]["confirmed"]) == (
        8, FIVE.split(),
    )  # fmt: skip
    for player in FIVE.split():
        hidden = forms(page(table, DESK, player))["sign"]
        assert post(table, f"{DESK}/sign", player, **hidden).status_code == 303
    assert (leo(table, 2), table.report()["matches"][0]["hands"][1]["confirmed"]) == (4, [])


@pytest.mark.parametrize("who", ["leo", "zoe"])
def test_seat_cannot_change_a_confirmed_hand_through_the_previous_one(
    table: Table, who: str
) -> None:
    for player in FIVE.split():
        table.do(event("hand_confirmed", player=player), who=player)
    for correction in (MISDEAL, struck(4)):
        answer = table.append(correction, who=who, as_played=True)
        assert answer.status_code in (403, 409, 422), answer.get_data(as_text=True)
    assert leo(table, 2) == 8
