"""A hand of Picchetto as recorded: what was said, shown, exchanged and counted."""

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
from scorekeeper.games.picchetto.marks import Terms, changes_possible
from scorekeeper.games.picchetto.rules import PACK, TRICKS, deals_of
from scorekeeper.play.counts import Count, complete_count, refuse_count
from scorekeeper.play.deal import Deal, RecordedEvent, ShownCards, WonTrick
from scorekeeper.play.folding import FOLD as COMMON_FOLD
from scorekeeper.play.folding import Fold, Refusals, append_to, record_entry
from scorekeeper.play.table import Table

RANK: Final = {rank: len(PACK.ranks) - place for place, rank in enumerate(PACK.ranks)}
STRENGTH: Final = {led: {card: RANK[card.rank] for card in PACK.suit_of(led)} for led in PACK.suits}


class TrickCount(NamedTuple):
    """A count of tricks as given, with the player who was left out.

    ``last`` is who took the last trick: who took them all, else ``said``; ``sound`` where the
    count makes twelve. ``changes`` is how often the lead changed hands, as given, or as it must
    have been where one took all.
    """

    seq: int
    tricks: Mapping[str, int]
    last: str | None
    sound: bool
    said: str | None
    changes: int | None = None


Sayings = dict[tuple[str, str], list[RecordedEvent]]


