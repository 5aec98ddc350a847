"""The result of an evening equals its report, and can be stored and loaded."""

import io
from pathlib import Path

import pytest

from scorekeeper.clubs.evening import FORMAT_VERSION, PlayedEvening
from scorekeeper.report.evening_sums import describe_terms
from scorekeeper.session.session import Session
from tests.evenings import Raw, build_report, event, golden_logs, opening, sealed, struck
from tests.web.club.visiting import log_of


@pytest.mark.parametrize("path", golden_logs()[::4], ids=lambda path: path.stem)
def test_result_of_an_evening_equals_its_report(path: Path) -> None:
    with path.open("rb") as stream:
        session = Session.read(stream)
    values, played = build_report(session), PlayedEvening.of("one", session)
    assert PlayedEvening.from_json(played.to_json()) == played
    assert played.to_json().startswith(b'{"session":"one","title":')  # as databases have it
    for match, match_played in zip(values["matches"], played.matches, strict=True):
        complete = [hand for hand in match["hands"] if hand["status"] == "complete"]
        assert (match_played.game, match_played.totals) == (match["game"], match["totals"])
        assert list(match_played.winners) == (match["winners"] if complete else [])
        assert [hand.number for hand in match_played.hands] == [hand["hand"] for hand in complete]
        for hand, paid in zip(complete, match_played.hands, strict=True):
            for side, members in match_played.sides.items():
                for player in set(members) & paid.scores.keys():
                    assert paid.scores[player] == hand["scores"][side]


def test_evening_begins_with_its_first_hand() -> None:
    events = [
        opening("mara", "leo", "nina"),
        event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
        event("hand_started", dealer="leo"),
    ]
    session = Session.read(io.BytesIO(sealed(events, by="keeper")))
    assert PlayedEvening.of("one", session).began == session.corrections.recorded[3].at
    imported = Session.read(io.BytesIO(sealed(events)))  # nobody knows when that was
    assert PlayedEvening.of("one", imported).began == ""


def test_only_corrections_after_the_last_hand_count_as_corrected() -> None:
    events = [
        opening("mara", "leo", "nina"),
        event("match_started", game="riparto", seats=["mara", "leo", "nina"]),
        event("hand_started", dealer="leo"),
        struck(3),
        event("hand_started", dealer="mara"),
    ]
    assert corrected(events) == ""
    assert corrected([*events, event("note_added", text="late")]) == ""
    assert corrected([*events, struck(5)]) == "2026-10-02T20:06:00.000Z"


def corrected(events: list[Raw]) -> str:
    """When an evening of events was last corrected."""
    session = Session.read(io.BytesIO(log_of(events, "2026-10-02")))
    return PlayedEvening.of("one", session).corrected


def test_result_stored_in_another_format_is_ignored() -> None:
    session = Session.read(io.BytesIO(sealed([opening("mara")])))
    kept = PlayedEvening.of("one", session).to_json()
    assert PlayedEvening.from_json(kept.replace(b'"form":%d' % FORMAT_VERSION, b'"form":0')) is None


def test_terms_are_those_options_by_which_scores_are_of_one_kind() -> None:
    def terms(**options: object) -> str:
        log = sealed([
            opening("mara", "leo", "nina", "ugo", "zoe"),
            event("match_started", game="briscola_chiamata",
                  seats=["mara", "leo", "nina", "ugo", "zoe"], options=options),
        ])  # fmt: skip
        return describe_terms(Session.read(io.BytesIO(log)).structure.matches[0])

    assert terms() == terms(match_end={"hands": 3}) == terms(pack="french")
    assert terms() != terms(bands=[81, 101])
    assert terms() == terms(bands=[71, 81, 91, 101])
