"""Nothing that axe finds in what comes over a page: a strip, a question, a sheet, a refusal."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, played, told
from tests.browser.letters import Letters
from tests.browser.phones import HEIGHT, NAMES, WORKERS, Evening, asking, empty
from tests.browser.places import REPORTED, WIDER, brought_in, watched
from tests.browser.test_axe_pages import AXE, RUN_AXE, WAYS, Way
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
    """A page, and a server on which whatever a state needs is set up anew."""

    page: "Page"
    server: Server

    def at(self, selector: str) -> "Locator":
        """The first that matches."""
        return self.page.locator(selector).first

    def go(self, path: str) -> None:
        """Open a page, and wait for what it draws."""
        self.page.goto(path)

    def hold(self, session_id: str, key: str) -> None:
        """Let this phone hold a key to a session."""
        origin = self.server.origin
        name = f"table-{session_id[:32]}"
        self.page.context.add_cookies([{"name": name, "value": key, "url": origin}])

    def table(
        self, game: str, query: str = "", who: str = "host", events: tuple[Any, ...] = ()
    ) -> Evening:
        """The table of a game at which a hand is dealt, and what more is on record."""
        evening = Evening.begin(self.server, game, len(GAMES[game].split()))
        dealt = {"dealer": played(game, DICE[game]).dealer}
        evening.record(("hand_started", dealt), *events)
        self.hold(evening.id, evening.key(who))
        self.go(f"/t/{evening.id}{query}")
        return evening

    def example(self) -> Any:
        """The evening of the example, with a dispute that is open."""
        opened = brought_in(self.server, EXAMPLE, DISPUTED)
        self.hold(opened["id"], opened["keys"]["host"])
        return opened["id"]

    def offline(self, away: bool = True) -> None:
        """Take the network away, or give it back."""
        self.page.context.set_offline(away)


def waiting(stage: Stage) -> None:
    """Cards wait without a network."""
    stage.table("briscola_regina", "?level=cards", "leo")
    stage.offline()
    stage.at(CARD).click()
    stage.at("#strip [data-line=waiting]").wait_for()


def kept(stage: Stage) -> None:
    """The page that the phone has kept, opened without a network."""
    evening = stage.table("riparto", "?level=tricks", "leo")
    stage.page.evaluate("async () => { await navigator.serviceWorker.ready; }")
    held = "async (path) => Boolean(await caches.match(path))"
    until(lambda: stage.page.evaluate(held, f"/t/{evening.id}"), 10)
    stage.offline()
    stage.page.reload()
    stage.page.evaluate(NOTE, "note 1")
    stage.at("#strip [data-line=waiting]").wait_for()


def conflict(stage: Stage) -> None:
    """Another has recorded something since."""
    evening = stage.table("picchetto", "?level=tricks", "mara")
    stage.offline()
    for n in ("1", "2"):
        stage.page.evaluate(NOTE, f"note {n}")
    evening.record(("note_added", {"text": "note 1"}), by="leo")
    stage.offline(away=False)
    stage.at("[data-part=same]").wait_for()


def pocket(stage: Stage) -> None:
    """Locked against a pocket."""
    stage.table("riparto", "?level=tricks")
    stage.at("header.top").click(delay=750, position={"x": 5, "y": 5})
    stage.at("#pocket").wait_for()


def irregular(stage: Stage) -> None:
    """A card out of turn: whether it was so is asked."""
    stage.table("briscola_regina", "?level=cards")
    stage.at("form.card_played [data-group=player] label:not(:has(:checked))").click()
    stage.at(CARD).click()
    stage.at("#notice.irregular").wait_for()


def stale(stage: Stage) -> None:
    """Somebody was quicker."""
    evening = stage.table("briscola_regina", "?level=tricks")
    stage.page.evaluate(asking("live.close()"))
    evening.record(("trick_taken", {"player": "ben"}), by="zoe")
    stage.at("form.trick_taken button").click()
    stage.at("#notice.stale").wait_for()


def late(stage: Stage) -> None:
    """What could not be said while the hand was played."""
    game = "briscola_col_monte"
    events = [(one["type"], one["data"]) for one in told(game, "cards", DICE[game])]
    stage.table(game, "?level=cards", events=tuple(events))
    stage.at(".also > details:has(form.cards_laid_away) > summary").click()


def shown(stage: Stage) -> None:
    """What elder shows, one after the other."""
    stage.table("picchetto", "?level=tricks")
    stage.at("form.shown").wait_for()


def exchanged(stage: Stage) -> None:
    """The cards of the exchange, and all that is said after it."""
    exchange = [
        (one["type"], one["data"])
        for one in told("picchetto", "cards", DICE["picchetto"])
        if one["type"] == "cards_exchanged"
    ]
    stage.table("picchetto", "?level=cards", events=tuple(exchange))
    stage.page.evaluate("() => document.querySelectorAll('details').forEach((e) => e.open = true)")


def rest(stage: Stage) -> None:
    """All the tricks that are left, for one."""
    stage.table("knock", "?level=tricks", events=(("trick_taken", {"player": "leo"}),))
    stage.page.locator(".aside summary").click()
    stage.at(".aside form.rest_claimed").wait_for()


def flat(stage: Stage) -> None:
    """One phone flat on the table, that takes the tricks."""
    stage.table("briscola_chiamata", "?level=tricks&view=flat")
    stage.at(".zone").wait_for()


def sheets(stage: Stage) -> None:
    """The log, and the ways to look at a table, that come up from the bar."""
    stage.table("riparto", "?level=totals")
    stage.page.evaluate(
        "() => document.querySelectorAll('.bar details').forEach((e) => e.open = true)"
    )
    stage.at(".log li").first.wait_for()


def desk_edit(stage: Stage) -> None:
    """An event at the dispute desk."""
    events = [(one["type"], one["data"]) for one in told("riparto", "tricks", DICE["riparto"])]
    disputed = ("hand_disputed", {"player": "leo", "reason": "Wrong score"})
    evening = stage.table("riparto", events=(*events, disputed))
    stage.go(f"/t/{evening.id}/d/1-1")
    bid = evening.events("bid_made")[0]["seq"]
    stage.at(f"a[href$='/e/{bid}']").click()
    stage.at("form.sheet-form").wait_for()


def desk_insert(stage: Stage) -> None:
    """What was left out, at the dispute desk."""
    desk_edit(stage)
    stage.at("form:has(#insert) button").click()
    stage.page.wait_for_url("**insert=**")


def desk_preview(stage: Stage) -> None:
    """What a correction would change."""
    desk_edit(stage)
    stage.at("form.sheet-form input[inputmode=numeric]").fill("9")
    stage.at("form.sheet-form button").click()
    stage.page.wait_for_url("**/preview?**")


def desk_sign(stage: Stage) -> None:
    """A proposal that has to be signed."""
    desk_preview(stage)
    stage.at("form[action$='/propose'] button").click()
    stage.at("form[action$='/sign']").wait_for()


def join(stage: Stage) -> None:
    """The link with the key of a seat."""
    evening = Evening.begin(stage.server)
    stage.go(f"/join/{evening.key('leo')}")


def join_again(stage: Stage) -> None:
    """That link on the phone of the host."""
    evening = stage.table("picchetto")
    stage.go(f"/join/{evening.key('leo')}")
    stage.at("[role=alert]").wait_for()


def revoked(stage: Stage) -> None:
    """A link that opens nothing: 401."""
    stage.go("/join/nothing-that-opens-anything")


def no_key(stage: Stage) -> None:
    """A table to which this phone has no key: 401."""
    evening = Evening.begin(stage.server)
    stage.go(f"/t/{evening.id}/results")


def forbidden(stage: Stage) -> None:
    """A page for the host alone: 403."""
    evening = stage.table("picchetto", who="view")
    stage.go(f"/t/{evening.id}/share")
    assert "403" in stage.page.inner_text("main")


def no_hand(stage: Stage) -> None:
    """A hand that nobody dealt: 404."""
    evening = stage.table("picchetto")
    stage.go(f"/t/{evening.id}/h/7-7")
    assert "404" in stage.page.inner_text("main")


def too_often(stage: Stage) -> None:
    """Wrong codes until one more is said to be too many: 429."""
    form = "application/x-www-form-urlencoded"
    for _ in range(TOO_MANY):
        stage.server.get("/code", "POST", "code=222222&show=seats", Content_Type=form)
    stage.go("/code")
    stage.page.fill("#code", "222222")
    stage.page.press("#code", "Enter")
    assert "Too many wrong codes" in stage.at("[role=alert]").inner_text()


def new_wrong(stage: Stage) -> None:
    """A new table with too few names: 422."""
    stage.go("/new?pick=riparto")
    stage.page.fill("#name-0", NAMES["mara"])
    stage.page.press("#name-0", "Enter")
    stage.at("[role=alert]").wait_for()


def on_paper(stage: Stage) -> None:
    """As a sheet of paper shows it, and as wide."""
    stage.page.set_viewport_size({"width": PAPER, "height": HEIGHT})
    stage.page.emulate_media(media="print")


def printed(stage: Stage) -> None:
    """The results on paper."""
    stage.go(f"/t/{stage.example()}/results")
    on_paper(stage)


def printed_hand(stage: Stage) -> None:
    """A hand on paper."""
    stage.go(f"/t/{stage.example()}/h/1-5")
    on_paper(stage)


STATES: Final[Mapping[str, Callable[[Stage], None]]] = {
    one.__name__: one
    for one in (
        waiting, kept, conflict, pocket, irregular, stale, late, shown, exchanged, rest, flat,
        sheets, desk_edit, desk_insert, desk_preview, desk_sign, join, join_again, revoked, no_key,
        forbidden, no_hand, new_wrong, printed, printed_hand, too_often,
    )
}  # fmt: skip
# Of those that look alike, all but one wait for the soak.
MORE: Final = (
    "kept", "stale", "shown", "exchanged", "rest", "desk_insert", "desk_preview", "join_again",
    "revoked", "no_key", "no_hand", "printed_hand",
)  # fmt: skip


def looks() -> Iterator[Any]:
    """Each state in a way that changes from state to state; the others in the soak."""
    for at, state in enumerate(STATES):
        for number, way in enumerate(WAYS):
            looked_at = state not in MORE and number == at * 10 % len(WAYS)
            marks = [] if looked_at else [pytest.mark.soak]
            yield pytest.param(state, way, marks=marks, id=f"{state}-{way[0]}-{way[1]}-{way[2]}")


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
    """The page, which is given back with a network and as on a screen."""
    yield Stage(page, server)
    empty(page, server.origin)
    page.emulate_media(media="screen")


@pytest.mark.parametrize(("state", "way"), list(looks()))
def test_a_state_is_for_everybody(stage: Stage, letters: Letters, state: str, way: Way) -> None:
    language, theme, width = way
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
    assert {name: one for name, one in faults.items() if one} == {}
