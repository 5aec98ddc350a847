"""Corrections of whole things over the API: appended, tried, imported, proposed and signed.

Tests of ``service.proposed_places``, ``repair.whole_corrections`` and ``report.what_if_views``.
"""

import json
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.repair.whole_corrections import WHOLE_KINDS, build_whole
from tests.api.answers import complaints
from tests.api.asking import Table, problem_of
from tests.evenings import Evening, Raw, by_hand, event, inserted, replaced, struck

PERSONS: Final = "ada ben cal gil"
PATH: Final = "/api/sessions/{session}/what-if"
CONTRACT: Final = [
    event("match_started", game="riparto", seats=["ada", "ben", "cal"]),
    event("hand_started", dealer="ada"),
    event("bid_made", player="cal", points=5),
    event("points_counted", points={"cal": 5, "ada": 6}),
]
SECOND: Final = [
    event("hand_started", dealer="ben"),
    event("bid_made", player="cal", points=4),
    event("points_counted", points={"cal": 4, "ada": 7}),
]
CAL_BECOMES_GIL: Final = [
    event("correction_begun", count=3, reason="it was Gil"),
    replaced(2, "match_started", game="riparto", seats=["ada", "ben", "gil"]),
    replaced(4, "bid_made", player="gil", points=5),
    replaced(5, "points_counted", points={"gil": 5, "ada": 6}),
]


@pytest.fixture
def table(on_memory: FlaskClient) -> Table:
    table = Table.open(on_memory, PERSONS)
    table.do(*CONTRACT)
    return table


def built(table: Table, kind: str, match: int = 1, hand: int = 1, **answer: Any) -> list[Raw]:
    """Return the corrections of a whole thing, from the log as the host has it."""
    log = [json.loads(line) for line in table.get("/log.jsonl").data.splitlines()]
    evening = Evening(*({"type": raw["type"], "data": raw["data"]} for raw in log))
    record = evening.session.structure.matches[match - 1].hands[hand - 1]
    corrections = build_whole(evening.session, record, WHOLE_KINDS[kind], answer, "so it was")
    return [{"type": correction.type, "data": dict(correction.data)} for correction in corrections]


def propose(table: Table, corrections: list[Raw], hand: int = 1, who: str = "ada") -> int:
    proposal = event("correction_proposed", corrections=corrections, reason="so it was",
                     match=1, hand=hand)  # fmt: skip
    return int(table.do(proposal, who=who)["version"])


def carry_out(table: Table, proposal: int, corrections: list[Raw], signers: str, hand: int) -> Any:
    for player in signers.split():
        table.do(event("proposal_signed", proposal=proposal, player=player), who=player)
    ruling = event("dispute_settled", ruling="corrected", text="", match=1, hand=hand,
                   proposal=proposal)  # fmt: skip
    return table.append(ruling, *corrections, who=signers.split(maxsplit=1)[0], as_played=True)


# ------------------------------------------------------------------------------ the contract's case


def test_person_of_a_match_is_exchanged_in_one_append(table: Table) -> None:
    table.do(*CAL_BECOMES_GIL)
    (match,) = table.report()["matches"]
    assert match["seats"] == ["ada", "ben", "gil"]
    assert match["totals"] == {"ada": 0, "ben": 0, "gil": 5}


@pytest.mark.parametrize("sent", [1, 2, 3])
def test_part_of_a_set_is_not_recorded(table: Table, sent: int) -> None:
    assert problem_of(table.append(*CAL_BECOMES_GIL[:sent])) == (422, "unusable")
    assert table.report()["matches"][0]["seats"] == ["ada", "ben", "cal"]


def test_set_is_tried_by_what_if_and_imported(table: Table) -> None:
    body = {"corrections": CAL_BECOMES_GIL[1:]}
    tried = table.ask("POST", "/what-if", json=body).get_json()
    table.do(*CAL_BECOMES_GIL)
    assert tried["report"]["matches"] == table.report()["matches"]
    log = table.get("/log.jsonl").data
    answer = table.client.post(
        "/api/sessions/import", data=log, content_type="application/x-ndjson"
    )
    assert Table(table.client, answer.get_json()).report()["matches"] == table.report()["matches"]


