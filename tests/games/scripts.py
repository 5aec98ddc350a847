"""Hands of any game by words, each an event whose seq is its place from 1, for tests."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from scorekeeper.events.event import Entry
from scorekeeper.games.game import Game
from scorekeeper.log.codec import decode
from scorekeeper.play.deal import Deal
from scorekeeper.play.folding import record_entry
from scorekeeper.play.scoring import run_checks
from scorekeeper.play.table import Table

Read = Callable[[str], tuple[str, dict[str, Any]]]


def table_of(game: Game, seats: Sequence[str], names: Mapping[str, str], **options: Any) -> Table:
    """Return a table for these players; the last one deals."""
    players, settled = tuple(seats), game.options(options, len(seats))
    return Table(
        pack=game.pack(settled, len(players)), seats=players,
        players=game.players(players, players[-1]), dealer=players[-1], options=settled,
        sides=game.sides(players), names={player: names[player] for player in players},
    )  # fmt: skip


def played(game: Game, table: Table, words: Iterable[str], event_of: Read) -> Deal:
    """Return an evaluated hand with these words on record."""
    deal = game.start(table)
    for seq, word in enumerate(words, 1):
        event = decode(*event_of(word), game.by_type)
        game.refuse_event(deal, event)
        record_entry(deal, Entry(seq, event), game.fold)
    game.evaluate(deal)
    return deal


def findings(game: Game, deal: Deal) -> list[str]:
    """Return the findings, one for each code and event at fault: ``bad_bid C2 [3 1]``."""
    by_event: dict[tuple[str, int], str] = {}
    for check, sight in run_checks(game.checks, deal):
        events = " ".join(map(str, sight.events))
        assert "{" not in sight.text.say(deal.table.pack.show)
        by_event.setdefault((check.code, sight.events[0]), f"{check.code} {check.rule} [{events}]")
    return list(by_event.values())
