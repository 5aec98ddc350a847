"""The record of a hand of Picchetto: declarations, showings, exchanges, tricks and counts."""

from collections.abc import Callable, Mapping
from functools import wraps
from itertools import takewhile
from typing import Any, Final, NamedTuple, TypeVar

from scorekeeper.base.cached import cached_property
from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.cards.packs import Card
from scorekeeper.cards.tricks import Trick
from scorekeeper.events.common import PenaltyGiven
from scorekeeper.events.event import Event
from scorekeeper.games.picchetto.course import Games, PlayedGame, new_game, start
from scorekeeper.games.picchetto.events import (
    Answered,
    CardsExchanged,
    CarteRougeDeclared,
    DealForfeited,
    PiqueCalled,
    PointDeclared,
    PointShown,
    RepiqueCalled,
    SequenceDeclared,
    SequenceShown,
    SetDeclared,
    SetShown,
    TricksCounted,
    WhiteDeclared,
)
from scorekeeper.games.picchetto.marks import MarkingTerms, changes_possible
from scorekeeper.games.picchetto.rules import PACK, TRICKS, deals_of
from scorekeeper.play.counts import Count, complete_count, refuse_count
from scorekeeper.play.deal import Deal, RecordedEvent, ShownCards, WonTrick
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, Refusals, append_to, record_entry
from scorekeeper.play.table import Table

RANK: Final = {rank: len(PACK.ranks) - place for place, rank in enumerate(PACK.ranks)}
STRENGTH: Final = {
    led: {card: RANK[card.rank] for card in PACK.cards_of_suit(led)} for led in PACK.suits
}


class TrickCount(NamedTuple):
    """A recorded count of tricks, completed for a player who was left out.

    ``named_last`` is the player recorded for the last trick, ``last`` the same or the player who
    took all tricks. ``sound`` means that the count makes twelve. ``changes`` is how often the lead
    changed hands: the recorded number, or the only possible one if a player took all tricks.
    """

    seq: int
    tricks: Mapping[str, int]
    last: str | None
    sound: bool
    named_last: str | None
    changes: int | None = None


CategoryEvents = dict[tuple[str, str], list[RecordedEvent]]  # by player and category


