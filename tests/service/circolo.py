"""A club to which anything can happen, and what it comes to from its logs alone."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, Final
from uuid import uuid4

from scorekeeper.base.errors import UnusableError
from scorekeeper.clubs.club import Club
from scorekeeper.clubs.evening import PlayedEvening
from scorekeeper.clubs.events import RANKINGS
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.report.masking import as_the_table_knows, face_down
from scorekeeper.service import AppendRequest, Clubs, Holder, NewEvent, Service
from scorekeeper.service.club_logs import opens_all
from scorekeeper.session.session import Session
from scorekeeper.store import Store
from tests.evenings import Raw, event, replaced, struck

HOST: Final = Holder("host")
PLAYERS: Final = ("mara", "leo", "nina")
MEMBERS: Final = (*PLAYERS, "ugo", "ada")
EVENINGS: Final = 3
STAKE: Final = {"currency": "EUR", "point": 7, "match": 11}
SEASON: Final = {"name": "Autumn", "games": ["riparto"], "from": "2020-01-01"}


def match(seats: tuple[str, ...]) -> Raw:
    """A match for money."""
    options = {"match_end": {"hands": 2}}
    return event("match_started", game="riparto", seats=list(seats), options=options, stake=STAKE)


def hand(dealer: str, bidder: str, got: int) -> list[Raw]:
    """A hand whose bidder takes so many points."""
    others = [one for one in PLAYERS if one != bidder]
    points = {bidder: got, others[0]: 15 - got, others[1]: 0}
    return [event("hand_started", dealer=dealer), event("bid_made", player=bidder, points=5),
            event("points_counted", points=points)]  # fmt: skip


class Circolo:
    """A club, its evenings, and what happens to them."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.service = Service(store)
        self.clubs = Clubs(self.service)
        self.evenings = [self._evening(number) for number in range(EVENINGS)]
        people = [{"id": one, "name": one.capitalize()} for one in MEMBERS]
        self.id = self.clubs.open({"name": "Circolo", "currency": "EUR"}, people).id
        for number in range(EVENINGS):
            self.enter(number)
        self.do(event("season_opened", id="s0", ranking="points", **SEASON))

    def _evening(self, number: int) -> str:
        players = [{"id": one, "name": one.capitalize()} for one in PLAYERS]
        opening = {"title": f"Evening {uuid4()}", "players": players}
        session_id = self.service.open(opening).id
        self.play(session_id, [match(PLAYERS), *hand("mara", PLAYERS[number % 3], 5 + number)])
        return session_id

    def play(self, session_id: str, events: list[Raw]) -> None:
        """Record at a table."""
        self._record(self.service, session_id, events)

    def do(self, *events: Raw) -> None:
        """Record in the club.

        Raises `UnusableError`.
        """
        self._record(self.clubs, self.id, events)

    def _record(self, what: Any, stream: str, events: Any) -> None:
        new = tuple(NewEvent(one["type"], one["data"]) for one in events)
        version = self.store.position(stream).version
        asked = AppendRequest(version, new, as_played=True)
        more = {"shown": opens_all} if what is self.clubs else {}
        what.record(stream, asked, HOST, **more)

    def enter(self, number: int) -> None:
        """Enter an evening; the first player is sometimes a guest, or somebody else."""
        first = (MEMBERS[number % 2 * 3], None, "ada")[number % 3]
        who = {**{one: one for one in PLAYERS}, "mara": first}
        self.do(event("evening_entered", session=self.evenings[number % EVENINGS], players=who))

    # ------------------------------------------------------------------------ what can happen

    def happen(self, what: str, pick: int) -> None:
        """Let something happen, where it can."""
        with suppress(UnusableError):
            HAPPENINGS[what](self, pick)

    def enter_or_withdraw(self, pick: int) -> None:
        """Withdraw an evening, or enter it if it is not."""
        session_id = self.evenings[pick % EVENINGS]
        if self.clubs.with_state(self.id, lambda state: session_id in state.evenings):
            self.do(event("evening_withdrawn", session=session_id, reason="a trial"))
        else:
            self.enter(pick)

    def close(self, pick: int) -> None:
        """Close a season with all evenings that count as they stand."""
        ends = self.store.ends(self.see(lambda snapshot: snapshot.state.evenings))
        heads = {one: end.head for one, end in ends.items()}
        self.do(event("season_closed", season=f"s{pick % 2}", heads=heads))

    def correct(self, pick: int) -> None:
        """Correct the count of an old hand."""
        points = {"mara": pick % 16, "leo": 15 - pick % 16, "nina": 0}
        wrong = replaced(5, "points_counted", points=points)
        self.play(self.evenings[pick % EVENINGS], [wrong])

    def restart(self, pick: int) -> None:
        """Forget what is in memory."""
        self.clubs = Clubs(Service(self.store))

    # -------------------------------------------------------------------------- what it is now

    def see(self, make: Any) -> Any:
        """What is made of the club as it is kept up to date."""
        return self.clubs.see(self.id, make)

    def from_nothing(self) -> ClubSnapshot:
        """The books from the logs alone, with nothing that was kept."""
        club = Club()
        for line in self.store.read(self.id).lines:
            club.add_stored(line)
        evenings = {one: self._at(one, None) for one in club.state.evenings}
        then = {
            (one, head): self._at(one, head)
            for season in club.state.seasons.values()
            for one, head in (season.heads or {}).items()
        }
        stopped = frozenset(self.store.stops(self.id))
        return ClubSnapshot(club.state, club.events, club.head, evenings, then, stopped=stopped)

    def _at(self, session_id: str, head: str | None) -> PlayedEvening:
        session = Session()
        for line in self.store.read(session_id).lines:
            session.add_stored(line)
            if session.head == head:
                break
        return PlayedEvening.of(session_id, as_the_table_knows(session, face_down(session)))


