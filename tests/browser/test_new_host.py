"""The host's phone is lost: the notice comes to open pages with the next entry.

Its buttons are no entries: they do not wait in the queue of the page.
"""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.browser.phones import Evening, Phone

pytestmark = pytest.mark.browser

Sit = Callable[..., Phone]
PLAIN: Final = "form[data-plain] button"
NOTE: Final = ("note_added", {"text": "meanwhile"})


def test_two_phones_at_the_table_choose_a_new_host(evening: Evening, at_the_table: Sit) -> None:
    mara, leo = at_the_table("mara"), at_the_table("leo")
    leo.page.goto(f"/t/{evening.id}/settings")
    leo.page.get_by_text("The host’s phone is lost").click()
    leo.page.get_by_role("button", name="Ask to become the host").click()
    expect(leo.page.get_by_text("Still to agree: Mara.")).to_be_visible()
    evening.record(NOTE)
    expect(mara.page.get_by_text("Leo asks to become the host")).to_be_visible()
    mara.page.get_by_role("button", name="Agree").click()
    expect(mara.page.locator(PLAIN)).to_have_count(0)
    assert mara.waiting() == 0
    leo.open()
    leo.page.get_by_role("button", name="Become the host").click()
    expect(leo.page.get_by_text("You are the host now.")).to_be_visible()
    expect(leo.page.get_by_role("button", name="Show a code to join")).to_be_visible()
    leo.open()
    mara.open()
    expect(mara.page.get_by_text("Leo is the host now.")).to_be_visible()
    assert mara.wrong == leo.wrong == []


def test_the_host_refuses_with_one_tap(evening: Evening, at_the_table: Sit) -> None:
    host, mara, leo = (at_the_table(who) for who in ("host", "mara", "leo"))
    leo.page.goto(f"/t/{evening.id}/settings")
    leo.page.get_by_text("The host’s phone is lost").click()
    leo.page.get_by_role("button", name="Ask to become the host").click()
    leo.page.wait_for_url("**/settings#new-host")
    evening.record(NOTE)
    host.page.get_by_role("button", name="No, I am here").click()
    expect(host.page.locator(PLAIN)).to_have_count(0)
    leo.page.reload()
    expect(leo.page.get_by_text("The host said no.")).to_be_visible()
    mara.open()
    expect(mara.page.locator(PLAIN)).to_have_count(0)
    assert host.wrong == mara.wrong == leo.wrong == []
