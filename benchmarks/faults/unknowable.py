"""Why no record can know of a fault: what is then on record is a legal hand as well.

A fault without a finding that has no reason here is one that the audit should find. Where a score
is on paper, a fault that changes the score is found; the reasons are for all others.
"""

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from benchmarks.faults.alterations import BEFORE_THE_PLAY, PLAY, Fault
from benchmarks.faults.hands import CLAIM, RESULTS, hand_at, scored
from scorekeeper.play.deal import Deal
from scorekeeper.session.session import Session
from tests.players.common import Event

# Acts before the play of which no rule says when they are recorded at the latest.
WITHOUT_A_TIME: Final = frozenset({"bid_made", "answered"})
# Acts that may be recorded after a count, where no card or trick is on record: it says nothing of
# their time. A card is so called at a table where that is done after the first trick.
BESIDE_A_COUNT: Final = frozenset({"cards_exchanged", "declared", "card_called"})
# What is said of cards; without the cards in play nothing else on record is about them.
OF_CARDS: Final = frozenset({
    "cards_shown", "set_distributed", "hierarchy_declared", "bris_called", "card_called",
    "monte_taken", "cards_laid_away", "fool_paid", "cards_exchanged", "white_declared", "declared",
    "answered", "shown", "signal_made", "suit_named", "deal_forfeited", "carte_rouge_declared",
})  # fmt: skip
# What may be left out of a record.
OPTIONAL: Final = OF_CARDS | {
    "trick_taken", "partner_revealed", "bid_made", "rest_claimed", "pique_called",
    "repique_called", "fool_surrendered", CLAIM, *RESULTS,
}  # fmt: skip
CARDS_CHANGED: Final = frozenset({"next rank", "other suit"})
PLAYERS_CHANGED: Final = frozenset({"player", "players exchanged", "one seat off"})
FIGURES_CHANGED: Final = frozenset({
    "off by one", "digit dropped", "digits exchanged", "figures exchanged", "under another side",
})  # fmt: skip


@dataclass(frozen=True)
class Silent:
    """A fault without a finding: the session with it, and as it should be."""

    fault: Fault
    session: Session

    @property
    def kind(self) -> str:
        return self.fault.kind

    @property
    def type(self) -> str:
        """The type of the entry at fault, where it is one entry."""
        return self.fault.at.partition(".")[0]

    @property
    def with_cards(self) -> bool:
        return self.fault.hand.level == "cards"

    @cached_property
    def deal(self) -> Deal:
        return hand_at(self.session).deal

    @cached_property
    def true_deal(self) -> Deal:
        return hand_at(self.fault.hand.session(self.fault.hand.record)).deal

    @cached_property
    def same_score(self) -> bool:
        return scored(self.session) == self.fault.hand.scores

    @cached_property
    def allowed(self) -> bool:
        """Whether the record has nothing against another score."""
        return self.same_score or not self.fault.hand.paper

    @cached_property
    def same_play(self) -> bool:
        """Whether each trick has the same cards, and the same winner."""
        return _play(self.deal) == _play(self.true_deal)

    @cached_property
    def same_bid(self) -> bool:
        """Whether the contract is the same as it should be."""
        return _bid(self.deal) == _bid(self.true_deal)

    @cached_property
    def crossing(self) -> set[str]:
        """The acts that come after the beginning of the play, or a result, and should not."""
        return _late(self.fault.record) - _late(self.fault.hand.record)

    @cached_property
    def changed(self) -> list[Event]:
        """The entries that are not on record as they should be."""
        now, due = ({repr(e) for e in record} for record in (self.fault.record,
                                                            self.fault.hand.record))  # fmt: skip
        return [entry for entry in self.fault.record if repr(entry) in now - due]


def _late(record: list[Event]) -> set[str]:
    late, begun = set(), False
    for entry in record:
        begun = begun or entry["type"] in PLAY | RESULTS
        if begun and entry["type"] in BEFORE_THE_PLAY:
            late.add(entry["type"])
    return late


def _play(deal: Deal) -> tuple[object, object]:
    cards = {number: [(play.player, play.card) for play in trick.plays]
             for number, trick in deal.tricks.numbered.items() if trick.plays}  # fmt: skip
    return cards, Counter(won.player for won in deal.won)


def _bid(deal: Deal) -> object:
    bid = getattr(deal, "bid", None)
    raised = getattr(deal, "raised", None)
    return bid and (bid.event, raised and raised.event)


# --------------------------------------------------------------------------------- the reasons


def says_no_less(silent: Silent) -> bool:
    """The same is on record twice, and nothing more."""
    return silent.kind == "entry doubled" and silent.same_score and silent.same_play


def winner_is_on_record_twice(silent: Silent) -> bool:
    """The number of a trick names it again, with the same winner: as many tricks as the hand."""
    tricks = silent.deal.tricks
    again = [trick for trick in tricks if len(trick.named_winners) > 1 and not trick.plays]
    return (
        (silent.kind, silent.type) == ("entry doubled", "trick_taken")
        and silent.allowed
        and bool(again)
        and all(len({won.player for won in trick.named_winners}) == 1 for trick in again)
    )


