"""The options of the games with a called card: figures, bids, calls and the play by each.

Tests of ``families.called_card.rules``.
"""

import re
from itertools import product
from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from scorekeeper.families.called_card.rules import BANDS
from scorekeeper.games.briscola_chiamata import GAME as CHIAMATA
from scorekeeper.games.briscola_col_monte import GAME as MONTE
from scorekeeper.games.game import Game
from scorekeeper.play.prompts import Prompt
from tests.games.calling import findings_of, play, scores, table
from tests.games.calling_prompts import prompts, words

TENS, STEPS = [70, 80], [71, 81, 91, 101, 111]
LATE = [81, 91, 101, 111, 120]


def bidder_gets(game: Game, script: str, seats: int = 5, **options: Any) -> int:
    """Return the score of the bidder b; all scores add up to zero."""
    sums = scores(play(game, script, seats, **options)) or {}
    assert sum(sums.values()) == 0
    return sums["b"]


@pytest.mark.parametrize(
    "more",
    [
        {"ladder": "points"}, {"call_duty": "any"}, {"two_call": "two_only"},
        {"pass": "may_return"}, {"last_must_bid": 71}, {"bid_needs": "weight"},
        {"points_bids": "after_two"},
        {"trump_named": "after_first_trick"}, {"must_follow": True}, {"alone": "forbidden"},
    ],
)  # fmt: skip
def test_options_of_bidding_and_play_keep_scores_comparable(more: dict[str, Any]) -> None:
    usual, other = (CHIAMATA.book.settle(options) for options in ({}, more))
    assert usual != other
    assert CHIAMATA.book.scoring(usual) == CHIAMATA.book.scoring(other)
    script = "b#75 b+2D @d =80"
    assert scores(play(CHIAMATA, script, **more)) == scores(play(CHIAMATA, script))


# ------------------------------------------------------------------------------ bands, sweeps


@pytest.mark.parametrize(
    ("bands", "paid"),
    [
        ([71, 81, 91, 101], {62: 2, 70: 2, 71: 4, 80: 4, 81: 6, 105: 10, 120: 10}),
        (TENS, {69: 2, 70: 4, 72: 4, 79: 4, 80: 6, 120: 6}),
        ([71, 81], {70: 2, 72: 4, 105: 6}),
        (STEPS, {110: 10, 111: 12}),
        (LATE, {72: 2, 80: 2, 81: 4, 91: 6, 111: 10, 120: 12}),
        ([70, 80, 90, 100, 110, 120], {70: 4, 109: 10, 119: 12, 120: 14}),
        ([], {72: 2, 120: 2}),
    ],
)
@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_a_bid_is_paid_by_the_bands(game: Game, bands: list[int], paid: dict[int, int]) -> None:
    for bid, points in paid.items():
        assert bidder_gets(game, f"b#{bid} @c made", bands=bands) == points
        assert bidder_gets(game, f"b#{bid} @c lost", bands=bands) == -points
        assert bidder_gets(game, f"b#{bid} @b made", bands=bands) == 2 * points


def test_a_rank_is_paid_as_the_lowest() -> None:
    assert bidder_gets(CHIAMATA, "b#2 @c made", bands=[62]) == 2


@pytest.mark.parametrize("pay", ["double", "none", {"add": 2}, {"set": 6}])
@pytest.mark.parametrize("test", ["tricks", "points"])
@pytest.mark.parametrize("whose", ["either", "bidder"])
@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_the_factors_of_a_hand_multiply(game: Game, pay: Any, test: str, whose: str) -> None:
    """Bands × sweep × alone × made: zero in all, and a lost hand has the opposite sign."""
    options = {"bands": TENS, "sweep_pay": pay, "sweep_test": test, "sweep": whose}
    tricks = game.start(table(game, 5)).tricks.total
    for (bid, units), alone in product([(69, 1), (75, 2), (85, 3)], [False, True]):
        share, partner = (4, "@b") if alone else (2, "@c")
        plain = share * units
        swept = share * (
            2 * units if pay == "double"
            else units if pay == "none"
            else units + 2 if "add" in pay
            else 6
        )  # fmt: skip
        script = f"b#{bid} {partner}"
        ours = bidder_gets(game, f"{script} =120/{tricks},0", **options)
        theirs = bidder_gets(game, f"{script} =0/0,{tricks}", **options)
        assert ours == swept
        assert theirs == (-swept if whose == "either" else -plain)
        one_lost = bidder_gets(game, f"{script} =120/{tricks - 1},1", **options)
        assert one_lost == (swept if test == "points" else plain)
        assert bidder_gets(game, f"{script} ={bid}", **options) == plain
        assert bidder_gets(game, f"{script} made", **options) == plain


