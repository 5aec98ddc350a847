"""Picchetto: the prompts of a hand.

Tests of ``games.picchetto.events``, ``games.picchetto.holdings``,
``games.picchetto.prompts_counts``, ``games.picchetto.prompts_exchange``,
``games.picchetto.prompts_play``, ``games.picchetto.prompts_statements``,
``games.picchetto.possible_holdings.bits``,
``games.picchetto.possible_holdings.from_record``,
``games.picchetto.possible_holdings.constraints`` and
``games.picchetto.possible_holdings.search``.
"""

from collections import Counter
from typing import Any

import pytest

from scorekeeper.cards.packs import Card
from scorekeeper.events.playing import PointsCounted
from scorekeeper.games.picchetto import GAME
from scorekeeper.games.picchetto.possible_holdings.bits import (
    are_separate,
    better_alternatives,
    bits,
    cards_of,
    point_alternatives,
)
from scorekeeper.games.picchetto.rules import PACK
from scorekeeper.play.prompts import Prompt
from tests.games.picchetto import DECLARED, EXCHANGE, PLAY, codes, hand, words

SHORT = {
    "cards_exchanged": "exchange", "white_declared": "White", "card_played": "card",
    "trick_taken": "taken", "rest_claimed": "rest", "tricks_counted": "tricks",
    "points_counted": "points", "pique_called": "pique", "repique_called": "repique",
}  # fmt: skip
PLAYING = ["card", "taken", "rest", "tricks", "points"]


def prompts(script: str, at: tuple[int, int] = (0, 0), **options: Any) -> list[Prompt]:
    return list(GAME.prompts(hand(script, at, **options)))


def offered(script: str, level: str | None = None, **more: Any) -> list[str]:
    """Return the prompts in a few words, each once."""
    offers = [
        prompt for prompt in prompts(script, **more) if level is None or level in prompt.levels
    ]
    return list(dict.fromkeys(word(prompt) for prompt in offers))


def word(prompt: Prompt) -> str:
    if prompt.type in SHORT:
        return SHORT[prompt.type]
    category = getattr(prompt.choices[0], "category", "")
    return f"{prompt.player} {prompt.type} {category}"


def choices(script: str, kind: str, player: str | None = None, **more: Any) -> list[Any]:
    """Return the choices of all prompts for one type of event, by one player."""
    return [
        choice
        for prompt in prompts(script, **more)
        if prompt.type == kind
        for choice in prompt.choices
        if player in (None, getattr(choice, "player", None))
    ]


def cards(script: str, **more: Any) -> set[str]:
    """Return the cards that can be played next."""
    return {str(choice.card) for choice in choices(script, "card_played", **more)}


def hand_of(player: str) -> set[str]:
    """Return the cards that a player plays in the example hand."""
    return {word[2:] for word in words(PLAY) if word[0] == player}


# ------------------------------------------------------------------------------ the stages

BEGIN = ["y shown point", "e declared sequence", "y shown sequence", "e declared set",
         "y shown set"]  # fmt: skip
UNSAID = ["e shown point", "y shown point", "e shown sequence", "y shown sequence"]
POINT = ["e declared point", BEGIN[0]]


@pytest.mark.parametrize(
    ("script", "types"),
    [
        ("", ["exchange", "e declared point", *BEGIN, "White", "card", "rest"]),
        ("ex3", ["exchange", "e declared point", *BEGIN, "White", "card", "rest"]),
        ("ex3 yx2", ["e declared point", *BEGIN, "card", "rest"]),
        ("eW", ["exchange", "e declared point", *BEGIN, "card", "rest"]),
        ("eP51", ["y answered point"]),
        ("eP51 yP+", ["e shown point", *BEGIN[1:], "card", "rest"]),
        ("eP51 yP+ e^P5", [*BEGIN[1:], "card", "rest"]),
        ("eP44 yP-", ["y shown point", *BEGIN[1:], "card", "rest"]),
        ("eP44 yP=", ["e shown point", "y shown point", *BEGIN[1:], "card", "rest"]),
        ("eP44 yP= e^P5", [*BEGIN[1:], "y shown point", "card", "rest"]),
        ("eS3K yS=", ["e declared set", "y shown set", "card", "rest", *POINT]),
        ("eS3K yS-", ["y shown sequence", "e declared set", "y shown set", "card", "rest", *POINT]),
        ("y^S3K", ["e declared set", "y shown set", "y shown sequence", "card", "rest", *POINT]),
        ("eT3A yT+ e^T3A", ["e shown set", "card", "rest", *POINT, *BEGIN[1:3]]),
        ("e^T3A", ["e shown set", "card", "rest", *POINT, *BEGIN[1:3]]),
        ("e^T3A eP51", ["y answered point"]),
        ("e^T3A eP51 yP+", ["e shown point", *BEGIN[1:3], "card", "rest", "e shown set"]),
        ("e^T3A eP51 yP+ e^P5", [*BEGIN[1:3], "card", "rest", "e shown set"]),
        ("eP51 yP+ eS3K yS=", [*BEGIN[3:], "card", "rest", "e shown point"]),
        ("e:AS", ["card"]),
        ("e>AS.7S", ["card", "rest"]),
        ("e>AS.7S e:KS", ["card"]),
        (".ey", ["card", "rest"]),
        (".ey y:AS", ["card"]),
    ],
)
def test_what_comes_next_card_by_card(script: str, types: list[str]) -> None:
    assert offered(script, "cards") == types


