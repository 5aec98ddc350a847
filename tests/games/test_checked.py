"""Keys that an installed game may add to the report, and errors in place of wrong values.

Tests of ``games.checked`` and ``games.value_checks``.
"""

from dataclasses import replace
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.views import DeclaredView, declared_fields
from scorekeeper.games import GAMES
from scorekeeper.games.checked import HAND_KEYS, MATCH_KEYS, GameFaultError, with_checked_values
from scorekeeper.play.match import Standing
from scorekeeper.report.views import HandView, MatchView

RIPARTO = GAMES["riparto"]
STANDING = Standing({"mara": 0, "leo": 0, "nina": 0})


@pytest.mark.parametrize(("view", "keys"), [(MatchView, MATCH_KEYS), (HandView, HAND_KEYS)])
def test_no_game_replaces_a_key_of_the_report(
    view: type[DeclaredView], keys: frozenset[str]
) -> None:
    assert {field.key for field in declared_fields(view)} - {"own"} == keys


@pytest.mark.parametrize(
    ("described", "words"),
    [
        ({"totals": {}}, "describe_match: expected other keys than "),
        ({"half": 0.5}, "describe_match: expected texts, whole numbers, lists and objects"),
        ({"odd": object()}, "describe_match: expected texts, whole numbers, lists and objects"),
        ({"within": {1: 2}}, "describe_match: expected texts, whole numbers, lists and objects"),
        ([], "describe_match: expected a Mapping, got list"),
    ],
)
def test_wrong_report_value_is_a_game_fault(described: Any, words: str) -> None:
    game = with_checked_values(replace(RIPARTO, describe_match=lambda standing: described))
    with pytest.raises(GameFaultError) as caught:
        game.describe_match(STANDING)
    assert str(caught.value).startswith(words)
    assert caught.value.game == "riparto"


def test_endless_nesting_is_limited() -> None:
    deep: list[Any] = []
    deep.append(deep)
    game = with_checked_values(replace(RIPARTO, describe_match=lambda standing: {"deep": deep}))
    with pytest.raises(GameFaultError):
        game.describe_match(STANDING)


def test_only_refusing_functions_may_raise_unusable_error() -> None:
    def refuse(*_: Any) -> Any:
        raise UnusableError("no")

    game = with_checked_values(replace(RIPARTO, goal=refuse, check_options=refuse))
    with pytest.raises(GameFaultError, match="goal: it refuses what is on record"):
        game.goal({})
    with pytest.raises(UnusableError):
        game.options(None, 3)
