"""Picchetto: games and matches, penalties, and their report.

Tests of ``games.picchetto.course``.
"""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.games.picchetto import GAME
from scorekeeper.play.match import Penalty, Standing
from tests.evenings import replaced
from tests.games.picchetto import event_of, hand, scores, table, winner, words
from tests.players.common import report_of

PLAYERS = [{"id": "e", "name": "Eva"}, {"id": "y", "name": "Yuri"}]


def match_of(*scripts: str, **options: Any) -> dict[str, Any]:
    """Return the report of a match."""
    return match_in(log_of(*scripts, **options))


def log_of(*scripts: str, **options: Any) -> list[dict[str, Any]]:
    """Return the log of a match; each script is a hand, unless it is in brackets.

    ``e`` and ``y`` deal in turn, so that ``y`` deals the first hand, and is younger in it.
    """
    log: list[dict[str, Any]] = [
        {"type": "session_opened", "data": {"title": "Friday", "players": PLAYERS}},
        {
            "type": "match_started",
            "data": {"game": "picchetto", "seats": ["y", "e"], "options": options},
        },
    ]
    dealer = "y"
    for script in scripts:
        if not script.startswith("("):
            log.append({"type": "hand_started", "data": {"dealer": dealer}})
            dealer = "e" if dealer == "y" else "y"
        log += [
            {"type": kind, "data": data} for kind, data in map(event_of, words(script.strip("()")))
        ]
    return log


