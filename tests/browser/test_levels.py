"""Whole auctions, and hands that change their level of detail, entered on two phones by taps."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.browser.hands import DICE, GAMES, log_of
from tests.browser.phones import Evening, phone
from tests.browser.thumb import Thumb
from tests.conftest import SOAK
from tests.operation.serving import Server
from tests.players.common import Event
from tests.samples import SAMPLES

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture
def phones(
    request: pytest.FixtureRequest, server: Server, browser: "Browser"
) -> Iterator[tuple[Thumb, Thumb]]:
    """Return the phones of the host and of Leo, at a table with a hand that is dealt."""
    game: str = request.param
    evening = Evening.begin(server, game, len(GAMES[game].split()))
    dealer = log_of(game, "cards", DICE[game])[2]["data"]["dealer"]
    evening.record(("hand_started", {"dealer": dealer}))
    with phone(browser, evening, "host") as host, phone(browser, evening, "leo") as leo:
        yield Thumb(host), Thumb(leo)


def enter(phones: tuple[Thumb, Thumb], event: Event) -> None:
    """Enter an event on the phone of its player once the phone shows all events before it."""
    host, leo = phones
    by = leo if event["data"].get("player") == "leo" else host
    by.phone.wait_for(by.phone.evening.version())
    by.record(event["type"], event["data"])


AUCTIONS: Final = {game: sample.auction for game, sample in SAMPLES.items() if sample.auction}
SUITE: Final = "briscola_chiamata"


@pytest.mark.parametrize(
    ("phones", "auction"),
    [
        pytest.param(game, auction, id=game, marks=[] if game == SUITE else [pytest.mark.soak])
        for game, auction in AUCTIONS.items()
    ],
    indirect=["phones"],
)
def test_whole_auction_is_entered_without_scrolling(
    phones: tuple[Thumb, Thumb], auction: tuple[Sequence[Event], int, Sequence[Event], int]
) -> None:
    bids, most, rest, more = auction
    host, leo = phones
    for thumb in phones:
        thumb.open("tricks")
    for bid in bids:
        enter(phones, bid)
    assert host.taps + leo.taps <= most, (host.texts, leo.texts)
    assert host.scrolls + leo.scrolls == 0, (host.texts, leo.texts)
    if SOAK:
        for entry in rest:
            enter(phones, entry)
        [hand] = host.phone.evening.get()["matches"][-1]["hands"]
        assert hand["status"] == "complete"
        assert host.taps + leo.taps <= most + more, (host.texts, leo.texts)


# ------------------------------------------------------------------------- changes of the level


def change(host: Thumb, level: str) -> str:
    """Tap a level of detail; return the first step on the page."""
    host.page.locator(".seldom:visible > summary").click()
    host.page.locator("a[data-level]:visible", has_text=level.capitalize()).click()
    host.page.locator(f'#table[data-level="{level}"]').wait_for()
    form = host.page.locator(".pad form[data-step]").first
    assert form.is_visible()
    return str(form.get_attribute("data-step"))


@pytest.mark.parametrize(
    ("phones", "game"),
    [
        pytest.param(game, game, id=game, marks=[] if game == SUITE else [pytest.mark.soak])
        for game in GAMES
    ],
    indirect=["phones"],
)
def test_level_of_detail_changes_within_a_hand(phones: tuple[Thumb, Thumb], game: str) -> None:
    """From totals to tricks, to cards within a trick, to tricks and back to totals."""
    log = log_of(game, "cards", DICE[game])
    first = next(place for place, event in enumerate(log) if event["type"] == "card_played")
    size = len(GAMES[game].split())
    leads = [event["data"] for event in log if event["type"] == "card_played"][::size]
    host, _ = phones
    evening = host.phone.evening
    before: list[Any] = [(event["type"], event["data"]) for event in log[3:first]]
    if before:
        evening.record(*before)
    host.open("totals")
    assert change(host, "tricks")
    host.record("trick_taken", {"player": leads[1]["player"]})
    assert change(host, "cards") == "card_played"
    host.record("card_played", leads[1])
    assert change(host, "tricks") == "trick_taken"
    host.record("trick_taken", {"player": leads[2]["player"]})
    assert change(host, "cards") == "card_played"
    host.record("card_played", leads[2])
    assert change(host, "totals")
    finish(host)
    [hand] = evening.get()["matches"][-1]["hands"]
    assert hand["status"] == "complete"
    assert hand["level"] == "mixed"


def finish(host: Thumb) -> None:
    """Complete a hand with the steps of the level of totals."""
    for kind in ("partner_revealed", "outcome_recorded", "points_counted"):
        [hand] = host.phone.evening.get()["matches"][-1]["hands"]
        form = host.page.locator(f"form.{kind}")
        if hand["status"] == "complete" or not form.count():
            continue
        if kind == "points_counted":
            fields = form.locator("[data-high]").all()
            sides = [str(field.get_attribute("name")).rpartition(".")[2] for field in fields]
            host.record(kind, {"points": dict(zip(sides, (70, 30), strict=True))})
        else:
            host.record(kind, {"player": "mara"} if kind == "partner_revealed" else {"made": True})