@pytest.mark.parametrize(
    ("game", "names"),
    [
        (CHIAMATA, "sixty sweep bands sweep_test sweep_pay next_double carichi"),
        (
            MONTE,
            "bands sweep_test sweep_pay sweep next_double called_in_hand six_split carichi",
        ),
    ],
)
def test_options_that_make_scores_incomparable(game: Game, names: str) -> None:
    """Options of bidding, calling and play change no score."""
    assert [option.name for option in game.book.options if option.scores] == names.split()


def test_line_of_a_sweep_has_its_points() -> None:
    def text(**options: Any) -> list[str]:
        lines = play(CHIAMATA, "b#75 @c =120/8,0", **options).result.lines
        return [str(line.text) for line in lines if line.side == "b"]

    paid = "120 points of 75 needed: made; the bidder, 2 × 2"
    assert text() == [paid, "All the tricks to one party: the payment doubles"]
    assert text(sweep_pay={"add": 1}) == [paid, "All the tricks to one party: 2 × 1 more"]
    assert text(sweep_pay={"set": 5}, sweep_test="points") == [
        paid, "All 120 points to the bidder's party: 2 × 5 in place of 2 × 2"
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("game", "bid", "bands", "expected"),
    [
        (CHIAMATA, 69, TENS, "1 unit below 70; the bidder, 2 × 1"),
        (CHIAMATA, 75, TENS, "2 units from 70 to 79; the bidder, 2 × 2"),
        (CHIAMATA, 120, TENS, "3 units from 80 on; the bidder, 2 × 3"),
        (CHIAMATA, "J", TENS, "1 unit below 70; the bidder, 2 × 1"),
        (CHIAMATA, 75, [71, 81], "2 units from 71 to 80; the bidder, 2 × 2"),
        (CHIAMATA, 120, [], "1 unit, whatever was bid; the bidder, 2 × 1"),
        (CHIAMATA, 75, [71, 81, 91, 101], "the bidder, 2 × 2"),
        (MONTE, 95, [91], "the bidder, 2 × 2"),
        (MONTE, 75, [71, 81, 91, 101], "2 units from 71 to 80; the bidder, 2 × 2"),
    ],
)
def test_line_names_the_band_of_unusual_bands(
    game: Game, bid: Any, bands: list[int], expected: str
) -> None:
    lines = play(game, f"b#{bid} @c made", bands=bands).result.lines
    text = next(str(line.text) for line in lines if line.side == "b")
    assert text.partition("; ")[2] == expected


@pytest.mark.parametrize(("split", "paid"), [("equal", (4, 4, -2)), ("three_one", (6, 2, -2))])
def test_shares_of_six_players_by_the_option(split: str, paid: tuple[int, int, int]) -> None:
    sums = scores(play(MONTE, "b#95 @c made", 6, six_split=split)) or {}
    assert (sums["b"], sums["c"], sums["a"]) == paid
    assert bidder_gets(MONTE, "b#95 @b made", 6, six_split=split) == 10
    assert bidder_gets(MONTE, "b#95 @c made", 5, six_split=split) == 4


