"""Options that are impossible or exclude one another, with their texts; summaries of options.

Tests of ``play.rulebook`` and ``report.sheet``.
"""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games import GAMES
from scorekeeper.games.briscola_chiamata import GAME as CHIAMATA
from scorekeeper.games.briscola_col_monte import GAME as MONTE
from scorekeeper.games.briscola_regina import GAME as REGINA
from scorekeeper.games.game import Game
from scorekeeper.games.knock import GAME as KNOCK
from scorekeeper.games.picchetto import GAME as PICCHETTO
from scorekeeper.log.canonical import encode
from scorekeeper.play.rulebook import Family, ListOf, NamedTexts, Number, Numbers, Option
from scorekeeper.report.option_words import summarize_rules

Rows = list[tuple[dict[str, Any], str, str]]  # the options, the field at fault, and the message

OF_CHIAMATA: Rows = [
    *(({"bands": bands}, "bands", "0 to 8 rising numbers from 62 to 120")
      for bands in ([71, 71], [81, 71], [61], [121], [*range(62, 71)], [71.0], [True], "71",
                    None, [[71]], {"71": 1})),
    *(({"sweep_pay": pay}, "sweep_pay", 'expected double or none or {"add": N} from 1 to 20')
      for pay in ({"add": 0}, {"add": 1, "set": 9}, {}, "add", {"add": "2"}, 2)),
    ({"sweep_pay": {"set": 4}}, "sweep_pay", r"sweep_pay 4.*bands: 5 units"),
    ({"bands": [], "sweep_pay": {"set": 0}}, "sweep_pay", "expected double"),
    ({"min_bid": 100, "max_bid": 90}, "min_bid", "min_bid 100.*max_bid 90"),
    ({"min_bid": 60}, "min_bid", "N from 61 to 120, got 60"),
    ({"max_bid": 121}, "max_bid", "120 or N from 61 to 120, got 121"),
    ({"next_double": ["draw"]}, "next_double", "sixty loss.*next_double draw"),
    ({"next_double": ["weak_hand"] * 2}, "next_double", "a list of some of these: weak_hand"),
    ({"next_double": ["misdeal"]}, "next_double", "a list of some of these: weak_hand"),
    ({"last_must_bid": 71, "ladder": "ranks"}, "last_must_bid", "last_must_bid 71.*ranks"),
    ({"last_must_bid": 71, "max_bid": 70}, "last_must_bid", "last_must_bid 71.*max_bid 70"),
    *(({"points_bids": "after_two", "ladder": ladder}, "points_bids", f"after_two.*{ladder}")
      for ladder in ("points", "ranks")),
    ({"points_bids": "after_two", "last_must_bid": 71}, "points_bids", "71.*after_two"),
    ({"redeal_max_points": 6}, "redeal_max_points", "N from 1 to 5, got 6"),
    ({"four_twos": 1}, "four_twos", "false or true, got 1"),
    ({"match_end": {"target": 0}}, "match_end", 'open or {"target": N}'),
    ({"cappotto": True}, "cappotto", "an option of this game: alone, bands"),
]  # fmt: skip
OF_MONTE: Rows = [
    ({"next_double": ["draw"]}, "next_double", "weak_hand, all_passed, got a list"),
    ({"sweep_pay": {"set": 1}}, "sweep_pay", "sweep_pay 1.*bands: 2 units"),
    ({"call_time": "later"}, "call_time", "before or suit_then_card or after"),
    ({"sixty": "draw"}, "sixty", "an option of this game"),
    ({"carichi": "always"}, "carichi", "expected off or flat or points, got"),
    ({"monte": "removed", "call_time": "after"}, "call_time", "monte removed.*call_time after"),
    ({"removed_four": "H"}, "removed_four", 'italian pack.*got "H"'),
]  # fmt: skip
OF_REGINA: Rows = [
    *(({"bris_points": points}, "bris_points", "a list of 4 numbers from 0 to 1000")
      for points in ([0, 10, 20], [0, 10, 20, -1], [1] * 5, [0, 0, 0, 1001])),
    *(({"four_figures": figures}, "four_figures", '{"knights": N, "kings": N}')
      for figures in ({"knights": 250}, {"knights": 1, "kings": 2, "jacks": 3}, [250, 500],
                      {"knights": "250", "kings": 500}, {"knights": -1, "kings": 500}, True)),
    ({"removed_two": "H"}, "removed_two", 'italian pack.*got "H"'),
    ({"match": {"wins": 5}}, "match", r"wins\": 2\|3\|4"),
]  # fmt: skip
OF_PICCHETTO: Rows = [
    ({"match": "rubicons"}, "match", "rubicon or four_deals"),
    ({"match": {"game": 10**7}}, "match", '{"game": N}'),
    ({"carte_rouge": 30}, "carte_rouge", "off or 10 or 20 or 40 or 50, got 30"),
    ({"lead_point": True}, "lead_point", "none or each, got true"),
]  # fmt: skip
WINK = {"id": "wink", "text": "the World is mine"}
OF_KNOCK: Rows = [
    *(({"own_signals": own}, "own_signals", "a list of up to 10")
      for own in ("wink", [WINK, WINK], [{**WINK, "id": "bijou"}], [{**WINK, "id": "Wink"}],
                  [{**WINK, "id": "a__b"}], [{**WINK, "id": "x" * 33}], [{**WINK, "id": 1}],
                  [{**WINK, "text": ""}], [{**WINK, "text": "x" * 61}], [{**WINK, "more": 1}],
                  [{**WINK, "text": "two\nlines"}], [{**WINK, "text": "\u200b"}], [{"id": "wink"}],
                  [{"id": f"wink_{n}", "text": "x"} for n in range(11)], {"wink": "x"})),
]  # fmt: skip
CASES = [
    *((KNOCK, *row) for row in OF_KNOCK),
    *((CHIAMATA, *row) for row in OF_CHIAMATA),
    *((MONTE, *row) for row in OF_MONTE),
    *((REGINA, *row) for row in OF_REGINA),
    *((PICCHETTO, *row) for row in OF_PICCHETTO),
]


