"""What every side has confirmed, only a correction changes."""

import pytest

from scorekeeper.base.errors import ConfirmedHandError
from scorekeeper.log import codec
from scorekeeper.service.confirmed import confirmed_hands_at_risk, refuse_changed, score_of
from scorekeeper.service.permissions import Holder
from scorekeeper.session.session import Session
from tests.evenings import Raw, event, struck
from tests.service.evenings import COUNT, HAND, add, knock

HOST, LEO = Holder("host"), Holder("seat", "leo")
ANOTHER_COUNT = event("points_counted", points={"A": 70, "B": 30})


def signed(*players: str) -> Session:
    return knock(*(event("hand_confirmed", player=one) for one in players))


def bound(session: Session, one: Raw, holder: Holder = LEO) -> list[int]:
    """The seqs of the hands that an event is not to change."""
    types = session.game.by_type if session.game else codec.COMMON_TYPES
    found = confirmed_hands_at_risk(session, codec.decode(one["type"], one["data"], types), holder)
    return [each.hand.started.seq for each in found]


@pytest.mark.parametrize(
    ("players", "hands"),
    [((), []), (("mara",), []), (("mara", "nina"), []), (("mara", "leo"), [HAND])],
    ids=lambda one: "-".join(map(str, one)) or "nobody",
)
def test_one_of_every_side_binds_the_hand(players: tuple[str, ...], hands: list[int]) -> None:
    assert bound(signed(*players), ANOTHER_COUNT) == hands


def test_the_host_corrects_what_was_confirmed() -> None:
    session = signed("mara", "leo")
    assert bound(session, struck(COUNT), HOST) == []
    assert bound(session, ANOTHER_COUNT, HOST) == [HAND]


def test_a_seat_that_takes_something_back_touches_no_hand_long_before_it() -> None:
    session = signed("mara", "leo")
    for dealer in ("mara", "leo"):
        add(session, event("hand_started", dealer=dealer))
        add(session, event("points_counted", points={"A": 50, "B": 50}))
    last = session.events
    assert bound(session, struck(last)) == []
    assert bound(session, struck(last - 2)) == [HAND]


def test_what_stood_before_all_hands_touches_every_hand() -> None:
    assert bound(signed("mara", "leo"), struck(HAND - 1)) == [HAND]


def test_what_would_change_it_is_refused_by_its_numbers() -> None:
    session = signed("mara", "leo")
    kept = confirmed_hands_at_risk(session, codec.decode("note_added", {"text": "x"}), HOST)
    add(session, event("note_added", text="x"))
    refuse_changed(session, kept)
    add(session, ANOTHER_COUNT)
    with pytest.raises(ConfirmedHandError) as refused:
        refuse_changed(session, kept)
    assert (refused.value.match, refused.value.hand) == (1, 1)


def test_a_confirmed_hand_that_is_gone_was_changed() -> None:
    session = signed("mara", "leo")
    kept = confirmed_hands_at_risk(session, codec.decode("note_added", {"text": "x"}), HOST)
    for seq in (6, 5, COUNT, HAND):
        add(session, struck(seq))
    with pytest.raises(ConfirmedHandError):
        refuse_changed(session, kept)


def test_a_hand_comes_to_its_status_and_lines() -> None:
    session = knock()
    hand = session.structure.hand_by_seq[HAND]
    assert score_of(hand).status == "complete"
    assert [one.rule for one in score_of(hand).lines] == ["K9", "K9"]
    add(session, struck(COUNT))
    assert score_of(session.structure.hand_by_seq[HAND]) == ("open", ())