class PicchettoDeal(Deal):
    """The record of one hand of Picchetto."""

    def __init__(self, table: Table) -> None:
        """Create the empty record of a hand; the eldest player is elder."""
        super().__init__(table, TRICKS)
        self.elder, self.younger = table.players
        self.whites: list[RecordedEvent] = []
        self.exchanges: list[RecordedEvent] = []
        self.declarations: list[RecordedEvent] = []
        self.answers: list[RecordedEvent] = []
        self.showings: list[RecordedEvent] = []
        self.trick_counts: list[RecordedEvent] = []
        self.calls: list[RecordedEvent] = []
        self.cartes_rouges: list[RecordedEvent] = []
        self.forfeits: list[RecordedEvent] = []
        self.penalties: list[RecordedEvent] = []
        self.cached: dict[object, Any] = {}  # see cached_on_deal()
        self.in_play: dict[int, bool] = {}  # by seq: whether a penalty came before the hand's end
        self.in_play_standing: object = None  # the standing for which in_play was computed

    def clear_cache(self) -> None:
        """Clear all cached results, because another entry was added."""
        super().clear_cache()
        self.cached.clear()

    def record_before(self, seq: int) -> "PicchettoDeal":
        """Return the hand as it was on record before the entry ``seq``."""
        deal = PicchettoDeal(self.table)
        deal.standing = self.standing
        for entry in self.entries[: self.places[seq]]:
            record_entry(deal, entry, FOLD)
        return deal

    @property
    def played_out(self) -> bool:
        """Whether the play is visibly over, also by a count of tricks."""
        return bool(self.trick_counts) or super().played_out

    # -------------------------------------------------------------------- the game at hand

    @cached_property
    def games(self) -> Games:
        """The games of the match as they stand before this hand."""
        table = self.table
        standing = self.standing or start(table.sides, table.options)
        games: Games = standing.extra
        return games

    @cached_property
    def game(self) -> PlayedGame:
        """The game that this hand belongs to; after the match, one that counts for nothing."""
        return self.games.current or new_game(0, self.table.sides, self.table.options)

    @property
    def doubled(self) -> bool:
        """Whether this hand counts double (P16)."""
        deals = deals_of(self.table.options)
        return deals is not None and self.games.deals + 1 in deals.double

    @property
    def times(self) -> int:
        """The factor of the hand: 2 if it counts double, else 1."""
        return 2 if self.doubled else 1

    @cached_property
    def terms(self) -> MarkingTerms:
        """The options and figures that decide how this hand is marked."""
        options = self.table.options
        return MarkingTerms(
            self.game.target,
            options["white_in_repique"],
            options["lead_point"] == "each",
            options["last_trick"],
            options["capot"],
            tuple(self.index_of(forfeit.player) for forfeit in self.forfeits),
        )

    @property
    def reckoning_players(self) -> list[tuple[int, str]]:
        """The players whose points count in this hand, each with their index (P12)."""
        players = enumerate(self.table.players)
        return [(index, player) for index, player in players if self.reckons(player)]

    def reckons(self, player: str) -> bool:
        """Return whether the points of a player count in this hand (P12)."""
        return all(forfeit.player != player for forfeit in self.forfeits)

    def can_pique(self, player: str) -> bool:
        """Return whether a player can make a pique: if leading marks, elder marks first (P14)."""
        return player == self.elder or self.table.options["lead_point"] == "none"

    @property
    def counts_every_card(self) -> bool:
        """Whether a trick marks regardless of the cards in it (P9)."""
        every: bool = self.table.options["low_cards_in_play"]
        return every

    def index_of(self, player: str) -> int:
        """Return 0 for elder and 1 for younger."""
        return self.table.players.index(player)

    def opponent(self, player: str) -> str:
        """Return the opponent of a player."""
        return self.table.after(player)

    # -------------------------------------------------------------------- what was declared

    @cached_property
    def _declared(self) -> CategoryEvents:
        """The declarations by player and category."""
        return group_by_category(self.declarations)

    @cached_property
    def _answered(self) -> CategoryEvents:
        """The answers by player and category."""
        return group_by_category(self.answers)

    @cached_property
    def _shown(self) -> CategoryEvents:
        """The showings by player and category."""
        return group_by_category(self.showings)

    def declared(self, player: str, category: str) -> RecordedEvent | None:
        """Return the first declaration of a player in a category; None without one."""
        declarations = self._declared.get((player, category))
        return declarations[0] if declarations else None

    def answer(self, category: str) -> RecordedEvent | None:
        """Return the answer in a category: younger's first, else elder's; None without one."""
        answers = self._answered.get((self.younger, category))
        answers = answers or self._answered.get((self.elder, category))
        return answers[0] if answers else None

    def shown_by(self, player: str, category: str) -> list[RecordedEvent]:
        """Return the showings of a player in a category, in the order of the record."""
        return self._shown.get((player, category), [])

    def white(self, player: str) -> RecordedEvent | None:
        """Return the first White that a player declared; None without one."""
        return next((white for white in self.whites if white.event.player == player), None)

    def exchange(self, player: str) -> RecordedEvent | None:
        """Return the first exchange of a player, which counts; None without one."""
        exchanges = self.exchanges
        return next((exchange for exchange in exchanges if exchange.event.player == player), None)

    def called(self, call: type[Event], player: str) -> bool:
        """Return whether a player called; ``call`` is the event of a pique or repique."""
        return any(
            recorded.event.player == player and type(recorded.event) is call
            for recorded in self.calls
        )

    # ------------------------------------------------------------------------- the tricks

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        """Return the strength of each card of the suit led; others cannot win."""
        led = trick.plays[0].card.suit
        return STRENGTH[led] if led else {}

    @cached_property
    def consecutive_tricks(self) -> list[WonTrick]:
        """The tricks from the first on, up to the first that is not on record.

        Where marks depend on the cards (P9), a trick without all its cards ends them.
        """
        tricks = [won for place, won in enumerate(self.won, start=1) if won.number == place]
        if self.counts_every_card:
            return tricks
        return [*takewhile(lambda won: won.full, tricks)]

    def known_winners(self) -> list[int | None]:
        """Return the index of the winner of each trick of the hand; None if it is not on record."""
        by_number = {won.number: self.index_of(won.player) for won in self.won}
        return [by_number.get(number) for number in range(1, TRICKS + 1)]

    def leader_of(self, number: int) -> str:
        """Return the leader of a trick: as recorded, else the winner of the one before it (P8)."""
        trick = self.tricks.numbered.get(number)
        if trick is not None and trick.plays:
            return trick.plays[0].player
        return self.consecutive_tricks[number - 2].player if number > 1 else self.elder

    def held(self) -> list[ShownCards]:
        """Return the cards shown after the exchange, and those shown for declarations.

        Of the latter, cards that the plays on record exclude are left out.
        """
        shown = [cards for cards in self.shown if not self.before_exchange(cards.player, cards.seq)]
        for seq, event in self.showings:
            cards = tuple(card for card in event.cards or () if self._may_hold(event.player, card))
            shown.append(ShownCards(seq, event.player, cards, after=0))
        return shown

    def _may_hold(self, player: str, card: Card) -> bool:
        """Return whether the plays on record allow that a player held a card."""
        play = self.first.get(card)
        if play is not None:
            return play.player == player
        return sum(play.player == player for play in self.plays) < TRICKS

    def before_exchange(self, player: str, seq: int) -> bool:
        """Return whether an entry may come before the exchange of a player.

        If the exchange is not on record, it came before the first declaration or card.
        """
        exchange = self.exchange(player)
        if exchange is not None:
            return self.places[seq] < self.places[exchange.seq]
        later = [entry.seq for entry in (*self.declarations, *self.answers, *self.showings)]
        later += [play.seq for play in self.plays]
        return all(self.places[seq] < self.places[other] for other in later)

    # ------------------------------------------------------------------------- the counts

    def counts_of_tricks(self) -> list[TrickCount]:
        """Return every count of tricks, in the order of the record."""
        return [self._trick_count(recorded) for recorded in self.trick_counts]

    def _trick_count(self, recorded: RecordedEvent) -> TrickCount:
        """Return a recorded count of tricks, completed for a player who was left out."""
        named_last = recorded.event.last
        tricks = complete_count(recorded.event.tricks, self.table.sides, TRICKS)
        sound = sum(tricks.values()) == TRICKS
        took_all = next((player for player, n in tricks.items() if sound and n == TRICKS), None)
        changes = recorded.event.lead_changes
        if changes is None and took_all is not None:
            changes = self.index_of(took_all)  # elder leads first
        last = took_all or named_last
        return TrickCount(recorded.seq, tricks, last, sound, named_last, changes)

    def trick_count(self) -> TrickCount | None:
        """Return the count of tricks that scores the hand: the last sound and sufficient one.

        None without one, and if marks depend on the cards.
        """
        if not self.counts_every_card:
            return None
        counts = [
            count for count in self.counts_of_tricks() if count.sound and self._is_sufficient(count)
        ]
        return counts[-1] if counts else None

    def _is_sufficient(self, count: TrickCount) -> bool:
        """Return whether a count names the last trick and, if leading marks, the lead changes."""
        if not count.last or not self.terms.leads:
            return count.last is not None
        return count.changes is not None and self.can_have_changed(count)

    def can_have_changed(self, count: TrickCount) -> bool:
        """Return whether the lead changes of a count that names the last trick are possible."""
        tricks = (count.tricks[self.elder], count.tricks[self.younger])
        last = self.index_of(str(count.last))
        return count.changes in changes_possible(tricks, last, (None,) * TRICKS)

    def all_counts(self) -> list[Count]:
        """Return all counts of points and of tricks, in the order of the record.

        Counts of tricks have no points.
        """
        tricks = [
            Count(count.seq, {}, count.tricks, count.sound) for count in self.counts_of_tricks()
        ]
        return sorted([*super().all_counts(), *tricks], key=lambda count: self.places[count.seq])

    def count(self) -> Count | None:
        """Return the last sound count that has points; None without one."""
        sound = [count for count in self.sound_counts() if count.points]
        return sound[-1] if sound else None


