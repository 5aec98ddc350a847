"""Which hands a holder of a key may correct. Tests of ``service.amending``."""

import pytest

from scorekeeper.service.amending import may_amend
from scorekeeper.streams.holder import Holder
from tests.evenings import event
from tests.service.evenings import add, knock

HOST, SEAT, VIEW = Holder("host"), Holder("seat", "leo"), Holder("view")
AT_PLAY = event("hand_started", dealer="mara")


@pytest.mark.parametrize(
    ("holder", "over", "at_play"), [(HOST, True, True), (SEAT, True, False), (VIEW, False, False)]
)
def test_only_the_host_corrects_a_hand_at_play_and_seats_a_complete_one(
    holder: Holder, over: bool, at_play: bool
) -> None:
    session = knock()
    add(session, AT_PLAY)
    (match,) = session.structure.matches
    amendable = [may_amend(hand, holder) for hand in match.hands]
    assert amendable == [over, at_play]
