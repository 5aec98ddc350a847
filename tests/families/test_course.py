"""What one hand with a called card hands on to the next: doublings, and corrections of them.

Tests of ``families.called_card.course``.
"""

from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.families.called_card.rules import MOST_DOUBLINGS
from scorekeeper.report.explain import explain
from scorekeeper.report.findings import list_findings
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.what_if import compare_supposed
from tests.evenings import Evening, event, inserted, opening, replaced, struck

SEATS: Final = ("mara", "leo", "nina", "ugo", "zoe")
ALL: Final = ["weak_hand", "all_passed", "draw"]
Raw = dict[str, Any]


def evening(game: str = "briscola_chiamata", **options: Any) -> Evening:
    chosen: Raw = {"next_double": ALL, "sixty": "draw", **options}
    if game != "briscola_chiamata":
        chosen = {"next_double": ALL[:2], **options}
    begun = event("match_started", game=game, seats=list(SEATS), options=chosen)
    return Evening(opening(*SEATS), begun)


def thrown_in(told: Evening, kind: str | None = "weak_hand", dealer: str = "mara") -> int:
    told.say("hand_started", dealer=dealer)
    said = {} if kind is None else {"kind": kind}
    return told.say("hand_abandoned", reason="so it was", **said)


def played(told: Evening, *result: Raw, dealer: str = "mara", bid: Any = 71) -> int:
    """Leo's hand with Nina; the seq of what it begins with."""
    began = told.say("hand_started", dealer=dealer)
    told.say("bid_made", player="leo", bid=bid)
    told.say("partner_revealed", player="nina")
    for one in result or (event("outcome_recorded", made=True),):
        told.add(one)
    return began


def leo(told: Evening, hand: int) -> int:
    scores = told.hand(hand)["scores"]
    assert sum(scores.values()) == 0
    return int(scores["leo"])


DRAWN: Final = event("points_counted", points={"bidder": 60, "defenders": 60})
LOST: Final = event("outcome_recorded", made=False)


# ------------------------------------------------------------------------------------ results


@given(
    before=st.lists(st.sampled_from([*ALL, "misdeal", "other", None, "left", "all passes"]),
                    max_size=5),
    made=st.booleans(),
)  # fmt: skip
def test_doubling_applies_to_the_next_scored_hand_only(
    before: list[str | None], made: bool
) -> None:
    told = evening()
    for kind in before:
        if kind == "draw":
            played(told, DRAWN, bid="K")
        elif kind == "left":
            told.say("hand_started", dealer="mara")
        elif kind == "all passes":
            told.say("hand_started", dealer="mara")
            for one in (*SEATS[1:], "mara"):
                told.say("bid_made", player=one, bid="pass")
        else:
            thrown_in(told, kind)
    for _ in range(2):
        played(told, event("outcome_recorded", made=made))
    doublings = sum(kind in (*ALL, "all passes") for kind in before)
    plain = 4 if made else -4
    assert leo(told, len(before) + 1) == plain * 2**doublings
    assert leo(told, len(before) + 2) == plain
    assert ("game_unclear" in told.codes) == ("left" in before)


def test_a_line_names_each_factor_and_what_proves_it() -> None:
    told = evening()
    first, second = thrown_in(told), thrown_in(told, "all_passed")
    played(told, event("points_counted", points={"bidder": 120}, tricks={"bidder": 8}), bid=75)
    lines = [one for one in told.hand(3)["lines"] if one["side"] == "leo"]
    assert [(one["points"], one["rule"], one["text"]) for one in lines] == [
        (4, "C8", "120 points of 75 needed: made; the bidder, 2 × 2"),
        (4, "C9", "All the tricks to one party: the payment doubles"),
        (8, "C3", "A weak hand was thrown in before: the payment doubles"),
        (16, "C3", "Everybody passed before: the payment doubles"),
    ]
    assert [one["events"] for one in lines[2:]] == [[first], [second]]
    tree = explain(told.session)["matches"][0]["hands"][2]
    why = [one["events"] for one in tree["lines"] if one["side"] == "leo"]
    assert [one["seq"] for one in why[2]] == [first]
    assert "so it was" in why[2][0]["text"]


def test_draw_without_doubling_keeps_the_waiting_doublings() -> None:
    told = evening(next_double=["weak_hand"])
    thrown_in(told)
    played(told, DRAWN, bid="K")
    assert not any(told.hand(2)["scores"].values())
    played(told)
    assert leo(told, 3) == 8


def test_a_new_match_begins_without_doublings() -> None:
    told = evening()
    thrown_in(told)
    told.add(told.log[1])
    played(told)
    assert told.match(2)["hands"][0]["scores"]["leo"] == 4