def match_in(log: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first match in the report of a log, with the codes of its findings."""
    report = report_of(log)
    match: dict[str, Any] = report["matches"][0]
    match["alarms"] = [
        finding["code"] for finding in report["findings"] if finding["severity"] != "info"
    ]
    return match


def games_of(match: dict[str, Any]) -> list[str]:
    """Return the games as ``game 150 e140 y20``, with ``+`` after the winner's score."""
    return [
        " ".join([game["name"], str(game["target"]),
                  *(f"{player}{game['scores'][player]}{'+' * (player == game['winner'])}"
                    for player in "ey")])
        for game in match["games"]
    ]  # fmt: skip


def numbers(match: dict[str, Any]) -> list[int]:
    return [hand["game"] for hand in match["hands"]]


# --------------------------------------------------------------------------------- matches


def test_game_and_return_to_one_player() -> None:
    match = match_of("$e150,y20", "$e100,y120", "$e50,y10")
    assert games_of(match) == ["game 150 e150+ y20", "return 150 e150+ y130"]
    assert numbers(match) == [1, 2, 2]
    assert (match["status"], match["winners"], match["totals"]) == (
        "finished",
        ["e"],
        {"y": 0, "e": 2},
    )
    assert match["alarms"] == []


def test_the_final_is_to_221() -> None:
    match = match_of("$e150,y20", "$e100,y160", "$e220,y10", "$e0,y210")
    assert games_of(match) == ["game 150 e150+ y20", "return 150 e100 y160+", "final 221 e220 y220"]
    assert (match["status"], match["totals"]) == ("open", {"y": 1, "e": 1})
    match = match_of("$e150,y20", "$e100,y160", "$e220,y10", "$e0,y210", "$e0,y1")
    assert games_of(match)[2] == "final 221 e220 y221+"
    assert (match["status"], match["winners"]) == ("finished", ["y"])


def test_a_single_game() -> None:
    match = match_of("$e149,y20", "$e0,y30", "$e1,y0", match="single")
    assert games_of(match) == ["game 150 e150+ y50"]
    assert (match["status"], match["winners"]) == ("finished", ["e"])


@pytest.mark.parametrize("figure", [100, 101, 200, 300])
def test_single_game_has_the_target_of_the_option(figure: int) -> None:
    match = match_of(f"$e{figure - 1},y20", "$e0,y30", "$e1,y0", match={"game": figure})
    assert games_of(match) == [f"game {figure} e{figure}+ y50"]
    assert (match["status"], match["winners"]) == ("finished", ["e"])


@pytest.mark.parametrize("figure", [150, 220, 221])
def test_final_has_the_target_of_the_option(figure: int) -> None:
    before = ("$e150,y20", "$e100,y160", f"$e{figure - 1},y10")
    match = match_of(*before, final_target=figure)
    assert match["status"] == "open"
    match = match_of(*before, "$e1,y0", final_target=figure)
    assert games_of(match)[2] == f"final {figure} e{figure}+ y10"
    assert (match["status"], match["winners"]) == ("finished", ["e"])


def over(hands: int, elder: int, younger: int) -> list[str]:
    """Return a number of hands with these totals."""
    return [f"$e{elder},y{younger}", *["$e0,y0"] * (hands - 1)]


@pytest.mark.parametrize(
    ("elder", "younger", "won"),
    [(131, 113, 118), (125, 81, 306), (105, 101, 104), (97, 89, 286), (100, 99, 299),
     (113, 131, -118), (100, 100, None)],
)  # fmt: skip
def test_match_of_six_hands_is_settled_at_its_end(
    elder: int, younger: int, won: int | None
) -> None:
    match = match_of(*over(6, elder, younger), match="rubicon")
    assert "games" not in match
    assert match["totals"] == {"e": elder, "y": younger}
    if won is None:
        assert (match["status"], "reckoning" in match) == ("open", False)
        return
    assert (match["status"], match["winners"]) == ("finished", ["e" if won > 0 else "y"])
    assert match["reckoning"]["points"] == {"e": won, "y": -won}
    assert match_of(*over(5, elder, younger), match="rubicon")["status"] == "open"


@pytest.mark.parametrize(("match", "hands"), [("rubicon", 6), ("four_deals", 4)])
def test_equal_scores_add_two_hands_before_a_draw(match: str, hands: int) -> None:
    level = over(hands + 1, 120, 120)
    assert match_of(*level, match=match)["status"] == "open"
    drawn = match_of(*level, "$e0,y0", match=match)
    assert (drawn["winners"], drawn["reckoning"]["points"]) == (["y", "e"], {"e": 0, "y": 0})
    assert match_of(*level, "$e3,y0", match=match)["reckoning"]["points"]["e"] == 103


def test_the_first_and_the_last_of_four_hands_count_double() -> None:
    match = match_of("$e20,y15", "x", "$e31,y8", "$e12,y44", "$e40,y10 #e80,y20",
                     match="four_deals")  # fmt: skip
    assert [hand["scores"]["e"] for hand in match["hands"]] == [40, 0, 31, 12, 80]
    assert match["totals"] == {"e": 163, "y": 102}
    assert match["reckoning"]["points"] == {"e": 161, "y": -161}
    assert match["reckoning"]["text"] == "163 to 102: 100 and the difference of 61 make 161"
    assert match["alarms"] == []


@pytest.mark.parametrize(("match", "times"), [("classic", 1), ("rubicon", 1), ("four_deals", 2)])
def test_hand_has_its_factor(match: str, times: int) -> None:
    assert hand("", match=match).times == times


def test_every_mark_counts_in_a_match_of_fixed_hands() -> None:
    script = "e^P6 e^S6A .eeeeeeeeeeee"
    assert scores(script, match="rubicon") == (6 + 16 + 13 + 30 + 40, 0)
    match = match_of("$e160,y0", script.translate(str.maketrans("ey", "ye")), match="rubicon")
    assert match["totals"] == {"e": 160, "y": 105}


def test_penalty_changes_the_settlement() -> None:
    match = match_of(*over(5, 105, 101), "(%e-10)", "$e0,y0", match="rubicon")
    assert match["reckoning"]["points"] == {"y": 100 + 101 + 95, "e": -296}
    with pytest.raises(UnusableError):
        match_of(*over(6, 105, 101), "(%e-10)", match="rubicon")


@pytest.mark.parametrize(
    ("games", "totals"),
    [(["$e100,y49"], (2, 0)), (["$e104,y50"], (1, 0)), (["$e100,y49", "$e100,y99"], (3, 0)),
     (["$e100,y50", "$e10,y100", "$e100,y60", "$e70,y100"], (2, 3))],
)  # fmt: skip
def test_game_may_count_two_in_a_match_to_100(games: list[str], totals: tuple[int, int]) -> None:
    match = match_of(*games, match="cent")
    assert (match["totals"]["e"], match["totals"]["y"]) == totals
    assert (match["status"] == "finished") == (max(totals) >= 3)
    assert all(game["target"] == 100 for game in match["games"])


@pytest.mark.parametrize(
    "options",
    [{"match": {"game": 0}}, {"match": {"game": "150"}}, {"match": "rubicons"},
     {"match": {"game": True}}, {"final_target": 200}, {"capot": 41}, {"lead_point": True}],
)  # fmt: skip
def test_impossible_target_is_refused(options: dict[str, Any]) -> None:
    with pytest.raises(UnusableError):
        match_of(**options)


def test_a_game_is_listed_from_its_first_hand_on() -> None:
    assert games_of(match_of()) == []
    assert games_of(match_of("")) == ["game 150 e0 y0"]
    assert games_of(match_of("$e150,y20")) == ["game 150 e150+ y20"]
    match = match_of("$e150,y20", "")
    assert games_of(match) == ["game 150 e150+ y20", "return 150 e0 y0"]
    assert numbers(match) == [1, 2]
    assert games_of(match_of("$e150,y20", "x"))[1:] == ["return 150 e0 y0"]
    assert games_of(match_of("e^P4", "$e1,y2")) == ["game 150 e1 y2"]


def test_a_match_that_is_ended_early() -> None:
    events = match_of("$e150,y20", "$e100,y120")
    assert (events["status"], events["winners"]) == ("open", [])


def test_a_hand_after_the_end_is_refused() -> None:
    with pytest.raises(UnusableError):
        match_of("$e150,y20", "", match="single")


def test_score_before_the_hand_decides_the_winning_mark() -> None:
    match = match_of("$e140,y0", "y^T4A .yyyyyyeeeeee", "e^P8 e^S3A .eeeeeeyyyyyy")
    assert [hand["scores"] for hand in match["hands"][1:]] == [{"y": 20, "e": 7}, {"y": 0, "e": 8}]
    assert games_of(match) == ["game 150 e155+ y20"]


# ------------------------------------------------------------------------------- penalties


@pytest.mark.parametrize(
    ("hands", "games"),
    [
        # Before the first hand, between hands, in a hand, in an abandoned hand.
        (["(%e-5)", "$e10,y20"], ["game 150 e5 y20"]),
        (["$e10,y20", "(%e-5)"], ["game 150 e5 y20"]),
        (["$e10,y20 %e-5 %y7", "$e1,y1"], ["game 150 e6 y28"]),
        (["%e-5 $e10,y20"], ["game 150 e5 y20"]),
        (["e^P5 %e-5 .eee y^T3A %y-1 .yyyeeeyyy"], ["game 150 e6 y9"]),
        (["%y-5 x", "$e10,y20"], ["game 150 e10 y15"]),
        (["e^P5 %y-5", "$e10,y20"], ["game 150 e10 y15"]),
        # After a game is won it counts in the next, from whose first hand on it is seen.
        (["$e150,y0 %e-5"], ["game 150 e150+ y0"]),
        (["$e150,y0 %e-5", "$e10,y20"], ["game 150 e150+ y0", "return 150 e5 y20"]),
        (["$e150,y0", "%e-5 x"], ["game 150 e150+ y0", "return 150 e-5 y0"]),
        # Before the mark that wins, it counts in the game.
        (["$e145,y0", "y^P5 %y9 .yyyyye", ""], ["game 150 e145 y9"]),
        (["$e145,y0", "y^P4 %e-5 .eeeeeeyyyyyy"], ["game 150 e146 y11"]),
        (["$e145,y0", "y^P4 .eeeee %e-5 ", "%e3 x"], ["game 150 e150+ y4", "return 150 e-2 y0"]),
    ],
)  # fmt: skip
def test_penalty_counts_in_exactly_one_game(hands: list[str], games: list[str]) -> None:
    assert games_of(match_of(*hands)) == games


GAMES_OF = {
    141: ["game 150 e184+ y20", "return 150 e0 y0"],
    147: ["game 150 e150+ y20", "return 150 e-10 y0"],  # the third trick wins, and then it counts
}


@pytest.mark.parametrize(("counted", "corrected"), [(141, 147), (147, 141)])
def test_correction_of_an_earlier_hand_moves_a_penalty_to_another_game(
    counted: int, corrected: int
) -> None:
    log = log_of(f"$e{counted},y20", ".eeeee %e-10 .eeeeeee", "$e0,y0")
    assert games_of(match_in(log)) == GAMES_OF[counted]
    _, points = event_of(f"$e{corrected},y20")
    log.append(replaced(4, "points_counted", **points))
    assert games_of(match_in(log)) == GAMES_OF[corrected]


def test_a_penalty_after_the_match_is_unusable() -> None:
    with pytest.raises(UnusableError):
        match_of("$e150,y0 %e-5", match="single")
    assert GAME.no_penalty({}, over=False) is None


def test_a_penalty_that_takes_a_player_below_the_target_in_time() -> None:
    """145 + 4 less 3, so that the next mark does not win."""
    assert winner("e^P4 .eeyyyyyyyyyy", (145, 0)) == "e"
    assert winner("e^P4 %e-3 .eeyyyyyyyyyy", (145, 0)) is None
    assert scores("e^P4 %e-3 .eeyyyyyyyyyy", (145, 0)) == (6, 11 + 10)


@pytest.mark.parametrize(
    ("at", "script", "marked", "won"),
    [
        # Lifted to the target, a player wins at the next mark of either.
        ((155, 0), "e^P4 y^T4A", (4, 0), "e"),
        ((155, 0), "y^P4 e^T4A", (0, 4), "e"),
        ((155, 148), "y^P8 e^T4A", (0, 8), "y"),  # 156: the higher of two at the target
        ((155, 147), "y^P8", (0, 8), "y"),  # 155 each: who marked
        ((155, 146), "y^P8", (0, 8), "e"),
        ((155, 0), "%y3 .y", (0, 1), "e"),
        ((155, 0), "%e-6 .yeeeeeeyyyyy", (1, 1), "e"),
        ((155, 0), "%e-7 .yeeeeeeyyyyy", (2, 1), "e"),
        ((140, 0), "%e10 .y", (0, 1), "e"),
        ((140, 0), "y^P4 %e10 .y", (0, 5), "e"),
        ((140, 0), "y^P4 .yyyye %e9 y!", (1, 9), "e"),
        # Events recorded early, whose marks count later, still come after the penalty.
        ((140, 0), "y^T3A %e10 y^P4", (0, 4), "e"),
        ((140, 0), "y^P4 %e10 y^T3A", (0, 7), "e"),
        # It does not end the game itself.
        ((140, 0), "%e10 $e0,y0", (0, 0), None),
        ((140, 0), "%e10 $e0,y1", (0, 1), "e"),
    ],
)
def test_a_penalty_that_lifts_a_player_to_the_target(
    at: tuple[int, int], script: str, marked: tuple[int, int], won: str | None
) -> None:
    assert scores(script, at) == marked
    assert winner(script, at) == won


def test_a_penalty_after_a_hand_was_complete_does_not_end_its_game() -> None:
    """The count completes the hand; what is recorded of it later scores, after the penalty."""
    match = match_of("$e140,y140", "$e5,y5 %e9 =e5,y7;e")
    assert games_of(match) == ["game 150 e146 y157+"]  # 140 + 6; 140 + 7 + 10
    ending = hand("$e5,y5 %e9 =e5,y7;e", (140, 140)).result.marks
    assert ending.penalties == ()


# ---------------------------------------------------------------------------- the course


def test_penalty_counted_in_a_hand_is_not_added_twice() -> None:
    standing = GAME.course.start("ye", GAME.options({"match": "classic"}, 2))
    result = hand("%e149 .e").result
    assert result.marks.penalties == (1,)
    fine, late = Penalty(1, "e", 149), Penalty(9, "y", 3)
    for before, later in (((fine,), (late,)), ((), (fine, late)), ((fine, late), ())):
        after = GAME.course.add(standing, result, GAME.options(None, 2), before, later)
        report = GAME.describe_match(after)["games"]
        assert [game["scores"] for game in report] == [{"y": 0, "e": 150}]
        assert after.extra.current.scores == {"y": 3, "e": 0}


@pytest.mark.parametrize("script", ["=e7,y5;e %e9", "%e9 =e7,y5;e", "%e9 $e5,y5", "$e5,y5 %e9"])
def test_a_penalty_before_a_count_is_of_that_hand(
    script: str,
) -> None:
    in_it = script.index("%") < max(script.find("="), script.find("$"))
    assert hand(script).result.marks.penalties == ((1,) if in_it else ())


def test_nothing_changes_after_the_match() -> None:
    single = GAME.options({"match": "single"}, 2)
    standing = GAME.course.start("ye", single)
    won = hand("$e150,y0").result
    over = GAME.course.add(standing, won, single, (), ())
    assert over.over
    assert over.totals == {"y": 0, "e": 1}
    assert GAME.course.penalize(over, Penalty(9, "e", -5)) == over
    assert GAME.course.add(over, won, single, (), ()) == over
    late = GAME.start(table())
    late.standing = over
    assert GAME.describe_hand(late) == {"game": 1}
    GAME.evaluate(late)


def test_a_table_without_a_standing_plays_the_first_game() -> None:
    bare = GAME.start(table())
    assert GAME.describe_hand(bare) == {"game": 1}
    assert isinstance(GAME.course.start("ye", GAME.options({"match": "classic"}, 2)), Standing)
