"""Doublings that a hand with a called card leaves to the next, and corrections of them.

Tests of ``families.called_card.course``.
"""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.families.called_card.rules import MAX_DOUBLINGS
from scorekeeper.report.explain import explain
from scorekeeper.report.findings import list_findings
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.what_if import compare_supposed
from tests.evenings import Evening, event, inserted, opening, replaced, struck

SEATS: Final = ("mara", "leo", "nina", "ugo", "zoe")
ALL: Final = ["weak_hand", "all_passed", "draw"]
Raw = dict[str, Any]


def start_evening(game: str = "briscola_chiamata", **options: Any) -> Evening:
    chosen: Raw = {"next_double": ALL, "sixty": "draw", **options}
    if game != "briscola_chiamata":
        chosen = {"next_double": ALL[:2], **options}
    begun = event("match_started", game=game, seats=list(SEATS), options=chosen)
    return Evening(opening(*SEATS), begun)


def thrown_in(evening: Evening, kind: str | None = "weak_hand", dealer: str = "mara") -> int:
    evening.say("hand_started", dealer=dealer)
    disputes = {} if kind is None else {"kind": kind}
    return evening.say("hand_abandoned", reason="so it was", **disputes)


def played(evening: Evening, *result: Raw, dealer: str = "mara", bid: Any = 71) -> int:
    """Record Leo's hand with Nina, and return the seq of its first event."""
    began = evening.say("hand_started", dealer=dealer)
    evening.say("bid_made", player="leo", bid=bid)
    evening.say("partner_revealed", player="nina")
    for raw in result or (event("outcome_recorded", made=True),):
        evening.add(raw)
    return began


def leo(evening: Evening, hand: int) -> int:
    scores = evening.hand(hand)["scores"]
    assert sum(scores.values()) == 0
    return int(scores["leo"])


DRAWN: Final = event("points_counted", points={"bidder": 60, "defenders": 60})
LOST: Final = event("outcome_recorded", made=False)


# ------------------------------------------------------------------------------------ results


@given(
    before=st.lists(st.sampled_from([*ALL, "misdeal", "other", None, "left", "all passes"]),
                    max_size=5),
    was_made=st.booleans(),
)  # fmt: skip
def test_doubling_applies_to_the_next_scored_hand_only(
    before: list[str | None], was_made: bool
) -> None:
    evening = start_evening()
    for kind in before:
        if kind == "draw":
            played(evening, DRAWN, bid="K")
        elif kind == "left":
            evening.say("hand_started", dealer="mara")
        elif kind == "all passes":
            evening.say("hand_started", dealer="mara")
            for player in (*SEATS[1:], "mara"):
                evening.say("bid_made", player=player, bid="pass")
        else:
            thrown_in(evening, kind)
    for _ in range(2):
        played(evening, event("outcome_recorded", made=was_made))
    doublings = sum(kind in (*ALL, "all passes") for kind in before)
    plain = 4 if was_made else -4
    assert leo(evening, len(before) + 1) == plain * 2**doublings
    assert leo(evening, len(before) + 2) == plain
    assert ("game_unclear" in evening.codes) == ("left" in before)


def test_a_line_names_each_factor_and_what_proves_it() -> None:
    evening = start_evening()
    first, second = thrown_in(evening), thrown_in(evening, "all_passed")
    played(evening, event("points_counted", points={"bidder": 120}, tricks={"bidder": 8}), bid=75)
    lines = [line for line in evening.hand(3)["lines"] if line["side"] == "leo"]
    assert [(line["points"], line["rule"], line["text"]) for line in lines] == [
        (4, "C8", "120 points of 75 needed: made; the bidder, 2 × 2"),
        (4, "C9", "All the tricks to one party: the payment doubles"),
        (8, "C3", "A weak hand was thrown in before: the payment doubles"),
        (16, "C3", "Everybody passed before: the payment doubles"),
    ]
    assert [line["events"] for line in lines[2:]] == [[first], [second]]
    hand = explain(evening.session).matches[0].hands[2]
    why = [line.events for line in hand.lines if line.side == "leo"]
    assert [reason.seq for reason in why[2]] == [first]
    assert "so it was" in why[2][0].text


def test_draw_without_doubling_keeps_the_waiting_doublings() -> None:
    evening = start_evening(next_double=["weak_hand"])
    thrown_in(evening)
    played(evening, DRAWN, bid="K")
    assert not any(evening.hand(2)["scores"].values())
    played(evening)
    assert leo(evening, 3) == 8


def test_a_new_match_begins_without_doublings() -> None:
    evening = start_evening()
    thrown_in(evening)
    evening.add(evening.log[1])
    played(evening)
    assert evening.match(2)["hands"][0]["scores"]["leo"] == 4


def test_doublings_are_limited_to_payable_scores() -> None:
    evening = start_evening()
    for _ in range(MAX_DOUBLINGS + 40):
        thrown_in(evening)
    played(evening)
    assert leo(evening, MAX_DOUBLINGS + 41) == 4 * 2**MAX_DOUBLINGS


