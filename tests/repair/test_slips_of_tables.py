"""What tables get wrong, each with what was meant: it is suggested, and what it is not, later."""

from typing import Any

import pytest

from scorekeeper.repair import suggestions
from tests.evenings import Evening, event, opening

Corrections = list[tuple[str, dict[str, Any]]]

THREE = ("mara", "leo", "nina")
FIVE = (*THREE, "ugo", "ada")
FOUR_OF_CUPS = "4C"


def suggested(
    game: str, seats: tuple[str, ...], dealer: str, *events: dict[str, Any], **options: Any
) -> list[Corrections]:
    """Suggestions for a hand whose own events begin with seq 4."""
    evening = Evening(
        opening(*seats),
        event("match_started", game=game, seats=list(seats), options=options),
        event("hand_started", dealer=dealer),
        *events,
    )
    return [
        [
            (correction.type, {**correction.data, "reason": ""})
            for correction in suggestion.corrections
        ]
        for suggestion in suggestions(evening.session)
    ]


def replaced(seq: int, kind: str, **data: Any) -> Corrections:
    return [("event_replaced", {"seq": seq, "type": kind, "data": data, "reason": ""})]


def struck_seqs(suggested_sets: list[Corrections]) -> list[int]:
    """The entries that a suggestion strikes and does nothing else, in order."""
    return [
        corrections[0][1]["seq"]
        for corrections in suggested_sets
        if [kind for kind, _ in corrections] == ["event_struck"]
    ]


def taken(*players: str) -> list[dict[str, Any]]:
    return [event("trick_taken", player=player) for player in players]


def bids(*words: tuple[str, Any]) -> list[dict[str, Any]]:
    return [event("bid_made", player=player, bid=bid) for player, bid in words]


# ------------------------------------------------------------------------------ whole records


def test_a_wrong_count_comes_before_a_trick_too_many_where_none_is() -> None:
    nine = taken("leo", "leo", "leo", "mara", "mara", "nina", "nina", "nina", "nina")
    count = event("points_counted", points={"leo": 5, "mara": 1, "nina": 9})
    bid = event("bid_made", player="leo", points=5)
    suggested_sets = suggested("riparto", THREE, "mara", bid, *nine, count)
    meant = {"leo": 3, "mara": 2, "nina": 10}
    assert suggested_sets[0] == replaced(14, "points_counted", points=meant)


def test_the_newest_of_repeated_tricks_is_struck() -> None:
    ten = taken("leo", "leo", "leo", "mara", "mara", "nina", "nina", "nina", "nina", "nina")
    bid = event("bid_made", player="leo", points=5)
    suggested_sets = suggested("riparto", THREE, "mara", bid, *ten)
    assert struck_seqs(suggested_sets[:1]) == [14]
    of_nina = [
        seq for seq in struck_seqs(suggested_sets) if seq >= 10
    ]  # her tricks are the entries 10 to 14
    assert of_nina == [14]


def test_a_wrong_last_trick_is_replaced_in_the_count() -> None:
    mara, leo = "mara", "leo"
    twelve = taken(mara, mara, mara, mara, leo, leo, mara, mara, leo, leo, leo, mara)
    count = event("tricks_counted", tricks={mara: 7, leo: 5}, last=leo)
    suggested_sets = suggested("picchetto", (mara, leo), leo, *twelve, count)
    assert suggested_sets[0] == replaced(16, "tricks_counted", tricks={mara: 7, leo: 5}, last=mara)
    assert struck_seqs(suggested_sets) == [15, 14]  # Mara's newest, Leo's newest


def test_who_took_all_tricks_took_the_last() -> None:
    count = event("tricks_counted", tricks={"mara": 12, "leo": 0}, last="leo")
    suggested_sets = suggested("picchetto", ("mara", "leo"), "leo", count)
    assert suggested_sets[0] == replaced(
        4, "tricks_counted", tricks={"mara": 12, "leo": 0}, last="mara"
    )


# -------------------------------------------------------------------------------- bids too low


def of_the_low_bid(*words: tuple[str, Any], card: str, seq: int) -> list[Any]:
    """Return the true bid in place of this seq, by the suggestions."""
    rest = [
        event("card_called", player=words[-1][0], card=card),
        event("partner_revealed", player="mara"),
        event("points_counted", points={"bidder": 70, "defenders": 50}),
    ]
    suggested_sets = suggested("briscola_chiamata", FIVE, "ada", *bids(*words), *rest)
    return [
        corrections[0][1]["data"]["bid"] for corrections in suggested_sets
        if corrections[0][0] == "event_replaced" and corrections[0][1]["seq"] == seq
    ]  # fmt: skip


