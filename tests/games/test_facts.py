"""The facts of a hand of each game, and the summary that is made of them.

Tests of ``families.called_card.facts``, ``games.riparto.facts``, ``games.briscola_regina.facts``,
``games.picchetto.facts`` and ``games.knock.facts``.
"""

from pathlib import Path
from typing import Any

import pytest

from scorekeeper.events.sentences import Voice
from scorekeeper.games import GAMES
from scorekeeper.play.deal import Deal
from scorekeeper.play.facts import players_in
from scorekeeper.report.hand_facts import get_facts, summarize_hand
from scorekeeper.report.narration import get_voice
from scorekeeper.session.session import Session
from tests.games import chiamata, knock, picchetto, regina, riparto
from tests.thinned import EACH_LOG


def line(game: str, deal: Deal) -> str:
    """Return the summary of a hand, in one line."""
    table = deal.table
    names = {side: table.name(side) for side in (*table.seats, *table.sides)}
    voice = Voice(names, table.pack.show, table.pack.suit_name)
    facts = GAMES[game].facts
    lines = facts.summarize(facts.known(deal), table.sides, voice)
    return "; ".join(
        f"{', '.join(names[subject] for subject in summary.about)}: {summary.text}"
        for summary in lines
    )


def known(game: str, deal: Deal) -> dict[str, Any]:
    """Return the facts of a hand."""
    return GAMES[game].facts.known(deal)


# ---------------------------------------------------------------------------- games of a bidder


@pytest.mark.parametrize(
    ("script", "summary"),
    [
        ("b#71 b+JC @d =84", "Bruno: bid 71 on the jack of cups with Dino, took 84"),
        ("b#J b+JC @d =60", "Bruno: called the jack of cups with Dino, took 60"),
        ("b#J b+JC @b =61", "Bruno: called the jack of cups alone, took 61"),
        ("b#71 b+2C @b =61", "Bruno: bid 71 on the 2 of cups alone, took 61"),
        ("b#J @d made", "Bruno: bid jack with Dino, made it"),
        ("b#80 @b lost", "Bruno: bid 80 alone, lost"),
    ],
)
def test_summary_of_a_called_card_hand(script: str, summary: str) -> None:
    assert line("briscola_chiamata", chiamata.hand(script)) == summary


def test_a_draw_is_neither_made_nor_lost() -> None:
    deal = chiamata.hand("b#J @d =60", sixty="draw")
    assert line("briscola_chiamata", deal) == "Bruno: bid jack with Dino, took 60: a draw"
    assert "made" not in known("briscola_chiamata", deal)


def test_margin_of_a_contract() -> None:
    deal = chiamata.hand("b#71 @d =65")
    facts = known("briscola_chiamata", deal)
    assert (facts["needed"], facts["over"], facts["made"]) == (71, -6, False)
    assert (facts["partner"], facts["alone"]) == ("d", False)
    assert "partner" not in known("briscola_chiamata", chiamata.hand("b#71 @b =65"))


@pytest.mark.parametrize(
    ("script", "summary"),
    [
        ("a=3 =a4,b6", "Ada: declared 3, took 4; Bruno: had the most points of the others"),
        ("a=4 =a4,b6", "Ada: declared 4, took 4"),
        ("a=3 a^4 =a4,b6", "Ada: raised to 4, took 4"),
        ("a=4 made", "Ada: declared 4, took 4"),
        ("a=5 =a3,b6", "Ada: declared 5, took 3; Bruno, Cleo: had the most points of the others"),
        ("a=0 =a0,b9", "Ada: declared 0, took 0"),
    ],
)
def test_summary_of_a_riparto_hand(script: str, summary: str) -> None:
    assert line("riparto", riparto.hand(script)) == summary


def test_margin_of_the_ripartitore() -> None:
    facts = known("riparto", riparto.hand("a=3 a^5 =a4,b6"))
    assert (facts["bid"], facts["raised"], facts["took"], facts["over"]) == (5, 2, 4, -1)
    assert (facts["bidder"], facts["made"], facts["award"]) == ("a", False, ("b",))


# ------------------------------------------------------------------------------- games of sides


@pytest.mark.parametrize(
    ("script", "summary"),
    [
        ("=A82,B38", "Ada & Cleo: took 82; Bruno & Dino: took 38"),
        (
            "a+C b+D a+S =A82",
            "Ada & Cleo: took 82, Bris in cups, swords; Bruno & Dino: took 38, Bris in coins",
        ),
        ("a* =A120", "Ada & Cleo: took 120, all the tricks; Bruno & Dino: took 0"),
    ],
)  # fmt: skip
def test_summary_of_a_regina_hand(script: str, summary: str) -> None:
    assert line("briscola_regina", regina.hand(script)) == summary


def test_facts_of_bris_and_trump() -> None:
    facts = known("briscola_regina", regina.hand("a+C b+D a+S =A82"))
    assert facts["bris_points"] == {"A": 20, "B": 10}
    assert facts["trump"] == "C"
    assert "sweep" not in facts  # which tricks were whose is not on record


