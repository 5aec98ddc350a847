"""Corrections as a set: every sentence that the log format says of them.

Tests of ``log.sets`` and ``session.ordering``.
"""

import random
from collections.abc import Callable, Sequence
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given

from scorekeeper.base.errors import UnusableError
from scorekeeper.exports import verifier
from scorekeeper.games import GAMES
from scorekeeper.log.reading import verify
from scorekeeper.repair.whole_corrections import WHOLE_KINDS, build_whole
from scorekeeper.session.session import Session
from tests.evenings import (
    Evening,
    Raw,
    build_report,
    by_hand,
    event,
    inserted,
    opening,
    play_hand,
    replaced,
    riparto,
    score,
    sealed,
    struck,
)  # fmt: skip
from tests.players.common import evening as played_evening
from tests.session.test_anew import EXAMPLES, SEEDS
from tests.thinned import thinned

WHOLE_HAND = [
    event("hand_started", dealer="leo"),
    event("bid_made", player="leo", points=5),
    event("points_counted", points={"mara": 4, "leo": 5, "nina": 6}),
]


def begun(count: int, reason: str = "agreed") -> Raw:
    return event("correction_begun", count=count, reason=reason)


def a_set(*corrections: Raw) -> list[Raw]:
    """Corrections as they are recorded in one append."""
    return [begun(len(corrections)), *corrections]


def bare(correction: Raw) -> Raw:
    """A correction without a reason of its own."""
    data = {name: value for name, value in correction["data"].items() if name != "reason"}
    return {**correction, "data": data}


def add(evening: Evening, *corrections: Raw) -> int:
    """Add a set; the seq of the event that begins it."""
    first, *members = a_set(*corrections)
    seq = evening.add(first)
    for member in members:
        evening.add(member)
    return seq


def person_of_a_match() -> Evening:
    """A match in which Cal was seated where Gil played."""
    return Evening(
        opening("ada", "ben", "cal", "gil"),
        event("match_started", game="riparto", seats=["ada", "ben", "cal"]),
        event("hand_started", dealer="ada"),
        event("bid_made", player="cal", points=5),
        event("points_counted", points={"cal": 5, "ada": 6}),
        event("hand_confirmed", player="cal"),
    )


CAL_BECOMES_GIL = [
    replaced(2, "match_started", game="riparto", seats=["ada", "ben", "gil"]),
    bare(replaced(4, "bid_made", player="gil", points=5)),
    bare(replaced(5, "points_counted", points={"gil": 5, "ada": 6})),
    bare(replaced(6, "hand_confirmed", player="gil")),
]


# ------------------------------------------------------------------- what a set makes possible


def test_one_player_is_exchanged_for_another_throughout_a_match() -> None:
    evening = person_of_a_match()
    for raw in CAL_BECOMES_GIL:
        with pytest.raises(UnusableError):
            evening.add({**raw, "data": {**raw["data"], "reason": "it was Gil"}})
    add(evening, *CAL_BECOMES_GIL)
    assert evening.match()["seats"] == ["ada", "ben", "gil"]
    assert evening.hand(1)["scores"] == {"ada": 0, "ben": 0, "gil": 5}
    assert evening.hand(1)["confirmed"] == ["gil"]
    assert score(by_hand(evening.log)) == evening.report
    assert score(sealed(evening.log))["matches"] == evening.report["matches"]


def test_a_whole_hand_is_removed() -> None:
    evening = riparto()
    wrong = play_hand(evening, "nina")
    play_hand(evening, "leo", bid=4)
    with pytest.raises(UnusableError, match="no hand of this match"):
        evening.strike(wrong[0])
    add(evening, *(bare(struck(seq)) for seq in wrong))
    assert [hand["dealer"] for hand in evening.match()["hands"]] == ["leo"]
    assert evening.match()["totals"]["mara"] == 4


def hand_entered_twice() -> tuple[Evening, list[int]]:
    """Two hands, of which the second was entered twice, accepted and disputed; its seqs."""
    evening = riparto()
    play_hand(evening, "mara")
    play_hand(evening, "leo")
    twice = play_hand(evening, "leo")
    evening.say("hand_confirmed", player="leo")
    evening.say("hand_disputed", player="mara", reason="twice", match=1, hand=3)
    return evening, twice


