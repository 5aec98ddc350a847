"""``events.names``: a name that nobody can see is none."""

import pytest

from scorekeeper.events.common import NewPlayer, PlayerJoined, SessionOpened
from scorekeeper.events.names import invisible, visible

UNSEEN = (
    "",
    " ",
    "\u200b",
    "\u200d\u2060\ufeff",
    "\u3164",
    "\u2800",
    "\u034f",
    "\ufe0f",
    "\u202e\u2066",
)


@pytest.mark.parametrize("text", UNSEEN)
def test_nothing_can_be_seen_of_it(text: str) -> None:
    assert not visible(text)
    assert visible(f"{text}i{text}")


@pytest.mark.parametrize(
    "text", ["A", "1", "?", "日", "ע", "🎉", "👨‍👩‍👧", "e\u0301", "\U000e0041x", "नि"]
)
def test_something_can_be_seen_of_it(text: str) -> None:
    assert visible(text)


def test_each_such_name_of_an_event_is_found() -> None:
    players = (NewPlayer("a", "A"), NewPlayer("b", "\u200b"), NewPlayer("c", "\u2060"))
    assert list(invisible(SessionOpened("\u200b", players))) == [
        "title", "players.1.name", "players.2.name",
    ]  # fmt: skip
    assert list(invisible(PlayerJoined("d", "D"))) == []
