"""The checks of a hand's place in its match, and the list of all findings."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from scorekeeper.base import pacing
from scorekeeper.play.scoring import Finding, Observation, Text, run_checks
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session


def list_findings(session: Session) -> list[Finding]:
    """Return all findings: first damage of the log, then hand by hand."""
    all_findings = list(session.damage)
    for match in session.structure.matches:
        for hand in match.hands:
            pacing.step(pacing.STEPS_PER_HAND)
            all_findings += list_hand_findings(match, hand)
    return all_findings


def list_hand_findings(match: MatchRecord, hand: HandRecord) -> Iterator[Finding]:
    """Yield the findings of one hand, one for each code and event at fault."""
    match.is_complete(hand)  # evaluates it
    seen = set()
    for code, rule, observation in _observe(match, hand):
        fault = (code, observation.events[0] if observation.events else None)
        if fault not in seen:
            seen.add(fault)
            yield Finding(
                code, rule, observation.text, observation.events, match.number, hand.number,
                observation.sides,
            )  # fmt: skip


def _observe(match: MatchRecord, hand: HandRecord) -> Iterator[tuple[str, str, Observation]]:
    """Yield the code, clause and observation of each problem of a hand."""
    yield from _run_checks(CHECKS_BEFORE, match, hand)
    for check, observation in run_checks(match.game.checks, hand.deal):
        yield check.code, check.rule, observation
    yield from _run_checks(CHECKS_AFTER, match, hand)


def _run_checks(
    checks: Iterable["PlacedCheck"], match: MatchRecord, hand: HandRecord
) -> Iterator[tuple[str, str, Observation]]:
    """Yield the code, clause and observation of each problem that these checks find."""
    for check in checks:
        for observation in check.look(match, hand):
            yield check.code, check.rule or match.game.end_clause, observation


def has_moved_on(match: MatchRecord, hand: HandRecord) -> bool:
    """Return whether the match has gone on to another hand or has ended."""
    return match.ended is not None or hand is not match.hands[-1]


def _check_dealer(match: MatchRecord, hand: HandRecord) -> Iterator[Observation]:
    """Find a hand that was dealt by a player whose turn it was not."""
    if hand.number == 1:
        return
    last = match.hands[hand.number - 2]
    allowed = match.list_allowed_dealers(last)
    if hand.dealer not in allowed:
        text = Text(
            "{dealer} dealt, but it was {due}’s deal",
            dealer=match.names[hand.dealer], due=match.names[allowed[-1]],
        )  # fmt: skip
        yield Observation((hand.started.seq, last.started.seq), text)


def _check_after_end(match: MatchRecord, hand: HandRecord) -> Iterator[Observation]:
    """Find a hand that was played after the end of its match."""
    if match.is_after_end(hand):
        text = Text("Hand {hand} was played after the end of the match", hand=hand.number)
        yield Observation((hand.started.seq,), text)


def _check_unfinished(match: MatchRecord, hand: HandRecord) -> Iterator[Observation]:
    """Find a hand that was never finished.

    If its count is unsound, another finding reports that already.
    """
    result = hand.deal.result
    settled = result.complete or result.abandoned or hand.awaited is not None
    if settled or not has_moved_on(match, hand) or match.is_after_end(hand):
        return
    if all(count.sound for count in hand.deal.all_counts()):
        text = Text("Hand {hand} was never finished", hand=hand.number)
        yield Observation((hand.started.seq,), text)


def _check_unrecorded(match: MatchRecord, hand: HandRecord) -> Iterator[Observation]:
    """Find the checks of a complete hand that its record cannot decide."""
    if not hand.deal.result.complete or match.is_after_end(hand):
        return
    open_checks = tuple(
        (check.about, check.rule, check.settles)
        for check in match.game.checks
        if check.about and check.decided is not None and not check.decided(hand.deal)
    )
    if open_checks:
        yield Observation((), _describe_open_checks(open_checks))


@lru_cache(maxsize=256)
def _describe_open_checks(checks: tuple[tuple[str, str, str], ...]) -> Text:
    """Return the message for checks given by subject, clause, and the record that settles them."""
    return Text(
        "Not on record, so not checked: {abouts}. To check this, record: {settles}",
        abouts=_list_texts((about, rule) for about, rule, _ in checks),
        settles=_list_texts((settles, "") for _, _, settles in checks),
    )


def _list_texts(texts: Iterable[tuple[str, str]]) -> tuple[Text, ...]:
    """Return each text once, with its clause if it has one."""
    return tuple(
        Text("{about} ({rule})", about=Text(texts), rule=rule) if rule else Text(texts)
        for texts, rule in dict.fromkeys(texts)
        if texts
    )


@dataclass(frozen=True, slots=True)
class PlacedCheck:
    """A check of a hand's place in its match.

    ``rule`` is the clause; if empty, it is the clause by which a match of the game ends.
    """

    code: str
    rule: str
    look: Callable[[MatchRecord, HandRecord], Iterable[Observation]]


# The checks of every game, run before and after the game's own.
CHECKS_BEFORE: Final = (PlacedCheck("wrong_dealer", "G3", _check_dealer),)
CHECKS_AFTER: Final = (
    PlacedCheck("after_end", "", _check_after_end),
    PlacedCheck("incomplete", "L3", _check_unfinished),
    PlacedCheck("not_recorded", "L4", _check_unrecorded),
)
