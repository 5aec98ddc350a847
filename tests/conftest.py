"""Settings of Hypothesis and pytest for all tests, and fixtures: applications, server, browser."""

import asyncio
import gc
import os
import random
import secrets
import shutil
import signal
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import pytest
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from flask import Flask
    from flask.testing import FlaskClient
    from playwright.sync_api import Browser

    from tests.browser.letters import Letters

SOAK = os.environ.get("SOAK") == "1"
REQUIRE_BROWSER = os.environ.get("REQUIRE_BROWSER") == "1"

# The suite tries the same examples at every run, without a limit of time for an example.
settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    max_examples=7,
    suppress_health_check=[HealthCheck.too_slow],
)
# The soak tries new examples, and prints how to reproduce a failure.
settings.register_profile(
    "soak",
    deadline=None,
    max_examples=5000,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.load_profile("soak" if SOAK else "suite")

# The suite creates little garbage and many lasting objects: default thresholds cost a tenth more.
gc.set_threshold(100_000, 50, 100)

# The tests send more in a minute from one address than a table sends in an evening.
os.environ.setdefault("SCOREKEEPER_KEY_EVENTS_A_MINUTE", "1000000")
os.environ.setdefault("SCOREKEEPER_SESSION_EVENTS_A_MINUTE", "1000000")
os.environ.setdefault("SCOREKEEPER_COMPUTATIONS_AN_HOUR", "1000000")
os.environ.setdefault("SCOREKEEPER_IMPORTED_MEGABYTES_AN_HOUR", "1000000")


def restore_interrupts() -> None:
    """Let Ctrl-C interrupt the tests, and the commands that they start, also in the background.

    A shell makes a command in the background ignore the signal, and its children inherit that.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Headless Chromium takes a quarter less of the processor. The soak uses the one that people use.
CHROMIUMS = ("chromium",) if SOAK else ("chromium-headless-shell", "chromium")
# Disabled features of Chromium: first those that Playwright disables, because only the last such
# list counts; then those that cost more than most tests in each new window, which are the pages
# behind the address bar and a spare process.
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
    "SpareRendererForSitePerProcess",
    "ThirdPartyStoragePartitioning",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "WebUIOmniboxPopup",
)
ELSEWHERE = "table.test"  # this machine, as if it were another of the local network
CHROMIUM_FLAGS = (
    "--no-sandbox",  # CI runs as root
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    f"--disable-features={','.join(LEFT_OUT)}",
    f"--host-resolver-rules=MAP {ELSEWHERE} 127.0.0.1",
)


# ------------------------------------------------------------------------------- the soak

# The soak starts tests of each file for these minutes, in an order that differs between soaks. So
# it runs all kinds of tests, and after several soaks all tests of each kind.
SOAK_MINUTES = float(os.environ.get("SOAK_MINUTES", "1"))
SOAK_SEED = int(os.environ.get("SOAK_SEED") or secrets.randbelow(1_000_000))
BEGUN: dict[Path, float] = {}  # when the first test of a file began

# ------------------------------------------------------------------------------- the order

EXAMPLES = Path(__file__).parents[1] / "examples"
# The first folders. Tests of faults mostly wait, so they leave the processor to a browser.
FIRST = ("faults", "browser")
TOGETHER = ("tests/faults/", "tests/browser/")  # each shares servers, and a browser


def pytest_configure() -> None:
    """Hide games of installed packages from the tests."""
    restore_interrupts()
    from scorekeeper.games import GAMES
    from scorekeeper.games.installed import Installed

    vars(GAMES)["_installed"] = Installed({}, {}, {})


def pytest_report_header() -> str | None:
    """Return the settings that repeat this soak."""
    return f"SOAK_MINUTES={SOAK_MINUTES:g} SOAK_SEED={SOAK_SEED}" if SOAK else None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Skip cases of the soak, unless SOAK=1 or a test has no other cases."""
    every = metafunc.parametrize

    def parametrize_for_the_suite(
        names: Any, cases: Iterable[Any], *, ids: Any = None, **more: Any
    ) -> None:
        cases = list(cases)
        kept = [n for n, case in enumerate(cases) if not is_of_the_soak(case)] or range(len(cases))
        kept_ids = [ids[n] for n in kept] if isinstance(ids, Sequence) else ids
        every(names, [cases[n] for n in kept], ids=kept_ids, **more)

    if not SOAK:
        metafunc.parametrize = parametrize_for_the_suite  # type: ignore[method-assign, assignment]


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let the soak run all tests of a file that imports ``SOAK``: they do more there."""
    if SOAK and hasattr(getattr(item, "module", None), "SOAK"):
        item.add_marker("soak")


def is_of_the_soak(case: Any) -> bool:
    """Return whether a case, plain or a ``pytest.param``, is marked as one of the soak."""
    return any(mark.name == "soak" for mark in getattr(case, "marks", ()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Deselect the soak tests, unless SOAK=1, and begin with the slowest folders."""
    if SOAK:
        chance = random.Random(SOAK_SEED)  # noqa: S311
        places = {item: chance.random() for item in items}
        files = {path: n for n, path in enumerate(dict.fromkeys(item.path for item in items))}
        items.sort(key=lambda item: (files[item.path], places[item]))
        return
    folders = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: folders.get(item.path.parent.name, len(folders)))
    soak = [item for item in items if is_left_to_the_soak(item)]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not is_left_to_the_soak(item)]


