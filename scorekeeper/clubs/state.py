"""The state of a club's log: members, evenings, seasons, payments and house rules."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Final

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.clubs.events import (
    ClubChanged,
    ClubOpened,
    EveningEntered,
    EveningWithdrawn,
    HouseDropped,
    HouseKept,
    MemberJoined,
    MemberLeft,
    MemberRenamed,
    MembersMerged,
    PaymentMade,
    PointsAdjusted,
    Ranking,
    SeasonChanged,
    SeasonClosed,
    SeasonOpened,
    TournamentEntered,
)
from scorekeeper.clubs.season_rules import (
    refuse_bad_ranking,
    refuse_end_before_start,
    refuse_other_currency,
)
from scorekeeper.clubs.values import (
    Adjustment,
    EnteredEvening,
    EnteredTournament,
    KeptHouseRules,
    Member,
    RecordedPayment,
    Season,
    normalize_name,
)
from scorekeeper.events.common import NoteAdded
from scorekeeper.events.event import Entry, Event
from scorekeeper.log.time_zones import refuse_unknown_zone

CLUB_FIELDS: Final = ("name", "place", "currency", "zone")  # that `club_changed` can change
AUTHORS: Final = frozenset({"keeper", "import", ""})  # of events, beside the members
MAX_HOUSE_RULES: Final = 100


@dataclass(slots=True)
class ClubState:
    """Everything in a club's log that stands."""

    opened: ClubOpened | None = None
    members: dict[str, Member] = field(default_factory=dict)
    merged: dict[str, str] = field(default_factory=dict)  # from a former id to the present one
    evenings: dict[str, EnteredEvening] = field(default_factory=dict)
    tournaments: dict[str, EnteredTournament] = field(default_factory=dict)
    ever_entered: set[str] = field(default_factory=set)  # also evenings that were withdrawn
    seasons: dict[str, Season] = field(default_factory=dict)
    adjustments: list[Adjustment] = field(default_factory=list)
    payments: list[RecordedPayment] = field(default_factory=list)
    house_rules: dict[tuple[str, str], KeptHouseRules] = field(
        default_factory=dict
    )  # by game and name
    # Closed seasons by the seq of their close: later corrections of what came before it change
    # neither the evenings nor the guests of the final table.
    closed: dict[int, Season] = field(default_factory=dict)

    def apply(self, entry: Entry) -> None:
        """Apply the next event that stands.

        Raises `UnusableError`, with nothing changed, if the event does not fit.
        """
        event = entry.event
        self.refuse_unopened(event)
        self.refuse_author(entry)
        self._APPLIERS[type(event)](self, entry, event)

    def refuse_unopened(self, event: Event) -> None:
        """Raise `UnusableError` for any event before the club is opened."""
        if self.opened is None and not isinstance(event, ClubOpened):
            words = f"a club's log begins with club_opened, got {event.TYPE}"
            raise UnusableError(Cause(words, "club_not_opened", type=event.TYPE), field="type")

    def refuse_author(self, entry: Entry) -> None:
        """Raise `UnusableError` for an event whose author does not belong to the club."""
        if entry.by not in AUTHORS and self.get_current_id(entry.by) not in self.members:
            who = "a member of this club, keeper or import"
            raise UnusableError(expected(who, entry.by, "no_member_wrote"), field="by")

    # ---------------------------------------------------------------------------- members

    def get_current_id(self, member: str) -> str:
        """Return the present id of a member, which is another one after a merger."""
        while member in self.merged:
            member = self.merged[member]
        return member

    def require_member(self, member_id: str, path: str) -> Member:
        """Return a member by any id in the log, including one that was merged.

        Raises `UnusableError` if there is none.
        """
        member = self.members.get(self.get_current_id(member_id))
        if member is None:
            cause = expected("a member of this club", member_id, "no_such_member", member=member_id)
            raise UnusableError(cause, field=f"data.{path}")
        return member

    def _open_club(self, entry: Entry, event: ClubOpened) -> None:
        """Apply the opening of the club.

        Raises `UnusableError` for a second one or an unknown time zone.
        """
        if self.opened is not None:
            words = "club_opened may be only the first event"
            raise UnusableError(Cause(words, "club_opened_twice"), field="type")
        refuse_unknown_zone(event.zone)
        self.opened = event

    def _change_club(self, entry: Entry, event: ClubChanged) -> None:
        """Change the name, place, currency or time zone of the club.

        Raises `UnusableError` if the zone is unknown, or payments are recorded in
        another currency.
        """
        if self.opened is None:
            raise AssertionError("apply() refuses all events before the opening")
        changes = {name: value for name in CLUB_FIELDS if (value := getattr(event, name))}
        refuse_unknown_zone(event.zone)
        opened = replace(self.opened, **changes)
        if self.payments and opened.currency != self.opened.currency:
            refuse_other_currency(str(self.opened.currency))
        self.opened = opened

    def _join(self, entry: Entry, event: MemberJoined) -> None:
        """Add a member, or bring one back who left.

        Without ``guest`` a guest becomes a member, from their first evening on. Raises
        `UnusableError` if the id or the name is taken, or a member would become a guest.
        """
        guest = bool(event.guest)
        before = self.members.get(event.id)
        if event.id in self.merged:
            name = self.members[self.get_current_id(event.id)].name
            words = f'"{event.id}" is the same person as {name}'
            raise UnusableError(
                Cause(words, "merged_before", id=event.id, name=name), field="data.id"
            )
        if before is not None and guest and not before.guest:
            words = f"{before.name} is a member, and cannot become a guest"
            raise UnusableError(Cause(words, "member_no_guest", name=before.name), field="data.id")
        if before is not None and not before.left and before.guest == guest:
            words = f'the id "{event.id}" belongs to {before.name} already'
            cause = Cause(words, "id_taken", id=event.id, name=before.name)
            raise UnusableError(cause, field="data.id")
        self._refuse_same_name(event.name, event.id)
        self.members[event.id] = Member(event.id, event.name, guest=guest)

    def _refuse_same_name(self, name: str, except_id: str) -> None:
        """Raise `UnusableError` if another member than `except_id` has this name."""
        normalized = normalize_name(name)
        for member in self.members.values():
            if member.id != except_id and normalize_name(member.name) == normalized:
                told = "add something to tell them by"
                words = f"there is a member called {member.name} already: {told}"
                cause = Cause(words, "same_name", name=member.name)
                if member.guest:
                    words = f"there is a guest called {member.name}: make them a member, or {told}"
                    cause = Cause(words, "name_of_guest", name=member.name)
                raise UnusableError(cause, field="data.name")

    def _rename(self, entry: Entry, event: MemberRenamed) -> None:
        """Rename a member. Raises `UnusableError` if another member has that name."""
        member = self.require_member(event.member, "member")
        self._refuse_same_name(event.name, member.id)
        self.members[member.id] = replace(member, name=event.name)

    def _leave(self, entry: Entry, event: MemberLeft) -> None:
        """Mark a member as one who left. Raises `UnusableError` if they have left already."""
        member = self.require_member(event.member, "member")
        if member.left:
            words = f"{member.name} has left already"
            raise UnusableError(Cause(words, "left_before", name=member.name), field="data.member")
        self.members[member.id] = replace(member, left=True)

    def _merge(self, entry: Entry, event: MembersMerged) -> None:
        """Make one member of two, with their adjustments and payments.

        Raises `UnusableError` if both played on one evening, one paid the other, or a member would
        become a guest.
        """
        merged, into = (
            self.require_member(event.member, "member"),
            self.require_member(event.into, "into"),
        )
        if merged.id == into.id:
            words = f"these are one member already: {merged.name}"
            cause = Cause(words, "one_member", one=merged.name)
            raise UnusableError(cause, field="data.into")
        if into.guest and not merged.guest:
            words = f"{merged.name} is a member: merge the guest {into.name} into the member"
            cause = Cause(words, "member_into_guest", member=merged.name, guest=into.name)
            raise UnusableError(cause, field="data.into")
        for evening in self._listed_evenings():
            present = {self.get_current_id(member) for member in evening.players.values() if member}
            if {merged.id, into.id} <= present:
                words = (f"{merged.name} and {into.name} both played in the evening "
                         f"{evening.session_id}, so they are two people")  # fmt: skip
                facts = {"one": merged.name, "other": into.name, "session_id": evening.session_id}
                cause = Cause(words, "both_were_there", **facts)
                raise UnusableError(cause, field="data.into")
        for tournament in self._listed_tournaments():
            if {merged.id, into.id} <= self._list_present(tournament):
                words = f"{merged.name} and {into.name} both played in one tournament"
                facts = {"one": merged.name, "other": into.name,
                         "session_id": tournament.tournament_id}  # fmt: skip
                raise UnusableError(Cause(words, "both_were_there", **facts), field="data.into")
        for payment in self.payments:
            if {merged.id, into.id} == {payment.payer, payment.payee}:
                payer, payee = self.members[payment.payer], self.members[payment.payee]
                words = f"{payer.name} paid {payee.name} once, so they are two people"
                cause = Cause(words, "one_paid_the_other", payer=payer.name, payee=payee.name)
                raise UnusableError(cause, field="data.into")
        del self.members[merged.id]
        self.merged[merged.id] = into.id
        self.adjustments = [
            adjustment._replace(member=self.get_current_id(adjustment.member))
            for adjustment in self.adjustments
        ]
        self.payments = [
            payment._replace(
                payer=self.get_current_id(payment.payer), payee=self.get_current_id(payment.payee)
            )
            for payment in self.payments
        ]

    # --------------------------------------------------------------------------- evenings

    def _listed_evenings(self) -> Iterator[EnteredEvening]:
        """Yield the evenings that count, and those of closed seasons as they were entered then."""
        yield from self.evenings.values()
        for season in self.seasons.values():
            yield from season.entered.values()

    def shows_evening(self, session_id: str) -> bool:
        """Return whether a figure of the club links to an evening: it counts, or did at a close."""
        return any(session_id == evening.session_id for evening in self._listed_evenings()) or any(
            session_id == entered.tournament_id for entered in self._listed_tournaments()
        )

    def _enter(self, entry: Entry, event: EveningEntered) -> None:
        """Count an evening for the club.

        Raises `UnusableError` if it counts already, or two players would be one member.
        """
        if event.session in self.evenings:
            words = f"the evening {event.session} is entered already"
            raise UnusableError(Cause(words, "entered_before"), field="data.session")
        self.refuse_two_as_one(event.players, {})
        self.evenings[event.session] = EnteredEvening(event.session, dict(event.players), entry.seq)
        self.ever_entered.add(event.session)

    def refuse_two_as_one(
        self, players: Mapping[str, str | None], names: Mapping[str, str]
    ) -> None:
        """Refuse two players of an evening who would be one member.

        Raises `UnusableError`.

        ``names`` are the players' names by id. A club's log does not contain them: without them the
        error names the players by their ids.
        """
        member_of: dict[str, str] = {}
        for player, member_id in players.items():
            if member_id is None:
                continue
            member, name = (
                self.require_member(member_id, f"players.{player}"),
                names.get(player, player),
            )
            if member.id in member_of:
                words = (f"{member_of[member.id]} and {name} cannot both be {member.name}: "
                         "two players of one evening are two people")  # fmt: skip
                facts = {"one": member_of[member.id], "other": name, "name": member.name}
                raise UnusableError(
                    Cause(words, "two_are_one", **facts), field=f"data.players.{player}"
                )
            member_of[member.id] = name

    # ------------------------------------------------------------------------ tournaments

    def _listed_tournaments(self) -> Iterator[EnteredTournament]:
        """Yield the tournaments that count, and those of closed seasons as of the close."""
        yield from self.tournaments.values()
        for season in self.seasons.values():
            yield from season.tournaments.values()

    def _list_present(self, tournament: EnteredTournament) -> set[str]:
        """Return the present ids of the members and guests who played in a tournament."""
        return {self.get_current_id(member) for _, _, member in tournament.list_people() if member}

    def _enter_tournament(self, entry: Entry, event: TournamentEntered) -> None:
        """Count the tables of a tournament as one evening.

        Raises `UnusableError` if it counts already, or two players would be one member.
        """
        if event.tournament in self.tournaments:
            words = f"the tournament {event.tournament} is entered already"
            raise UnusableError(Cause(words, "tournament_before"), field="data.tournament")
        entered = EnteredTournament(event.tournament, dict(event.entrants), entry.seq)
        self.refuse_two_entrants_as_one(entered, {})
        self.tournaments[event.tournament] = entered
        self.ever_entered.add(event.tournament)

    def refuse_two_entrants_as_one(
        self, entered: EnteredTournament, names: Mapping[str, str]
    ) -> None:
        """Refuse two players of a tournament who would be one member.

        ``names`` are the players' names by id; without them the error has their ids. Raises
        `UnusableError`.
        """
        player_of: dict[str, str] = {}
        for entrant, player, member_id in entered.list_people():
            if member_id is not None:
                path = f"entrants.{entrant}" + ("" if player == entrant else f".{player}")
                member, name = self.require_member(member_id, path), names.get(player, player)
                if member.id in player_of:
                    words = (f"{player_of[member.id]} and {name} cannot both be {member.name}: "
                             "two players of one evening are two people")  # fmt: skip
                    facts = {"one": player_of[member.id], "other": name, "name": member.name}
                    cause = Cause(words, "two_are_one", **facts)
                    raise UnusableError(cause, field=f"data.{path}")
                player_of[member.id] = name

    def map_entrants(self, entered: EnteredTournament) -> EnteredTournament:
        """Return a tournament with the present ids of its members and guests."""
        return entered.rename(self.get_current_id)

    def _withdraw(self, entry: Entry, event: EveningWithdrawn) -> None:
        """Stop counting an evening or tournament. Raises `UnusableError` if it does not count."""
        if event.session in self.tournaments:
            del self.tournaments[event.session]
            return
        if event.session not in self.evenings:
            cause = expected("an evening that is entered", event.session, "not_entered")
            raise UnusableError(cause, field="data.session")
        del self.evenings[event.session]

    @property
    def guests(self) -> frozenset[str]:
        """The ids of the present guests."""
        return frozenset(member.id for member in self.members.values() if member.guest)

    def list_guests_at_close(self, season: Season) -> frozenset[str]:
        """Return the present ids of those who were guests when a season was closed.

        A guest who was merged into a member since is the member.
        """
        present = map(self.get_current_id, season.guests)
        return frozenset(present) & (season.guests | self.guests)

    def list_adjustments_at_close(self, season: Season) -> list[Adjustment]:
        """Return the adjustments of a season as of its close, with the present ids of members."""
        return [
            adjustment._replace(member=self.get_current_id(adjustment.member))
            for adjustment in season.adjustments
        ]

    def map_players(self, evening: EnteredEvening) -> dict[str, str | None]:
        """Return the present member or guest for each player of an evening; None if unknown."""
        return {
            player: None if member_id is None else self.get_current_id(member_id)
            for player, member_id in evening.players.items()
        }

    # ---------------------------------------------------------------------------- seasons

    def require_season(self, season_id: str) -> Season:
        """Return a season by its id.

        Raises `UnusableError` if there is none.
        """
        season = self.seasons.get(season_id)
        if season is None:
            cause = expected("a season of this club", season_id, "no_such_season")
            raise UnusableError(cause, field="data.season")
        return season

    def _open_season(self, entry: Entry, event: SeasonOpened) -> None:
        """Add a season.

        Raises `UnusableError` if its id is taken, its days or its ranking are not possible.
        """
        if event.id in self.seasons:
            name = self.seasons[event.id].name
            words = f'the id "{event.id}" belongs to the season {name}'
            raise UnusableError(Cause(words, "id_taken", id=event.id, name=name), field="data.id")
        refuse_end_before_start(event.start, event.to)
        ranking = event.ranking if isinstance(event.ranking, Ranking) else Ranking(event.ranking)
        refuse_bad_ranking(ranking, event.games)
        self.seasons[event.id] = Season(
            event.id, event.name, event.start, event.to, event.games, ranking, entry.seq
        )

    def _change_season(self, entry: Entry, event: SeasonChanged) -> None:
        """Change the name or the last day of an open season.

        Raises `UnusableError` if the season is closed, or the day is before its first.
        """
        season = self.require_season(event.season)
        self._refuse_closed(season)
        refuse_end_before_start(season.start, event.to)
        to = season.to if event.to is None else event.to or None
        self.seasons[season.id] = replace(season, name=event.name or season.name, to=to)

    def _close_season(self, entry: Entry, event: SeasonClosed) -> None:
        """Close a season with the evenings and log heads of the event.

        Raises `UnusableError` if it is closed already or an evening does not count.
        """
        season = self.require_season(event.season)
        self._refuse_closed(season)
        for session_id, head in event.heads.items():
            # The sessions of a tournament's tables are known to its own log alone.
            if not (session_id in self.evenings or self.tournaments.keys() & event.heads.keys()):
                cause = expected("an evening that is entered", session_id, "not_entered")
                raise UnusableError(cause, field=f"data.heads.{session_id}")
            if len(head) != 64 or head.strip("0123456789abcdef"):
                cause = expected("the hash of an event", head, "no_hash")
                raise UnusableError(cause, field=f"data.heads.{session_id}")
        before = self.closed.get(entry.seq)
        if before is None or (before.id, before.heads) != (event.season, event.heads):
            self.closed[entry.seq] = self._make_closed(season, entry.at, event.heads)
        self.seasons[season.id] = self.closed[entry.seq]

    def _make_closed(self, season: Season, at: str, heads: Mapping[str, str]) -> Season:
        """Return a season as closed now: with its evenings, guests and adjustments of now."""
        entered = {
            session_id: self.evenings[session_id]._replace(
                players=self.map_players(self.evenings[session_id])
            )
            for session_id in heads
            if session_id in self.evenings
        }
        tournaments = {
            tournament_id: self.map_entrants(entered)
            for tournament_id, entered in self.tournaments.items()
            if tournament_id in heads
        }
        adjustments = tuple(
            adjustment for adjustment in self.adjustments if adjustment.season == season.id
        )
        return replace(
            season, heads=heads, entered=entered, closed_at=at, guests=self.guests,
            adjustments=adjustments, tournaments=tournaments,
            zone=(self.opened and self.opened.zone) or "UTC",
        )  # fmt: skip

    def _refuse_closed(self, season: Season) -> None:
        """Raise `UnusableError` if a season is closed."""
        if season.heads is not None:
            words = f"the season {season.name} is closed"
            raise UnusableError(
                Cause(words, "season_closed", name=season.name), field="data.season"
            )

    def _adjust(self, entry: Entry, event: PointsAdjusted) -> None:
        """Add points to a member in a season.

        Raises `UnusableError` if the season is closed or ranked by rating.
        """
        season = self.require_season(event.season)
        self._refuse_closed(season)
        if season.ranking.by == "rating":
            words = "a rating follows from the matches alone: no points can be given or taken"
            raise UnusableError(Cause(words, "no_points_to_a_rating"), field="data.season")
        member = self.require_member(event.member, "member")
        self.adjustments.append(
            Adjustment(season.id, member.id, event.points, event.reason, entry.seq)
        )

    # ------------------------------------------------------------------------------ money

    def _pay(self, entry: Entry, event: PaymentMade) -> None:
        """Add a payment between two members.

        Raises `UnusableError` if they are the same, or the club keeps no money.
        """
        payer, payee = self.require_member(event.payer, "from"), self.require_member(event.to, "to")
        if payer.id == payee.id:
            words = f"{payer.name} cannot pay himself"
            raise UnusableError(Cause(words, "pays_himself", name=payer.name), field="data.to")
        if self.opened is None or self.opened.currency is None:
            words = "the club has no currency"
            raise UnusableError(Cause(words, "no_money_kept"), field="data.amount")
        self.payments.append(
            RecordedPayment(payer.id, payee.id, event.amount, event.note, entry.seq, entry.at)
        )

    # ------------------------------------------------------------------------------ houses

    def find_house_rules(self, game: str, name: str) -> KeptHouseRules | None:
        """Return the house rules of a game that are kept under a name, in any spelling of it."""
        return self.house_rules.get((game, normalize_name(name)))

    def _keep(self, entry: Entry, event: HouseKept) -> None:
        """Store house rules under a name.

        Raises `UnusableError` if the name is taken, or there are too many.
        """
        before = self.find_house_rules(event.game, event.name)
        if before is not None:
            words = f"there are house rules called {before.name} already"
            raise UnusableError(Cause(words, "same_house", name=before.name), field="data.name")
        if len(self.house_rules) >= MAX_HOUSE_RULES:
            words = f"a club keeps at most {MAX_HOUSE_RULES} sets of house rules"
            raise UnusableError(Cause(words, "too_many_houses", most=MAX_HOUSE_RULES), field="type")
        kept = KeptHouseRules(event.name, event.game, event.options, entry.seq)
        self.house_rules[event.game, normalize_name(event.name)] = kept

    def _drop(self, entry: Entry, event: HouseDropped) -> None:
        """Remove house rules. Raises `UnusableError` if there are none of that name."""
        if self.find_house_rules(event.game, event.name) is None:
            cause = expected("house rules that are kept", event.name, "no_such_house")
            raise UnusableError(cause, field="data.name")
        del self.house_rules[event.game, normalize_name(event.name)]

    def _note(self, entry: Entry, event: NoteAdded) -> None:
        """Accept a note, which changes nothing."""

    _APPLIERS: ClassVar[Mapping[type[Event], Callable[[Any, Entry, Any], None]]] = {
        ClubOpened: _open_club,
        ClubChanged: _change_club,
        MemberJoined: _join,
        MemberRenamed: _rename,
        MemberLeft: _leave,
        MembersMerged: _merge,
        EveningEntered: _enter,
        EveningWithdrawn: _withdraw,
        TournamentEntered: _enter_tournament,
        SeasonOpened: _open_season,
        SeasonChanged: _change_season,
        SeasonClosed: _close_season,
        PointsAdjusted: _adjust,
        PaymentMade: _pay,
        HouseKept: _keep,
        HouseDropped: _drop,
        NoteAdded: _note,
    }
