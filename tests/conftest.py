"""What every test may use: how hard Hypothesis looks, a server, a browser."""

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

# The suite tries the same examples at every run, and no machine is too slow for it.
settings.register_profile(
    "suite",
    derandomize=True,
    deadline=None,
    max_examples=10,
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

# A suite leaves little garbage among much that stays; to look for it as often costs a tenth.
gc.set_threshold(100_000, 50, 100)

# What tests send in a minute, from one address, no table does in an evening.
os.environ.setdefault("SCOREKEEPER_KEY_EVENTS_A_MINUTE", "1000000")
os.environ.setdefault("SCOREKEEPER_SESSION_EVENTS_A_MINUTE", "1000000")
os.environ.setdefault("SCOREKEEPER_COMPUTATIONS_AN_HOUR", "1000000")
os.environ.setdefault("SCOREKEEPER_IMPORTED_MEGABYTES_AN_HOUR", "1000000")


def restore_interrupts() -> None:
    """Let Ctrl-C interrupt the tests, and the commands that they start, also in the background.

    A shell lets a command in the background ignore it, and so would whatever that command starts.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


# Chromium without its windows takes a quarter less of the processor. The soak uses it as people do.
CHROMIUMS = ("chromium",) if SOAK else ("chromium-headless-shell", "chromium")
# What Chromium leaves out: what Playwright leaves out too, as only the last such list counts, and
# what costs more than most tests in each new window: the pages behind the address bar, and a
# process made beforehand.
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

# The soak begins tests of each file for so long, in an order that differs from one soak to the
# next: all kinds of tests are run, and in time all of each kind.
SOAK_MINUTES = float(os.environ.get("SOAK_MINUTES", "1"))
SOAK_SEED = int(os.environ.get("SOAK_SEED") or secrets.randbelow(1_000_000))
BEGUN: dict[Path, float] = {}  # when the first test of a file began

# ------------------------------------------------------------------------------- the order

# The folders to begin with. The faults wait for much, and leave the processor to a browser.
FIRST = ("faults", "browser", "examples")
TOGETHER = ("tests/faults/", "tests/browser/")  # each shares servers, and a browser


def pytest_configure() -> None:
    """Let the tests see our own games alone, whatever packages are installed beside."""
    restore_interrupts()
    from scorekeeper.games import GAMES
    from scorekeeper.games.installed import Installed

    vars(GAMES)["_installed"] = Installed({}, {}, {})


def pytest_report_header() -> str | None:
    """How to run the same soak again."""
    return f"SOAK_MINUTES={SOAK_MINUTES:g} SOAK_SEED={SOAK_SEED}" if SOAK else None


@pytest.hookimpl(tryfirst=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make no tests of the cases of the soak, unless SOAK=1, where there are others."""
    every = metafunc.parametrize

    def of_the_suite(names: Any, cases: Iterable[Any], *, ids: Any = None, **more: Any) -> None:
        cases = list(cases)
        taken = [n for n, case in enumerate(cases) if not of_the_soak(case)] or range(len(cases))
        named = [ids[n] for n in taken] if isinstance(ids, Sequence) else ids
        every(names, [cases[n] for n in taken], ids=named, **more)

    if not SOAK:
        metafunc.parametrize = of_the_suite  # type: ignore[method-assign, assignment]


def of_the_soak(case: Any) -> bool:
    """Whether a case, given as ``pytest.param`` or plain, is marked as one of the soak."""
    return any(mark.name == "soak" for mark in getattr(case, "marks", ()))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the soak tests, unless SOAK=1, and begin with what takes longest."""
    if SOAK:
        chance = random.Random(SOAK_SEED)  # noqa: S311
        places = {item: chance.random() for item in items}
        files = {path: n for n, path in enumerate(dict.fromkeys(item.path for item in items))}
        items.sort(key=lambda item: (files[item.path], places[item]))
        return
    folders = {name: place for place, name in enumerate(FIRST)}
    items.sort(key=lambda item: folders.get(item.path.parent.name, len(folders)))
    soak = [item for item in items if item.get_closest_marker("soak")]
    if soak:
        config.hook.pytest_deselected(items=soak)
        items[:] = [item for item in items if not item.get_closest_marker("soak")]


def pytest_collection_finish() -> None:
    """Look for garbage no more among all that was collected, which stays to the end."""
    gc.freeze()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """Of ``--dist loadfile``: folders that share servers go to one process each."""
    if config.getoption("dist") != "loadfile":
        return None
    from xdist.scheduler import LoadFileScheduling  # type: ignore[import-untyped]

    class Together(LoadFileScheduling):  # type: ignore[misc]  # it has no types
        def _split_scope(self, nodeid: str) -> str:
            folder = next(filter(nodeid.startswith, TOGETHER), None)
            return folder or super()._split_scope(nodeid)

    return Together(config, log)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Let a process of several tell of a test only what came of it, and not each of its steps."""
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == "WorkerInteractor":
            plugin.sendevent = partial(tell, plugin.sendevent)


def tell(send: Callable[..., None], kind: str, **more: Any) -> None:
    """Send what is not of a step that passed."""
    report = more.get("data", {})
    passed = report.get("outcome") == "passed" and report["when"] != "call"
    if not passed and kind not in {"logstart", "logfinish"}:
        send(kind, **more)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Begin nothing more of a file whose time in the soak is over."""
    now = time.monotonic()
    if SOAK and now > BEGUN.setdefault(item.path, now) + 60 * SOAK_MINUTES:
        pytest.skip("not begun: the minutes of its file are over")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Iterator[None]:
    """Let a test without a page run a loop of its own: in its thread Playwright's always runs."""
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
    """Notes what was measured in a test; a soak prints it at its end."""
    return lambda said: request.node.user_properties.append(("figure", said))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the figures of a soak."""
    if not SOAK:
        return
    terminalreporter.section("figures")
    for outcome in ("passed", "failed"):
        for report in terminalreporter.getreports(outcome):
            for name, said in report.user_properties:
                if name == "figure" and report.when == "call":
                    terminalreporter.write_line(f"{report.nodeid}: {said}")


# ------------------------------------------------------------------------------- fixtures


@pytest.fixture(scope="session", autouse=True)
def compiled_once() -> None:
    """Let the applications of a process share what each would compile anew of its links."""
    from werkzeug.routing import Rule

    compiled = Rule._compile_builder
    kept: dict[Any, Any] = {}

    def builder(self: Rule, append_unknown: bool = True) -> Any:
        of = (*self._trace, *(self.defaults or {}).items(), append_unknown)
        return kept[of] if of in kept else kept.setdefault(of, compiled(self, append_unknown))

    Rule._compile_builder = builder  # type: ignore[method-assign]


@pytest.fixture(scope="session", autouse=True)
def one_mask() -> Callable[..., Any]:
    """Let codes be drawn by the first mask, and no other be tried; how they are drawn else."""
    import segno

    best = segno.make

    def first(*given: Any, **more: Any) -> Any:
        return best(*given, **{"mask": 0, **more})

    segno.make = first
    return best


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


@pytest.fixture(scope="session")
def live_server() -> Iterator[str]:
    """The address of the whole application, served from a thread."""
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
    there = (shutil.which(one, path="/usr/bin") for one in CHROMIUMS)
    chromium = next(filter(None, there), None)
    if chromium is None:
        no_browser("there is no /usr/bin/chromium (sudo apt install chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def letters(browser: "Browser") -> "Letters":
    """The families of letters in which layouts are looked at, as far as they are here."""
    from tests.browser.letters import Letters

    letters = Letters(browser)
    if not letters.here:
        no_browser("none of the letters in which layouts are looked at are here")
    return letters
