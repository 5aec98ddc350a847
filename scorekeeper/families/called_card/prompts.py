"""What comes next in a hand with an auction and a called card."""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from scorekeeper.cards.packs import Card
from scorekeeper.events.common import HandAbandoned
from scorekeeper.events.event import Event
from scorekeeper.events.playing import CardsShown, OutcomeRecorded, PointsCounted
from scorekeeper.families.briscola import ALL_POINTS
from scorekeeper.families.called_card.auction import PASS
from scorekeeper.families.called_card.events import PartnerRevealed
from scorekeeper.families.called_card.rules import asks_for_new_deals
from scorekeeper.families.called_card.state import BIDDER, CallingDeal
from scorekeeper.play.checks import play_begun
from scorekeeper.play.prompts import LEVELS, Ask, Level, Prompt, offer
from scorekeeper.play.prompts.following import player_of, rooms_left
from scorekeeper.play.prompts.holdings import Holdings
from scorekeeper.play.prompts.play import (
    all_cards_so_far,
    offer_counts,
    offer_rest,
    offer_winner,
    to_play,
)

ALL_PASSED: Final = "everybody passed"
NO_POINTS: Final = "no card with points"
WEAK_HAND: Final = "a weak hand"
CALLED: Final[tuple[Level, ...]] = ("tricks", "cards")  # levels at which the call is recorded

BidEvent = Callable[[str, Any], Event]  # a game's bid: who bids, and what
CallEvent = Callable[[str, Card], Event]  # a game's call: who calls, and which card


def totals(bid: type[Event]) -> tuple[Ask, ...]:
    """What the form of a hand asks of which only the totals are recorded."""
    return Ask((bid,)), Ask((PartnerRevealed,)), Ask((PointsCounted, OutcomeRecorded))


# ------------------------------------------------------------------------------- the auction


