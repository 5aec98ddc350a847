"""Events that are hidden during a hand, and recorded after it."""

from typing import Any

import pytest

from scorekeeper.events.common import NoteAdded
from scorekeeper.games.riparto.events import SetDistributed
from scorekeeper.report.late_events import list_late_events, list_withheld_fields, withholds_all
from scorekeeper.session.matches import HandRecord
from tests.evenings import Evening, Raw, event, opening

SEATS = {"picchetto": "mara leo", "briscola_col_monte": "mara leo nina ugo ada"}
BID = event("bid_made", player="mara", bid=70)
A_TRICK = event("trick_taken", player="mara")
A_CARD = event("card_played", player="mara", card="AS")


def hand(game: str, *events: Raw) -> HandRecord:
    """A hand that the last of the seats dealt; its own events begin with seq 4."""
    seats = SEATS[game].split()
    evening = Evening(
        opening(*seats),
        event("match_started", game=game, seats=seats),
        event("hand_started", dealer=seats[-1]),
        *events,
    )
    return evening.session.structure.matches[0].hands[0]


def late(game: str, *events: Raw) -> list[tuple[Any, ...]]:
    return [
        (act.declared.TYPE, act.player, act.fields, act.kept and act.kept.seq, act.after)
        for act in list_late_events(hand(game, *events))
    ]


@pytest.mark.parametrize(
    ("events", "acts"),
    [
        ([A_TRICK], []),  # nobody is known to have laid away
        ([BID], []),  # of which only the totals were asked
        ([BID, A_TRICK], [("cards_laid_away", "mara", ("cards",), None, None)]),
        ([BID, event("cards_laid_away", player="mara", cards=["2S", "4S", "5S", "6S", "7S"]),
          A_TRICK], []),
    ],
)  # fmt: skip
def test_what_the_bidder_laid_away(events: list[Raw], acts: list[Any]) -> None:
    assert late("briscola_col_monte", *events) == acts


@pytest.mark.parametrize(
    ("events", "acts"),
    [
        ([], []),
        ([A_CARD], [("cards_exchanged", "mara", ("discarded", "count"), None, 3)]),
        (
            [event("cards_exchanged", player="mara", count=5), A_CARD],
            [("cards_exchanged", "mara", ("drawn", "discarded"), 4, None),
             ("cards_exchanged", "leo", ("discarded", "count"), None, 4)],
        ),
        (
            [event("white_declared", player="mara"), A_CARD],
            [("cards_exchanged", "mara", ("discarded", "count"), None, 4)],
        ),
    ],
)  # fmt: skip
def test_what_was_exchanged_and_where_it_belongs(events: list[Raw], acts: list[Any]) -> None:
    values = late("picchetto", *events)
    assert [(kind, player, after) for kind, player, _, _, after in values] == [
        (kind, player, after) for kind, player, _, _, after in acts
    ]
    assert [kept for *_, kept, _ in values] == [kept for *_, kept, _ in acts]


def test_an_event_is_bare_that_keeps_back_all_it_can() -> None:
    assert list_withheld_fields(SetDistributed) == ("kept", "given")
    assert withholds_all(SetDistributed(player="leo", set=1))
    assert not withholds_all(SetDistributed(player="leo", set=1, given={}))
    assert not withholds_all(NoteAdded("it keeps back nothing"))
