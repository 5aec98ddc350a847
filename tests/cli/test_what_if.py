"""``score --option`` and ``score --explain``: what might be, and why.

Tests of ``cli.reasons_text`` and ``cli.whatif_text``.
"""

import json
from pathlib import Path

import pytest

from scorekeeper.report.explain import explain
from scorekeeper.report.what_if import what_if, what_if_agreed
from tests.cli.asking import run, said
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
    one = riparto()
    one.say("hand_started", dealer="nina")
    one.say("bid_made", player="mara", points=2)
    for taker in ["leo"] * 4 + ["nina"] * 2 + ["mara", "mara", "nina"]:
        one.say("trick_taken", player=taker)
    play_hand(one, "mara")
    return one


LOG = by_hand(evening().log)


def test_the_sheet_as_it_would_be_and_what_changes() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", given=LOG)
    text = said(outcome)
    assert outcome.exit_code == 0
    assert "played with last_three sweep" in text
    assert "What would change; nothing of it is recorded:" in text
    assert "match 1, last_three: majority; would be: sweep" in text
    assert "hand 1.1, scores: " in text
    assert "hand 1.2" not in text


def test_in_json_the_report_and_the_difference() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", "--format", "json", given=LOG)
    expected = what_if(evening().session, {"last_three": "sweep"})
    assert json.loads(outcome.output) == json.loads(json.dumps(expected))


def test_nothing_changes() -> None:
    outcome = run("score", "-", "--option", "last_three=majority", given=LOG)
    assert "Nothing would change." in outcome.output


def test_a_value_that_is_json() -> None:
    outcome = run("score", "-", "--option", 'match_end={"hands":1}', given=LOG)
    assert outcome.exit_code == 1
    assert "match 1, match_end: open; would be: hands 1" in said(outcome)
    assert "hand 1.2, new: ERROR: Hand 2 was played after the end of the match" in said(outcome)


def test_several_options_and_a_match() -> None:
    outcome = run("score", "-", "--option", "last_three=sweep", "--option", "award_tie=none",
                  "--match", "1", given=LOG)  # fmt: skip
    assert "played with last_three sweep, award_tie none" in said(outcome)


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
def test_what_cannot_be_ends_with_2(args: tuple[str, ...], says: str) -> None:
    outcome = run("score", "-", *args, given=LOG)
    assert outcome.exit_code == 2
    assert says in said(outcome)


# ------------------------------------------------------------------------ corrections, proposals


def corrections(tmp_path: Path, *events: Raw) -> Path:
    """A file of corrections."""
    path = tmp_path / "corrections.jsonl"
    path.write_bytes(by_hand(events))
    return path


def test_corrections_in_a_file(tmp_path: Path) -> None:
    one = [replaced(4, "bid_made", player="mara", points=3), struck(13)]
    path = corrections(tmp_path, *one)
    outcome = run("score", "-", "--correction", path, given=LOG)
    assert "What would change; nothing of it is recorded:" in said(outcome)
    assert "hand 1.1, status: complete; would be: incomplete" in said(outcome)
    outcome = run("score", "-", "--correction", path, "--option", "last_three=sweep",
                  "--format", "json", given=LOG)  # fmt: skip
    expected = what_if(evening().session, {"last_three": "sweep"}, one)
    assert json.loads(outcome.output) == json.loads(json.dumps(expected))


def test_a_proposal_and_what_it_changes() -> None:
    one = evening()
    one.say("hand_disputed", player="leo", reason="", hand=1)
    fewer = replaced(4, "bid_made", player="mara", points=3)
    seq = one.say("correction_proposed", corrections=[fewer], reason="", hand=1)
    one.say("proposal_signed", proposal=seq, player="leo")
    outcome = run("score", "-", "--proposal", seq, "--format", "json", given=by_hand(one.log))
    assert json.loads(outcome.output) == json.loads(json.dumps(what_if_agreed(one.session, seq)))
    text = said(run("audit", "-", given=by_hand(one.log)))
    assert f"Proposal {seq}: event 4 (Mara bid 2) should read: Mara bid 3 signed by Leo" in text
    assert "What would change; nothing of it is recorded: match 1, totals: " in text
    assert "hand 1.1, scores: " in text


def test_a_proposal_that_can_no_more_be_recorded_is_told_so() -> None:
    one = evening()
    one.say("hand_disputed", player="leo", reason="", hand=2)
    card = inserted(4, "card_played", player="leo", card="AS")  # of the other hand
    one.say("correction_proposed", corrections=[card], reason="", hand=2)
    one.add(card)
    text = said(run("audit", "-", given=by_hand(one.log)))
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
def test_corrections_that_cannot_be_end_with_2(tmp_path: Path, what: list[Raw], says: str) -> None:
    outcome = run("score", "-", "--correction", corrections(tmp_path, *what), given=LOG)
    assert outcome.exit_code == 2
    assert says in said(outcome)


@pytest.mark.parametrize("more", [(), ("--option", "last_three=sweep")])
def test_what_is_no_proposal_ends_with_2(more: tuple[str, ...]) -> None:
    outcome = run("score", "-", "--proposal", 3, *more, given=LOG)
    assert outcome.exit_code == 2
    assert ("without --option" if more else "field proposal") in said(outcome)


# --------------------------------------------------------------------------------- explanation


def test_all_hands_explained() -> None:
    text = said(run("score", "-", "--explain", given=LOG))
    assert "hand 1: complete" in text
    assert "hand 2: complete" in text
    assert "Trick 1: Leo took it, as was said: its cards are not on record (G6)" in text
    assert "Match 1 comes to Mara" in text


def test_a_hand_explained_has_its_tricks() -> None:
    text = said(run("score", "-", "--explain", "1", given=LOG))
    assert "tricks 1–9" in text
    assert "Trick 9: Nina took it" in text
    assert "hand 2" not in text


@pytest.mark.parametrize(("args", "hand"), [(["--explain"], None), (["--explain", "1.2"], 2)])
def test_the_tree_in_json(args: list[str], hand: int | None) -> None:
    outcome = run("score", "-", "--format", "json", *args, given=LOG)
    match = None if hand is None else 1
    expected = explain(evening().session, match, hand)
    assert json.loads(outcome.output) == json.loads(json.dumps(expected))


def test_a_hand_explained_as_it_would_be() -> None:
    before, after = (
        said(run("score", "-", "--explain", "1", *more, given=LOG))
        for more in ([], ["--option", "last_three=sweep"])
    )
    assert before != after


def test_penalties_are_explained() -> None:
    one = riparto()
    one.say("penalty_given", side="leo", points=-2, reason="late")
    play_hand(one, "mara")
    one.say("penalty_given", side="mara", points=-1, reason="")
    text = said(run("score", "-", "--explain", given=by_hand(one.log)))
    assert "Leo -2, a penalty: late" in text
    assert "Mara -1, a penalty" in text
    assert "Match 1 comes to Mara 4, Leo -2, Nina 0" in text
