"""A club in which random events happen, and its state as computed from its logs alone."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import RANKINGS
from scorekeeper.clubs.guests import GuestUnion, list_unnamed
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.tournament_tables import TournamentTables
from scorekeeper.report.masking import as_the_table_knows, face_down_seqs
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service, Tournaments
from scorekeeper.service.club_logs import opens_all
from scorekeeper.service.club_tournaments import list_tables
from scorekeeper.service.tournaments import PublishRequest
from scorekeeper.session.session import Session
from scorekeeper.store import Store
from scorekeeper.tournaments.tournament import Tournament
from tests.evenings import Raw, event, replaced, struck
from tests.tournaments import hall

HOST: Final = Holder("host")
PLAYERS: Final = ("mara", "leo", "nina")
MEMBERS: Final = (*PLAYERS, "ugo", "ada")
ENTRANTS: Final = (*MEMBERS, "zoe")  # of the tournament
EVENINGS: Final = 3
STAKE: Final = {"currency": "EUR", "point": 7, "match": 11}
SEASON: Final = {"name": "Autumn", "games": ["riparto"], "from": "2020-01-01"}


def match(seats: tuple[str, ...]) -> Raw:
    """Return the start of a match for money."""
    options = {"match_end": {"hands": 2}}
    return event("match_started", game="riparto", seats=list(seats), options=options, stake=STAKE)


def hand(dealer: str, bidder: str, got: int) -> list[Raw]:
    """Return a hand whose bidder takes ``got`` points."""
    others = [player for player in PLAYERS if player != bidder]
    points = {bidder: got, others[0]: 15 - got, others[1]: 0}
    return [event("hand_started", dealer=dealer), event("bid_made", player=bidder, points=5),
            event("points_counted", points=points)]  # fmt: skip


class Circolo:
    """A club and its evenings, in which random events happen."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.service = Service(store)
        self.clubs = Clubs(self.service)
        self.evenings = [self._evening(number) for number in range(EVENINGS)]
        self.tournaments = Tournaments(self.service)
        opening = hall.opening(
            {"table": {"from": 3, "to": 3}}, game="riparto", stake=STAKE, name=f"Sagra {uuid4()}"
        )
        entrants = [hall.registered(player)["data"] for player in ENTRANTS]
        self.tournament = self.tournaments.open(opening["data"], entrants).id
        self.play_round(0)
        people = [{"id": member_id, "name": member_id.capitalize()} for member_id in MEMBERS]
        self.id = self.clubs.open({"name": "Circolo", "currency": "EUR"}, people).id
        for number in range(EVENINGS):
            self.enter(number)
        self.do(event("season_opened", id="s0", ranking="points", **SEASON))

    def _evening(self, number: int) -> str:
        players = [{"id": player, "name": player.capitalize()} for player in PLAYERS]
        opening = {"title": f"Evening {uuid4()}", "players": players}
        session_id = self.service.open(opening).id
        self.play(session_id, [match(PLAYERS), *hand("mara", PLAYERS[number % 3], 5 + number)])
        return session_id

    def direct(self, *events: Raw) -> None:
        """Record events in the tournament. Raises `UnusableError`."""
        self._record(self.tournaments, self.tournament, events)

    def play_round(self, pick: int) -> None:
        """Draw and publish a round of the tournament with a hand at each table, and close it."""
        rounds = self.tournaments.with_state(self.tournament, lambda state: len(state.rounds))
        if rounds == 4:
            return
        order = [*ENTRANTS[pick % 6 :], *ENTRANTS[: pick % 6]]
        tables = [order[:3], order[3:]]
        number = rounds + 1
        self.direct(event("round_drawn", stage=1, round=number, tables=tables, byes=[],
                          generator=hall.GENERATOR, heads={}))  # fmt: skip
        version = self.store.position(self.tournament).version
        self.tournaments.record(self.tournament, PublishRequest(version, round=number), HOST)
        for place, session_id in enumerate(self.list_tables()[-2:]):
            one, two, three = self.service.see(
                session_id, lambda session: list(session.structure.players)
            )
            points = {one: 4 + place, two: 11 - place, three: 0}
            self.play(session_id, [
                event("hand_started", dealer=one), event("bid_made", player=one, points=5),
                event("points_counted", points=points),
            ])  # fmt: skip
        self.direct(hall.closed(number))

    def list_tables(self) -> list[str]:
        """Return the sessions of the tournament's tables, in the order of play."""
        sessions = self.tournaments.with_state(self.tournament, lambda state: state.list_sessions())
        return sorted(sessions, key=lambda session_id: sessions[session_id])

    def enter_or_withdraw_tournament(self, pick: int) -> None:
        """Withdraw the tournament if it is entered, else enter it."""
        if self.clubs.with_state(self.id, lambda state: bool(state.tournaments)):
            self.do(event("evening_withdrawn", session=self.tournament, reason="a trial"))
        else:
            self.enter_tournament(pick)

    def enter_tournament(self, pick: int) -> None:
        """Enter the tournament; some players are members, others nobody or guests."""
        guests = self.see(lambda snapshot: sorted(snapshot.state.guests))
        (known,) = (self.clubs.tournament(self.tournament),)
        entrants: dict[str, Any] = {
            entrant: dict.fromkeys(known.entrants[entrant].players) for entrant in ENTRANTS
        }
        for player in MEMBERS[pick % 2 :]:
            entrants[player][player] = player
        if len(entrants["mara"]) == 1:
            entrants["mara"] = entrants["mara"]["mara"]
        elif guests:
            entrants["mara"] = {**entrants["mara"], "stand-in": guests[0]}
        self.do(event("tournament_entered", tournament=self.tournament, entrants=entrants))

    def reseat(self, pick: int) -> None:
        """Find later that two players of a table sat otherwise than drawn."""
        state = self.tournaments.with_state(self.tournament, lambda state: dict(state.rounds))
        number = 1 + pick % len(state)
        one, other_one, _ = state[number].tables[pick % 2]
        self.direct(event("seating_corrected", round=number, table=1 + pick % 2,
                          players={one: other_one, other_one: one}))  # fmt: skip

    def play(self, session_id: str, events: list[Raw]) -> None:
        """Record events at a table."""
        self._record(self.service, session_id, events)

    def do(self, *events: Raw) -> None:
        """Record events in the club.

        Raises `UnusableError`.
        """
        self._record(self.clubs, self.id, events)

    def _record(self, recorder: Any, stream: str, events: Any) -> None:
        new = tuple(NewEvent(raw["type"], raw["data"]) for raw in events)
        version = self.store.position(stream).version
        request = AppendRequest(version, new, as_played=True)
        options = {"shown": opens_all} if recorder is self.clubs else {}
        recorder.record(stream, request, HOST, **options)

    def enter(self, number: int) -> None:
        """Enter an evening; its first player is the member, nobody, another member or a guest."""
        guests = self.see(lambda snapshot: sorted(snapshot.state.guests))
        choices = (MEMBERS[number % 2 * 3], None, "ada", *guests)
        first = choices[number % len(choices)]
        members = {**{player: player for player in PLAYERS}, "mara": first}
        self.do(event("evening_entered", session=self.evenings[number % EVENINGS], players=members))

    # ------------------------------------------------------------------------- random events

    def happen(self, happening: str, pick: int) -> None:
        """Let an event of this name happen; ignore it if the club refuses it."""
        with suppress(UnusableError):
            HAPPENINGS[happening](self, pick)

    def enter_or_withdraw(self, pick: int) -> None:
        """Withdraw an evening if it is entered, else enter it."""
        session_id = self.evenings[pick % EVENINGS]
        if self.clubs.with_state(self.id, lambda state: session_id in state.evenings):
            self.do(event("evening_withdrawn", session=session_id, reason="a trial"))
        else:
            self.enter(pick)

    def unite_guests(self, pick: int) -> None:
        """Give the players without an account one, together with a guest or a member."""
        accounts = [None, *self.see(lambda snapshot: sorted(snapshot.state.members))]
        into = accounts[pick % len(accounts)] or ""

        def build(snapshot: ClubSnapshot) -> list[Raw]:
            groups = list(list_unnamed(snapshot).values())
            union = GuestUnion(groups[0] if groups else [], (), into, f"Guest {pick}")
            return [event(kind, **data) for kind, data in union.build_events(snapshot)]

        self.do(*self.see(build))

    def close(self, pick: int) -> None:
        """Close a season with the current heads of all its evenings."""
        named = self.see(lambda snapshot: [*snapshot.state.tournaments, *snapshot.evenings])
        heads = {session_id: end.head for session_id, end in self.store.ends(named).items()}
        self.do(event("season_closed", season=f"s{pick % 2}", heads=heads))

    def correct(self, pick: int) -> None:
        """Correct the count of an old hand."""
        points = {"mara": pick % 16, "leo": 15 - pick % 16, "nina": 0}
        correction = replaced(5, "points_counted", points=points)
        self.play(self.evenings[pick % EVENINGS], [correction])

    def correct_table(self, pick: int) -> None:
        """Correct the count of a hand at a table of the tournament."""
        session_id = self.list_tables()[pick % len(self.list_tables())]
        players = self.service.see(session_id, lambda session: list(session.structure.players))
        points = dict(zip(players, (pick % 16, 15 - pick % 16, 0), strict=True))
        self.play(session_id, [replaced(5, "points_counted", points=points)])

    def restart(self, pick: int) -> None:
        """Drop all caches, as a restart of the server does."""
        self.clubs = Clubs(Service(self.store))

    # ------------------------------------------------------------------------- current state

    def see(self, make: Any) -> Any:
        """Return the result of ``make`` on the cached and updated state of the club."""
        return self.clubs.see(self.id, make)

    def from_nothing(self) -> ClubSnapshot:
        """Return the snapshot of the club from its logs alone, without any cache."""
        club = Club()
        for line in self.store.read(self.id).lines:
            club.add_stored(line)
        tournaments = {id_: self._tournament_at(None) for id_ in club.state.tournaments}
        tables = [id_ for known in tournaments.values() for id_ in known.tables]
        evenings = {id_: self._at(id_, None) for id_ in (*club.state.evenings, *tables)}
        places = [place for season in club.state.seasons.values()
                  for place in (season.heads or {}).items()]  # fmt: skip
        at_head = {place: self._at(*place) for place in places if place[0] != self.tournament}
        at_close = {place: self._tournament_at(place[1]) for place in places
                    if place[0] == self.tournament}  # fmt: skip
        return ClubSnapshot(
            club.state, club.events, club.head, evenings, at_head, stopped=self.list_stopped(),
            tournaments=tournaments, tournaments_at_close=at_close,
        )  # fmt: skip

    def list_stopped(self) -> frozenset[str]:
        """Return the evenings that the club no longer follows, with the tournament's tables."""
        stopped = frozenset(self.store.stops(self.id))
        known = self.see(lambda snapshot: snapshot.stopped)
        return stopped | (known & set(self.list_tables()) if self.tournament in stopped else set())

    def _tournament_at(self, head: str | None) -> TournamentTables:
        """Return the tournament at a head, or at its end."""
        log = Tournament()
        for line in self.store.read(self.tournament).lines:
            log.add_stored(line)
            if log.head == head:
                break
        return list_tables(log, self.store.followed(self.tournament))

    def _at(self, session_id: str, head: str | None) -> PlayedEvening:
        session = Session()
        for line in self.store.read(session_id).lines:
            session.add_stored(line)
            if session.head == head:
                break
        return PlayedEvening.of(session_id, as_the_table_knows(session, face_down_seqs(session)))