class PicchettoDeal(Deal):
    """What is on record of one hand of Picchetto."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, TRICKS)
        self.elder, self.younger = table.players
        self.whites: list[RecordedEvent] = []
        self.exchanges: list[RecordedEvent] = []
        self.declarations: list[RecordedEvent] = []
        self.answers: list[RecordedEvent] = []
        self.showings: list[RecordedEvent] = []
        self.trick_counts: list[RecordedEvent] = []
        self.calls: list[RecordedEvent] = []
        self.rouges: list[RecordedEvent] = []
        self.forfeits: list[RecordedEvent] = []
        self.penalties: list[RecordedEvent] = []
        self.worked: dict[object, Any] = {}  # see cached_on_deal()
        self.in_play: dict[int, bool] = {}  # by seq: penalties given before it was complete
        self.reckoned: object = None  # the standing that this was reckoned for

    def forget(self) -> None:
        super().forget()
        self.worked.clear()

    def before(self, seq: int) -> "PicchettoDeal":
        """The hand as it was on record before that entry."""
        deal = PicchettoDeal(self.table)
        deal.standing = self.standing
        for entry in self.entries[: self.places[seq]]:
            record_entry(deal, entry, FOLD)
        return deal

    @property
    def played_out(self) -> bool:
        """Where the tricks were counted, too."""
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
        """The game that this hand belongs to; after the match it counts for nothing."""
        return self.games.current or new_game(0, self.table.sides, self.table.options)

    @property
    def doubled(self) -> bool:
        """Whether this hand counts double (P16)."""
        deals = deals_of(self.table.options)
        return deals is not None and self.games.deals + 1 in deals.double

    @property
    def times(self) -> int:
        return 2 if self.doubled else 1

    @cached_property
    def terms(self) -> Terms:
        """What the marks of this hand are made under."""
        options = self.table.options
        return Terms(
            self.game.target,
            options["white_in_repique"],
            options["lead_point"] == "each",
            options["last_trick"],
            options["capot"],
            tuple(self.place_of(one.player) for one in self.forfeits),
        )

    @property
    def reckoning(self) -> list[tuple[int, str]]:
        """The players who reckon something in this hand, each with his place (P12)."""
        return [(who, one) for who, one in enumerate(self.table.players) if self.reckons(one)]

    def reckons(self, player: str) -> bool:
        """Whether what a player makes in this hand is reckoned (P12)."""
        return all(one.player != player for one in self.forfeits)

    def can_pique(self, player: str) -> bool:
        """Whether a player can ever make a pique: where leading marks, elder marks first (P14)."""
        return player == self.elder or self.table.options["lead_point"] == "none"

    @property
    def counts_every_card(self) -> bool:
        """Whether a trick marks whatever cards are in it (P9)."""
        every: bool = self.table.options["low_cards_in_play"]
        return every

    def place_of(self, player: str) -> int:
        """0 for elder and 1 for younger."""
        return self.table.players.index(player)

    def other(self, player: str) -> str:
        """The opponent."""
        return self.table.after(player)

    # -------------------------------------------------------------------- what was declared

    @cached_property
    def _declared(self) -> Sayings:
        return sayings(self.declarations)

    @cached_property
    def _answered(self) -> Sayings:
        return sayings(self.answers)

    @cached_property
    def _shown(self) -> Sayings:
        return sayings(self.showings)

    def declared(self, player: str, category: str) -> RecordedEvent | None:
        """What a player declared in a category: the first time counts."""
        said = self._declared.get((player, category))
        return said[0] if said else None

    def answer(self, category: str) -> RecordedEvent | None:
        """The answer in a category: younger's first, else elder's."""
        said = self._answered.get((self.younger, category))
        said = said or self._answered.get((self.elder, category))
        return said[0] if said else None

    def shown_by(self, player: str, category: str) -> list[RecordedEvent]:
        """What a player showed in a category, in the order of the record."""
        return self._shown.get((player, category), [])

    def white(self, player: str) -> RecordedEvent | None:
        """The White that a player declared."""
        return next((one for one in self.whites if one.event.player == player), None)

    def exchange(self, player: str) -> RecordedEvent | None:
        """The exchange of a player: he has one."""
        return next((one for one in self.exchanges if one.event.player == player), None)

    def called(self, call: type[Event], player: str) -> bool:
        """Whether a player called his pique, or his repique."""
        return any(one.event.player == player and type(one.event) is call for one in self.calls)

    # ------------------------------------------------------------------------- the tricks

    def strength(self, trick: Trick) -> Mapping[Card, int]:
        led = trick.plays[0].card.suit
        return STRENGTH[led] if led else {}

    @cached_property
    def leading(self) -> list[WonTrick]:
        """The tricks on record from the first on, up to the first that is not.

        Where what they mark depends on their cards, with all of them.
        """
        tricks = [won for place, won in enumerate(self.won, start=1) if won.number == place]
        if self.counts_every_card:
            return tricks
        return [*takewhile(lambda won: won.full, tricks)]

    def known_winners(self) -> list[int | None]:
        """The place of who took each trick of the hand; None where that is not on record."""
        by_number = {won.number: self.place_of(won.player) for won in self.won}
        return [by_number.get(number) for number in range(1, TRICKS + 1)]

    def leader_of(self, number: int) -> str:
        """Who led the trick of that number: as recorded, else who took the one before it (P8)."""
        trick = self.tricks.numbered.get(number)
        if trick is not None and trick.plays:
            return trick.plays[0].player
        return self.leading[number - 2].player if number > 1 else self.elder

    def held(self) -> list[ShownCards]:
        """The cards shown after the exchange, and those of declarations as far as they hold."""
        shown = [one for one in self.shown if not self.before_exchange(one.player, one.seq)]
        for seq, event in self.showings:
            cards = tuple(card for card in event.cards or () if self._may_hold(event.player, card))
            shown.append(ShownCards(seq, event.player, cards, after=0))
        return shown

    def _may_hold(self, player: str, card: Card) -> bool:
        play = self.first.get(card)
        if play is not None:
            return play.player == player
        return sum(play.player == player for play in self.plays) < TRICKS

    def before_exchange(self, player: str, seq: int) -> bool:
        """Whether an entry may come before a player's exchange."""
        exchange = self.exchange(player)
        if exchange is not None:
            return self.places[seq] < self.places[exchange.seq]
        told = [one.seq for one in (*self.declarations, *self.answers, *self.showings)]
        told += [play.seq for play in self.plays]
        return all(self.places[seq] < self.places[one] for one in told)

    # ------------------------------------------------------------------------- the counts

    def counts_of_tricks(self) -> list[TrickCount]:
        """Every count of tricks, in the order of the record."""
        return [self._trick_count(noted) for noted in self.trick_counts]

    def _trick_count(self, noted: RecordedEvent) -> TrickCount:
        said = noted.event.last
        tricks = complete_count(noted.event.tricks, self.table.sides, TRICKS)
        sound = sum(tricks.values()) == TRICKS
        all_at = next((player for player, n in tricks.items() if sound and n == TRICKS), None)
        changes = noted.event.lead_changes
        if changes is None and all_at is not None:
            changes = self.place_of(all_at)  # elder leads first
        return TrickCount(noted.seq, tricks, all_at or said, sound, said, changes)

    def trick_count(self) -> TrickCount | None:
        """The count of tricks that scores a hand: the last sound one that says enough."""
        if not self.counts_every_card:
            return None
        counts = [one for one in self.counts_of_tricks() if one.sound and self._says_enough(one)]
        return counts[-1] if counts else None

    def _says_enough(self, count: TrickCount) -> bool:
        """Whether a count has the last trick, and how often the lead changed where that marks."""
        if not count.last or not self.terms.leads:
            return count.last is not None
        return count.changes is not None and self.can_have_changed(count)

    def can_have_changed(self, count: TrickCount) -> bool:
        """Whether the lead can have changed hands as often as a count with a last trick says."""
        tricks = (count.tricks[self.elder], count.tricks[self.younger])
        last = self.place_of(str(count.last))
        return count.changes in changes_possible(tricks, last, (None,) * TRICKS)

    def all_counts(self) -> list[Count]:
        tricks = [Count(one.seq, {}, one.tricks, one.sound) for one in self.counts_of_tricks()]
        return sorted([*super().all_counts(), *tricks], key=lambda one: self.places[one.seq])

    def count(self) -> Count | None:
        sound = [one for one in self.sound_counts() if one.points]
        return sound[-1] if sound else None


def sayings(noted: list[RecordedEvent]) -> Sayings:
    """What was said, by who said it and in which category, in the order of the record."""
    said: Sayings = {}
    for one in noted:
        said.setdefault((one.event.player, one.event.category), []).append(one)
    return said


T = TypeVar("T")


def cached_on_deal(work: Callable[[PicchettoDeal], T]) -> Callable[[PicchettoDeal], T]:
    """A function of a deal that is worked out once, until the deal forgets it."""

    @wraps(work)
    def worked_out(deal: PicchettoDeal) -> T:
        if work not in deal.worked:
            deal.worked[work] = work(deal)
        found: T = deal.worked[work]
        return found

    return worked_out


def refuse_tricks(deal: PicchettoDeal, event: TricksCounted) -> None:
    """Refuse a count of tricks that leaves out both players, or leaves less than nothing."""
    refuse_count("data.tricks", event.tricks, tuple(deal.table.sides), TRICKS)


def refuse_rouge(deal: PicchettoDeal, event: CarteRougeDeclared) -> None:
    """Refuse a carte rouge where it marks nothing (P12)."""
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
    CarteRougeDeclared: append_to("rouges"),
    DealForfeited: append_to("forfeits"),
    PenaltyGiven: append_to("penalties"),
}
