"""Directors of a tournament who take one step after another, for tests that kill their process."""

import json
import time
from hashlib import sha256
from typing import Any, Final, NamedTuple

from scorekeeper.log import codec
from scorekeeper.service import AppendRequest, Holder, NewEvent, Service, Tournaments
from scorekeeper.service.tournaments import PublishRequest
from scorekeeper.store import open_store
from scorekeeper.streams.requests import StreamAppend
from scorekeeper.tournaments.events import RoundDrawn
from scorekeeper.tournaments.proposals import propose_round

DIRECTOR: Final = Holder("host")
ROUNDS: Final = 20  # of a tournament
MINUTES: Final = 30


class Step(NamedTuple):
    """A request of the director: it is sent again until an answer to it arrives."""

    kind: str
    round: int
    version: int
    data: dict[str, Any]


def find_next_step(kept: Tournaments, id_: str) -> Step | None:
    """Return the next step of the evening; None when all rounds are played."""
    position, state, results = kept.copy(id_)
    drawn = state.rounds.get(max(state.rounds, default=0))
    if drawn is None or drawn.closed:
        if len(state.rounds) == ROUNDS:
            return None
        proposed = propose_round(state, results, seed=position.version)
        data = codec.encode(RoundDrawn(**proposed._asdict()))
        return Step("round_drawn", proposed.round, position.version, data)
    if not drawn.published:
        return Step("publish", drawn.number, position.version, {})
    if not drawn.clock:
        data = {"round": drawn.number, "minutes": MINUTES}
        return Step("round_started", drawn.number, position.version, data)
    data = {"stage": drawn.stage, "round": drawn.number}
    return Step("round_closed", drawn.number, position.version, data)


def make_request(step: Step, key: str | None = None) -> StreamAppend:
    """Return the request of a step."""
    digest = sha256(repr(step).encode()).digest()
    if step.kind == "publish":
        return PublishRequest(
            step.version, key=key, digest=digest, round=step.round, paper=frozenset({2})
        )
    return StreamAppend(step.version, (NewEvent(step.kind, step.data),), key, digest)


def take(kept: Tournaments, id_: str, step: Step) -> tuple[int, str]:
    """Send a step, and return the version and head of the answer."""
    asked = make_request(step, f"{step.kind} {step.round}")
    answer = json.loads(kept.record(id_, asked, DIRECTOR).answer.body)
    return answer["version"], answer["head"]


def play_hand(service: Service, session_id: str) -> None:
    """Record a hand of Riparto at a table."""
    one, two, three = service.see(session_id, lambda session: list(session.structure.players))
    events = (
        NewEvent("hand_started", {"dealer": one}),
        NewEvent("bid_made", {"player": one, "points": 5}),
        NewEvent("points_counted", {"points": {one: 6, two: 9, three: 0}}),
    )
    request = AppendRequest(service.end(session_id).version, events, as_played=True)
    service.record(session_id, request, DIRECTOR)


def direct(url: str, id_: str, unanswered: Step | None, pipe: Any) -> None:
    """Play an evening: send what was not answered again, and then one step after another."""
    service = Service(open_store(url))
    kept = Tournaments(service)
    step = unanswered or find_next_step(kept, id_)
    while step is not None:
        pipe.send((step, None))
        pipe.send((step, take(kept, id_, step)))
        if step.kind == "round_started":
            (session_id, *_) = kept.with_state(id_, lambda state: list(state.list_sessions()))[::-1]
            play_hand(service, session_id)
        step = find_next_step(kept, id_)
    pipe.send((None, None))
    time.sleep(60)  # until it is killed