def bids(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """A bid in turn; or the highest, by whoever made it, where no other is on record.

    ``ladder`` are the bids that there are, the lowest first.
    """
    spoken = deal.auction.turns
    if not spoken or spoken[0].event.player == deal.table.eldest:
        yield from _in_turn(deal, bid, ladder)
    if deal.bid is None and not (spoken and deal.bidding):
        yield from _highest(deal, bid, ladder)
    if deal.bid is None and deal.bidding and deal.auction.least is None:
        over = HandAbandoned(
            ALL_PASSED, kind="all_passed" if deal.abandonment_kind_matters else None
        )
        yield from offer([over], ("totals", "tricks"))


def more_bids(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """Offer a bid in turn where eldest's first is not on record, and more bids are unlikely."""
    spoken = deal.auction.turns
    if spoken and spoken[0].event.player != deal.table.eldest:
        yield from _in_turn(deal, bid, ladder)


def _in_turn(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    speaker = deal.auction.speaker
    if speaker is None or not deal.bidding or deal.auction.may_be_all:
        return
    best = 0 if deal.bid is None else deal.worth(deal.bid.event.bid) + 1
    higher = [
        one
        for one in ladder
        if deal.worth(one) >= best and not deal.too_early(one, deal.auction.standing)
    ]
    # A form for the totals of a whole hand asks for the winning bid alone.
    levels: tuple[Level, ...] = LEVELS if deal.auction.turns else CALLED
    if deal.auction.must_open:
        choices = [one for one in higher if deal.worth(one) >= (deal.auction.least or 0)]
    else:
        choices = [PASS, *higher]
    yield from offer((bid(speaker, one) for one in choices), levels, in_turn=True)


def _highest(deal: CallingDeal, bid: BidEvent, ladder: Sequence[Any]) -> Iterator[Prompt]:
    """The bid that won, by each player; by who called a card, if somebody did."""
    called = [call.event.player for call in deal.calls[:1]]
    for player in called or deal.table.players:
        in_turn = deal.bidding and player == deal.table.eldest  # asked before, but at totals
        levels: tuple[Level, ...] = ("totals",) if in_turn else LEVELS
        if player not in deal.auction.passes:
            yield from offer((bid(player, one) for one in ladder), levels)


def new_deals(deal: CallingDeal) -> Iterator[Prompt]:
    """A player whose hand is weak asks for a new deal before he first bids."""
    options = deal.table.options
    if deal.auction.over or not deal.bidding or not asks_for_new_deals(options):
        return
    spoken = {bid.player for bid in deal.bids}
    kind = "weak_hand" if deal.abandonment_kind_matters else None
    players = [one for one in deal.table.players if one not in spoken and deal.may_ask_anew(one)]
    if options["redeal_max_points"] == 0 and not options["four_twos"]:
        yield from offer(HandAbandoned(NO_POINTS, player, kind) for player in players)
    else:
        yield from offer(HandAbandoned(WEAK_HAND, player, kind) for player in players)


# ------------------------------------------------------------------------------- the parties


def unseen(
    deal: CallingDeal, away: Collection[Card] = (), beside: dict[str, int] | None = None
) -> Holdings:
    """The cards that nobody has seen, among the players and whoever is ``beside`` them.

    ``away`` are cards that are on record, and were not played.
    """
    cards = [c for c in deal.table.pack.cards if c not in deal.first and c not in away]
    return Holdings({**rooms_left(deal), **(beside or {})}, cards)


def if_possible(known: Holdings) -> Holdings:
    """What is known of the unseen cards; where it contradicts itself, only how many lie where."""
    return known if known.possible else Holdings(known.rooms, known.cards)


def keep_word(deal: CallingDeal, held: Holdings, called: Card) -> None:
    """Note that the called card lies where who was said to be the partner is the partner."""
    if deal.revealed is not None:
        held.require_among(_holders(deal, held, deal.revealed.player), [called])


def _holders(deal: CallingDeal, held: Holdings, partner: str) -> list[str]:
    """Return who may hold the called card, or have held it, where that player is the partner."""
    return [one for one in held.rooms if partner in deal.partners_with(player_of(one))]


def calls(
    deal: CallingDeal,
    cards: Sequence[Card],
    holdings: Callable[[Any, Card], Holdings],
    call: CallEvent,
    levels: tuple[Level, ...] = CALLED,
) -> Iterator[Prompt]:
    """The card that the bidder calls, of these: one with which the record can be true.

    One that was forgotten belongs where it was said: only a correction puts it there.
    """
    bidder = deal.bidder
    if bidder is None or not may_call(deal):
        return
    possible = [card for card in cards if holdings(deal, card).possible]
    yield from offer((call(bidder, card) for card in possible or cards), levels)


def may_call(deal: CallingDeal) -> bool:
    """Whether a card, or its suit, is still to be called, and in time."""
    begun = play_begun(deal, trick=2 if deal.blind else 1) is not None
    return not (begun or deal.solo or deal.call is not None or deal.counts or deal.outcomes)


def partner_to_reveal(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Who the partner is, the bidder himself last."""
    if deal.partner is not None or deal.partner_face_down:
        return
    called = [] if deal.called is None else [deal.called]
    players = sorted(deal.table.players, key=lambda player: player == deal.bidder)
    if not deal.may_be_alone:
        players.remove(players[-1])
    holders = {one: _holders(deal, held, one) for one in players}
    possible = [
        one for one in players if holders[one] and held.can_have_together(holders[one], called)
    ]
    yield from offer(PartnerRevealed(player) for player in possible or players)


def called_to_show(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """The called card, shown by a player who can hold it."""
    called = deal.called
    if called is None or not all_cards_so_far(deal):
        return
    if not any(called in shown.cards for shown in deal.shown):
        players = (player for player in deal.table.players if held.can_hold(player, called))
        yield from offer((CardsShown(player, (called,)) for player in players), ("cards",))


# ---------------------------------------------------------------- the tricks and the result


def tricks(deal: CallingDeal) -> Iterator[Prompt]:
    """Who took the next trick, where no count nor outcome says what the hand comes to."""
    if not (deal.counts or deal.outcomes):
        yield from offer_winner(deal)


def rest(deal: CallingDeal, held: Holdings) -> Iterator[Prompt]:
    """Who takes all the rest, of those who can."""
    if not (deal.counts or deal.outcomes):
        yield from offer_rest(deal, lambda player: _takes_all(deal, player, held))


def _takes_all(deal: CallingDeal, player: str, held: Holdings) -> bool:
    """Whether a player can take all tricks to come, as far as the cards are on record.

    He does with the highest trumps and, where these run out, with the highest cards of a suit
    and then of the next, if he can lead them.
    """
    if deal.called is None or not all_cards_so_far(deal):
        return True
    trumps = [card for card in held.cards if card.suit == deal.trump]
    others = [card for card in held.cards if card.suit != deal.trump]
    best = [*trumps, *others][: deal.tricks.total + 1 - deal.tricks.due]
    return (bool(trumps) or player == to_play(deal)) and held.can_have(player, best)


def sweeps(deal: CallingDeal) -> Iterator[PointsCounted]:
    """The counts of all the tricks to one party, where they matter and the record allows them."""
    options = deal.table.options
    if options["sweep_test"] != "tricks" or options["sweep_pay"] == "none":
        return
    tricks = deal.tricks_at_least()
    for side in tricks:
        none = dict.fromkeys(tricks, 0)
        if tricks == {**none, side: tricks[side]}:
            yield PointsCounted({**none, side: ALL_POINTS}, {**none, side: deal.tricks.total})


def results(deal: CallingDeal, possible: dict[str, Sequence[int]]) -> Iterator[Prompt]:
    """The count, or whether the contract was made, once the parties are on record."""
    on_record = deal.partner is not None or deal.partner_face_down
    if deal.need is None or not on_record or not possible[BIDDER]:
        return
    if deal.counts or deal.outcomes:
        return
    levels: tuple[Level, ...] = ("totals",)  # and where no trick can be added, the others
    if deal.all_tricks or deal.plays:
        levels = LEVELS if deal.all_tricks else ("totals", "tricks")
    for prompt in offer_counts(deal, possible, levels):
        swept = tuple(sweeps(deal)) if prompt.counts else ()
        yield replace(prompt, choices=(*prompt.choices, *swept))
    can = {
        True: max(possible[BIDDER]) >= deal.need,
        False: min(possible[BIDDER]) < deal.need,
    }
    yield from offer((OutcomeRecorded(made) for made in can if can[made]), levels)
