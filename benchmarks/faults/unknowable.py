"""Why no record can know of a fault: what is then on record is a legal hand as well.

A fault without a finding that has no reason here is one that the audit should find. Where a score
is on paper, a fault that changes the score is found; the reasons are for all others.

A reason must hold whether or not the audit is silent, else it would hide a check that is gone. So
``make faults`` also counts how many of the faults that the audit does find a reason would excuse.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from benchmarks.faults.alterations import PLAY, Fault
from benchmarks.faults.hands import CLAIM, RESULTS
from benchmarks.faults.silent import Silent
from scorekeeper.session.session import Session
from tests.players.common import Event

# Acts before the play of which no rule says when they are recorded at the latest.
WITHOUT_A_TIME: Final = frozenset({"bid_made", "answered"})
# Acts that may be recorded after a count, where no card or trick is on record: it says nothing of
# their time. A card is so called at a table where that is done after the first trick.
BESIDE_A_COUNT: Final = frozenset({"cards_exchanged", "declared", "card_called"})
# Entries about cards; without the cards in play nothing else on record is about them.
OF_CARDS: Final = frozenset({
    "cards_shown", "set_distributed", "hierarchy_declared", "bris_called", "card_called",
    "monte_taken", "cards_laid_away", "fool_paid", "cards_exchanged", "white_declared", "declared",
    "answered", "shown", "figures_shown", "signal_made", "suit_named", "deal_forfeited",
    "carte_rouge_declared",
})  # fmt: skip
# Entries that may be left out of a record.
OPTIONAL: Final = OF_CARDS | {
    "trick_taken", "partner_revealed", "bid_made", "rest_claimed", "pique_called",
    "repique_called", "fool_surrendered", "called_card_shown", CLAIM, *RESULTS,
}  # fmt: skip
# Acts that a player does once in a hand, and acts that only one player may do.
DONE_ONCE: Final = OF_CARDS - {
    "cards_shown", "figures_shown", "signal_made", "fool_paid", "white_declared",
} | {"bid_made", "bid_raised"}  # fmt: skip
OF_ONE_PLAYER: Final = frozenset({
    "card_called", "cards_laid_away", "hierarchy_declared", "set_distributed", "cards_exchanged",
    "monte_taken",
})  # fmt: skip
POINT_SUMS: Final = ((24, 31), (34, 41), (44, 51), (54, 60), (64, 68), (75, 75))  # P4
CARDS_CHANGED: Final = frozenset({"next rank", "other suit"})
PLAYERS_CHANGED: Final = frozenset({"player", "players exchanged", "one seat off"})
FIGURES_CHANGED: Final = frozenset({
    "off by one", "digit dropped", "digits exchanged", "figures exchanged", "under another side",
})  # fmt: skip


# --------------------------------------------------------------------------------- the reasons


def says_no_less(silent: Silent) -> bool:
    """The same is on record twice, and nothing more."""
    doubled = silent.kind == "entry doubled" and silent.type not in DONE_ONCE
    return doubled and silent.tricks_fit and silent.same_score and silent.same_play


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
    if silent.breaks_the_auction:
        return False
    return silent.same_score and silent.same_play and silent.crossing <= WITHOUT_A_TIME


def has_no_time(silent: Silent) -> bool:
    """No rule says when this is recorded at the latest, or only beside the play."""
    without_play = not any(entry["type"] in PLAY for entry in silent.fault.record)
    timeless = silent.type in WITHOUT_A_TIME or (without_play and silent.type in BESIDE_A_COUNT)
    late = silent.kind == "late act" and not silent.breaks_the_auction
    return late and timeless and silent.allowed


def one_player_in_a_row(silent: Silent) -> bool:
    """The player who leads had both cards."""
    if silent.kind != "entries exchanged" or silent.fault.at != "card_played":
        return False
    one_player = len({entry["data"]["player"] for entry in _moved(silent)}) == 1
    return one_player and silent.allowed and silent.leads_agree and silent.suit_is_followed


def _moved(silent: Silent) -> list[Event]:
    pairs = zip(silent.fault.record, silent.fault.hand.record, strict=True)
    return [now for now, due in pairs if now != due]


def left_out(silent: Silent) -> bool:
    """It may be left out of a record."""
    dropped = silent.kind in ("entry dropped", "bid missed", "trick forgotten")
    scored_alike = silent.allowed and silent.has_score and not silent.breaks_the_auction
    return dropped and silent.type in OPTIONAL and scored_alike


def count_suffices(silent: Silent) -> bool:
    """The count scores the hand, however few of its cards are on record."""
    dropped = silent.kind in ("entry dropped", "trick forgotten")
    of_cards = silent.fault.at in ("card_played", "cards")
    counted = silent.count("points_counted") > 0 and silent.same_score
    return dropped and of_cards and counted and silent.leads_agree


def winner_is_on_record(silent: Silent) -> bool:
    """Who took the trick is on record without all its cards."""
    dropped = silent.kind in ("entry dropped", "trick forgotten")
    if not (dropped and silent.allowed and silent.has_score and silent.leads_agree):
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
    of_bid = silent.type == "bid_made" and silent.same_bid and silent.same_score
    return of_bid and silent.kind != "entry doubled" and not silent.breaks_the_auction


def another_bid(silent: Silent) -> bool:
    """Another bid is as legal, and no score on paper is against it."""
    changed = silent.kind not in ("entered again", "entry doubled", "another word")
    of_bid = silent.type in ("bid_made", "bid_raised") and changed and silent.has_score
    return of_bid and silent.allowed and not silent.breaks_the_auction


def any_rank_may_be_called(silent: Silent) -> bool:
    """The bid of another rank pays as much, and does not bind the card that is called."""
    called = silent.count("card_called") > 0
    free = not called or silent.option("call_duty") in ("any", "highest_missing")
    return (
        silent.kind == "another word" and silent.type == "bid_made" and free
        and silent.same_score and not silent.breaks_the_auction
    )  # fmt: skip


def passed_again(silent: Silent) -> bool:
    """A player may pass again at this table, and no pass is after the end of the auction."""
    passed = [entry for entry in silent.repeated if entry["data"].get("bid") == "pass"]
    return (
        silent.kind == "entry doubled" and silent.option("pass") == "may_return" and bool(passed)
        and not silent.breaks_the_auction and not silent.speaks_after_the_end
    )  # fmt: skip


def cards_not_on_record(silent: Silent) -> bool:
    """The cards that would tell are not on record."""
    in_place = silent.kind not in (
        "late act", "entries exchanged", "entry doubled", "entered again"
    )  # fmt: skip
    owned = silent.kind == "player" and silent.type in OF_ONE_PLAYER
    mixed = _is_mixed(silent) or not _are_sums(silent.changed)
    return (
        not silent.with_cards and in_place and silent.type in OF_CARDS and silent.allowed
        and not owned and not mixed
    )  # fmt: skip


def _are_sums(entries: list[Event]) -> bool:
    """Whether each declared point is a sum that three to eight cards of a suit can make."""
    points = [entry["data"]["value"] for entry in entries if "value" in entry["data"]]
    return all(any(low <= point <= high for low, high in POINT_SUMS) for point in points)


def _is_mixed(silent: Silent) -> bool:
    """Whether a card of another suit is shown with cards of one suit; a set has several suits."""
    suited = any(entry["data"].get("category") != "set" for entry in silent.changed)
    return silent.kind == "other suit" and silent.type == "shown" and suited


def card_is_on_record_once(silent: Silent) -> bool:
    """The card is on record nowhere else, and breaks no rule."""
    of_play = silent.type == "card_played"
    if not silent.with_cards or silent.kind not in CARDS_CHANGED or not silent.allowed:
        return False
    played = Counter(play.card for play in silent.deal.plays)
    new = {card for entry in silent.changed for card in _cards(entry)}
    legal = silent.leads_agree and silent.suit_is_followed
    once = not of_play or max(played.values()) == 1
    return once and bool(new) and legal and not _is_mixed(silent)


def _cards(entry: Event) -> list[str]:
    data = entry["data"]
    cards = [data.get("card"), data.get("kept"), *(data.get("given") or {}).values()]
    lists = ("cards", "discarded", "drawn", "trumps_shown")
    return [card for card in (*cards, *(c for name in lists for c in data.get(name) or ())) if card]


def play_is_not_against_it(silent: Silent) -> bool:
    """The play has nothing against it."""
    return (
        silent.with_cards and silent.type in OF_CARDS and silent.same_score and silent.same_play
        and silent.kind
        not in ("entries exchanged", "late act", "entered again", "another word", *CARDS_CHANGED)
        and not (silent.kind == "player" and silent.type in OF_ONE_PLAYER)
    )  # fmt: skip


def suits_decide_no_trick(silent: Silent) -> bool:
    """The suits decide no trick on record."""
    return silent.type == "hierarchy_declared" and silent.kind == "another word" and silent.allowed


def taken_by_anybody(silent: Silent) -> bool:
    """Anybody may have taken the trick."""
    of_tricks = silent.type in ("trick_taken", "rest_claimed")
    known = silent.with_cards and all(map(silent.deal.tricks.is_full,
                                          silent.deal.tricks.numbered.values()))  # fmt: skip
    return (
        silent.kind in PLAYERS_CHANGED and of_tricks and silent.allowed and not known
        and silent.tally_agrees and silent.tricks_fit
    )  # fmt: skip


def others_at_the_table(silent: Silent) -> bool:
    """Other players did the same, and nothing on record names one of these."""
    many = silent.kind in ("players exchanged", "one seat off")
    together = {
        now["data"]["player"] == due["data"]["player"]
        for now, due in zip(silent.fault.record, silent.fault.hand.record, strict=False)
        if now["type"] == due["type"] and now["type"] in OF_ONE_PLAYER
    }
    return (
        many and not silent.with_cards and silent.allowed and len(together) <= 1
        and not silent.breaks_the_auction and silent.tally_agrees
    )  # fmt: skip


def partner_unknown(silent: Silent) -> bool:
    """Who the partner was is on record nowhere else."""
    return silent.type == "partner_revealed" and silent.kind == "player" and silent.allowed


def all_seats_alike(silent: Silent) -> bool:
    """All entries that name a player do so alike, or all but a part of the auction."""
    whole = silent.kind in ("players exchanged", "one seat off")
    in_auction = bool(silent.changed) and silent.changed[0]["type"] == "bid_made"
    alike = in_auction or silent.fault.at == "from the start"
    return whole and alike and silent.allowed and not silent.breaks_the_auction


def sequences_alike(silent: Silent) -> bool:
    """A player may show several sequences, also two that are alike."""
    again = silent.kind in ("entry doubled", "entered again")
    shown = [entry["data"] for entry in silent.fault.record if entry["type"] == "shown"]
    sequences = any(data["category"] == "sequence" for data in shown)
    return again and silent.type == "shown" and silent.allowed and sequences


def makes_its_total(silent: Silent) -> bool:
    """The count makes its total, and no score on paper is against it."""
    counted = silent.type in RESULTS and not silent.with_cards
    whole = all(map(_makes_its_total(silent), silent.changed))
    return counted and silent.kind in FIGURES_CHANGED and silent.allowed and whole


def _makes_its_total(silent: Silent) -> Callable[[Event], bool]:
    """Return a check of a count: all its figures make the total, unless a side is left out."""
    totals = silent.deal.totals()
    due = [entry["data"] for entry in silent.fault.hand.record if "points" in entry["data"]]
    left_out = all(sum(_figures(data)) not in totals for data in due)
    return lambda entry: left_out or not totals or sum(_figures(entry["data"])) in totals


def _figures(data: dict[str, Any]) -> list[int]:
    points = data.get("points")
    return list(points.values()) if isinstance(points, dict) else []


def either_took_the_last(silent: Silent) -> bool:
    """Either player may have taken the last trick."""
    return silent.fault.at == "tricks_counted.last" and silent.allowed


def called_after_the_first_trick(silent: Silent) -> bool:
    """The card is called after the first trick at this table."""
    record = silent.fault.record
    blind = silent.deal.table.options.get("trump_named") == "after_first_trick"
    place = next((n for n, entry in enumerate(record) if entry["type"] == "card_called"), 0)
    tricks = sum(entry["type"] == "trick_taken" for entry in record[:place])
    moved = silent.kind == "late act" and silent.type == "card_called"
    exchanged = silent.fault.at == "card_called/trick_taken"
    return (moved or exchanged) and blind and tricks == 1


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
    return shown and same_player and silent.allowed and silent.tricks_fit


def less_than_held(silent: Silent) -> bool:
    """A player may declare and show less than is held, and what the holding may be."""
    return (
        silent.type in ("shown", "declared")
        and silent.with_cards
        and silent.allowed
        and (silent.kind in FIGURES_CHANGED | {"another word"})
        and _are_sums(silent.changed)
    )


def rest_is_only_claimed(silent: Silent) -> bool:
    """Nothing but the claim of the rest is on record of it."""
    rests = any(entry["type"] == "rest_claimed" for entry in silent.fault.hand.record)
    alone = silent.type in ("trick_taken", "rest_claimed")
    tricks = silent.kind in ("entry doubled", "entered again", "player") and alone
    dropped = silent.kind in ("entry dropped", "trick forgotten")
    moved = silent.kind == "entries exchanged" and "rest_claimed" in silent.fault.at
    is_silent = silent.allowed and silent.has_score and silent.leads_agree
    return rests and is_silent and silent.tricks_fit and (tricks or dropped or moved)


REASONS: Final = (
    says_no_less,
    winner_is_on_record_twice,
    order_says_nothing,
    has_no_time,
    one_player_in_a_row,
    left_out,
    winner_is_on_record,
    count_suffices,
    after_the_end,
    bid_without_effect,
    another_bid,
    any_rank_may_be_called,
    passed_again,
    cards_not_on_record,
    card_is_on_record_once,
    play_is_not_against_it,
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
    rest_is_only_claimed,
)


def why_unknowable(fault: Fault, session: Session) -> str:
    """Return why no record can know of a fault; empty where the record decides it."""
    silent = Silent(fault, session)
    return next((applies.__doc__ or "" for applies in REASONS if applies(silent)), "")