# ------------------------------------------------------------------------------------- what-if


def ask(table: Table, who: str = "ada", **whole: Any) -> Any:
    body = {"whole": {"match": 1, "hand": 1, "answer": {}, **whole}}
    answer = table.ask("POST", "/what-if", who, json=body)
    assert complaints(table.client, PATH, answer) == []
    return answer


def test_what_if_makes_the_corrections_of_a_whole_thing(table: Table) -> None:
    answer = {"player": "cal", "played": "gil"}
    would = ask(table, kind="exchange_player", answer=answer, reason="so it was").get_json()
    assert [raw["type"] for raw in would["corrections"]] == ["event_replaced"] * 3
    count = len(would["corrections"])
    table.do(event("correction_begun", count=count, reason="it was Gil"), *would["corrections"])
    assert table.report()["matches"] == would["report"]["matches"]
    assert table.report()["matches"][0]["seats"] == ["ada", "ben", "gil"]


@pytest.mark.parametrize(
    ("whole", "field"),
    [
        ({"kind": "nothing"}, "whole.kind"),
        ({"kind": "remove_hand", "hand": 2}, "whole"),
        ({"kind": "remove_hand", "match": 7}, "whole"),
        ({"kind": "remove_hand", "answer": {"dealer": "ada"}}, "whole.dealer"),
        ({"kind": "change_dealer", "answer": {"dealer": 7}}, "whole.dealer"),
        ({"kind": "change_stake"}, "whole"),
        ({"kind": "exchange_player", "answer": {"player": "cal"}}, "whole.played"),
    ],
)
def test_whole_thing_that_cannot_be_corrected_is_refused(
    table: Table, whole: Raw, field: str
) -> None:
    answer = ask(table, **whole)
    assert problem_of(answer) == (422, "unusable")
    assert answer.get_json()["field"] == field


def test_whole_thing_stands_alone_in_a_question(table: Table) -> None:
    whole = {"kind": "remove_hand", "match": 1, "hand": 1, "answer": {}}
    answer = table.ask("POST", "/what-if", json={"whole": whole, "options": {"award_tie": "none"}})
    assert (problem_of(answer)[1], answer.get_json()["field"]) == ("unusable", "whole")


def test_place_before_a_hand_is_that_of_the_first(table: Table) -> None:
    table.do(*SECOND)
    hand = {"dealer": "cal", "events": []}
    assert ask(table, kind="add_hand_before", answer=hand).status_code == 200
    answer = ask(table, kind="add_hand_before", hand=2, answer=hand)
    assert answer.get_json()["field"] == "whole.hand"


# ---------------------------------------------------------------------------------- by proposals


def test_everybody_of_the_match_before_and_after_signs_for_a_player(table: Table) -> None:
    table.do(event("hand_confirmed", player="cal"), who="cal")
    table.do(*SECOND)
    table.do(event("hand_disputed", player="cal", reason="not me", match=1, hand=1), who="cal")
    corrections = built(table, "exchange_player", player="cal", played="gil")
    proposal = propose(table, corrections, hand=2)
    answer = carry_out(table, proposal, corrections, "ada ben cal", hand=2)
    assert (problem_of(answer)[1], "gil" in answer.get_json()["detail"]) == ("no_quorum", True)
    answer = carry_out(table, proposal, corrections, "gil", hand=2)
    assert answer.status_code == 201, answer.text
    (match,) = table.report()["matches"]
    assert match["totals"] == {"ada": 0, "ben": 0, "gil": 9}
    assert [hand["disputed"] for hand in match["hands"]] == [False, False]


def test_latecomer_takes_a_seat_by_a_proposal(table: Table) -> None:
    table.do(event("player_joined", id="hal", name="Hal"))
    corrections = built(table, "exchange_player", player="cal", played="hal")
    assert [raw["type"] for raw in corrections][:2] == ["event_inserted", "event_struck"]
    proposal = propose(table, corrections)
    for player in ("ada", "ben", "cal"):
        table.do(event("proposal_signed", proposal=proposal, player=player), who=player)
    table.do(event("proposal_signed", proposal=proposal, player="hal"))
    ruling = event("dispute_settled", ruling="corrected", text="", proposal=proposal)
    table.do(ruling, *corrections, as_played=True)
    assert table.report()["matches"][0]["seats"] == ["ada", "ben", "hal"]


