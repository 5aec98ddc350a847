"""Only a correction changes a hand that every side has confirmed."""

import pytest

from scorekeeper.base.errors import ConfirmedHandError
from scorekeeper.log import codec
from scorekeeper.service.confirmed import confirmed_hands_at_risk, refuse_changed, score_of
from scorekeeper.session.session import Session
from scorekeeper.streams.holder import Holder
from tests.evenings import Raw, event, struck
from tests.service.evenings import COUNT, HAND, add, knock

HOST, LEO = Holder("host"), Holder("seat", "leo")
ANOTHER_COUNT = event("points_counted", points={"A": 70, "B": 30})


def signed(*players: str) -> Session:
    return knock(*(event("hand_confirmed", player=player) for player in players))


def bound(session: Session, raw: Raw, holder: Holder = LEO) -> list[int]:
    """Return the seqs of the confirmed hands that an event may not change."""
    types = session.game.by_type if session.game else codec.COMMON_TYPES
    at_risk = confirmed_hands_at_risk(
        session, codec.decode(raw["type"], raw["data"], types), holder
    )
    return [confirmed.started for confirmed in at_risk]


@pytest.mark.parametrize(
    ("players", "hands"),
    [((), []), (("mara",), []), (("mara", "nina"), []), (("mara", "leo"), [HAND])],
    ids=lambda value: "-".join(map(str, value)) or "nobody",
)
def test_hand_is_confirmed_by_one_player_of_every_side(
    players: tuple[str, ...], hands: list[int]
) -> None:
    assert bound(signed(*players), ANOTHER_COUNT) == hands


def test_the_host_corrects_a_confirmed_hand() -> None:
    session = signed("mara", "leo")
    assert bound(session, struck(COUNT), HOST) == []
    assert bound(session, ANOTHER_COUNT, HOST) == [HAND]


def test_strike_by_a_seat_puts_the_hand_before_it_at_risk_and_no_earlier_one() -> None:
    session = signed("mara", "leo")
    for dealer in ("mara", "leo"):
        add(session, event("hand_started", dealer=dealer))
        add(session, event("points_counted", points={"A": 50, "B": 50}))
    last = session.events
    assert bound(session, struck(last)) == []
    assert bound(session, struck(last - 2)) == [HAND]


def test_strike_of_the_match_puts_every_hand_at_risk() -> None:
    assert bound(signed("mara", "leo"), struck(HAND - 1)) == [HAND]


def test_refusal_names_the_match_and_hand_that_would_change() -> None:
    session = signed("mara", "leo")
    before = confirmed_hands_at_risk(session, codec.decode("note_added", {"text": "x"}), HOST)
    add(session, event("note_added", text="x"))
    refuse_changed(session, before)
    add(session, ANOTHER_COUNT)
    with pytest.raises(ConfirmedHandError) as refused:
        refuse_changed(session, before)
    assert (refused.value.match, refused.value.hand) == (1, 1)


def test_removal_of_a_confirmed_hand_is_refused() -> None:
    session = signed("mara", "leo")
    before = confirmed_hands_at_risk(session, codec.decode("note_added", {"text": "x"}), HOST)
    for seq in (6, 5, COUNT, HAND):
        add(session, struck(seq))
    with pytest.raises(ConfirmedHandError):
        refuse_changed(session, before)


def test_score_of_a_hand_is_its_status_and_lines() -> None:
    session = knock()
    hand = session.structure.hand_by_seq[HAND]
    assert score_of(hand).status == "complete"
    assert [line.rule for line in score_of(hand).lines] == ["K9", "K9"]
    add(session, struck(COUNT))
    assert score_of(session.structure.hand_by_seq[HAND]) == ("open", ())
