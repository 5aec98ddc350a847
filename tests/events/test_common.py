"""The events of every game: those that the log format lists, each with its place.

Tests of ``events.common``, ``events.corrections``, ``events.disputes`` and ``events.playing``.
"""

import re

from scorekeeper.events.common import COMMON
from scorekeeper.events.event import Place
from scorekeeper.games import GAMES
from scorekeeper.session.disputes import HAND_AGREEMENT_EVENTS
from scorekeeper.session.structure import STRUCTURAL_TYPES, Structure
from tests.events.declared import EVERY_EVENT

# As the log format lists them; games add their own.
SESSION_TYPES = set(
    re.findall(
        r"\w+",
        """
    session_opened session_described player_joined player_renamed match_started hand_started
    hand_abandoned points_counted
    outcome_recorded score_claimed hand_confirmed hand_disputed correction_proposed
    proposal_signed proposal_declined dispute_settled penalty_given note_added match_ended
    session_closed event_struck event_replaced event_inserted card_played trick_taken
    rest_claimed cards_shown
""",
    )
)


def test_the_types_of_the_log_format_are_declared_under_their_names() -> None:
    assert {event_type.TYPE for event_type in EVERY_EVENT} >= SESSION_TYPES


def test_session_events_are_common_to_all_games() -> None:
    for game in GAMES.values():
        assert {event_type.TYPE for event_type in COMMON} <= set(game.by_type)
        assert len({event_type for event_type in game.events if event_type in COMMON}) == 0


def test_common_events_have_a_place_outside_hands() -> None:
    """An event beside the play is placed by a function, and its correction places all anew."""
    for declared in EVERY_EVENT:
        if declared.PLACE not in (Place.HAND, Place.CORRECTION) and declared.TYPE != "note_added":
            assert declared.TYPE in Structure._HANDLERS or declared in HAND_AGREEMENT_EVENTS
            assert declared.TYPE in STRUCTURAL_TYPES or declared.TYPE == "penalty_given"