def order_says_nothing(silent: Silent) -> bool:
    """The order of these entries says nothing."""
    if silent.kind != "entries exchanged":
        return False
    if silent.fault.at == "trick_taken":
        return silent.allowed
    return silent.same_score and silent.same_play and silent.crossing <= WITHOUT_A_TIME


def has_no_time(silent: Silent) -> bool:
    """No rule says when this is recorded at the latest, or only beside the play."""
    without_play = not any(entry["type"] in PLAY for entry in silent.fault.record)
    timeless = silent.type in WITHOUT_A_TIME or (without_play and silent.type in BESIDE_A_COUNT)
    return silent.kind == "late act" and timeless and silent.allowed


def one_player_in_a_row(silent: Silent) -> bool:
    """The player who leads had both cards."""
    if silent.kind != "entries exchanged" or silent.fault.at != "card_played":
        return False
    return len({entry["data"]["player"] for entry in _moved(silent)}) == 1 and silent.allowed


def _moved(silent: Silent) -> list[Event]:
    pairs = zip(silent.fault.record, silent.fault.hand.record, strict=True)
    return [now for now, due in pairs if now != due]


def left_out(silent: Silent) -> bool:
    """It may be left out of a record."""
    dropped = silent.kind in ("entry dropped", "bid missed", "trick forgotten")
    return dropped and silent.type in OPTIONAL and silent.allowed


def winner_is_on_record(silent: Silent) -> bool:
    """Who took the trick is on record without all its cards."""
    if silent.kind not in ("entry dropped", "trick forgotten") or not silent.allowed:
        return False
    short = [trick for trick in silent.deal.tricks if not silent.deal.tricks.is_full(trick)]
    rests = bool(silent.deal.rests)
    of_cards = silent.fault.at in ("card_played", "cards")
    return of_cards and bool(short) and (rests or all(trick.named_winners for trick in short))


def after_the_end(silent: Silent) -> bool:
    """The hand was over before."""
    return silent.kind in ("entry dropped", "trick forgotten") and silent.same_score and (
        silent.fault.hand.game == "picchetto"
    )  # fmt: skip


def bid_without_effect(silent: Silent) -> bool:
    """The bid has no effect, and may be as it is on record."""
    return silent.type == "bid_made" and silent.same_bid and silent.same_score


def another_bid(silent: Silent) -> bool:
    """Another bid is as legal, and no score on paper is against it."""
    return silent.type in ("bid_made", "bid_raised") and silent.allowed


def cards_not_on_record(silent: Silent) -> bool:
    """The cards that would tell are not on record."""
    in_place = silent.kind not in (
        "late act", "entries exchanged", "entry doubled", "entered again"
    )  # fmt: skip
    return not silent.with_cards and in_place and silent.type in OF_CARDS and silent.allowed


def nobody_else_saw_it(silent: Silent) -> bool:
    """The card is on record nowhere else, and breaks no rule."""
    of_play = silent.type == "card_played"
    if not silent.with_cards or silent.kind not in CARDS_CHANGED or not silent.allowed:
        return False
    played = Counter(play.card for play in silent.deal.plays)
    new = {card for entry in silent.changed for card in _cards(entry)}
    return (not of_play or max(played.values()) == 1) and bool(new)


def _cards(entry: Event) -> list[str]:
    data = entry["data"]
    cards = [data.get("card"), data.get("kept"), *(data.get("given") or {}).values()]
    lists = ("cards", "discarded", "drawn", "trumps_shown")
    return [card for card in (*cards, *(c for name in lists for c in data.get(name) or ())) if card]


def said_beside_the_play(silent: Silent) -> bool:
    """The play has nothing against it."""
    return (
        silent.with_cards and silent.type in OF_CARDS and silent.same_score and silent.same_play
        and silent.kind
        not in ("entries exchanged", "late act", "entered again", *CARDS_CHANGED)
    )  # fmt: skip


def suits_decide_no_trick(silent: Silent) -> bool:
    """The suits decide no trick on record."""
    return silent.type == "hierarchy_declared" and silent.kind == "another word" and silent.allowed


def taken_by_anybody(silent: Silent) -> bool:
    """Anybody may have taken the trick."""
    of_tricks = silent.type in ("trick_taken", "rest_claimed")
    return silent.kind in PLAYERS_CHANGED and of_tricks and silent.allowed


def others_at_the_table(silent: Silent) -> bool:
    """Other players did the same, and nothing on record names one of these."""
    many = silent.kind in ("players exchanged", "one seat off")
    return many and not silent.with_cards and silent.allowed


def partner_unknown(silent: Silent) -> bool:
    """Who the partner was is on record nowhere else."""
    return silent.type == "partner_revealed" and silent.kind == "player" and silent.allowed


