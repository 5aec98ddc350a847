"""The session of a table: the events with which it is opened when its round is published."""

from collections.abc import Iterator
from typing import Any, Final

from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import MatchStarted, SessionOpened
from scorekeeper.log import codec
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import require_game
from scorekeeper.tournaments.table_rules import PAIRS, count_deals
from scorekeeper.tournaments.values import TournamentRound

MAX_NAME_CHARACTERS: Final = 180  # of the tournament's name in a title, which has 200 at most


def list_opening_events(
    record: TournamentRecord, drawn: TournamentRound, table: int
) -> list[tuple[str, JsonObject]]:
    """Return the events that open the session of a table and begin its match."""
    opening, players = record.opening, list(list_seats(record, drawn, table))
    title = f"{opening.name[:MAX_NAME_CHARACTERS]} {drawn.number}/{table}"
    opened: dict[str, Any] = {
        "title": title, "players": [{"id": player, "name": name} for player, name in players],
    }  # fmt: skip
    if opening.place is not None:
        opened["place"] = opening.place
    started: dict[str, Any] = {"game": opening.game, "seats": [player for player, _ in players]}
    options = {**(opening.options or {}), **_limit_hands(record, drawn, len(players))}
    if options:
        started["options"] = options
    if opening.stake is not None:
        started["stake"] = codec.encode(opening.stake)
    return [(SessionOpened.TYPE, opened), (MatchStarted.TYPE, started)]


def list_seats(
    record: TournamentRecord, drawn: TournamentRound, table: int
) -> Iterator[tuple[str, str]]:
    """Yield the players of a table with their names, in seat order; partners sit opposite."""
    entrants = [record.entrants[entrant] for entrant in drawn.tables[table - 1]]
    places = 2 if record.opening.entrants == PAIRS else 1
    for place in range(places):
        for entrant in entrants:
            player = entrant.list_players(drawn.number)[place]
            yield player, dict(entrant.all_players())[player]


def _limit_hands(record: TournamentRecord, drawn: TournamentRound, players: int) -> JsonObject:
    """Return the option that ends the match after the hands of the stage; empty if it has none."""
    hands = record.stages[drawn.stage - 1].hands
    if hands is None:
        return {}
    game = require_game(record.opening.game)
    return {"match_end": {"hands": count_deals(game, players, hands)}}
