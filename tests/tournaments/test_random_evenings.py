"""Random evenings: standings from the logs are those that were kept up to date."""

import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from scorekeeper.base.errors import UnusableError
from scorekeeper.log.writing import sealed_lines
from scorekeeper.tournaments.draws.balanced import draw_balanced
from scorekeeper.tournaments.draws.changes import add_entrant, remove_entrant
from scorekeeper.tournaments.draws.draw import DrawnRound
from scorekeeper.tournaments.played_tables import PlayedTable
from scorekeeper.tournaments.standings import Scoreboard, StageStandings
from scorekeeper.tournaments.tournament import Tournament
from tests.conftest import SOAK
from tests.evenings import AT, Raw, event, struck
from tests.tournaments.hall import HASH, add, closed, opening, registered
from tests.tournaments.tables import Table

EXAMPLES = settings(max_examples=300 if SOAK else 8)
GAMES_AND_SIZES = (("briscola_chiamata", (5, 6)), ("riparto", (3, 4)))
TIES = ("score", "difference", "wins", "hands_won", "best_hand", "countback", "head_to_head",
        "opponents", "lot", "shared")  # fmt: skip


class RandomEvening:
    """A tournament that goes on by random events, its sessions, and its kept standings."""

    def __init__(self, seed: int, **stage: Any) -> None:
        self.rng = random.Random(seed)  # noqa: S311
        self.game, self.sizes = self.rng.choice(GAMES_AND_SIZES)
        rule = self.rng.choice(["places", "score", {"by": "score", "per_hand": True}])
        ties = self.rng.sample(TIES, 4)
        own = {"rounds": 3, "points": rule, "ties": ties, **stage}
        self.log = [opening(own, game=self.game)]
        self.held = Tournament()
        self.board = Scoreboard()
        self.tables: dict[str, Table] = {}
        self.results: dict[str, PlayedTable] = {}
        add(self.held, self.log[0])
        self.entrants = 0
        for _ in range(self.rng.randint(2, 3) * max(self.sizes) - self.rng.randint(0, 1)):
            self.enter()

    def say(self, raw: Raw) -> bool:
        """Record an event, unless the tournament refuses it; return whether it did not."""
        try:
            add(self.held, raw)
        except UnusableError:
            return False
        self.log.append(raw)
        return True

    def enter(self, **more: Any) -> None:
        """Register one more entrant."""
        self.entrants += 1
        self.say(registered(f"e{self.entrants}", **more))

    def draw(self, number: int) -> None:
        """Draw a round of all who can be drawn, and publish it with the sessions of its tables."""
        drawable = [entrant.id for entrant in self.held.state.list_drawable(number)]
        self.rng.shuffle(drawable)
        drawn = draw_balanced(len(drawable), 1, self.sizes, self.rng.randint(1, 99)).rounds[0]
        tables = [[drawable[n - 1] for n in table] for table in drawn.tables]
        self.say(event(
            "round_drawn", stage=1, round=number, tables=tables,
            byes=[drawable[n - 1] for n in drawn.byes], heads={},
            generator={"name": "balanced", "version": 1, "seed": 1},
        ))  # fmt: skip
        sessions: dict[str, Any] = {}
        for table, entrants in enumerate(tables, start=1):
            name = f"r{number}t{table}"
            state = self.held.state
            seats = [player for entrant in entrants
                     for player in state.entrants[entrant].list_players(number)]  # fmt: skip
            self.tables[name] = Table(name, seats, self.rng.randint(1, 999), self.game)
            sessions[str(table)] = {"session": name, "first_hash": HASH}
        self.say(event("round_published", round=number, sessions=sessions))

    def play(self, name: str) -> None:
        """Play a hand at a table; its result is kept."""
        self.tables[name].play()
        self.results[name] = self.tables[name].result

    def disturb(self, number: int) -> None:
        """Let something random happen, or be found out."""
        rng, who = self.rng, f"e{self.rng.randint(1, self.entrants)}"
        name = rng.choice(list(self.tables))
        table = self.tables[name]
        kind = rng.randrange(9)
        if kind == 0:
            self.enter(from_round=number + 1)
        elif kind == 1:
            self.say(event("entrant_withdrawn", entrant=who, from_round=number + 1))
        elif kind == 2:
            substitute = {"id": f"s{len(self.log)}", "name": f"S {len(self.log)}"}
            self.say(event("entrant_replaced", entrant=who, player=who, substitute=substitute,
                           from_round=rng.randint(1, number + 1)))  # fmt: skip
        elif kind == 3:
            one, other = rng.sample(sorted(self.results.get(name, table.result).totals), 2)
            where = int(name.partition("t")[2]), int(name[1 : name.index("t")])
            of = {player: entrant.id for player, _, entrant in self.held.state.list_players()}
            self.say(event("seating_corrected", table=where[0], round=where[1],
                           players={one: of[other], other: of[one]}))  # fmt: skip
        elif kind == 4:  # a correction in a session, also of an earlier round
            for seq in rng.sample(range(3, len(table.log) + 1), len(table.log) - 2):
                before = list(table.log)
                table.log.append(struck(seq))
                with suppress(UnusableError):
                    self.results[name] = table.result
                    table.match.over = True  # no more hands, whose dealer might be another now
                    return
                table.log[:] = before
        elif kind == 5:
            self.say(event("result_assigned", round=number, entrant=who,
                           points=rng.choice([3, "7/2"]), reason="x"))  # fmt: skip
        elif kind == 6:
            self.say(event("points_adjusted", entrant=who, points="-1/3", reason="x"))
        elif kind == 7:
            self.say(event("lot_drawn", order=[who, *{"e1", "e2"} - {who}]))
        else:
            self.say(struck(rng.randint(2, len(self.log))))

    def rounds(self) -> Iterator[StageStandings]:
        """Play all rounds, and yield the standings after each event."""
        for number in (1, 2, 3):
            self.draw(number)
            for _ in range(12):
                if self.rng.random() < 0.4:
                    self.disturb(number)
                else:
                    names = [name for name in self.tables if name.startswith(f"r{number}t")
                             and not self.tables[name].match.over]  # fmt: skip
                    if names:
                        self.play(self.rng.choice(names))
                yield self.board.compute(self.held.state, self.results)
            self.say(closed(number))

    def from_logs(self) -> StageStandings:
        """Return the standings from the logs alone."""
        lines = sealed_lines([(raw["type"], raw["data"]) for raw in self.log], AT)
        held = Tournament()
        for line in lines:
            held.add_stored(line.rstrip(b"\n"))
        results = {name: self.tables[name].result for name in self.results}
        return Scoreboard().compute(held.state, results)


