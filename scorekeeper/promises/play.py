"""The promises that a game keeps in random legal play, by its own prompts.

Each is a function of a `TrialHand` that yields a message for everything that breaks it.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from random import Random
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.event import Event
from scorekeeper.events.playing import (
    CardPlayed,
    CardsShown,
    PointsCounted,
    RestClaimed,
    TrickTaken,
)
from scorekeeper.games.game import Game
from scorekeeper.games.installed import describe_with_place
from scorekeeper.log import codec
from scorekeeper.play.deal import Deal
from scorekeeper.play.prompts import LEVELS, Level, Prompt
from scorekeeper.play.rulebook import Choice, ListOf, Number, Numbers, Option
from scorekeeper.play.scoring import SEVERITY, Severity, add_up, run_checks
from scorekeeper.promises.first_hands import (
    FirstHandsError,
    naming_the_action,
    record_events,
    start_hand,
    try_hand,
)
from scorekeeper.promises.walking import Walker
from scorekeeper.report.next_events import list_prompts

STEPS: Final = 40  # of a walk, at most
MOST_RECORDS: Final = 50  # coarser records of a hand that are tried
UNDONE: Final = 0.2  # the share of the steps of a walk that are taken back
NAMES: Final = ("Ada", "Bea", "Carlo", "Dario", "Elena", "Franco", "Gina", "Ivo")
RECORDS_OF_TRICKS: Final = (CardPlayed, TrickTaken, RestClaimed, CardsShown, PointsCounted)
# Members of a hand in the report that tell of corrections, and not of their result.
OF_CORRECTIONS: Final = ("confirmed", "events", "corrections")


class TrialHand(NamedTuple):
    """A hand or a match to play at random; the same seed gives the same one."""

    game: Game  # with checked values
    seats: int
    level: Level
    options: JsonObject  # those that are not as by default
    seed: int


def list_trials(game: Game, seeds: Sequence[int]) -> Iterator[TrialHand]:
    """Yield trials with each number of players, at each level, and with each option.

    The defaults come first, and each seed is tried with all of them before the next.
    """
    for seed, options, seats, level in product(seeds, list_options(game), game.seats, LEVELS):
        try:
            game.new_options(options, seats)
        except UnusableError:  # a choice that this number of players cannot play with
            continue
        yield TrialHand(game, seats, level, options, seed)


# ------------------------------------------------------------------------------- the promises


def find_errors_of_hand(trial: TrialHand) -> Iterator[str]:
    """A hand is recorded, told, added to its match and settled, and nothing is wrong with it.

    All values are as declared: whole points that make 0 in a game whose settlement says so, points
    taken that make one of the `totals`, facts of their kind. As prompts offered every event, the
    audit finds nothing.
    """
    try:
        deal = try_random_hand(trial)
    except FirstHandsError as error:
        yield str(error)
        return
    for check, observation in run_checks(trial.game.checks, deal):
        if SEVERITY[check.code] is not Severity.INFO:
            yield (
                f"{_describe_trial(trial)}, as the prompts offer it, has the finding {check.code} "
                f"({check.rule}): {observation.text}"
            )


def find_differences_of_levels(trial: TrialHand) -> Iterator[str]:
    """A hand recorded by its cards can be recorded with the same score by its tricks and its count.

    The events of the game's own and the winners of the tricks are as they were. What else the
    prompts of the level need is answered in `MOST_RECORDS` ways at most; if there are more, and
    none gives the score, nothing is said.
    """
    if trial.level != "cards":
        return
    try:
        deal = try_random_hand(trial)
        if not deal.result.complete or deal.abandoned:
            return
        for level in LEVELS[:2]:
            if not _can_score_the_same(trial, deal, level):
                yield (
                    f"{_describe_trial(trial)}, scores {_scores(deal)}, "
                    f"which no record by its {level} gives"
                )
    except FirstHandsError as error:
        yield str(error)


def find_errors_of_walk(trial: TrialHand) -> Iterator[str]:
    """A session by prompts has no findings, and a step that is taken back leaves nothing.

    After a strike, and after a trial that was taken back, the report and the prompts are as before.
    """
    rng = Random(trial.seed)  # noqa: S311  # no secret
    try:
        walker = Walker(rng, _opening_of(trial))
        for _ in range(STEPS):
            if rng.random() < UNDONE:
                yield from _find_traces(walker, trial)
            if not walker.step(trial.level):
                break
    except Exception as error:  # noqa: BLE001  # code of a package can raise anything
        yield f"{_describe_trial(trial)} fails in a session ({describe_with_place(error)})"
        return
    for finding in walker.complaints():
        yield (
            f"a session of {_describe_trial(trial)} by the prompts has the finding "
            f"{finding['code']} ({finding['rule']}): {finding['message']}"
        )


PROMISES: Final[Mapping[str, Callable[[TrialHand], Iterator[str]]]] = {
    "hand": find_errors_of_hand,
    "levels": find_differences_of_levels,
    "walk": find_errors_of_walk,
}


# --------------------------------------------------------------------------- hands at random


def try_random_hand(trial: TrialHand) -> Deal:
    """Record a hand at random. Raises `FirstHandsError` if something fails."""
    return try_hand(
        trial.game, trial.seats, trial.level, _RandomPick(trial.seed), trial.options or None
    )


class _RandomPick:
    """A choice at random, the same for the same seed; mostly of an event that is needed."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)  # noqa: S311  # no secret

    def __call__(self, prompts: Sequence[Prompt]) -> Event:
        """Return one of the choices of the prompts."""
        needed = [prompt for prompt in prompts if prompt.needed]
        likely = needed if needed and self.random.random() < 0.9 else prompts
        return self.random.choice(self.random.choice(likely).choices)


