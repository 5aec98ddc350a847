"""No page reveals a face-down card: with other cards there, it would read the same."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from scorekeeper.games import GAMES
from tests.api.asking import Table
from tests.browser.hands import log_of, played
from tests.conftest import SOAK
from tests.players.common import Event
from tests.players.common import event as event_of
from tests.samples import SAMPLES
from tests.thinned import thinned
from tests.web.looking import brought_in, everybodys, look
from tests.web.pages import log_of as written
from tests.web.tapping import FRAGMENT, Tapped

PLACES: Final = (
    "", "?level=cards", "?level=totals", "?view=flat", "?view=watch", "/h/1-1", "/d/1-1",
    "/audit", "/results", "/settings", "/log",
)  # fmt: skip
CORRECTION_PAGES: Final = (
    "",
    "/log",
    "/h/1-1",
    "/d/1-1",
    "/audit",
)  # the places that tell what was corrected
IN_PLACE: Final = ("?level=cards", "?view=flat")
# The dice of a hand in which somebody lays cards face down.
SECRET: Final = {
    game: sample.secret for game, sample in SAMPLES.items() if sample.secret is not None
}
LOOKING: Final = ("view", "leo")
PASSING: Final = re.compile(
    r'[0-9a-f]{16,}|<p class="head-letters">.*?</p>|'
    r"(?:[0-9a-f]{4}\s+){3,}[0-9a-f]{4}|<svg.*?</svg>|table-\w+|/t/\w+|/sessions/\w+"
    r'|\d\d:\d\d(:\d\d)?(\.\d+)?Z?|(?<=name="key" value=")[^"]*|data-session="\w+"|[\w-]+\.jsonl',
    re.DOTALL,
)
OPENING: Final = 2  # events before those of the hand
World = list[Event]


def hidden_fields(event: Event, game: str) -> list[str]:
    """Return the names of the cards that are face down in an event."""
    family = GAMES[game].by_type.get(event["type"])
    hidden = getattr(family, "HIDDEN", ()) if family else ()
    return [name for name in hidden if name not in PUBLIC and event["data"].get(name)]


def secrets(game: str) -> list[tuple[Event, str]]:
    """Return the events of a hand with face-down cards, and the field."""
    hand = played(game, SECRET[game]).records["cards"]
    return [(raw, field) for raw in hand for field in hidden_fields(raw, game)]


def two_worlds(game: str, secret: Event, field: str, more: int = 1) -> tuple[World, World]:
    """Return two variants of a hand's beginning that differ in the cards laid face down."""
    hand = played(game, SECRET[game]).records["cards"]
    rest = [raw for raw in hand if raw is not secret]
    plays = [event["data"] for event in hand if event["type"] == "card_played"]
    own = [play["card"] for play in plays if play["player"] == secret["data"]["player"]]
    begins = next(n for n, event in enumerate(rest) if event["type"] == "card_played")
    begins = min(begins, hand.index(secret))
    laid = secret["data"][field]
    swapped = {**secret, "data": {**secret["data"], field: instead(laid, own[-1])}}
    one, other = ([*rest[:begins], raw, *rest[begins : begins + more]] for raw in (secret, swapped))
    return one, other


def instead(laid: Any, other: str) -> Any:
    """Return the face-down cards, with another in place of the first."""
    if isinstance(laid, dict):
        return {**laid, next(iter(laid)): other}
    return other if isinstance(laid, str) else [other, *laid[1:]]


def table_of(game: str, events: World) -> Table:
    """Return a session of these events."""
    opening = [
        (event["type"], event["data"]) for event in log_of(game, "cards", SECRET[game])[:OPENING]
    ]
    pairs: list[tuple[str, dict[str, Any]]] = [(event["type"], event["data"]) for event in events]
    return brought_in(written(*opening, *pairs), everybodys())


def plain(html: str) -> str:
    """Return a page without the parts that differ in any session."""
    return PASSING.sub("·", html)


def pages_of(
    game: str, events: World, places: tuple[str, ...] = PLACES
) -> dict[tuple[str, str], str]:
    """Return the pages that everybody sees of a session of these events."""
    table = table_of(game, events)
    seen = {(who, at): plain(look(table, at, who).text) for who in LOOKING for at in places}
    taps = tapped(table)
    for at in IN_PLACE:
        seen["leo", f"{at} in place"] = plain(taps.get(at, "leo", **FRAGMENT).text)
    return seen


def tapped(table: Table) -> Tapped:
    """Return the same session, operated by taps."""
    seats = {who: key for who, key in table.keys.items() if who not in ("host", "view")}
    keys = {"host": table.keys["host"], "view": table.keys["view"], "seats": seats}
    seat = Tapped(table.client, {"id": table.id, "keys": keys}, who="leo")
    seat.level = "cards"
    return seat


def differing(game: str, *worlds: World, places: tuple[str, ...] = PLACES) -> list[Any]:
    """Return the pages that differ between two variants."""
    seen, otherwise = (pages_of(game, world, places) for world in worlds)
    return [where for where, text in seen.items() if text != otherwise[where]]


def test_every_game_with_cards_face_down_is_looked_at() -> None:
    hiding = [
        game.id for game in GAMES.values()
        if any(set(event.HIDDEN) - set(PUBLIC) for event in game.events)
    ]  # fmt: skip
    assert hiding == list(SECRET)


