"""What every test may use: how hard Hypothesis looks, a server, a browser."""

import os
import shutil
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING, NoReturn

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser, BrowserContext, Page

SOAK = os.environ.get("SOAK") == "1"
REQUIRE_BROWSER = os.environ.get("REQUIRE_BROWSER") == "1"

# The suite tries the same examples at every run, and no machine is too slow for it.
settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    max_examples=24,
    suppress_health_check=[HealthCheck.too_slow],
)
# The soak looks for new ones, and prints how to see a failure again.
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=5000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("soak" if SOAK else "suite")

# What Chromium leaves out: what Playwright leaves out too, as only the last such list counts, and
# the pages behind the address bar, which cost more than most tests in each new window.
LEFT_OUT = (
    "AvoidCorsURLLoaderRestartOnRedirect",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "AimEnabled",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
CHROMIUM_FLAGS = (
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(LEFT_OUT)}",
)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the soak tests, unless SOAK=1, and begin with what is slow: the browser's."""
    items.sort(key=lambda item: item.get_closest_marker("browser") is None)
    if SOAK:
        return
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if item not in soak]


@pytest.fixture(scope="session")
def app() -> "Flask":
    """The whole application; what fails in a view is raised."""
    from scorekeeper.app import create_app
    from scorekeeper.config import read_settings
    from scorekeeper.store import MemoryStore

    app = create_app(read_settings(), MemoryStore())
    app.testing = True
    return app


@pytest.fixture
def client(app: "Flask") -> "FlaskClient":
    """A client of the application, without a server."""
    return app.test_client()


@pytest.fixture
def live_server() -> Iterator[str]:
    """The address of the whole application, served from a thread for one test."""
    from werkzeug.serving import make_server

    from scorekeeper.app import create_app
    from scorekeeper.config import read_settings
    from scorekeeper.store import MemoryStore

    app = create_app(read_settings(), MemoryStore())
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, name="live_server")
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


def no_browser(reason: str) -> NoReturn:
    """Skip the test, or fail it where a browser must be there (REQUIRE_BROWSER=1)."""
    if REQUIRE_BROWSER:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Chromium, started once for all tests of a process."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("playwright is not installed")
    chromium = shutil.which("chromium", path="/usr/bin")
    if chromium is None:
        no_browser("there is no /usr/bin/chromium (sudo apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: "Browser", live_server: str) -> Iterator["BrowserContext"]:
    """One visitor of the live server, with cookies and storage of their own.

    More visitors in one test: ``browser.new_context(base_url=live_server)``.
    """
    with browser.new_context(base_url=live_server) as context:
        yield context


@pytest.fixture
def page(context: "BrowserContext") -> "Page":
    """The visitor's page, empty at first."""
    return context.new_page()
