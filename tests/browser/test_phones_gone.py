"""A phone with a revoked key deletes its pages of the table, and reports its waiting entries."""

import json
from collections.abc import Callable
from typing import Any, Final

import pytest

from tests.browser.phones import Evening, Phone
from tests.browser.test_phones import note, replace_key
from tests.operation.serving import until

pytestmark = pytest.mark.browser

Sit = Callable[..., Phone]

# All data that the phone stores for its pages, as one text: storages, caches, databases.
KEPT: Final = """async () => {
  const found = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const one of await cache.keys()) {
      const answer = await cache.match(one);
      found.push(one.url, one.url.includes("/static/") ? "" : await answer.text());
    }
  }
  found.push(JSON.stringify(await indexedDB.databases()));
  return found.join("\\n");
}"""
READY: Final = "async () => { await navigator.serviceWorker.ready; }"
VISIT: Final = "() => performance.getEntriesByType('navigation')[0].type"
TITLE: Final = "Friday"  # on every page of the table
REVOKED: Final = "key opens nothing any more"


def at_home(evening: Evening, sit: Sit) -> Phone:
    """Return a new phone at the table that has stored its page."""
    device = sit("mara", new=True)
    device.page.evaluate(READY)
    until(lambda: f"/t/{evening.id}\n" in device.page.evaluate(KEPT), 10)
    assert TITLE in device.page.evaluate(KEPT)
    return device


def keeps_nothing(phone: Phone, evening: Evening) -> bool:
    """Return whether the phone stores only the end of the log, which reveals a rewritten log."""
    kept: str = phone.page.evaluate(KEPT)
    stored: dict[str, Any] = json.loads(kept.splitlines()[0])
    mine = {name for name, value in stored.items() if evening.id in f"{name}{value}"}
    return TITLE not in kept and "/t/" not in kept and mine == {f"witness:{evening.id}"}


def words(phone: Phone) -> str:
    return phone.page.inner_text("body")


def test_open_page_is_cleared_and_deleted_after_a_revocation(
    evening: Evening, at_the_table: Sit
) -> None:
    mara = at_home(evening, at_the_table)
    replace_key(evening, "mara")
    mara.page.locator("#strip [data-line=closed]").wait_for()
    assert REVOKED in words(mara)
    assert TITLE not in f"{words(mara)} {mara.page.title()}"
    until(lambda: keeps_nothing(mara, evening), 5)
    mara.page.goto(f"/join/{evening.key('mara')}")
    mara.page.locator("main form button").click()
    mara.page.locator("#table h1").wait_for()
    assert TITLE in words(mara)


def test_closed_page_is_deleted_at_its_next_opening(evening: Evening, at_the_table: Sit) -> None:
    mara = at_home(evening, at_the_table)
    mara.page.goto("/prefs")
    replace_key(evening, "mara")
    mara.open()
    until(lambda: REVOKED in words(mara), 5)
    until(lambda: keeps_nothing(mara, evening), 5)
    mara.page.goto("/prefs")
    mara.go_away()
    with pytest.raises(Exception, match=r"ERR_(INTERNET_DISCONNECTED|FAILED)"):
        mara.open()
    mara.context.set_offline(False)
    mara.open()


@pytest.mark.parametrize("path", ["", "/results"])
def test_back_button_does_not_show_a_page_from_before_the_revocation(
    evening: Evening, at_the_table: Sit, path: str
) -> None:
    mara = at_the_table("mara")
    mara.page.goto(f"/t/{evening.id}{path}")
    assert TITLE in words(mara)
    mara.page.goto("/prefs")
    replace_key(evening, "mara")
    mara.page.go_back()
    until(lambda: REVOKED in words(mara) and TITLE not in words(mara), 5)
    mara.page.wait_for_load_state("networkidle")
    assert mara.page.evaluate(VISIT) == "back_forward"  # not a reload


def test_waiting_entries_are_shown_and_can_be_discarded(
    evening: Evening, at_the_table: Sit
) -> None:
    mara = at_the_table("mara")
    mara.go_away()
    note(mara, 1, 2)
    replace_key(evening, "mara")
    mara.context.set_offline(False)
    mara.page.locator("#conflict").wait_for()
    until(lambda: TITLE not in words(mara), 5)
    mara.open()
    assert mara.page.locator("#left li").all_inner_texts() == ["note 1", "note 2"]
    mara.page.locator("#left button").click()
    assert not mara.page.locator("#left").is_visible()
    mara.page.reload()
    assert not mara.page.locator("#left").is_visible()
