"""Briscola Regina: what can be recorded next of a hand.

Tests of ``games.briscola_regina.holdings``.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.games.briscola_regina import GAME
from scorekeeper.games.briscola_regina.events import BrisCalled
from scorekeeper.log.codec import decode
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.report.next_events import list_prompts
from tests.games.regina import hand, table
from tests.players.common import Event, new_match, seeded
from tests.players.walking import Walker
from tests.refusals import refusal_of

PACK = set(map(str, table().pack.cards))
SWAP: dict[str, Any] = {"hand_exchange": "swap"}
FIVE = "a! a! a! a! a!"  # with four players the stock is empty now

# Short words for the types of prompts.
WORDS = {
    "card_played": "card", "trick_taken": "trick", "hands_exchanged": "exchange",
    "bris_called": "bris", "points_counted": "count", "rest_claimed": "rest",
    "cards_shown": "show",
}  # fmt: skip


def offered(script: str, players: int = 4, **options: Any) -> list[Prompt]:
    return list(GAME.prompts(hand(script, players, **options)))


def words(script: str, level: Level, players: int = 4, **options: Any) -> str:
    """Return the types that are offered at a level, in order."""
    prompts = offered(script, players, **options)
    return " ".join(WORDS[prompt.type] for prompt in prompts if level in prompt.levels)


def choices(script: str, kind: str, players: int = 4, **options: Any) -> list[Any]:
    """Return all choices of one type of event."""
    prompts = offered(script, players, **options)
    return [choice for prompt in prompts if prompt.type == kind for choice in prompt.choices]


def bris(script: str, players: int = 4, level: Level = "cards", **options: Any) -> str:
    """Return the Bris that each player can call."""
    suits_by_player: dict[str, str] = {}
    for prompt in offered(script, players, **options):
        for choice in prompt.choices if level in prompt.levels else ():
            if isinstance(choice, BrisCalled):
                suits_by_player[choice.player] = (
                    suits_by_player.get(choice.player, "") + choice.suit
                )
    return " ".join(
        f"{player}+{''.join(sorted(suits_by_player[player]))}" for player in sorted(suits_by_player)
    )


# ----------------------------------------------------------------------------- four figures


@pytest.mark.parametrize(
    ("script", "kinds"),
    [
        ("", {"kings", "knights"}),
        ("a:AS", {"kings", "knights"}),
        ("a:AS a!", {"kings", "knights"}),
        ("a4kings", set()),  # there was a knight among them
        ("a:AS b*", set()),  # all that is left is claimed
        ("b*", set()),
    ],
)
def test_four_figures_are_offered_once_during_the_hand(script: str, kinds: set[str]) -> None:
    four = {"knights": 250, "kings": 500}
    suits_by_player = choices(script, "figures_shown", four_figures=four)
    assert {choice.figures for choice in suits_by_player} == kinds


def test_four_figures_without_points_are_not_offered() -> None:
    assert not choices("", "figures_shown")


# ------------------------------------------------------------------------ the course of a hand


@pytest.mark.parametrize(
    ("script", "totals", "tricks", "cards"),
    [
        ("", "bris count", "trick bris count rest", "card bris rest show"),
        ("a+S", "count bris", "trick count bris rest", "card bris rest show"),
        ("a:AS", "bris count", "trick bris count", "card bris show"),
        ("a:AS b:2S c:4S d:5S", "bris count", "trick bris rest count", "card bris rest show"),
        ("a!", "bris count", "trick bris rest count", "card bris rest"),
        (FIVE, "bris count", "trick exchange bris rest count", "card exchange bris rest"),
        (f"{FIVE} a! a! a! a! b!", "count", "count", "count"),
        ("a! b+C" + " a!" * 9, "count", "count", "count"),
        (f"{FIVE} b*", "count", "count", "count"),
        ("a! b:2S", "bris count", "trick bris count", "card bris"),
        ("a:AS a!", "bris count", "trick bris rest count", "card bris rest"),
        # More Bris than a player can hold at once: a list for a count, and no play.
        ("a+S a+C a+D", "count bris", "count", "count"),
        # A hand that scores, is abandoned, or contradicts itself.
        ("=A60", "", "", ""),
        ("a*", "", "", ""),
        ("a:AS b:2S c:4S d:5S b*", "", "", ""),
        ("x", "", "", ""),
        ("a:AS b:AS", "", "", ""),
    ],
)
def test_prompts_after_a_record(script: str, totals: str, tricks: str, cards: str) -> None:
    by_level = dict(zip(LEVELS, (totals, tricks, cards), strict=True))
    assert {level: words(script, level) for level in LEVELS} == by_level


# ----------------------------------------------------------------------------------- cards

# Four players, each with the cards of one suit: a leads, and takes every trick.
ROWS = [f"a:{rank}S b:{rank}C c:{rank}D d:{rank}B" for rank in "24567J3AKN"]
NO_STOCK = " ".join(ROWS[:5])  # J 3 A K N of every suit are in the holdings
THREE_LEFT = " ".join(ROWS[:7])  # A K N are
ONE_LEFT = " ".join(ROWS[:9])  # N are
ROYAL = {"AS", "KS", "NS", "AC", "KC", "NC", "AD", "KD", "ND", "AB", "KB", "NB"}


@pytest.mark.parametrize(
    ("script", "player", "to_play"),
    [
        ("", "a", PACK),
        (THREE_LEFT, "a", ROYAL),
        (f"{THREE_LEFT} a:AS", "b", ROYAL - {"AS"}),
        # The last trick.
        (ONE_LEFT, "a", {"NS", "NC", "ND", "NB"}),
        (f"{ONE_LEFT} a:ND", "b", {"NS", "NC", "NB"}),
        (f"{ONE_LEFT} a:ND b:NB c:NS", "d", {"NC"}),
        # Only the player who showed a card can play it,
        (f"{THREE_LEFT} b+D", "a", ROYAL - {"KD", "ND"}),
        (f"{THREE_LEFT} b+D a:AS", "b", ROYAL - {"AS"}),
        (f"{THREE_LEFT} b?AD a:AS b:AB", "c", ROYAL - {"AS", "AB", "AD"}),
        # and nothing else, if they showed all their cards.
        (f"{THREE_LEFT} a?AS a+C", "a", {"AS", "KC", "NC"}),
        (f"{THREE_LEFT} a?AS a+C a:KC b:KB c:KD d:KS", "a", {"AS", "NC"}),
        (f"{THREE_LEFT} a?AS a+C a:KC b:KB", "c", ROYAL - {"AS", "KC", "NC", "KB"}),
        (f"{ONE_LEFT} c?NS a:ND b:NC", "c", {"NS"}),
        (f"{ONE_LEFT} c?NS", "a", {"NC", "ND", "NB"}),
        ("a?AS,3S,JS a+C", "a", {"AS", "3S", "JS", "KC", "NC"}),
        # While there is a stock the player draws unknown cards.
        ("a?AS,3S,JS a+C a:JS b:2S c:4S d:5S", "a",
         PACK - {"JS", "2S", "4S", "5S"}),
    ],
)  # fmt: skip
def test_playable_cards_of_the_next_player(script: str, player: str, to_play: set[str]) -> None:
    played = choices(script, "card_played")
    assert {choice.player for choice in played} == {player}
    assert {str(choice.card) for choice in played} == to_play


@pytest.mark.parametrize(("exchange", "holder"), [("look", "a"), ("swap", "c")])
def test_cards_shown_before_an_exchange_of_hands(exchange: str, holder: str) -> None:
    script = f"{NO_STOCK} a+S A~ a:AS b:AC c:AD d:AB"
    for player, before in zip("abcd", ("", "a:JS", "a:JS b:JB", "a:JS b:JB c:JC"), strict=True):
        played = choices(f"{script} {before}", "card_played", hand_exchange=exchange)
        assert {choice.player for choice in played} == {player}
        assert ("KS" in {str(choice.card) for choice in played}) == (player == holder)


@pytest.mark.parametrize(
    ("script", "options", "sides"),
    [
        (NO_STOCK, {}, "AB"),
        (NO_STOCK, SWAP, "AB"),
        (NO_STOCK, {"hand_exchange": "none"}, ""),
        (f"{NO_STOCK} A~", {}, "B"),
        (f"{NO_STOCK} A~ B~", {}, ""),
        (f"{NO_STOCK} a:AS", {}, ""),
        (f"{NO_STOCK} a:AS b:JS c:KS d:NS", {}, "AB"),
        (" ".join(ROWS[:4]), {}, ""),
        ("", {}, ""),
        (FIVE, {}, "AB"),
        (f"{FIVE} B~", {}, "A"),
        ("a! a! a! a!", {}, ""),
        (f"{FIVE} b*", {}, ""),
        ("a!6", {}, ""),  # the first five may come yet
    ],
)
def test_hands_to_exchange(script: str, options: dict[str, Any], sides: str) -> None:
    suits_by_player = choices(script, "hands_exchanged", **options)
    assert "".join(choice.side for choice in suits_by_player) == sides


@pytest.mark.parametrize("players", [2, 3, 5])
def test_only_partners_exchange_hands(players: int) -> None:
    tricks = " ".join(["a!"] * 15)
    for upto in range(3, 15 * 3, 3):
        assert choices(tricks[:upto], "hands_exchanged", players) == []


def test_cards_to_show() -> None:
    shown = choices("a+S", "cards_shown")
    assert [str(choice.cards[0]) for choice in shown[:4]] == ["AS"] * 4
    assert not {"KS", "NS"} & {str(choice.cards[0]) for choice in shown}
    shown = choices(f"{ONE_LEFT} c?NS", "cards_shown")
    assert {(choice.player, *map(str, choice.cards)) for choice in shown} == {
        (player, card) for player in "abd" for card in ("NC", "ND", "NB")
    }
    assert choices(f"{ONE_LEFT} a?NS b?NC c?ND d?NB", "cards_shown") == []


# ------------------------------------------------------------------------------------ Bris

ALL = "a+BCDS b+BCDS c+BCDS d+BCDS"


@pytest.mark.parametrize(
    ("script", "suits_by_player"),
    [
        ("", ALL),
        ("b+C", "a+BDS b+BDS c+BDS d+BDS"),
        # A king or a knight has fallen.
        ("a:KS", ALL.replace("S", "")),
        ("a:2S b:ND", ALL.replace("D", "")),
        # Only the player who showed one of them may call.
        ("b?KD", "a+BCS b+BCDS c+BCS d+BCS"),
        ("b?KD d?ND", ALL.replace("D", "")),
        # There is no room for four cards and two, or for five and two more,
        ("b+C b+D", "a+BS c+BS d+BS"),
        ("b?AS,3S,JS b+C", "a+BDS c+BDS d+BDS"),
        # but for two, one of which the player showed.
        ("b?AS,3S,JS,KD", "a+BCS b+D c+BCS d+BCS"),
        ("b?AS,3S,JS,7S", "a+BCDS c+BCDS d+BCDS"),
        # Then the player plays, and draws.
        ("b+C b+D a:2S b:KC c:4S", "a+BS c+BS d+BS"),
        ("b+C b+D a:2S b:KC c:4S d:5S", "a+BS b+BS c+BS d+BS"),
        ("b+C b+D a:2S b:7C c:4S d:5S", "a+BS c+BS d+BS"),
        # To each trick recorded by its winner the player may have played one of them.
        ("b+C b+D a!", "a+BS b+BS c+BS d+BS"),
        ("b+C b+D a! b+S", "a+B c+B d+B"),
        ("b+C b+D a! b+S a!", "a+B c+B d+B"),
        ("b+C b+D a! b+S a! a!", "a+B b+B c+B d+B"),
        (f"{FIVE} b+C a! b+D", "a+BS c+BS d+BS"),
        (f"{FIVE} b+C a! a! a! b+D", "a+BS c+BS d+BS"),
        # Late in the hand, and in the middle of a trick, there is room for fewer.
        (" ".join(ROWS[:8]), ALL),
        (f"{' '.join(ROWS[:8])} a:KS", "b+BCD c+BCD d+BCD"),
        (f"{' '.join(ROWS[:8])} a:KS b:KC", "c+BD d+BD"),
        (f"{' '.join(ROWS[:8])} b+C", "a+BDS c+BDS d+BDS"),
        (f"{FIVE} a! a! a!", ALL),
        (f"{FIVE} a! a! a! a!", ""),
        (ONE_LEFT, ""),
        ("b!1 a*", ""),
    ],
)
def test_who_can_call_bris(script: str, suits_by_player: str) -> None:
    assert bris(script) == suits_by_player


def test_french_cards_have_a_queen() -> None:
    assert bris("a:KC b:QD", pack="french") == "a+HS b+HS c+HS d+HS"


@pytest.mark.parametrize(
    ("script", "suits_by_player"),
    [
        ("b+C b+D", "a+BS b+BS c+BS d+BS"),
        ("b+C b+D b+S", "a+B b+B c+B d+B"),
        ("b+C b+D b+S b+B", ""),
        ("b+C b+D b+S a!", "a+B c+B d+B"),
        ("b+C b+D a! b+S", "a+B c+B d+B"),
    ],
)
def test_bris_listed_with_a_count(script: str, suits_by_player: str) -> None:
    """Before any trick is on record nobody knows when they were called."""
    assert bris(script, level="totals") == suits_by_player


# ----------------------------------------------------------------------------------- counts


def numbers(script: str, players: int = 4) -> list[tuple[int, ...]]:
    """Return the offered counts, by side."""
    return [tuple(choice.points.values()) for choice in choices(script, "points_counted", players)]


def without(missing: set[int], *numbers: int) -> set[int]:
    return set(range(numbers[0], numbers[1] + 1)) - missing


@pytest.mark.parametrize(
    ("script", "players", "first_side"),
    [
        # No cards make one point.
        ("", 4, without({1, 119}, 0, 120)),
        ("a+S", 2, without({1, 119}, 0, 120)),
        # The cards on record are those of a, and each trick has all its cards.
        ("a:AS b:3S c:4S d:5S", 4, without({22, 119}, 21, 120)),
        (f"{ONE_LEFT} b?NB", 4, {108, 120}),
        (" ".join(ROWS[:8]), 4, {92, 104, 105, 106, 107, 108, 120}),
        # The winners are on record: these cards, and so many more.
        (" ".join(["a!"] * 10), 4, {120}),
        ("a! b*", 2, {0, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 14, 15, 20, 21, 22}),
        (f"{' '.join(ROWS[:9])} d:NS a!", 4, {120}),
    ],
)
def test_counts(script: str, players: int, first_side: set[int]) -> None:
    counted = numbers(script, players)
    assert {first for first, _ in counted} == first_side
    assert {first + second for first, second in counted} == {120}
    assert len(counted) == len(first_side)


@pytest.mark.parametrize(
    ("script", "players", "first", "least", "most"),
    [
        ("", 4, (60, 60), [0, 0], [120, 120]),
        ("", 3, (40, 40, 40), [0, 0, 0], [120, 120, 120]),
        ("", 5, (24, 24, 24, 24, 24), [0] * 5, [120] * 5),
        ("a! b!", 5, (24, 24, 24, 24, 24), [0] * 5, [120] * 5),
        ("a! b! a! b! a! b! a! b!", 5, (24, 96, 0, 0, 0), [0, 0, 0, 0, 0], [120, 120, 0, 0, 0]),
        ("a! a! a! a! a! a! a! b!", 5, (66, 54, 0, 0, 0), [66, 0, 0, 0, 0], [120, 54, 0, 0, 0]),
    ],
)
def test_counts_that_are_too_many_to_list(
    script: str, players: int, first: tuple[int, ...], least: list[int], most: list[int]
) -> None:
    prompt = next(prompt for prompt in offered(script, players) if prompt.type == "points_counted")
    assert prompt.counts is not None
    assert [*prompt.counts.least.values()] == least
    assert [*prompt.counts.most.values()] == most
    counted = numbers(script, players)
    assert counted[0] == first
    assert {sum(count) for count in counted} == {120}
    assert len(set(counted)) == len(counted) <= 130


# --------------------------------------------------------------------- records gone astray


@pytest.mark.parametrize(
    ("script", "players"),
    [
        ("a:AS c:2S", 4),  # b has yet to play
        ("a:AS c:2S b:3S d:4S", 4),
        ("a:KS b+S", 4),
        ("a+S b+S c:KS", 4),
        ("a+S a+C a+D a:2S b:3S c:4S d:5S", 4),
        ("a+S a+C a:2S b+S b+D c?KS", 4),
        ("a?AS b?AS c:AS", 4),
        ("A~ a:AS A~", 4),
        (f"{FIVE} A~ A~ a:AS", 4),
        ("a~", 2),
        ("a:AS b:2S b!", 2),
        ("a! a:AS", 2),
        ("a! a:AS b:2S a!1 b*", 2),
        ("a!3 b!7 a:AS", 2),
        ("a!25", 2),
        ("a! " * 10 + "a:AS", 4),
        ("=A61,B60", 4),
        ("a:AS b:AS c:2S d:3S", 4),
        (f"{ONE_LEFT} a?KB b?NS,NB,ND,NC", 4),
        (f"{ONE_LEFT} a:NS b?KB,AB b?NB c?NC d?ND", 4),
    ],
)
@pytest.mark.parametrize("exchange", ["look", "swap", "none"])
def test_every_choice_can_be_recorded(script: str, players: int, exchange: str) -> None:
    deal = hand(script, players, hand_exchange=exchange)
    for prompt in GAME.prompts(deal):
        for choice in prompt.choices:
            assert refusal_of(GAME.refuse_event, deal, choice) == ""


def test_contradictory_record_still_offers_a_card() -> None:
    """The others showed all cards there are, and then some."""
    for script in (f"{ONE_LEFT} b?NS,NB,ND,NC", "b?AS a+S a+C a+D a:2S"):
        assert choices(script, "card_played")


# ------------------------------------------------------------------------------ true hands


def follow(walker: Walker, record: list[Event], level: Level) -> None:
    """Record the true events, each of which must be prompted at that level."""
    for raw in record:
        prompts = [p for p in list_prompts(walker.session, level) if p.type == raw["type"]]
        if raw["type"] == "points_counted":
            assert any(is_within(raw["data"]["points"], prompt) for prompt in prompts)
        elif raw["type"] != "cards_shown":  # at most some are listed
            event = decode(raw["type"], raw["data"], GAME.by_type)
            assert any(event in prompt.choices for prompt in prompts)
        walker.record(raw)


def is_within(points: dict[str, int], prompt: Prompt) -> bool:
    """Return whether a count is one of those of a prompt; it may leave out one side."""
    assert prompt.counts is not None
    least, most = prompt.counts.least, prompt.counts.most
    rest = 120 - sum(points.values())
    return all(least[side] <= points.get(side, rest) <= most[side] for side in least)


# The types of events that a table records of a simulated hand, by level.
RECORDED_TYPES: dict[Level, set[str]] = {
    "totals": {"hand_started", "bris_called", "points_counted"},
    "tricks": {"hand_started", "bris_called", "points_counted", "hands_exchanged", "trick_taken"},
    "cards": {"hand_started", "bris_called", "hands_exchanged", "card_played", "cards_shown"},
}


@pytest.mark.parametrize("level", LEVELS)
@given(seed=st.integers(0, 2**32))
def test_a_true_hand_is_prompted(level: Level, seed: int) -> None:
    rng = seeded(seed)
    opening, match = new_match(rng, "briscola_regina")
    walker = Walker(rng, opening)
    truth = match.play_hand()
    if truth.abandoned:
        return
    record = [raw for raw in truth.records[level] if raw["type"] in RECORDED_TYPES[level]]
    for raw in record:
        raw["data"] = {key: value for key, value in raw["data"].items() if key != "trick"}
    counted = next((place for place, raw in enumerate(record) if raw["type"] == "points_counted"),
                   len(record))  # fmt: skip
    follow(walker, record[: counted + 1], level)
    assert walker.complaints() == []
