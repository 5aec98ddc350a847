"""The rule book of Briscola col Monte, version 1, and its figures."""

from functools import cache
from typing import Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.cards.packs import Card, Pack
from scorekeeper.families.briscola import (
    PACKS,
    left_out_option,
    pack_of,
    pack_option,
    refuse_left_out_suit,
)
from scorekeeper.families.called_card import rules as calling
from scorekeeper.families.called_card.carichi import carichi_option
from scorekeeper.families.called_card.rules import match_end_option
from scorekeeper.families.contracts.score import ContractShares
from scorekeeper.games.game import all_players
from scorekeeper.play.rulebook import Clause, Option, Preset, RuleBook


class HandSize(NamedTuple):
    """The cards of each player, and so the tricks of a hand, and the cards of the monte."""

    tricks: int
    monte: int


# By the number of active players; 40 cards each time.
HAND_SIZE: Final = {5: HandSize(tricks=7, monte=5), 6: HandSize(tricks=6, monte=4)}
PLAYERS: Final = 6  # at most; with one seat more the dealer sits out

LOWEST_BID: Final = 61  # M2

USUAL_BANDS: Final = (91,)  # a bid below is 1 unit (M8)

# The shares of a made contract, by the number of active players; each adds up to 0 over them.
SHARES: Final = {
    5: ContractShares(alone=4, bidder=2, partner=1),  # M9
    6: ContractShares(alone=5, bidder=2, partner=2),  # M10
}
THREE_ONE: Final = ContractShares(alone=5, bidder=3, partner=1)  # by the option six_split (M10)
PAYMENT: Final = {5: "M9", 6: "M10"}  # the clause

CLAUSES: Final = (
    Clause("M1", "Five players are dealt seven cards each, and five lie face down in the middle: "
           "the monte. Six players are dealt six cards, and the monte has four; where seven are "
           "seated, the dealer sits out and scores nothing. A player without a single card that "
           "has points may ask for a new deal before their first bid: the hand is abandoned.",
           "ruling"),
    Clause("M2", "Bids are card points, from 61 to 120, each higher than the one before. Eldest "
           "begins, and the turn goes round; a player who passes is out of the auction for good. "
           "It is over when one player is left and has made a bid, or at a bid of 120. When "
           "everybody passes, the hand is abandoned.", "found"),
    Clause("M3", "The highest bidder names any card. Its suit becomes trump, and the player who "
           "has it is the partner. Only then does the bidder pick up the monte, and puts the "
           "same number of cards aside, face down.", "source"),
    Clause("M4", "The cards laid away belong to the player who takes the last trick, and their "
           "points count for that player's party.", "source"),
    Clause("M5", "A bidder who holds the named card, or finds it in the monte, may say nothing "
           "and play alone. Or they show it before the first lead, and the player at their "
           "right, next in order of play, is the partner. They may lay the named card away "
           "unless they have shown it; if nobody plays it, they were alone.", "ruling"),
    Clause("M6", "The bidder leads to the first trick, and the winner of each trick leads to the "
           "next. Forty cards, in each suit from the strongest: ace 11 points, three 10, king 4, "
           "knight (queen) 3, jack 2, and seven, six, five, four and two without points: 120 in "
           "all. Any card may be played at any time. The highest trump takes the trick, and "
           "where there is none, the highest card of the suit led.", "source"),
    Clause("M7", "The contract is made when the bidder and the partner have taken as many card "
           "points as were bid, or more.", "source"),
    Clause("M8", "The payment is 1 unit on a bid of up to 90, and 2 units from 91 on. It is "
           "doubled again if the bidder's party takes all 120 points.", "source"),
    Clause("M9", "Five players: when the contract is made, the bidder gets two units, the partner "
           "one, and each of the three others pays one. A bidder alone gets four, one from each "
           "of the others. When it is lost, the same is paid the other way.", "source"),
    Clause("M10", "Six players: the bidder and the partner get two units each, and each of the "
           "four others pays one. A bidder alone gets five, one from each of the others. When it "
           "is lost, the same is paid the other way.", "source"),
    Clause("M11", "The table decides how a match ends.", "ruling"),
)  # fmt: skip

