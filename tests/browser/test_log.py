"""The log of the table on a phone is fetched when it is opened, and again while it is open."""

from collections.abc import Callable

import pytest

from tests.browser.phones import Evening, Phone

pytestmark = pytest.mark.browser

Sit = Callable[..., Phone]


def note(text: str) -> tuple[str, dict[str, str]]:
    return "note_added", {"text": text}


def test_open_log_is_fetched_again_at_each_change(evening: Evening, at_the_table: Sit) -> None:
    evening.record(("hand_started", {"dealer": "leo"}), note("Coffee."))
    mara, asked = at_the_table("mara"), list[str]()
    mara.page.on("request", lambda request: asked.append(request.url))
    log, version = mara.page.locator(".bar details.log"), evening.version()

    def fetched() -> int:
        return sum(url.endswith("/log") for url in asked)

    evening.record(note("Tea."))
    mara.wait_for(version + 1)
    assert (fetched(), log.locator("li").count()) == (0, 0)
    log.locator("summary").click()
    log.get_by_text("Tea.").wait_for()
    assert fetched() == 1
    evening.record(note("Water."))
    log.get_by_text("Water.").wait_for()
    assert fetched() == 2
    log.locator("summary").click()
    evening.record(note("Wine."))
    mara.wait_for(version + 3)
    assert (fetched(), log.get_by_text("Wine.").count()) == (2, 0)