def test_what_was_said_of_a_hand_that_a_set_removes_stays_without_effect() -> None:
    evening, twice = hand_entered_twice()
    before = evening.report["matches"]
    with pytest.raises(UnusableError):
        evening.strike(twice[0])
    seq = add(evening, *(bare(struck(seq)) for seq in twice))
    assert [hand["dealer"] for hand in evening.match()["hands"]] == ["mara", "leo"]
    assert evening.report["signatures"] == evening.report["disputes"] == []
    assert score(by_hand(evening.log)) == evening.report
    evening.strike(seq)
    assert evening.report["matches"] == before


def test_a_strike_alone_removes_no_hand_that_players_spoke_of() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    evening.say("hand_started", dealer="leo")
    evening.say("hand_disputed", player="mara", reason="not begun", match=1, hand=2)
    with pytest.raises(UnusableError, match="the hand that this is about no longer exists"):
        evening.strike(6)


def test_a_proposal_removes_the_hand_that_it_is_about() -> None:
    evening, twice = hand_entered_twice()
    corrections = [bare(struck(seq)) for seq in twice]
    seq = evening.say("correction_proposed", corrections=corrections, reason="twice",
                      match=1, hand=3)  # fmt: skip
    evening.say("proposal_signed", proposal=seq, player="leo")
    play_hand(evening, "nina")
    evening.say("dispute_settled", ruling="corrected", text="", proposal=seq)
    for raw in corrections:
        evening.add(raw)
    assert [hand["dealer"] for hand in evening.match()["hands"]] == ["mara", "leo", "nina"]
    evening.say("hand_confirmed", player="nina")
    assert evening.hand(3)["confirmed"] == ["nina"]
    assert score(by_hand(evening.log)) == evening.report
    with pytest.raises(UnusableError, match="the seq of a proposal"):
        evening.say("proposal_signed", proposal=seq, player="nina")


def test_a_whole_hand_is_put_in_where_each_names_the_one_before() -> None:
    evening = riparto()
    last = play_hand(evening, "mara")[-1]
    play_hand(evening, "nina")
    assert evening.codes == ["wrong_dealer"]
    first = len(evening.log) + 2
    after = [last, first, first + 1]
    add(evening, *(
        bare(inserted(seq, raw["type"], **raw["data"]))
        for seq, raw in zip(after, WHOLE_HAND, strict=True)
    ))  # fmt: skip
    assert [hand["dealer"] for hand in evening.match()["hands"]] == ["mara", "leo", "nina"]
    assert evening.hand(2)["scores"]["leo"] == 5
    assert evening.codes == []


def test_seats_options_and_stake_are_corrected_with_what_depends_on_them() -> None:
    evening = person_of_a_match()
    stake = {"currency": "EUR", "point": 10, "match": 100}
    anew = event("match_started", game="riparto", seats=["ada", "ben", "gil"], stake=stake,
                 options={"bid_tie": "last"})  # fmt: skip
    add(evening, replaced(2, anew["type"], **anew["data"]), *CAL_BECOMES_GIL[1:])
    assert evening.match()["options"]["bid_tie"] == "last"
    assert evening.report["matches"][0]["stake"] == stake


# ----------------------------------------------------------------------- together, and after all


def test_nothing_takes_effect_before_the_last_correction() -> None:
    evening = person_of_a_match()
    before = evening.report
    for raw in a_set(*CAL_BECOMES_GIL)[:-1]:
        evening.add(raw)
        assert evening.report["matches"] == before["matches"]
        assert evening.report["corrections"] == []
    evening.add(CAL_BECOMES_GIL[-1])
    assert evening.match()["seats"][2] == "gil"
    assert len(evening.report["corrections"]) == 4


def test_inside_a_set_only_corrections_stand() -> None:
    for raw in (
        event("note_added", text="ok"), event("trick_taken", player="ada"),
        event("session_closed"), begun(2), event("hand_started", dealer="ada"),
    ):  # fmt: skip
        evening = person_of_a_match()
        evening.add(begun(2))
        before = evening.report
        with pytest.raises(UnusableError, match="more belong to the set that event 7 begins"):
            evening.add(raw)
        assert evening.report == before
        evening.add(bare(struck(6)))
        evening.add(bare(struck(5)))
        assert evening.hand(1)["status"] == "open"


def test_a_refused_last_correction_leaves_the_set_open() -> None:
    evening = person_of_a_match()
    for raw in a_set(*CAL_BECOMES_GIL)[:-1]:
        evening.add(raw)
    before = evening.report, evening.session.corrections.steps
    for _ in range(2):
        with pytest.raises(UnusableError, match="with this correction event 6 is no longer valid"):
            evening.add(bare(struck(4)))
        assert (evening.report, evening.session.corrections.steps) == before
    evening.add(CAL_BECOMES_GIL[-1])
    assert evening.match()["seats"][2] == "gil"


