"""What a club's log says: who is a member, which evenings count, its seasons and payments."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final, NamedTuple
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from scorekeeper.base.errors import Unusable, expected
from scorekeeper.clubs.events import (
    ClubOpened,
    EveningEntered,
    EveningWithdrawn,
    MemberJoined,
    MemberLeft,
    MemberRenamed,
    MembersMerged,
    PaymentMade,
    PointsAdjusted,
    Ranking,
    SeasonClosed,
    SeasonOpened,
)
from scorekeeper.events.common import Entry, Event, NoteAdded

AUTHORS: Final = frozenset({"keeper", "import", ""})  # beside the members, who may record


@dataclass(frozen=True, slots=True)
class Member:
    """A member, also one who left."""

    id: str
    name: str
    left: bool = False


class Entered(NamedTuple):
    """An evening that counts: from each of its players to a member, or to None for a guest."""

    session: str
    players: Mapping[str, str | None]
    seq: int


@dataclass(frozen=True, slots=True)
class Season:
    """A season as it was opened; from its close on its evenings as they were ``entered`` then.

    ``heads`` are from each of these to the hash of its last event at the close.
    """

    id: str
    name: str
    start: str
    to: str | None
    games: tuple[str, ...]
    ranking: Ranking
    seq: int
    heads: Mapping[str, str] | None = None
    entered: Mapping[str, Entered] = field(default_factory=dict)

    def holds(self, day: str) -> bool:
        """Whether an evening of that day is of this season."""
        return self.start <= day and (self.to is None or "" < day <= self.to)


class Adjustment(NamedTuple):
    """Points that the club gave in a season, or took."""

    season: str
    member: str
    points: int
    reason: str
    seq: int


class Payment(NamedTuple):
    """Money that changed hands, in minor units."""

    payer: str
    payee: str
    amount: int
    note: str | None
    seq: int
    at: str


def plain(name: str) -> str:
    """A name as people hear it: without capitals, marks of width and spaces to and fro."""
    return " ".join(unicodedata.normalize("NFKC", name).casefold().split())


@dataclass(slots=True)
class Roll:
    """What a club's log comes to: everything in it that stands."""

    opened: ClubOpened | None = None
    members: dict[str, Member] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)  # from who is no longer listed
    evenings: dict[str, Entered] = field(default_factory=dict)
    ever_entered: set[str] = field(default_factory=set)  # also evenings that were withdrawn
    seasons: dict[str, Season] = field(default_factory=dict)
    adjustments: list[Adjustment] = field(default_factory=list)
    payments: list[Payment] = field(default_factory=list)

    def place(self, entry: Entry) -> None:
        """Read the next event that stands; Unusable, with nothing changed, where it cannot be."""
        event = entry.event
        if self.opened is None and not isinstance(event, ClubOpened):
            raise Unusable(f"a club's log begins with club_opened, got {event.TYPE}", field="type")
        self.refuse_author(entry)
        self._PLACES[type(event)](self, entry, event)

    def refuse_author(self, entry: Entry) -> None:
        """Refuse an event recorded by nobody of this club."""
        if entry.by not in AUTHORS and self.now(entry.by) not in self.members:
            who = expected("a member of this club, keeper or import", entry.by)
            raise Unusable(who, field="by")

    # ---------------------------------------------------------------------------- members

    def now(self, member: str) -> str:
        """Under which id a member stands now: another one after a merger."""
        while member in self.merged:
            member = self.merged[member]
        return member

    def member(self, said: str, path: str) -> Member:
        """A member by an id that the log has, also by one that was merged; Unusable."""
        found = self.members.get(self.now(said))
        if found is None:
            words = expected("a member of this club", said)
            raise Unusable(words, field=f"data.{path}")
        return found

    def _open(self, entry: Entry, event: ClubOpened) -> None:
        if self.opened is not None:
            raise Unusable("club_opened stands only at the beginning", field="type")
        try:
            ZoneInfo(event.zone or "UTC")
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise Unusable(expected("a time zone, such as Europe/Rome", event.zone),
                           field="data.zone") from None  # fmt: skip
        self.opened = event

    def _join(self, entry: Entry, event: MemberJoined) -> None:
        before = self.members.get(event.id)
        if event.id in self.merged:
            words = f'"{event.id}" is the same person as {self.members[self.now(event.id)].name}'
            raise Unusable(words, field="data.id")
        if before is not None and not before.left:
            words = f'the id "{event.id}" belongs to {before.name} already'
            raise Unusable(words, field="data.id")
        self._refuse_same_name(event.name, event.id)
        self.members[event.id] = Member(event.id, event.name)

    def _refuse_same_name(self, name: str, but: str) -> None:
        """Two members of one name would be two lines of a table that nobody can tell apart."""
        heard = plain(name)
        for one in self.members.values():
            if one.id != but and plain(one.name) == heard:
                words = (
                    f"there is a member called {one.name} already: add something to tell them by"
                )
                raise Unusable(words, field="data.name")

    def _rename(self, entry: Entry, event: MemberRenamed) -> None:
        member = self.member(event.member, "member")
        self._refuse_same_name(event.name, member.id)
        self.members[member.id] = replace(member, name=event.name)

    def _leave(self, entry: Entry, event: MemberLeft) -> None:
        member = self.member(event.member, "member")
        if member.left:
            words = f"{member.name} has left already"
            raise Unusable(words, field="data.member")
        self.members[member.id] = replace(member, left=True)

    def _merge(self, entry: Entry, event: MembersMerged) -> None:
        one, into = self.member(event.member, "member"), self.member(event.into, "into")
        if one.id == into.id:
            words = f"{one.name} and {into.name} are one member already"
            raise Unusable(words, field="data.into")
        for evening in self._counting():
            there = {self.now(member) for member in evening.players.values() if member}
            if {one.id, into.id} <= there:
                words = (f"{one.name} and {into.name} both played in the evening "
                         f"{evening.session}, so they are two people")  # fmt: skip
                raise Unusable(words, field="data.into")
        for paid in self.payments:
            if {one.id, into.id} == {paid.payer, paid.payee}:
                payer, payee = self.members[paid.payer], self.members[paid.payee]
                words = f"{payer.name} paid {payee.name} once, so they are two people"
                raise Unusable(words, field="data.into")
        del self.members[one.id]
        self.merged[one.id] = into.id
        self.adjustments = [
            each._replace(member=self.now(each.member)) for each in self.adjustments
        ]
        self.payments = [
            each._replace(payer=self.now(each.payer), payee=self.now(each.payee))
            for each in self.payments
        ]

    # --------------------------------------------------------------------------- evenings

    def _counting(self) -> Iterator[Entered]:
        """The evenings that count, and those of closed seasons as they were entered then."""
        yield from self.evenings.values()
        for season in self.seasons.values():
            yield from season.entered.values()

    def _enter(self, entry: Entry, event: EveningEntered) -> None:
        if event.session in self.evenings:
            words = f"the evening {event.session} is entered already"
            raise Unusable(words, field="data.session")
        players: dict[str, str | None] = {}
        whose: dict[str, str] = {}
        for player, said in event.players.items():
            path = f"players.{player}"
            member = None if said is None else self.member(said, path)
            if member is not None and member.id in whose:
                words = (f"{whose[member.id]} and {player} cannot both be {member.name}: "
                         "two players of one evening are two people")  # fmt: skip
                raise Unusable(words, field=f"data.{path}")
            if member is not None:
                whose[member.id] = player
            players[player] = said
        self.evenings[event.session] = Entered(event.session, players, entry.seq)
        self.ever_entered.add(event.session)

    def _withdraw(self, entry: Entry, event: EveningWithdrawn) -> None:
        if event.session not in self.evenings:
            words = expected("an evening that is entered", event.session)
            raise Unusable(words, field="data.session")
        del self.evenings[event.session]

    def played_as(self, evening: Entered) -> dict[str, str | None]:
        """From each player of an evening to the member that he is today, None for a guest."""
        return {
            player: None if said is None else self.now(said)
            for player, said in evening.players.items()
        }

    # ---------------------------------------------------------------------------- seasons

    def season(self, said: str) -> Season:
        """A season by its id; Unusable."""
        found = self.seasons.get(said)
        if found is None:
            words = expected("a season of this club", said)
            raise Unusable(words, field="data.season")
        return found

    def _open_season(self, entry: Entry, event: SeasonOpened) -> None:
        if event.id in self.seasons:
            words = f'the id "{event.id}" belongs to the season {self.seasons[event.id].name}'
            raise Unusable(words, field="data.id")
        if event.to is not None and event.to < event.start:
            words = f"a season that begins on {event.start} cannot end on {event.to}"
            raise Unusable(words, field="data.to")
        ranking = event.ranking if isinstance(event.ranking, Ranking) else Ranking(event.ranking)
        refuse_ranking(ranking, event.games)
        self.seasons[event.id] = Season(
            event.id, event.name, event.start, event.to, event.games, ranking, entry.seq
        )

    def _close_season(self, entry: Entry, event: SeasonClosed) -> None:
        season = self.season(event.season)
        self._refuse_closed(season)
        for session, head in event.heads.items():
            if session not in self.evenings:
                raise Unusable(expected("an evening that is entered", session),
                               field=f"data.heads.{session}")  # fmt: skip
            if len(head) != 64 or head.strip("0123456789abcdef"):
                raise Unusable(expected("the hash of an event", head),
                               field=f"data.heads.{session}")  # fmt: skip
        entered = {session: self.evenings[session] for session in event.heads}
        self.seasons[season.id] = replace(season, heads=event.heads, entered=entered)

    def _refuse_closed(self, season: Season) -> None:
        if season.heads is not None:
            words = f"the season {season.name} is closed"
            raise Unusable(words, field="data.season")

    def _adjust(self, entry: Entry, event: PointsAdjusted) -> None:
        season = self.season(event.season)
        self._refuse_closed(season)
        if season.ranking.by == "rating":
            words = "a rating follows from the matches alone: no points can be given or taken"
            raise Unusable(words, field="data.season")
        member = self.member(event.member, "member")
        self.adjustments.append(
            Adjustment(season.id, member.id, event.points, event.reason, entry.seq)
        )

    # ------------------------------------------------------------------------------ money

    def _pay(self, entry: Entry, event: PaymentMade) -> None:
        payer, payee = self.member(event.payer, "from"), self.member(event.to, "to")
        if payer.id == payee.id:
            words = f"{payer.name} cannot pay himself"
            raise Unusable(words, field="data.to")
        if self.opened is None or self.opened.currency is None:
            words = "the club was opened without a currency"
            raise Unusable(words, field="data.amount")
        self.payments.append(
            Payment(payer.id, payee.id, event.amount, event.note, entry.seq, entry.at)
        )

    def _note(self, entry: Entry, event: NoteAdded) -> None:
        """A note changes nothing."""

    _PLACES: ClassVar[Mapping[type[Event], Callable[[Any, Entry, Any], None]]] = {
        ClubOpened: _open,
        MemberJoined: _join,
        MemberRenamed: _rename,
        MemberLeft: _leave,
        MembersMerged: _merge,
        EveningEntered: _enter,
        EveningWithdrawn: _withdraw,
        SeasonOpened: _open_season,
        SeasonClosed: _close_season,
        PointsAdjusted: _adjust,
        PaymentMade: _pay,
        NoteAdded: _note,
    }


def refuse_ranking(ranking: Ranking, games: Iterable[str]) -> None:
    """Refuse what would add unlike things, or says what its ranking does not ask."""
    several = len(tuple(games)) > 1
    for what in (ranking.by, *(ranking.ties or ())):
        if several and what in ("points", "average"):
            words = f"points of different games are never added: {what} is for a season of one game"
            raise Unusable(words, field="data.ranking")
    if ranking.by == "rating" and ranking.best is not None:
        words = "a rating follows from all evenings: best does not fit it"
        raise Unusable(words, field="data.ranking.best")
    if ranking.places is not None and ranking.by != "places":
        words = "places is for a season that is ranked by places"
        raise Unusable(words, field="data.ranking.places")
    for players, figures in (ranking.places or {}).items():
        path = f"data.ranking.places.{players}"
        if not players.isdigit() or not int(players) >= 2 or str(int(players)) != players:
            raise Unusable(expected("a number of players", players), field=path)
        if len(figures) != int(players):
            raise Unusable(expected(f"{players} figures", len(figures)), field=path)
        if list(figures) != sorted(figures, reverse=True):
            raise Unusable("a worse place cannot get more than a better one", field=path)
