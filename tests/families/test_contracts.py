"""A made-up game with an auction and half points, which is no Briscola.

Tests of ``families.contracts.state``, ``families.contracts.score``, ``families.contracts.audit``,
``families.contracts.prompts`` and ``families.contracts.facts``.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import pytest

from scorekeeper.authoring import (
    FOLD,
    PASS,
    PLAYER,
    AuctionDeal,
    Card,
    ContractShares,
    Event,
    OneOf,
    PartnerRevealed,
    PointsCounted,
    Result,
    Table,
    Whole,
    append_to,
    bid_checks,
    card_called,
    contract_events,
    contract_facts,
    evaluate_contract,
    french,
    individual_sides,
    offer_bids,
    part,
    share_out,
)
from scorekeeper.events.fields import CARD
from scorekeeper.play.scoring import run_checks
from tests.play.plain import event_of

PACK = french("A K Q J 10 9")
BIDS = ("small", "grand")
NEEDED = {"small": 25, "grand": 40}  # of 49 half points
HALVES = {card: {"A": 9, "K": 3}.get(card.rank, 0) for card in PACK.cards}
SHARES = ContractShares(alone=3, bidder=1, partner=1)


@dataclass(frozen=True, slots=True)
class Bid(Event):
    """A player bids or passes."""

    TYPE: ClassVar = "made_up_bid"
    player: str = part(PLAYER, "who bids")
    bid: str = part(OneOf((PASS, *BIDS), words=""), "the bid")


@dataclass(frozen=True, slots=True)
class AceCalled(Event):
    """The bidder calls an ace; the event does not name the bidder again."""

    TYPE: ClassVar = "made_up_call"
    card: Card = part(CARD, "the ace")


class MadeUpDeal(AuctionDeal):
    """A hand of four players and six tricks, worth 49 half points with one for the last trick."""

    TOTALS: ClassVar = (49,)
    COUNTED_IN: ClassVar = 2
    CARD_POINTS: ClassVar = HALVES
    last_bid = BIDS.index("grand")

    def worth(self, bid: Any) -> int:
        return BIDS.index(bid)

    @property
    def need(self) -> int | None:
        return NEEDED[self.bid.event.bid] if self.bid else None

    def strength(self, trick: Any) -> Any:
        return {card: n for card, n in PACK.height.items() if card.suit is trick.led_suit}


STEPS = {
    **FOLD, Bid: append_to("bids"), AceCalled: card_called, PartnerRevealed: append_to("reveals"),
}  # fmt: skip


def hand(script: str) -> MadeUpDeal:
    """Return a hand: ``a#small`` bids, ``a#pass``, ``+AS`` calls, ``@a`` names the partner.

    ``=40`` is the count of the bidder's party; other words are those of `tests.play.plain`.
    """
    seats = tuple("abcd")
    names = {seat: seat.upper() for seat in seats}
    deal = MadeUpDeal(Table(PACK, seats, seats, "d", {}, individual_sides(seats), names), 6)
    for seq, word in enumerate(script.split(), 1):
        player, sign, rest = word[0], word[1:2], word[2:]
        event: Event
        if sign == "#":
            event = Bid(player, rest)
        elif word[0] == "+":
            event = AceCalled(Card.parse(word[1:]))
        elif word[0] == "@":
            event = PartnerRevealed(word[1:])
        elif word[0] == "=":
            event = PointsCounted({"bidder": int(word[1:])})
        else:
            event = event_of(word)
        STEPS[type(event)](deal, seq, event)
        deal.clear_cache()
    return deal


def paid(deal: MadeUpDeal) -> dict[str, int] | None:
    """Return the units that each player gets or pays; None while the result is unknown."""
    contract = evaluate_contract(deal)
    if contract is None:
        return None
    sign = 1 if contract.made else -1
    return {player: sign * units for player, _, units in share_out(deal, contract, SHARES)}


AUCTION = "a#small b#grand"


@pytest.mark.parametrize(
    ("script", "units"),
    [
        (f"{AUCTION} @c =40", {"b": 1, "c": 1, "a": -1, "d": -1}),
        (f"{AUCTION} @c =39", {"b": -1, "c": -1, "a": 1, "d": 1}),
        (f"{AUCTION} @b =40", {"b": 3, "a": -1, "c": -1, "d": -1}),
        (f"{AUCTION} =40", None),
        (f"{AUCTION} @c", None),
        (f"{AUCTION} @c made", {"b": 1, "c": 1, "a": -1, "d": -1}),
        (f"{AUCTION} @c lost =40", {"b": 1, "c": 1, "a": -1, "d": -1}),
        # Cleo holds the called ace; she and Bruno take all tricks, and so all points.
        (f"{AUCTION} +AS a:9S b:10S c:AS d:JS c*", {"b": 1, "c": 1, "a": -1, "d": -1}),
    ],
)
def test_contract_pays_by_its_own_total_and_threshold(
    script: str, units: dict[str, int] | None
) -> None:
    assert paid(hand(script)) == units


def test_tricks_on_record_decide_the_contract_before_the_end() -> None:
    ace = "a:9S b:10S c:AS d:JS"
    kings = "c:QS d:KH a:KD b:KC"  # three kings, to Cleo
    deal = hand(f"a#small b#pass c#pass d#pass +AC {ace} {kings}")
    assert (deal.bidder, deal.called, deal.partner) == ("a", Card.parse("AC"), None)
    assert deal.contract_made() is None
    deal = hand(f"a#pass b#pass c#small d#pass @b {ace} {kings} c:AH d:JH a:QH b:10H")
    assert deal.points_at_least() == {"bidder": 27, "defenders": 0}
    assert deal.contract_made() is True


def test_card_that_lies_aside_leaves_the_bidder_alone() -> None:
    cards = [card for card in PACK.cards if card.rank != "A"]  # 20 of 24
    plays = " ".join(f"{'abcd'[n % 4]}:{card}" for n, card in enumerate(cards))
    deal = hand(f"a#small b#pass c#pass d#pass +AS {plays}")
    deal.tricks.total = 5
    assert deal.called_lies_aside
    assert deal.find_partner() == ("a", (5,))


def test_facts_are_in_the_parts_and_words_of_the_game() -> None:
    deal = hand(f"{AUCTION} @c =40")
    contract = evaluate_contract(deal)
    assert contract is not None
    assert contract_events(deal, contract) == (2, 3, 4)
    deal.result = Result(complete=True, basis=contract.basis, taken=contract.points)
    facts = contract_facts(OneOf(BIDS, words=""), parts=2, bidder="Taker")
    assert {fact.id: fact.read(deal) for fact in facts} == {
        "bidder": "b", "bid": "grand", "called": None, "partner": "c", "alone": False,
        "needed": 40, "took": 40, "made": None, "over": 0,
    }  # fmt: skip
    assert facts[0].label == "Taker"
    assert facts[5].kind == Whole(0, parts=2)


def offered(script: str) -> list[str]:
    """Return the bids that are offered after these events."""
    choices = [
        choice for prompt in offer_bids(hand(script), Bid, BIDS) for choice in prompt.choices
    ]
    return [f"{bid.player}#{bid.bid}" for bid in choices if isinstance(bid, Bid)]


def test_auction_offers_higher_bids_in_turn() -> None:
    assert offered("a#small") == ["b#pass", "b#grand"]
    assert offered("a#pass b#small c#grand") == []


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("a#small b#small", "bad_bid X2 2 1"),
        ("a#pass b#small a#grand", "bad_bid X1 3 1"),
        ("a#grand b#grand", "bad_bid X2 2 1"),
        ("a#small c#pass b#grand", "out_of_turn X1 2 3"),
    ],
)
def test_auction_is_checked_under_the_clauses_of_the_game(script: str, found: str) -> None:
    deal = hand(script)
    assert [
        f"{check.code} {check.rule} {' '.join(map(str, sight.events))}"
        for check, sight in run_checks(bid_checks("X1", "X2"), deal)
    ] == [found]