# ------------------------------------------------------------------------------ which options


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"bands": [81, 71]}, "bands"),
        ({"bands": [71, 71]}, "bands"),
        ({"bands": [61]}, "bands"),
        ({"bands": [121]}, "bands"),
        ({"bands": list(range(62, 71))}, "bands"),
        ({"bands": "flat"}, "bands"),
        ({"bands": [71.0]}, "bands"),
        ({"bands": [True]}, "bands"),
        ({"sweep_pay": {"set": 4}}, "sweep_pay"),
        ({"sweep_pay": {"add": 0}}, "sweep_pay"),
        ({"sweep_pay": {"add": 21}}, "sweep_pay"),
        ({"sweep_pay": {"set": 21}}, "sweep_pay"),
        ({"sweep_pay": {"add": 1, "set": 9}}, "sweep_pay"),
        ({"min_bid": 100, "max_bid": 99}, "min_bid"),
        ({"max_bid": 121}, "max_bid"),
        ({"min_bid": 60}, "min_bid"),
    ],
)
@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_impossible_option_value_is_refused(
    game: Game, options: dict[str, Any], field: str
) -> None:
    if game is MONTE and options == {"sweep_pay": {"set": 4}}:
        options = {"sweep_pay": {"set": 1}}
    with pytest.raises(UnusableError) as refused:
        game.options(options, 5)
    assert refused.value.field == f"data.options.{field}"


@pytest.mark.parametrize("pay", ["add", "set"])
@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_a_sweep_can_pay_twenty_units(game: Game, pay: str) -> None:
    chosen = {"sweep_pay": {pay: 20}}
    assert game.book.reported(game.options(chosen, 5))["sweep_pay"] == {pay: 20}


@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_later_options_are_reported_only_with_unusual_values(game: Game) -> None:
    before = {"pack", "sixty", "sweep", "match_end"} if game is CHIAMATA else {"pack", "match_end"}
    assert set(game.book.reported(game.options(None, 5))) == before
    chosen = game.options({"bands": TENS, "max_bid": 120}, 5)
    assert set(game.book.reported(chosen)) == {*before, "bands"}


def test_texts_name_the_first_figures_of_the_bands() -> None:
    for bands, text in BANDS.items():
        figures = [int(digits) for digits in re.findall(r"\d{2,}", text)]
        assert figures in ([*bands], [*bands[:1]]), text


# ------------------------------------------------------------------------------ bids and calls


def choices(prompts: list[Prompt], kind: str, part: str) -> list[Any]:
    offered: list[Any] = [choice for prompt in prompts for choice in prompt.choices]
    return [
        getattr(prompt, part) for prompt in offered if kind == prompt.TYPE and prompt.player == "b"
    ]


@pytest.mark.parametrize(
    ("options", "first", "last", "not_there"),
    [
        ({}, "A", 120, [61]),
        ({"ladder": "points"}, 61, 120, ["A", "2"]),
        ({"ladder": "two"}, "2", 120, ["3"]),
        ({"ladder": "ranks"}, "A", "2", [62, 120]),
        ({"max_bid": 115}, "A", 115, [116, 120]),
        ({"min_bid": 70, "ladder": "points"}, 70, 120, [61, 69]),
        ({"min_bid": 70, "ladder": "two"}, "2", 120, [61, 62]),
    ],
)
def test_offered_bids_follow_the_ladder(
    options: dict[str, Any], first: Any, last: Any, not_there: list[Any]
) -> None:
    deal = play(CHIAMATA, "", **options)
    offered = choices(list(CHIAMATA.prompts(deal)), "bid_made", "bid")
    assert (offered[0], offered[-1]) == (first, last)
    assert len(set(map(deal.worth, offered))) == len(offered)
    for bid in offered:
        play(CHIAMATA, f"b#{bid} @c", **options)
    for bid in not_there:
        assert bid not in offered
        with pytest.raises(UnusableError, match=refusal_of(bid, offered)):
            play(CHIAMATA, f"b#{bid}", **options)
    assert play(CHIAMATA, f"b#{last}", **options).auction.over


def refusal_of(bid: Any, offered: list[Any]) -> str:
    """Return what a bid that is not offered is refused with: a number, with the numbers."""
    numbers = [prompt for prompt in offered if isinstance(prompt, int)]
    if isinstance(bid, int) and numbers:
        return f"expected a bid of points from {numbers[0]} to {numbers[-1]}, got {bid}"
    return f"expected a bid from {offered[0]} to {offered[-1]}, got"


def test_a_number_is_refused_with_the_numbers_that_can_be_bid() -> None:
    with pytest.raises(UnusableError, match="expected a bid of points from 70 to 120, got 65"):
        play(CHIAMATA, "b#65", min_bid=70)


