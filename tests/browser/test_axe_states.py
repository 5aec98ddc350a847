"""Accessibility of the states of a page: a strip, a question, a sheet, a refusal."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser import joining
from tests.browser.hands import DICE, GAMES, played, recorded_events
from tests.browser.letters import Letters
from tests.browser.phones import HEIGHT, NAMES, WORKERS, Evening, asking, empty
from tests.browser.places import REPORTED, WIDER, import_session, watched
from tests.browser.test_axe_pages import APPEARANCES, AXE, RUN_AXE, Appearance
from tests.operation.serving import Server, until
from tests.web.pages import EXAMPLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

pytestmark = pytest.mark.browser

DISPUTED: Final = 117  # events of the example until its last dispute is open
TOO_MANY: Final = 21  # wrong codes
PAPER: Final = 688  # the width of a sheet of A4 within its margins
CARD: Final = "form.card_played .cards button"
NOTE: Final = """async (text) => {
  const { outbox } = await import(document.querySelector("script[type=module]").src);
  const fields = [["type", "note_added"], ["t:text", text]];
  outbox.post(`${location.pathname}/record`, fields, text);
}"""


@dataclass
class Stage:
    """A page, and a server on which each state is set up."""

    page: "Page"
    server: Server

    def at(self, selector: str) -> "Locator":
        """Return the first match."""
        return self.page.locator(selector).first

    def go(self, path: str) -> None:
        """Open a page, and wait until it is drawn."""
        self.page.goto(path)

    def hold(self, key: str) -> None:
        """Give this phone a key to a session."""
        joining.join(self.page.context, self.server.origin, key)

    def table(
        self, game: str, query: str = "", who: str = "host", events: tuple[Any, ...] = ()
    ) -> Evening:
        """Open a table with a hand that is dealt, and record more events."""
        evening = Evening.begin(self.server, game, len(GAMES[game].split()))
        dealt = {"dealer": played(game, DICE[game]).dealer}
        evening.record(("hand_started", dealt), *events)
        self.hold(evening.key(who))
        self.go(f"/t/{evening.id}{query}")
        return evening

    def example(self) -> Any:
        """Import the example session with an open dispute."""
        opened = import_session(self.server, EXAMPLE, DISPUTED)
        self.hold(opened["keys"]["host"])
        return opened["id"]

    def offline(self, away: bool = True) -> None:
        """Disconnect the network, or connect it again."""
        self.page.context.set_offline(away)


def waiting(stage: Stage) -> None:
    """Show cards that wait without a network."""
    stage.table("briscola_regina", "?level=cards", "leo")
    stage.offline()
    stage.at(CARD).click()
    stage.at("#strip [data-line=waiting]").wait_for()


def kept(stage: Stage) -> None:
    """Open the stored page without a network."""
    evening = stage.table("riparto", "?level=tricks", "leo")
    stage.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    held = "async (path) => Boolean(await caches.match(path))"
    until(lambda: stage.page.evaluate(held, f"/t/{evening.id}"), 10)
    stage.offline()
    stage.page.reload()
    stage.page.evaluate(NOTE, "note 1")
    stage.at("#strip [data-line=waiting]").wait_for()


def conflict(stage: Stage) -> None:
    """Show a conflict with an entry of another phone."""
    evening = stage.table("picchetto", "?level=tricks", "mara")
    stage.offline()
    for n in ("1", "2"):
        stage.page.evaluate(NOTE, f"note {n}")
    evening.record(("note_added", {"text": "note 1"}), by="leo")
    stage.offline(away=False)
    stage.at("[data-part=same]").wait_for()


def pocket(stage: Stage) -> None:
    """Show the locked page."""
    stage.table("riparto", "?level=tricks")
    stage.at("header.top").click(delay=750, position={"x": 5, "y": 5})
    stage.at("#pocket").wait_for()


def irregular(stage: Stage) -> None:
    """Show the question after a card out of turn."""
    stage.table("briscola_regina", "?level=cards")
    stage.at("form.card_played [data-group=player] label:not(:has(:checked))").click()
    stage.at(CARD).click()
    stage.at("#notice.irregular").wait_for()


def stale(stage: Stage) -> None:
    """Show the refusal of an outdated form."""
    evening = stage.table("briscola_regina", "?level=tricks")
    stage.page.evaluate(asking("live.close()"))
    evening.record(("trick_taken", {"player": "ben"}), by="zoe")
    stage.at("form.trick_taken button").click()
    stage.at("#notice.stale").wait_for()


def late(stage: Stage) -> None:
    """Show the questions that come after a hand."""
    game = "briscola_col_monte"
    events = [
        (event["type"], event["data"]) for event in recorded_events(game, "cards", DICE[game])
    ]
    stage.table(game, "?level=cards", events=tuple(events))
    stage.at(".also > details:has(form.cards_laid_away) > summary").click()


def shown(stage: Stage) -> None:
    """Show the questions about the elder's cards."""
    stage.table("picchetto", "?level=tricks")
    stage.at("form.shown").wait_for()