@pytest.mark.parametrize(("game", "options", "field", "says"), CASES)
def test_impossible_option_is_refused_with_its_text(
    game: Game, options: dict[str, Any], field: str, says: str
) -> None:
    with pytest.raises(UnusableError, match=says) as refused:
        game.options(options, max(game.seats))
    assert refused.value.field == f"data.options.{field}"


# Options that can have no effect beside another: the game, the option, the other, and the
# nearest options that go together.
NO_EFFECT: list[tuple[Game, dict[str, Any], str, str, dict[str, Any]]] = [
    (CHIAMATA, {"next_double": ["weak_hand"]}, "next_double", "redeal_max_points",
     {"next_double": ["weak_hand"], "four_twos": True}),
    (MONTE, {"next_double": ["weak_hand"], "redeal_max_points": "none"}, "next_double",
     "redeal_max_points", {"next_double": ["weak_hand"]}),
]  # fmt: skip


@pytest.mark.parametrize(("game", "options", "field", "other", "near"), NO_EFFECT)
def test_an_option_without_effect_is_refused_of_a_new_match_and_names_the_other(
    game: Game, options: dict[str, Any], field: str, other: str, near: dict[str, Any]
) -> None:
    """A match that is on record stays usable: that is `Game.options`."""
    seats = max(game.seats)
    settled = game.options(options, seats)
    with pytest.raises(UnusableError, match=rf"^field data.options.{field}: {field} .* {other} "):
        game.new_options(options, seats)
    assert game.new_options(options, seats, settled) == settled
    assert game.new_options(near, seats) == game.options(near, seats)


def test_each_conflict_is_in_the_table() -> None:
    declared = [
        (game.id, conflict.option, conflict.other)
        for game in GAMES.values()
        for conflict in game.book.conflicts
    ]
    shown = [(game.id, option, other) for game, _, option, other, _ in NO_EFFECT]
    assert sorted(shown) == sorted(declared)


# By the text of a game, where the usual rules read it otherwise.
BY_THE_LETTER = [
    ("By the letter", "partners exchange hands"),
    ("By the letter", "the card led must be beaten · White is not in the repique"),
    ("By the letter", "points only after the 2"),
]
# The summaries of the presets.
HOUSES = {
    "Marianna": "no exchange of hands · to 500 points · Bris at 40, 60, 80, 100 · each Bris makes "
    "trump · Bris while there is a stock",
    "English piquet": "six hands, and the rubicon at 100 · a point for each lead",
    "Au Cent": "best of five games to 100",
    "Round tens": "stakes at 70, 80",
    "Round tens, with carichi": "stakes at 70, 80 · carichi · nobody calls a card of their own",
    "Round tens, with cappotto": "only the bidder’s sweep pays · stakes at 70, 80 · a sweep pays "
    "2 units more",
    "Flat": "to 11 · one unit for every bid · a sweep is all 120 points · suit is followed",
    "Milan club": "stakes at 71, 81 · a new deal with at most 4 points · double after: weak hand "
    "· on points the 2 is called",
    "Online": "60 each is a draw · only the bidder’s sweep pays · stakes at 71, 81, 91, 101, 111 "
    "· a sweep is all 120 points · a new deal with at most 2 points · double after: weak hand, "
    "all passed, draw",
    "Linguaglossa league": "10 hands · stakes at 81, 91, 101, 111, 120 · points only · bids up to "
    "115 · blind first trick",
    "Blind tournament": "10 hands · a new deal with at most 5 points · a new deal with four 2s · "
    "blind first trick",
    "Points only": "points only",
    "Palermo monte": "trump, then the monte, then the card",
}


def test_summary_of_each_preset() -> None:
    summaries = [
        (house.name, summarize_rules(game, game.options(house.options, max(game.seats))))
        for game in GAMES.values()
        for house in game.houses
    ]
    assert sorted(summaries) == sorted([*HOUSES.items(), *BY_THE_LETTER])


def a_value_of(choice: Any) -> Any:
    """Return a value that a choice stands for."""
    if isinstance(choice, ListOf):
        return list(choice.values[:1])
    if isinstance(choice, NamedTexts):
        return [{"id": "wink", "text": "the World is mine"}][: choice.most]
    if isinstance(choice, Numbers):
        return choice.value(choice.only or range(choice.low, choice.low + choice.most))
    if isinstance(choice, Number):
        number = (*choice.only, choice.low + -choice.low % choice.step)[0]
        return number if choice.key is None else {choice.key: number}
    return choice


@pytest.mark.parametrize(
    ("game", "option"),
    [(game, option) for game in GAMES.values() for option in game.book.options],
    ids=lambda parameter: parameter.id if isinstance(parameter, Game) else parameter.name,
)
def test_every_unusual_value_has_a_brief_text(game: Game, option: Option) -> None:
    for choice in option.choices:
        value = a_value_of(choice)
        options = {**game.book.settle({}), option.name: value}
        summary = summarize_rules(game, options)
        assert option.accepts(value)
        assert "?" not in summary
        assert "{" not in summary
        usual = encode(value) == encode(game.book.settle({})[option.name])
        assert bool(summary) is not usual
        if isinstance(choice, Family) and not isinstance(choice, ListOf) and summary:
            figures = [digit for digit in str(value) if digit.isdigit()]
            assert all(digit in summary for digit in figures) or not figures