def test_the_two_is_61_points() -> None:
    assert findings_of(CHIAMATA, play(CHIAMATA, "b#2 c#61", ladder="two")) == ["bad_bid C2 2 1"]
    assert play(CHIAMATA, "b#61 @c =61", ladder="two").result.complete
    assert bidder_gets(CHIAMATA, "b#2 @c =60", ladder="two") == -2


@pytest.mark.parametrize("ladder", ["points", "two"])
def test_sixty_points_are_no_draw_where_61_are_bid(ladder: str) -> None:
    assert bidder_gets(CHIAMATA, "b#61 @c =60", ladder=ladder, sixty="draw") == -2


@pytest.mark.parametrize(
    ("options", "script", "paid"),
    [
        ({"ladder": "points"}, "b#75 b+AC b:AC =75", 8),
        ({"two_call": "two_only"}, "b#2 b+2D b:2D =61", 4),
    ],
)
def test_bidder_who_calls_their_own_card_is_alone(
    options: dict[str, Any], script: str, paid: int
) -> None:
    assert bidder_gets(CHIAMATA, script, first_lead="bidder", **options) == paid


def test_set_pay_of_four_units_is_sixteen_when_alone() -> None:
    options: dict[str, Any] = {"bands": TENS, "sweep_pay": {"set": 4}}
    assert bidder_gets(CHIAMATA, "b#75 @b =120/8,0", **options) == 16
    assert bidder_gets(CHIAMATA, "b#75 @c =120/8,0", **options) == 8


def test_bids_of_col_monte_have_limits() -> None:
    deal = play(MONTE, "", min_bid=70, max_bid=110)
    offered = choices(list(MONTE.prompts(deal)), "bid_made", "bid")
    assert (offered[0], offered[-1]) == (70, 110)
    for bid in (69, 111):
        with pytest.raises(UnusableError, match="a bid of points from 70 to 110"):
            play(MONTE, f"b#{bid}", min_bid=70, max_bid=110)


@pytest.mark.parametrize(
    ("options", "bid", "ranks"),
    [
        ({}, "J", "J"),
        ({}, "75", "3KNJ76542"),  # with the ace the bidder would hold nine others
        ({"two_call": "two_only"}, "75", "2"),
        ({"two_call": "two_only"}, "2", "2"),
        ({"call_duty": "any"}, "J", "A3KNJ76542"),
        ({"ladder": "points"}, "75", "A3KNJ76542"),
        ({"ladder": "points", "call_duty": "rank_bid", "two_call": "two_only"}, "75", "2"),
    ],
)
def test_callable_cards_follow_the_call_duty(options: dict[str, Any], bid: str, ranks: str) -> None:
    prompts = list(CHIAMATA.prompts(play(CHIAMATA, f"b#{bid}", **options)))
    called = choices(prompts, "card_called", "card")
    assert {card.rank for card in called} == set(ranks)


SOME = "b:7D c:2C d:4D e:5D a:6D"  # led by the bidder, not followed by c


@pytest.mark.parametrize(
    ("options", "script", "faults"),
    [
        ({}, "b#J b+4D", ["bad_call C4 2 1"]),
        ({"call_duty": "any"}, "b#J b+4D", []),
        ({"ladder": "points"}, "b#75 b+4D", []),
        ({"two_call": "two_only"}, "b#75 b+4D", ["bad_call C4 2 1"]),
        ({"two_call": "two_only"}, "b#2 b+4D", ["bad_call C4 2 1"]),
        ({"two_call": "two_only"}, "b#2 b+2D b:2D", []),
        ({}, "b#75 b+3D c:2D", ["false_call C4 2 3"]),
        ({"call_duty": "any"}, "b#75 b+3D c:2D", []),
        ({"call_duty": "highest_missing"}, "b#75 b+3D c:2D", []),
        ({"call_duty": "highest_missing"}, "b#75 b+3D c:AD", ["false_call C4 2 3"]),
        ({"call_duty": "highest_missing"}, "b#75 b+3D b:AD", []),
        ({"call_duty": "highest_missing"}, "b#J b+3D b:3D", ["false_call C4 2 3"]),
        ({}, "b#2 b+2D b:2D", []),
        ({"two_call": "must_lowest_missing"}, "b#2 b+2D b:2D", ["false_call C4 2 3"]),
        ({"two_call": "must_lowest_missing"}, "b#2 b+2D c:2D", []),
        ({"alone": "forbidden"}, "b#J @b", ["bad_call C5 2"]),
        ({"alone": "forbidden"}, "b#J b+JD b:JD", ["bad_call C5 2 3"]),
        ({"alone": "forbidden"}, "b#J b+JD c:JD", []),
    ],
)
def test_call_is_checked_by_the_options(
    options: dict[str, Any], script: str, faults: list[str]
) -> None:
    deal = play(CHIAMATA, script, first_lead="bidder", **options)
    assert [finding for finding in findings_of(CHIAMATA, deal) if "turn" not in finding] == faults


