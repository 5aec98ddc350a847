"""A page that notes what goes wrong in it: errors, reports of its policy, dialogs."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, ConsoleMessage, Dialog, Page, Request

REPORTS = """
window.reports = [];
document.addEventListener("securitypolicyviolation", (event) => {
  window.reports.push(event.violatedDirective + " " + event.blockedURI);
});
"""


@pytest.fixture
def quiet(context: "BrowserContext", live_server: str) -> Iterator["Page"]:
    """A page in which nothing may go wrong; an answer of 4xx or 5xx may be noted on the console."""
    page = context.new_page()
    page.add_init_script(REPORTS)
    wrong: list[str] = []

    def note_dialog(dialog: "Dialog") -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def note_console(said: "ConsoleMessage") -> None:
        if said.type in ("error", "warning") and "the server responded with" not in said.text:
            wrong.append(said.text)

    def note_request(asked: "Request") -> None:
        if not asked.url.startswith(live_server):
            wrong.append(asked.url)

    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.on("dialog", note_dialog)
    page.on("console", note_console)
    page.on("request", note_request)
    yield page
    assert wrong == []
    assert page.evaluate("() => window.reports") == []