def test_doublings_are_limited_to_payable_scores() -> None:
    told = evening()
    for _ in range(MOST_DOUBLINGS + 40):
        thrown_in(told)
    played(told)
    assert leo(told, MOST_DOUBLINGS + 41) == 4 * 2**MOST_DOUBLINGS


def test_complete_hands_are_counted_and_those_thrown_in_are_not() -> None:
    told = evening(match_end={"hands": 2})
    thrown_in(told)
    played(told, DRAWN, bid="K")
    assert told.match()["status"] == "open"
    played(told)
    assert told.match()["status"] == "finished"


def test_no_doubling_by_passes_if_the_last_player_must_bid() -> None:
    """All others pass, and he makes 71 with a partner: 2 units, here and in the hand after it."""
    told = evening(next_double=["all_passed"], last_must_bid=71)
    for dealer in ("leo", "mara"):
        told.say("hand_started", dealer=dealer)
        eldest = SEATS.index(dealer) + 1
        for player in (*SEATS[eldest:], *SEATS[: eldest - 1]):
            told.say("bid_made", player=player, bid="pass")
        told.say("bid_made", player=dealer, bid=71)
        told.say("partner_revealed", player="nina")
        told.add(event("outcome_recorded", made=True))
    assert leo(told, 1) == 4
    assert told.hand(2)["scores"] == {"mara": 4, "nina": 2, "leo": -2, "ugo": -2, "zoe": -2}
    assert "bad_bid" not in told.codes


def test_no_doubling_by_default() -> None:
    told = evening(next_double=[])
    thrown_in(told)
    played(told)
    assert leo(told, 2) == 4
    assert "next_double" not in told.match()["options"]


def test_draws_double_only_where_hands_are_drawn() -> None:
    with pytest.raises(UnusableError, match=r"sixty loss.*next_double draw") as refused:
        evening(sixty="loss")
    assert refused.value.field == "data.options.next_double"
    with pytest.raises(UnusableError, match="next_double"):
        evening("briscola_col_monte", next_double=["draw"])


# -------------------------------------------------------------------------------- corrections


def test_a_correction_of_one_hand_changes_what_the_next_pays_and_voids_its_signatures() -> None:
    told = evening()
    gone = thrown_in(told)
    played(told)
    for player in SEATS:
        told.say("hand_confirmed", player=player)
    played(told)
    told.say("hand_confirmed", player="leo")
    assert told.hand(2)["confirmed"] == list(SEATS)
    other = replaced(gone, "hand_abandoned", reason="so it was", kind="misdeal")
    difference = compare_supposed(told.session, corrections=[other])["difference"]
    changed = [one for one in difference if one["hand"] == 2]
    assert [one["after"]["scores"]["leo"] for one in changed] == [4]
    assert [one["after"]["confirmed"] for one in changed] == [[]]
    seq = told.add(other)
    assert (leo(told, 2), told.hand(2)["confirmed"]) == (4, [])
    assert told.hand(3)["confirmed"] == ["leo"]
    assert told.match()["totals"]["leo"] == 8
    told.strike(seq)
    assert (leo(told, 2), told.hand(2)["confirmed"]) == (8, list(SEATS))


def test_proposal_is_void_after_a_change_of_the_hand_before() -> None:
    told = evening()
    gone = thrown_in(told)
    began = played(told)
    told.say("hand_disputed", player="ugo", reason="It was 75")
    one = {"type": "event_replaced",
           "data": {"seq": began + 1, "type": "bid_made", "data": {"player": "leo", "bid": 75},
                    "reason": "heard wrong"}}  # fmt: skip
    seq = told.say("correction_proposed", corrections=[one], reason="heard wrong")
    said = told.session.structure.disputes
    assert said.find_open_proposal(told.session.structure.matches[0].hands[1]) is not None
    told.strike(gone)
    said = told.session.structure.disputes
    assert said.is_void(said.proposals[seq])


def test_a_hand_left_without_a_result_keeps_the_doubling_until_it_has_one() -> None:
    told = evening()
    thrown_in(told)
    told.say("hand_started", dealer="mara")
    told.say("bid_made", player="leo", bid=71)
    partner = told.say("partner_revealed", player="nina")
    played(told)
    assert (leo(told, 2), leo(told, 3)) == (0, 8)
    assert told.codes.count("game_unclear") == 1
    told.insert(partner, "outcome_recorded", made=False)
    assert (leo(told, 2), leo(told, 3)) == (-8, 4)
    assert "game_unclear" not in told.codes


STEPS: Final = st.lists(
    st.sampled_from(["weak", "passed", "misdeal", "draw", "made", "lost", "left"]),
    min_size=2, max_size=7,
)  # fmt: skip