@pytest.mark.parametrize("cut", [1, 2, 4])
@pytest.mark.parametrize("write", [by_hand, sealed])
def test_a_file_that_ends_inside_a_set_is_unusable(cut: int, write: Any) -> None:
    log = [*person_of_a_match().log, *a_set(*CAL_BECOMES_GIL)][:-cut]
    why = f"line {len(log)}: ends inside the set of corrections that event 7 begins: {cut} more"
    with pytest.raises(UnusableError, match=why):
        score(write(log))


def test_sets_are_sealed_line_by_line_like_anything_else() -> None:
    """Where a log was cut inside a set, its chain alone does not show it; its score does."""
    log = sealed([*person_of_a_match().log, *a_set(*CAL_BECOMES_GIL)])
    cut = log[: log[:-1].rindex(b"\n") + 1]
    for content, events in ((log, 11), (cut, 10)):
        assert (verify(BytesIO(content)).ok, verify(BytesIO(content)).events) == (True, events)
        assert verifier.verify(BytesIO(content))[:2] == (0, events)
    assert not verify(BytesIO(cut), count=11).ok
    assert score(log)["matches"][0]["seats"] == ["ada", "ben", "gil"]
    with pytest.raises(UnusableError, match="ends inside the set"):
        score(cut)


@pytest.mark.parametrize(("count", "usable"), [(1, False), (2, True), (1000, True), (1001, False)])
def test_a_set_has_two_to_a_thousand_corrections(count: int, usable: bool) -> None:
    evening = riparto()
    evening.say("note_added", text="")
    if not usable:
        with pytest.raises(UnusableError, match=r"field data\.count"):
            evening.add(begun(count))
        return
    add(evening, *[bare(inserted(3, "note_added", text="late"))] * count)
    assert len(evening.report["corrections"]) == count
    assert evening.session.corrections.steps < 100_000


def test_a_proposal_holds_at_most_a_thousand() -> None:
    evening = riparto()
    play_hand(evening, "mara")
    correction = bare(inserted(5, "note_added", text=""))
    evening.say("correction_proposed", corrections=[correction] * 1000, reason="")
    with pytest.raises(UnusableError, match=r"field data\.corrections"):
        evening.say("correction_proposed", corrections=[correction] * 1001, reason="")


def test_outside_a_set_a_correction_needs_a_reason() -> None:
    evening = person_of_a_match()
    with pytest.raises(UnusableError, match=r"field data\.reason: missing"):
        evening.add(bare(struck(6)))
    add(evening, bare(struck(6)), bare(struck(5)))
    with pytest.raises(UnusableError, match=r"field data\.reason: missing"):
        evening.add(bare(struck(4)))


def test_set_needs_an_open_session_and_a_known_author() -> None:
    with pytest.raises(UnusableError, match="a log begins with session_opened"):
        Evening(begun(2))
    evening = person_of_a_match()
    for raw in a_set(struck(6), struck(5)):
        with pytest.raises(UnusableError, match="field by"):
            evening.add(raw, by="zorro")
        evening.add(raw, by="ada")


def test_a_set_comes_also_after_the_session_was_closed() -> None:
    evening = person_of_a_match()
    evening.say("session_closed")
    add(evening, *CAL_BECOMES_GIL)
    assert evening.match()["seats"][2] == "gil"


@pytest.mark.parametrize("place", [0, 2, 3])
def test_the_correction_at_fault_is_named(place: int) -> None:
    wrong = [*CAL_BECOMES_GIL]
    wrong[place] = {**wrong[place], "data": {**wrong[place]["data"], "data": {"points": "x"}}}
    log = [*person_of_a_match().log, *a_set(*wrong)]
    with pytest.raises(UnusableError) as refused:
        score(by_hand(log))
    assert refused.value.line == 8 + place
    assert refused.value.field.startswith("data.data")


# ------------------------------------------------------------------------- members and the whole


def test_members_may_name_earlier_members() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=5)
    add(evening, bare(struck(4)), bare(inserted(6, "bid_made", player="nina", points=4)),
        bare(struck(6)))  # fmt: skip
    assert [correction["stands"] for correction in evening.report["corrections"]] == [
        False,
        True,
        True,
    ]
    bids = evening.session.structure.matches[0].hands[0].deal.bids  # type: ignore[attr-defined]
    assert [(bid.seq, bid.event.points) for bid in bids] == [(4, 5), (7, 4)]