def member(pick: int) -> str:
    """One of the members."""
    return MEMBERS[pick % len(MEMBERS)]


def other(pick: int) -> str:
    """Another member."""
    return MEMBERS[(pick + 1 + pick // 7 % (len(MEMBERS) - 1)) % len(MEMBERS)]


# What can happen to a club, by name; ``pick`` says to whom and how much.
HAPPENINGS: Final[Mapping[str, Callable[[Circolo, int], None]]] = {
    "enter": Circolo.enter_or_withdraw,
    "merge": lambda one, pick: one.do(
        event("members_merged", member=member(pick), into=other(pick))),
    "rename": lambda one, pick: one.do(
        event("member_renamed", member=member(pick), name=f"Z{pick}")),
    "leave": lambda one, pick: one.do(event("member_left", member=member(pick))),
    "season": lambda one, pick: one.do(event(
        "season_opened", id=f"s{pick % 2}", ranking=RANKINGS[pick % len(RANKINGS)], **SEASON)),
    "close": Circolo.close,
    "adjust": lambda one, pick: one.do(event(
        "points_adjusted", season=f"s{pick % 2}", member=member(pick), points=pick % 9 - 4,
        reason="late")),
    "pay": lambda one, pick: one.do(event(
        "payment_made", **{"from": member(pick), "to": other(pick), "amount": pick + 1})),
    "keep": lambda one, pick: one.do(event(
        "house_kept", name=f"House {pick % 3}", game="riparto",
        options={"match_end": {"hands": pick % 9 + 1}})),
    "drop": lambda one, pick: one.do(event(
        "house_dropped", name=f"house {pick % 3}", game="riparto")),
    "strike": lambda one, pick: one.do(struck(2 + pick % one.store.position(one.id).version)),
    "play": lambda one, pick: one.play(
        one.evenings[pick % EVENINGS], hand("leo", PLAYERS[pick % 3], pick % 16)),
    "correct": Circolo.correct,
    "restart": Circolo.restart,
}  # fmt: skip