def all_seats_alike(silent: Silent) -> bool:
    """All entries that name a player do so alike, or all but a part of the auction."""
    whole = silent.kind in ("players exchanged", "one seat off")
    in_auction = bool(silent.changed) and silent.changed[0]["type"] == "bid_made"
    return whole and (in_auction or silent.fault.at == "from the start") and silent.allowed


def sequences_alike(silent: Silent) -> bool:
    """A player may show several sequences, also two that are alike."""
    again = silent.kind in ("entry doubled", "entered again")
    return again and silent.type == "shown" and silent.allowed


def makes_its_total(silent: Silent) -> bool:
    """The count makes its total, and no score on paper is against it."""
    counted = silent.type in RESULTS and not silent.with_cards
    return counted and silent.kind in FIGURES_CHANGED and silent.allowed


def either_took_the_last(silent: Silent) -> bool:
    """Either player may have taken the last trick."""
    return silent.fault.at == "tricks_counted.last" and silent.allowed


def called_after_the_first_trick(silent: Silent) -> bool:
    """The card is called after the first trick at this table."""
    record = silent.fault.record
    blind = silent.deal.table.options.get("trump_named") == "after_first_trick"
    place = next((n for n, entry in enumerate(record) if entry["type"] == "card_called"), 0)
    tricks = sum(entry["type"] == "trick_taken" for entry in record[:place])
    return silent.kind == "late act" and silent.type == "card_called" and blind and tricks == 1


def made_or_lost(silent: Silent) -> bool:
    """The contract is made or lost as it is on record."""
    return silent.type == "outcome_recorded" and silent.kind == "another word" and silent.allowed


def partners_changed_cards(silent: Silent) -> bool:
    """Either side may have exchanged its hands, or none."""
    return silent.type == "hands_exchanged" and silent.allowed and silent.kind != "entry doubled"


def calls_in_another_order(silent: Silent) -> bool:
    """Either call may have been the first."""
    return (
        silent.fault.at == "bris_called" and silent.allowed and (silent.kind == "entries exchanged")
    )


def both_may_be(silent: Silent) -> bool:
    """Both entries are legal, one after the other."""
    shown = silent.type in ("cards_shown", "bris_called", "signal_made", "trick_taken")
    same_player = silent.kind == "entered again" and silent.fault.at != "cards_shown.player"
    return shown and same_player and silent.allowed


def less_than_held(silent: Silent) -> bool:
    """A player may declare and show less than is held, and what the holding may be."""
    return (
        silent.type in ("shown", "declared")
        and silent.with_cards
        and silent.allowed
        and (silent.kind in FIGURES_CHANGED | {"another word"})
    )


def rest_is_said_alone(silent: Silent) -> bool:
    """Nothing but the claim of the rest is on record of it."""
    rests = any(entry["type"] == "rest_claimed" for entry in silent.fault.hand.record)
    tricks = (
        silent.kind in ("entry doubled", "entered again", "entry dropped") and silent.type in PLAY
    )
    moved = silent.kind == "entries exchanged" and set(silent.fault.at.split("/")) <= {
        *PLAY,
        "rest_claimed",
    }
    return (
        rests
        and silent.allowed
        and (tricks or moved or silent.kind in (*PLAYERS_CHANGED, "trick forgotten"))
    )


REASONS: Final = (
    says_no_less,
    winner_is_on_record_twice,
    order_says_nothing,
    has_no_time,
    one_player_in_a_row,
    left_out,
    winner_is_on_record,
    after_the_end,
    bid_without_effect,
    another_bid,
    cards_not_on_record,
    nobody_else_saw_it,
    said_beside_the_play,
    suits_decide_no_trick,
    taken_by_anybody,
    partner_unknown,
    others_at_the_table,
    all_seats_alike,
    sequences_alike,
    makes_its_total,
    either_took_the_last,
    called_after_the_first_trick,
    made_or_lost,
    partners_changed_cards,
    calls_in_another_order,
    both_may_be,
    less_than_held,
    rest_is_said_alone,
)


def why_unknowable(fault: Fault, session: Session) -> str:
    """Return why no record can know of a fault; empty where the record decides it."""
    silent = Silent(fault, session)
    return next((applies.__doc__ or "" for applies in REASONS if applies(silent)), "")


# What nothing else on record tells where there are no cards.
ON_RECORD_ONCE: Final = frozenset({*RESULTS, "partner_revealed", "trick_taken", "bid_made"})


def cannot_be_told(fault: Fault) -> bool:
    """Return whether an entry is gone that nothing else on record tells, so that none can know it.

    A score on paper tells some of them, so those count as told.
    """
    gone = fault.kind in ("entry dropped", "bid missed", "trick forgotten")
    hand, at = fault.hand, fault.at.partition(".")[0]
    return gone and not hand.paper and hand.level != "cards" and at in ON_RECORD_ONCE
