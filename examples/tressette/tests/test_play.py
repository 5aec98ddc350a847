"""The prompts of Tressette, where a declaration leaves the lacking suit open."""

import pytest

from tests.players.common import event, seeded
from tests.players.walking import Walker


@pytest.mark.parametrize("seed", range(3))
def test_prompts_follow_from_three_of_a_rank_without_the_lacking_suit(seed: int) -> None:
    players = [{"id": player, "name": player.title()} for player in ("mara", "leo", "nina", "ugo")]
    walker = Walker(
        seeded(seed),
        [
            event("session_opened", title="Friday", players=players),
            event("match_started", game="tressette", seats=[item["id"] for item in players]),
            event("hand_started", dealer="ugo"),
            event("same_rank_declared", player="leo", count=3, rank="A"),
            event("same_rank_declared", player="nina", count=3, rank="3"),
        ],
    )
    while len(walker.log) < 45 and walker.step("cards"):
        pass
    assert walker.complaints() == []
