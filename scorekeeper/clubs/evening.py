"""What an evening comes to for a club: its matches, who won them, and what each hand paid.

It follows from the evening's own log, is made once for each head of that log, and can be thrown
away and made again. Players stand in it by the ids that they have in the evening.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final, NamedTuple

from scorekeeper.clubs.hand import PlayedHand
from scorekeeper.log.sets import Corrects
from scorekeeper.play.match import leaders
from scorekeeper.report.report import match_report, status
from scorekeeper.report.settlement import Settled, settled
from scorekeeper.report.span import IMPORT, began, span
from scorekeeper.session.matches import MatchRecord
from scorekeeper.session.session import Session

FORM: Final = 4  # of what is kept of an evening; another one is made anew


class MoneyMoved(NamedTuple):
    """What moved money in a match: a hand, the penalties of a side, or the match won itself.

    ``amounts`` are by side, in minor units.
    """

    what: str
    hand: int | None
    side: str | None
    amounts: Mapping[str, int]


class PlayedMoney(NamedTuple):
    """What a match with a stake came to, in minor units of its currency; by player, nothing in all.

    ``open`` is whether it may still change by itself. ``odd`` are those to whom one unit more fell
    because it could not be divided.
    """

    currency: str
    balances: Mapping[str, int]
    made_of: tuple[MoneyMoved, ...]
    odd: tuple[str, ...]
    open: bool


class PlayedMatch(NamedTuple):
    """A match: its game and the terms of its scores, its sides, and what it came to.

    ``terms`` is the same for matches whose scores can be added up. ``winners`` are none while it
    is played, and where no hand of it counted. ``open`` is whether its totals may still change by
    themselves: it is being played, a hand is incomplete, or one is disputed.
    """

    number: int
    game: str
    terms: str
    sides: Mapping[str, tuple[str, ...]]
    totals: Mapping[str, int]
    winners: tuple[str, ...]
    finished: bool
    open: bool
    hands: tuple[PlayedHand, ...]
    money: PlayedMoney | None = None


class PlayedEvening(NamedTuple):
    """An evening at one version.

    ``began`` is when its first hand was dealt and ``ended`` when its last was recorded, as a log
    writes it, empty where no time is known. ``corrected`` is when it was last corrected after that.
    ``first`` is the hash of its first event: two logs that begin alike are one evening.
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

    @classmethod
    def of(cls, session_id: str, session: Session) -> "PlayedEvening":
        """What a session with events comes to."""
        record = session.structure
        entries = session.corrections.recorded.values()
        opening = next(iter(entries))
        lasted = span(session)
        return cls(
            session_id=session_id,
            title=record.opened.title if record.opened else "",
            began=began(session) or "",
            first=opening.hash,
            head=session.head,
            events=session.events,
            names=dict(record.players),
            matches=tuple(_matches(session)),
            ended=lasted[1] if lasted else "",
            place=(record.opened and record.opened.place) or "",
            corrected=_corrected(session, lasted[1]) if lasted else "",
        )

    @classmethod
    def kept(cls, text: bytes) -> "PlayedEvening | None":
        """What was kept of an evening; None where it was kept in another form."""
        told = json.loads(text)
        if told.pop("form", None) != FORM:
            return None
        told["session_id"] = told.pop("session")
        matches = []
        for one in told["matches"]:
            hands = tuple(PlayedHand.kept(hand) for hand in one["hands"])
            sides = {side: tuple(members) for side, members in one["sides"].items()}
            kept = {"hands": hands, "sides": sides, "winners": tuple(one["winners"])}
            if one["money"] is not None:
                currency, balances, made_of, odd, open_ = one["money"]
                moved = tuple(MoneyMoved(*due) for due in made_of)
                kept["money"] = PlayedMoney(currency, balances, moved, tuple(odd), open_)
            matches.append(PlayedMatch(**{**one, **kept}))
        return cls(**{**told, "matches": tuple(matches)})

    def keep(self) -> bytes:
        """What to keep of it, so that it need not be made again."""
        matches = [one._asdict() for one in self.matches]
        told = {**self._asdict(), "matches": matches, "form": FORM}
        told = {"session": told.pop("session_id"), **told}
        return json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()


def _corrected(session: Session, ended: str) -> str:
    recorded = session.corrections.recorded.values()
    times = (one.at for one in recorded if isinstance(one.event, Corrects) and one.by != IMPORT)
    return max((at for at in times if at > ended), default="")


def _matches(session: Session) -> Iterator[PlayedMatch]:
    disputed = session.structure.disputed
    for match in session.structure.matches:
        standing = match.standing()
        states = [status(match, hand) for hand in match.hands]
        counted = "complete" in states
        contested = any(hand.started.seq in disputed for hand in match.hands)
        yield PlayedMatch(
            number=match.number,
            game=match.game.id,
            terms=terms_of(match),
            sides=match.sides,
            totals=dict(standing.totals),
            winners=tuple(leaders(standing.totals)) if match.over and counted else (),
            finished=match.over,
            open=not match.over or contested or "incomplete" in states,
            hands=tuple(
                PlayedHand.of(hand, disputed=hand.started.seq in disputed)
                for hand, state in zip(match.hands, states, strict=True)
                if state == "complete"
            ),
            money=_money(settled(match, match_report(session, match))) if match.stake else None,
        )  # fmt: skip


def _money(match: Settled) -> PlayedMoney | None:
    if match.stake is None:
        return None
    made_of = tuple(
        MoneyMoved(one.what, one.hand, one.side, dict(one.amounts)) for one in match.dues
    )
    return PlayedMoney(
        match.stake.currency, dict(match.balances), made_of, match.odd, bool(match.doubts)
    )


def terms_of(match: MatchRecord) -> str:
    """The same text for matches whose scores are of one kind, and for no others."""
    options: Mapping[str, Any] = match.game.book.scoring(match.options)
    told = [match.game.id, match.game.version, options]
    return json.dumps(told, sort_keys=True, separators=(",", ":"))