@EXAMPLES
@given(st.integers(0, 2**32))
def test_standings_from_the_logs_are_those_kept_up_to_date(seed: int) -> None:
    evening = RandomEvening(seed)
    for _ in evening.rounds():
        pass
    kept = evening.board.compute(evening.held.state, evening.results)
    assert list_figures(kept) == list_figures(evening.from_logs())


def list_figures(standings: StageStandings) -> list[Any]:
    """Return all that standings say."""
    return [(standings.stage, standings.after_round), *standings.rows]


@EXAMPLES
@given(st.integers(0, 2**32))
def test_taking_back_is_the_identity(seed: int) -> None:
    evening = RandomEvening(seed)
    for step, before in enumerate(evening.rounds()):
        if step % 6 == 0:
            events = len(evening.log)
            results = dict(evening.results)
            logs = {name: list(table.log) for name, table in evening.tables.items()}
            for _ in range(3):
                evening.disturb(1 + step // 12)
            for seq in reversed(range(events + 1, len(evening.log) + 1)):
                assert evening.say(struck(seq))
            evening.results = results
            for name, table in evening.tables.items():
                table.log[:] = logs.get(name, table.log)
            after = evening.board.compute(evening.held.state, evening.results)
            assert list_figures(after) == list_figures(before)


@EXAMPLES
@given(st.integers(0, 2**32))
def test_rounds_add_up_to_nothing_where_every_table_does(seed: int) -> None:
    evening = RandomEvening(seed, points="places", bye="nothing")
    for number in (1, 2):
        evening.draw(number)
        for name in [name for name in evening.tables if name.startswith(f"r{number}t")]:
            for _ in range(2):
                evening.play(name)
        evening.say(closed(number))
    standings = evening.board.compute(evening.held.state, evening.results)
    for number in (1, 2):
        points = [played.points or Fraction(0) for row in standings.rows for played in row.rounds
                  if played.round == number and played.kind == "table"]  # fmt: skip
        assert len(points) > 4
        assert sum(points) == 0


@given(st.integers(12, 40), st.integers(0, 2**32))
def test_comings_and_goings_keep_the_others_at_their_tables(entrants: int, seed: int) -> None:
    rng, sizes = random.Random(seed), (4, 5)  # noqa: S311
    rounds: tuple[DrawnRound, ...] = draw_balanced(entrants, 3, sizes).rounds
    number = entrants
    for _ in range(4):
        if rng.random() < 0.5:
            number += 1
            changed, concerned = add_entrant(rounds, number, sizes), number
        else:
            concerned = rng.randint(1, number)
            changed = remove_entrant(rounds, concerned, sizes)
        if changed is None:
            continue
        for before, after in zip(rounds, changed, strict=True):
            for place, table in enumerate(before.tables):
                assert set(after.tables[place]) ^ set(table) <= {concerned, *before.byes}
        rounds = changed


def test_correction_in_the_first_round_during_the_third_moves_points() -> None:
    evening = RandomEvening(5, points="score")
    for number in (1, 2, 3):
        evening.draw(number)
        evening.play(f"r{number}t1")
        evening.say(closed(number))
    before = evening.board.compute(evening.held.state, evening.results)
    table = evening.tables["r1t1"]
    table.log.append(event("penalty_given", side=min(table.result.totals), points=-5,
                           reason="found later"))  # fmt: skip
    evening.results["r1t1"] = table.result
    after = evening.board.compute(evening.held.state, evening.results)
    assert {row.entrant: row.points for row in before.rows} != {
        row.entrant: row.points for row in after.rows
    }
