"""The effects of events about rounds, and what they refuse."""

from collections import Counter
from dataclasses import replace
from fractions import Fraction

from scorekeeper.base.errors import Cause, UnusableError, expected
from scorekeeper.base.parts import format_points, simplify
from scorekeeper.events.event import Entry
from scorekeeper.tournaments.events import (
    CallAnswered,
    ClockStopped,
    DirectorCalled,
    DrawKept,
    HandRuled,
    ResultAssigned,
    ResultRecorded,
    RoundClosed,
    RoundDrawn,
    RoundPublished,
    RoundStarted,
    SeatingCorrected,
    SeatsExchanged,
    TimeAdded,
    TournamentClosed,
)
from scorekeeper.tournaments.open_tables import require_unpublished
from scorekeeper.tournaments.parts import TableSession
from scorekeeper.tournaments.record import TournamentRecord
from scorekeeper.tournaments.stage_rules import list_stage_sizes, require_game
from scorekeeper.tournaments.values import (
    AssignedResult,
    ClockChange,
    DirectorCall,
    PaperResult,
    Ruling,
    TournamentRound,
)

# --------------------------------------------------------------------------------- the draw


def draw_round(record: TournamentRecord, entry: Entry, event: RoundDrawn) -> None:
    """Draw a round, or draw it again before it is published.

    Raises `UnusableError` if it is not its turn, or an entrant or a table is not possible.
    """
    _refuse_wrong_turn(record, event)
    _refuse_wrong_seats(record, event)
    stage = record.get_stage(event.stage)
    sizes = list_stage_sizes(require_game(record.opening.game), record.opening.entrants, stage)
    for number, table in enumerate(event.tables):
        if len(table) not in sizes:
            words = (f"table {number + 1} has {len(table)} entrants; here a table has "
                     f"{' or '.join(map(str, sizes))}")  # fmt: skip
            cause = Cause(words, "wrong_table_size", table=number + 1, size=len(table))
            raise UnusableError(cause, field=f"data.tables.{number}")
    record.rounds[event.round] = TournamentRound(
        event.round, event.stage, event.tables, event.byes, event.generator, event.heads, entry.seq
    )


def _refuse_wrong_turn(record: TournamentRecord, event: RoundDrawn) -> None:
    """Raise `UnusableError` if a round cannot be drawn now."""
    stage, number = record.get_stage(event.stage), event.round
    before = record.rounds.get(number)
    if before is not None and before.published:
        words = f"round {number} is published, and cannot be drawn again"
        raise UnusableError(Cause(words, "published_before", round=number), field="data.round")
    last = max(record.rounds, default=0)
    if number > last + 1:
        words = f"the next round to draw is round {last + 1}, got {number}"
        raise UnusableError(Cause(words, "round_skipped", next=last + 1), field="data.round")
    former = record.rounds.get(number - 1)
    first_of_stage = former is None or former.stage != event.stage
    if (former.stage if former else 0) not in (event.stage, event.stage - 1):
        words = f"round {number} belongs to stage {former.stage if former else 1}, or to the next"
        raise UnusableError(Cause(words, "wrong_stage", stage=event.stage), field="data.stage")
    drawn = [other for other in record.rounds.values() if other.stage == event.stage]
    if before is None and len(drawn) >= stage.rounds:
        words = f"{stage.name} has {stage.rounds} rounds, and all are drawn"
        cause = Cause(words, "stage_full", rounds=stage.rounds)
        raise UnusableError(cause, field="data.stage")
    at_once = not first_of_stage and not any(other.published for other in drawn)
    if former is not None and not former.closed and not at_once and not event.early:
        words = (f"round {former.number} is not closed: close it first, or draw with early if its "
                 "last tables may still change the standings")  # fmt: skip
        raise UnusableError(
            Cause(words, "round_before_open", round=former.number), field="data.round"
        )