def exchanged(stage: Stage) -> None:
    """Show the exchange and the declarations after it."""
    exchange = [
        (event["type"], event["data"])
        for event in recorded_events("picchetto", "cards", DICE["picchetto"])
        if event["type"] == "cards_exchanged"
    ]
    stage.table("picchetto", "?level=cards", events=tuple(exchange))
    stage.page.evaluate("() => document.querySelectorAll('details').forEach((e) => e.open = true)")


def rest(stage: Stage) -> None:
    """Show the claim of the remaining tricks."""
    stage.table("knock", "?level=tricks", events=(("trick_taken", {"player": "leo"}),))
    stage.page.locator(".aside summary").click()
    stage.at(".aside form.rest_claimed").wait_for()


def flat(stage: Stage) -> None:
    """Show the view for a phone in the middle of the table."""
    stage.table("briscola_chiamata", "?level=tricks&view=flat")
    stage.at(".zone").wait_for()


def sheets(stage: Stage) -> None:
    """Show the sheets with the log and the views of a table."""
    stage.table("riparto", "?level=totals")
    stage.page.evaluate(
        "() => document.querySelectorAll('.bar details').forEach((e) => e.open = true)"
    )
    stage.at(".log li").first.wait_for()


def desk_edit(stage: Stage) -> None:
    """Show an event at the dispute desk."""
    events = [
        (event["type"], event["data"])
        for event in recorded_events("riparto", "tricks", DICE["riparto"])
    ]
    disputed = ("hand_disputed", {"player": "leo", "reason": "Wrong score"})
    evening = stage.table("riparto", events=(*events, disputed))
    stage.go(f"/t/{evening.id}/d/1-1")
    bid = evening.events("bid_made")[0]["seq"]
    stage.at(f"a[href$='/e/{bid}']").click()
    stage.at("form.sheet-form").wait_for()


def desk_insert(stage: Stage) -> None:
    """Show the insertion of an event at the dispute desk."""
    desk_edit(stage)
    stage.at("form:has(#insert) button").click()
    stage.page.wait_for_url("**insert=**")


def desk_preview(stage: Stage) -> None:
    """Show the preview of a correction."""
    desk_edit(stage)
    stage.at("form.sheet-form input[inputmode=numeric]").fill("9")
    stage.at("form.sheet-form button").click()
    stage.page.wait_for_url("**/preview?**")


def desk_sign(stage: Stage) -> None:
    """Show a proposal to be signed."""
    desk_preview(stage)
    stage.at("form[action$='/propose'] button").click()
    stage.at("form[action$='/sign']").wait_for()


def join(stage: Stage) -> None:
    """Open the link of a seat."""
    evening = Evening.begin(stage.server)
    stage.go(f"/join/{evening.key('leo')}")


def join_again(stage: Stage) -> None:
    """Open the link of a seat on the phone of the host."""
    evening = stage.table("picchetto")
    stage.go(f"/join/{evening.key('leo')}")
    stage.at("[role=alert]").wait_for()


def revoked(stage: Stage) -> None:
    """Open a revoked link: 401."""
    stage.go("/join/nothing-that-opens-anything")


def no_key(stage: Stage) -> None:
    """Open a table without a key: 401."""
    evening = Evening.begin(stage.server)
    stage.go(f"/t/{evening.id}/results")


def forbidden(stage: Stage) -> None:
    """Open a page for the host only: 403."""
    evening = stage.table("picchetto", who="view")
    stage.go(f"/t/{evening.id}/share")
    assert "403" in stage.page.inner_text("main")


def no_hand(stage: Stage) -> None:
    """Open a hand that does not exist: 404."""
    evening = stage.table("picchetto")
    stage.go(f"/t/{evening.id}/h/7-7")
    assert "404" in stage.page.inner_text("main")