def test_striking_the_beginning_strikes_the_whole_set_and_striking_that_restores_it() -> None:
    evening = person_of_a_match()
    before = evening.report
    seq = add(evening, *CAL_BECOMES_GIL)
    after = evening.report
    strike = evening.strike(seq)
    assert evening.report["matches"] == before["matches"]
    assert [correction["stands"] for correction in evening.report["corrections"]] == [False] * 4 + [
        True
    ]
    again = evening.strike(strike)
    assert evening.report["matches"] == after["matches"]
    evening.strike(again)
    assert evening.report["matches"] == before["matches"]
    assert Evening(*evening.log).report == evening.report


def test_a_set_may_strike_sets() -> None:
    evening = person_of_a_match()
    before = evening.report
    first = add(evening, *CAL_BECOMES_GIL)
    second = add(evening, bare(inserted(5, "penalty_given", side="gil", points=-1, reason="")),
                 bare(inserted(5, "note_added", text="late")))  # fmt: skip
    with pytest.raises(UnusableError, match="with this correction"):
        evening.strike(first)
    third = add(evening, bare(struck(second)), bare(struck(first)))
    assert evening.report["matches"] == before["matches"]
    evening.strike(third)
    assert evening.match()["totals"]["gil"] == 4
    assert Evening(*evening.log).report == evening.report


def test_a_member_is_not_struck_alone() -> None:
    evening = person_of_a_match()
    seq = add(evening, *CAL_BECOMES_GIL)
    why = "event 8 belongs to the set of corrections that event 7 begins: strike event 7"
    with pytest.raises(UnusableError, match=why):
        evening.strike(8)
    for raw in a_set(struck(8), struck(seq))[:1]:
        evening.add(raw)
    with pytest.raises(UnusableError, match=why):
        evening.add(struck(8))
    assert seq == 7


@pytest.mark.parametrize("raw", [
    replaced(7, "note_added", text=""), replaced(8, "note_added", text=""),
    inserted(5, "correction_begun", count=2, reason=""),
    replaced(5, "correction_begun", count=2, reason=""),
])  # fmt: skip
def test_the_beginning_is_a_correction_like_any_other(raw: Raw) -> None:
    evening = person_of_a_match()
    add(evening, *CAL_BECOMES_GIL)
    with pytest.raises(UnusableError, match=r"cannot (be|contain)"):
        evening.add(raw)


def test_a_set_is_not_struck_from_inside() -> None:
    evening = person_of_a_match()
    evening.add(begun(2))
    with pytest.raises(UnusableError, match="the set that event 7 begins is not complete"):
        evening.add(bare(struck(7)))


def test_an_insertion_after_what_begins_a_set_comes_where_that_was_recorded() -> None:
    evening = riparto()
    evening.say("hand_started", dealer="mara")
    seq = add(evening, bare(inserted(3, "note_added", text="")),
              bare(inserted(3, "note_added", text="")))  # fmt: skip
    evening.say("bid_made", player="leo", points=5)
    evening.insert(seq, "bid_made", player="nina", points=4)
    bids = evening.session.structure.matches[0].hands[0].deal.bids  # type: ignore[attr-defined]
    assert [bid.event.player for bid in bids] == ["nina", "leo"]


# ----------------------------------------------------------------------------- what is reported


def test_the_report_says_to_which_set_a_correction_belongs() -> None:
    evening = person_of_a_match()
    add(evening, *CAL_BECOMES_GIL)
    describe_session = evening.report["corrections"]
    assert [correction["reason"] for correction in describe_session] == [
        "typed wrongly",
        "agreed",
        "agreed",
        "agreed",
    ]
    assert [correction["set"] for correction in describe_session] == [
        {"seq": 7, "reason": "agreed"}
    ] * 4
    evening.strike(5)
    assert "set" not in evening.report["corrections"][-1]


# -------------------------------------------------------------------------- proposals and rulings


def disputed() -> Evening:
    evening = person_of_a_match()
    evening.say("hand_disputed", player="ada", reason="it was Gil")
    return evening


def proposed(evening: Evening, *corrections: Raw) -> int:
    return evening.say("correction_proposed", corrections=list(corrections), reason="it was Gil")


def ruled(evening: Evening, proposal: int) -> int:
    return evening.say("dispute_settled", ruling="corrected", text="", proposal=proposal)


