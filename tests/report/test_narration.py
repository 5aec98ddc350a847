"""A hand as it is told: its tricks with who took them, and those beyond its number.

Tests of ``report.narration``.
"""

from scorekeeper.report.narration import tricks_of
from tests.evenings import riparto


def test_tricks_beyond_the_number_of_the_hand_are_told_and_score_nothing() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("card_played", player="leo", card="AS")
    evening.say("trick_taken", player="mara")
    for _ in range(9):
        evening.say("trick_taken", player="leo")
    told = tricks_of(evening.session.structure.matches[0].hands[0])
    assert [(one.number, one.winner, one.scored) for one in told] == [
        (1, "mara", True), *((n, "leo", True) for n in range(2, 10)), (10, None, False),
    ]  # fmt: skip
    (play,) = told[0].plays
    assert (play.seq, play.player, play.led, play.won) == (4, "leo", True, False)
    assert told[0].of("leo") == play
    assert told[0].of("mara") is None
    assert [one.otherwise for one in told] == [()] * 10
    assert [sorted(one.events) for one in told[:2]] == [[4, 5], [6]]
