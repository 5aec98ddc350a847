"""The pages around the table: few taps, without scripts, on small phones."""

from typing import TYPE_CHECKING, Final

import pytest

from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES, get_language
from tests.browser.letters import Letters
from tests.conftest import SOAK

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, ViewportSize

SMALL: "Final[ViewportSize]" = {"width": 320, "height": 568}
PHONE: "Final[ViewportSize]" = {"width": 360, "height": 740}
NAMES: Final = ("Mara", "Léo", "Nina")
MOST_TAPS: Final = 8
MOST_IMPORTANT: Final = 5  # ways to begin or to look on the first page
# The end of the result of an open match: in one language, in the soak in all.
OPEN: Final = {"fr": ": Ouverte"} | ({"en": ": Open", "it": ": Aperta"} if SOAK else {})

# Controls lower than 44 pixels, except for links in a text and labelled fields.
SMALL_CONTROLS: Final = """() => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((one) => {
    const box = one.getBoundingClientRect();
    const beside = "p a:not(.button), .chip, .sr, .skip, .house-value > input, .tick input";
    return box.width && !one.matches(beside) && (box.height < 44 || box.width < 44);
  })
  .map((one) => `${one.tagName} ${one.className} ${one.textContent.trim()}`)"""
TOO_WIDE: Final = (
    "() => document.documentElement.scrollWidth - document.documentElement.clientWidth"
)


# The parts of the introduction that are not within the first screen, and pictures not shown.
FIRST_SCREEN: Final = """() => [...document.querySelectorAll(
  "h1, .lead, .needs li, .named a span:not(.sr), .hero .button, .hero img",
)].filter((one) => {
  const { bottom, right, height } = one.getBoundingClientRect();
  const shown = height && (one.tagName !== "IMG" || one.naturalWidth > 0);
  return !shown || bottom > innerHeight || right > innerWidth;
}).map((one) => `${one.tagName} ${one.textContent.trim()}`)"""


@pytest.mark.parametrize("language", LANGUAGES)
def test_first_screen_shows_what_it_is_and_how_to_begin(
    browser: "Browser", live_server: str, language: str
) -> None:
    with browser.new_context(base_url=live_server, viewport=PHONE, locale=language) as context:
        page = context.new_page()
        page.goto("/")
        named = page.locator(".named a span:not(.sr)").all_inner_texts()
        words = get_language(language)
        assert named == [words.word("game", game.name) for game in GAMES.values()]
        assert page.locator(".hero img").count() == 1
        assert page.locator(".hero .button").count() >= len(
            ("table", "club", "code", "evening", "mistake")
        )
        assert page.evaluate(FIRST_SCREEN) == []


def begin(page: "Page") -> str:
    """Open a table with three players; return its id."""
    page.goto("/new")
    for place, name in enumerate(NAMES):
        page.fill(f"#name-{place}", name)
    page.get_by_role("button", name="Start").last.click()
    page.wait_for_url("**/share")
    return page.url.split("/")[-2]


def test_table_with_known_players_takes_few_taps(quiet: "Page") -> None:
    begin(quiet)
    quiet.goto("/")
    taps = ["New table", "Briscola Regina", "The same as last time", "Start", "To the table"]
    for words in taps:
        quiet.locator("main").get_by_text(words, exact=True).last.click()
    quiet.wait_for_url("**/t/*")
    assert len(taps) <= MOST_TAPS
    for name in NAMES:
        assert name in quiet.inner_text("main")


def test_table_is_opened_joined_and_closed_without_scripts(
    browser: "Browser", live_server: str
) -> None:
    with (
        browser.new_context(base_url=live_server, java_script_enabled=False) as hers,
        browser.new_context(base_url=live_server, java_script_enabled=False) as his,
    ):
        host, guest = hers.new_page(), his.new_page()
        session_id = begin(host)
        code = host.inner_text(".the-code")
        guest.goto("/code")
        guest.fill("#code", code)
        guest.get_by_role("button", name="Show the seats").click()
        guest.get_by_role("button", name="Léo").click()
        guest.wait_for_url(f"**/t/{session_id}")
        host.goto(f"/t/{session_id}/settings")
        assert "Léo has a phone here" in " ".join(host.inner_text("main").split())
        host.get_by_role("link", name="Close the evening").click()
        host.get_by_role("button", name="Close it").click()
        assert host.url.endswith(f"/t/{session_id}/results")
        assert "· closed" in host.inner_text("main")


def test_tapped_name_fills_a_free_seat(quiet: "Page") -> None:
    begin(quiet)
    quiet.goto("/new")
    quiet.get_by_role("button", name="Nina").click()
    assert quiet.input_value("#name-0") == "Nina"
    assert not quiet.get_by_role("button", name="Nina").is_visible()
    assert "/new" in quiet.url
    assert "sit=" not in quiet.url


def test_enter_key_starts_and_picks_no_game(quiet: "Page") -> None:
    quiet.goto("/new?game=picchetto")
    quiet.fill("#name-0", "Mara")
    quiet.fill("#name-1", "Léo")
    quiet.press("#name-1", "Enter")
    quiet.wait_for_url("**/share")
    assert quiet.url.endswith("/share")