@pytest.mark.parametrize(
    ("script", "level", "types"),
    [
        ("", "totals", ["points", "e shown point", "y shown point", "e shown sequence",
                        "y shown sequence", "e shown set", "y shown set", "White", "tricks"]),
        ("e^T3K", "totals", ["e shown set", "tricks", "points", *UNSAID]),
        ("e^T3K", "tricks", ["e shown set", "taken", "rest", "tricks", *UNSAID]),
        ("eP51", "totals", ["y answered point"]),
        (".ee", "tricks", ["taken", "rest", "tricks"]),
        (".ee", "totals", ["tricks", "points"]),
        ("e>AS.7S", "totals", ["tricks", "points"]),
    ],
)  # fmt: skip
def test_what_comes_next_at_coarser_levels(script: str, level: str, types: list[str]) -> None:
    assert offered(script, level) == types


@pytest.mark.parametrize("script", ["=e7,y5;e", "$e20,y9", ".eeeeeeyyyyyy", "e*", DECLARED + " e*"])
def test_scored_hand_has_no_prompts(script: str) -> None:
    assert offered(script) == []


def test_whole_hand_is_offered_card_by_card() -> None:
    """Every event of a whole hand is among the choices, but for the cards of the exchange."""
    script, unlisted = "", 0
    for word in words(f"{EXCHANGE} {DECLARED} {PLAY}"):
        event = hand(f"{script} {word}").entries[-1].event
        listed = any(event in prompt.choices for prompt in prompts(script))
        unlisted += not listed and type(event).TYPE == "cards_exchanged"
        assert listed or type(event).TYPE == "cards_exchanged", word
        script = f"{script} {word}"
    assert unlisted == 2
    assert prompts(script) == []


# ----------------------------------------------------------------------- declared and answered


def test_all_declarations_are_offered_to_elder() -> None:
    declared = choices("", "declared")
    values = {choice.value for choice in declared if choice.category == "point"}
    assert len(values) == 37
    assert {24, 31, 51, 75} < values
    assert not {23, 32, 61, 74} & values
    assert len(declared) == 37 + 21 + 10


def test_cards_thrown_away_are_not_declared() -> None:
    declared = choices("ex4-AS,AH,KD,KC", "declared")
    assert {(choice.count, choice.rank) for choice in declared if choice.category == "set"} == {
        (count, rank) for rank in ("Q", "J", "10") for count in (3, 4)
    }
    assert 75 in {
        choice.value for choice in choices("ex2-AS,AH", "declared") if choice.category == "point"
    }
    assert 75 not in {
        choice.value
        for choice in choices("ex4-AS,AH,AD,AC", "declared")
        if choice.category == "point"
    }


@pytest.mark.parametrize(
    ("script", "answers"),
    [
        ("eP44", ["good", "equal", "not_good"]),
        ("eP24", ["equal", "not_good"]),  # twelve cards make more than two of each suit
        ("eP75", ["good", "equal"]),
        ("eS8A", ["good", "equal"]),
        ("eT3K", ["good", "not_good"]),  # two sets are never equal
        ("eT4A", ["good"]),
        ("ex1 yx4-7S,8S,9S,10S+AS,AH,AD,AC eT3K", ["not_good"]),
        ("ex5-AS,KS,AH,KD,JD eS6K", ["good", "equal", "not_good"]),
        ("ex5-9S,9H,9D,9C,8S eS5A", ["good", "equal"]),
    ],
)
def test_possible_answers_are_offered_to_younger(script: str, answers: list[str]) -> None:
    assert [choice.answer for choice in choices(script, "answered")] == answers


