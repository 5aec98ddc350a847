"""Names that are cut to fit: no two players of a table get the same short name.

Tests of ``web.wording.naming``.
"""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.web.wording.naming import (
    ON_A_ROW,
    ROOM,
    distinct_names,
    name_on_a_row,
    names_over_columns,
    short_names,
    text_width,
)

LEAST: Final = 2.6  # em: room for a number, a letter and the ellipsis
WORDS: Final = ("Maria", "Anna", "Giovanna", "Grazia", "della", "1.", "M.", "A", "é", "山田")
names: Final = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
        st.builds(lambda n, end: "Massimiliano " * n + end, st.integers(1, 4), st.text(max_size=3)),
    ).filter(str.strip),
    min_size=2,
    max_size=7,
)


def cut(*names_: str, room: float = 5) -> list[str]:
    return list(short_names(dict(enumerate(names_)), room).values())  # type: ignore[arg-type]


@given(names, st.floats(LEAST, 12))
def test_no_two_players_are_cut_to_the_same(names_: list[str], room: float) -> None:
    shortened = [" ".join(short.split()).casefold() for short in cut(*names_, room=room)]
    assert len(set(shortened)) == len(shortened)


@given(names, st.sampled_from(sorted(set(ROOM.values()))))
def test_cut_name_fits_and_ends_with_an_ellipsis(names_: list[str], room: float) -> None:
    for name, short in zip(names_, cut(*names_, room=room), strict=True):
        assert text_width(short) <= room
        assert short.endswith(("…", name.split()[-1]))


@pytest.mark.parametrize(
    ("names_", "shortened"),
    [
        (("Leo", "Anna"), ["Leo", "Anna"]),
        (("Massimiliano", "Leo"), ["Massi…", "Leo"]),
        (("Maria Grazia", "Maria Giovanna"), ["M. Grazia", "M. Giov…"]),
        (("Maria Grazia Rossi", "Maria Grazia Verdi"), ["…Rossi", "…Verdi"]),
        (("Anna Bianchi", "Anna", "Leo"), ["Anna Bi…", "Anna", "Leo"]),
        (("Alessandro", "Alessandra"), ["1. Ales…", "2. Ales…"]),
        (("Giovanni Rossini", "Giovanni"), ["Giovan…", "Giovanni"]),
        (("2. Alessandro", "Alessandro", "Alessandra"), ["1. 2. Al…", "2. Ales…", "3. Ales…"]),
        (("Zoë", "Zoé"), ["Zoë", "Zoé"]),
    ],
)
def test_the_rule_by_example(names_: tuple[str, ...], shortened: list[str]) -> None:
    assert cut(*names_) == shortened


def test_a_letter_is_not_cut_in_two() -> None:
    family = "👩\u200d👩\u200d👧"
    assert cut(family * 9, room=4) == [family * 2 + "…"]
    assert cut("e\u0301" * 20, room=2.6) == ["e\u0301" * 2 + "…"]


def test_equal_names_keep_their_numbers() -> None:
    twice = distinct_names({"a": "Massimiliano Rossi", "b": "Massimiliano Verdi"})
    assert list(short_names(twice, 5).values()) == ["M. Rossi", "M. Verdi"]
    assert list(short_names(twice, 4.5).values()) == ["…Rossi", "…Verdi"]
    same = distinct_names({"a": "Massimiliano Rossi", "b": "Massimiliano Rossi"})
    assert list(short_names(same, 5).values()) == ["1. Mas…", "2. Mas…"]


def test_similar_names_differ_above_columns_and_beside_hands() -> None:
    players = {
        name: f"Giovanni Battista {name.capitalize()}" for name in ["mara", "leo", "zoe", "ben"]
    }
    for many in range(2, len(players) + 1):
        some = dict(list(players.items())[:many])
        shortened = names_over_columns(some)
        assert len(set(shortened.values())) == many
        beside = [name_on_a_row(name, some) for name in some.values()]
        assert len(set(beside)) == many
        assert max(map(text_width, beside)) <= ON_A_ROW
    assert list(names_over_columns(players).values())[:2] == ["G. B. Mara", "G. B. Leo"]
    assert name_on_a_row("Somebody else", players) == "Somebody else"