def test_hand_is_removed_by_the_proposal_about_it(table: Table) -> None:
    table.do(*SECOND, event("hand_started", dealer="cal"))
    corrections = built(table, "remove_hand", hand=2)
    proposal = propose(table, corrections, hand=2)
    answer = carry_out(table, proposal, corrections, "ada ben cal", hand=2)
    assert answer.status_code == 201, answer.text
    (match,) = table.report()["matches"]
    assert [hand["dealer"] for hand in match["hands"]] == ["ada", "cal"]
    assert table.report()["disputes"] == []


BESIDE: Final = [
    struck(8),  # the count of another hand
    struck(6),  # the start of another hand
    event("event_replaced", seq=1, type="note_added", data={"text": ""}),
    inserted(1, "player_joined", id="hal", name="Hal"),
    struck(9),  # what Ada said
    inserted(5, "hand_confirmed", player="ben"),
]


@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("whole", [False, True])
def test_proposal_reaches_no_further_than_its_match(table: Table, beside: Raw, whole: bool) -> None:
    """With the start of the match it reaches the other hands, and nothing else."""
    table.do(*SECOND)
    table.do(event("hand_confirmed", player="ada"), who="ada")
    start = replaced(2, "match_started", game="riparto", seats=["ada", "ben", "cal"],
                     options={"award_tie": "none"})  # fmt: skip
    first = start if whole else replaced(4, "bid_made", player="cal", points=6)
    proposal = event(
        "correction_proposed", corrections=[first, beside], reason="so", match=1, hand=1
    )
    answer = table.append(proposal, who="ada")
    allowed = whole and beside in BESIDE[:2]
    assert (answer.status_code == 201) == allowed, answer.text


# --------------------------------------------------------------------- hands that depend on others

FIVE: Final = "ada ben cal gil hal"
DOUBLED: Final = [
    event("match_started", game="briscola_chiamata", seats=FIVE.split(),
          options={"next_double": ["weak_hand"], "redeal_max_points": 4}),
    event("hand_started", dealer="ada"),
    event("hand_abandoned", reason="a weak hand", player="ben", kind="weak_hand"),
    event("hand_started", dealer="ada"),
    event("bid_made", player="cal", bid="J"),
    event("partner_revealed", player="hal"),
    event("outcome_recorded", made=True),
]  # fmt: skip


def test_removed_hand_no_longer_doubles_the_next(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory, FIVE)
    table.do(*DOUBLED)
    for player in FIVE.split():
        table.do(event("hand_confirmed", player=player), who=player)
    before = table.report()["matches"][0]["hands"][1]
    assert before["confirmed"] == FIVE.split()
    corrections = built(table, "remove_hand")
    tried = table.ask("POST", "/what-if", json={"corrections": corrections}).get_json()
    (moved,) = [change for change in tried["difference"] if change.get("becomes")]
    assert (moved["hand"], moved["becomes"]) == (2, 1)
    assert moved["before"]["scores"] == before["scores"]
    proposal = propose(table, corrections)
    answer = carry_out(table, proposal, corrections, FIVE, hand=1)
    assert answer.status_code == 201, answer.text
    (hand,) = table.report()["matches"][0]["hands"]
    assert {side: 2 * points for side, points in hand["scores"].items()} == before["scores"]
    assert hand["confirmed"] == []


def test_log_by_hand_with_a_set_is_scored(client: FlaskClient) -> None:
    persons = [{"id": player, "name": player} for player in PERSONS.split()]
    log = by_hand(
        [event("session_opened", title="P", players=persons), *CONTRACT, *CAL_BECOMES_GIL]
    )
    answer = client.post("/api/score", data=log, content_type="application/x-ndjson")
    assert answer.get_json()["matches"][0]["seats"] == ["ada", "ben", "gil"]
