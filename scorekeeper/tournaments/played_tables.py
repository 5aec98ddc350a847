"""The result of a table: the scores of its session, hand by hand.

It follows from the session's own log and is computed once for each head of that log.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from scorekeeper.base.parts import ExactPoints
from scorekeeper.events.event import IN_A_HAND
from scorekeeper.play.match import Penalty
from scorekeeper.play.scoring import add_up
from scorekeeper.report.hand_facts import get_facts
from scorekeeper.report.report import get_hand_status, is_confirmed_by_all
from scorekeeper.report.span import get_first_entry
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session

COMPLETE = "complete"


class TableHand(NamedTuple):
    """A hand of a table: the points of each player who took part.

    ``started_at`` is when it was begun and ``ended_at`` when its last event of play was recorded;
    both are empty if no time is known. ``number`` counts through all matches of the session.
    ``made_by`` is the bidder who made the contract.
    """

    number: int
    scores: Mapping[str, ExactPoints]
    complete: bool
    open: bool
    confirmed: bool
    disputed: bool
    started_at: str
    ended_at: str
    made_by: str | None


class PlayedTable(NamedTuple):
    """The result of a session at one version.

    ``totals`` are those of its matches by player, with penalties; ``penalties`` are also by
    player. ``unended`` is whether the last match can go on, and ``closed`` whether the session is
    closed.
    """

    session_id: str
    first: str
    head: str
    title: str
    totals: Mapping[str, ExactPoints]
    penalties: Mapping[str, ExactPoints]
    hands: tuple[TableHand, ...]
    unended: bool
    closed: bool = False

    @property
    def undone(self) -> bool:
        """Whether a hand is begun and not complete, or in dispute."""
        return any(hand.open or hand.disputed for hand in self.hands)

    @classmethod
    def of(cls, session_id: str, session: Session) -> "PlayedTable":
        """Return the result of a session that has events."""
        totals: dict[str, ExactPoints] = {}
        penalties: dict[str, ExactPoints] = {}
        matches = session.structure.matches
        for match in matches:
            _add(totals, match, match.standing().totals)
            for penalty in match.penalties if match.counts_penalties else ():
                _add(penalties, match, _only(penalty))
        hands = tuple(_list_hands(session))
        return cls(
            session_id=session_id,
            first=get_first_entry(session).hash,
            head=session.head,
            title=session.structure.opened.title if session.structure.opened else "",
            totals=totals,
            penalties=penalties,
            hands=hands,
            unended=not matches or not matches[-1].over,
            closed=session.structure.closed is not None,
        )


def _add(
    sums: dict[str, ExactPoints], match: MatchRecord, of_sides: Mapping[str, ExactPoints]
) -> None:
    """Add the points of sides to those of their players."""
    for side, points in of_sides.items():
        for player in match.sides[side]:
            sums[player] = sums.get(player, 0) + points


def _only(penalty: Penalty) -> dict[str, ExactPoints]:
    """Return the points of a penalty by its side."""
    return {penalty.side: penalty.points}


def _list_hands(session: Session) -> Iterator[TableHand]:
    """Yield the hands of a session that are not abandoned."""
    number = 0
    for match in session.structure.matches:
        for hand in match.hands:
            number += 1
            status = get_hand_status(match, hand)
            if status != "abandoned":
                yield _make_hand(session, match, hand, number, status)


def _make_hand(
    session: Session, match: MatchRecord, hand: HandRecord, number: int, status: str
) -> TableHand:
    """Return a hand of a table."""
    complete = status == COMPLETE
    by_side = add_up(hand.deal.result.lines if complete else (), match.sides)
    playing = set(hand.table.players)
    scores = {
        player: by_side[side]
        for side, players in match.sides.items()
        for player in players
        if player in playing
    }
    facts = get_facts(hand) if complete else {}
    played = [entry.at for entry in hand.entries if entry.event.PLACE is IN_A_HAND and entry.at]
    return TableHand(
        number=number,
        scores=scores,
        complete=complete,
        open=status == "open",
        confirmed=is_confirmed_by_all(session, hand),
        disputed=hand.started.seq in session.structure.disputed,
        started_at=hand.started.at,
        ended_at=max(played, default=hand.started.at),
        made_by=str(facts["bidder"]) if facts.get("made") and facts.get("bidder") else None,
    )
