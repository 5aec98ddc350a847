"""The answers about a tournament as declared values: from them follow their JSON and schemas."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scorekeeper.api.schemas import OF_TOURNAMENTS, TOURNAMENT_ID
from scorekeeper.api.session_views import KeyView, PositionView, StoredEventView
from scorekeeper.base.json_object import JsonObject
from scorekeeper.base.views import DeclaredView, declare
from scorekeeper.log import codec
from scorekeeper.log.face_down import KEEPER
from scorekeeper.service.folded_tournament import TournamentSnapshot
from scorekeeper.service.tournament_rights import ROLES, tournament_role
from scorekeeper.store import Key, Opened
from scorekeeper.tournaments.advancing import AdvanceChange
from scorekeeper.tournaments.next_steps import STEPS, NextStep
from scorekeeper.tournaments.state import TournamentState
from scorekeeper.tournaments.values import TournamentRound


@dataclass(frozen=True, slots=True)
class TournamentSecretsView(DeclaredView):
    """The keys of a new tournament."""

    director: str = declare("the key of the director, with all rights")
    view: str = declare("the key to view")


@dataclass(frozen=True, slots=True)
class TournamentOpenedView(PositionView):
    """A new tournament."""

    ORDER = ("id", "version", "head", "keys")

    id: str = declare("its id in later requests", pattern=TOURNAMENT_ID)
    keys: TournamentSecretsView = declare(
        "the keys, shown only once: the server stores only their hashes"
    )

    @classmethod
    def of(cls, opened: Opened) -> "TournamentOpenedView":
        """Return a new tournament with the secrets of its keys."""
        secrets = {new.key.role: new.secret for new in opened.keys}
        keys = TournamentSecretsView(secrets["host"], secrets["view"])
        return cls(opened.version, opened.head, opened.id, keys)


# ------------------------------------------------------------------------------ the tournament


@dataclass(frozen=True, slots=True)
class EntrantView(DeclaredView):
    """An entrant."""

    id: str = declare("the id by which events name the entrant")
    name: str = declare("the name in the standings")
    players: Mapping[str, str] = declare("the names of the players by id, substitutes included")
    group: str | None = declare("the club, village or team")
    seed: int | None = declare("the rank before the start")
    from_round: int = declare("the first round", minimum=1)
    withdrawn_from: int | None = declare("the first round without the entrant")
    present: bool = declare("true if noted as present")
    paid: bool = declare("true if the fee is paid")


@dataclass(frozen=True, slots=True)
class DrawnRoundView(DeclaredView):
    """A round that is drawn. Who sits where stays null for others until it is published."""

    round: int = declare("the number of the round", minimum=1)
    stage: int = declare("the number of its stage", minimum=1)
    published: bool = declare("true if the hall sees it")
    closed: bool = declare("true if it is over")
    tables: Sequence[Sequence[str]] | None = declare(
        "the ids of the entrants of each table, in seat order"
    )
    byes: Sequence[str] | None = declare("the ids of the entrants who sit out")
    sessions: Mapping[str, str | None] | None = declare(
        "the session of each table, null for a table on paper; null before the publication"
    )


@dataclass(frozen=True, slots=True)
class DirectorCallView(DeclaredView):
    """A call of a table."""

    call: int = declare("the seq of the call", minimum=1)
    round: int = declare("the number of the round", minimum=1)
    table: int = declare("the number of the table", minimum=1)
    caller: str | None = declare("the player who calls")
    about: str = declare("what about")
    at: str = declare("when")
    answered: bool = declare("true if it is answered")
    answer: str | None = declare("the answer")


@dataclass(frozen=True, slots=True)
class TournamentView(PositionView):
    """A tournament."""

    ORDER = ("id", "version", "head", "name", "game", "kind", "place", "zone", "options",
             "stages", "registered", "rounds", "calls", "closed", "protests_until")  # fmt: skip

    id: str = declare("its id", pattern=TOURNAMENT_ID)
    name: str = declare("the name of the tournament")
    game: str = declare("the id of the game")
    kind: str = declare("who enters: `individual` or `pairs`", key="entrants")
    place: str | None = declare("where it is played")
    zone: str | None = declare("its time zone")
    options: JsonObject | None = declare("the options of every match")
    stages: Sequence[JsonObject] = declare("the stages as they are now, as in `tournament_opened`")
    registered: Sequence[EntrantView] = declare("the entrants, in the order of their registration")
    rounds: Sequence[DrawnRoundView] = declare("the rounds that are drawn")
    calls: Sequence[DirectorCallView] = declare("the calls of tables, with their answers")
    closed: bool = declare("true if it is closed")
    protests_until: str | None = declare("after the close, until when protests are heard")


def view_tournament(
    tournament_id: str, snapshot: TournamentSnapshot, *, sees_all: bool
) -> TournamentView:
    """Return a tournament; draws that are not published only if the reader sees all."""
    state, opening = snapshot.state, snapshot.state.opening
    return TournamentView(
        *snapshot.position,
        id=tournament_id,
        name=opening.name,
        game=opening.game,
        kind=opening.entrants,
        place=opening.place,
        zone=opening.zone,
        options=opening.options,
        stages=[codec.encode(stage) for stage in state.stages],
        registered=_view_entrants(state),
        rounds=[
            _view_round(drawn, sees_all=sees_all)
            for _, drawn in sorted(state.rounds.items())
        ],
        calls=[
            DirectorCallView(call.seq, call.round, call.table, call.caller, call.about, call.at,
                             call.answered is not None, call.answer)
            for call in state.calls.values()
        ],
        closed=state.heads is not None,
        protests_until=state.protests_until,
    )  # fmt: skip


def _view_entrants(state: TournamentState) -> list[EntrantView]:
    """Return the entrants of a tournament."""
    return [
        EntrantView(entrant.id, entrant.name, dict(entrant.all_players()), entrant.group,
                    entrant.seed, entrant.from_round, entrant.withdrawn_from, entrant.present,
                    entrant.paid)
        for entrant in state.entrants.values()
    ]  # fmt: skip


def _view_round(drawn: TournamentRound, *, sees_all: bool) -> DrawnRoundView:
    """Return a round, without its draw if it is not published and the reader may not see it."""
    shown = drawn.published or sees_all
    return DrawnRoundView(
        drawn.number, drawn.stage, drawn.published, drawn.closed,
        drawn.tables if shown else None,
        drawn.byes if shown else None,
        None if drawn.sessions is None else {
            str(table): None if of_table is None else of_table.session
            for table, of_table in drawn.sessions.items()
        },
    )  # fmt: skip


# ------------------------------------------------------------------------------ the next round


@dataclass(frozen=True, slots=True)
class NextStepView(DeclaredView):
    """A step that the director can take."""

    step: str = declare("the step", values=STEPS)
    stage: int | None = declare("the number of the stage")
    round: int | None = declare("the number of the round")
    tables: Sequence[int] = declare("the numbers of the tables that it is about")


@dataclass(frozen=True, slots=True)
class AdvanceChangeView(DeclaredView):
    """A round that was drawn for other entrants than those who advance now."""

    round: int = declare("the number of the round", minimum=1)
    published: bool = declare("true if the hall sees it: then it stays")
    through: Sequence[str] = declare("the ids of entrants who advance and are not in it")
    out: Sequence[str] = declare("the ids of entrants who are in it and do not advance any more")


@dataclass(frozen=True, slots=True)
class NextStepsView(DeclaredView):
    """The steps that the director can take now."""

    steps: Sequence[NextStepView] = declare("the steps, the likeliest first")
    advance: AdvanceChangeView | None = declare(
        "if a correction changed who advances before the first card of the next stage was played; "
        "draw its round again or keep it"
    )

    @classmethod
    def of(cls, steps: Sequence[NextStep], advance: AdvanceChange | None) -> "NextStepsView":
        """Return the steps as a view."""
        changed = None if advance is None else AdvanceChangeView(*advance)
        return cls([NextStepView(*step) for step in steps], changed)


# ------------------------------------------------------------------------------------- events
#
# The store has events as encoded lines, so these views only declare the answers.


@dataclass(frozen=True, slots=True)
class TournamentEventView(StoredEventView):
    """An event of a tournament; the data of a draw that is not published is null."""

    type: str = declare("the type of the event", values=tuple(OF_TOURNAMENTS))
    data: JsonObject | None = declare("the data; null for others while a draw is not published")


@dataclass(frozen=True, slots=True)
class TournamentRecordedView(PositionView):
    """The events that were just recorded."""

    events: Sequence[TournamentEventView] = declare("the events")
    left_open: Sequence[int] | None = declare(
        "after the close of a round, the tables whose sessions stay open, because a hand is not "
        "finished or is in dispute; else it is left out", optional=True
    )  # fmt: skip
    left_closed: Sequence[int] | None = declare(
        "after a correction that opens a round again, the tables whose sessions stay closed, "
        "because they cannot be read; else it is left out", optional=True
    )  # fmt: skip


@dataclass(frozen=True, slots=True)
class TournamentPageView(TournamentRecordedView):
    """Some of the events of a tournament."""

    more: bool | None = declare("true if more events follow; else it is left out", optional=True)


# --------------------------------------------------------------------------------------- keys


@dataclass(frozen=True, slots=True)
class TournamentKeyView(KeyView):
    """A key, without its secret."""

    role: str = declare("the role", values=ROLES)
    player: str | None = declare("the player of an entrant to whom the key belongs")

    @classmethod
    def of(cls, made: Key, **secret: str) -> Any:
        """Return a key as a director may see it; ``secret`` is that of a new key, as ``key``."""
        player = None if made.player == KEEPER else made.player
        return cls(
            id=made.id, role=tournament_role(made.role, made.player), player=player,
            created=made.created, expires=made.expires, revoked=made.revoked,
            last_used=made.last_used, **secret,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class NewTournamentKeyView(TournamentKeyView):
    """A key just made."""

    key: str = declare("the key itself, shown only once")


@dataclass(frozen=True, slots=True)
class NewTournamentKeysView(DeclaredView):
    """Keys just made, such as for the slips of all players."""

    keys: Sequence[NewTournamentKeyView] = declare("the keys, shown only once")


@dataclass(frozen=True, slots=True)
class TournamentKeysView(DeclaredView):
    """The keys of a tournament."""

    keys: Sequence[TournamentKeyView] = declare("all keys ever made, the oldest first")