def test_complete_hands_are_counted_and_those_thrown_in_are_not() -> None:
    evening = start_evening(match_end={"hands": 2})
    thrown_in(evening)
    played(evening, DRAWN, bid="K")
    assert evening.match()["status"] == "open"
    played(evening)
    assert evening.match()["status"] == "finished"


def test_no_doubling_by_passes_if_the_last_player_must_bid() -> None:
    """All others pass, and the dealer makes 71 with a partner: 2 units, in both hands."""
    evening = start_evening(next_double=["all_passed"], last_must_bid=71)
    for dealer in ("leo", "mara"):
        evening.say("hand_started", dealer=dealer)
        eldest = SEATS.index(dealer) + 1
        for player in (*SEATS[eldest:], *SEATS[: eldest - 1]):
            evening.say("bid_made", player=player, bid="pass")
        evening.say("bid_made", player=dealer, bid=71)
        evening.say("partner_revealed", player="nina")
        evening.add(event("outcome_recorded", made=True))
    assert leo(evening, 1) == 4
    assert evening.hand(2)["scores"] == {"mara": 4, "nina": 2, "leo": -2, "ugo": -2, "zoe": -2}
    assert "bad_bid" not in evening.codes


def test_no_doubling_by_default() -> None:
    evening = start_evening(next_double=[])
    thrown_in(evening)
    played(evening)
    assert leo(evening, 2) == 4
    assert "next_double" not in evening.match()["options"]


def test_draws_double_only_where_hands_are_drawn() -> None:
    with pytest.raises(UnusableError, match=r"sixty loss.*next_double draw") as refused:
        start_evening(sixty="loss")
    assert refused.value.field == "data.options.next_double"
    with pytest.raises(UnusableError, match="next_double"):
        start_evening("briscola_col_monte", next_double=["draw"])


# -------------------------------------------------------------------------------- corrections


def test_a_correction_of_one_hand_changes_what_the_next_pays_and_voids_its_signatures() -> None:
    evening = start_evening()
    thrown_out = thrown_in(evening)
    played(evening)
    for player in SEATS:
        evening.say("hand_confirmed", player=player)
    played(evening)
    evening.say("hand_confirmed", player="leo")
    assert evening.hand(2)["confirmed"] == list(SEATS)
    other = replaced(thrown_out, "hand_abandoned", reason="so it was", kind="misdeal")
    difference = compare_supposed(evening.session, corrections=[other]).difference
    [after] = [change.after for change in difference if change.hand == 2]
    assert after is not None
    assert (after["scores"]["leo"], after["confirmed"]) == (4, [])
    seq = evening.add(other)
    assert (leo(evening, 2), evening.hand(2)["confirmed"]) == (4, [])
    assert evening.hand(3)["confirmed"] == ["leo"]
    assert evening.match()["totals"]["leo"] == 8
    evening.strike(seq)
    assert (leo(evening, 2), evening.hand(2)["confirmed"]) == (8, list(SEATS))


def test_proposal_is_void_after_a_change_of_the_hand_before() -> None:
    evening = start_evening()
    thrown_out = thrown_in(evening)
    began = played(evening)
    evening.say("hand_disputed", player="ugo", reason="It was 75")
    correction = {"type": "event_replaced",
           "data": {"seq": began + 1, "type": "bid_made", "data": {"player": "leo", "bid": 75},
                    "reason": "heard wrong"}}  # fmt: skip
    seq = evening.say("correction_proposed", corrections=[correction], reason="heard wrong")
    disputes = evening.session.structure.disputes
    assert disputes.find_open_proposal(evening.session.structure.matches[0].hands[1]) is not None
    evening.strike(thrown_out)
    disputes = evening.session.structure.disputes
    assert disputes.is_void(disputes.proposals[seq])


def test_a_hand_left_without_a_result_keeps_the_doubling_until_it_has_one() -> None:
    evening = start_evening()
    thrown_in(evening)
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", bid=71)
    partner = evening.say("partner_revealed", player="nina")
    played(evening)
    assert (leo(evening, 2), leo(evening, 3)) == (0, 8)
    assert evening.codes.count("game_unclear") == 1
    evening.insert(partner, "outcome_recorded", made=False)
    assert (leo(evening, 2), leo(evening, 3)) == (-8, 4)
    assert "game_unclear" not in evening.codes


STEPS: Final = st.lists(
    st.sampled_from(["weak", "passed", "misdeal", "draw", "made", "lost", "left"]),
    min_size=2, max_size=7,
)  # fmt: skip