def too_often(stage: Stage) -> None:
    """Enter wrong codes until the limit: 429."""
    form = "application/x-www-form-urlencoded"
    for _ in range(TOO_MANY):
        stage.server.get("/code", "POST", "code=222222&show=seats", Content_Type=form)
    stage.go("/code")
    stage.page.fill("#code", "222222")
    stage.page.press("#code", "Enter")
    assert "Too many wrong codes" in stage.at("[role=alert]").inner_text()


def new_wrong(stage: Stage) -> None:
    """Send the form of a new table with too few names: 422."""
    stage.go("/new?pick=riparto")
    stage.page.fill("#name-0", NAMES["mara"])
    stage.page.press("#name-0", "Enter")
    stage.at("[role=alert]").wait_for()


def new_host(stage: Stage) -> Evening:
    """Show the settings of a seat that asked to become the host."""
    evening = stage.table("riparto", who="mara")
    stage.hold(evening.key("leo"))
    stage.go(f"/t/{evening.id}/settings")
    stage.at("#new-host summary").click()
    stage.at("#new-host form button").click()
    stage.at("#new-host form[action$='/end']").wait_for()
    return evening


def new_host_asked(stage: Stage) -> None:
    """Show the table page of a seat that is asked whether another becomes the host."""
    evening = new_host(stage)
    stage.hold(evening.key("mara"))
    stage.go(f"/t/{evening.id}")
    stage.at("form[action$='/agree']").wait_for()


def on_paper(stage: Stage) -> None:
    """Use the media and the width of printed paper."""
    stage.page.set_viewport_size({"width": PAPER, "height": HEIGHT})
    stage.page.emulate_media(media="print")


def printed(stage: Stage) -> None:
    """Show the results as printed."""
    stage.go(f"/t/{stage.example()}/results")
    on_paper(stage)


def printed_hand(stage: Stage) -> None:
    """Show a hand as printed."""
    stage.go(f"/t/{stage.example()}/h/1-5")
    on_paper(stage)


STATES: Final[Mapping[str, Callable[[Stage], object]]] = {
    state.__name__: state
    for state in (
        waiting, kept, conflict, pocket, irregular, stale, late, shown, exchanged, rest, flat,
        sheets, desk_edit, desk_insert, desk_preview, desk_sign, join, join_again, revoked, no_key,
        forbidden, no_hand, new_wrong, printed, printed_hand, too_often, new_host, new_host_asked,
    )
}  # fmt: skip
# Only the soak tests these: each resembles another state.
MORE: Final = (
    "kept", "stale", "shown", "exchanged", "rest", "desk_insert", "desk_preview", "join_again",
    "revoked", "no_key", "no_hand", "printed_hand",
)  # fmt: skip


def looks() -> Iterator[Any]:
    """Parametrize every other state, each in another appearance; the soak tests all appearances."""
    for at, state in enumerate(STATES):
        for number, appearance in enumerate(APPEARANCES):
            looked_at = state not in MORE and at % 2 == 0 and number == at * 10 % len(APPEARANCES)
            marks = [] if looked_at else [pytest.mark.soak]
            yield pytest.param(
                state,
                appearance,
                marks=marks,
                id=f"{state}-{appearance[0]}-{appearance[1]}-{appearance[2]}",
            )


@pytest.fixture(scope="module")
def page(browser: "Browser", server: Server) -> Iterator["Page"]:
    with (
        browser.new_context(
            base_url=server.origin,
            reduced_motion="reduce",
            service_workers=WORKERS,
        ) as context,
        watched(context.new_page()) as page,
    ):
        yield page


@pytest.fixture
def stage(page: "Page", server: Server) -> Iterator[Stage]:
    """Return the page, and at the end reconnect it and reset its media."""
    yield Stage(page, server)
    empty(page, server.origin)
    page.emulate_media(media="screen")


@pytest.mark.parametrize(("state", "appearance"), list(looks()))
def test_state_is_accessible(
    stage: Stage, letters: Letters, state: str, appearance: Appearance
) -> None:
    language, theme, width = appearance
    prefs = f"lang={language}&theme={theme}"
    origin = stage.server.origin
    stage.page.context.add_cookies([{"name": "prefs", "value": prefs, "url": origin}])
    stage.page.set_viewport_size({"width": width, "height": HEIGHT})
    STATES[state](stage)
    assert stage.page.get_attribute("html", "lang") in (language, "en")
    stage.page.evaluate(AXE.read_text("utf-8"))
    faults = {
        "policy": stage.page.evaluate(REPORTED),
        "axe": stage.page.evaluate(RUN_AXE),
        "sideways": letters.widest(stage.page, WIDER),
    }
    assert {name: fault for name, fault in faults.items() if fault} == {}
