"""A walker without knowledge of the rules, which only follows prompts."""

import random
from collections.abc import Mapping, Sequence
from typing import Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import to_json_values
from scorekeeper.events.common import MatchEnded, MatchStarted, SessionClosed, SessionOpened
from scorekeeper.events.event import Entry
from scorekeeper.log import codec
from scorekeeper.play.prompts import Level, Prompt
from scorekeeper.report.next_events import list_prompts
from scorekeeper.report.report import view_report
from scorekeeper.service.judge import findings_since, identify_finding, is_irregular, last_hand
from scorekeeper.service.permissions import find_own_last
from scorekeeper.session.session import Session

# Events that end something are chosen rarely.
WEIGHTS: Final[Mapping[str, float]] = {
    "hand_abandoned": 0.01,
    "match_ended": 0.01,
    "session_closed": 0.01,
    "match_started": 0.05,
    "rest_claimed": 0.05,
}
BEGIN_OR_END: Final = (SessionOpened, MatchStarted, MatchEnded, SessionClosed)


class Walker:
    """A recorder of sessions that takes each event from the prompts."""

    def __init__(self, rng: random.Random, opening: Sequence[JsonObject]) -> None:
        self.rng = rng
        self.session = Session()
        self.log: list[JsonObject] = []
        for raw in opening:
            self.record(raw)

    def record(self, raw: JsonObject) -> None:
        """Record an event in its form over HTTP."""
        self.add(raw)
        self.log.append(raw)

    def add(self, raw: JsonObject) -> None:
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
        self.record({"type": prompt.type, "data": codec.encode(choice)})
        return True

    def undo(self) -> None:
        """Undo the last event like one tap; the beginning of a match stays."""
        last = find_own_last(self.session, "keeper")
        if last is not None and not isinstance(last.event, BEGIN_OR_END):
            self.record({"type": "event_struck", "data": {"seq": last.seq, "reason": "wrong"}})

    def refused_choice(self, prompts: Sequence[Prompt], most: int) -> tuple[JsonObject, str] | None:
        """Try ``most`` choices of each prompt; return the first that breaks a rule, or None.

        It is returned with the message of its finding. Nothing is recorded.
        """
        before = self.faults()
        for prompt in prompts:
            for choice in self.rng.sample(prompt.choices, min(most, len(prompt.choices))):
                tried = {"type": prompt.type, "data": codec.encode(choice)}
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

    def report(self) -> JsonObject:
        """Return the report of the session, as its JSON has it."""
        return to_json_values(view_report(self.session))

    def complaints(self) -> list[JsonObject]:
        """Return the findings, without those about missing records."""
        findings = self.report()["findings"]
        return [finding for finding in findings if finding["severity"] != "info"]