def member(pick: int) -> str:
    """Return a member, or now and then a guest."""
    return f"guest{pick % 3}" if pick % 10 == 9 else MEMBERS[pick % len(MEMBERS)]


def other(pick: int) -> str:
    """Return another member than ``member(pick)``."""
    return MEMBERS[(pick + 1 + pick // 7 % (len(MEMBERS) - 1)) % len(MEMBERS)]


# Events of a club, by name; ``pick`` chooses the member, the evening and the amount.
HAPPENINGS: Final[Mapping[str, Callable[[Circolo, int], None]]] = {
    "enter": Circolo.enter_or_withdraw,
    "merge": lambda circolo, pick: circolo.do(
        event("members_merged", member=member(pick), into=other(pick))),
    "rename": lambda circolo, pick: circolo.do(
        event("member_renamed", member=member(pick), name=f"Z{pick}")),
    "guest": lambda circolo, pick: circolo.do(event(
        "member_joined", id=f"guest{pick % 3}", name=f"Guest{pick % 3}", guest=True)),
    "promote": lambda circolo, pick: circolo.do(event(
        "member_joined", id=f"guest{pick % 3}", name=f"Guest{pick % 3}")),
    "unite": Circolo.unite_guests,
    "change": lambda circolo, pick: circolo.do(event(
        "club_changed", zone=("UTC", "Asia/Tokyo", "America/Lima")[pick % 3])),
    "resize": lambda circolo, pick: circolo.do(event(
        "season_changed", season=f"s{pick % 2}", to=(None, "2020-01-01", "2090-01-01")[pick % 3])),
    "leave": lambda circolo, pick: circolo.do(event("member_left", member=member(pick))),
    "season": lambda circolo, pick: circolo.do(event(
        "season_opened", id=f"s{pick % 2}", ranking=RANKINGS[pick % len(RANKINGS)], **SEASON)),
    "close": Circolo.close,
    "adjust": lambda circolo, pick: circolo.do(event(
        "points_adjusted", season=f"s{pick % 2}", member=member(pick), points=pick % 9 - 4,
        reason="late")),
    "pay": lambda circolo, pick: circolo.do(event(
        "payment_made", **{"from": member(pick), "to": other(pick), "amount": pick + 1})),
    "keep": lambda circolo, pick: circolo.do(event(
        "house_kept", name=f"House {pick % 3}", game="riparto",
        options={"match_end": {"hands": pick % 9 + 1}})),
    "drop": lambda circolo, pick: circolo.do(event(
        "house_dropped", name=f"house {pick % 3}", game="riparto")),
    "strike": lambda circolo, pick: circolo.do(
        struck(2 + pick % circolo.store.position(circolo.id).version)),
    "play": lambda circolo, pick: circolo.play(
        circolo.evenings[pick % EVENINGS], hand("leo", PLAYERS[pick % 3], pick % 16)),
    "correct": Circolo.correct,
    "restart": Circolo.restart,
    "tournament": Circolo.enter_or_withdraw_tournament,
    "round": Circolo.play_round,
    "reseat": Circolo.reseat,
    "correct_table": Circolo.correct_table,
    "substitute": lambda circolo, pick: circolo.direct(event(
        "entrant_replaced", entrant="mara", player="mara", from_round=pick % 4 + 1,
        substitute={"id": "stand-in", "name": "Stand-in"})),
}  # fmt: skip
