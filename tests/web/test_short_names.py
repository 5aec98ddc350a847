"""Names that are fitted: the document has the whole name, and similar names keep their own letters.

Tests of ``web.wording.naming``.
"""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.events.names import fold_name
from scorekeeper.web.forms.scene import marks_of
from scorekeeper.web.wording.naming import distinct_names, fit_name, split_name
from tests.web.pages import Page

FLYER: Final = "👩🏽‍🚀"
WORDS: Final = (
    "Maria",
    "Anna",
    "Giovanna",
    "Grazia",
    "della",
    "A",
    "é",
    "山田",
    "ליאו",
    FLYER,
)
names: Final = st.lists(
    st.one_of(
        st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=60),
        st.lists(st.sampled_from(WORDS), min_size=1, max_size=6).map(" ".join),
        st.builds(lambda n, end: "Massimiliano " * n + end, st.integers(1, 4), st.text(max_size=3)),
    ).filter(str.strip),
    min_size=2,
    max_size=7,
)


@given(names)
def test_parts_of_a_name_are_the_whole_name(names_: list[str]) -> None:
    for name in names_:
        shared, own = split_name(name, names_)
        assert shared + own == name
        assert own


@given(names)
def test_names_with_the_same_beginning_differ_in_their_own_letters(names_: list[str]) -> None:
    parts = {name: split_name(name, names_) for name in names_}
    for name, (shared, own) in parts.items():
        for other, (beginning, others_own) in parts.items():
            if name != other and shared and beginning == shared:
                assert own[0] != others_own[0]


@pytest.mark.parametrize(
    ("names_", "parts"),
    [
        (("Margherita", "Leo"), ["Margherita", "Leo"]),
        (("Alessandro", "Alessandra"), ["Alessandr|o", "Alessandr|a"]),
        (("Maria Grazia", "Maria Giovanna"), ["Maria G|razia", "Maria G|iovanna"]),
        (("Giovanni Rossini", "Giovanni"), ["Giovanni| Rossini", "Giovanni"]),
        (("ALESSIO", "Alessia", "Alessandro"), ["ALESSI|O", "Alessi|a", "Aless|andro"]),
        (("Mara", "Marco"), ["Mara", "Marco"]),
        ((FLYER * 5, FLYER * 4 + "👩🏽"), [FLYER * 4 + "|" + FLYER, FLYER * 4 + "|👩🏽"]),
        (("zoe\u0301e", "zoe\u0301 a", "zoe"), ["zoe\u0301e", "zoe\u0301 a", "zoe"]),
        (("אלכסנדר", "אלכסנדרה"), ["אלכסנדר", "אלכסנדר|ה"]),
    ],
)
def test_the_rule_by_example(names_: tuple[str, ...], parts: list[str]) -> None:
    assert ["|".join(filter(None, split_name(name, names_))) for name in names_] == parts


def test_a_name_in_parts_is_read_as_a_whole() -> None:
    html = fit_name("Alessandr<a>", ["Alessandr<a>", "Alessandro"])
    assert Page.of(html).words == "Alessandr<a>" * 2
    assert html.count('aria-hidden="true"') == 2
    assert fit_name("Leo", ["Leo", "Lea"]) == '<bdi class="fit">Leo</bdi>'


def test_only_names_that_look_alike_have_a_place_and_it_is_no_rank() -> None:
    similar = {"a": "Massimiliano Rossi", "b": "Massimiliano Verdi"}
    assert distinct_names(similar) == similar
    same = distinct_names({"a": "Anna", "b": "Leo", "c": " anna"})
    assert list(same.values()) == ["Anna (1)", "Leo", " anna (3)"]


@given(names)
def test_displayed_names_all_differ(names_: list[str]) -> None:
    displayed = distinct_names({str(place): name for place, name in enumerate(names_)})
    same = {fold_name(name) for name in displayed.values()}
    assert len(same) == len(names_) or any(" (" in name for name in displayed.values())


def test_marks_are_letters_of_the_names() -> None:
    called = {"a": "Mara", "b": "Marco", "c": "Leo", "d": "Mia", "e": "Zoe", "f": "Ziad"}
    assert list(marks_of(called).values()) == ["Ma", "Mc", "L", "Mi", "Zo", "Zi"]
    assert list(marks_of({"a": "Alessandro", "b": "Alessandra"}).values()) == ["Ao", "Aa"]
    assert list(marks_of({"a": "Anna (1)", "b": "Anna (3)"}).values()) == ["A1", "A3"]
    assert len(set(marks_of({"a": "👩🏽‍🚀", "b": "👩🏽‍🚀 B", "c": "e\u0301"}).values())) == 3
