"""A hand of Tarot at each level, entered by taps on two phones (soak tests).

An installed game adds only forms to a page, and test_pages fills these in without a browser.
"""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser import hands
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.operation.serving import Server, serving
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.soak]

GAME = SAMPLES["tarot"]
# A server that finds packages where this process does.
SERVE = f"import sys; sys.path += {sys.path!r}; from scorekeeper.cli import main; main(['serve'])"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder: Path = tmp_path_factory.mktemp("server")
    with serving(folder, command=(sys.executable, "-c", SERVE)) as server:
        yield server


@pytest.mark.parametrize("level", ["totals", "tricks", "cards"])
def test_hand_is_entered_by_taps(server: Server, browser: "Browser", level: str) -> None:
    evening = Evening.begin(server, "tarot", 4)
    evening.record(("hand_started", {"dealer": hands.played("tarot", GAME.dice).dealer}))
    events = hands.recorded_events("tarot", level, GAME.dice)
    with (
        phone(browser, evening, "host", new=True) as first,
        phone(browser, evening, "leo", new=True) as second,
    ):
        host, leo = Thumb(first), Thumb(second)
        for thumb in (host, leo):
            thumb.open(level)
        if level == "totals":
            host.save(events)
        else:
            for place, event in enumerate(events):
                by = leo if event["data"].get("player") == "leo" and place < 8 else host
                by.phone.wait_for(evening.version())
                by.record(event["type"], event["data"])
        (hand,) = evening.get()["matches"][-1]["hands"]
        assert hand["status"] == "complete", hand
        assert hand["scores"] == hands.truth("tarot", GAME.dice)
        assert hand["level"] == level
        assert host.taps + leo.taps <= GAME.most_taps[level], (host.texts, leo.texts)
        assert first.wrong == second.wrong == []
