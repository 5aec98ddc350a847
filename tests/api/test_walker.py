"""Whole sessions by a walker without knowledge of the rules, which records offered choices."""

from typing import Any

import pytest
from flask.testing import FlaskClient

from tests.api.asking import Table
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.players.common import new_match, seeded
from tests.players.walking import WEIGHTS, at_levels

# Of a walk; afterwards it completes the hand and closes the session.
STEPS = 120 if SOAK else 50
TO_THE_END = 300
WALKS = 25 if SOAK else 1
ENDS = {"hand_abandoned", "match_ended", "session_closed", "match_started"}


class Walker:
    """A walker through a session over HTTP, which remembers only the version."""

    def __init__(self, client: FlaskClient, game: str, level: str, seed: int) -> None:
        self.rng = seeded(seed)
        opening, _ = new_match(self.rng, game)
        answer = client.post("/api/sessions", json=opening[0]["data"])
        self.table = Table(client, answer.get_json())
        self.level = level
        self.record(*opening[1:])

    def prompts(self) -> list[Raw]:
        """Return the prompts."""
        answer = self.table.ask("GET", "/next", query_string={"level": self.level})
        assert answer.headers["ETag"] == f'"{self.table.version}"'
        body: list[Raw] = answer.get_json()
        return body

    def record(self, *events: Raw) -> None:
        """Record events that are each valid; send some of them twice."""
        key, at = f"{self.rng.getrandbits(64):x}", self.table.version
        answer = self.table.append(*events, key=key)
        assert answer.status_code == 201, answer.text
        if self.rng.random() < 0.1:
            assert self.table.append(*events, at=at, key=key).data == answer.data

    def choose(self, prompts: list[Raw]) -> Raw:
        """Return one of the choices, mostly of the likeliest prompt."""
        prompt = prompts[0]
        if prompt["type"] in WEIGHTS or self.rng.random() < 0.5:
            weights = [WEIGHTS.get(prompt["type"], 1) for prompt in prompts]
            prompt = self.rng.choices(prompts, weights)[0]
        return event(prompt["type"], **self.rng.choice(prompt["choices"]))

    def walk(self) -> None:
        """Walk until there are no prompts, or the session is closed."""
        prompts: list[Raw] = []
        played = False  # a hand was completed
        for step in range(STEPS + TO_THE_END):
            prompts = self.prompts()
            if not prompts:
                return
            types = {prompt["type"] for prompt in prompts}
            if step >= STEPS and "session_closed" in types:
                self.record(event("session_closed"))
                return
            played |= "hand_confirmed" in types
            may_end = played and step < STEPS
            kept = [prompt for prompt in prompts if may_end or prompt["type"] not in ENDS]
            self.record(self.choose(kept or prompts))
        raise AssertionError(f"no end of it: {prompts}")


def wrong(report: dict[str, Any]) -> list[Any]:
    return [finding for finding in report["findings"] if finding["severity"] != "info"]


@pytest.mark.parametrize("seed", range(WALKS))
@pytest.mark.parametrize(("game", "level"), list(at_levels(0)))
def test_session_by_offered_choices_has_no_findings(
    on_memory: FlaskClient, game: str, level: str, seed: int
) -> None:
    walker = Walker(on_memory, game, level, seed)
    walker.walk()
    report = walker.table.report()
    assert wrong(report) == []
    assert report["session"]["closed"]
    assert walker.prompts() == []
    hands = [hand for match in report["matches"] for hand in match["hands"]]
    complete = [hand for hand in hands if hand["status"] == "complete"]
    assert {hand["status"] for hand in hands} <= {"complete", "abandoned"}
    assert len(complete) >= max(1, len(hands) // 2)
    scores = [sum(line["points"] for line in hand["lines"]) for hand in complete]
    assert scores == [sum(hand["scores"].values()) for hand in complete]
