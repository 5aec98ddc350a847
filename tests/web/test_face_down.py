"""Nobody learns from a page what lies face down: with other cards there it would read the same."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from scorekeeper.games import GAMES
from tests.browser.hands import log_of, played
from tests.play.common import Event
from tests.web.looking import brought_in, everybodys, look
from tests.web.pages import log_of as written

PLACES: Final = (
    "", "?level=cards", "?view=flat", "/h/1-1", "/d/1-1", "/audit", "/results",
)  # fmt: skip
# The dice of a hand in which somebody lays cards face down.
SECRET: Final = {"riparto": 1, "picchetto": 8, "knock": 0, "briscola_col_monte": 2}
LOOKING: Final = ("view", "leo")
PASSING: Final = re.compile(
    r'[0-9a-f]{16,}|<p class="head-letters">.*?</p>|'
    r"(?:[0-9a-f]{4}\s+){3,}[0-9a-f]{4}|<svg.*?</svg>|table-\w+|/t/\w+|/sessions/\w+"
    r'|\d\d:\d\d(:\d\d)?(\.\d+)?Z?|(?<=name="key" value=")[^"]*|data-session="\w+"|\w{12}\.jsonl',
    re.DOTALL,
)


def hidden_fields(one: Event, game: str) -> list[str]:
    """The names of what is face down in an event."""
    family = GAMES[game].by_type.get(one["type"])
    hidden = getattr(family, "HIDDEN", ()) if family else ()
    return [name for name in hidden if one["data"].get(name)]


def two_worlds(game: str) -> Iterator[tuple[list[Event], ...]]:
    """The beginning of a hand after cards were laid face down, and the same with another there."""
    hand = played(game, SECRET[game]).records["cards"]
    secret, fields = next((one, f) for one in hand if (f := hidden_fields(one, game)))
    rest = [one for one in hand if one is not secret]
    plays = [one["data"] for one in hand if one["type"] == "card_played"]
    own = [one["card"] for one in plays if one["player"] == secret["data"]["player"]]
    begins = next(n for n, one in enumerate(rest) if one["type"] == "card_played")
    begins = min(begins, hand.index(secret))
    laid = secret["data"][fields[0]]
    for other in own[-2:]:
        swapped = {**secret, "data": {**secret["data"], fields[0]: instead(laid, other)}}
        for more in (0, 1):
            after = rest[begins : begins + more]
            yield tuple([*rest[:begins], one, *after] for one in (secret, swapped))


def instead(laid: str | list[str], other: str) -> str | list[str]:
    """The cards that lie face down, the first of them another."""
    return other if isinstance(laid, str) else [other, *laid[1:]]


def pages_of(game: str, events: list[Event]) -> dict[tuple[str, str], str]:
    """What everybody sees of a session of these events, but for what differs in any session."""
    opening = [(one["type"], one["data"]) for one in log_of(game, "cards", SECRET[game])[:2]]
    told: list[tuple[str, dict[str, Any]]] = [(one["type"], one["data"]) for one in events]
    table = brought_in(written(*opening, *told), everybodys())
    return {
        (who, place): PASSING.sub("·", look(table, place, who).text)
        for who in LOOKING
        for place in PLACES
    }


@pytest.mark.parametrize("game", SECRET)
def test_with_other_cards_face_down_every_page_reads_the_same(game: str) -> None:
    assert list(two_worlds(game))
    for one, other in two_worlds(game):
        seen, otherwise = pages_of(game, one), pages_of(game, other)
        differing = [where for where, text in seen.items() if text != otherwise[where]]
        assert differing == []