def test_younger_shows_nothing_better_than_their_answer() -> None:
    declared = {(choice.length, choice.high) for choice in choices("eP31 yP+", "shown", "y")
            if choice.category == "sequence"}  # fmt: skip
    assert (3, "A") not in declared  # that makes 31
    assert (3, "K") in declared
    assert max(length for length, _ in declared) == 3


def test_elder_shows_the_declaration_first_and_lower_ones_later() -> None:
    first = choices("eS4K yS+", "shown", "e")
    assert {(choice.length, choice.high) for choice in first if choice.category == "sequence"} == {
        (4, "K")
    }
    more = choices("eS4K yS+ e^S4K/KS,QS,JS,10S", "shown", "e")
    runs = [choice for choice in more if choice.category == "sequence"]
    assert {choice.length for choice in runs} == {3, 4}
    shown = bits([Card.parse(code) for code in ("KS", "QS", "JS", "10S")])
    assert all(are_separate(bits(choice.cards), shown) for choice in runs if choice.cards)
    sets = choices("eT3K yT+ e^T3K", "shown", "e")
    sets = [choice for choice in sets if choice.category == "set"]
    assert {(choice.count, choice.rank) for choice in sets} == {(3, "Q"), (3, "J"), (3, "10")}


def test_a_point_is_shown_with_the_cards_that_make_it() -> None:
    shown = [choice for choice in choices("eP51 yP+", "shown", "e") if choice.category == "point"]
    assert [choice.count for choice in shown] == [5] * 5
    assert {tuple(card.rank for card in choice.cards) for choice in shown if choice.cards} == {
        ("A", "K", "Q", "J", "10")
    }


def test_some_points_are_listed_with_their_cards() -> None:
    shown = [choice for choice in choices("ex3 yx2", "shown", "y") if choice.category == "point"]
    with_cards = Counter(choice.count for choice in shown if choice.cards)
    assert with_cards == {5: 12, 4: 12, 6: 12, 3: 12, 7: 12, 8: 4}


# ------------------------------------------------------------------------ White and exchange


@pytest.mark.parametrize(
    ("script", "players"),
    [
        ("", ["e", "y"]),
        ("ex3", ["y"]),
        ("ex3 yx2", []),
        ("eW", []),  # the cards do not suffice for another
        ("eP44 yP+", []),
        ("ex5-7S,8S,9S,10S,AS", ["y"]),
    ],
)
def test_who_can_declare_white(script: str, players: list[str]) -> None:
    assert [choice.player for choice in choices(script, "white_declared")] == players


@pytest.mark.parametrize(
    ("script", "player", "counts"),
    [
        ("", "e", {1, 2, 3, 4, 5}),
        ("ex5", "y", {1, 2, 3}),
        ("ex1", "y", {1, 2, 3, 4, 5, 6, 7}),
        ("ex3 yx2", "", set()),
        ("eP44 yP+", "", set()),
    ],
)
def test_how_many_cards_are_exchanged(script: str, player: str, counts: set[int]) -> None:
    declared = choices(script, "cards_exchanged")
    assert {choice.count for choice in declared} == counts
    assert {choice.player for choice in declared} == ({player} if counts else set())
    assert {choice.count for choice in declared if choice.discarded is None} == counts
    assert {choice.count for choice in declared if choice.drawn} == counts


def test_with_a_white_courts_are_only_drawn() -> None:
    for choice in choices("eW", "cards_exchanged"):
        assert not any(card.rank in "KQJ" for card in choice.discarded or ())
    script = "eW ex2-7S,8S+KS,KH"
    assert not [
        choice for choice in choices(script, "declared") if getattr(choice, "rank", "-") in "KQJ"
    ]
    assert {code for code in cards(script) if code[0] in "KQJ"} == {"KS", "KH"}


# ------------------------------------------------------------------------------------ play


def test_any_card_may_be_led_first() -> None:
    assert cards("") == {str(card) for card in PACK.cards}
    assert len(cards("e:AS")) == 31


def test_a_card_thrown_away_or_drawn_by_the_other_is_not_played() -> None:
    script = "ex2-7S,8S+9S,10S yx1-7H+8H"
    assert cards(script) == {str(card) for card in PACK.cards} - {"7S", "8S", "7H", "8H"}
    assert not {"7S", "8S", "9S", "10S", "7H"} & cards(f"{script} e:AS")


def test_void_player_is_not_offered_the_suit() -> None:
    script = "e>AS.7H e>KS.8H e:QS"
    assert cards(script) == {str(card) for card in PACK.cards if card.suit != "S"} - {"7H", "8H"}


