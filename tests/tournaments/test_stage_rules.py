"""The rules that a stage can have, and ``tournaments.stages``."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from tests.tournaments.hall import opening, tournament

FIVES = {"5": [5, 4, 3, 2, 1], "6": [6, 5, 4, 3, 2, 1]}

POSSIBLE: list[tuple[dict[str, Any], dict[str, Any]]] = [
    ({"hands": 10}, {}),
    ({"points": {"by": "places", "tables": FIVES}}, {}),
    ({"points": {"by": "places", "tables": {"5": [5, 4, 3, 2, 1]}}, "table": {"from": 5, "to": 5}},
     {}),
    ({"points": {"by": "score", "per_hand": True}}, {}),
    ({"draw": "ranked", "rematch": "never", "bye": "average", "missed": "-7/2"}, {}),
    ({"draw": "mitchell", "points": "match"}, {"game": "knock", "entrants": "pairs"}),
    ({"draw": "partners", "points": "score"}, {"game": "knock"}),
    ({"draw": "knockout", "lives": 2, "third_place": True, "points": {"by": "match", "won": 1}},
     {"game": "picchetto"}),
    ({"draw": "all_play_all",
      "points": {"by": "match", "scale": [{"from": 0, "points": 1, "other": 1},
                                          {"from": 30, "points": 2, "other": 0}]}},
     {"game": "knock", "entrants": "pairs"}),
]  # fmt: skip

IMPOSSIBLE: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    ({"table": {"from": 3, "to": 4}}, {}, "data.stages.0.table", "has no tables for the stage"),
    ({"draw": "mitchell"}, {}, "data.stages.0.table", "has no tables"),
    ({"draw": "partners"}, {"game": "knock", "entrants": "pairs"}, "data.stages.0.table",
     "has no tables"),
    ({"draw": "partners"}, {"game": "riparto"}, "data.stages.0.draw", "a game of two sides"),
    ({}, {"entrants": "pairs"}, "data.entrants", "pairs cannot enter"),
    ({"hands": 7}, {}, "data.stages.0.hands", "not all can play 7 hands"),
    ({"hands": 10}, {"game": "picchetto"}, "data.stages.0.hands", "is played to its own end"),
    ({"rematch": "never"}, {}, "data.stages.0.rematch", "for a stage whose draw is ranked"),
    ({"lives": 2}, {}, "data.stages.0.lives", "for a stage whose draw is knockout"),
    ({"points": {"by": "score", "tables": FIVES}}, {}, "data.stages.0.points", "by places"),
    ({"points": {"by": "places", "per_hand": True}}, {}, "data.stages.0.points", "by score"),
    ({"points": {"by": "places", "tables": {"5": [3, 2, 1]}}}, {}, "data.stages.0.points.tables.5",
     "expected 5 figures, got 3"),
    ({"points": {"by": "places", "tables": {"5": FIVES["5"]}}}, {}, "data.stages.0.points.tables",
     "the points of a table of 6 are missing"),
    ({"points": "match"}, {}, "data.stages.0.points.by", "for tables of two"),
    ({"draw": "mitchell",
      "points": {"by": "match", "scale": [{"from": 9, "points": 1, "other": 1},
                                          {"from": 3, "points": 2, "other": 0}]}},
     {"game": "picchetto"}, "data.stages.0.points.scale", "rise from step to step"),
    ({"advance": {}}, {}, "data.stages.0.advance", "nothing"),
]  # fmt: skip


@pytest.mark.parametrize(("stage", "more"), POSSIBLE)
def test_possible_stages_are_accepted(stage: dict[str, Any], more: dict[str, Any]) -> None:
    assert len(tournament(opening(stage, **more)).state.stages) == 1


@pytest.mark.parametrize(("stage", "more", "field", "words"), IMPOSSIBLE)
def test_impossible_stages_are_refused(
    stage: dict[str, Any], more: dict[str, Any], field: str, words: str
) -> None:
    with pytest.raises(UnusableError) as refused:
        tournament(opening(stage, **more))
    assert (refused.value.field, words in refused.value.reason) == (field, True)
