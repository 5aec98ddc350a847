"""Legal hands at each level of detail, between two others, with and without a score on paper."""

import io
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count
from random import Random
from typing import Any, Final

from scorekeeper.play.scoring import Finding, Severity
from scorekeeper.report.findings import list_findings
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from tests.players.common import Event, Match, PlayedHand, Scores, event, log_of, new_match

LEVELS: Final = ("totals", "tricks", "cards")
RESULTS: Final = frozenset({"points_counted", "tricks_counted", "outcome_recorded"})
CLAIM: Final = "score_claimed"
HAND: Final = 2  # the number of the hand in its match


@dataclass(frozen=True)
class LegalHand:
    """A hand of a match that was recorded without a fault.

    ``before`` opens the session and has the hand before; ``after`` has the next hand, or closes
    the session if the match is over: an unfinished hand is left behind either way. ``order`` are
    the players in order of play, ``ranks`` and ``pack`` those of the match. With ``paper`` the
    last entry of the record is the score of every side.
    """

    game: str
    level: str
    paper: bool
    seed: int
    before: list[Event]
    record: list[Event]
    after: list[Event]
    scores: Scores
    order: tuple[str, ...]
    sides: tuple[str, ...]
    pack: tuple[str, ...]
    ranks: tuple[str, ...]

    def events(self, record: Sequence[Event]) -> list[Event]:
        """The whole session, with this record of the hand."""
        return [*self.before, *record, *self.after]

    def session(self, record: Sequence[Event]) -> Session:
        """The session with this record of the hand. Raises `UnusableError`."""
        return read(self.events(record))


def read(events: Sequence[Event]) -> Session:
    """Read a session from its events. Raises `UnusableError`."""
    return Session.read(io.BytesIO(log_of(events).encode()))


def alarms(session: Session) -> list[Finding]:
    """The findings of a session that a record without a fault does not have."""
    return [finding for finding in list_findings(session) if finding.severity is not Severity.INFO]


def hand_at(session: Session) -> HandRecord:
    """The hand in which a fault is made."""
    return session.structure.matches[0].hands[HAND - 1]


def legal_hand(game: str, level: str, seed: int, *, paper: bool) -> LegalHand:
    """The first hand of that kind from a seed on."""
    return next(hand for n in count(seed) if (hand := _from_seed(game, level, n, paper=paper)))


def _from_seed(game: str, level: str, seed: int, *, paper: bool) -> LegalHand | None:
    rng = Random(seed)
    before, match = new_match(rng, game)
    before = [*before, *shortest(match.play_hand())]
    if match.over:
        return None
    played = match.play_hand()
    names = [name for name, exact in played.exact.items() if exact and name.startswith(level)]
    if played.abandoned or not names:
        return None
    record = played.records[rng.choice(names)]
    after = _what_follows(match)
    bare = [entry for entry in record if entry["type"] != CLAIM]
    fewest = [entry for entry in bare if entry["type"] not in RESULTS]
    for entries in (fewest, bare) if level != "totals" else (bare,):
        claims = [event(CLAIM, scores=played.scores)] if paper else []
        hand = _complete(game, level, seed, before, [*entries, *claims], after, played.scores)
        if hand is not None:
            return hand
    return None


def _what_follows(match: Match) -> list[Event]:
    return [event("session_closed")] if match.over else shortest(match.play_hand())


def shortest(hand: PlayedHand) -> list[Event]:
    """The shortest record of a hand that decides as much as its cards."""
    return min((hand.records[name] for name, exact in hand.exact.items() if exact), key=len)


def _complete(
    game: str, level: str, seed: int, before: list[Event], record: list[Event],
    after: list[Event], scores: Scores,
) -> LegalHand | None:  # fmt: skip
    """The hand with this record, if it gives the score and no alarm."""
    session = read([*before, *record, *after])
    match = session.structure.matches[0]
    if alarms(session) or len(match.hands) < HAND or scored(session) != scores:
        return None
    pack = match.pack
    return LegalHand(
        game, level, record[-1]["type"] == CLAIM, seed, before, record, after, scores,
        tuple(match.hands[HAND - 1].table.players), tuple(match.sides),
        tuple(card.code for card in pack.cards), tuple(map(str, pack.ranks)),
    )  # fmt: skip


def scored(session: Session) -> dict[str, int] | None:
    """The score of the hand in which a fault is made; None while it is not complete."""
    match, hand = session.structure.matches[0], hand_at(session)
    if not match.is_complete(hand):
        return None
    scores: dict[str, Any] = dict.fromkeys(match.sides, 0)
    for line in hand.deal.result.lines:
        scores[line.side] += line.points
    return scores