def test_playing_alone_is_offered_only_if_allowed() -> None:
    prompts = list(CHIAMATA.prompts(play(CHIAMATA, "b#J", alone="forbidden")))
    assert choices(prompts, "partner_revealed", "player") == []
    assert choices(list(CHIAMATA.prompts(play(CHIAMATA, "b#J"))), "partner_revealed", "player")


# ------------------------------------------------------------------------------------ the play


@pytest.mark.parametrize(
    ("script", "bid", "faults"),
    [
        ("a#A b#3 c#70", "3", ["bad_bid C2 3 2"]),
        ("a#A b#3 c#70 c#7 d#62", "7", ["bad_bid C2 3 2", "bad_bid C2 5 4"]),
        ("a#2 b#62 c#65", 65, []),
        ("a#A b#2 c#120", 120, []),
        ("a#- b#70", None, ["bad_bid C2 2 1"]),
        ("a#70 b#A", "A", ["bad_bid C2 1 2"]),
        ("a#120 b#- c#- d#- e#-", None, ["bad_bid C2 1 2"]),
        # Not on record from eldest's first bid on.
        ("a#75 @b =80", 75, []),
        ("b#70 c#-", 70, []),
    ],
)
def test_points_before_the_two_are_found_by_the_option(
    script: str, bid: Any, faults: list[str]
) -> None:
    deal = play(CHIAMATA, script, points_bids="after_two")
    assert (deal.bid and deal.bid.event.bid) == bid
    assert findings_of(CHIAMATA, deal) == faults
    assert not [
        finding for finding in findings_of(CHIAMATA, play(CHIAMATA, script)) if "C2 3" in finding
    ]


def test_points_are_offered_after_the_two_by_the_option() -> None:
    def in_turn(script: str) -> list[str]:
        deal = play(CHIAMATA, script, points_bids="after_two")
        return words(prompts(CHIAMATA, deal, "cards"), "bid_made")

    assert in_turn("a#3")[-2:] == ["b#4", "b#2"]
    assert in_turn("a#2")[:2] == ["b#-", "b#62"]
    assert in_turn("a#3 b#70 b#-")[-1] == "c#2"
    totals = play(CHIAMATA, "", points_bids="after_two")
    assert "a#75" in words(prompts(CHIAMATA, totals, "totals"), "bid_made")
    assert in_turn("a#75") == []  # if it is the whole auction, it is not too early


@pytest.mark.parametrize("game", [CHIAMATA, MONTE], ids=lambda game: game.id)
def test_first_leader_follows_the_option(game: Game) -> None:
    by_bidder, by_eldest = "b#75 b+2D b:2D", "b#75 b+2D a:2D"
    for script, right, wrong in [
        (by_bidder, "bidder", "eldest"),
        (by_eldest, "eldest", "bidder"),
    ]:
        assert "out_of_turn" not in str(findings_of(game, play(game, script, first_lead=right)))
        assert "out_of_turn" in str(findings_of(game, play(game, script, first_lead=wrong)))
    usual = "eldest" if game is CHIAMATA else "bidder"
    assert game.options(None, 5)["first_lead"] == usual


def test_revoke_is_found_if_suit_must_be_followed() -> None:
    script = f"b#J b+JC {SOME} c:3D d:2B"
    options: dict[str, Any] = {"first_lead": "bidder"}
    assert findings_of(CHIAMATA, play(CHIAMATA, script, **options)) == []
    revoked = play(CHIAMATA, script, must_follow=True, **options)
    assert findings_of(CHIAMATA, revoked) == ["revoke C6 4 8"]