@given(steps=STEPS, data=st.data())
def test_corrected_log_equals_a_log_recorded_correctly(
    steps: list[str], data: st.DataObject
) -> None:
    """Hand by hand placed anew, or all read from the beginning."""
    told, ends = evening(), []
    for step in steps:
        if step in ("weak", "passed", "misdeal"):
            kind = {"weak": "weak_hand", "passed": "all_passed"}.get(step, step)
            ends.append(thrown_in(told, kind))
        elif step == "left":
            ends.append(told.say("hand_started", dealer="mara"))
        else:
            result = {"draw": DRAWN, "lost": LOST}.get(step, event("outcome_recorded", made=True))
            played(told, result, bid="K")
            ends.append(len(told.log))
    assert told.report  # all is worked out before it changes
    for _ in range(3):
        seq = data.draw(st.sampled_from(ends))
        kind = data.draw(st.sampled_from(["weak_hand", "misdeal"]))
        told.add(data.draw(st.sampled_from([
            struck(seq),
            replaced(seq, "hand_abandoned", reason="otherwise", kind=kind),
            inserted(seq, "hand_abandoned", reason="otherwise", kind=kind),
        ])) if told.log[seq - 1]["type"] != "hand_started" else
            inserted(seq, "hand_abandoned", reason="otherwise", kind=kind))  # fmt: skip
        assert told.report["matches"] == Evening(*told.log).report["matches"]


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
    told = evening(**options)
    told.say("hand_started", dealer="mara")
    told.say("bid_made", player="leo", bid="pass")
    told.say("cards_shown", player="nina", cards=["AS", "3S", "KC", "NC", "JC"])
    prompts = list_prompts(told.session)
    gone = [one for prompt in prompts for one in prompt.choices if one.TYPE == "hand_abandoned"]
    asked = {(one.player, one.reason) for one in gone if getattr(one, "player", None)}  # type: ignore[attr-defined]
    may = {"nina"} if options.get("next_double") == ["weak_hand"] else set()
    assert asked == ({(one, weak) for one in ("ugo", "zoe", "mara", *may)} if weak else set())
    tells = bool(options["next_double"] or "four_twos" in options) or weak == "a weak hand"
    kinds = {one.reason: one.kind for one in gone}  # type: ignore[attr-defined]
    every = {"misdeal": "misdeal", "everybody passed": "all_passed", weak: "weak_hand"}
    assert kinds == {why: every[why] if tells else None for why in kinds}


@pytest.mark.parametrize(
    ("options", "codes"),
    [
        ({"next_double": []}, []),  # nobody may: nothing says how weak a hand must be
        ({"redeal_max_points": 1, "next_double": []}, ["false_call"]),
        ({"redeal_max_points": 2, "next_double": []}, []),
    ],
)
def test_a_hand_shown_is_weak_by_what_the_table_agreed_on(options: Raw, codes: list[str]) -> None:
    told = evening(**options)
    told.say("hand_started", dealer="mara")
    told.say("cards_shown", player="nina", cards=["JS", "2D", "4D"])
    told.say("hand_abandoned", reason="weak", player="nina", kind="weak_hand")
    assert told.codes == codes


def test_only_cards_of_the_asking_player_prove_a_strong_hand() -> None:
    told = evening(redeal_max_points=1, next_double=[])
    told.say("hand_started", dealer="mara")
    told.say("cards_shown", player="leo", cards=["AS", "AD"])
    shown = told.say("cards_shown", player="nina", cards=["JS", "2D", "4D"])
    asked = told.say("hand_abandoned", reason="weak", player="nina", kind="weak_hand")
    (found,) = list_findings(told.session)
    assert (found.code, found.events) == ("false_call", (asked, shown))


# ------------------------------------------------------------------------- corrections together


def together(told: Evening, *corrections: Raw) -> int:
    seq = told.say("correction_begun", count=len(corrections), reason="so it was")
    for one in corrections:
        told.add(one)
    return seq


def test_a_hand_removed_with_all_its_events_doubles_nothing_any_more() -> None:
    told = evening()
    before = thrown_in(told)
    played(told)
    doubled = leo(told, 2)
    seq = together(told, struck(before), struck(before - 1))
    assert leo(told, 1) * 2 == doubled
    told.strike(seq)
    assert leo(told, 2) == doubled


def test_a_hand_put_in_with_all_its_events_takes_the_doubling_of_the_next() -> None:
    told = evening()
    thrown = thrown_in(told)
    played(told)
    doubled = leo(told, 2)
    first = len(told.log) + 2
    hand = [event("hand_started", dealer="leo"), event("bid_made", player="leo", bid=71),
            event("partner_revealed", player="nina"), LOST]  # fmt: skip
    after = [thrown, first, first + 1, first + 2]
    together(
        told,
        *(inserted(seq, one["type"], **one["data"]) for seq, one in zip(after, hand, strict=True)),
    )
    assert (leo(told, 2), leo(told, 3) * 2) == (-doubled, doubled)