def test_player_who_had_to_beat_holds_no_higher_card() -> None:
    script, higher_cards = "e>9S.8S e:AH", {"10S", "JS", "QS", "KS", "AS"}
    assert higher_cards < cards(script)
    assert not higher_cards & cards(script, must_beat=True)


def test_cards_shown_limit_the_unknown_cards() -> None:
    """Eleven cards shown, and one played that is none of them: the others are all of the rest."""
    script = "eP75 yP+ e^P8/AS,KS,QS,JS,10S,9S,8S,7S eT4A yT+ e^T4A/AS,AH,AD,AC"
    assert "KH" in cards(script)
    assert cards(f"{script} e>KH.QH") == {
        "AS", "KS", "QS", "JS", "10S", "9S", "8S", "7S", "AH", "AD", "AC",
    }  # fmt: skip


def test_declaration_without_cards_limits_the_unknown_cards() -> None:
    """Four to the king, with ten cards of elder's played: the two left make it with two of them."""
    script = (
        "e^S4K e>KS.7C e>QS.8C e>AC.9C e>KC.10C e>QC.JC e>AD.7D e>QD.8D e>AH.7H e>9H.8H e>7S.9D"
    )
    assert cards(script) == {"10S", "JS"}
    assert cards(f"{script} e>JS.JD") == {"10S"}


def test_the_end_of_the_hand_offers_the_last_cards() -> None:
    before = f"{EXCHANGE} {DECLARED}"
    played = PLAY.removesuffix(" y>AC.8C")
    assert "AC" in cards(f"{before} {played}")
    assert "8C" in cards(f"{before} {played} y:AC")
    assert not cards(f"{before} {played}") & hand_of("e") - {"8C"}
    assert cards(f"{before} e?8C y?AC {played}") == {"AC"}
    assert cards(f"{before} e?8C y?AC {played} y:AC") == {"8C"}


# ------------------------------------------------------------------------- calls and counts


@pytest.mark.parametrize(
    ("script", "types"),
    [
        ("eP51 yP+ e^P5 eS5A yS+ e^S5A eT4A yT+", ["repique"]),
        ("eP51 yP+ e^P5 eS5A yS+ e^S5A eT4A", []),  # the answer first
        ("e^P8 e^S8A .eeee", ["pique"]),
        ("e^P8 e^S8A .eee", []),
        ("e^P8 e^S8A .eeee e~pique", []),
        ("e^P8 e^S8A .y", []),
    ],
)
def test_a_call_is_first_when_it_falls_due(script: str, types: list[str]) -> None:
    first = offered(script)[0]
    assert [first] == types if types else first not in ("pique", "repique")
    assert codes(script) == []


@pytest.mark.parametrize(
    ("script", "caller", "removed"),
    [
        ("y^T4A y^T410 y^T3J", "y", {"e declared point", "e shown point", "e declared sequence",
                                     "e shown sequence"}),
        ("eT4A yT+ e^T4A e^T4K e^T3Q", "e", {"y shown point", "y shown sequence"}),
        ("eP51 yP- eS8A yS+ e^S8A eT4A yT+ e^T4A", "e", {"y shown point"}),
        ("e^P5 e^S6A eT4A yT+ e^T4A", "e", set()),
    ],
)  # fmt: skip
def test_choices_that_contradict_a_call_are_not_offered(
    script: str, caller: str, removed: set[str]
) -> None:
    called = f"{script} {caller}~repique"
    assert set(offered(script)) - set(offered(called)) == removed | {"repique"}
    assert codes(called) == []


def test_category_passed_over_before_a_call_was_not_won_by_the_opponent() -> None:
    called = "eT4A yT+ e^T4A e^T4K e^T3Q e~repique eP51"
    assert {choice.answer for choice in choices(called, "answered")} == {"good", "equal"}


def test_a_call_can_come_later() -> None:
    assert offered("e^P8 e^S8A .eeeee")[-3:] == ["pique", "tricks", "points"]


def test_the_call_that_settles_counted_tricks() -> None:
    script = "e^P8 e^S8A =e7,y5;e"
    assert offered(script) == ["pique"]
    assert codes(script) == ["pique_unclear"]
    assert offered(f"{script} e~pique") == []
    assert offered(f"{script} #e50,y5") == []


def test_counts_of_tricks_include_the_tricks_on_record() -> None:
    counted = choices(".eeeeeeey", "tricks_counted")
    assert {(count.tricks["e"], count.last) for count in counted} == {
        (11, "e"), (10, "e"), (10, "y"), (9, "e"), (9, "y"), (8, "e"), (8, "y"), (7, "y"),
    }  # fmt: skip
    assert len(choices("", "tricks_counted")) == 24


