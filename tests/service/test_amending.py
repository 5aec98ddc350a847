"""What can be corrected of a hand, and by whom."""

import pytest

from scorekeeper.service.amending import may_amend
from scorekeeper.service.permissions import Holder
from tests.evenings import event
from tests.service.evenings import add, knock

HOST, SEAT, VIEW = Holder("host"), Holder("seat", "leo"), Holder("view")
AT_PLAY = event("hand_started", dealer="mara")


@pytest.mark.parametrize(
    ("holder", "over", "at_play"), [(HOST, True, True), (SEAT, True, False), (VIEW, False, False)]
)
def test_a_hand_at_play_is_the_hosts_and_one_that_is_over_the_players(
    holder: Holder, over: bool, at_play: bool
) -> None:
    session = knock()
    add(session, AT_PLAY)
    (match,) = session.structure.matches
    found = [may_amend(hand, holder) for hand in match.hands]
    assert found == [over, at_play]
