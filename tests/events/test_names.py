"""``events.names``: a name that nobody can see is none."""

import pytest

from scorekeeper.events.common import NewPlayer, PlayerJoined, SessionOpened
from scorekeeper.events.names import invisible_texts, is_visible

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
def test_text_without_visible_characters_is_invisible(text: str) -> None:
    assert not is_visible(text)
    assert is_visible(f"{text}i{text}")


@pytest.mark.parametrize(
    "text", ["A", "1", "?", "日", "ע", "🎉", "👨‍👩‍👧", "e\u0301", "\U000e0041x", "नि"]
)
def test_text_with_a_visible_character_is_visible(text: str) -> None:
    assert is_visible(text)


def test_invisible_names_of_an_event_are_found() -> None:
    players = (NewPlayer("a", "A"), NewPlayer("b", "\u200b"), NewPlayer("c", "\u2060"))
    assert list(invisible_texts(SessionOpened("\u200b", players))) == [
        "title", "players.1.name", "players.2.name",
    ]  # fmt: skip
    assert list(invisible_texts(PlayerJoined("d", "D"))) == []
