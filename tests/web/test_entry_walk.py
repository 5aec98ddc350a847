"""Whole hands by a simulated player who knows no rules, and only taps what the page offers."""

import json
import random
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.games import GAMES as GAMES_BY_ID
from tests.api.asking import client_of
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.players.common import seeded
from tests.players.walking import at_levels
from tests.samples import SAMPLES
from tests.web.tapping import COUNTS, Control, Form, Tapped

HANDS: Final[dict[str, int]] = (
    {"totals": 2, "tricks": 2, "cards": 1} if SOAK else {"totals": 1, "tricks": 1, "cards": 1}
)
MOST_TAPS: Final = 900
NAMED: Final = "mara leo nina ugo ada"
PLAYERS: Final = {game: " ".join(NAMED.split()[: sample.seats]) for game, sample in SAMPLES.items()}
SELDOM: Final = {
    "hand_abandoned", "match_ended", "match_started", "hand_confirmed", "score_claimed",
    "cards_shown", "rest_claimed", "note_added", "penalty_given",
}  # fmt: skip
TOGETHER: Final = ("cards", "trumps_shown")
HIDDEN: Final = {
    declared.TYPE: declared.HIDDEN for game in GAMES_BY_ID.values() for declared in game.events
}


@pytest.fixture(scope="module")
def walking() -> FlaskClient:
    return client_of(sessions_an_hour=10**6, failed_keys_an_hour=10**6)


class Walker:
    """A simulated player who taps."""

    def __init__(self, table: Tapped, seed: int) -> None:
        self.table = table
        self.rng = seeded(seed)

    def walk(self, complete: int) -> list[Raw]:
        """Tap until so many hands are complete; return the hands."""
        hands: list[Raw] = []
        for _ in range(MOST_TAPS):
            hands = self.table.report()["matches"][0]["hands"]
            if sum(hand["status"] == "complete" for hand in hands) >= complete:
                return hands
            self.tap()
        raise AssertionError(f"no end of it: {hands[-1:]}")

    def tap(self) -> None:
        """Fill in a form of the page; if it is refused, try another value or form."""
        forms = [
            form for form in self.table.forms() if form.action.split("?")[0].endswith("/record")
        ]
        first = [form for form in forms if form.type not in SELDOM] or forms
        prompts = self.table.prompts()
        why = ""
        for attempt in range(80):
            form = first[0] if attempt % 4 and attempt < 40 else self.rng.choice(first)
            likely = [control for control in prompted(form, prompts) if attempt < 60]
            data = self.rng.choice(likely) if likely else None
            chosen = choices(form, self.rng) if data is None else composed(form, data)
            answer = self.table.post(form, chosen)
            if answer.status_code == 303:
                if data is not None:
                    recorded = self.table.events()[-1]["data"]
                    assert in_order(recorded) == in_order({**form.fixed(), **data})
                return
            assert answer.status_code == 422, answer.text
            why = answer.text.partition('id="notice"')[2].partition("</ul>")[0]
            if self.insists(answer, attempt):
                return
        raise AssertionError(f"all refused: {[form_.type or form_.step for form_ in first]}: {why}")

    def insists(self, answer: TestResponse, attempt: int) -> bool:
        """Return whether to record a refused event anyway; a rule-abiding player never does."""
        return False


def in_order(data: Raw) -> Raw:
    """Return the data of an event, with sets of cards in a fixed order."""
    return {name: sorted(value) if name in TOGETHER else value for name, value in data.items()}


def prompted(form: Form, prompts: list[Raw]) -> list[Raw]:
    """Return the game's prompts for a form's event, without hidden fields."""
    fixed = form.fixed().items()
    hidden = HIDDEN.get(form.type, ())
    return [
        {name: value for name, value in choice.items() if name not in hidden}
        for prompt in prompts
        if prompt["type"] == form.type
        for choice in prompt["choices"]
        if all(choice.get(name) == value for name, value in fixed if name == "category")
    ]


def composed(form: Form, data: Raw) -> list[tuple[str, str]]:
    """Return the taps for an event, each part of which must be offered."""
    left = {name: value for name, value in data.items() if form.fixed().get(name) != value}
    chosen: list[tuple[str, str]] = []
    for control in [*form.buttons(), *form.picks()]:
        fixed = control.says if control.name.startswith("with") else {}
        if fixed and all(name in left and within(part, left[name]) for name, part in fixed.items()):
            if isinstance(next(iter(fixed.values())), list) and control.kind == "radio":
                continue
            chosen.append((control.name, control.value))
            if control.kind != "checkbox":
                left = {name: value for name, value in left.items() if name not in fixed}
    for name in [name for name, value in left.items() if isinstance(value, list)]:
        chosen += ordered(form, name, left.pop(name), chosen)
    fields = {text.path: text for text in form.texts()}
    chosen += [
        (fields[path].name, fields[path].typed(n)) if path in fields else (f"n:{path}", str(n))
        for path, n in numbers(left)
    ]
    return chosen