@pytest.mark.parametrize("game", thinned(SECRET, 2))
def test_with_other_cards_face_down_every_page_reads_the_same(game: str) -> None:
    first, *others = secrets(game)
    assert differing(game, *two_worlds(game, *first)) == []
    assert differing(game, *two_worlds(game, *first, more=0), places=CORRECTION_PAGES) == []
    for other in others:
        assert differing(game, *two_worlds(game, *other), places=CORRECTION_PAGES) == []


# ---------------------------------------------------------- the same fact in other events


def corrected(events: World, secret: Event, how: str) -> World:
    """Return the same variant, with face-down cards that were inserted, or taken back."""
    place = next(n for n, event in enumerate(events) if event["type"] == secret["type"])
    raw, seq = events[place], place + 1 + OPENING
    bare = {**raw, "data": {key: raw["data"][key] for key in raw["data"] if key in PUBLIC}}
    what = {"type": raw["type"], "data": raw["data"], "reason": "it was left out"}
    match how:
        case "struck":
            change = event_of("event_struck", seq=seq, reason="too early")
            return [*events[: place + 1], change, *events[place + 1 :]]
        case "replaced":
            change = event_of("event_replaced", seq=seq, **what)
            return [*events[:place], bare, change, *events[place + 1 :]]
        case _:
            change = event_of("event_inserted", after=seq - 1, **what)
            return [*events[:place], change, *events[place + 1 :]]


PUBLIC: Final = ("player", "count", "set")


HOW: Final = ("struck", "replaced", "inserted")


def every_correction() -> Iterator[Any]:
    """Each game corrected in its own way; in the soak, every game in all ways."""
    for place, game in enumerate(SECRET):
        for number, how in enumerate(HOW):
            marks = [] if number == place % len(HOW) else [pytest.mark.soak]
            yield pytest.param(game, how, marks=marks, id=f"{game}-{how}")


@pytest.mark.parametrize(("game", "how"), list(every_correction()))
def test_corrected_face_down_cards_stay_hidden(game: str, how: str) -> None:
    secret, field = secrets(game)[0]
    one, other = (corrected(it, secret, how) for it in two_worlds(game, secret, field))
    assert one != other
    assert differing(game, one, other, places=CORRECTION_PAGES) == []


# ------------------------------------------------------------------------- what is answered


def cards_in(world: World, secret: Event, field: str) -> set[str]:
    """Return the face-down cards of a variant."""
    laid = next(event["data"][field] for event in world if is_same(event, secret))
    if isinstance(laid, dict):
        return set(laid.values())
    return {laid} if isinstance(laid, str) else set(laid)


def is_same(event: Event, secret: Event) -> bool:
    """Return whether an event is the secret one, with any cards."""
    public = [{key: it["data"].get(key) for key in PUBLIC} for it in (event, secret)]
    return bool(event["type"] == secret["type"] and public[0] == public[1])


def answers(game: str, world: World, cards: list[str]) -> Iterator[tuple[int, str]]:
    """Return the responses to a seat that records one of these cards as played, and undoes it."""
    table = tapped(table_of(game, world))
    for card in cards:
        before = len(table.events())
        answer = table.tap("card_played", ("with:card", f'{{"card":"{card}"}}'))
        yield answer.status_code, plain(answer.text)
        yield 0, plain(table.get(**FRAGMENT).text)
        if len(table.events()) > before:
            undo = next(form for form in table.forms() if form.classes == "undo")
            answer = table.post(undo, [], **FRAGMENT)
            yield answer.status_code, plain(answer.text)


@pytest.mark.parametrize("game", SECRET)
def test_recording_a_card_as_played_reveals_no_face_down_card(game: str) -> None:
    for secret, field in secrets(game)[: None if SOAK else 1]:
        one, other = two_worlds(game, secret, field)
        cards = sorted(cards_in(one, secret, field) ^ cards_in(other, secret, field))
        assert len(cards) == 2
        assert list(answers(game, one, cards)) == list(answers(game, other, cards))


def test_player_who_laid_cards_away_gets_no_question_either() -> None:
    """Their phone may lie on the table for all to see, or be in another player's hand."""
    (secret, field), *_ = secrets("knock")
    one, _ = two_worlds("knock", secret, field, more=0)
    table = tapped(table_of("knock", [it for it in one if it is not secret]))
    table.record(secret, who=secret["data"]["player"])
    card = ("with:card", f'{{"card":"{secret["data"][field][0]}"}}')
    answer = table.tap("card_played", card, who=secret["data"]["player"])
    assert answer.status_code == 303
    assert table.events()[-1]["type"] == "card_played"


def test_question_about_another_rule_reveals_no_face_down_card() -> None:
    (secret, field), *_ = secrets("knock")
    one, _ = two_worlds("knock", secret, field, more=0)
    table = tapped(table_of("knock", one))
    out_of_turn = [("with:player", '{"player":"zoe"}'),
                   ("with:card", f'{{"card":"{secret["data"][field][0]}"}}')]  # fmt: skip
    answer = table.tap("card_played", *out_of_turn)
    assert answer.status_code == 422
    assert notice_of(answer.text)
    assert not any("laid away" in note for note in notice_of(answer.text))


def notice_of(html: str) -> list[str]:
    """Return the question on a page."""
    notice = html.partition('id="notice"')[2].partition("</section>")[0]
    return re.findall(r"<li><bdi>(.*?)</bdi>", notice)
