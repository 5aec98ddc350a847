"""Whether a contract was made is known of every scored hand, whatever it was scored from."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from scorekeeper.games import GAMES
from scorekeeper.play.scoring import Basis
from scorekeeper.session.matches import HandRecord, MatchRecord
from scorekeeper.session.session import Session
from scorekeeper.web.review.results import contract_player
from tests.evenings import build_report

GOLDEN = sorted(Path(__file__, "../../golden").resolve().rglob("*.jsonl"))


ALWAYS = (Basis.OUTCOME, Basis.COUNT, Basis.CARDS)  # of tricks alone some games cannot be scored


@cache
def all_played_for() -> tuple[tuple[MatchRecord, HandRecord, int], ...]:
    """Return the contracts of all golden logs."""
    return tuple(contract for path in GOLDEN for contract in played_for(path))


def played_for(path: Path) -> Iterator[tuple[MatchRecord, HandRecord, int]]:
    """Yield the scored hands of a log with a contract, and the bidder's points."""
    with path.open("rb") as log:
        session = Session.read(log)
    for match, reported in zip(
        session.structure.matches, build_report(session)["matches"], strict=True
    ):
        for hand, scored in zip(match.hands, reported["hands"], strict=True):
            if scored["status"] == "complete" and contract_player(hand):
                side = hand.deal.table.side_of[contract_player(hand) or ""]
                mine = [line["points"] for line in scored["lines"] if line["side"] == side]
                yield match, hand, sum(mine)


def test_contract_is_made_if_its_player_gained() -> None:
    hands_by_basis = Counter[tuple[str, Basis | None]]()
    for match, hand, points in all_played_for():
        if points:
            assert hand.deal.contract_ended() is (points > 0), (match.game.id, hand.started)
        hands_by_basis[match.game.id, hand.deal.result.basis] += 1
    games = {game for game, _ in hands_by_basis}
    assert games == {game.id for game in GAMES.values() if "bid_made" in game.by_type}
    missing = [(game, key) for game in games for key in ALWAYS if not hands_by_basis[game, key]]
    assert not missing, hands_by_basis


@pytest.mark.parametrize("was_made", [True, False])
def test_recorded_outcome_decides_without_tricks_or_count(was_made: bool) -> None:
    hands = [
        hand
        for _, hand, _ in all_played_for()
        if hand.deal.contract_made() is None and hand.deal.outcomes[-1].event.made is was_made
    ]
    assert hands
    assert {hand.deal.contract_ended() for hand in hands} == {was_made}