def test_the_corrections_of_a_proposal_are_tried_as_one() -> None:
    evening = disputed()
    before = evening.report["matches"]
    with pytest.raises(
        UnusableError, match=r"field data\.corrections\.2: with this correction event 6"
    ):
        proposed(evening, *CAL_BECOMES_GIL[:3])
    seq = proposed(evening, *CAL_BECOMES_GIL)
    assert evening.report["matches"] == before
    ruled(evening, seq)
    before = evening.report["matches"]
    for raw in CAL_BECOMES_GIL:
        assert evening.report["matches"] == before
        evening.add(raw)
    assert evening.match()["seats"] == ["ada", "ben", "gil"]
    assert score(by_hand(evening.log)) == evening.report


def test_after_a_ruling_come_exactly_the_corrections_of_the_proposal() -> None:
    evening = disputed()
    seq = proposed(evening, *CAL_BECOMES_GIL)
    ruling = ruled(evening, seq)
    why = f"expected correction 1 of the proposal that event {ruling} carries out"
    for raw in (CAL_BECOMES_GIL[1], struck(5), begun(4)):
        with pytest.raises(UnusableError, match=f"{why}|more belong to the set"):
            evening.add(raw)
    evening.add(CAL_BECOMES_GIL[0])
    with pytest.raises(UnusableError, match="expected correction 2 of the proposal"):
        evening.add(CAL_BECOMES_GIL[2])
    with pytest.raises(UnusableError, match="more belong to the set"):
        evening.say("note_added", text="")
    with pytest.raises(UnusableError, match="ends inside the set"):
        score(by_hand(evening.log))
    for raw in CAL_BECOMES_GIL[1:]:
        evening.add(raw)
    assert evening.match()["seats"] == ["ada", "ben", "gil"]


def test_what_a_ruling_carried_out_is_struck_as_single_corrections() -> None:
    """As in logs that were recorded before there were sets."""
    evening = disputed()
    count = replaced(5, "points_counted", points={"cal": 4, "ada": 7})
    note = inserted(5, "note_added", text="counted again")
    ruling = ruled(evening, proposed(evening, count, note))
    evening.add(count)
    evening.add(note)
    evening.strike(ruling)
    assert evening.hand(1)["taken"]["cal"] == 4
    evening.strike(ruling + 1)
    assert evening.hand(1)["taken"]["cal"] == 5
    assert score(by_hand(evening.log)) == evening.report


def test_a_ruling_whose_corrections_came_before_it_stands_by_itself() -> None:
    evening = disputed()
    seq = proposed(evening, replaced(5, "points_counted", points={"cal": 4, "ada": 7}))
    evening.replace(5, "points_counted", points={"cal": 4, "ada": 7})
    ruled(evening, seq)
    evening.say("note_added", text="")
    evening.strike(len(evening.log))
    assert score(by_hand(evening.log)) == evening.report


def test_a_refused_event_after_a_ruling_leaves_its_corrections_due() -> None:
    evening = disputed()
    ruled(evening, proposed(evening, *CAL_BECOMES_GIL))
    with pytest.raises(UnusableError, match="belongs to"):
        evening.say("player_joined", id="cal", name="Cal")
    for raw in CAL_BECOMES_GIL:
        evening.add(raw)
    assert evening.match()["seats"][2] == "gil"


# ------------------------------------------------------------------------------------ signatures


def test_a_set_voids_what_was_signed_before_and_striking_it_restores_that() -> None:
    evening = person_of_a_match()
    evening.say("hand_confirmed", player="ada")
    seq = add(evening, bare(replaced(5, "points_counted", points={"cal": 4, "ada": 7})),
              bare(replaced(4, "bid_made", player="cal", points=4)))  # fmt: skip
    assert evening.hand(1)["confirmed"] == []
    assert {signature["voided_by"] for signature in evening.report["signatures"]} == {seq}
    evening.strike(seq)
    assert evening.hand(1)["confirmed"] == ["cal", "ada"]


# --------------------------------------------------------------------------------- in any order


def evening_of(rng: random.Random, game: str) -> Evening:
    """Return an evening of a few hands of a game, some of them accepted."""
    level = rng.choice(["totals", "tricks", "cards"])
    return Evening(*played_evening(rng, game, level, hands=rng.randint(1, 3)).events)


