"""The result of an evening for a club: its matches, their winners, and the points of each hand.

It follows from the evening's own log and is computed once for each head of that log; it can be
discarded and computed again. Players have the ids that they have in the evening.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.parts import ExactPoints, encode_exact
from scorekeeper.clubs.hand import PlayedHand, decode_points
from scorekeeper.log.sets import Corrects
from scorekeeper.play.match import leaders
from scorekeeper.play.match_members import GAMES_OF_MATCH
from scorekeeper.report.evening_sums import describe_terms
from scorekeeper.report.report import get_hand_status, view_match
from scorekeeper.report.settlement import settle_match
from scorekeeper.report.span import (
    IMPORT_AUTHOR,
    DayOfPlay,
    find_day,
    find_span,
    find_start,
    get_first_entry,
)
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

FORMAT_VERSION: Final = 6  # of stored results; those in another format are computed again


class MoneyItem(NamedTuple):
    """One source of money in a match: a hand, the penalties of a side, or the won match itself.

    ``amounts`` are by side, in minor units.
    """

    what: str
    hand: int | None
    side: str | None
    amounts: Mapping[str, int]


class PlayedMoney(NamedTuple):
    """The money of a match with a stake, by player.

    Amounts are in minor units of the currency and sum to zero. ``open`` is whether it may still
    change without a correction. ``odd`` are the players who got one unit more because an amount
    could not be divided.
    """

    currency: str
    balances: Mapping[str, int]
    made_of: tuple[MoneyItem, ...]
    odd: tuple[str, ...]
    open: bool


class PlayedMatch(NamedTuple):
    """A match: its game and the terms of its scores, its sides, and its result.

    Scores of matches with equal ``terms`` can be added up. ``winners`` is empty during the match,
    if it is undecided, and if no hand of it counted. ``leading`` are the sides with the highest
    total while a match without an end of its own goes on. ``open`` is whether the totals may still
    change without a correction: the match is not over, a hand is incomplete, or one is disputed.
    """

    number: int
    game: str
    terms: str
    sides: Mapping[str, tuple[str, ...]]
    totals: Mapping[str, ExactPoints]
    winners: tuple[str, ...]
    finished: bool
    open: bool
    hands: tuple[PlayedHand, ...]
    money: PlayedMoney | None = None
    leading: tuple[str, ...] = ()

    @property
    def ahead(self) -> tuple[str, ...]:
        """The sides that rankings take for the winners; empty without a result."""
        return self.winners or self.leading


class PlayedEvening(NamedTuple):
    """An evening at one version.

    ``day`` is its day of play, and ``opened`` the time of its first event. ``began`` is when its
    first hand was dealt and ``ended`` when the last one was recorded, as written in the log; both
    are empty if no time is known. ``title``, ``place`` and ``names`` are the present ones, and
    ``first_title`` is that of the first event. ``corrected`` is the time of the last
    correction after that. ``first`` is the hash of the first event: two logs that begin alike are
    the same evening.
    """

    session_id: str
    title: str
    began: str
    first: str
    head: str
    events: int
    names: Mapping[str, str]
    matches: tuple[PlayedMatch, ...]
    ended: str = ""
    place: str = ""
    corrected: str = ""
    day: DayOfPlay = DayOfPlay()
    opened: str = ""
    first_title: str = ""

    @classmethod
    def of(cls, session_id: str, session: Session) -> "PlayedEvening":
        """Return the result of a session that has events."""
        record = session.structure
        opening = get_first_entry(session)
        lasted = find_span(session)
        return cls(
            session_id=session_id,
            title=record.opened.title if record.opened else "",
            began=find_start(session) or "",
            first=opening.hash,
            head=session.head,
            events=session.events,
            names=dict(record.players),
            matches=tuple(_list_matches(session)),
            ended=lasted[1] if lasted else "",
            place=(record.opened and record.opened.place) or "",
            corrected=_find_last_correction(session, lasted[1]) if lasted else "",
            day=find_day(session),
            opened=opening.at,
            first_title=getattr(opening.event, "title", ""),
        )

    @classmethod
    def from_json(cls, text: bytes) -> "PlayedEvening | None":
        """Return an evening from its stored JSON; None if that is in another format."""
        data = json.loads(text)
        if data.pop("form", None) != FORMAT_VERSION:
            return None
        data["session_id"] = data.pop("session")
        matches = []
        for match_data in data["matches"]:
            hands = tuple(PlayedHand.from_json(hand) for hand in match_data["hands"])
            sides = {side: tuple(members) for side, members in match_data["sides"].items()}
            totals = decode_points(match_data["totals"])
            fields: dict[str, Any] = {"hands": hands, "totals": totals, "sides": sides,
                      "winners": tuple(match_data["winners"]),
                      "leading": tuple(match_data["leading"])}  # fmt: skip
            if match_data["money"] is not None:
                currency, balances, made_of, odd, open_ = match_data["money"]
                items = tuple(MoneyItem(*item) for item in made_of)
                fields["money"] = PlayedMoney(currency, balances, items, tuple(odd), open_)
            matches.append(PlayedMatch(**{**match_data, **fields}))
        return cls(**{**data, "matches": tuple(matches), "day": DayOfPlay(*data["day"])})

    def to_json(self) -> bytes:
        """Return the result as JSON for the store, so that it need not be computed again."""
        matches = [match._asdict() for match in self.matches]
        data = {**self._asdict(), "matches": matches, "form": FORMAT_VERSION}
        data = {"session": data.pop("session_id"), **data}
        written = json.dumps(data, ensure_ascii=False, separators=(",", ":"), default=encode_exact)
        return written.encode()


def _find_last_correction(session: Session, ended: str) -> str:
    """Return the time of the last correction after ``ended``; empty without one.

    Imported corrections do not count, since their times are those of the import.
    """
    recorded = session.corrections.recorded.values()
    times = (
        entry.at
        for entry in recorded
        if isinstance(entry.event, Corrects) and entry.by != IMPORT_AUTHOR
    )
    return max((at for at in times if at > ended), default="")


def _list_matches(session: Session) -> Iterator[PlayedMatch]:
    """Yield the result of each match of a session."""
    disputed = session.structure.disputed
    for match in session.structure.matches:
        standing = match.standing()
        states = [get_hand_status(match, hand) for hand in match.hands]
        contested = any(hand.started.seq in disputed for hand in match.hands)
        yield PlayedMatch(
            number=match.number,
            game=match.game.id,
            terms=describe_terms(match),
            sides=match.sides,
            totals=dict(standing.totals),
            winners=tuple(match.list_winners()),
            finished=match.over,
            open=not match.over or contested or "incomplete" in states,
            hands=tuple(
                PlayedHand.of(hand, disputed=hand.started.seq in disputed)
                for hand, state in zip(match.hands, states, strict=True)
                if state == "complete"
            ),
            money=_settle_money(session, match),
            leading=tuple(_list_leading(match)),
        )


def _list_leading(match: MatchRecord) -> list[str]:
    """Return the sides with the highest total of a match that goes on without an end of its own.

    Its complete hands are its result before anybody ends it. Empty for every other match.
    """
    standing = match.standing()
    own_end = match.game.goal(match.options) or GAMES_OF_MATCH in match.game.describe_match(
        standing
    )
    if match.over or own_end or match.last_complete() is None:
        return []
    return leaders(standing.totals)


def _settle_money(session: Session, match: MatchRecord) -> PlayedMoney | None:
    """Return the money of a match; None without a stake."""
    if match.stake is None:
        return None
    settled = settle_match(match, view_match(session, match))
    made_of = tuple(
        MoneyItem(due.what, due.hand, due.side, dict(due.amounts)) for due in settled.dues
    )
    balances, odd = dict(settled.balances), tuple(settled.odd)
    return PlayedMoney(match.stake.currency, balances, made_of, odd, bool(settled.doubts))


def read_terms(terms: str) -> tuple[int, JsonObject]:
    """Return the version of the rules and the scoring options from such a text."""
    _game, version, options = json.loads(terms)
    return version, options
