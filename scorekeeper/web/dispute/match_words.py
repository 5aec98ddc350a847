"""The start of a match in words: its seats, rules and stake, as a correction changes them."""

from collections.abc import Iterator

from flask_babel import gettext as _

from scorekeeper.base.errors import UnusableError
from scorekeeper.base.json_object import JsonObject
from scorekeeper.events.common import MatchStarted
from scorekeeper.events.corrections import EventInserted, EventReplaced
from scorekeeper.events.event import Event
from scorekeeper.log import codec
from scorekeeper.log.corrected import Undecoded, find_event_at
from scorekeeper.report.option_words import summarize_rules
from scorekeeper.session.session import Session
from scorekeeper.session.structure import find_game
from scorekeeper.web.forms.scene import names_at
from scorekeeper.web.wording.filters import format_money, with_colon


def describe_restart(
    session: Session, seq: int, data: JsonObject, until: int | None
) -> tuple[str, str]:
    """Return the start of a match before and after a correction, as far as they differ.

    The start is as it stands now, or as it stood at seq `until`; ``data`` are its new data.
    """
    starts = _read_start(_find_start(session, seq, until)), _read_start(data)
    facts = [dict(_list_facts(session, start)) if start else {} for start in starts]
    differ = [name for name in {**facts[0], **facts[1]} if facts[0].get(name) != facts[1].get(name)]
    before, after = (
        "; ".join(f"{with_colon(name)} {each[name]}" for name in differ if name in each)
        for each in facts
    )
    return before or str(_("A match began")), after or str(_("A match began"))


def _find_start(session: Session, seq: int, until: int | None) -> Event | None:
    """Return the event at a seq, as it stands or as it stood at seq `until`."""
    if until is not None:
        return find_event_at(session.corrections, seq, until)
    reading = session.corrections.reading(seq)
    return None if reading is None else reading.event


def _read_start(start: Event | JsonObject | None) -> MatchStarted | None:
    """Return the start of a match that an event or its data state; None if they state none."""
    if isinstance(start, MatchStarted) or start is None:
        return start
    if isinstance(start, Undecoded | EventReplaced | EventInserted):
        start = start.data
    try:
        event = codec.decode(MatchStarted.TYPE, start)
    except UnusableError:
        return None
    return event if isinstance(event, MatchStarted) else None


def _list_facts(session: Session, start: MatchStarted) -> Iterator[tuple[str, str]]:
    """Yield the seats, the rules and the stake of a match, each with its name."""
    names = names_at(session)
    yield str(_("Who plays")), ", ".join(names.get(seat, seat) for seat in start.seats)
    try:
        game = find_game(start)
        options = game.options(start.options, len(start.seats))
    except UnusableError:
        return
    yield str(_("House rules")), summarize_rules(game, options) or str(_("as usual"))
    yield str(_("Stake")), _describe_stake(start)


def _describe_stake(start: MatchStarted) -> str:
    """Return the stake of a match in words."""
    stake = start.stake
    if stake is None:
        return str(_("none"))
    point, match = (format_money(n, stake.currency) for n in (stake.point, stake.match))
    return str(_("%(point)s a point, %(match)s for the match", point=point, match=match))