def test_offered_cards_follow_suit_if_it_must_be_followed() -> None:
    def offered(script: str) -> list[str]:
        deal = play(CHIAMATA, script, must_follow=True, first_lead="bidder")
        prompts = [p for p in CHIAMATA.prompts(deal) if p.choices[0].TYPE == "card_played"]
        cards: list[Any] = list(prompts[0].choices)
        return [str(card.card) for card in cards]

    assert "2C" in offered("b#J b+JC b:7D")  # nobody knows what c holds
    assert "3D" in offered("b#J b+JC b:7D c:2C d:4D e:5D a:6D c:7B d:2B e:3B a:4B")
    void = "b#J b+JC b:7D c:2C d:4D e:5D a:6D c:3C"
    assert not [card for card in offered(f"{void} d:4C e:5C a:6C b:AC b:AD") if card[-1] == "D"]
    held = "b#J b+JC c?3D b:7D"
    assert {card[-1] for card in offered(held)} == {"D"}


# --------------------------------------------------- the named card in the bidder's hand

LAID = "b#95 b+2D b^ b_2D,4S,5S,6S,7S"


@pytest.mark.parametrize(
    ("rule", "script", "partner"),
    [
        ("choice", "b#95 b+2D b:2D", "b"),
        ("choice", "b#95 b+2D b% b:2D", "c"),
        ("alone", "b#95 b+2D b:2D", "b"),
        ("alone", "b#95 b+2D b% b:2D", "b"),
        ("alone", LAID, "b"),
        ("right", "b#95 b+2D b:2D", "c"),
        ("right", "e#95 e+2D e:2D", "a"),
        ("right", "b#95 b+2D b%", "c"),
        ("right", LAID, "c"),
        ("any", "b#95 b+2D @d b:2D", "d"),
        ("any", "b#95 b+2D @b b:2D", "b"),
        ("any", f"{LAID} @e", "e"),
        *((rule, "b#95 b+2D b:3D c:2D", "c") for rule in ("choice", "alone", "right", "any")),
        *((rule, "b#95 b+2D @d b:3D", "d") for rule in ("choice", "alone", "right", "any")),
    ],
)
def test_partner_of_a_bidder_with_the_named_card(rule: str, script: str, partner: str) -> None:
    deal = play(MONTE, script, called_in_hand=rule)
    assert deal.partner is not None
    assert deal.partner.player == partner


@pytest.mark.parametrize(
    ("rule", "codes"),
    [("choice", ["bad_discard"]), ("right", ["bad_discard"]), ("alone", []), ("any", [])],
)
def test_card_shown_for_a_partner_may_not_be_laid_away(rule: str, codes: list[str]) -> None:
    deal = play(MONTE, "b#95 b+2D b% b_2D,2S,4S,4D,5C", called_in_hand=rule)
    assert [finding.split()[0] for finding in findings_of(MONTE, deal) if "M5" in finding] == codes


def test_payment_with_the_named_card_in_hand() -> None:
    """Five players, 95 made, 2 units."""
    script = "b#95 b+2D b% =100"
    assert scores(play(MONTE, script, called_in_hand="right")) == {
        "b": 4, "c": 2, "a": -2, "d": -2, "e": -2
    }  # fmt: skip
    assert scores(play(MONTE, script, called_in_hand="alone")) == {
        "b": 8, "a": -2, "c": -2, "d": -2, "e": -2
    }  # fmt: skip
    assert not play(MONTE, script, called_in_hand="any").result.complete, "whom he names is open"
    assert scores(play(MONTE, f"{script} @d", called_in_hand="any")) == {
        "b": 4, "d": 2, "a": -2, "c": -2, "e": -2
    }  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "shows"), [("choice", True), ("right", True), ("alone", False), ("any", False)]
)
def test_showing_is_offered_only_if_it_makes_a_partner(rule: str, shows: bool) -> None:
    prompts = list(MONTE.prompts(play(MONTE, "b#95 b+2D", called_in_hand=rule)))
    assert ("called_card_shown" in [prompt.type for prompt in prompts]) is shows
