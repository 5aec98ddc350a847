"""A visitor opens the demo table from the first page, and the others answer what they record."""

from typing import TYPE_CHECKING

import pytest

from scorekeeper.demo import players
from tests.browser.places import SMALL, WIDER
from tests.browser.test_axe_pages import AXE, RUN_AXE

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

KEPT = """async () => {
  const found = Object.keys(localStorage).filter((name) => name === "last-table");
  for (const name of await caches.keys()) {
    for (const one of await (await caches.open(name)).keys()) found.push(one.url);
  }
  return found.filter((one) => one === "last-table" || one.includes("/t/"));
}"""


def test_others_answer_the_first_tap_of_a_visitor(
    quiet: "Page", monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players, "PAUSE_SECONDS", 0.1)
    quiet.set_viewport_size({"width": 360, "height": 740})
    quiet.goto("/")
    quiet.click("form[action='/demo/table'] button")
    quiet.wait_for_url("**/t/demo*")
    version = int(quiet.get_attribute("#table", "data-version") or "")
    quiet.click("form.trick_taken button >> nth=0")
    quiet.locator(f"#table[data-version='{version + 2}']").wait_for()
    assert quiet.evaluate(KEPT) == []
    quiet.evaluate(AXE.read_text("utf-8"))
    assert quiet.evaluate(RUN_AXE) == []
    assert quiet.evaluate(SMALL) == []
    assert quiet.evaluate(WIDER) <= 0
    words, brand = (quiet.locator(one).bounding_box() for one in (".demo p", ".brand svg"))
    assert words
    assert brand
    assert brand["x"] + brand["width"] <= words["x"]
