"""Phones at a table when the round of their tournament changes: one is offline, one is online.

Tests of ``web.entry.in_hall``, and of ``conflict.js`` and ``seat.js`` beside it.
"""

import re
from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import Evening, phone
from tests.browser.test_hall import HallOnServer
from tests.operation.serving import Server, until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

LATE = "The round was closed before this arrived, so it is not recorded. Tell the director"


def test_entry_that_comes_after_the_round_is_kept_for_the_director(
    browser: "Browser", server: Server
) -> None:
    hall = HallOnServer(server, ("Ada", "Bea", "Ciro", "Dora", "Elio"))
    keys = {
        who: hall.send(f"{hall.path}/keys", {"role": "entrant", "player": player})["key"]
        for who, player in (("ada", "e1"), ("leo", "e2"))
    }
    hall.draw()
    session = hall.find_sessions()[0]
    evening = Evening(server, session, {"seats": keys, "host": hall.key})
    with phone(browser, evening, "ada") as ada, phone(browser, evening, "leo") as bea:
        for device in (ada, bea):
            device.open()
        ada.go_away()
        ada.page.locator(".pad form").get_by_text("Ada", exact=True).click()
        until(lambda: ada.waiting() == 1, 5)
        hall.do("round_closed", stage=1, round=1)
        hall.draw()
        second = hall.find_sessions()[0]

        # A phone that only lies there is led to its seat.
        seat = bea.page.get_by_role("link", name=re.compile("You sit at table 1, seat"))
        seat.wait_for()
        assert seat.get_attribute("href") == f"/t/{second}"
        bea.page.locator("#said").get_by_text(
            f"The next round is on. {seat.inner_text()}"
        ).wait_for()

        # One that comes back says what is not recorded, and that the director can still enter it.
        ada.context.set_offline(False)
        sheet = ada.page.locator("#conflict")
        sheet.get_by_text(LATE).wait_for()
        assert sheet.locator("li bdi").inner_text() == "Who deals? · Ada"
        until(lambda: ada.page.locator("#table .pad").count() == 0, 5)
        ada.page.get_by_role("link", name=re.compile("You sit at table 1, seat")).click()
        waits = ada.page.locator(f"[data-unsent='{session}'] a")
        waits.click()
        sheet.get_by_role("button", name="Send it to the director").click()
        ada.page.wait_for_url(f"**{hall.page}")
        said = "Not recorded for round 1, table 1: Who deals? · Ada"
        ada.page.get_by_text(said).wait_for()
        assert not waits.is_visible()
    (call,) = server.get(hall.path, Authorization=f"Bearer {hall.key}").json["calls"]
    assert (call["about"], call["caller"], call["answered"]) == (said, "e1", False)
