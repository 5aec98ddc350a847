"""Random honest play of Tarot, and walks by its prompts, here and over HTTP."""

from tests.api.test_walker import test_session_by_offered_choices_has_no_findings
from tests.players.test_walking import (
    test_every_choice_can_be_recorded_unchanged,
    test_walk_breaks_no_rule,
    test_walk_completes_hands,
    test_walk_with_many_undone_steps_breaks_no_rule,
)
from tests.test_simulated_play import (
    test_an_evening_ends_as_it_truly_did,
    test_an_event_struck_and_the_strike_struck_is_as_before,
    test_every_record_of_a_hand_gives_the_truth_and_no_alarm,
    test_late_correction_gives_the_same_result_as_a_right_record,
    test_no_hand_needs_what_comes_after_it,
    test_the_truth_of_a_hand_adds_up,
)

__all__ = [
    "test_an_evening_ends_as_it_truly_did",
    "test_an_event_struck_and_the_strike_struck_is_as_before",
    "test_every_choice_can_be_recorded_unchanged",
    "test_every_record_of_a_hand_gives_the_truth_and_no_alarm",
    "test_late_correction_gives_the_same_result_as_a_right_record",
    "test_no_hand_needs_what_comes_after_it",
    "test_session_by_offered_choices_has_no_findings",
    "test_the_truth_of_a_hand_adds_up",
    "test_walk_breaks_no_rule",
    "test_walk_completes_hands",
    "test_walk_with_many_undone_steps_breaks_no_rule",
]
