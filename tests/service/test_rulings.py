"""Proposals, signatures and rulings that correct a hand. Tests of ``service.rulings``."""

from typing import Any

import pytest

from scorekeeper.base.errors import Cause, NoQuorumError, UnusableError
from scorekeeper.events.disputes import DisputeSettled
from scorekeeper.log import codec
from scorekeeper.service.quorum import Quorum
from scorekeeper.service.rulings import (
    names_of,
    needed_signers,
    refuse_proposal,
    refuse_reply,
    refuse_ruling,
    signed_by,
    why_closed,
)
from scorekeeper.session.session import Session
from scorekeeper.streams.requests import NewEvent
from tests.evenings import Raw, event, inserted, replaced, struck
from tests.service.evenings import COUNT, FOUR, HAND, add, knock, minute

FIGURE = replaced(COUNT, "points_counted", points={"A": 61, "B": 39})
QUORUM = Quorum(minutes=30)


def proposal(*corrections: Raw, hand: int = 1, reason: str = "x") -> Raw:
    listed = list(corrections)
    return event("correction_proposed", corrections=listed, reason=reason, match=1, hand=hand)


def signed(seq: int, player: str) -> Raw:
    return event("proposal_signed", proposal=seq, player=player)


def disputed(*corrections: Raw, reason: str = "x", others: tuple[str, ...] = ()) -> Session:
    """Return a session with a disputed hand; event 6 proposes these corrections of it."""
    return knock(
        event("hand_disputed", player="leo", reason="x", match=1, hand=1),
        proposal(*corrections, reason=reason),
        others=others,
    )


PROPOSED = 6


def why(refuse: Any, session: Session, raw: Raw) -> UnusableError | None:
    """Return the error with which an event is refused, or None."""
    try:
        refuse(session, codec.decode(raw["type"], raw["data"]))
    except UnusableError as error:
        return error
    return None


def cause(error: UnusableError | None) -> tuple[str, dict[str, Any]]:
    assert error
    assert isinstance(error.reason, Cause)
    return error.reason.why, dict(error.reason.facts)


# ---------------------------------------------------------------------------------- proposing


def test_a_proposal_needs_a_correction() -> None:
    refused = why(refuse_proposal, knock(), proposal())
    assert refused
    assert refused.field == "data.corrections"


@pytest.mark.parametrize(
    ("raw", "says"),
    [
        (FIGURE, None),
        (replaced(2, "match_started", game="knock", seats=list(FOUR)), None),
        (struck(6), ("another_hand", {"match": 1, "hand": 2})),
        (inserted(7, "note_added", text="x"), ("another_match", {"match": 2})),
        (struck(1), ("beyond_the_hand", {})),
        (inserted(COUNT, "hand_confirmed", player="leo"), ("beyond_the_hand", {})),
        (struck(99), None),  # the replay says that there is no such event
    ],
    ids=["hand", "match", "another hand", "another match", "evening", "signature", "nothing"],
)
def test_a_proposal_corrects_its_hand_or_match(raw: Raw, says: Any) -> None:
    session = knock(
        event("hand_started", dealer="mara"), event("points_counted", points={"A": 50, "B": 50}),
        event("match_started", game="knock", seats=list(FOUR)),
    )  # fmt: skip
    refused = why(refuse_proposal, session, proposal(FIGURE, raw))
    if says is None:
        assert refused is None
    else:
        assert cause(refused) == says
        assert refused
        assert refused.field == "data.corrections.1"


def test_hand_has_at_most_one_open_proposal() -> None:
    session = disputed(FIGURE)
    refused = why(refuse_proposal, session, proposal(struck(COUNT)))
    assert refused
    assert refused.reason.startswith("proposal 6 about this hand is open")
    add(session, event("proposal_declined", proposal=PROPOSED, player="mara"))
    assert why(refuse_proposal, session, proposal(struck(COUNT))) is None


# ------------------------------------------------------------------------------------ signing


def test_only_players_of_the_match_sign_and_only_one_time() -> None:
    session = disputed(FIGURE, others=("ada",))
    assert why(refuse_reply, session, signed(PROPOSED, "leo")) is None
    add(session, signed(PROPOSED, "leo"), by="leo")
    assert signed_by(session, session.structure.disputes.proposals[PROPOSED]) == {"leo"}
    assert cause(why(refuse_reply, session, signed(PROPOSED, "leo")))[0] == "signed_already"
    declined = event("proposal_declined", proposal=PROPOSED, player="leo")
    assert why(refuse_reply, session, declined) is None
    stranger = why(refuse_reply, session, signed(PROPOSED, "ada"))
    assert cause(stranger)[0] == "no_matter_of_theirs"