@pytest.mark.parametrize(
    ("script", "summary"),
    [
        ("e^P5 e^S5A e^T3A e^T3K =e7,y5;e",
         "Yuri: tricks 5; Eva: point 5, sequence 15, set 6, tricks 7"),
        ("y^P6 =e12", "Yuri: point 6, tricks 0; Eva: capot"),
        (
            "eW e^P6 e^T4A =e5,y7;y",
            "Yuri: tricks 7; Eva: carte blanche, point 6, set 14, repique, tricks 5",
        ),
        ("$e30,y4", ""),  # it is not on record what these points are for
    ],
)  # fmt: skip
def test_summary_of_a_picchetto_hand(script: str, summary: str) -> None:
    assert line("picchetto", picchetto.hand(script)) == summary


def test_fact_of_the_last_trick() -> None:
    assert known("picchetto", picchetto.hand("=e7,y5;y"))["last"] == "y"
    played = known("picchetto", picchetto.hand(f"{picchetto.EXCHANGE} {picchetto.PLAY}"))
    assert played["last"] == "y"
    assert "last" not in known("picchetto", picchetto.hand("$e30,y4"))


@pytest.mark.parametrize(
    ("script", "summary"),
    [
        ("=A57", "Ada & Cleo: took 57; Bruno & Dino: took 43"),
        (
            f"{knock.AWAY} {knock.PLAY} A$9B",
            "Ada & Cleo: took 54, paid 9 of batons for the Fool; Bruno & Dino: took 46",
        ),
        ("a~knock =A57", "Ada & Cleo: took 57, signals 1; Bruno & Dino: took 43"),
        (f"{knock.PLAY} d~bijou", "Ada & Cleo: took 55; Bruno & Dino: took 45, signals 1"),
        (
            f"d-7S,7C {knock.NO_TRICK}",
            "Ada & Cleo: took 98; Bruno & Dino: took 2, gave up the Fool",
        ),
    ],
)  # fmt: skip
def test_summary_of_a_knock_hand(script: str, summary: str) -> None:
    assert line("knock", knock.hand(script)) == summary


@pytest.mark.parametrize(
    ("card", "paid"), [("9B", {"A": False}), ("T5", {"A": True}), ("", {})],
)  # fmt: skip
def test_whether_the_fool_was_paid_for_with_a_trump(card: str, paid: dict[str, bool]) -> None:
    payment = f"A${card}" if card else ""
    assert known("knock", knock.hand(f"{knock.PLAY} {payment}"))["fool_trump"] == paid


# The leads of the hand: a in tricks 1 to 4 and 9 to 11, b in 5 to 8, d in 12, c in 13.
@pytest.mark.parametrize(
    ("signal", "before", "answered"),
    [
        ("b~bijou", "d>T14.T1.T15.T16", 1),  # and d leads a trump
        ("d~grand", "b>KD.7D.8D.9D", 0),  # b leads a diamond
        ("a~bijou", "b>KD.7D.8D.9D", 1),  # c's next lead, in trick 13, is a trump
        ("c~bijou", "", 0),  # a leads no more
        ("c~do_not_return", "a>QS.10S.JS.NS", 0),  # a leads spades again
        ("c~do_not_return", "b>KD.7D.8D.9D", 1),  # after cups, a leads trumps in trick 9
        ("a~do_not_lead", "a>QS.10S.JS.NS", 1),
        ("a~long_suit", "a>QS.10S.JS.NS", 0),  # asks for nothing
        ("a~trump_low", "a>QS.10S.JS.NS", 0),  # c followed suit in the trick before
        ("a~trump_low", "a>T20.T6.T7.T8", 1),
    ],
)
def test_signal_is_answered_by_the_partners_play(signal: str, before: str, answered: int) -> None:
    script = (
        knock.PLAY.replace(before, f"{signal} {before}") if before else f"{knock.PLAY} {signal}"
    )
    facts = known("knock", knock.hand(script))
    assert sum(facts["signals"].values()) == 1
    assert sum(facts["answered"].values()) == answered


def test_hand_without_signals_has_no_signal_facts() -> None:
    assert "signals" not in known("knock", knock.hand("=A57"))


# ------------------------------------------------------------------------------------ all games


@EACH_LOG
def test_every_scored_hand_has_a_summary(path: Path) -> None:
    with path.open("rb") as stream:
        session = Session.read(stream)
    for match in session.structure.matches:
        voice = get_voice(session, match)
        for hand in match.hands:
            facts, lines = get_facts(hand), summarize_hand(hand, voice)
            assert bool(lines) is match.is_complete(hand)
            assert all("{" not in entry.text and set(entry.about) <= named(hand) for entry in lines)
            for fact in match.game.facts.facts:
                if fact.id in facts:
                    value = facts[fact.id]
                    assert not fact.of_sides or set(value) <= set(match.sides)
                    assert set(players_in(value, fact.kind) or ()) <= named(hand)


def named(hand: Any) -> set[str]:
    """Return the players and sides of a hand."""
    return {*hand.match.seats, *hand.match.sides}


def test_fact_by_side_is_the_same_in_all_games() -> None:
    of_sides_by_fact: dict[str, set[bool]] = {}
    for game in GAMES.values():
        for fact in game.facts.facts:
            of_sides_by_fact.setdefault(fact.id, set()).add(fact.of_sides)
    assert [name for name, kinds in of_sides_by_fact.items() if len(kinds) > 1] == []