@given(steps=STEPS, data=st.data())
def test_corrected_log_equals_a_log_recorded_correctly(
    steps: list[str], data: st.DataObject
) -> None:
    """Corrected hand by hand, or read from the beginning."""
    evening, ends = start_evening(), []
    for step in steps:
        if step in ("weak", "passed", "misdeal"):
            kind = {"weak": "weak_hand", "passed": "all_passed"}.get(step, step)
            ends.append(thrown_in(evening, kind))
        elif step == "left":
            ends.append(evening.say("hand_started", dealer="mara"))
        else:
            result = {"draw": DRAWN, "lost": LOST}.get(step, event("outcome_recorded", made=True))
            played(evening, result, bid="K")
            ends.append(len(evening.log))
    assert evening.report  # computed before the corrections
    for _ in range(3):
        seq = data.draw(st.sampled_from(ends))
        kind = data.draw(st.sampled_from(["weak_hand", "misdeal"]))
        evening.add(data.draw(st.sampled_from([
            struck(seq),
            replaced(seq, "hand_abandoned", reason="otherwise", kind=kind),
            inserted(seq, "hand_abandoned", reason="otherwise", kind=kind),
        ])) if evening.log[seq - 1]["type"] != "hand_started" else
            inserted(seq, "hand_abandoned", reason="otherwise", kind=kind))  # fmt: skip
        assert evening.report["matches"] == Evening(*evening.log).report["matches"]


# ------------------------------------------------------------------------------ what is offered


@pytest.mark.parametrize(
    ("options", "weak"),
    [
        ({"next_double": []}, None),
        ({"next_double": ["weak_hand"]}, "a weak hand"),
        ({"redeal_max_points": 0, "next_double": []}, "no card with points"),
        ({"redeal_max_points": 4, "next_double": []}, "a weak hand"),
        ({"four_twos": True, "next_double": []}, "a weak hand"),
    ],
)
def test_new_deal_is_offered_to_entitled_players(options: Raw, weak: str | None) -> None:
    evening = start_evening(**options)
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", bid="pass")
    evening.say("cards_shown", player="nina", cards=["AS", "3S", "KC", "NC", "JC"])
    prompts = list_prompts(evening.session)
    choices: list[Any] = [choice for prompt in prompts for choice in prompt.choices]
    thrown_out = [choice for choice in choices if choice.TYPE == "hand_abandoned"]
    asking = {
        (choice.player, choice.reason) for choice in thrown_out if getattr(choice, "player", None)
    }
    may = {"nina"} if options.get("next_double") == ["weak_hand"] else set()
    assert asking == (
        {(player, weak) for player in ("ugo", "zoe", "mara", *may)} if weak else set()
    )
    reported = bool(options["next_double"] or "four_twos" in options) or weak == "a weak hand"
    kinds = {choice.reason: choice.kind for choice in thrown_out}
    every = {"misdeal": "misdeal", "everybody passed": "all_passed", weak: "weak_hand"}
    assert kinds == {why: every[why] if reported else None for why in kinds}


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"next_double": []}, []),  # nobody may: nothing says how weak a hand must be
        ({"redeal_max_points": 1, "next_double": []}, ["false_call"]),
        ({"redeal_max_points": 2, "next_double": []}, []),
    ],
)
def test_a_hand_shown_is_weak_by_what_the_table_agreed_on(options: Raw, codes: list[str]) -> None:
    evening = start_evening(**options)
    evening.say("hand_started", dealer="mara")
    evening.say("cards_shown", player="nina", cards=["JS", "2D", "4D"])
    evening.say("hand_abandoned", reason="weak", player="nina", kind="weak_hand")
    assert evening.codes == codes


def test_only_cards_of_the_asking_player_prove_a_strong_hand() -> None:
    evening = start_evening(redeal_max_points=1, next_double=[])
    evening.say("hand_started", dealer="mara")
    evening.say("cards_shown", player="leo", cards=["AS", "AD"])
    shown = evening.say("cards_shown", player="nina", cards=["JS", "2D", "4D"])
    asking = evening.say("hand_abandoned", reason="weak", player="nina", kind="weak_hand")
    (finding,) = list_findings(evening.session)
    assert (finding.code, finding.events) == ("false_call", (asking, shown))


# ------------------------------------------------------------------------- corrections together


def together(evening: Evening, *corrections: Raw) -> int:
    seq = evening.say("correction_begun", count=len(corrections), reason="so it was")
    for correction in corrections:
        evening.add(correction)
    return seq


def test_a_hand_removed_with_all_its_events_doubles_nothing_any_more() -> None:
    evening = start_evening()
    before = thrown_in(evening)
    played(evening)
    doubled = leo(evening, 2)
    seq = together(evening, struck(before), struck(before - 1))
    assert leo(evening, 1) * 2 == doubled
    evening.strike(seq)
    assert leo(evening, 2) == doubled


def test_a_hand_put_in_with_all_its_events_takes_the_doubling_of_the_next() -> None:
    evening = start_evening()
    thrown = thrown_in(evening)
    played(evening)
    doubled = leo(evening, 2)
    first = len(evening.log) + 2
    hand = [event("hand_started", dealer="leo"), event("bid_made", player="leo", bid=71),
            event("partner_revealed", player="nina"), LOST]  # fmt: skip
    after = [thrown, first, first + 1, first + 2]
    together(
        evening,
        *(
            inserted(seq, correction["type"], **correction["data"])
            for seq, correction in zip(after, hand, strict=True)
        ),
    )
    assert (leo(evening, 2), leo(evening, 3) * 2) == (-doubled, doubled)
