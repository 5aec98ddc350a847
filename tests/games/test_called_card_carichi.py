"""A bid to play alone and without trumps, and the product of all factors of a hand.

Tests of ``games.briscola_chiamata.rules``, ``families.called_card.carichi`` and
``families.called_card.score``.
"""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.events.event import Entry
from scorekeeper.families.called_card.carichi import Carichi
from scorekeeper.families.called_card.course import Doubling, Waiting
from scorekeeper.games.briscola_chiamata import GAME as CHIAMATA
from scorekeeper.games.briscola_col_monte import GAME as MONTE
from scorekeeper.games.game import Game
from scorekeeper.log.codec import decode
from scorekeeper.play.folding import record_entry
from scorekeeper.play.match import Standing
from scorekeeper.play.scoring import add_up
from tests.games.calling import NAMES, event_of, findings_of, open_checks, play, scores, table
from tests.games.calling_prompts import prompts, types, words

SOLO: dict[str, Any] = {"carichi": "flat"}


def solo(script: str, **options: Any) -> Any:
    """Return a hand in which b bids carichi, followed by a script."""
    deal = CHIAMATA.start(table(CHIAMATA, 5, **SOLO, **options))
    events = [("bid_made", {"player": "b", "bid": "carichi"})]
    for seq, (kind, data) in enumerate([*events, *map(event_of, script.split())], 1):
        event = decode(kind, data, CHIAMATA.by_type)
        CHIAMATA.refuse_event(deal, event)
        record_entry(deal, Entry(seq, event), CHIAMATA.fold)
    CHIAMATA.evaluate(deal)
    return deal


