"""The form that asks who the players of a tournament are, and the entry in the club.

A tournament has many players, so the form has a line of text for each: a name of the club, another
name for somebody new, or nothing. A tournament that counts already is withdrawn and entered anew,
so that late entrants and substitutes get their accounts.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from flask import render_template, request
from flask_babel import gettext as _

from scorekeeper.clubs.events import EveningWithdrawn, MemberJoined, TournamentEntered
from scorekeeper.clubs.identities import PlayerIdentities, assign_new_member, identify_players
from scorekeeper.clubs.snapshot import ClubSnapshot
from scorekeeper.clubs.state import ClubState
from scorekeeper.clubs.tournament_tables import (
    EntrantPlayers,
    TournamentTables,
    list_people_of,
)
from scorekeeper.clubs.values import EnteredTournament, normalize_name
from scorekeeper.events.fields import MAX_NAME_CHARACTERS
from scorekeeper.http.extensions import clubs
from scorekeeper.service import NewEvent
from scorekeeper.service.club_rights import KeyOf
from scorekeeper.web.club.visitor import Visitor, record_computed, see_club
from scorekeeper.web.forms.typed import clean_line

JOIN: Final = "join"  # the field that makes members of new people, and not guests


class PlayerLine(NamedTuple):
    """A player in the form: whom they play for if that is another name, and the proposed name."""

    player: str
    name: str
    entrant: str
    proposed: str


def render_entrants_form(
    visitor: Visitor, named: Any, wrong: str = "", typed: Mapping[str, str] | None = None
) -> str:
    """Return the form that asks who the players of a tournament are.

    Raises `UnusableError` if the tournament cannot be entered.
    """
    known = clubs().tournament(named.session_id)
    members, proposed = see_club(
        visitor.club_id, lambda snapshot: propose_names(snapshot, visitor.club_id, known, named)
    )
    lines = [
        PlayerLine(player, name, entrant.name if entrant.name != name else "",
                   (typed or proposed).get(player, ""))
        for entrant in known.entrants.values() for player, name in entrant.players.items()
    ]  # fmt: skip
    return render_template(
        "club/who_entered.html", at=visitor, found=named, known=known, wrong=wrong, lines=lines,
        members=members, most=MAX_NAME_CHARACTERS, join=typed is None or JOIN in request.form,
    )  # fmt: skip


def propose_names(
    snapshot: ClubSnapshot, club_id: str, known: TournamentTables, named: Any
) -> tuple[list[str], dict[str, str]]:
    """Return the names in a club, and by player of a tournament the name that the form proposes.

    It is that of the entry that counts already; else of the member who was tapped at the
    registration or has the same name, and the player's own for somebody who is new.
    """
    state = snapshot.state
    names = {
        player: name for entrant in known.entrants.values()
        for player, name in entrant.players.items()
    }  # fmt: skip
    found = dict(identify_players(snapshot, names, join=False).players)
    if known.club == club_id:
        tapped = {player: state.get_current_id(player) for player in names}
        found |= {player: member for player, member in tapped.items() if member in state.members}
    entered = state.tournaments.get(named.session_id)
    if entered is not None:
        found |= _list_known(known, state.map_entrants(entered))
    proposed = {
        player: state.members[member].name if member in state.members else names[player]
        for player, member in found.items() if member is not None
    }  # fmt: skip
    return sorted((member.name for member in state.members.values()), key=str.casefold), proposed


def _list_known(known: TournamentTables, entered: EnteredTournament) -> dict[str, str | None]:
    """Return the member or guest that each player of an entered tournament is."""
    people: dict[str, str | None] = {}
    for entrant_id, entrant in known.entrants.items():
        if entrant_id in entered.entrants:
            people |= list_people_of(entrant, entered.entrants[entrant_id])
    return people


def enter_tournament(visitor: Visitor, tournament_id: str, key_of: KeyOf) -> None:
    """Enter the tournament of the form in the club, or enter it anew if it counts already.

    Raises `UnusableError` or `ForbiddenError`.
    """
    known = clubs().tournament(tournament_id)
    typed = read_names(known)
    join = visitor.hosts and JOIN in request.form

    def build() -> Iterable[NewEvent]:
        return clubs().with_state(
            visitor.club_id,
            lambda state: build_events(state, tournament_id, known, typed, join=join),
        )

    record_computed(visitor, build, key_of)


def read_names(known: TournamentTables) -> dict[str, str]:
    """Return the typed name of each player; empty for nobody."""
    return {
        player: clean_line(request.form.get(f"as-{player}", ""))[:MAX_NAME_CHARACTERS]
        for entrant in known.entrants.values() for player in entrant.players
    }  # fmt: skip


def build_events(
    state: ClubState,
    tournament_id: str,
    known: TournamentTables,
    typed: Mapping[str, str],
    *,
    join: bool,
) -> list[NewEvent]:
    """Return the events that enter a tournament: new members or guests first."""
    identities = PlayerIdentities()
    id_by_name = {normalize_name(member.name): member.id for member in state.members.values()}
    for player, name in typed.items():
        member = id_by_name.get(normalize_name(name)) if name else None
        if name and member is None:
            member = assign_new_member(state, identities, player, name, guest=not join)
        identities.players[player] = member
    entrants = {id_: _map_entrant(entrant, identities.players)
                for id_, entrant in known.entrants.items()}  # fmt: skip
    joining: list[dict[str, Any]] = [
        *({"id": id_, "name": name} for id_, name in identities.new_members.items()),
        *({"id": id_, "name": name, "guest": True}
          for id_, name in identities.new_guests.items()),
    ]  # fmt: skip
    data = {"tournament": tournament_id, "entrants": entrants}
    entering = NewEvent(TournamentEntered.TYPE, data)
    events = [NewEvent(MemberJoined.TYPE, person) for person in joining]
    if tournament_id in state.tournaments:  # those who join now are younger than its first entry
        out = {"session": tournament_id, "reason": str(_("Added again"))}
        events.append(NewEvent(EveningWithdrawn.TYPE, out))
    return [*events, entering]


def _map_entrant(
    entrant: EntrantPlayers, people: Mapping[str, str | None]
) -> str | dict[str, str | None] | None:
    """Return the member or guest of an entrant, or of each of several players."""
    if len(entrant.players) == 1:
        return next(people[player] for player in entrant.players)
    return {player: people[player] for player in entrant.players}
