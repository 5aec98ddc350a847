"""What a director can do next, the likeliest first."""

from collections.abc import Iterator
from typing import NamedTuple

from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.values import TournamentRound


class NextStep(NamedTuple):
    """A step of the evening: what, and for which stage, round and tables."""

    step: str
    stage: int | None = None
    round: int | None = None
    tables: tuple[int, ...] = ()


STEPS = ("register", "draw", "publish", "start", "record", "answer", "close_round",
         "close_tournament")  # fmt: skip


def list_next_steps(record: TournamentRecord) -> list[NextStep]:
    """Return the steps that can be taken now, the likeliest first; none after the close."""
    if record.heads is not None:
        return []
    playing = [drawn for drawn in record.rounds.values() if drawn.published and not drawn.closed]
    calls = tuple(call.table for call in record.calls.values() if call.answered is None)
    steps = [NextStep("answer", tables=calls)] if calls else []
    for drawn in playing:
        steps += _list_steps_of_round(record, drawn)
    steps += _list_steps_to_next_round(record)
    if not record.rounds:
        steps.append(NextStep("register"))
        return steps if record.entrants else steps[::-1]
    if not playing and any(drawn.published for drawn in record.rounds.values()):
        steps.append(NextStep("close_tournament"))
    return steps


def _list_steps_of_round(record: TournamentRecord, drawn: TournamentRound) -> Iterator[NextStep]:
    """Yield the steps of a round that is being played."""
    if record.stages[drawn.stage - 1].minutes is not None and not drawn.running:
        yield NextStep("start", drawn.stage, drawn.number)
    paper = tuple(
        table for table, session in (drawn.sessions or {}).items()
        if session is None and table not in drawn.paper
    )  # fmt: skip
    if paper:
        yield NextStep("record", drawn.stage, drawn.number, paper)
    else:
        yield NextStep("close_round", drawn.stage, drawn.number)


def _list_steps_to_next_round(record: TournamentRecord) -> Iterator[NextStep]:
    """Yield the steps that publish the next round; none if all rounds are published."""
    published = [drawn.number for drawn in record.rounds.values() if drawn.published]
    number = max(published, default=0) + 1
    drawn = record.rounds.get(number)
    if drawn is not None:
        yield NextStep("publish", drawn.stage, number)
        yield NextStep("draw", drawn.stage, number)
        return
    last = record.rounds.get(number - 1)
    stage = last.stage if last is not None else 1
    of_stage = sum(other.stage == stage for other in record.rounds.values())
    if of_stage >= record.stages[stage - 1].rounds:
        stage += 1
    if stage <= len(record.stages) and (last is None or last.closed):
        yield NextStep("draw", stage, number)