def is_left_to_the_soak(item: pytest.Item) -> bool:
    """Return whether a test is one of the soak, as those of examples in a browser are."""
    of_example = item.path.is_relative_to(EXAMPLES) and item.get_closest_marker("browser")
    return bool(item.get_closest_marker("soak") or of_example)


def pytest_collection_finish() -> None:
    """Exclude the collected tests from garbage collection, because they live to the end."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Let ``--dist loadfile`` run each folder that shares servers in one process."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class Together(LoadFileScheduling):  # type: ignore[misc]  # it has no types
        def _split_scope(self, nodeid: str) -> str:
            folder = next(filter(nodeid.startswith, TOGETHER), None)
            return folder or super()._split_scope(nodeid)

    return Together(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a worker process send only the results of tests, and not each of their steps."""
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(send_report, plugin.sendevent)


def send_report(send: Callable[..., None], kind: str, **more: Any) -> None:
    """Send a report, unless it is of a passed setup or teardown, or a start or end."""
    report = more.get("data", {})
    passed = report.get("outcome") == "passed" and report["when"] != "call"
    if not passed and kind not in {"logstart", "logfinish"}:
        send(kind, **more)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skip the tests of a file whose minutes in the soak are over."""
    now = time.monotonic()
    if SOAK and now > BEGUN.setdefault(item.path, now) + 60 * SOAK_MINUTES:
        pytest.skip("not begun: the minutes of its file are over")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Hide Playwright's event loop from tests without a page, which may run their own loops."""
    running = asyncio._get_running_loop()
    if running is None or "browser" in getattr(item, "fixturenames", ()):
        return (yield)
    asyncio._set_running_loop(None)
    try:
        return (yield)
    finally:
        asyncio._set_running_loop(running)


Figure = Callable[[str], None]


@pytest.fixture
def figure(request: pytest.FixtureRequest) -> Figure:
    """Return a function that notes a measured figure; a soak prints it at its end."""
    return lambda measured: request.node.user_properties.append(("figure", measured))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of a soak."""
    if not SOAK:
        return
    terminalreporter.section("figures")
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, measured in report.user_properties:
                if name == "figure" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {measured}")


# ------------------------------------------------------------------------------- fixtures


@pytest.fixture(scope="session", autouse=True)
def share_compiled_links() -> None:
    """Share compiled URL builders between the applications of a process."""
    from werkzeug.routing import Rule

    compiled = Rule._compile_builder
    cached: dict[Any, Any] = {}

    def builder(self: Rule, append_unknown: bool = True) -> Any:
        key = (*self._trace, *(self.defaults or {}).items(), append_unknown)
        return (
            cached[key] if key in cached else cached.setdefault(key, compiled(self, append_unknown))
        )

    Rule._compile_builder = builder  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def one_mask() -> Callable[..., Any]:
    """Draw QR codes with the first mask and try no others; return the original function."""
    import segno

    best = segno.make

    def first(*arguments: Any, **options: Any) -> Any:
        return best(*arguments, **{"mask": 0, **options})

    segno.make = first
    return best


@pytest.fixture(scope="session")
def app() -> "Flask":
    """Return the whole application, which raises the errors of its views."""
    from tests.api.asking import created

    return created()


@pytest.fixture
def client(app: "Flask") -> "FlaskClient":
    """Return a client of the application, without a server."""
    return app.test_client()


@pytest.fixture(scope="session")
def live_server() -> Iterator[str]:
    """Yield the address of the whole application, served from a thread."""
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
    """Skip the test, or fail it if a browser is required (REQUIRE_BROWSER=1)."""
    if REQUIRE_BROWSER:
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session")
def browser() -> Iterator["Browser"]:
    """Yield Chromium, started one time for all tests of a process."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        no_browser("playwright is not installed")
    installed = (shutil.which(name, path="/usr/bin") for name in CHROMIUMS)
    chromium = next(filter(None, installed), None)
    if chromium is None:
        no_browser("there is no /usr/bin/chromium (sudo apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def letters(browser: "Browser") -> "Letters":
    """Return the installed families of letters in which layouts are tested."""
    from tests.browser.letters import Letters

    letters = Letters(browser)
    if not letters.here:
        no_browser("no family of letters in which layouts are tested is installed")
    return letters