def test_player_whom_a_proposal_seats_in_the_match_may_sign_it() -> None:
    anew = replaced(2, "match_started", game="knock", seats=["ada", "leo", "nina", "ugo"])
    session = disputed(anew, others=("ada", "zoe"))
    assert why(refuse_reply, session, signed(PROPOSED, "ada")) is None
    assert why(refuse_reply, session, signed(PROPOSED, "zoe")) is not None


@pytest.mark.parametrize(
    ("later", "says"),
    [
        (event("proposal_declined", proposal=PROPOSED, player="mara"), "it was declined"),
        (FIGURE, "the hand was changed after it"),
        (event("dispute_settled", ruling="upheld", text="x", match=1, hand=1, proposal=PROPOSED),
         "its dispute has been settled"),
        (event("note_added", text="x"), ""),
    ],
    ids=["declined", "changed", "settled", "noted"],
)  # fmt: skip
def test_a_proposal_is_closed(later: Raw, says: str) -> None:
    session = disputed(FIGURE)
    add(session, later)
    assert why_closed(session, session.structure.disputes.proposals[PROPOSED]) == says
    refused = why(refuse_reply, session, signed(PROPOSED, "leo"))
    assert (refused is None) is (says == "")


# ------------------------------------------------------------------------------------- ruling


def ruled(session: Session, *following: Raw, at: int = 8) -> int:
    """Return how many of the events after a ruling are covered by its signatures."""
    ruling = DisputeSettled("corrected", "as signed", 1, 1, PROPOSED)
    events = [NewEvent(raw["type"], raw["data"]) for raw in following]
    return refuse_ruling(session, ruling, events, QUORUM, minute(at))


def agreed(*players: str, reason: str = "x") -> Session:
    session = disputed(FIGURE, reason=reason)
    for player in players:
        add(session, signed(PROPOSED, player), by=player)
    return session


def test_ruling_is_followed_by_the_signed_corrections() -> None:
    session = agreed("leo", "nina")
    assert ruled(session, FIGURE) == 1
    assert ruled(session, FIGURE, event("note_added", text="x")) == 1
    for other in ((), (struck(COUNT),), (event("note_added", text="x"), FIGURE)):
        with pytest.raises(NoQuorumError, match="have to come in the same append"):
            ruled(session, *other)


@pytest.mark.parametrize(
    ("players", "at", "missing"),
    [
        (("leo", "ugo"), 8, "Mara & Nina"),
        (("leo", "nina"), COUNT + 31, "Mara, Ugo"),
        ((), 8, "Mara & Nina, Leo & Ugo"),
    ],
    ids=["a side", "late", "nobody"],
)
def test_ruling_without_enough_signatures_names_the_missing_players(
    players: tuple[str, ...], at: int, missing: str
) -> None:
    with pytest.raises(NoQuorumError) as refused:
        ruled(agreed(*players), FIGURE, at=at)
    cause = refused.value.args[0]
    assert (cause.why, cause.facts) == ("too_few_signed", {"names": missing})


def test_late_correction_needs_a_reason() -> None:
    late = COUNT + 31
    assert ruled(agreed(*FOUR), FIGURE, at=late) == 1
    with pytest.raises(NoQuorumError, match="needs a reason"):
        ruled(agreed(*FOUR, reason=" "), FIGURE, at=late)
    assert ruled(agreed("leo", "mara", reason=" "), FIGURE, at=COUNT + 30) == 1


@pytest.mark.parametrize(
    ("later", "on"),
    [(event("note_added", text="x"), False), (event("hand_started", dealer="mara"), True)],
    ids=["noted", "played on"],
)
def test_correction_of_another_match_is_too_late_after_more_play(later: Raw, on: bool) -> None:
    split = inserted(COUNT, "match_started", game="knock", seats=list(FOUR))
    session = knock(
        event("match_started", game="knock", seats=list(FOUR)),
        event("hand_disputed", player="leo", reason="x", match=1, hand=1),
        proposal(split),
        later,
    )
    proposed = session.structure.disputes.proposals[7]
    if on:
        with pytest.raises(UnusableError) as refused:
            needed_signers(session, proposed, QUORUM, minute(8))
        assert cause(refused.value)[0] == "went_on"
    else:
        needs = needed_signers(session, proposed, QUORUM, minute(8))
        assert needs.others(session.structure.hand_by_seq[HAND]) == [2, 3]


def test_a_side_is_called_by_its_players() -> None:
    session = knock()
    names = names_of(session, session.structure.hand_by_seq[HAND])
    assert (names["A"], names["leo"]) == ("Mara & Nina", "Leo")
