"""The effects of events about the plan and the entrants, and what they refuse."""

from dataclasses import replace
from typing import Final

from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.events.common import NewPlayer, NoteAdded
from scorekeeper.events.event import Entry
from scorekeeper.events.fields import parts_of
from scorekeeper.events.names import fold_name
from scorekeeper.log.time_zones import refuse_unknown_zone
from scorekeeper.tournaments.events import (
    EntrantPaid,
    EntrantPointsAdjusted,
    EntrantPresent,
    EntrantRegistered,
    EntrantReplaced,
    EntrantWithdrawn,
    LotDrawn,
    PlanChanged,
    TournamentOpened,
)
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import refuse_bad_stage, require_game
from scorekeeper.tournaments.table_rules import PAIRS
from scorekeeper.tournaments.values import Entrant, PointAdjustment, Substitution

# Rules of a stage that can change after a round of it is drawn: no played round depends on them.
CHANGEABLE: Final = frozenset({"name", "rounds", "minutes", "ties", "advance"})
OWN_FIELDS: Final = ("stage", "reason")  # of `plan_changed`; the others are those of a stage


def open_tournament(record: TournamentRecord, entry: Entry, event: TournamentOpened) -> None:
    """Apply the opening. Raises `UnusableError` for a second one, or for impossible rules."""
    if record.opened is not None:
        words = "tournament_opened may be only the first event"
        raise UnusableError(Cause(words, "tournament_opened_twice"), field="type")
    refuse_unknown_zone(event.zone)
    game = require_game(event.game)
    try:
        game.book.settle(event.options)
    except UnusableError as error:
        error.field = f"data.options.{error.field}" if error.field else "data.options"
        raise
    for place in event.prizes or {}:
        if not place.isdecimal() or str(int(place)) != place or place == "0":
            words = f'prizes are by place, such as "1", got "{place}"'
            raise UnusableError(Cause(words, "no_place", place=place), field="data.prizes")
    for number, stage in enumerate(event.stages):
        try:
            refuse_bad_stage(event, stage)
        except UnusableError as error:
            if not error.field.startswith("data."):
                error.field = f"data.stages.{number}.{error.field}"
            raise
    record.opened = event
    record.stages = list(event.stages)


def change_plan(record: TournamentRecord, entry: Entry, event: PlanChanged) -> None:
    """Change the rules of a stage.

    Raises `UnusableError` if a drawn round depends on them, or they are not possible.
    """
    stage = record.get_stage(event.stage)
    changes = {
        changed_part.name: value
        for changed_part in parts_of(PlanChanged)
        if changed_part.name not in OWN_FIELDS
        and (value := getattr(event, changed_part.name)) is not None
    }
    drawn = [drawn.number for drawn in record.rounds.values() if drawn.stage == event.stage]
    fixed = sorted(changes.keys() - CHANGEABLE)
    if drawn and fixed:
        words = f"round {drawn[0]} is drawn by these rules: {fixed[0]} can no longer change"
        cause = Cause(words, "rule_in_use", round=drawn[0], field=fixed[0])
        raise UnusableError(cause, field=f"data.{fixed[0]}")
    if changes.get("rounds", len(drawn)) < len(drawn):
        words = f"{len(drawn)} rounds of this stage are drawn already"
        cause = Cause(words, "rounds_drawn", rounds=len(drawn))
        raise UnusableError(cause, field="data.rounds")
    changed = replace(stage, **changes)
    try:
        refuse_bad_stage(record.opening, changed)
    except UnusableError as error:
        error.field = f"data.{error.field.removeprefix('data.')}"
        raise
    record.stages[event.stage - 1] = changed
    if drawn:
        record.note_disclosed()


def register(record: TournamentRecord, entry: Entry, event: EntrantRegistered) -> None:
    """Add an entrant.

    Raises `UnusableError` if the id or the name is taken, or a player has entered already.
    """
    before = record.entrants.get(event.id)
    if before is not None:
        words = f'the id "{event.id}" belongs to {before.name} already'
        raise UnusableError(
            Cause(words, "id_taken", id=event.id, name=before.name), field="data.id"
        )
    folded = fold_name(event.name)
    for entrant in record.entrants.values():
        if fold_name(entrant.name) == folded:
            words = f"{entrant.name} has entered already: add something to tell them by"
            raise UnusableError(Cause(words, "same_name", name=entrant.name), field="data.name")
    needed = 2 if record.opening.entrants == PAIRS else 1
    if len(event.players) != needed:
        who = "a pair has two players" if needed == 2 else "each enters alone"
        words = f"{who}, got {len(event.players)}"
        raise UnusableError(Cause(words, "wrong_players", needed=needed), field="data.players")
    for player in event.players:
        _refuse_known_player(record, player, "players")
    if len({player.id for player in event.players}) < needed:
        words = "the two players of a pair are two people"
        raise UnusableError(Cause(words, "one_player_twice"), field="data.players")
    record.entrants[event.id] = Entrant(
        event.id, event.name, {player.id: player.name for player in event.players}, entry.seq,
        event.group, event.seed, event.from_round or 1,
    )  # fmt: skip


