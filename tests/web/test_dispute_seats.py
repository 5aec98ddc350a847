"""A viewer who may not dispute a hand sees who may."""

import pytest

from tests.api.asking import Table, hand, match
from tests.evenings import event
from tests.web.looking import everybodys, page


@pytest.mark.parametrize("who", ["ugo", "view", "leo"])
def test_player_outside_of_the_hand_sees_who_can_dispute_it(who: str) -> None:
    table = Table.open(everybodys(), "mara leo nina ugo")
    table.do(match(), *hand(), event("hand_started", dealer="leo"))
    desk = page(table, "/d/1-1", who)
    hint = "The players of this match can dispute it, and so can the host."
    assert (hint in desk.words) == (who != "leo")
    assert ("What is wrong?" in desk.words) == (who == "leo")
