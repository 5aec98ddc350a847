"""A hand that scores otherwise than when it was signed is no longer signed."""

import pytest

from tests.evenings import Raw, event, play_hand, riparto


@pytest.mark.parametrize(
    "later",
    [
        event("points_counted", points={"mara": 6, "leo": 9, "nina": 0}),
        event("hand_abandoned", reason="misdeal"),
    ],
)
def test_later_entry_that_changes_the_score_voids_signatures(later: Raw) -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_confirmed", player="leo")
    before = evening.hand(1)
    seq = evening.add(later)
    assert evening.hand(1)["scores"] != before["scores"]
    assert evening.hand(1)["confirmed"] == []
    evening.strike(seq)
    assert evening.hand(1) == before
