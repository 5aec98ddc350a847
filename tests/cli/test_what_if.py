"""``score --option`` and ``score --explain``: what might be, and why.

Tests of ``cli.reasons_text`` and ``cli.whatif_text``.
"""

import json
from pathlib import Path

import pytest

from scorekeeper.base.views import to_json_values
from scorekeeper.report.explain import explain
from scorekeeper.report.what_if import compare_agreed, compare_supposed
from tests.cli.asking import run, words
from tests.evenings import (
    Evening,
    Raw,
    by_hand,
    event,
    inserted,
    play_hand,
    replaced,
    riparto,
    struck,
)


def evening() -> Evening:
    """Mara takes two of the last three tricks; then a hand by its totals."""
    evening_ = riparto()
    evening_.say("hand_started", dealer="nina")
    evening_.say("bid_made", player="mara", points=2)
    for taker in ["leo"] * 4 + ["nina"] * 2 + ["mara", "mara", "nina"]:
        evening_.say("trick_taken", player=taker)
    play_hand(evening_, "mara")
    return evening_


LOG = by_hand(evening().log)


def test_what_if_prints_the_new_sheet_and_the_changes() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", stdin=LOG)
    text = words(outcome)
    assert outcome.exit_code == 0
    assert "played with last_three sweep" in text
    assert "What would change; nothing of it is recorded:" in text
    assert "match 1, last_three: majority; would be: sweep" in text
    assert "hand 1.1, scores: " in text
    assert "hand 1.2" not in text


def test_json_has_the_report_and_the_difference() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", "--format", "json", stdin=LOG)
    expected = compare_supposed(evening().session, {"last_three": "sweep"})
    assert json.loads(outcome.output) == json.loads(json.dumps(to_json_values(expected)))


def test_option_without_effect_changes_nothing() -> None:
    outcome = run("score", "-", "--option", "last_three=majority", stdin=LOG)
    assert "Nothing would change." in outcome.output


def test_option_value_can_be_json() -> None:
    outcome = run("score", "-", "--option", 'match_end={"hands":1}', stdin=LOG)
    assert outcome.exit_code == 1
    assert "match 1, match_end: open; would be: hands 1" in words(outcome)
    assert "hand 1.2, new: ERROR: Hand 2 was played after the end of the match" in words(outcome)


def test_several_options_and_a_match() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", "--option", "award_tie=none",
                  "--match", "1", stdin=LOG)  # fmt: skip
    assert "played with last_three sweep, award_tie none" in words(outcome)


@pytest.mark.parametrize(
    ("args", "says"),
    [
        (("--option", "last_three"), "expected NAME=VALUE"),
        (("--option", "last_three=all"), "field options.last_three"),
        (("--option", "last_three=true"), "field options.last_three"),
        (("--option", "tie=draw"), "expected an option of a game played here"),
        (("--option", "last_three=sweep", "--match", "2"), "field match"),
        (("--explain", "--match", "2"), "no match 2"),
        (("--match", "1"), "only with --option or --explain"),
    ],
)
def test_invalid_options_exit_with_2(args: tuple[str, ...], says: str) -> None:
    outcome = run("score", "-", *args, stdin=LOG)
    assert outcome.exit_code == 2
    assert says in words(outcome)


# ------------------------------------------------------------------------ corrections, proposals


def corrections(tmp_path: Path, *events: Raw) -> Path:
    """A file of corrections."""
    path = tmp_path / "corrections.jsonl"
    path.write_bytes(by_hand(events))
    return path


def test_corrections_in_a_file(tmp_path: Path) -> None:
    events = [replaced(4, "bid_made", player="mara", points=3), struck(13)]
    path = corrections(tmp_path, *events)
    outcome = run("score", "-", "--correction", path, stdin=LOG)
    assert "What would change; nothing of it is recorded:" in words(outcome)
    assert "hand 1.1, status: complete; would be: incomplete" in words(outcome)
    outcome = run("score", "-", "--correction", path, "--option", "last_three=sweep",
                  "--format", "json", stdin=LOG)  # fmt: skip
    expected = compare_supposed(evening().session, {"last_three": "sweep"}, events)
    assert json.loads(outcome.output) == json.loads(json.dumps(to_json_values(expected)))