@pytest.mark.soak
@pytest.mark.parametrize("size", ["", "largest"])
def test_pages_fit_small_phones(
    browser: "Browser", live_server: str, letters: Letters, size: str
) -> None:
    with browser.new_context(base_url=live_server, viewport=SMALL) as context:
        page = context.new_page()
        if size:
            context.add_cookies([{"name": "prefs", "value": f"size={size}", "url": live_server}])
        session_id = begin(page)
        ways = ("share", "settings", "export", "settings/match", "settings/close")
        for path in (*(f"/t/{session_id}/{way}" for way in ways),
                     "/", "/new?pick=knock", "/code", "/prefs", "/verify"):  # fmt: skip
            page.goto(path)
            page.eval_on_selector_all("details", "all => all.forEach((one) => one.open = true)")
            assert max(letters.each(page, TOO_WIDE).values()) == 0, path
            assert not any(letters.each(page, SMALL_CONTROLS).values()), path


def test_true_black_applies_immediately(browser: "Browser", live_server: str) -> None:
    with browser.new_context(base_url=live_server, viewport=PHONE, color_scheme="light") as context:
        page = context.new_page()
        page.goto("/prefs")
        page.get_by_label("True black", exact=True).check()
        page.get_by_role("button", name="Save").click()
        page.get_by_role("status").wait_for()
        colour = "() => getComputedStyle(document.body).backgroundColor"
        assert page.evaluate(colour) == "rgb(0, 0, 0)"


def test_house_rules_are_stored_on_the_phone_and_deleted(quiet: "Page") -> None:
    hostile = "<img src=x onerror=alert(1)>"
    quiet.goto('/new?game=picchetto&rules={"match":"rubicon"}&name=Mara')
    quiet.locator("details.house").first.evaluate("one => one.open = true")
    quiet.get_by_label("3 points").check()
    quiet.locator("#house-name").fill(hostile)
    quiet.locator("#keep-them").click()
    house = quiet.locator(".house-kept")
    house.wait_for()
    assert house.text_content() == hostile
    quiet.goto("/new?game=picchetto&name=Leo")
    assert house.get_attribute("aria-pressed") == "false"
    house.click()
    quiet.wait_for_url("**rules=**")
    assert house.get_attribute("aria-pressed") == "true"
    assert quiet.locator("#name-0").input_value() == "Leo"
    assert quiet.locator("#kept").get_attribute("data-rules") == (
        '{"match":"rubicon","last_trick":3}'
    )
    quiet.goto("/new?game=riparto")
    assert house.count() == 0
    quiet.goto("/new?game=picchetto")
    quiet.get_by_label(f"Forget {hostile}").click()
    assert house.count() == 0


def test_files_and_shared_results_use_settings_of_the_phone(
    browser: "Browser", live_server: str
) -> None:
    """Files have the phone's time zone, and its share sheet gets the text and the picture."""
    with browser.new_context(base_url=live_server, timezone_id="Asia/Tokyo") as phone:
        page = phone.new_page()
        session_id = begin(page)
        page.goto(f"/t/{session_id}/export")
        assert [cooky["value"] for cooky in phone.cookies() if cooky["name"] == "zone"] == [
            "Asia/Tokyo"
        ]
        page.add_init_script("""
            navigator.canShare = ({ files }) => files[0].type === "image/png";
            navigator.share = async (what) => {
              window.shared = what.text;
              document.title = `${what.text.split("\\n")[0]} / ${(what.files || []).length}`;
            };
        """)
        for language, expected in OPEN.items():
            phone.set_extra_http_headers({"Accept-Language": language})
            page.goto(f"/t/{session_id}/chat")
            text = page.inner_text(".chat-text").splitlines()
            assert any(line.endswith(expected) for line in text)
            page.wait_for_function("""() => {
                document.getElementById("share").click();  // the picture comes when it is made
                return document.title.endsWith(" / 1");
            }""")
            check_shared(page, text)
            page.goto(f"/t/{session_id}/results")
            page.click("#share")
            page.wait_for_function("() => document.title.includes(' / ')")
            check_shared(page, text)


def check_shared(page: "Page", text: list[str]) -> None:
    """Check that the share sheet got this text, line by line, and a picture."""
    assert page.title() == f"{text[0]} / 1"
    assert page.evaluate("shared").splitlines() == text


def test_result_is_copied_with_and_without_a_clipboard(
    browser: "Browser", live_server: str
) -> None:
    """The lines are those that are shared; without a network the button explains what to do."""
    with browser.new_context(base_url=live_server) as phone:
        page = phone.new_page()
        session_id = begin(page)
        page.goto(f"/t/{session_id}/chat")
        expected = page.inner_text(".chat-text")
        page.add_init_script("""
            Object.defineProperty(navigator, "clipboard", { value: undefined });
            document.execCommand = () => (document.title = getSelection().toString(), true);
        """)
        page.goto(f"/t/{session_id}/results")
        copy = page.locator("[data-copied]")
        phone.set_offline(True)
        copy.click()
        page.get_by_text("No network. Try again later.").wait_for()
        phone.set_offline(False)
        copy.click()
        page.get_by_text("Copied").wait_for()
        selected = page.evaluate("getSelection().toString()")
        assert selected.strip().splitlines() == expected.splitlines()