def _describe_trial(trial: TrialHand) -> str:
    """Return which hand a trial is: its players, its level, and its options."""
    under = f" under {trial.options}" if trial.options else ""
    return f"a hand of {trial.seats} players{under}, recorded by its {trial.level}"


def _start_again(trial: TrialHand) -> Deal:
    """Return the empty hand of a trial."""
    seats = tuple(f"p{number}" for number in range(trial.seats))
    return start_hand(trial.game, seats, trial.options or None)


# -------------------------------------------------------------------------- the three levels


def _can_score_the_same(trial: TrialHand, deal: Deal, level: Level) -> bool:
    """Return whether a coarser record of a hand gives its score; true if not all were tried."""
    wanted, left = _scores(deal), [coarser_record(trial.game, deal, level)]
    for _ in range(MOST_RECORDS):
        if not left:
            return False
        events = left.pop()
        with naming_the_action(f"{_describe_trial(trial)} cannot be recorded by its {level}"):
            same = record_events(trial.game, _start_again(trial), events)
            prompts = trial.game.prompted(same, level) or trial.game.prompted(same)
        if not same.result.complete:
            needed = [prompt for prompt in prompts if prompt.needed]
            choices = _true_choices(needed[0], deal) if needed else ()
            if not choices or any(_may_be_left_out(prompt) for prompt in prompts):
                return True
            left += [[*events, choice] for choice in choices]
        elif _scores(same) == wanted:
            return True
    return True


def _may_be_left_out(prompt: Prompt) -> bool:
    """Return whether a prompt is of an event of the game's own that not every hand has."""
    return not prompt.needed and not isinstance(prompt.choices[0], RECORDS_OF_TRICKS)


def _true_choices(prompt: Prompt, deal: Deal) -> Sequence[Event]:
    """Return the choices of a prompt that can be true of a hand; of a count, what was taken.

    None are returned of a count without a fixed sum, which may be of something else.
    """
    if prompt.counts is None:
        return prompt.choices
    taken = deal.result.taken
    if taken is None or sum(taken.values()) not in deal.totals():
        return ()
    count: Any = type(prompt.choices[0])
    tricks = dict.fromkeys(taken, 0)
    for won in deal.won:
        side = deal.counted_side(won.player)
        if side is not None:
            tricks[side] += 1
    return [count(taken), count(taken, tricks)]


