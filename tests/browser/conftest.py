"""A page that notes what goes wrong in it: errors, reports of its policy, dialogs."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.phones import BLOCKED, REPORTS, WORKERS, Evening, Phone, empty, phone
from tests.browser.places import Sessions
from tests.conftest import ELSEWHERE, SOAK
from tests.operation.serving import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Dialog, Error, Page, Request


@pytest.fixture(scope="session")
def visitor(browser: "Browser", live_server: str) -> Iterator["Page"]:
    """The page of one visitor of the live server after another."""
    with browser.new_context(base_url=live_server, service_workers=WORKERS) as context:
        context.add_init_script(REPORTS)
        yield context.new_page()


@pytest.fixture
def quiet(visitor: "Page", live_server: str) -> Iterator["Page"]:
    """A page in which nothing may go wrong; an answer of 4xx or 5xx may be noted on the console."""
    wrong: list[str] = []

    def note_dialog(dialog: "Dialog") -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def note_console(said: "ConsoleMessage") -> None:
        loud = said.type in ("error", "warning")
        if loud and not any(one in said.text for one in (BLOCKED, "the server responded with")):
            wrong.append(said.text)

    def note_request(asked: "Request") -> None:
        if not asked.url.startswith(live_server):
            wrong.append(asked.url)

    def note_error(error: "Error") -> None:
        wrong.append(str(error))

    notes: Final[dict[Any, Any]] = {
        "pageerror": note_error, "dialog": note_dialog, "console": note_console,
        "request": note_request,
    }  # fmt: skip
    for happened, note in notes.items():
        visitor.on(happened, note)
    yield visitor
    reports = visitor.evaluate("() => window.reports")
    for happened, note in notes.items():
        visitor.remove_listener(happened, note)
    empty(visitor, live_server)
    visitor.emulate_media(media="null", color_scheme="null")
    visitor.set_viewport_size({"width": 1280, "height": 720})
    assert wrong == []
    assert reports == []


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server as it is run at a table, on a database of its own.

    It is told by which name the phones of the local network ask for it.
    """
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, trusted_hosts=ELSEWHERE) as server:
        yield server


@pytest.fixture(scope="session")
def sessions(server: Server) -> Sessions:
    """The evening of the example in every state, to be looked at only."""
    return Sessions.begin(server)


@pytest.fixture
def evening(server: Server) -> Evening:
    """A new session of two, with a match."""
    return Evening.begin(server)


@pytest.fixture
def at_the_table(browser: "Browser", evening: Evening) -> Iterator[Callable[..., Phone]]:
    """Opens the table on one more phone, perhaps a new one, with somebody's key."""
    with ExitStack() as stack:

        def sit(who: str, new: bool = SOAK) -> Phone:
            one = stack.enter_context(phone(browser, evening, who, new=new))
            one.open()
            return one

        yield sit