def corrections_of(rng: random.Random, evening: Evening) -> list[Raw]:
    """Corrections of events that are all different, of which no two meet at one place."""
    corrections = []
    many = rng.choice([0.05, 0.5, 1])
    hand = evening.session.structure.matches[0].hands[-1].started.seq
    for seq, raw in enumerate(evening.log[1:], start=2):
        what = rng.random() / many
        new = rng.choice(evening.log[hand - 1 :])
        if what < 0.3:
            corrections.append(bare(struck(seq)))
        elif what < 0.5:
            corrections.append(bare(replaced(seq, raw["type"], **raw.get("data", {}))))
        elif what < 0.7:
            corrections.append(bare(inserted(seq, new["type"], **new.get("data", {}))))
    return corrections


def whole_corrections_of(rng: random.Random, evening: Evening) -> list[Raw]:
    """Corrections of a whole thing, which can stand."""
    hand = rng.choice(evening.session.structure.matches[0].hands)
    seats = list(hand.match.seats)
    answers: list[tuple[str, dict[str, Any]]] = [
        ("remove_hand", {}), ("reorder_seats", {"seats": [*seats[1:], seats[0]]}),
        ("exchange_player", {"player": seats[0], "played": seats[-1]}),
    ]  # fmt: skip
    kind, answer = rng.choice(answers)
    corrections = build_whole(evening.session, hand, WHOLE_KINDS[kind], answer, "so")
    return [{"type": item.type, "data": dict(item.data)} for item in corrections]


def describe_session(session: Session, seqs: dict[int, int]) -> Any:
    """The report, its events of the set by what they say instead of by their seqs."""

    def renamed(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: renamed(part, key) for key, part in value.items()}
        if isinstance(value, list):
            of_seqs = "event" if name == "events" else name
            parts = [renamed(part, of_seqs) for part in value]
            return sorted(parts, key=repr) if name in ("events", "corrections") else parts
        return seqs.get(value, value) if name in ("event", "seq", "voided_by") else value

    described = renamed(build_report(session))
    for finding in described["findings"]:
        del finding["message"]  # it may name a seq
    described["findings"].sort(key=repr)
    return described


@pytest.mark.parametrize("game", thinned(GAMES, 2))
@pytest.mark.parametrize("correct", [corrections_of, whole_corrections_of])
@EXAMPLES
@given(SEEDS)
def test_a_set_in_any_order_that_makes_the_same_log_gives_the_same_report(
    game: str, correct: Callable[[random.Random, Evening], list[Raw]], seed: int
) -> None:
    rng = random.Random(seed)  # noqa: S311
    evening = evening_of(rng, game)
    corrections = correct(rng, evening)
    if len(corrections) < 2:
        return
    outcomes = []
    for _ in range(3):
        order = rng.sample(range(len(corrections)), len(corrections))
        outcomes.append(outcome(evening, [corrections[number] for number in order], order))
    assert outcomes[0] == outcomes[1] == outcomes[2]
    assert correct is corrections_of or outcomes[0] is not None


def outcome(evening: Evening, corrections: Sequence[Raw], order: Sequence[int]) -> Any:
    """Return the session after a set of corrections; None if the set is refused."""
    anew = Evening(*evening.log)
    first = len(anew.log) + 2
    try:
        add(anew, *corrections)
    except UnusableError:
        return None
    assert Evening(*anew.log).report == anew.report
    return describe_session(
        anew.session, {first + place: -number - 1 for place, number in enumerate(order)}
    )


# ------------------------------------------------------------------------------------ on trial


@pytest.mark.parametrize("many", range(1, 6))
def test_what_is_taken_back_of_a_trial_leaves_no_set_open(many: int) -> None:
    evening = person_of_a_match()
    evening.say("note_added", text="before")
    before = evening.report
    session = evening.session
    session.begin_trial()
    for raw in a_set(*CAL_BECOMES_GIL)[:many]:
        evening.add(raw)
    session.end_trial(take_back=True)
    del evening.log[7:]
    assert evening.report == before
    assert session.corrections.open_set is None
    add(evening, *CAL_BECOMES_GIL)
    assert Evening(*evening.log).report == evening.report


def test_what_begins_a_set_is_no_entry_of_the_hand_that_it_corrects() -> None:
    evening = riparto()
    for raw in WHOLE_HAND:
        evening.add(raw)
    seqs = len(evening.log), len(evening.log) - 1
    add(evening, *(struck(seq) for seq in seqs))
    hand = evening.session.structure.matches[-1].hands[-1]
    assert hand.entries == []