def coarser_record(game: Game, deal: Deal, level: Level) -> list[Event]:
    """Return the events of a hand without its cards and counts, by its tricks with their winners.

    The events of the game's own are as they were.
    """
    winners = {won.events[-1]: TrickTaken(won.player) for won in deal.won if won.events}
    if level == "totals" or TrickTaken not in game.declared:
        winners = {}
    events: list[Event] = []
    for entry in deal.entries:
        if not isinstance(entry.event, RECORDS_OF_TRICKS):
            events.append(entry.event)
        elif entry.seq in winners:
            events.append(winners[entry.seq])
    return events


def _scores(deal: Deal) -> JsonObject:
    """Return the score of a hand by side."""
    return add_up(deal.result.lines, deal.table.sides)


# ------------------------------------------------------------------------------- taking back


def _opening_of(trial: TrialHand) -> list[JsonObject]:
    """Return the events that open a session with a match of a trial."""
    players = [{"id": name.lower(), "name": name} for name in NAMES[: trial.seats]]
    seats = [player["id"] for player in players]
    data = {"game": trial.game.id, "seats": seats, "options": trial.options}
    return [
        {"type": "session_opened", "data": {"title": "Trial", "players": players}},
        {"type": "match_started", "data": data},
    ]


def _find_traces(walker: Walker, trial: TrialHand) -> Iterator[str]:
    """Take a step and strike it; yield a message if that left a trace."""
    before = _state_of(walker, trial.level)
    if walker.refused_choice(list_prompts(walker.session, trial.level), 1):
        return  # its findings are those of the walk
    if _state_of(walker, trial.level) != before:
        yield f"{_describe_trial(trial)}, is another after a trial that was taken back"
    if not walker.step(trial.level):
        return
    step = walker.log[-1]
    length = len(walker.log)
    walker.undo()
    if len(walker.log) > length and _state_of(walker, trial.level) != before:
        yield f"{_describe_trial(trial)}, is another after a strike of {step}"


def _state_of(walker: Walker, level: Level) -> Any:
    """Return what players see of a session: its report without corrections, and its prompts."""
    report = walker.report()
    hands = [
        {name: hand[name] for name in hand if name not in OF_CORRECTIONS}
        for match in report["matches"]
        for hand in match["hands"]
    ]
    prompts = [
        (prompt.type, [codec.encode(choice) for choice in prompt.choices])
        for prompt in list_prompts(walker.session, level)
    ]
    totals = [(match["status"], match["totals"]) for match in report["matches"]]
    return hands, totals, report["findings"], prompts


# -------------------------------------------------------------------------------- the options


def list_options(game: Game) -> Iterator[JsonObject]:
    """Yield the options of trials: the defaults, and each choice of each option."""
    yield {}
    for option, choice in ((o, c) for o in game.book.options for c in o.choices):
        value = _example_of(choice)
        if option.accepts(value) and value != _default_of(game, option):
            yield {option.name: value}


def _default_of(game: Game, option: Option) -> Any:
    """Return the value of an option that a match does not set."""
    return game.book.settle(None)[option.name]


def _example_of(choice: Choice) -> Any:
    """Return a value of a choice: its first, where it stands for several."""
    if isinstance(choice, Number):
        number = choice.only[0] if choice.only else max(choice.low, choice.step)
        return number if choice.key is None else {choice.key: number}
    if isinstance(choice, Numbers):
        least = [choice.low + place for place in range(max(choice.least, len(choice.keys)))]
        return choice.value(choice.only or least)
    if isinstance(choice, ListOf):
        return list(choice.values[:1])
    return choice if isinstance(choice, str | bool | int) else []
