"""A hand goes on at another level of detail from any trick on, in every game."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import islice
from typing import Any, Final

import pytest

from scorekeeper.log.codec import encode
from scorekeeper.play.prompts import Level
from scorekeeper.report.next_events import list_prompts
from tests.browser.hands import DICE, GAMES, log_of, played
from tests.conftest import SOAK
from tests.evenings import build_report
from tests.players.common import Event, event, seeded
from tests.players.walking import Walker

HANDS: Final = 30 if SOAK else 1  # of each game, each with other changes of level
SEEDS: Final = 200  # of hands that are tried
OPENED: Final = 3  # events after which a hand is dealt
CARD: Final = "card_played"
WINNER: Final = "trick_taken"
ENDS: Final = ("points_counted", "tricks_counted", "score_claimed", "cards_shown", "hand_started",
               "outcome_recorded", "partner_revealed", "fool_paid", "fool_surrendered")  # fmt: skip
PARTS: Final = ("cards", "tricks", "both")  # of a trick: its cards, its winner, or some of each


@dataclass(frozen=True)
class PlayedTrick:
    """A trick with its winner, and what happened before it."""

    before: Sequence[Event]
    cards: Sequence[Event]
    winner: str


@dataclass(frozen=True)
class Hand:
    """A hand as it truly went."""

    opening: Sequence[Event]
    tricks: Sequence[PlayedTrick]
    scores: dict[str, int]
    taken: dict[str, int] | None


def hand_of(game: str, seed: int) -> Hand:
    """The hand that was played with these dice, from its record card by card."""
    truth = played(game, seed)
    opening = log_of(game, "cards", seed)[:OPENED]
    record = [card for card in truth.records["cards"] if card["type"] not in (WINNER, *ENDS)]
    deal = Walker(seeded(seed), [*opening, *record]).session.structure.matches[-1].hands[-1].deal
    size = len(deal.table.players)
    acts: list[Event] = []
    cards: list[Event] = []
    tricks: list[PlayedTrick] = []
    for raw in record:
        (cards if raw["type"] == CARD else acts).append(raw)
        if len(cards) == size:
            tricks.append(PlayedTrick(acts, cards, deal.won[len(tricks)].player))
            acts, cards = [], []
    return Hand(opening, tricks, truth.scores, truth.taken)


@cache
def hands(game: str) -> tuple[Hand, ...]:
    """Hands of which every card is offered where all of them are recorded."""

    def found() -> Iterator[Hand]:
        for seed in (DICE[game], *range(SEEDS)):
            hand = hand_of(game, seed)
            if not hand.tricks:
                continue
            try:
                play_on(Walker(seeded(0), hand.opening), hand, ["cards"] * len(hand.tricks))
            except AssertionError:
                continue
            yield hand

    return tuple(islice(found(), HANDS))


def offered(walker: Walker, level: Level, kind: str) -> list[dict[str, Any]]:
    """The data of all choices of one type at a level."""
    prompts = list_prompts(walker.session, level)
    return [
        encode(choice) for prompt in prompts if prompt.type == kind for choice in prompt.choices
    ]


def play_on(walker: Walker, hand: Hand, parts: Sequence[str]) -> None:
    """Record each trick at its level, as it is offered there."""
    for trick, part in zip(hand.tricks, parts, strict=True):
        for act in trick.before:
            walker.record(act)
        half = len(trick.cards) // 2
        values = {"cards": trick.cards, "tricks": [], "both": trick.cards[:half]}[part]
        for card in values:
            assert card["data"] in offered(walker, "cards", CARD), (card, walker.log)
            walker.record(card)
        if part != "cards":
            datas = [data for data in offered(walker, "tricks", WINNER)
                    if data["player"] == trick.winner]  # fmt: skip
            assert datas, (trick, walker.log)
            walker.record(event(WINNER, **datas[0]))


def finish(walker: Walker, hand: Hand) -> None:
    """Record what the hand still lacks, as every level offers it."""
    for kind in ("partner_revealed", "points_counted"):
        offers = [offered(walker, level, kind) for level in ("totals", "tricks", "cards")]
        assert offers[0] == offers[1] == offers[2], walker.log
        if not offers[0]:
            continue
        if kind == "points_counted":
            assert hand.taken is not None
            walker.record(event(kind, points=hand.taken))
        else:
            walker.record(event(kind, player=partner_of(hand, offers[0])))


def partner_of(hand: Hand, choices: Sequence[dict[str, Any]]) -> str:
    """The player who played the called card; the bidder where nobody did."""
    acts = [act for trick in hand.tricks for act in trick.before]
    call = next(
        act["data"] for act in acts if act["type"] == "card_called" and "card" in act["data"]
    )
    plays = [card["data"] for trick in hand.tricks for card in trick.cards]
    partners = [play["player"] for play in plays if play["card"] == call["card"]]
    partner = partners[0] if partners else call["player"]
    assert {"player": partner} in choices
    return str(partner)


def changes(tricks: int, seed: int) -> Iterator[list[str]]:
    """Levels of the tricks of a hand: changes by chance, and one change each way."""
    rng = seeded(seed)
    yield [rng.choice(PARTS) for _ in range(tricks)]
    at = rng.randrange(1, tricks)
    yield ["tricks"] * at + ["cards"] * (tricks - at)
    yield ["cards"] * at + ["tricks"] * (tricks - at)


@pytest.mark.parametrize("number", range(HANDS))
@pytest.mark.parametrize("game", GAMES)
def test_a_hand_goes_on_at_another_level_and_scores_what_it_should(game: str, number: int) -> None:
    hand = hands(game)[number]
    for parts in changes(len(hand.tricks), number):
        walker = Walker(seeded(number), hand.opening)
        play_on(walker, hand, parts)
        finish(walker, hand)
        [values] = build_report(walker.session)["matches"][0]["hands"]
        assert values["status"] == "complete", (parts, walker.log)
        assert values["scores"] == hand.scores, (parts, walker.log)
        assert walker.complaints() == []
