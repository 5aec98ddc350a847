"""No proposal shows a seat what lies face down, neither by a refusal nor by an answer.

Tests of ``service.recording``, ``service.rulings`` and ``session.session``, from outside.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import pytest
from werkzeug.test import TestResponse

from tests.api.asking import problem_of
from tests.api.test_face_down import LOOKS_ON, differences
from tests.api.test_peeking import CALLED, HIDING, WORLDS, Pair, clients, pair
from tests.api.worlds import BRIEFLY, World
from tests.evenings import Raw, event, inserted, replaced
from tests.thinned import thinned

__all__ = ["clients", "pair"]
LEAD: Final = 100  # points that a penalty gives the player whose partnership a seat wants to know
WINS: Final = event("points_counted", points={"bidder": 75})
DISPUTED: Final = event("hand_disputed", player="mara", reason="x", match=1, hand=1)


def whether_partner(game: str, player: str, at: int) -> list[Raw]:
    """Return corrections after which the match is over if this player is the bidder's partner."""
    seats = WORLDS[game].players.split()
    target = event("match_started", game=game, seats=seats,
                   options={"match_end": {"target": LEAD + 1}})  # fmt: skip
    return [
        replaced(2, target["type"], **target["data"]),
        inserted(2, "penalty_given", side=player, points=LEAD, reason="x"),
        inserted(at, WINS["type"], **WINS["data"]),
        inserted(at, "hand_started", dealer=seats[1]),
    ]


def proposal(*corrections: Raw) -> Raw:
    return event("correction_proposed", corrections=corrections, reason="x", match=1, hand=1)


def both(worlds: Sequence[World], *events: Raw, who: str = "mara") -> TestResponse:
    """Return the answer to an append, which is the same in both worlds."""
    answer, other = (world.table.append(*events, who=who) for world in worlds)
    assert (answer.status_code, answer.data) == (other.status_code, other.data)
    return answer


@pytest.mark.parametrize("game", CALLED)
def test_a_proposal_past_the_end_of_a_match_does_not_show_the_partner(
    pair: Pair, game: str
) -> None:
    worlds = pair.worlds(WORLDS[game])
    at = worlds[0].table.version
    for player in WORLDS[game].players.split():
        answer = both(worlds, proposal(*whether_partner(game, player, at)))
        assert answer.status_code == 201
        proposed = worlds[0].table.version
        ruling = event("dispute_settled", ruling="corrected", text="x", proposal=proposed)
        agreed = answer.get_json()["events"][0]["data"]["corrections"]
        assert problem_of(both(worlds, ruling, *agreed)) == (422, "no_quorum")
        both(worlds, event("proposal_declined", proposal=proposed, player="mara"))
    assert worlds[0].table.version == at + 10


@pytest.mark.parametrize("word", ["proposal_signed", "proposal_declined", "correction_proposed"])
@pytest.mark.parametrize("game", HIDING)
def test_a_word_on_a_proposal_does_not_show_whether_the_host_changed_anything(
    pair: Pair, game: str, word: str
) -> None:
    """In one world the host replaces what lies face down by itself, in the other by something."""
    worlds = pair.worlds(WORLDS[game])
    first, data = next(hidden_events(worlds[0]))
    note = proposal(inserted(worlds[0].table.version, "note_added", text="x"))
    both(worlds, note)
    proposed = worlds[0].table.version
    for world in worlds:
        world.table.do(replaced(first, kind_of(world, first), **data), as_played=True)
    answered_word = event(word, proposal=proposed, player="leo")
    both(worlds, note if word == "correction_proposed" else answered_word, who="leo")
    for path in ("", "/events", "/next", "/explain", "/audit"):
        one, other = (world.table.get(path, "view") for world in worlds)
        assert one.data == other.data, path


def hidden_events(world: World) -> Iterator[tuple[int, Raw]]:
    """Yield the seqs and the data of the events that lie face down."""
    for raw in world.table.get("/events").get_json()["events"]:
        if world.masked(raw["seq"]):
            yield raw["seq"], raw["data"]


def kind_of(world: World, seq: int) -> str:
    kind: str = world.table.get(f"/events?after={seq - 1}&limit=1").get_json()["events"][0]["type"]
    return kind


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_a_proposal_after_an_end_by_the_same_seat_stays_hidden(pair: Pair, game: str) -> None:
    worlds = pair.worlds(WORLDS[game])
    for world in worlds:
        seq, data = next(hidden_events(world))
        world.table.do(*WORLDS[game].end.one, who="mara", as_played=True)
        world.table.do(proposal(replaced(seq, kind_of(world, seq), **data)), who="mara")
        assert world.masked(world.table.version)
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_reasons_inside_a_hidden_proposal_are_hidden(pair: Pair, game: str) -> None:
    worlds = pair.worlds(WORLDS[game])
    for world in worlds:
        seq, data = next(hidden_events(world))
        correction = replaced(seq, kind_of(world, seq), **data)
        correction["data"]["reason"] = f"as {data}"
        world.table.do(proposal(correction), who="mara")
        assert world.masked(world.table.version)
    assert differences(worlds, {**LOOKS_ON, "leo": BRIEFLY}) == []
