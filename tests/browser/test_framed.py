"""A public table on other sites: only those that the club names frame it; all read its JSON."""

from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import TYPE_CHECKING, Final

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

BLOCKED: Final = "chrome-error://chromewebdata/"  # the address of a frame that is refused
Publish = Callable[[str], str]  # publishes for a site, and returns the address


class Framing(BaseHTTPRequestHandler):
    """A site whose page frames the address in its query."""

    def do_GET(self) -> None:  # the name that the library calls
        body = f'<!doctype html><iframe src="{self.path.partition("?")[2]}"></iframe>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Serve two sites, 127.0.0.1 and localhost at this port, which frame any address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), Framing) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield server.server_port
        server.shutdown()
        thread.join()


@pytest.fixture
def publish(browser: "Browser", live_server: str) -> Iterator[Publish]:
    """Publish the table of a new club in the browser of its host."""
    with browser.new_context(base_url=live_server) as context:

        def publish(sites: str) -> str:
            page = context.new_page()
            page.goto("/club/new")
            page.locator("input[name=name]").fill("Circolo")
            page.locator("input[name=me]").fill("Mara")
            page.locator("textarea[name=others]").fill("Leo\nNina")
            page.locator("#money-no").check(force=True)
            page.locator("main form button").last.click()
            page.locator(".club-nav").wait_for()
            page.goto(f"{page.url.partition('?')[0]}/settings/public")
            page.locator("#sites").fill(sites)
            page.get_by_role("button", name="Publish the table").click()
            return str(page.locator(".link-text a").get_attribute("href"))

        yield publish


def test_only_the_site_of_the_club_frames_its_table(
    browser: "Browser", publish: Publish, port: int
) -> None:
    address = publish(f"http://127.0.0.1:{port}/table")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/?{address}")
        assert page.frames[1].locator("h1").text_content() == "All evenings"
        page.goto(f"http://localhost:{port}/?{address}")
        assert page.frames[1].url == BLOCKED
        private = address.partition("/published/")[0]
        page.goto(f"http://127.0.0.1:{port}/?{private}/club/new")
        assert page.frames[1].url == BLOCKED


def fetched(page: "Page", url: str, credentials: str) -> str:
    """Return the result of a fetch by a script of the page: the first bytes, or a refusal."""
    result: str = page.evaluate(
        "([url, credentials]) => fetch(url, {credentials}).then(answer => answer.text())"
        ".then(text => text.slice(0, 17), () => 'refused')",
        [url, credentials],
    )
    return result


def test_scripts_of_any_site_read_the_table_without_credentials(
    browser: "Browser", publish: Publish, port: int
) -> None:
    address = publish("")
    json = address.replace("/published/", "/api/published/")
    with browser.new_context() as context:
        page = context.new_page()
        page.goto(f"http://127.0.0.1:{port}/?about:blank")
        assert fetched(page, json, "omit") == '{"club":"Circolo"'
        assert fetched(page, json, "include") == "refused"
        assert fetched(page, address, "omit") == "refused"