def group_by_category(recorded: list[RecordedEvent]) -> CategoryEvents:
    """Return the recorded events by player and category, in the order of the record."""
    grouped: CategoryEvents = {}
    for entry in recorded:
        grouped.setdefault((entry.event.player, entry.event.category), []).append(entry)
    return grouped


T = TypeVar("T")


def cached_on_deal(compute: Callable[[PicchettoDeal], T]) -> Callable[[PicchettoDeal], T]:
    """Cache the result of a function of a deal until :meth:`PicchettoDeal.clear_cache`."""

    @wraps(compute)
    def cached_result(deal: PicchettoDeal) -> T:
        """Return the cached result, after computing it if necessary."""
        if compute not in deal.cached:
            deal.cached[compute] = compute(deal)
        result: T = deal.cached[compute]
        return result

    return cached_result


def refuse_tricks(deal: PicchettoDeal, event: TricksCounted) -> None:
    """Raise `UnusableError` if a count leaves out both players, or exceeds twelve tricks."""
    refuse_count("data.tricks", event.tricks, tuple(deal.table.sides), TRICKS)


def refuse_rouge(deal: PicchettoDeal, event: CarteRougeDeclared) -> None:
    """Raise `UnusableError` for a carte rouge at a table where it marks nothing (P12)."""
    if deal.table.options["carte_rouge"] == "off":
        words = "carte rouge marks nothing at this table"
        raise UnusableError(Cause(words, "no_carte_rouge"), field="data.player")


REFUSE: Final[Refusals] = {TricksCounted: refuse_tricks, CarteRougeDeclared: refuse_rouge}


# ------------------------------------------------------------------------------------- fold


FOLD: Final[Fold] = {
    **COMMON_FOLD,
    WhiteDeclared: append_to("whites"),
    CardsExchanged: append_to("exchanges"),
    PointDeclared: append_to("declarations"),
    SequenceDeclared: append_to("declarations"),
    SetDeclared: append_to("declarations"),
    Answered: append_to("answers"),
    PointShown: append_to("showings"),
    SequenceShown: append_to("showings"),
    SetShown: append_to("showings"),
    TricksCounted: append_to("trick_counts"),
    PiqueCalled: append_to("calls"),
    RepiqueCalled: append_to("calls"),
    CarteRougeDeclared: append_to("cartes_rouges"),
    DealForfeited: append_to("forfeits"),
    PenaltyGiven: append_to("penalties"),
}
