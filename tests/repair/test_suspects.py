"""What findings point at in a hand."""

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.play.scoring import Finding, Text
from scorekeeper.repair.suspects import (
    A_PROOF,
    AT_FAULT,
    BESIDE_THE_PLAY,
    CLOSE,
    ELSEWHERE,
    MOST_PROOFS,
    find_suspects,
    findings_to_correct,
)
from scorekeeper.repair.trials import Edit
from tests.evenings import Raw, event
from tests.repair.scenes import BID, REVOKE, plays, scene, table

WRONG_COUNT = event("points_counted", points={"leo": 5, "mara": 4, "nina": 7})
RIGHT_COUNT = event("points_counted", points={"leo": 5, "mara": 4, "nina": 6})
TWO_TRICKS_MORE = plays("leo:AD nina:6D mara:7D leo:KD nina:8D mara:9D")


@pytest.mark.parametrize(
    ("events", "far"),
    [
        ([BID, RIGHT_COUNT], [BESIDE_THE_PLAY, BESIDE_THE_PLAY]),
        ([BID, WRONG_COUNT], [CLOSE, AT_FAULT]),
        (REVOKE, [CLOSE, AT_FAULT, CLOSE, CLOSE, A_PROOF, CLOSE]),
        (
            [*REVOKE, *TWO_TRICKS_MORE],
            [CLOSE, AT_FAULT, CLOSE, CLOSE, A_PROOF, CLOSE, CLOSE, *[ELSEWHERE] * 5],
        ),
    ],
)
def test_what_findings_name_is_suspected_and_less_what_stands_beside_it(
    events: list[Raw], far: list[float]
) -> None:
    assert scene(*events).far == far


def test_the_tricks_of_what_is_named_and_the_one_before_are_close() -> None:
    events = plays("leo:AS nina:6S mara:7S leo:KS nina:8S mara:9S leo:AD nina:6D mara:7D")
    match = table(*events).session.structure.matches[0]
    finding = Finding("must_trump", "R7", Text("odd"), (12,))  # the last card of the third trick
    suspects = find_suspects(match, match.hands[0], [finding])
    assert suspects.far == [*[ELSEWHERE] * 3, *[CLOSE] * 5, AT_FAULT]


def test_many_proofs_prove_nothing_about_any_one() -> None:
    match = table(*REVOKE, *TWO_TRICKS_MORE).session.structure.matches[0]
    few, many = (
        Finding("revoke", "R7", Text("odd"), tuple(range(4, 4 + n)))
        for n in (MOST_PROOFS, MOST_PROOFS + 1)
    )
    assert len(find_suspects(match, match.hands[0], [few]).pairs) == MOST_PROOFS - 1
    assert find_suspects(match, match.hands[0], [many]).pairs == frozenset()


def test_who_is_named_and_what_was_not_played() -> None:
    suspects = scene(*REVOKE)
    assert suspects.named == {"nina"}
    assert suspects.pairs == {(1, 4)}
    assert {trick.number for trick in suspects.trick_at.values()} == {1, 2}
    assert Card.parse("7H") not in suspects.missing
    assert [card.code for card in suspects.missing[:3]] == ["JS", "10S", "9S"]


def test_a_card_is_odd_with_whom_it_was_not() -> None:
    cards_given = {"mara": "8C", "nina": "9C"}
    suspects = scene(BID, event("set_distributed", player="leo", set=1, given=cards_given))
    eight, six = Card.parse("8C"), Card.parse("6C")
    assert suspects.odd(eight, "mara") < suspects.odd(six, "mara") == 0 < suspects.odd(eight, "leo")


def test_an_edit_names_the_entry_at_its_place() -> None:
    suspects = scene(BID, RIGHT_COUNT)
    assert suspects.edit(0) == Edit(4)
    assert suspects.edit(-1) == Edit(3)


def test_other_warnings_are_grave_in_a_dispute_alone() -> None:
    codes = ("revoke", "false_signal", "not_recorded", "incomplete", "wrong_dealer", "out_of_time")
    error, warning, info, *corrected = (Finding(code, "R7", Text("odd")) for code in codes)
    findings = [error, warning, info, *corrected]
    assert findings_to_correct(findings) == [error, *corrected]
    assert findings_to_correct(findings, disputed=True) == [error, warning, *corrected]