def test_changes_of_a_proposal_are_printed() -> None:
    evening_ = evening()
    evening_.say("hand_disputed", player="leo", reason="", hand=1)
    fewer = replaced(4, "bid_made", player="mara", points=3)
    seq = evening_.say("correction_proposed", corrections=[fewer], reason="", hand=1)
    evening_.say("proposal_signed", proposal=seq, player="leo")
    outcome = run("score", "-", "--proposal", seq, "--format", "json", stdin=by_hand(evening_.log))
    assert json.loads(outcome.output) == json.loads(
        json.dumps(to_json_values(compare_agreed(evening_.session, seq)))
    )
    text = words(run("audit", "-", stdin=by_hand(evening_.log)))
    assert f"Proposal {seq}: event 4 (Mara bid 2) should read: Mara bid 3 signed by Leo" in text
    assert "What would change; nothing of it is recorded: match 1, totals: " in text
    assert "hand 1.1, scores: " in text


def test_proposal_that_can_no_longer_be_recorded_is_marked() -> None:
    evening_ = evening()
    evening_.say("hand_disputed", player="leo", reason="", hand=2)
    card = inserted(4, "card_played", player="leo", card="AS")  # of the other hand
    evening_.say("correction_proposed", corrections=[card], reason="", hand=2)
    evening_.add(card)
    text = words(run("audit", "-", stdin=by_hand(evening_.log)))
    assert "It can no longer be recorded: " in text


@pytest.mark.parametrize(
    ("what", "says"),
    [
        ([struck(99)], "field corrections.0.data.seq"),
        (
            [struck(13), event("note_added", text="")],
            "field corrections.1.type: expected event_struck or event_replaced or event_inserted",
        ),
        ([struck(13), {"what": "nothing"}], "corrections.jsonl: line 2, field what"),
    ],
)
def test_invalid_corrections_exit_with_2(tmp_path: Path, what: list[Raw], says: str) -> None:
    outcome = run("score", "-", "--correction", corrections(tmp_path, *what), stdin=LOG)
    assert outcome.exit_code == 2
    assert says in words(outcome)


@pytest.mark.parametrize("more", [(), ("--option", "last_three=sweep")])
def test_event_that_is_no_proposal_exits_with_2(more: tuple[str, ...]) -> None:
    outcome = run("score", "-", "--proposal", 3, *more, stdin=LOG)
    assert outcome.exit_code == 2
    assert ("without --option" if more else "field proposal") in words(outcome)


# --------------------------------------------------------------------------------- explanation


def test_all_hands_explained() -> None:
    text = words(run("score", "-", "--explain", stdin=LOG))
    assert "hand 1: complete" in text
    assert "hand 2: complete" in text
    assert "Trick 1: Leo took it, as the table said: its cards are not on record (G6)" in text
    assert "Match 1 comes to Mara" in text


def test_a_hand_explained_has_its_tricks() -> None:
    text = words(run("score", "-", "--explain", "1", stdin=LOG))
    assert "tricks 1–9" in text
    assert "Trick 9: Nina took it" in text
    assert "hand 2" not in text


@pytest.mark.parametrize(("args", "hand"), [(["--explain"], None), (["--explain", "1.2"], 2)])
def test_the_tree_in_json(args: list[str], hand: int | None) -> None:
    outcome = run("score", "-", "--format", "json", *args, stdin=LOG)
    match = None if hand is None else 1
    expected = to_json_values(explain(evening().session, match, hand))
    assert json.loads(outcome.output) == json.loads(json.dumps(expected))


def test_explanation_follows_the_options() -> None:
    before, after = (
        words(run("score", "-", "--explain", "1", *more, stdin=LOG))
        for more in ([], ["--option", "last_three=sweep"])
    )
    assert before != after


def test_penalties_are_explained() -> None:
    evening_ = riparto()
    evening_.say("penalty_given", side="leo", points=-2, reason="late")
    play_hand(evening_, "mara")
    evening_.say("penalty_given", side="mara", points=-1, reason="")
    text = words(run("score", "-", "--explain", stdin=by_hand(evening_.log)))
    assert "Leo -2, a penalty: late" in text
    assert "Mara -1, a penalty" in text
    assert "Match 1 comes to Mara 4, Leo -2, Nina 0" in text
