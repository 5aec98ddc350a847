"""Fixtures of pages that collect errors, policy reports and dialogs."""

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
    """Return the page of a new visitor of the live server."""
    with browser.new_context(base_url=live_server, service_workers=WORKERS) as context:
        context.add_init_script(REPORTS)
        yield context.new_page()


@pytest.fixture
def quiet(visitor: "Page", live_server: str) -> Iterator["Page"]:
    """Return a page that fails the test on any error; its console may report statuses."""
    wrong: list[str] = []

    def note_dialog(dialog: "Dialog") -> None:
        wrong.append(dialog.message)
        dialog.dismiss()

    def note_console(message: "ConsoleMessage") -> None:
        loud = message.type in ("error", "warning")
        if loud and not any(
            text in message.text for text in (BLOCKED, "the server responded with")
        ):
            wrong.append(message.text)

    def note_request(request: "Request") -> None:
        if not request.url.startswith(live_server):
            wrong.append(request.url)

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
    """Run a server like at a table, on a new database. Nothing in its log asks anybody to act.

    A setting contains its name in the local network.
    """
    folder = tmp_path_factory.mktemp("server")
    with serving(folder, trusted_hosts=ELSEWHERE) as server:
        yield server
        levels = {"debug", "info"}
        assert [record for record in server.records() if record["level"] not in levels] == []


@pytest.fixture(scope="session")
def sessions(server: Server) -> Sessions:
    """Return the example session in every state; tests do not change it."""
    return Sessions.begin(server)


@pytest.fixture
def evening(server: Server) -> Evening:
    """Return a new session of two players, with a match."""
    return Evening.begin(server)


@pytest.fixture
def at_the_table(browser: "Browser", evening: Evening) -> Iterator[Callable[..., Phone]]:
    """Return a function that opens the table on another phone, with the key of a seat or role."""
    with ExitStack() as stack:

        def sit(who: str, new: bool = SOAK) -> Phone:
            device = stack.enter_context(phone(browser, evening, who, new=new))
            device.open()
            return device

        yield sit
