"""While an auction runs, each level of detail asks for the same next bid."""

from typing import Any, Final

import pytest

from scorekeeper.games import GAMES as ALL
from scorekeeper.log.codec import encode
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.report.next_events import list_prompts
from tests.conftest import SOAK
from tests.players.common import GAMES, event, new_match, seeded
from tests.players.walking import Walker

WALKS: Final = 40 if SOAK else 6
MOST_BIDS: Final = 14
BID: Final = "bid_made"
AUCTIONS: Final = [game for game in GAMES if BID in ALL[game].by_type]


def first_questions(walker: Walker) -> dict[str, Prompt]:
    """The first prompt of each level, and of all levels together."""
    asked = {str(level): list_prompts(walker.session, level) for level in (*LEVELS, None)}
    return {level: prompts[0] for level, prompts in asked.items()}


def speaker(walker: Walker) -> str | None:
    """The player whose bid is due at the finest level; None once something else is."""
    first = list_prompts(walker.session, "cards")[0]
    return first.player if first.type == BID else None


def bidding(game: str, seed: int) -> tuple[Walker, Any]:
    """A hand that has just been dealt at a table of that game, and its dice."""
    rng = seeded(seed)
    opening, _ = new_match(rng, game)
    seats = opening[1]["data"]["seats"]
    return Walker(rng, [*opening, event("hand_started", dealer=rng.choice(seats))]), rng


@pytest.mark.parametrize("seed", range(WALKS))
@pytest.mark.parametrize("game", AUCTIONS)
def test_after_each_bid_all_levels_ask_the_same_player_to_bid(game: str, seed: int) -> None:
    walker, rng = bidding(game, seed)
    heard = 0
    while (due := speaker(walker)) is not None and heard < MOST_BIDS:
        first = first_questions(walker)
        assert {prompt.type for prompt in first.values()} == {BID}, walker.log
        assert {prompt.player for prompt in first.values()} == {due}, walker.log
        low = first["cards"].choices[: 1 + rng.randrange(4)]  # so that the auction goes on
        walker.record(event(BID, **encode(rng.choice(low))))
        heard += 1
    assert heard > 0
    assert walker.complaints() == []


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", AUCTIONS)
def test_every_level_records_a_whole_auction(game: str, level: Level) -> None:
    walker, _ = bidding(game, 0)
    for _ in range(MOST_BIDS):
        due = speaker(walker)
        if due is None:
            break
        mine = [
            choice
            for prompt in list_prompts(walker.session, level)
            for choice in prompt.choices
            if prompt.type == BID and encode(choice)["player"] == due
        ]
        assert mine, (due, walker.log)
        passing = [choice for choice in mine if encode(choice).get("bid") == "pass"]
        opened = any(raw["type"] == BID for raw in walker.log)
        walker.record(event(BID, **encode(passing[0] if passing and opened else mine[-1])))
    assert speaker(walker) is None
    assert walker.complaints() == []


@pytest.mark.parametrize("game", AUCTIONS)
def test_where_the_winning_bid_came_first_others_may_still_be_recorded(game: str) -> None:
    """A bid of another than eldest is likely all that is recorded of an auction."""
    walker, _ = bidding(game, 0)
    match = walker.session.structure.matches[-1]
    hand = match.hands[-1]
    second = hand.deal.table.players[1]
    for level in ("totals", "tricks"):
        again = Walker(seeded(1), walker.log)
        bids = [
            choice
            for prompt in list_prompts(again.session, level)
            for choice in prompt.choices
            if prompt.type == BID and encode(choice)["player"] == second
        ]
        again.record(event(BID, **encode(bids[0])))
        for other in LEVELS:
            types = [prompt.type for prompt in list_prompts(again.session, other)]
            assert BID in types, (level, other)
