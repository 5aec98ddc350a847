"""Whatever a seat sends, the answer does not depend on what lies face down.

Tests of the refusals of all games, of ``service.recording`` and of ``service.judge``, from outside.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from werkzeug.test import TestResponse

from scorekeeper.games import GAMES
from scorekeeper.service.folded_session import FoldedSession
from scorekeeper.service.judge import Judge
from tests.api.test_peeking import HIDING, WORLDS, Pair, clients, every_event, pair, visible
from tests.api.worlds import World
from tests.conftest import SOAK
from tests.evenings import GOLDEN, Raw, event, struck
from tests.samples import played
from tests.thinned import thinned

__all__ = ["clients", "pair"]

WHO: Final = "mara"
SAMPLES_OF_A_TYPE: Final = 3
LONGEST: Final = 40  # events of a session before it is begun anew
IN_NO_HAND: Final = {"session_opened", "match_started", "player_joined", "session_closed"}
SALT: Final = re.compile(rb'"salt":"[^"]*"')  # random, and only the recorder's own is visible
EVERY: Final = 1 if SOAK else 14  # of so many attempts one is made
HIDDEN: Final = {
    game: {event_type.TYPE for event_type in GAMES[game].events if event_type.HIDDEN}
    for game in GAMES
    if any(event_type.HIDDEN for event_type in GAMES[game].events)
}


def recorded_in_golden_logs(game: str) -> Iterator[Raw]:
    """Yield events of each type that the golden logs of a game have, by the players of its worlds.

    Logs of matches for another number of players are passed over.
    """
    players = WORLDS[game].players.split()
    counts: Counter[str] = Counter()
    for path in sorted(GOLDEN.glob(f"{game}/*.jsonl")):
        seats: list[str] = []
        for line in path.read_text(encoding="utf-8").splitlines():
            raw = json.loads(line)
            kind, data = raw["type"], raw.get("data", {})
            if kind == "match_started":
                seats = data["seats"] if len(data["seats"]) <= len(players) else []
            if not seats or kind in IN_NO_HAND or counts[kind] == SAMPLES_OF_A_TYPE:
                continue
            counts[kind] += 1
            text = json.dumps(event(kind, **data))
            for number, seat in enumerate(seats):
                text = text.replace(f'"{seat}"', f'"#{number}"')
            for number, player in enumerate(players):
                text = text.replace(f'"#{number}"', f'"{player}"')
            sample: Raw = json.loads(text)
            yield sample


def attempts(game: str, world: World) -> Iterator[tuple[Raw, ...]]:
    """Yield what a seat tries: events that can come next, real ones of each type, corrections.

    The first is a play that contradicts what lies face down in one world, where a game has any.
    """
    betrayed = WORLDS[game].betrayed
    if betrayed is not None:
        yield played(betrayed[1]).one
    yield from every_event(game, world.table, WHO)
    samples = list(recorded_in_golden_logs(game))
    yield from ((sample,) for sample in samples)
    for seq in range(1, world.table.version + 1):
        yield (struck(seq),)
    named = {"reason": "x", "match": 1, "hand": 1}
    for sample in samples:
        after = event("event_inserted", after=world.table.version, **sample, reason="x")
        yield (event("correction_proposed", corrections=[after], **named),)
    for seq in range(3, world.table.version + 1):
        strike = event("correction_proposed", corrections=[struck(seq)], **named)
        yield (strike,)
    yield (event("hand_disputed", player=WHO, reason="x"),)


def answers(worlds: Sequence[World], *events: Raw, as_played: bool = False) -> TestResponse:
    """Return the answer to an append, which is the same in both worlds."""
    one, other = (
        world.table.append(*events, who=WHO, as_played=as_played or None) for world in worlds
    )
    first, second = (SALT.sub(b"", answer.data) for answer in (one, other))
    assert (one.status_code, first) == (other.status_code, second), events
    return one


def try_all(pair: Pair, game: str, ends: Sequence[Raw], first: int) -> int:
    """Make every attempt, from the ``first`` on, in both worlds; return how many were refused."""

    def begin() -> tuple[World, World]:
        worlds = pair.worlds(WORLDS[game])
        if ends:
            answers(worlds, *ends, as_played=True)
        return worlds

    worlds, refused = begin(), 0
    lying = set(range(1, worlds[0].table.version + 1)) - visible(worlds[0].table, "view")
    assert lying
    tried = list(attempts(game, worlds[0]))
    declared = {event_type.TYPE for event_type in GAMES[game].events}
    assert declared <= {raw["type"] for events in tried for raw in events}
    for events in (tried[0], *tried[1 + first % EVERY :: EVERY]):
        if ends and any(raw["type"] == "hand_confirmed" for raw in events):
            continue  # it turns everything up
        at = worlds[0].table.version
        answer = answers(worlds, *events)
        if answer.status_code != 201 and answer.get_json()["code"] == "irregular":
            answer = answers(worlds, *events, as_played=True)
        refused += answer.status_code != 201
        if answer.status_code == 201:  # no seat turns anything up alone
            assert not visible(worlds[0].table, "view") & lying, events
        later = range(worlds[0].table.version, at, -1)
        taken_back = [answers(worlds, struck(seq), as_played=True) for seq in later]
        if (
            any(answer.status_code != 201 for answer in taken_back)
            or worlds[0].table.version > LONGEST
        ):
            worlds = begin()
    return refused


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_no_answer_depends_on_what_lies_face_down(pair: Pair, game: str) -> None:
    assert try_all(pair, game, (), HIDING.index(game))


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_no_answer_depends_on_it_while_the_end_awaits_acceptance(pair: Pair, game: str) -> None:
    assert try_all(pair, game, WORLDS[game].end.one, HIDING.index(game) + 5)


def test_control_where_a_seat_is_judged_by_all_that_is_recorded(
    pair: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unmasked(folded: FoldedSession, *, sees_all: bool, all_hands: bool) -> Judge:
        return Judge(folded, sees_all=True, all_hands=all_hands)

    monkeypatch.setattr("scorekeeper.service.service.Judge", unmasked)
    game = next(game for game in HIDING if WORLDS[game].betrayed)
    with pytest.raises(AssertionError, match="card_played"):
        try_all(pair, game, (), 0)


def test_each_game_that_hides_anything_has_two_worlds() -> None:
    assert set(HIDING) == set(HIDDEN)


@pytest.mark.parametrize("game", HIDING)
def test_the_worlds_differ_in_each_type_of_event_that_hides_anything(game: str) -> None:
    apart = {
        raw["type"]
        for step in WORLDS[game].steps
        for raw, other in zip(step.one, step.other, strict=True)
        if raw != other
    }
    assert apart == HIDDEN[game]
