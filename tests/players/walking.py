"""A walker without knowledge of the rules, which only follows prompts."""

import random
from collections.abc import Iterator, Sequence
from typing import Any

import pytest

from scorekeeper.events.common import MatchEnded, MatchStarted, SessionClosed, SessionOpened
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.report.next_events import list_prompts
from scorekeeper.service.judge import (
    findings_since,
    identify_finding,
    is_irregular,
    last_hand,
)
from scorekeeper.service.permissions import find_own_last
from scorekeeper.session.session import Session
from tests.evenings import build_report
from tests.players.common import GAMES, Event, event, new_match

# Events that end something are chosen rarely.
WEIGHTS = {
    "hand_abandoned": 0.01,
    "match_ended": 0.01,
    "session_closed": 0.01,
    "match_started": 0.05,
    "rest_claimed": 0.05,
}

COUNTED = ("points_counted", "tricks_counted", "outcome_recorded")
ENDING = {**WEIGHTS, **dict.fromkeys(COUNTED, 0.03)}


def at_levels(first: int) -> Iterator[Any]:
    """Parametrize every other game, each at another level; the soak has all games and levels."""
    for place, game in enumerate(GAMES, first):
        for number, level in enumerate(LEVELS):
            kept = (place - first) % 2 == 0 and number == place % len(LEVELS)
            marks = [] if kept else [pytest.mark.soak]
            yield pytest.param(game, level, marks=marks, id=f"{game}-{level}")


CHANGES = 0.15  # the share of steps before which the level changes
BEGIN_OR_END = (SessionOpened, MatchStarted, MatchEnded, SessionClosed)


class Walker:
    """A recorder of sessions that takes each event from the prompts."""

    def __init__(self, rng: random.Random, opening: Sequence[Event]) -> None:
        self.rng = rng
        self.session = Session()
        self.log: list[Event] = []
        for raw in opening:
            self.record(raw)

    def record(self, raw: Event) -> None:
        """Record an event in its form over HTTP."""
        self.add(raw)
        self.log.append(raw)

    def add(self, raw: Event) -> None:
        """Add an event to the session, and not to the log."""
        game = self.session.game
        types = game.by_type if game else codec.COMMON_TYPES
        event = codec.decode(raw["type"], raw["data"], types)
        self.session.add(Entry(len(self.log) + 1, event, by="keeper"))

    def choose(self, prompts: Sequence[Prompt]) -> Prompt:
        """Return one of the prompts, mostly the likeliest."""
        if self.rng.random() < 0.5 and prompts[0].type not in WEIGHTS:
            return prompts[0]
        weights = [WEIGHTS.get(prompt.type, 1) for prompt in prompts]
        return self.rng.choices(prompts, weights)[0]

    def step(self, level: Level | None) -> bool:
        """Record a prompted event; return whether there was one."""
        prompts = list_prompts(self.session, level)
        if not prompts:
            return False
        prompt = self.choose(prompts)
        choice = self.rng.choice(prompt.choices)
        self.record(event(prompt.type, **codec.encode(choice)))
        return True

    def undo(self) -> None:
        """Undo the last event like one tap; the beginning of a match stays."""
        last = find_own_last(self.session, "keeper")
        if last is not None and not isinstance(last.event, BEGIN_OR_END):
            self.record(event("event_struck", seq=last.seq, reason="wrong"))

    def refused_choice(self, prompts: Sequence[Prompt], most: int) -> tuple[Event, str] | None:
        """Try ``most`` choices of each prompt; return the first that breaks a rule, or None.

        It is returned with the message of its finding. Nothing is recorded.
        """
        before = self.faults()
        for prompt in prompts:
            for choice in self.rng.sample(prompt.choices, min(most, len(prompt.choices))):
                tried = event(prompt.type, **codec.encode(choice))
                self.session.begin_trial()
                try:
                    self.add(tried)
                    new = [text for fault, text in self.faults().items() if fault not in before]
                finally:
                    self.session.end_trial(take_back=True)
                if new:
                    return tried, new[0]
        return None

    def faults(self) -> dict[object, str]:
        """Return the messages of the faults of the last hand, by what identifies a fault."""
        findings = findings_since(self.session, last_hand(self.session))
        return {
            identify_finding(finding): str(finding.text)
            for finding in findings
            if is_irregular(finding)
        }

    def complaints(self) -> list[dict[str, Any]]:
        """Return the findings, without those about missing records."""
        findings = build_report(self.session)["findings"]
        return [finding for finding in findings if finding["severity"] != "info"]


def walk(
    rng: random.Random, game: str, level: Level | None, steps: int, undone: float = 0
) -> Walker:
    """Walk through a match of a game for at most ``steps`` steps; undo a share of them."""
    opening, _ = new_match(rng, game)
    walker = Walker(rng, opening)
    for _ in range(steps):
        if undone and rng.random() < undone:
            walker.undo()
        if not walker.step(level):
            break
    return walker


def walk_at_changing_levels(rng: random.Random, game: str, steps: int) -> Walker:
    """Walk through a match of a game, with some changes of the level of detail."""
    opening, _ = new_match(rng, game)
    walker, level = Walker(rng, opening), rng.choice(LEVELS)
    for _ in range(steps):
        if rng.random() < CHANGES:
            level = rng.choice(LEVELS)
        if not walker.step(level):
            break
    return walker


def walk_by_any_prompt(walker: Walker, steps: int) -> Iterator[list[Prompt]]:
    """Walk on by prompts of all levels; yield them before each step.

    So each trick is recorded by its cards, its winner, or some of both. Prompts that end a hand or
    a match are followed rarely.
    """
    for _ in range(steps):
        prompts = list_prompts(walker.session)
        if not prompts:
            return
        yield prompts
        weights = [ENDING.get(prompt.type, 1) for prompt in prompts]
        prompt = walker.rng.choices(prompts, weights)[0]
        walker.record(event(prompt.type, **codec.encode(walker.rng.choice(prompt.choices))))


__all__ = ["LEVELS", "Walker", "walk", "walk_at_changing_levels", "walk_by_any_prompt"]