def _refuse_wrong_seats(record: TournamentRecord, event: RoundDrawn) -> None:
    """Raise `UnusableError` for an entrant who is drawn twice, or cannot be drawn."""
    seats = Counter(entrant for table in event.tables for entrant in table)
    for entrant_id in (*seats, *event.byes):
        entrant = record.require_entrant(entrant_id, "tables")
        if seats[entrant_id] > 1:
            words = f"{entrant.name} is drawn twice in round {event.round}"
            cause = Cause(words, "drawn_twice", name=entrant.name, round=event.round)
            raise UnusableError(cause, field="data.tables")
        if seats[entrant_id] and entrant_id in event.byes:
            words = f"{entrant.name} sits out and is at a table in round {event.round}"
            cause = Cause(words, "bye_and_table", name=entrant.name, round=event.round)
            raise UnusableError(cause, field="data.byes")
        if not entrant.plays_in(event.round):
            gone = entrant.withdrawn_from is not None and event.round >= entrant.withdrawn_from
            words = (f"{entrant.name} has withdrawn from round {entrant.withdrawn_from} on" if gone
                     else f"{entrant.name} plays from round {entrant.from_round} on")  # fmt: skip
            cause = (Cause(words, "withdrawn_entrant", name=entrant.name) if gone
                     else Cause(words, "not_yet_entered", name=entrant.name))  # fmt: skip
            raise UnusableError(cause, field="data.tables")
        if record.uses_check_in and not entrant.present:
            words = f"{entrant.name} is not noted as present"
            raise UnusableError(Cause(words, "not_present", name=entrant.name), field="data.tables")
    if len(set(event.byes)) < len(event.byes):
        raise UnusableError(Cause("an entrant sits out twice", "bye_twice"), field="data.byes")


def keep_draw(record: TournamentRecord, entry: Entry, event: DrawKept) -> None:
    """Keep the draw of the first round of a stage, though others would advance to it now.

    Raises `UnusableError` if nobody advances to the round.
    """
    drawn = record.require_round(event.round)
    former = record.rounds.get(event.round - 1)
    if former is None or former.stage == drawn.stage:
        words = f"round {event.round} is not the first of a later stage: nobody advances to it"
        raise UnusableError(Cause(words, "no_advance", round=event.round), field="data.round")
    for name in ("through", "out"):
        for entrant_id in getattr(event, name):
            record.require_entrant(entrant_id, name)
    kept = frozenset(event.through), frozenset(event.out)
    record.rounds[event.round] = replace(drawn, kept=kept)


def publish_round(record: TournamentRecord, entry: Entry, event: RoundPublished) -> None:
    """Publish a round with the sessions of its tables.

    Raises `UnusableError` if it is published already, a table has no session, a session is that
    of another table, or an entrant has withdrawn since it was drawn.
    """
    drawn = require_unpublished(record, event.round)
    for entrant_id in drawn.list_seated():
        entrant = record.entrants[entrant_id]
        if not entrant.plays_in(event.round):
            words = (
                f"{entrant.name} is drawn in round {event.round} and has withdrawn: draw it again"
            )
            cause = Cause(words, "drawn_and_withdrawn", name=entrant.name, round=event.round)
            raise UnusableError(cause, field="data.round")
    tables = {str(number) for number in range(1, len(drawn.tables) + 1)}
    if set(event.sessions) != tables:
        what = f"a session, or null, for each table from 1 to {len(tables)}"
        cause = expected(what, ", ".join(event.sessions), "tables_missing", tables=len(tables))
        raise UnusableError(cause, field="data.sessions")
    known = set(record.list_sessions())
    for table, table_session in event.sessions.items():
        if table_session is not None:
            if table_session.session in known:
                words = f"the session {table_session.session} belongs to another table"
                raise UnusableError(Cause(words, "session_in_use"), field=f"data.sessions.{table}")
            refuse_no_hash(table_session.first_hash, f"data.sessions.{table}.first_hash")
            known.add(table_session.session)
    sessions: dict[int, TableSession | None] = {
        number: event.sessions[str(number)] for number in range(1, len(tables) + 1)
    }
    record.rounds[event.round] = replace(drawn, sessions=sessions)
    record.note_disclosed()


def refuse_no_hash(text: str, path: str) -> None:
    """Raise `UnusableError` if a text is not the hash of an event."""
    if len(text) != 64 or text.strip("0123456789abcdef"):
        raise UnusableError(expected("the hash of an event", text, "no_hash"), field=path)


# -------------------------------------------------------------------------------- the clock


def start_clock(record: TournamentRecord, entry: Entry, event: RoundStarted) -> None:
    """Start the clock of a round, or start it again."""
    drawn = record.require_open_round(event.round)
    if drawn.running:
        words = f"the clock of round {event.round} runs already"
        raise UnusableError(Cause(words, "clock_runs", round=event.round), field="data.round")
    _change_clock(record, drawn, ClockChange("start", event.minutes, None, entry.at, entry.seq))


def add_time(record: TournamentRecord, entry: Entry, event: TimeAdded) -> None:
    """Add time for a table, or for all. Raises `UnusableError` before the clock was started."""
    drawn = record.require_open_round(event.round)
    if event.table is not None:
        record.require_table(drawn, event.table)
    if not drawn.clock:
        words = f"the clock of round {event.round} was not started"
        raise UnusableError(
            Cause(words, "clock_not_started", round=event.round), field="data.round"
        )
    change = ClockChange("add", event.minutes, event.table, entry.at, entry.seq)
    _change_clock(record, drawn, change)