@pytest.mark.parametrize(
    ("script", "paid"),
    [("=64", 4), ("=58", -4), ("=60", -4), ("=61", 4), ("made", 4), ("lost", -4), ("=120/8", 8)],
)
@pytest.mark.parametrize("alone", ["allowed", "forbidden"])
def test_carichi_pays_one_unit_from_each_player(script: str, paid: int, alone: str) -> None:
    deal = solo(script, alone=alone, sixty="draw", bands=[62])
    assert scores(deal) == {"b": paid, **dict.fromkeys("acde", -paid // 4)}
    assert findings_of(CHIAMATA, deal) == []
    assert "who the partner was" not in open_checks(CHIAMATA, deal)


def test_there_is_no_trump_and_no_call() -> None:
    deal = solo("a:2S b:AC c:3S d:AS e:AD")
    assert (deal.trump, deal.winning[1].player) == (None, "d")
    called = solo("b+AC a:2S b:AC c:3S d:AS e:AD")
    assert (called.trump, called.winning[1].player) == (None, "d")
    assert findings_of(CHIAMATA, called) == ["bad_call C4 2 1"]
    assert findings_of(CHIAMATA, solo("a:2S b:AC c:3S d:AS e:AD c!")) == [
        "wrong_winner C6 7 5 2 3 4 6"
    ]
    assert findings_of(CHIAMATA, solo("@c =64")) == ["wrong_partner C5 2 1"]
    assert findings_of(CHIAMATA, solo("@b =64")) == []


def test_carichi_is_above_all_bids_and_ends_the_auction() -> None:
    deal = play(CHIAMATA, "b#120", **SOLO)
    assert not deal.auction.over
    offered = [
        prompt for prompt in words(list(CHIAMATA.prompts(deal)), "bid_made") if prompt[2:] != "-"
    ]
    assert offered == ["c#carichi"]
    assert solo("").auction.over
    assert solo("c#120").bidder == "b"
    assert findings_of(CHIAMATA, solo("c#120")) == ["bad_bid C2 2 1"]
    ranks = [*map(str, words(list(CHIAMATA.prompts(play(CHIAMATA, "", ladder="ranks", **SOLO))),
                             "bid_made"))]  # fmt: skip
    assert ranks[-1].endswith("#carichi")


def test_carichi_is_refused_without_the_option() -> None:
    for options in ({}, {"carichi": "off"}, {"ladder": "points"}):
        deal = CHIAMATA.start(table(CHIAMATA, 5, **options))
        bid = decode("bid_made", {"player": "b", "bid": "carichi"}, CHIAMATA.by_type)
        with pytest.raises(UnusableError, match="expected a bid from"):
            CHIAMATA.refuse_event(deal, bid)
    limits: dict[str, Any] = {"carichi": "points", "min_bid": 62, "max_bid": 115}
    for none in ("carichi", {"carichi": 61}, {"carichi": 116}):
        deal = MONTE.start(table(MONTE, 5, **limits))
        bid = decode("bid_made", {"player": "b", "bid": none}, MONTE.by_type)
        with pytest.raises(UnusableError, match="expected a bid from 62 to carichi 115"):
            MONTE.refuse_event(deal, bid)
    for damaged in (
        {"carichi": 121}, {"carichi": 60}, {"carichi": True}, {"carichi": "85"}, {}, [85],
        {"carichi": 85, "more": 1}, {"Carichi": 85}, {"carichi": None},
    ):  # fmt: skip
        for game in (CHIAMATA, MONTE):
            with pytest.raises(UnusableError) as refused:
                decode("bid_made", {"player": "b", "bid": damaged}, game.by_type)
            assert str(refused.value.field).startswith("data.bid")


# ------------------------------------------------------------------------------ with a number


def with_number(game: Game, bids: list[Any], script: str, seats: int = 5, **options: Any) -> Any:
    """Return a hand with these bids of b and c in turn, followed by a script."""
    deal = game.start(table(game, seats, carichi="points", **options))
    auction = [("bid_made", {"player": "bc"[n % 2], "bid": bid}) for n, bid in enumerate(bids)]
    for seq, (kind, data) in enumerate([*auction, *map(event_of, script.split())], 1):
        event = decode(kind, data, game.by_type)
        game.refuse_event(deal, event)
        record_entry(deal, Entry(seq, event), game.fold)
    game.evaluate(deal)
    return deal


@pytest.mark.parametrize(
    ("points", "script", "units"),
    [(85, "=85", 3), (85, "=84", -3), (70, "=100", 1), (120, "made", 5), (101, "lost", -5),
     (85, "=120/8", 6)],
)  # fmt: skip
def test_carichi_with_a_number_needs_and_pays_like_that_bid(
    points: int, script: str, units: int
) -> None:
    deal = with_number(CHIAMATA, [{"carichi": points}], script)
    assert scores(deal) == {"b": 4 * units, **dict.fromkeys("acde", -units)}
    assert findings_of(CHIAMATA, deal) == []
    assert deal.need == points


@pytest.mark.parametrize(("seats", "share"), [(5, 4), (6, 5), (7, 5)])
def test_carichi_with_a_monte_is_played_alone_against_all(seats: int, share: int) -> None:
    for bands, units in [([91], 2), ([], 1)]:
        deal = with_number(MONTE, [{"carichi": 95}], "=95", seats, bands=bands)
        sums = scores(deal) or {}
        assert sums["b"] == share * units
        assert sum(sums.values()) == 0
        assert findings_of(MONTE, deal) == []
    assert MONTE.most_of_a_hand(MONTE.options({"carichi": "points"}, 6), 6) == 20


@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_a_number_is_above_all_bids_without_and_can_be_outbid(game: Game) -> None:
    deal = with_number(game, [120, {"carichi": 65}, {"carichi": 66}], "")
    assert deal.bidder == "b"
    assert not deal.auction.over
    every: list[Any] = [choice for prompt in game.prompts(deal) for choice in prompt.choices]
    offered = [choice.bid for choice in every if choice.TYPE == "bid_made" and choice.bid != "pass"]
    assert offered[0] == Carichi(67)
    assert offered[-1] == Carichi(120)
    assert with_number(game, [{"carichi": 120}], "").auction.over
    low = with_number(game, [{"carichi": 80}, {"carichi": 80}], "=80")
    assert len(findings_of(game, low)) == 1
    assert "bid carichi with 80, which is not higher than carichi with 80" in str(low.auction and [
        str(observation.text) for check in game.checks for observation in check.look(low)
    ])  # fmt: skip


def test_the_monte_is_taken_and_no_card_is_named() -> None:
    deal = with_number(MONTE, [{"carichi": 85}], "")
    every = types(list(MONTE.prompts(deal)))
    assert "monte_taken" in every
    assert "cards_laid_away" in every
    for not_there in ("card_called", "called_card_shown", "partner_revealed"):
        assert not_there not in every
    assert deal.trump is None
    assert deal.partner.player == "b"


# ------------------------------------------------------------------------------- without a monte


@pytest.mark.parametrize(
    ("seats", "options", "cards", "without"),
    [
        (5, {}, 35, "2S 2C 2D 2B 4C"),
        (5, {"removed_four": "D"}, 35, "2S 2C 2D 2B 4D"),
        (5, {"pack": "french"}, 35, "2S 2H 2D 2C 4H"),
        (6, {}, 36, "2S 2C 2D 2B"),
        (7, {}, 36, "2S 2C 2D 2B"),
    ],
)
def test_without_a_monte_the_low_cards_are_left_out(
    seats: int, options: dict[str, Any], cards: int, without: str
) -> None:
    chosen = MONTE.options({"monte": "removed", **options}, seats)
    pack = MONTE.pack(chosen, seats)
    whole = MONTE.pack(MONTE.options({"pack": chosen["pack"]}, seats), seats)
    assert len(pack.cards) == cards
    assert {*map(str, whole.cards)} - {*map(str, pack.cards)} == {*without.split()}


def test_without_a_monte_none_is_taken_and_nothing_laid_away() -> None:
    deal = play(MONTE, "b#85 b+AC", monte="removed")
    every = types(list(MONTE.prompts(deal)))
    assert "monte_taken" not in every
    assert "cards_laid_away" not in every
    assert "card_played" in every
    for kind in ("monte_taken", "cards_laid_away"):
        with pytest.raises(UnusableError, match="there is no monte at this table"):
            MONTE.refuse_event(deal, decode(kind, {"player": "b"}, MONTE.by_type))
    with pytest.raises(UnusableError, match=r"monte removed.*call_time after") as refused:
        MONTE.options({"monte": "removed", "call_time": "after"}, 5)
    assert refused.value.field == "data.options.call_time"


def test_carichi_prompts_need_no_call_and_no_partner() -> None:
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
        deal.standing = Standing(dict.fromkeys(NAMES, 0), extra=waits)
        lines = game.score(deal).lines
        assert len({(line.side, line.rule, line.text.say(), line.events) for line in lines}) >= 5
        return {side: int(n) for side, n in add_up(lines, start.table.sides).items()}

    won = comes_to(f"=120/{tricks}" if swept else f"=120/{tricks - 1}")
    lost = comes_to(f"=0/0,{tricks}" if swept else "=0/1")
    assert sum(won.values()) == sum(lost.values()) == 0
    unit = 1 + sum(bid >= band for band in bands)
    units = {"double": 2 * unit, "none": unit}.get(str(pay)) or (
        unit + pay["add"] if "add" in pay else max(pay["set"], 0)
    )
    is_sweep = swept or test == "points"
    share = 4 if partner == "b" else 2
    assert won["b"] == share * (units if is_sweep else unit) * 2 ** len(before)
    paid = units if is_sweep and whose == "either" else unit
    assert lost["b"] == -share * paid * 2 ** len(before)
    if whose == "either":
        assert lost == {side: -points for side, points in won.items()}