def test_a_bid_too_low_may_have_been_a_pass_or_one_of_the_next() -> None:
    bid_words = (("mara", "3"), ("leo", "N"), ("nina", "K"), ("ugo", "pass"), ("ada", "4"))
    meant = of_the_low_bid(*bid_words, card=FOUR_OF_CUPS, seq=6)
    assert meant[0] == "pass"
    assert meant[1:] == ["J", "7", "6", "5"]  # above Leo's knight, below Ada's four


def test_after_the_last_rank_the_next_figures_are_points() -> None:
    bid_words = (("mara", "3"), ("leo", "N"), ("nina", "2"), ("ugo", "pass"), ("ada", "4"))
    assert of_the_low_bid(*bid_words, card="2C", seq=8)[:3] == [62, 63, 64]


def test_the_next_figures_of_a_bid_of_points_end_below_the_bid_after() -> None:
    bid_events = bids(("mara", 65), ("leo", 70), ("nina", 68), ("ugo", "pass"), ("ada", 75))
    rest = [
        event("card_called", player="ada", card="2C"),
        event("partner_revealed", player="mara"),
        event("points_counted", points={"bidder": 80, "defenders": 40}),
    ]
    suggested_sets = suggested("briscola_col_monte", FIVE, "ada", *bid_events, *rest)
    assert suggested_sets[0] == replaced(6, "bid_made", player="nina", bid="pass")
    assert [corrections[0][1]["data"]["bid"] for corrections in suggested_sets[1:5]] == [
        71,
        72,
        73,
        74,
    ]


def test_a_bid_of_carichi_that_was_missed_comes_in_between_those_beside_it() -> None:
    bid_words = (
        ("mara", 65), ("leo", {"carichi": 70}), ("ugo", {"carichi": 75}), ("ada", "pass"),
        ("mara", "pass"), ("leo", "pass"), ("nina", {"carichi": 80}), ("ugo", "pass"),
    )  # fmt: skip
    count = event("points_counted", points={"bidder": 90, "defenders": 30})
    suggested_sets = suggested(
        "briscola_col_monte", FIVE, "ada", *bids(*bid_words), count, carichi="points"
    )
    inserted = [
        corrections[0][1]
        for corrections in suggested_sets[:3]
        if corrections[0][0] == "event_inserted"
    ]
    assert {(raw["after"], raw["data"]["player"]) for raw in inserted} == {(5, "nina")}
    assert 70 < inserted[0]["data"]["bid"]["carichi"] < 75


# ------------------------------------------------------------------------------ cards left out


@pytest.mark.parametrize("left_out", [1, 2])
def test_the_unplayed_card_is_added_to_a_short_lay_away(left_out: int) -> None:
    away = ["7S", "6S", "5S", "4S", "2S"]
    seats = FIVE
    packs = [f"{rank}{suit}" for suit in "DCBS" for rank in "A3KNJ76542"]
    played = [card for card in packs if card not in away]
    plays = played_out(played, seats)
    suggested_sets = suggested(
        "briscola_col_monte", seats, "ada",
        *bids(("mara", 65), *((seat, "pass") for seat in seats[1:])),
        event("card_called", player="mara", card="2D"),
        event("cards_laid_away", player="mara", cards=away[:-left_out]),
        *plays,
    )  # fmt: skip
    first = suggested_sets[0][0][1]
    assert first["type"] == "cards_laid_away"
    assert sorted(first["data"]["cards"]) == sorted(away)


def played_out(cards: list[str], seats: tuple[str, ...]) -> list[dict[str, Any]]:
    """Seven tricks, each led by the winner of the one before; any card may be played."""
    trump, order, plays = "D", "A3KNJ76542", []
    leader = 0
    for number in range(7):
        trick = cards[number::7]
        in_turn = [seats[(leader + n) % len(seats)] for n in range(len(seats))]
        laid = zip(in_turn, trick, strict=True)
        plays += [event("card_played", player=player, card=card) for player, card in laid]
        suit = trump if any(card[1] == trump for card in trick) else trick[0][1]
        best = min((c for c in trick if c[1] == suit), key=lambda c: order.index(c[0]))
        leader = seats.index(in_turn[trick.index(best)])
    return plays