def stop_clock(record: TournamentRecord, entry: Entry, event: ClockStopped) -> None:
    """Stop the clock of a round. Raises `UnusableError` if it does not run."""
    drawn = record.require_open_round(event.round)
    if not drawn.running:
        words = f"the clock of round {event.round} does not run"
        raise UnusableError(Cause(words, "clock_stands", round=event.round), field="data.round")
    _change_clock(record, drawn, ClockChange("stop", 0, None, entry.at, entry.seq))


def _change_clock(record: TournamentRecord, drawn: TournamentRound, change: ClockChange) -> None:
    """Add a change to the clock of a round."""
    record.rounds[drawn.number] = replace(drawn, clock=(*drawn.clock, change))


# -------------------------------------------------------------------- seats, results, calls


def exchange_seats(record: TournamentRecord, entry: Entry, event: SeatsExchanged) -> None:
    """Exchange two entrants of a round; either may sit out.

    Raises `UnusableError` if one is not drawn, or both are at one table or sit out.
    """
    drawn = record.require_round(event.round)
    if drawn.closed:
        record.require_open_round(event.round)
    one, other = event.entrants
    for place, entrant_id in enumerate(event.entrants):
        entrant = record.require_entrant(entrant_id, f"entrants.{place}")
        if drawn.find_table(entrant_id) is None and entrant_id not in drawn.byes:
            words = f"{entrant.name} is not drawn in round {event.round}"
            cause = Cause(words, "not_in_round", name=entrant.name, round=event.round)
            raise UnusableError(cause, field=f"data.entrants.{place}")
    if drawn.find_table(one) == drawn.find_table(other):
        words = f"{record.entrants[one].name} and {record.entrants[other].name} are at one place"
        raise UnusableError(Cause(words, "one_place"), field="data.entrants")
    swapped = {one: other, other: one}
    tables = tuple(
        tuple(swapped.get(entrant, entrant) for entrant in table) for table in drawn.tables
    )
    byes = tuple(swapped.get(entrant, entrant) for entrant in drawn.byes)
    record.rounds[event.round] = replace(drawn, tables=tables, byes=byes)


def correct_seating(record: TournamentRecord, entry: Entry, event: SeatingCorrected) -> None:
    """Record which entrants the players of a session were.

    Raises `UnusableError` if the table is on paper, or one entrant would be two players.
    """
    drawn = record.require_published(event.round)
    record.require_table(drawn, event.table)
    _require_session(drawn, event.table)
    for player, entrant in event.players.items():
        record.require_entrant(entrant, f"players.{player}")
    most = max(len(record.entrants[entrant].players) for entrant in event.players.values() or [""])
    counts = Counter(event.players.values())
    if counts and max(counts.values()) > most:
        name = record.entrants[counts.most_common(1)[0][0]].name
        words = f"{name} cannot be {max(counts.values())} players of one table"
        raise UnusableError(Cause(words, "two_are_one", name=name), field="data.players")
    seating = {**drawn.seating, event.table: dict(event.players)}
    record.rounds[event.round] = replace(drawn, seating=seating)


def _require_session(drawn: TournamentRound, table: int) -> TableSession:
    """Return the session of a table. Raises `UnusableError` if it is on paper."""
    table_session = (drawn.sessions or {}).get(table)
    if table_session is None:
        words = f"table {table} of round {drawn.number} is on paper"
        raise UnusableError(Cause(words, "on_paper", table=table), field="data.table")
    return table_session


