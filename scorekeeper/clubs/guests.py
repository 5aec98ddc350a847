"""One account for a guest of several evenings: events that put accounts and evenings together.

A player whom an evening maps to nobody gets an account when the entry of the evening is replaced,
for several evenings in one set. The account that a set inserts has to be older than these entries;
it is merged into an existing account where there is one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, NamedTuple

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.clubs.club import TYPES
from scorekeeper.clubs.events import (
    EveningEntered,
    MemberJoined,
    MemberRenamed,
    MembersMerged,
    TournamentEntered,
)
from scorekeeper.clubs.season import sort_by_day
from scorekeeper.clubs.season_effects import apply_on_trial
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.tournament_tables import find_member, list_people_of
from scorekeeper.clubs.values import EntrantMember
from scorekeeper.events.corrections import CorrectionBegun, EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.events.names import fold_name
from scorekeeper.log import codec

OPENING_SEQ: Final = 1
REASON: Final = "one account for a guest"

RawClubEvent = tuple[str, dict[str, Any]]  # the type and the data of an event


class UnnamedPlayer(NamedTuple):
    """A player of an evening or a tournament without an account.

    ``session_id`` is the id of the evening as the club counts it.
    """

    session_id: str
    player: str
    name: str
    day: str
    title: str

    @property
    def key(self) -> str:
        """The account of the player, which is for this evening alone."""
        return f"{self.session_id}/{self.player}"


def list_unnamed(snapshot: ClubSnapshot) -> dict[str, list[UnnamedPlayer]]:
    """Return the players without an account by the key of their names, in the order of play."""
    groups: dict[str, list[UnnamedPlayer]] = {}
    for attended in sort_by_day(snapshot.list_attended(), snapshot.zone):
        evening = attended.evening
        if attended.occasion is not None:
            continue
        for player, name in evening.names.items():
            if attended.member_of.get(player) is None:
                day = evening.day.in_zone(snapshot.zone)
                unnamed = UnnamedPlayer(evening.session_id, player, name, day, evening.title)
                groups.setdefault(fold_name(name), []).append(unnamed)
    for unnamed in _list_unnamed_in_tournaments(snapshot):
        groups.setdefault(fold_name(unnamed.name), []).append(unnamed)
    for group in groups.values():
        group.sort(key=lambda unnamed: unnamed.day)
    return dict(sorted(groups.items()))


def _list_unnamed_in_tournaments(snapshot: ClubSnapshot) -> Iterator[UnnamedPlayer]:
    """Yield the players of tournaments without an account who sat at a table."""
    days: dict[str, str] = {}
    for attended in snapshot.list_attended() if snapshot.state.tournaments else ():
        days.setdefault(attended.id, attended.find_day(snapshot.zone))
    for tournament_id, entered in snapshot.state.tournaments.items():
        known = snapshot.tournaments.get(tournament_id)
        if known is None or tournament_id not in days:
            continue
        seats = {seat for table in known.tables.values() for seat in table.seats.values()}
        for seat in sorted(seats):
            if seat.player and find_member(entered, seat) is None:
                name = known.entrants[seat.entrant].players[seat.player]
                day = days[tournament_id]
                yield UnnamedPlayer(tournament_id, seat.player, name, day, known.name)


@dataclass(frozen=True, slots=True)
class GuestUnion:
    """The accounts and the players of evenings that are one person.

    ``into`` is the id of their account; empty for a new guest, or for the first of ``accounts`` if
    there are any. ``name`` is then the name of that account.
    """

    players: Sequence[UnnamedPlayer]
    accounts: Sequence[str]
    into: str = ""
    name: str = ""

    def build_events(self, snapshot: ClubSnapshot) -> list[RawClubEvent]:
        """Return the events that make one account of them: a correction set, mergers, a name.

        Raises `UnusableError` if two of the players sat at one evening.
        """
        refuse_two_of_one_evening(self.players)
        new = choose_new_id(snapshot.state)
        correcting = list(self._build_set(snapshot, new)) if self.players else []
        return correcting + self._list_followers(new)

    def try_on(self, snapshot: ClubSnapshot) -> ClubSnapshot:
        """Return the club as it would be after these events, without replaying its log.

        Raises `UnusableError` if they are not possible.
        """
        refuse_two_of_one_evening(self.players)
        new = choose_new_id(snapshot.state)
        joined = [self._describe_new(new)] if self.players else []
        with_new = apply_on_trial(snapshot, *(decode_raw(event) for event in joined))
        state = with_new.state
        for session_id, players in self._list_entries(snapshot, new):
            evening = state.evenings[session_id]
            state.evenings[session_id] = evening._replace(players=players)
        for tournament_id, entrants in self._list_tournaments(snapshot, new):
            tournament = state.tournaments[tournament_id]
            state.tournaments[tournament_id] = tournament._replace(entrants=entrants)
        return apply_on_trial(with_new, *map(decode_raw, self._list_followers(new)))

    def _describe_new(self, new: str) -> RawClubEvent:
        """Return the event for the account of the players, under a name that nobody ever had."""
        ending = f" ({new})"
        name = self.players[0].name[: MAX_NAME_CHARACTERS - len(ending)].rstrip() + ending
        return MemberJoined.TYPE, {"id": new, "name": name, "guest": True}

    def _list_entries(
        self, snapshot: ClubSnapshot, new: str
    ) -> Iterator[tuple[str, dict[str, str | None]]]:
        """Yield each evening of the players with the new account for its player.

        Players who came after the evening was entered are in it, too.
        """
        for unnamed in self.players:
            if unnamed.session_id in snapshot.state.evenings:
                entered = snapshot.state.evenings[unnamed.session_id].players
                everybody = dict.fromkeys(snapshot.evenings[unnamed.session_id].names)
                yield unnamed.session_id, {**everybody, **entered, unnamed.player: new}

    def _list_tournaments(
        self, snapshot: ClubSnapshot, new: str
    ) -> Iterator[tuple[str, dict[str, EntrantMember]]]:
        """Yield each tournament of the players with the new account for its player.

        Entrants and substitutes who came after it was entered are in it, too.
        """
        for unnamed in self.players:
            if unnamed.session_id in snapshot.state.tournaments:
                entered = snapshot.state.tournaments[unnamed.session_id]
                known = snapshot.tournaments[unnamed.session_id]
                entrants: dict[str, EntrantMember] = {}
                for entrant_id, entrant in known.entrants.items():
                    people = entered.entrants.get(entrant_id)
                    if unnamed.player in entrant.players or isinstance(people, Mapping):
                        listed = list_people_of(entrant, people)
                        if unnamed.player in entrant.players:
                            listed[unnamed.player] = new
                        people = listed
                    entrants[entrant_id] = people
                yield unnamed.session_id, entrants

    def _build_set(self, snapshot: ClubSnapshot, new: str) -> Iterator[RawClubEvent]:
        """Yield a correction set: the account at the beginning of the log, and the entries."""
        kind, data = self._describe_new(new)
        yield CorrectionBegun.TYPE, {"count": len(self.players) + 1, "reason": REASON}
        yield EventInserted.TYPE, {"after": OPENING_SEQ, "type": kind, "data": data}
        for session_id, players in self._list_entries(snapshot, new):
            yield EventReplaced.TYPE, {
                "seq": snapshot.state.evenings[session_id].seq, "type": EveningEntered.TYPE,
                "data": {"session": session_id, "players": players},
            }  # fmt: skip
        for tournament_id, entrants in self._list_tournaments(snapshot, new):
            yield EventReplaced.TYPE, {
                "seq": snapshot.state.tournaments[tournament_id].seq,
                "type": TournamentEntered.TYPE,
                "data": {"tournament": tournament_id, "entrants": entrants},
            }  # fmt: skip

    def _list_followers(self, new: str) -> list[RawClubEvent]:
        """Return the events after the set: all accounts become one, which gets the name."""
        accounts = [account for account in self.accounts if account != self.into]
        into = self.into or next(iter(accounts), new)
        merged = [account for account in accounts if account != into]
        if self.players and into != new:
            merged.insert(0, new)
        events: list[RawClubEvent] = [
            (MembersMerged.TYPE, {"member": account, "into": into}) for account in merged
        ]
        if self.name and not self.into:
            events.append((MemberRenamed.TYPE, {"member": into, "name": self.name}))
        return events


def decode_raw(event: RawClubEvent) -> Event:
    """Return an event of a club from its type and data."""
    return codec.decode(*event, TYPES)


def refuse_two_of_one_evening(players: Iterable[UnnamedPlayer]) -> None:
    """Raise `UnusableError` if two of these players sat at one evening."""
    known: dict[str, str] = {}
    for player in players:
        if player.session_id in known:
            names = {"one": known[player.session_id], "other": player.name}
            words = f"{names['one']} and {names['other']} both played in {player.session_id}"
            cause = Cause(words, "both_were_there", session_id=player.session_id, **names)
            raise UnusableError(cause, field="data.into")
        known[player.session_id] = player.name


def choose_new_id(state: ClubState) -> str:
    """Return an id for a new guest that no member or guest ever had."""
    return next(
        id_
        for id_ in map("guest-{}".format, count(1))
        if id_ not in state.members and id_ not in state.merged
    )