def test_counts_of_points_include_the_points_on_record() -> None:
    points_prompt = prompts("e^P5 .eey")[-1]
    counts = points_prompt.counts
    assert counts is not None
    assert dict(counts.least) == {"e": 7, "y": 1}
    assert dict(counts.most) == {"e": 174, "y": 174}
    counted = [choice for choice in points_prompt.choices if isinstance(choice, PointsCounted)]
    assert min(count.points["e"] for count in counted) >= 7
    assert min(count.points["y"] for count in counted) >= 1


def test_an_answer_is_due_where_the_declaration_alone_wins_the_game() -> None:
    assert hand("eP51", at=(146, 0)).result.complete
    assert offered("eP51", at=(146, 0)) == ["y answered point"]
    assert offered("eP51 #e5", at=(146, 0)) == []
    assert offered("eP51 yP+", at=(146, 0)) == []


# ------------------------------------------------------------------------- irregular records


@pytest.mark.parametrize(
    "script",
    [
        "yx2 ex8-7S", "ex5-7S,7H,7D,7C,8S+7S,9S,9H,9D,9C", "eT4A yT- y^T4A", "eP51 eP44 yP+",
        "eP99 yP+", "y>AS.KS", "e>AS.7H y>AH.7S", "e:AS y:AS", "eT4A y:AS", "eS1A", "eW yW",
        "eW e:KS y:7S", "e^T4A y^T4K e^T4Q y^T4J e^T410", "eP51 yP+ e^P5/AS,KS,QS,JS,9H",
        "e!3 e:AS", ".eeeeeeeeeeeey", "e?AS,KS y:AS", "e^S4K/KS,QS,JS,10S e^S310/10S,9S,8S",
        "eW/7S,8S,9S,10S,AS,7H,8H,9H,10H,AH,7D,8D ex2 y:7S", "=e7,y7", "%e-10 eP51 yP+", "yP+",
        "eT2Q", "eT38",
    ],
)  # fmt: skip
def test_irregular_record_has_prompts(script: str) -> None:
    played = {word[2:] for word in words(script) if word[1] == ":"}
    assert not cards(script) & played
    if not hand(script).result.complete:
        assert offered(script)


def test_white_shown_with_its_cards_excludes_others() -> None:
    dealt = "7S,8S,9S,10S,AS,7H,8H,9H,10H,AH,7D,8D"
    script = f"eW/{dealt} ex1"
    assert {"7S", "KS"} < cards(script)
    assert not set(dealt.split(",")) & cards(f"{script} e:KS")
    assert cards(f"{script} e>KS.QS") == set(dealt.split(","))


@pytest.mark.parametrize(
    ("match", "players"),
    [("classic", []), ("rubicon", ["e", "y"]), ("four_deals", ["e", "y"]), ("cent", ["e", "y"])],
)
def test_forfeit_is_offered_in_matches_that_have_it(match: str, players: list[str]) -> None:
    assert [choice.player for choice in choices("", "deal_forfeited", match=match)] == players
    assert not any(
        prompt.needed for prompt in prompts("", match=match) if prompt.type == "deal_forfeited"
    )


# ------------------------------------------------------------------------------------ bits


def test_cards_and_bits() -> None:
    assert cards_of(bits(PACK.cards)) == PACK.cards
    assert bits([PACK.cards[3], PACK.cards[3]]) == 8


def test_alternatives_of_points_and_of_better_declarations() -> None:
    assert len(point_alternatives(3, 0)) == 4 * 56
    assert len(point_alternatives(5, 51)) == 4
    assert len(better_alternatives("set", 3 * 16 + 7)) == 4 + 5  # three aces, or four of a rank
    assert len(better_alternatives("sequence", 7 * 16 + 8)) == 4  # eight


@pytest.mark.parametrize(
    ("declared", "counts"),
    [("eP51 yP-", [6, 7, 8]), ("eP50 yP-", [5, 6, 7, 8]), ("eP51 yP=", [5]), ("eP51 yP+", [])],
)
def test_younger_shows_a_point_above_the_one_that_was_not_good(
    declared: str, counts: list[int]
) -> None:
    """A point of five cards makes 51 at most: one that beats it has six or more (P4)."""
    offers = choices(declared, "shown", "y")
    assert sorted({prompt.count for prompt in offers if prompt.category == "point"}) == counts
