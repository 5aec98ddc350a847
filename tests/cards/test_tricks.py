"""Tricks as they are recorded: with cards, with winners, with numbers, in every mixture."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick, Tricks, strongest

CARDS = [Card.parse(rank + suit) for suit in "SHDC" for rank in ("A", "K", "Q", "J", "10", "9")]


def record(said: str, players: int = 2, total: int = 12) -> Tricks:
    """Tricks from one letter an entry: ``a`` plays a card, ``A`` took it, ``A3`` trick three."""
    tricks = Tricks(players, total)
    for seq, word in enumerate(said.split(), start=1):
        player, number = word[0].lower(), word[1:]
        if word[0].islower():
            tricks.play(Play(seq, player, CARDS[seq]))
        else:
            tricks.taken(seq, player, int(number) if number else None)
    return tricks


def told(tricks: Iterable[Trick]) -> list[tuple[int, str, str]]:
    """Number of each trick, who played to it, who was said to have taken it."""
    return [
        (t.number, "".join(p.player for p in t.plays), "".join(s.player for s in t.said))
        for t in tricks
    ]


@pytest.mark.parametrize(
    ("said", "tricks"),
    [
        ("", []),
        ("a b", [(1, "ab", "")]),
        ("A B A", [(1, "", "a"), (2, "", "b"), (3, "", "a")]),
        # the first said after all cards of a trick is the claim for it, a second is the next
        ("a b A", [(1, "ab", "a")]),
        ("a b A B", [(1, "ab", "a"), (2, "", "b")]),
        # said after the next card it completes that trick
        ("a b a A", [(1, "ab", ""), (2, "a", "a")]),
        ("a b a A b a", [(1, "ab", ""), (2, "a", "a"), (3, "ba", "")]),
        # a trick with some cards is completed by its winner
        ("a A a b", [(1, "a", "a"), (2, "ab", "")]),
        # with a number it is for that one
        ("a b a b A1", [(1, "ab", "a"), (2, "ab", "")]),
        ("a b a b A1 B", [(1, "ab", "a"), (2, "ab", ""), (3, "", "b")]),
        ("a b a b A2 B", [(1, "ab", ""), (2, "ab", "a"), (3, "", "b")]),
        ("A3 B A B", [(1, "", "b"), (2, "", "a"), (3, "", "a"), (4, "", "b")]),
        ("A2 a b a b", [(1, "ab", ""), (2, "", "a"), (3, "ab", "")]),
        ("a A1 b a", [(1, "a", "a"), (2, "ba", "")]),
        ("a A5 b", [(1, "ab", ""), (5, "", "a")]),
        # twice for one trick
        ("A1 B1", [(1, "", "ab")]),
    ],
)
def test_what_goes_to_which_trick(said: str, tricks: list[tuple[int, str, str]]) -> None:
    assert told(record(said)) == tricks


def test_tricks_beyond_the_hand_are_kept_apart() -> None:
    tricks = record("A B A B A9", total=3)
    assert [trick.number for trick in tricks] == [1, 2, 3]
    assert [trick.number for trick in tricks.beyond()] == [4, 9]


def test_a_number_as_large_as_there_is_costs_nothing() -> None:
    tricks = record("A9007199254740991 B")
    assert told(tricks) == [(1, "", "b")]
    assert [trick.number for trick in tricks.beyond()] == [2**53 - 1]


def test_the_trick_that_a_card_fills_is_returned() -> None:
    tricks = Tricks(players=2, total=12)
    assert tricks.play(Play(1, "a", CARDS[0])) is None
    last = Play(2, "b", CARDS[1])
    filled = tricks.play(last)
    assert filled is not None
    assert tricks.full(filled)
    assert filled.card_of("b") is last
    assert filled.card_of("c") is None
    assert filled.events() == (1, 2)


def test_the_trick_that_is_due() -> None:
    assert [record(said).due for said in ("", "a", "a b", "a b a", "A", "A2 B", "A2 B A")] == [
        1, 1, 2, 2, 2, 3, 4,
    ]  # fmt: skip


@given(st.lists(st.sampled_from(["a", "b", "c", "A", "B", "C1", "A2", "B7"]), max_size=20))
def test_no_entry_is_lost_and_none_is_in_two_tricks(words: list[str]) -> None:
    tricks = record(" ".join(words), players=3, total=4)
    kept = [seq for trick in (*tricks, *tricks.beyond()) for seq in trick.events()]
    assert sorted(kept) == list(range(1, len(words) + 1))
    assert all(len(trick.plays) <= 3 for trick in tricks.numbered.values())


# --------------------------------------------------------------------------------- strength


def strongest_of(said: str, strength: dict[str, int]) -> str:
    plays = [Play(seq, "a", Card.parse(code)) for seq, code in enumerate(said.split())]
    best = strongest(plays, {Card.parse(code): n for code, n in strength.items()})
    return str(best.card)


@pytest.mark.parametrize(
    ("plays", "strength", "best"),
    [
        ("AS KS", {"AS": 2, "KS": 1}, "AS"),
        ("KS AS", {"AS": 2, "KS": 1}, "AS"),
        ("KS AH", {"KS": 1}, "KS"),  # what has no strength cannot win
        ("AH KS", {"KS": 1}, "KS"),
        ("AH KH", {}, "AH"),  # and where nothing has, the card led wins
        ("AS KS", {"AS": 0, "KS": 0}, "KS"),  # of equals the last
    ],
)
def test_the_strongest_play(plays: str, strength: dict[str, int], best: str) -> None:
    assert strongest_of(plays, strength) == best