def within(part: Any, whole: Any) -> bool:
    """Return whether a part of a value is in it."""
    if isinstance(part, list) and isinstance(whole, list) and part:
        return all(part_ in whole for part_ in part)
    return bool(part == whole)


def ordered(
    form: Form, name: str, wanted: list[str], chosen: list[tuple[str, str]]
) -> list[tuple[str, str]]:
    """Return the places of an order, without the last, which is filled in."""
    if any(control.startswith(f"with:{name}") for control, _ in chosen):
        return []
    return [(f"with:{name}{place}", json.dumps({name: [value]}, separators=(",", ":")))
            for place, value in enumerate(wanted[:3])]  # fmt: skip


def numbers(data: Raw) -> list[tuple[str, int]]:
    """Return the numbers of an event, by their paths."""
    pairs = []
    for name, value in data.items():
        if isinstance(value, dict):
            pairs += [(f"{name}.{side}", n) for side, n in value.items()]
        else:
            pairs.append((name, value))
    return pairs


def choices(form: Form, rng: random.Random) -> list[tuple[str, str]]:
    """Return a choice in every group of a form."""
    chosen: list[tuple[str, str]] = []
    buttons = [button for button in form.buttons() if not button.value.endswith("[]}")]
    texts = form.texts()
    if buttons and not (texts and rng.random() < 0.3):
        button_ = rng.choice(buttons)
        chosen.append((button_.name, button_.value))
        texts = []
    groups = {name: group for name, group in form.groups().items() if not is_count(name)}
    sides = [group for name, group in form.groups().items() if is_count(name)]
    if sides and rng.random() < 0.5:
        groups = {name: group for name, group in groups.items() if "made" not in name}
    elif any("made" in name for name in groups):
        sides, texts = [], [text for text in texts if "points" not in text.name]
    for name, group in groups.items():
        if not any(control.checked for control in group):
            chosen.append((name, rng.choice(group).value))
    chosen += shared(sides, rng)
    alone = [text for text in texts if "." not in text.path]
    for button_ in alone:
        field = button_.name.rpartition(":")[2]
        beside = any(name.endswith(f":{field}") for name in groups)
        if not beside or rng.random() < 0.3:
            number = rng.randint(button_.low, button_.high)
            chosen.append((button_.name, button_.typed(number)))
    counts = [text for text in texts if text not in alone]
    return [*chosen, *counted(counts, rng)]


def is_count(name: str) -> bool:
    """Return whether a group has the figures of one side."""
    return COUNTS.search(name) is not None


def shared(sides: list[list[Control]], rng: random.Random) -> list[tuple[str, str]]:
    """Return figures with the highest of them as their sum; the last is left out."""
    left = max((int(control.value) for side in sides for control in side), default=0)
    pairs = []
    for side in sides[:-1]:
        points = rng.randint(0, left)
        pairs.append((side[0].name, str(points)))
        left -= points
    return pairs


def counted(fields: list[Control], rng: random.Random) -> list[tuple[str, str]]:
    """Return a count with the last side left out, if that is allowed."""
    if not fields:
        return []
    fixed = fields[0].high in (100, 120)
    return [
        (field.name, field.typed(rng.randint(field.low, min(field.high, 90))))
        for field in fields[: -1 if fixed else None]
    ]


@pytest.mark.parametrize(("game", "level"), list(at_levels(2)))
def test_hands_by_tapping_end_without_a_fault(walking: FlaskClient, game: str, level: str) -> None:
    tap_hands(walking, game, level, PLAYERS[game])


def tap_hands(walking: FlaskClient, game: str, level: str, players: str) -> None:
    """Tap hands of a game at a level, and assert that nothing is wrong with them."""
    start = event("match_started", game=game, seats=players.split())
    table = Tapped.open(walking, players, start)
    table.level = level
    hands = Walker(table, 5).walk(HANDS[level])
    assert {hand["status"] for hand in hands} <= {"complete", "open", "abandoned"}
    wrong = [finding for finding in table.report()["findings"] if finding["severity"] != "info"]
    assert wrong == []