def record_paper(record: TournamentRecord, entry: Entry, event: ResultRecorded) -> None:
    """Record the result of a table on paper.

    Raises `UnusableError` if the table has a session, an entrant is missing, or the scores do not
    add up to 0 in a game in which they must.
    """
    drawn = record.require_published(event.round)
    table = record.require_table(drawn, event.table)
    if (drawn.sessions or {}).get(event.table) is not None:
        words = f"table {event.table} of round {event.round} is not on paper: it has a session"
        raise UnusableError(Cause(words, "not_on_paper", table=event.table), field="data.table")
    if set(event.scores) != set(table):
        names = ", ".join(record.entrants[entrant].name for entrant in table)
        words = f"at table {event.table} are {names}: expected the score of each of them"
        raise UnusableError(Cause(words, "wrong_scores", table=event.table), field="data.scores")
    game = require_game(record.opening.game)
    scores = {entrant: simplify(score) for entrant, score in event.scores.items()}
    odd = next((score for score in scores.values() if game.parts % score.denominator), None)
    if odd is not None:
        step = f"1/{game.parts}" if game.parts > 1 else "1"
        words = f"expected scores in steps of {step}, got {odd}"
        raise UnusableError(
            Cause(words, "not_in_parts", step=step, got=str(odd)), field="data.scores"
        )
    total = simplify(Fraction(sum(scores.values())))
    if total and game.settlement.zero_sum:
        said = total if isinstance(total, int) else format_points(total)
        words = f"the scores of a table add up to 0, got {said}: count again"
        raise UnusableError(Cause(words, "no_zero_sum", total=said), field="data.scores")
    result = PaperResult(scores, event.hands, entry.seq)
    record.rounds[event.round] = replace(drawn, paper={**drawn.paper, event.table: result})


def assign_result(record: TournamentRecord, entry: Entry, event: ResultAssigned) -> None:
    """Set the points of an entrant in a round."""
    drawn = record.require_published(event.round)
    record.require_entrant(event.entrant)
    result = AssignedResult(event.points, event.reason, entry.seq)
    assigned = {**drawn.assigned, event.entrant: result}
    record.rounds[event.round] = replace(drawn, assigned=assigned)


def rule_hand(record: TournamentRecord, entry: Entry, event: HandRuled) -> None:
    """Record whether a hand counts. Raises `UnusableError` if the table is on paper."""
    drawn = record.require_published(event.round)
    record.require_table(drawn, event.table)
    _require_session(drawn, event.table)
    ruling = Ruling(event.counts, event.reason, entry.seq)
    rulings = {**drawn.rulings, (event.table, event.hand): ruling}
    record.rounds[event.round] = replace(drawn, rulings=rulings)


def call_director(record: TournamentRecord, entry: Entry, event: DirectorCalled) -> None:
    """Record a call of a table. Raises `UnusableError` if its caller is no player."""
    drawn = record.require_published(event.round)
    record.require_table(drawn, event.table)
    if event.caller is not None and event.caller not in {p for p, _, _ in record.list_players()}:
        cause = expected("a player of this tournament", event.caller, "no_such_player")
        raise UnusableError(cause, field="data.caller")
    record.calls[entry.seq] = DirectorCall(
        event.round, event.table, event.caller, event.about, entry.seq, entry.at
    )


def answer_call(record: TournamentRecord, entry: Entry, event: CallAnswered) -> None:
    """Answer a call. Raises `UnusableError` if there is none, or it is answered."""
    call = record.calls.get(event.call)
    if call is None:
        cause = expected("the seq of a call", event.call, "no_such_call")
        raise UnusableError(cause, field="data.call")
    if call.answered is not None:
        words = f"the call of table {call.table} is answered already"
        raise UnusableError(Cause(words, "answered_before", table=call.table), field="data.call")
    record.calls[event.call] = call._replace(answered=entry.seq, answer=event.text)


# -------------------------------------------------------------------------------- the ends


def close_round(record: TournamentRecord, entry: Entry, event: RoundClosed) -> None:
    """Close a round. Raises `UnusableError` if it is closed, or belongs to another stage."""
    drawn = record.require_open_round(event.round)
    if drawn.stage != event.stage:
        words = f"round {event.round} belongs to stage {drawn.stage}"
        raise UnusableError(Cause(words, "wrong_stage", stage=drawn.stage), field="data.stage")
    record.rounds[event.round] = replace(drawn, closed=True)


def close_tournament(record: TournamentRecord, entry: Entry, event: TournamentClosed) -> None:
    """Close the tournament.

    Raises `UnusableError` if a published round is open, or the heads are not those of its
    sessions.
    """
    for drawn in record.rounds.values():
        if drawn.published and not drawn.closed:
            words = f"round {drawn.number} is not closed"
            cause = Cause(words, "round_before_open", round=drawn.number)
            raise UnusableError(cause, field="type")
    sessions = record.list_sessions()
    for session_id in sorted(sessions.keys() ^ event.heads.keys()):
        known = session_id in sessions
        words = (f"the head of the session {session_id} is missing" if known
                 else f"no table has the session {session_id}")  # fmt: skip
        raise UnusableError(Cause(words, "wrong_heads", session=session_id), field="data.heads")
    for session_id, head in event.heads.items():
        refuse_no_hash(head, f"data.heads.{session_id}")
    record.heads = dict(event.heads)
    record.closed_at, record.closed_seq = entry.at, entry.seq
    record.note_disclosed()
