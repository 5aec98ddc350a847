"""The answers about a club as declared values: from them follow their JSON and their schemas."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorekeeper.api.schemas import CLUB_ID, OF_CLUBS
from scorekeeper.api.session_views import KeyView, PositionView, StoredEventView
from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.clubs.figures import AttendedEvening
from scorekeeper.clubs.house_rules import complete_options
from scorekeeper.clubs.season_views import ClubSeasonView
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.standings import view_club_season
from scorekeeper.clubs.values import KeptHouseRules
from scorekeeper.clubs.views import GUEST
from scorekeeper.service.club_rights import ROLES, club_role
from scorekeeper.store import Opened, Role


@dataclass(frozen=True, slots=True)
class ClubSecretsView(DeclaredView):
    """The keys of a new club."""

    host: str = declare("the key of the host, with all rights")
    view: str = declare("the key to view")


@dataclass(frozen=True, slots=True)
class ClubOpenedView(PositionView):
    """A new club."""

    ORDER = ("id", "version", "head", "keys")

    id: str = declare("its id in later requests", pattern=CLUB_ID)
    keys: ClubSecretsView = declare(
        "the keys, shown only once: the server stores only their hashes"
    )

    @classmethod
    def of(cls, club: Opened) -> "ClubOpenedView":
        """Return a new club with the secrets of its keys."""
        secrets = {new.key.role: new.secret for new in club.keys}
        keys = ClubSecretsView(secrets["host"], secrets["view"])
        return ClubOpenedView(club.version, club.head, club.id, keys)


# ------------------------------------------------------------------------------------ the club


@dataclass(frozen=True, slots=True)
class MemberView(DeclaredView):
    """A member or guest."""

    id: str = declare("the id by which events name the member")
    name: str = declare("the name of the member")
    left: bool = declare("true if the member has left")
    guest: bool = declare(GUEST)


@dataclass(frozen=True, slots=True)
class EveningView(DeclaredView):
    """An evening that counts."""

    session: str = declare("the id of its session")
    title: str = declare("the title; empty if the evening cannot be read here")
    began: str = declare("the time at which the first hand was dealt; empty if it is unknown")
    day: str = declare("the day of play in the club’s time zone; empty if it is unknown")
    head: str = declare("the hash of its last event; empty if the evening cannot be read here")
    players: Mapping[str, str | None] = declare(
        "the member or guest for each player; null for one without an account"
    )
    unread: str | None = declare(
        "the reason if it cannot be read here: `unknown`, `deleted`, `not_installed`, "
        "`not_followed`"
    )
    followed: bool = declare(
        "true if the key that entered it is still open; otherwise the evening is read "
        "as it was when the key was closed"
    )
    deleted: str | None = declare(
        "the day on which the operator deleted it, in the club’s time zone", optional=True
    )


@dataclass(frozen=True, slots=True)
class ClubTournamentView(DeclaredView):
    """A tournament whose tables count as one evening."""

    tournament: str = declare("the id of the tournament")
    name: str = declare("the name; empty if the tournament cannot be read here")
    day: str = declare("the day of play of its first table; empty if it is unknown")
    head: str = declare("the hash of its last event; empty if it cannot be read here")
    entrants: JsonObject = declare(
        "the member or guest for each entrant, or for each player of an entrant; null for one "
        "without an account"
    )
    tables: Sequence[str] = declare("the sessions of its tables that count, in the order of play")
    unread: str | None = declare("the reason if it cannot be read here, as of an evening")
    followed: bool = declare("true if the key that entered it is still open")


@dataclass(frozen=True, slots=True)
class HouseView(DeclaredView):
    """House rules that the club stores for its new tables."""

    name: str = declare("the name of the house rules")
    game: str = declare("the id of the game")
    options: JsonObject = declare(
        "the options, as in `match_started`; options that are left out have their defaults"
    )
    unusable: str | None = declare("the reason if no match can be played with them here")


@dataclass(frozen=True, slots=True)
class ClubView(PositionView):
    """A club."""

    ORDER = ("id", "version", "head", "name", "place", "currency", "zone", "members", "evenings",
             "tournaments", "seasons", "houses")  # fmt: skip

    id: str = declare("its id", pattern=CLUB_ID)
    name: str = declare("the name of the club")
    place: str | None = declare("the place where it meets")
    currency: str | None = declare("the currency of its ledger")
    zone: str = declare("the time zone in which its days begin")
    members: Sequence[MemberView] = declare("all members and guests, also those who left")
    evenings: Sequence[EveningView] = declare("the evenings that count, in the order of entering")
    tournaments: Sequence[ClubTournamentView] = declare("the tournaments that count")
    seasons: Sequence[ClubSeasonView] = declare("its seasons")
    houses: Sequence[HouseView] = declare("the house rules that it stores")


def view_club(club_id: str, snapshot: ClubSnapshot) -> ClubView:
    """Return the members, evenings, seasons and house rules of a club."""
    opened, state = snapshot.state.opened, snapshot.state
    return ClubView(
        snapshot.events,
        snapshot.head,
        id=club_id,
        name=snapshot.name,
        place=opened.place if opened else None,
        currency=opened.currency if opened else None,
        zone=str(snapshot.zone),
        members=[
            MemberView(member.id, member.name, member.left, member.guest)
            for member in state.members.values()
        ],
        evenings=[_view_evening(snapshot, session_id) for session_id in state.evenings],
        tournaments=list(_list_tournaments(snapshot)),
        seasons=list(map(view_club_season, state.seasons.values())),
        houses=list(map(_view_house, state.house_rules.values())),
    )


def _list_tournaments(snapshot: ClubSnapshot) -> Iterator[ClubTournamentView]:
    """Yield the tournaments of a club."""
    tables: dict[str, list[AttendedEvening]] = {}
    for attended in snapshot.list_attended() if snapshot.state.tournaments else ():
        if attended.occasion:
            tables.setdefault(attended.id, []).append(attended)
    for tournament_id, entered in snapshot.state.tournaments.items():
        known, played = snapshot.tournaments.get(tournament_id), tables.get(tournament_id, [])
        yield ClubTournamentView(
            tournament=tournament_id,
            name=known.name if known else "",
            day=played[0].find_day(snapshot.zone) if played else "",
            head=known.head if known else "",
            entrants=dict(snapshot.state.map_entrants(entered).entrants),
            tables=[attended.evening.session_id for attended in played],
            unread=snapshot.unread.get(tournament_id),
            followed=tournament_id not in snapshot.stopped,
        )


def _view_house(house: KeptHouseRules) -> HouseView:
    """Return house rules of a club, with the reason if they are unusable."""
    unusable = None
    try:
        complete_options(house.game, house.options)
    except UnusableError as error:
        unusable = str(error)
    return HouseView(house.name, house.game, house.options, unusable)


def _view_evening(snapshot: ClubSnapshot, session_id: str) -> EveningView:
    """Return an evening of a club."""
    evening = snapshot.evenings.get(session_id)
    return EveningView(
        session=session_id,
        title=evening.title if evening else "",
        began=evening.began if evening else "",
        day=evening.day.in_zone(snapshot.zone) if evening else "",
        head=evening.head if evening else "",
        players=snapshot.state.map_players(snapshot.state.evenings[session_id]),
        unread=snapshot.unread.get(session_id),
        deleted=snapshot.find_day_of_deletion(session_id) or None,
        followed=session_id not in snapshot.stopped,
    )


# ------------------------------------------------------------------------------------- events
#
# The store has events as encoded lines, so these views only declare the answers.


@dataclass(frozen=True, slots=True)
class ClubEventView(StoredEventView):
    """An event of a club, word for word as its log has it."""

    type: str = declare("the type of the event", values=tuple(OF_CLUBS))
    data: JsonObject = declare("the data of the event")


@dataclass(frozen=True, slots=True)
class ClubRecordedView(PositionView):
    """The events that were just recorded."""

    events: Sequence[ClubEventView] = declare("the events")


@dataclass(frozen=True, slots=True)
class ClubPageView(ClubRecordedView):
    """Some of the events of a club."""

    more: bool | None = declare("true if more events follow; else it is left out", optional=True)


# --------------------------------------------------------------------------------------- keys


@dataclass(frozen=True, slots=True)
class ClubKeyView(KeyView):
    """A key, without its secret."""

    role: str = declare("the role", values=ROLES)
    player: str | None = declare("the id of the member to whom the key belongs", key="member")

    @staticmethod
    def get_role_name(role: Role) -> str:
        """Return the name of a role in a club."""
        return club_role(role)


@dataclass(frozen=True, slots=True)
class NewClubKeyView(ClubKeyView):
    """A key just made."""

    key: str = declare("the key itself, shown only once")


@dataclass(frozen=True, slots=True)
class ClubKeysView(DeclaredView):
    """The keys of a club."""

    keys: Sequence[ClubKeyView] = declare("all keys ever made, the oldest first")