def test_totals_do_not_show_which_card_a_lay_away_lacks() -> None:
    suggested_sets = suggested(
        "briscola_col_monte", FIVE, "ada", *bids(("mara", 65)),
        event("card_called", player="mara", card="2D"),
        event("cards_laid_away", player="mara", cards=["7S", "6S", "5S", "4S"]),
        event("partner_revealed", player="leo"),
        event("points_counted", points={"bidder": 70, "defenders": 50}),
    )  # fmt: skip
    assert suggested_sets[0] == replaced(6, "cards_laid_away", player="mara")  # without the cards
    assert struck_seqs(suggested_sets) == [6]


# ------------------------------------------------------------------------------ counts left out

KNOCK = ("mara", "leo", "nina", "ugo")
WHO_TOOK_THE_LAST = [
    {"tricks": {"mara": 7, "leo": 5}, "last": player} for player in ("mara", "leo")
]


def written(**scores: int) -> dict[str, Any]:
    return event("score_claimed", scores=scores)


@pytest.mark.parametrize(
    ("game", "seats", "events", "counted"),
    [
        ("knock", KNOCK, taken(*["leo"] * 13), [{"points": {"A": 0, "B": 100}}]),
        ("picchetto", KNOCK[:2], [written(mara=30, leo=14)], [{"points": {"mara": 30, "leo": 14}}]),
        ("knock", KNOCK, taken(*["leo", "mara"] * 6, "leo"), []),
        ("knock", KNOCK, [], []),
    ],
    ids=["all tricks", "what was written down", "any count", "nothing"],
)
def test_a_count_left_out_is_offered_where_few_are_left_open(
    game: str, seats: tuple[str, ...], events: list[dict[str, Any]], counted: list[Any]
) -> None:
    suggested_sets = suggested(
        game, seats, seats[-1], *events, event("hand_started", dealer=seats[0])
    )
    inserted = [
        corrections[0][1] for corrections in suggested_sets if corrections[0][0] == "event_inserted"
    ]
    assert [raw["data"] for raw in inserted if raw["type"] == "points_counted"] == counted


def test_the_winner_of_the_last_trick_is_added_if_a_count_needs_it() -> None:
    count = event("tricks_counted", tricks={"mara": 7, "leo": 5})
    again = event("hand_started", dealer="mara")
    suggested_sets = suggested("picchetto", ("mara", "leo"), "leo", count, again)
    assert suggested_sets == [
        replaced(4, "tricks_counted", **tricks) for tricks in WHO_TOOK_THE_LAST
    ]


# ------------------------------------------------------------------------------ bids left out


def test_who_acts_for_the_bidder_and_never_bid_was_left_out_and_outbid_the_others() -> None:
    sets_dealt = [event("set_distributed", player="mara", set=n, kept=card, given=cards)
             for n, card, cards in (
                 (1, "AC", {"leo": "KD", "nina": "10S"}), (2, "KH", {"leo": "8C", "nina": "8H"}),
             )]  # fmt: skip
    bids_made = [event("bid_made", player=who, points=n) for who, n in (("leo", 5), ("nina", 10))]
    count = event("points_counted", points={"leo": 3, "nina": 1})
    suggested_sets = suggested("riparto", THREE, "mara", *bids_made, *sets_dealt, count)
    meant = {"after": 5, "type": "bid_made", "data": {"player": "mara", "points": 11}}
    assert [("event_inserted", {**meant, "reason": ""})] in suggested_sets[:3]


def test_between_two_bids_of_one_player_that_of_another_was_left_out() -> None:
    auction = bids(
        ("mara", 70), ("leo", "pass"), ("nina", "pass"), ("ugo", "pass"), ("ada", 80),
        ("mara", 85), ("mara", "pass"),
    )  # fmt: skip
    result = [
        event("card_called", player="ada", card=FOUR_OF_CUPS),
        event("partner_revealed", player="nina"),
        event("points_counted", points={"bidder": 95, "defenders": 25}),
    ]
    suggested_sets = suggested("briscola_chiamata", FIVE, "ada", *auction, *result)
    meant = {"after": 9, "type": "bid_made", "data": {"player": "ada", "bid": 86}}
    assert [("event_inserted", {**meant, "reason": ""})] in suggested_sets[:3]
