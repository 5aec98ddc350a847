"""Whole matches by taps, with undone entries, irregular entries, and a second match."""

import re
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.play.prompts import LEVELS
from tests.evenings import event
from tests.players.common import GAMES, chance
from tests.samples import SAMPLES
from tests.web.tapping import Form, Forms, Tapped
from tests.web.test_entry_walk import PLAYERS, SELDOM, Walker, choices, walking

__all__ = ["walking"]

MOST_TAPS: Final = 3000
TAKEN_BACK: Final = 0.06  # of all taps
IRREGULAR: Final = 0.03
PATIENCE: Final = 6  # attempts to keep the rules after one was broken


class Wanderer(Walker):
    """A simulated player who also takes entries back, and records irregular ones."""

    undone = irregular = 0
    strayed = False  # whether anything was recorded that the game did not prompt

    def to_the_end(self) -> None:
        """Tap until the match is over."""
        for _ in range(MOST_TAPS):
            state = self.state()
            if state == "over":
                return
            if state == "wrong" or chance(self.rng, TAKEN_BACK):
                self.undo()
            elif not (chance(self.rng, IRREGULAR) and self.wander()):
                self.tap()
        raise AssertionError(f"no end of it: {self.table.report()['matches'][-1]['hands'][-1:]}")

    def state(self) -> str:
        """The state of the table."""
        html = self.table.get().text
        state_ = re.search(r'data-state="(\w+)"', html)
        assert state_
        return state_[1]

    def undo(self) -> None:
        """Take back the last form, if there is one."""
        form = next(form for form in self.table.forms() if form.classes == "undo")
        before = len(self.table.events())
        answer = self.table.post(form, [])
        assert answer.status_code in (303, 422), answer.text
        if answer.status_code == 303:
            self.undone += 1
            first, *more = [raw["type"] for raw in self.table.events()[before:]]
            assert first == ("correction_begun" if more else "event_struck")
            assert set(more) <= {"event_struck"}

    def wander(self) -> bool:
        """Fill in a form at random; irregular entries are confirmed and recorded."""
        forms = [form for form in self.table.forms() if form.type and form.type not in SELDOM]
        if not forms:
            return False
        form = self.rng.choice(forms)
        answer = self.table.post(form, choices(form, self.rng))
        assert answer.status_code in (303, 422), answer.text
        done = answer.status_code == 303 or self.as_it_happened(answer)
        self.strayed = self.strayed or done
        return done

    def as_it_happened(self, answer: TestResponse) -> bool:
        """Confirm an irregular entry, if the page asks."""
        asked = asks(answer.text)
        if asked is None:
            return False
        before = len(self.table.events())
        again = self.table.post(asked, [(button.name, button.value) for button in asked.buttons()])
        assert again.status_code == 303, again.text
        assert self.table.events()[before:]
        self.irregular += 1
        return True

    def insists(self, answer: TestResponse, attempt: int) -> bool:
        """Return true: after an irregular play, a player may hold only irregular cards."""
        return self.strayed and attempt >= PATIENCE and self.as_it_happened(answer)


def asks(html: str) -> Form | None:
    """Return the form that asks whether to record an irregular entry."""
    for form in Forms(html).forms:
        if any(button.name == "as_played" for button in form.buttons()):
            return form
    return None


def played(client: FlaskClient, game: str, level: str, seed: int) -> Wanderer:
    """Return a simulated player who has played a match to its end."""
    players = PLAYERS[game]
    start = event("match_started", game=game, seats=players.split(), options=SAMPLES[game].short)
    table = Tapped.open(client, players, start)
    table.level = level
    somebody = Wanderer(table, seed)
    somebody.to_the_end()
    return somebody


def is_sound(table: Tapped) -> None:
    """Check every page of the session, and that its log is intact."""
    for path in ("", "/results", "/audit", "/settings", "/export", "/h/1-1"):
        assert table.client.get(f"/t/{table.id}{path}", headers=table.headers()).status_code == 200
    report: Any = table.report()
    assert report["session"]["events"] == len(table.events())
    for match in report["matches"]:
        for hand in match["hands"]:
            assert hand["status"] in ("complete", "abandoned", "open", "incomplete")
            sums = dict.fromkeys(hand["scores"], 0)
            for line in hand["lines"]:
                sums[line["side"]] += line["points"]
            assert sums == hand["scores"]


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("game", GAMES)
def test_a_match_is_played_to_its_end_and_another_after_it(
    walking: FlaskClient, game: str, level: str, seed: int
) -> None:
    somebody = played(walking, game, level, seed)
    table = somebody.table
    is_sound(table)
    again = table.form("match_started")
    assert (
        table.post(again, [(button.name, button.value) for button in again.buttons()]).status_code
        == 303
    )
    matches = table.report()["matches"]
    assert [match["game"] for match in matches] == [game, game]
    assert matches[0]["options"] == matches[1]["options"]
    somebody.to_the_end()
    is_sound(table)
    assert [match["status"] for match in table.report()["matches"]] == ["finished", "finished"]