def _refuse_known_player(record: TournamentRecord, player: NewPlayer, path: str) -> None:
    """Raise `UnusableError` if a player is one of an entrant already."""
    for known, name, entrant in record.list_players():
        if known == player.id:
            words = f'the player "{known}" is {name}, who plays for {entrant.name}'
            cause = Cause(words, "player_known", player=known, name=name, entrant=entrant.name)
            raise UnusableError(cause, field=f"data.{path}")


def note_present(record: TournamentRecord, entry: Entry, event: EntrantPresent) -> None:
    """Note that an entrant is there. Raises `UnusableError` if that is noted already."""
    entrant = record.require_entrant(event.entrant)
    if entrant.present:
        words = f"{entrant.name} is present already"
        raise UnusableError(Cause(words, "present_before", name=entrant.name), field="data.entrant")
    record.entrants[entrant.id] = replace(entrant, present=True)


def note_paid(record: TournamentRecord, entry: Entry, event: EntrantPaid) -> None:
    """Note that an entrant has paid. Raises `UnusableError` if nothing is to pay, or is paid."""
    entrant = record.require_entrant(event.entrant)
    if record.opening.fee is None:
        words = "this tournament has no fee"
        raise UnusableError(Cause(words, "no_fee"), field="data.entrant")
    if entrant.paid:
        words = f"{entrant.name} has paid already"
        raise UnusableError(Cause(words, "paid_before", name=entrant.name), field="data.entrant")
    record.entrants[entrant.id] = replace(entrant, paid=True)


def withdraw(record: TournamentRecord, entry: Entry, event: EntrantWithdrawn) -> None:
    """Withdraw an entrant from a round on.

    Raises `UnusableError` if they have withdrawn already, or the hall sees them in such a round.
    """
    entrant = record.require_entrant(event.entrant)
    if entrant.withdrawn_from is not None:
        words = f"{entrant.name} has withdrawn from round {entrant.withdrawn_from} on already"
        cause = Cause(words, "withdrawn_before", name=entrant.name, round=entrant.withdrawn_from)
        raise UnusableError(cause, field="data.entrant")
    for drawn in record.rounds.values():
        table = drawn.find_table(entrant.id)
        if drawn.published and drawn.number >= event.from_round and table is not None:
            words = (f"round {drawn.number} is published with {entrant.name} at table {table}: "
                     f"withdraw from round {drawn.number + 1} on")  # fmt: skip
            facts = {"name": entrant.name, "round": drawn.number, "table": table}
            raise UnusableError(Cause(words, "seated_then", **facts), field="data.from_round")
    record.entrants[entrant.id] = replace(entrant, withdrawn_from=event.from_round)


def substitute(record: TournamentRecord, entry: Entry, event: EntrantReplaced) -> None:
    """Let a substitute play for a player of an entrant.

    Raises `UnusableError` if the player is not one of the entrant, the substitute is a player of
    an entrant, the rounds are none, or somebody else plays for the player then.
    """
    entrant = record.require_entrant(event.entrant)
    if event.player not in entrant.players:
        names = ", ".join(entrant.players)
        words = f'{entrant.name} has no player "{event.player}", but {names}'
        raise UnusableError(Cause(words, "not_of_entrant", name=entrant.name), field="data.player")
    if event.to_round is not None and event.to_round < event.from_round:
        words = f"rounds from {event.from_round} to {event.to_round} are none"
        cause = Cause(words, "no_rounds", first=event.from_round, last=event.to_round)
        raise UnusableError(cause, field="data.to_round")
    new = Substitution(event.player, event.substitute.id, event.substitute.name, event.from_round,
                       event.to_round)  # fmt: skip
    for known in entrant.substitutions:
        last = known.last if known.last is not None else new.last or new.first
        if known.player == new.player and new.first <= last and (
            new.last is None or known.first <= new.last
        ):  # fmt: skip
            words = f"{known.name} plays for {entrant.name} in round {max(new.first, known.first)}"
            cause = Cause(words, "substituted_before", name=known.name, entrant=entrant.name)
            raise UnusableError(cause, field="data.from_round")
    if new.substitute not in {known.substitute for known in entrant.substitutions}:
        _refuse_known_player(record, event.substitute, "substitute")
    record.entrants[entrant.id] = replace(entrant, substitutions=(*entrant.substitutions, new))


def adjust_points(record: TournamentRecord, entry: Entry, event: EntrantPointsAdjusted) -> None:
    """Give an entrant points, or take some. Raises `UnusableError` if the round is not drawn."""
    record.require_entrant(event.entrant)
    if event.round is not None:
        record.require_round(event.round)
    record.adjustments.append(
        PointAdjustment(event.entrant, event.round, event.points, event.reason, entry.seq)
    )


def draw_lot(record: TournamentRecord, entry: Entry, event: LotDrawn) -> None:
    """Record the order in which equal entrants drew cards."""
    for place, entrant in enumerate(event.order):
        record.require_entrant(entrant, f"order.{place}")
    record.lots.append(event.order)


def accept_note(record: TournamentRecord, entry: Entry, event: NoteAdded) -> None:
    """Accept a note, which changes nothing."""
