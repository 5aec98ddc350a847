"""Recording of tricks: with cards, with named winners, with numbers, and mixtures of these."""

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Play, Trick, Tricks, strongest

CARDS = [Card.parse(rank + suit) for suit in "SHDC" for rank in ("A", "K", "Q", "J", "10", "9")]


def record(script: str, players: int = 2, total: int = 12) -> Tricks:
    """Record the entries of a script: ``a`` plays a card, ``A`` won, ``A3`` won trick three."""
    tricks = Tricks(players, total)
    for seq, word in enumerate(script.split(), start=1):
        player, number = word[0].lower(), word[1:]
        if word[0].islower():
            tricks.play(Play(seq, player, CARDS[seq]))
        else:
            tricks.name_winner(seq, player, int(number) if number else None)
    return tricks


def summary(tricks: Iterable[Trick]) -> list[tuple[int, str, str]]:
    """Return the number of each trick, the players of its cards, and its named winners."""
    return [
        (t.number, "".join(p.player for p in t.plays), "".join(w.player for w in t.named_winners))
        for t in tricks
    ]


@pytest.mark.parametrize(
    ("script", "tricks"),
    [
        ("", []),
        ("a b", [(1, "ab", "")]),
        ("A B A", [(1, "", "a"), (2, "", "b"), (3, "", "a")]),
        # after all cards of a trick, a first winner belongs to it and a second to the next
        ("a b A", [(1, "ab", "a")]),
        ("a b A B", [(1, "ab", "a"), (2, "", "b")]),
        # a winner after the next card completes the trick of that card
        ("a b a A", [(1, "ab", ""), (2, "a", "a")]),
        ("a b a A b a", [(1, "ab", ""), (2, "a", "a"), (3, "ba", "")]),
        # a winner completes a trick with some cards
        ("a A a b", [(1, "a", "a"), (2, "ab", "")]),
        # a winner with a number belongs to the trick of that number
        ("a b a b A1", [(1, "ab", "a"), (2, "ab", "")]),
        ("a b a b A1 B", [(1, "ab", "a"), (2, "ab", ""), (3, "", "b")]),
        ("a b a b A2 B", [(1, "ab", ""), (2, "ab", "a"), (3, "", "b")]),
        ("A3 B A B", [(1, "", "b"), (2, "", "a"), (3, "", "a"), (4, "", "b")]),
        ("A2 a b a b", [(1, "ab", ""), (2, "", "a"), (3, "ab", "")]),
        ("a A1 b a", [(1, "a", "a"), (2, "ba", "")]),
        ("a A5 b", [(1, "ab", ""), (5, "", "a")]),
        # two winners of one trick
        ("A1 B1", [(1, "", "ab")]),
    ],
)
def test_each_entry_belongs_to_its_trick(script: str, tricks: list[tuple[int, str, str]]) -> None:
    assert summary(record(script)) == tricks


def test_tricks_beyond_the_hand_are_separate() -> None:
    tricks = record("A B A B A9", total=3)
    assert [trick.number for trick in tricks] == [1, 2, 3]
    assert [trick.number for trick in tricks.beyond()] == [4, 9]


def test_largest_possible_number_creates_one_trick() -> None:
    tricks = record("A9007199254740991 B")
    assert summary(tricks) == [(1, "", "b")]
    assert [trick.number for trick in tricks.beyond()] == [2**53 - 1]


def test_play_returns_the_trick_that_it_fills() -> None:
    tricks = Tricks(players=2, total=12)
    assert tricks.play(Play(1, "a", CARDS[0])) is None
    last = Play(2, "b", CARDS[1])
    filled = tricks.play(last)
    assert filled is not None
    assert tricks.is_full(filled)
    assert filled.card_of("b") is last
    assert filled.card_of("c") is None
    assert filled.events() == (1, 2)


def test_due_is_the_trick_of_the_next_card() -> None:
    scripts = ("", "a", "a b", "a b a", "A", "A2 B", "A2 B A")
    assert [record(script).due for script in scripts] == [1, 1, 2, 2, 2, 3, 4]


@given(st.lists(st.sampled_from(["a", "b", "c", "A", "B", "C1", "A2", "B7"]), max_size=20))
def test_every_entry_is_in_one_trick(words: list[str]) -> None:
    tricks = record(" ".join(words), players=3, total=4)
    kept = [seq for trick in (*tricks, *tricks.beyond()) for seq in trick.events()]
    assert sorted(kept) == list(range(1, len(words) + 1))
    assert all(len(trick.plays) <= 3 for trick in tricks.numbered.values())


# --------------------------------------------------------------------------------- strength


def strongest_of(cards: str, strength: dict[str, int]) -> str:
    plays = [Play(seq, "a", Card.parse(code)) for seq, code in enumerate(cards.split())]
    best = strongest(plays, {Card.parse(code): n for code, n in strength.items()})
    return str(best.card)


@pytest.mark.parametrize(
    ("plays", "strength", "best"),
    [
        ("AS KS", {"AS": 2, "KS": 1}, "AS"),
        ("KS AS", {"AS": 2, "KS": 1}, "AS"),
        ("KS AH", {"KS": 1}, "KS"),  # a card without strength cannot win
        ("AH KS", {"KS": 1}, "KS"),
        ("AH KH", {}, "AH"),  # if no card has strength, the card led wins
        ("AS KS", {"AS": 0, "KS": 0}, "KS"),  # the last of equal cards wins
    ],
)
def test_strongest_play(plays: str, strength: dict[str, int], best: str) -> None:
    assert strongest_of(plays, strength) == best
