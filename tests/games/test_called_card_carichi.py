"""A bid to play alone and without trumps, and what all the factors of a hand come to together.

Tests of ``games.briscola_chiamata.rules`` and ``families.called_card.score``.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import Unusable
from scorekeeper.families.called_card.course import Doubling, Waiting
from scorekeeper.games.briscola_chiamata import GAME as CHIAMATA
from scorekeeper.games.briscola_col_monte import GAME as MONTE
from scorekeeper.games.game import Game
from scorekeeper.log.codec import decode
from scorekeeper.play.match import Standing
from scorekeeper.play.scoring import add_up
from tests.games.calling import NAMES, event_of, found, open_checks, play, scores, table
from tests.games.calling_prompts import prompts, types, words

SOLO: dict[str, Any] = {"carichi": "flat"}


def solo(script: str, **options: Any) -> Any:
    """A hand that b plays at carichi, and then so."""
    deal = CHIAMATA.start(table(CHIAMATA, 5, **SOLO, **options))
    events = [("bid_made", {"player": "b", "bid": "carichi"})]
    for seq, (kind, data) in enumerate([*events, *map(event_of, script.split())], 1):
        event = decode(kind, data, CHIAMATA.by_type)
        CHIAMATA.refuse_event(deal, event)
        CHIAMATA.fold[type(event)](deal, seq, event)
    CHIAMATA.evaluate(deal)
    return deal


@pytest.mark.parametrize(
    ("script", "paid"),
    [("=64", 4), ("=58", -4), ("=60", -4), ("=61", 4), ("made", 4), ("lost", -4), ("=120/8", 8)],
)
@pytest.mark.parametrize("alone", ["allowed", "forbidden"])
def test_it_pays_one_unit_from_each(script: str, paid: int, alone: str) -> None:
    deal = solo(script, alone=alone, sixty="draw", bands=[62])
    assert scores(deal) == {"b": paid, **dict.fromkeys("acde", -paid // 4)}
    assert found(CHIAMATA, deal) == []
    assert "who the partner was" not in open_checks(CHIAMATA, deal)


def test_there_is_no_trump_and_no_call() -> None:
    deal = solo("a:2S b:AC c:3S d:AS e:AD")
    assert (deal.trump, deal.winning[1].player) == (None, "d")
    called = solo("b+AC a:2S b:AC c:3S d:AS e:AD")
    assert (called.trump, called.winning[1].player) == (None, "d")
    assert found(CHIAMATA, called) == ["bad_call C4 2 1"]
    assert found(CHIAMATA, solo("a:2S b:AC c:3S d:AS e:AD c!")) == ["wrong_winner C6 7 5 2 3 4 6"]
    assert found(CHIAMATA, solo("@c =64")) == ["wrong_partner C5 2 1"]
    assert found(CHIAMATA, solo("@b =64")) == []


def test_it_is_above_all_other_bids_and_ends_the_auction() -> None:
    deal = play(CHIAMATA, "b#120", **SOLO)
    assert not deal.auction.over
    offered = [one for one in words(list(CHIAMATA.prompts(deal)), "bid_made") if one[2:] != "-"]
    assert offered == ["c#carichi"]
    assert solo("").auction.over
    assert solo("c#120").bidder == "b"
    assert found(CHIAMATA, solo("c#120")) == ["bad_bid C2 2 1"]
    ranks = [*map(str, words(list(CHIAMATA.prompts(play(CHIAMATA, "", ladder="ranks", **SOLO))),
                             "bid_made"))]  # fmt: skip
    assert ranks[-1].endswith("#carichi")


def test_where_there_is_none_it_is_refused() -> None:
    for options in ({}, {"carichi": "off"}, {"ladder": "points"}):
        deal = CHIAMATA.start(table(CHIAMATA, 5, **options))
        bid = decode("bid_made", {"player": "b", "bid": "carichi"}, CHIAMATA.by_type)
        with pytest.raises(Unusable, match="expected a bid from"):
            CHIAMATA.refuse_event(deal, bid)
    with pytest.raises(Unusable):
        decode("bid_made", {"player": "b", "bid": "carichi"}, MONTE.by_type)


def test_what_is_offered_waits_for_no_card_and_no_partner() -> None:
    deal = solo("")
    assert types(prompts(CHIAMATA, deal, "cards")).split()[0] == "card_played"
    assert types(prompts(CHIAMATA, deal, "tricks")).split()[0] == "trick_taken"
    every = types(list(CHIAMATA.prompts(deal)))
    assert "card_called" not in every
    assert "partner_revealed" not in every


# --------------------------------------------------------------------------- all that multiplies

PAY = st.sampled_from(["double", "none", {"add": 2}, {"set": 9}])
BANDS = st.sampled_from([[71, 81, 91, 101], [91], [70, 80], [], [81, 91, 101, 111, 120]])
BEFORE = st.lists(st.sampled_from(["weak_hand", "all_passed"]), max_size=4)


@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
@given(bands=BANDS, pay=PAY, test=st.sampled_from(["tricks", "points"]), before=BEFORE,
       bid=st.integers(62, 120), partner=st.sampled_from("bc"), swept=st.booleans(),
       whose=st.sampled_from(["either", "bidder"]))  # fmt: skip
def test_bands_sweeps_doublings_and_who_is_alone_multiply(
    game: Game, bands: list[int], pay: Any, test: str, before: list[str], bid: int, partner: str,
    swept: bool, whose: str,
) -> None:  # fmt: skip
    """Nothing in all; a lost hand is a made one with the other sign; each doubling is a factor."""
    options = {"bands": bands, "sweep_pay": pay, "sweep_test": test, "sweep": whose,
               "next_double": ["weak_hand", "all_passed"]}  # fmt: skip
    tricks = game.start(table(game, 5)).tricks.total
    start = play(game, f"b#{bid} @{partner}", **options)
    waits = Waiting(tuple(Doubling(kind, (9,)) for kind in before))

    def comes_to(result: str) -> dict[str, int]:
        deal = play(game, f"b#{bid} @{partner} {result}", **options)
        deal.table = deal.table.at(Standing(dict.fromkeys(NAMES, 0), extra=waits))
        lines = game.score(deal).lines
        assert len({(one.side, one.rule, one.text.say(), one.events) for one in lines}) >= 5
        return add_up(lines, start.table.sides)

    made = comes_to(f"=120/{tricks}" if swept else f"=120/{tricks - 1}")
    lost = comes_to(f"=0/0,{tricks}" if swept else "=0/1")
    assert sum(made.values()) == sum(lost.values()) == 0
    unit = 1 + sum(bid >= band for band in bands)
    units = {"double": 2 * unit, "none": unit}.get(str(pay)) or (
        unit + pay["add"] if "add" in pay else max(pay["set"], 0)
    )
    is_sweep = swept or test == "points"
    share = 4 if partner == "b" else 2
    assert made["b"] == share * (units if is_sweep else unit) * 2 ** len(before)
    paid = units if is_sweep and whose == "either" else unit
    assert lost["b"] == -share * paid * 2 ** len(before)
    if whose == "either":
        assert lost == {side: -points for side, points in made.items()}
