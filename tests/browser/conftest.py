"""A page that notes what goes wrong in it: errors, reports of its policy, dialogs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING

import pytest

from tests.browser.phones import Evening, Phone, phone
from tests.operation.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Dialog, Page, Request

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


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as it is run at a table, on a database of its own.

    It has room for the streams of many phones: one that left keeps its place for a while.
    """
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, threads=96, most_streams=80) as server:
        yield server


@pytest.fixture
def evening(server: Server) -> Evening:
    """A new session of two, with a match."""
    return Evening.begin(server)


@pytest.fixture
def at_the_table(browser: "Browser", evening: Evening) -> Iterator[Callable[[str], Phone]]:
    """Opens the table on one more phone, with somebody's key."""
    with ExitStack() as stack:

        def sit(who: str) -> Phone:
            one = stack.enter_context(phone(browser, evening, who))
            one.open()
            return one

        yield sit
