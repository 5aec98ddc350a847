"""Presets: plans of tournaments that clubs really play, as the stages of `tournament_opened`.

A log records the stages, and not the name of a preset. A director may change all of it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.games.game import Game
from scorekeeper.languages.catalogues import N_
from scorekeeper.log import codec
from scorekeeper.tournaments.draws.draw import PARTNERS
from scorekeeper.tournaments.events import TournamentOpened
from scorekeeper.tournaments.stage_rules import KNOCKOUT, list_stage_sizes, refuse_bad_stage
from scorekeeper.tournaments.table_rules import INDIVIDUAL, PAIRS, has_two_sides
from scorekeeper.tournaments.tournament import TYPES

PAUSE_MINUTES: Final = 5  # between two rounds
HAND_MINUTES: Final = 5  # for a hand, where no clock ends the rounds
LARGEST_WHOLE_DRAW: Final = 16  # entrants, up to which all can play with all in an evening


class PresetStage(NamedTuple):
    """A stage of a preset: ``data`` as in the log.

    It is left out unless there are more than ``above`` entrants. In a short evening it has at
    least ``fewest_rounds`` rounds; None if its number of rounds is fixed.
    """

    data: JsonObject
    above: int = 0
    fewest_rounds: int | None = None


class TournamentPreset(NamedTuple):
    """A plan with its source. It is for ``fewest`` entrants or more.

    ``entrants`` is who enters; None for pairs in games of two sides, and individuals in others.
    With ``alone`` it is for games in which everybody plays for themselves.
    """

    id: str
    name: str
    text: str
    source: str
    stages: tuple[PresetStage, ...]
    fewest: int
    entrants: str | None = None
    alone: bool = False


class FittingPreset(NamedTuple):
    """A preset for a game: its stages as in the log, and who enters.

    ``minutes`` is how long it takes, with pauses; None where neither a clock nor a number of hands
    ends the rounds.
    """

    preset: TournamentPreset
    entrants: str
    stages: tuple[JsonObject, ...]
    minutes: int | None


@dataclass(frozen=True, slots=True)
class TournamentPresetView(DeclaredView):
    """A plan that clubs really play, with its source."""

    id: str = declare("the id of the preset")
    name: str = declare("what it is called")
    text: str = declare("how it is played")
    source: str = declare("who plays so")
    kind: str = declare("who enters: `individual` or `pairs`", key="entrants")
    stages: Sequence[JsonObject] = declare("the stages, as in `tournament_opened`")
    minutes: int | None = declare(
        "how long it takes, with pauses; null where whole matches are played without a clock"
    )


@dataclass(frozen=True, slots=True)
class TournamentPresetsView(DeclaredView):
    """The presets that can be played in a game."""

    presets: Sequence[TournamentPresetView] = declare("the presets")


def view_presets(presets: Sequence[FittingPreset]) -> TournamentPresetsView:
    """Return presets as a view."""
    return TournamentPresetsView([
        TournamentPresetView(fitting.preset.id, fitting.preset.name, fitting.preset.text,
                             fitting.preset.source, fitting.entrants, fitting.stages,
                             fitting.minutes)
        for fitting in presets
    ])  # fmt: skip


FIVES: Final[JsonObject] = {"from": 5, "to": 5}
FIVES_AND_SIXES: Final[JsonObject] = {"from": 5, "to": 6}
FINAL: Final[JsonObject] = {
    "name": N_("Final round"), "draw": "random", "rounds": 1, "table": FIVES, "points": "score",
}  # fmt: skip

PRESETS: Final = (
    TournamentPreset(
        "milan", N_("Milan"),
        N_("Two rounds of an hour, 5 points for the first place down to 1 for the fifth. The best "
           "five play the final."),
        N_("The club La Scighera in Milan (lascighera.org)"),
        (
            PresetStage({
                "name": N_("Rounds"), "draw": "balanced", "rounds": 2, "minutes": 60,
                "table": FIVES_AND_SIXES,
                "points": {"by": "places", "tables": {"5": [5, 4, 3, 2, 1],
                                                      "6": [5, 4, 3, 2, 1, 0]}},
                "advance": {"overall": 5},
            }),
            PresetStage({**FINAL, "minutes": 60}),
        ),
        fewest=10, entrants=INDIVIDUAL, alone=True,
    ),
    TournamentPreset(
        "linguaglossa", N_("Linguaglossa"),
        N_("Two semifinals of five, by lot. The first two of each and the best third play the "
           "final. With more than twelve players, two rounds before that choose ten."),
        N_("Città di Linguaglossa, Sicily (nationalbriscolain5league.com)"),
        (
            PresetStage({
                "name": N_("Qualification"), "draw": "balanced", "rounds": 2,
                "table": FIVES_AND_SIXES, "points": "places", "advance": {"overall": 10},
            }, above=12),
            PresetStage({
                "name": N_("Semifinals"), "draw": "random", "rounds": 1, "table": FIVES_AND_SIXES,
                "points": "score", "advance": {"each": 2, "best": 1},
            }),
            PresetStage(FINAL),
        ),
        fewest=10, entrants=INDIVIDUAL, alone=True,
    ),
    TournamentPreset(
        "bologna", N_("Bologna"),
        N_("Three or four rounds of half an hour, the first by lot. Then the first plays the "
           "second, the third the fourth, and so on. Nobody is eliminated."),
        N_("The Accademia del Tarocchino Bolognese (tarocchinobolognese.it)"),
        (
            PresetStage({
                "name": N_("Rounds"), "draw": "ranked", "rounds": 4, "minutes": 30,
                "points": "score", "rematch": "allowed",
            }, fewest_rounds=3),
        ),
        fewest=4,
    ),
    TournamentPreset(
        "lanzo", N_("Lanzo"),
        N_("Groups of three; everybody plays everybody of their group, 3 points for a win. Then "
           "the first of each group play for the first places, the second for the next ones, and "
           "so on, to the last place."),
        N_("The games of the valleys of Lanzo, Piedmont (valliadi.it)"),
        (
            PresetStage({
                "name": N_("Groups"), "draw": "all_play_all", "rounds": 3, "group": 3,
                "points": {"by": "match", "won": 3, "drawn": 1, "lost": 0},
                "ties": ["points", "difference", "scored", "conceded", "lot", "shared"],
                "advance": {"places": "all"},
            }),
            PresetStage({"name": N_("Finals"), "draw": "knockout", "rounds": 2, "points": "match",
                         "third_place": True}),
        ),
        fewest=6,
    ),
    TournamentPreset(
        "concours", N_("Concours"),
        N_("Four rounds of twelve hands (of ten where players sit out in turn), the first by lot. "
           "Then those who stand next to one another meet, and all points add up."),
        N_("Contests of card clubs in France"),
        (
            PresetStage({"name": N_("Rounds"), "draw": "ranked", "rounds": 4, "hands": 12,
                         "points": "score", "rematch": "not_next"}),
        ),
        fewest=6,
    ),
    TournamentPreset(
        "everybodys_partner", N_("Everybody’s partner"),
        N_("Everybody enters alone, and plays once with and twice against every other. Each keeps "
           "the points of their side."),
        N_("Whist tournaments, in which everybody plays with everybody"),
        (
            PresetStage({"name": N_("Rounds"), "draw": "partners", "rounds": 7, "points": "score"}),
        ),
        fewest=4, entrants=INDIVIDUAL,
    ),
)  # fmt: skip


def list_presets(
    game: Game, entrants: int | None = None, minutes: int | None = None
) -> list[FittingPreset]:
    """Return the presets that can be played in a game.

    With the number of entrants, presets for more are left out, and the rounds of the others follow
    from it. With the minutes of the evening, a preset that can have fewer rounds has as many as
    fit, and presets that take longer are left out.
    """
    fitting = []
    for preset in PRESETS:
        fitted = _fit(preset, game, entrants, minutes)
        if fitted is not None and not _takes_longer(fitted.minutes, minutes):
            fitting.append(fitted)
    return fitting


def _takes_longer(minutes: int | None, most: int | None) -> bool:
    """Return whether a known time is longer than that of the evening."""
    return minutes is not None and most is not None and minutes > most


def _fit(
    preset: TournamentPreset, game: Game, entrants: int | None, minutes: int | None
) -> FittingPreset | None:
    """Return a preset for a game and a number of entrants; None if it cannot be played so."""
    kind = preset.entrants or (PAIRS if has_two_sides(game) else INDIVIDUAL)
    too_few = entrants is not None and entrants < preset.fewest
    if too_few or (preset.alone and has_two_sides(game)):
        return None
    count = entrants or preset.fewest
    chosen = [stage for stage in preset.stages if count > stage.above]
    stages = [_fit_stage(stage.data, game, kind, entrants) for stage in chosen]
    for place, stage in enumerate(chosen):
        fewest = stage.fewest_rounds or stages[place]["rounds"]
        while stages[place]["rounds"] > fewest and _takes_longer(_count_minutes(stages), minutes):
            stages[place] = {**stages[place], "rounds": stages[place]["rounds"] - 1}
    if not _can_be_played(game, kind, stages, entrants):
        return None
    return FittingPreset(preset, kind, tuple(stages), _count_minutes(stages))


def _fit_stage(data: JsonObject, game: Game, kind: str, entrants: int | None) -> dict[str, Any]:
    """Return the data of a stage, with the rounds and hands that entrants and game need."""
    stage: dict[str, Any] = dict(data)
    if entrants is not None and stage["draw"] == PARTNERS and entrants <= LARGEST_WHOLE_DRAW:
        stage["rounds"] = entrants - 1 + entrants % 2  # with 4n + 1 each sits out once
    if entrants is not None and stage["draw"] == KNOCKOUT:
        stage["rounds"] = max(1, (entrants // 3 - 1).bit_length())  # of the firsts of the groups
    while "hands" in stage and stage["hands"] > 1 and not _is_possible(game, kind, stage):
        stage["hands"] -= 1
    return stage


def _is_possible(game: Game, kind: str, stage: Mapping[str, Any]) -> bool:
    """Return whether a game has a stage with these rules."""
    try:
        opened = _decode_opening(game, kind, [stage])
        refuse_bad_stage(opened, opened.stages[0])
    except UnusableError:
        return False
    return True


def _can_be_played(
    game: Game, kind: str, stages: list[dict[str, Any]], entrants: int | None
) -> bool:
    """Return whether a game has these stages, and the first can seat so many entrants."""
    if not all(_is_possible(game, kind, stage) for stage in stages):
        return False
    if entrants is None:
        return True
    sizes = list_stage_sizes(game, kind, _decode_opening(game, kind, stages).stages[0])
    return entrants >= min(sizes)


def _decode_opening(game: Game, kind: str, stages: list[Any]) -> TournamentOpened:
    """Return the opening of a tournament with these stages. Raises `UnusableError`."""
    data = {"name": "-", "format": 1, "game": game.id, "entrants": kind, "stages": stages}
    event = codec.decode(TournamentOpened.TYPE, data, TYPES)
    assert isinstance(event, TournamentOpened)  # noqa: S101  # as its type says
    return event


def _count_minutes(stages: list[dict[str, Any]]) -> int | None:
    """Return the minutes of all rounds with the pauses between them; None if nothing tells it."""
    playing = 0
    for stage in stages:
        if "minutes" not in stage and "hands" not in stage:
            return None
        each = stage.get("minutes") or stage["hands"] * HAND_MINUTES
        playing += stage["rounds"] * (each + PAUSE_MINUTES)
    return playing - PAUSE_MINUTES