OPTIONS: Final = (
    pack_option("M6"),
    match_end_option("M11"),
    calling.bands_option("M8", USUAL_BANDS),
    *calling.sweep_options("M8", "points"),
    calling.whose_sweep_option("M8", "bidder", later=True),
    *calling.limits_options("M2", LOWEST_BID),
    calling.lead_option("M6", "bidder"),
    *calling.redeal_options("M1", 0),
    calling.next_double_option("M2", ("weak_hand", "all_passed")),
    Option("call_time", "M3", "When does the bidder name the card?", {
        "before": "before the bidder takes the monte",
        "suit_then_card": "the bidder names trump, takes the monte, and then names a card of that "
                          "suit",
        "after": "when the bidder has taken the monte",
    }, brief={"suit_then_card": "trump, then the monte, then the card",
        "after": "the card after the monte"}, later=True, scores=False),
    Option("called_in_hand", "M5", "The bidder has the named card: who is the partner?", {
        "choice": "nobody, or the player at the bidder's right if the card is shown",
        "alone": "nobody",
        "right": "the player at the bidder's right",
        "any": "whoever is named, or nobody",
    }, brief={"alone": "alone with one’s own card", "right": "one’s own card: with the right",
        "any": "one’s own card: with anybody"}, later=True),
    Option("six_split", "M10", "How do six players share what the bidder's party gets?", {
        "equal": "the bidder and the partner get two units each",
        "three_one": "the bidder gets three units, and the partner one",
    }, brief={"three_one": "six players share 3 and 1"}, later=True),
    carichi_option("M2"),
    Option("monte", "M1", "Is there a monte?", {
        "dealt": "yes: the cards that are left when all have theirs",
        "removed": "no: all the 2s are left out of the pack, and with five players a 4, too",
    }, brief={"removed": "no monte, and no 2s"}, later=True, scores=False),
    left_out_option("removed_four", "M1", "Without a monte, five players: which 4 is left out?",
                    "four", later=True),
)  # fmt: skip

HOUSES: Final = (
    Preset("Palermo monte", "Two pages from Palermo: trump is named before the monte, and the card "
           "after it.", {"call_time": "suit_then_card"}),
)  # fmt: skip

BOOK: Final = RuleBook(CLAUSES, OPTIONS, calling.CONFLICTS)


def hand_size(options: JsonObject, players: int) -> HandSize:
    """Return the number of tricks of a hand, and of cards in the monte: 0 without one (M1)."""
    size = HAND_SIZE[players]
    return size if options["monte"] == "dealt" else size._replace(monte=0)


def pack(options: JsonObject, seats: int) -> Pack:
    """Return the forty cards; without a monte, fewer (M1)."""
    if options["monte"] == "dealt":
        return pack_of(options)
    four = options["removed_four"] if min(seats, PLAYERS) < PLAYERS else ""
    return _pack_without_monte(options["pack"], four)


@cache
def _pack_without_monte(name: str, four: str) -> Pack:
    """Return the pack with this name without the 2s and, if a suit is given, its 4."""
    twos = [card for card in PACKS[name].cards if card.rank == "2"]
    return PACKS[name].without([*twos, *([Card.parse(f"4{four}")] if four else [])])


def check_options(options: JsonObject, seats: int) -> None:
    """Raise `UnusableError` if options of the match exclude one another; it names the option."""
    calling.check_options(options, seats)
    refuse_left_out_suit(options, "removed_four")
    if options["monte"] == "removed" and options["call_time"] != "before":
        words = (
            "there is no monte (monte removed), and the card would be named after it is taken "
            f"(call_time {options['call_time']})"
        )
        raise UnusableError(Cause(words, "named_after_no_monte"), field="data.options.call_time")


def players(seats: tuple[str, ...], dealer: str) -> tuple[str, ...]:
    """Return the active players, eldest first; of seven the dealer sits out (M1)."""
    return all_players(seats, dealer)[:PLAYERS]


def highest_hand(options: JsonObject, seats: int) -> int:
    """Return the most points that a player can get in a hand (M8 to M10).

    That is for the highest bid, made alone with all points.
    """
    units = max(calling.highest_unit(options), calling.highest_carichi_unit(options))
    return SHARES[min(seats, PLAYERS)].alone * units
