"""What can be wrong with a session beyond the play of one hand, and all findings in order."""

from collections.abc import Iterable, Iterator

from scorekeeper.replay.records import HandRecord, MatchRecord
from scorekeeper.replay.session import Session
from scorekeeper.scoring import Check, Finding, Sight, Text, look


def findings(session: Session) -> list[Finding]:
    """All findings: damage of the log, then hand by hand."""
    found = list(session.damage)
    for match in session.record.matches:
        for hand in match.hands:
            found += hand_findings(match, hand)
    return found


def hand_findings(match: MatchRecord, hand: HandRecord) -> Iterator[Finding]:
    """The findings of one hand, one for each code and event at fault."""
    match.complete(hand)  # evaluates it
    seen = set()
    for code, rule, sight in _sights(match, hand):
        fault = (code, sight.events[0] if sight.events else None)
        if fault not in seen:
            seen.add(fault)
            yield Finding(code, rule, sight.text, sight.events, match.number, hand.number,
                          sight.sides)  # fmt: skip


def _sights(match: MatchRecord, hand: HandRecord) -> Iterator[tuple[str, str, Sight]]:
    yield from (("wrong_dealer", "G3", sight) for sight in _wrong_dealer(match, hand))
    for check, sight in look(match.game.checks, hand.deal):
        yield check.code, check.rule, sight
    if match.after_end(hand):
        text = Text("Hand {hand} was played after the end of the match", hand=hand.number)
        yield "after_end", match.game.end_clause, Sight((hand.started.seq,), text)
    elif is_left(match, hand) and not (hand.deal.result.complete or hand.deal.result.abandoned):
        if all(count.sound for count in hand.deal.all_counts()):
            text = Text("Hand {hand} was left behind without what scores it", hand=hand.number)
            yield "incomplete", "L3", Sight((hand.started.seq,), text)
    elif hand.deal.result.complete:
        yield from (("not_recorded", "L4", sight) for sight in _not_recorded(match, hand))


def is_left(match: MatchRecord, hand: HandRecord) -> bool:
    """Whether the game has gone on from a hand."""
    return match.ended is not None or hand is not match.hands[-1]


def _wrong_dealer(match: MatchRecord, hand: HandRecord) -> Iterator[Sight]:
    if hand.number == 1:
        return
    last = match.hands[hand.number - 2]
    seats = match.seats
    due = seats[(seats.index(last.dealer) + 1) % len(seats)]
    allowed = {due, last.dealer} if last.deal.result.abandoned else {due}
    if hand.dealer not in allowed:
        text = Text(
            "{dealer} dealt, and the deal was {due}'s",
            dealer=match.names[hand.dealer], due=match.names[due],
        )  # fmt: skip
        yield Sight((hand.started.seq, last.started.seq), text)


def _not_recorded(match: MatchRecord, hand: HandRecord) -> Iterator[Sight]:
    """What the record of a complete hand cannot decide, and what would settle it."""
    open_checks = [
        check
        for check in match.game.checks
        if check.about and check.decided is not None and not check.decided(hand.deal)
    ]
    if open_checks:
        abouts = _listed(f"{check.about} ({check.rule})" for check in open_checks)
        settles = _listed(check.settles for check in open_checks)
        text = Text(
            "Not on record, so not checked: {abouts}. On record, this would settle it: {settles}",
            abouts=abouts, settles=settles,
        )  # fmt: skip
        yield Sight((), text)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(word for word in words if word))


def checks_of(match: MatchRecord) -> tuple[Check, ...]:
    """The checks of the match's game."""
    return match.game.checks
