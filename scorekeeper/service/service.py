"""The service: every use case, on one store."""

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, Final, TypeVar

from scorekeeper.errors import (
    Cause,
    Irregular,
    NoQuorum,
    ScorekeeperError,
    StaleVersion,
    UnknownKey,
    Unusable,
)
from scorekeeper.events import (
    CORRECTIONS,
    CorrectionProposed,
    DisputeSettled,
    Entry,
    Event,
    MatchStarted,
    ProposalDeclined,
    ProposalSigned,
    SessionOpened,
)
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.reading import LogFile
from scorekeeper.log.writing import now, sealed_lines
from scorekeeper.prompts import Level
from scorekeeper.replay import report as report_of
from scorekeeper.replay.prompting import next_prompts
from scorekeeper.replay.report import tell_finding
from scorekeeper.replay.session import Session
from scorekeeper.scoring import Finding
from scorekeeper.service import telling
from scorekeeper.service.asking import Asked, NewEvent, Prompts, Recorded, Report
from scorekeeper.service.disputes import Quorum, refuse_proposal, refuse_ruling, refuse_word
from scorekeeper.service.folded import Cache, Folded
from scorekeeper.service.judging import Judge, is_irregular
from scorekeeper.service.keys import Keys
from scorekeeper.service.rights import KEEPER, Holder, refuse_event, refuse_role
from scorekeeper.store import (
    Clock,
    Line,
    NewKey,
    Opened,
    Position,
    Request,
    Store,
    Wish,
    sealed,
)
from scorekeeper.tongue import ENGLISH, speaking

CORRECTS: Final = {one.TYPE for one in CORRECTIONS}
REPORT: Final = "report"
CORRECTED: Final = "corrected"
QUORUM: Final = Quorum()

T = TypeVar("T")
Told = Callable[[str, Position], None]


def nobody(session: str, position: Position) -> None:
    """Tell nobody that a session changed."""


class Service:
    """What people at a table, and programs for them, can do.

    ``told`` is called with each change that was made here, once it is durable.
    """

    def __init__(
        self, store: Store, told: Told = nobody, clock: Clock = now, quorum: Quorum = QUORUM
    ) -> None:
        self.store = store
        self._told = told
        self._clock = clock
        self._quorum = quorum
        self._cache = Cache(store)
        self.keys = Keys(store)

    @property
    def quorum(self) -> Quorum:
        """How many signatures it takes to correct a hand."""
        return self._quorum

    def now(self) -> str:
        """The time by which this service records and judges."""
        return self._clock()

    # -------------------------------------------------------------------------------- opening

    def open(self, data: Mapping[str, Any]) -> Opened:
        """Begin a session with the data of its first event; its host, view and seats get keys."""
        session = Session()
        try:
            session.add(Entry(1, codec.decode(SessionOpened.TYPE, data), by=KEEPER))
        except Unusable as error:
            error.field = error.field.removeprefix("data.")
            raise
        events = [(SessionOpened.TYPE, data)]
        return self.store.open_session(events, KEEPER, wishes(session))

    def bring_in(self, log: BinaryIO, largest: int) -> Opened:
        """Begin a session with a log: a sealed one is kept byte for byte, one by hand is sealed.

        Unusable, with the line, where it is damaged or could never have been recorded.
        """
        file = LogFile(log, largest)
        session, events = Session(), []
        line = 1
        try:
            for raw in file:
                line = raw.line
                session.add_line(raw)
                events.append((raw.type, raw.data))
        except Unusable as error:
            if not file.damage:  # else that came first, and the store says where
                error.line = error.line or line
                raise
        if file.sealed:
            log.seek(0)
            return self.store.import_sealed(log, wishes(session))
        return self.store.import_sealed(sealed_lines(events, self._clock()), wishes(session))

    # ------------------------------------------------------------------------------ recording

    def record(self, session: str, asked: Asked, holder: Holder) -> Recorded:
        """Put events on record, all or none, and say what they add to the findings.

        A request that came before is answered as it was then. UnknownSession, StaleVersion,
        KeyReused, Forbidden, NoQuorum, Unusable; Irregular where they break a rule and are not
        said to be as played; NoKey where the holder's key opens nothing any more.
        """
        try:
            return self._record(session, asked, holder)
        except ScorekeeperError:
            # It came before, or twice at once.
            before = asked.key and self.store.answered(session, asked.key, asked.digest)
            if not before:
                raise
            if holder.key is not None:
                self.store.refuse_closed(holder.key)
            return Recorded(before.version, before.answer)

    def _record(self, session: str, asked: Asked, holder: Holder) -> Recorded:
        with self._cache.held(session) as folded:
            if folded.position.version != asked.expected or not asked.expected:
                folded.refresh()
            after = folded.position
            if after.version != asked.expected:
                raise StaleVersion(asked.expected, *after)
            judge = Judge(folded, all_hands=any(new.type in CORRECTS for new in asked.events))
            with folded.trial():
                lines, found = self._judged(folded, asked, holder, judge)
                answer = telling.recorded(folded.session, lines, found)
                request = Request(asked.key, asked.digest, answer) if asked.key else None
                repeated = self.store.append(session, after, lines, request, holder.key)
                if repeated is not None:
                    folded.take_back()
                    return Recorded(repeated.version, repeated.answer)
                folded.ahead = 0
        end = Position(lines[-1].seq, lines[-1].hash)
        self._told(session, end)
        return Recorded(end.version, answer)

    def _judged(
        self, folded: Folded, asked: Asked, holder: Holder, judge: Judge
    ) -> tuple[list[Line], list[Finding]]:
        """The lines of the events, now folded, and the findings that came with them."""
        if not asked.events:
            raise Unusable(Cause("no event to record", "nothing"), field="events")
        at = self._clock()
        lines = []
        agreed = 0  # so many of the next events are corrections that enough have signed
        for place, new in enumerate(asked.events):
            try:
                event = read(folded.session, new)
                if agreed:
                    agreed -= 1
                else:
                    agreed = self._permitted(folded.session, event, asked, place, holder, at)
                lines.append(add(folded, new, event, holder, at))
            except Unusable as error:
                error.field = ".".join(filter(None, ("events", str(place), error.field)))
                raise
        found = judge.new()
        irregular = [finding for finding in found if is_irregular(finding)]
        if irregular and not asked.as_played:
            raise Irregular([tell_finding(folded.session, finding) for finding in irregular])
        return lines, found

    def _permitted(
        self, session: Session, event: Event, asked: Asked, place: int, holder: Holder, at: str
    ) -> int:
        """Refuse an event that may not come now; how many corrections are agreed to after it."""
        if isinstance(event, DisputeSettled) and event.ruling == CORRECTED:
            refuse_role(holder, "host", "seat")
            if event.proposal is not None:
                following = asked.events[place + 1 :]
                return refuse_ruling(session, event, following, self._quorum, at)
            refuse_event(holder, session, event)
            if not asked.as_played:
                raise NoQuorum("no signed proposal is named; is it the host's ruling, as_played?")
            return 0
        refuse_event(holder, session, event)
        if isinstance(event, CorrectionProposed):
            refuse_proposal(session, event)
        elif isinstance(event, ProposalSigned | ProposalDeclined):
            refuse_word(session, event)
        return 0

    # -------------------------------------------------------------------------------- reading

    def report(self, session: str) -> Report:
        """What the session comes to now."""
        with self._cache.held(session) as folded:
            folded.refresh()
            if REPORT not in folded.made:
                with speaking(ENGLISH):  # it is kept, whoever asks next
                    folded.made[REPORT] = telling.as_json(report_of(folded.session))
            return Report(folded.position, folded.made[REPORT])

    def prompts(self, session: str, level: Level | None = None) -> Prompts:
        """What can be recorded next, the likeliest first."""
        with self._cache.held(session) as folded:
            folded.refresh()
            prompts = next_prompts(folded.session, level)
            return Prompts(folded.position, [telling.prompt(one) for one in prompts])

    def see(self, session: str, make: Callable[[Session], T]) -> T:
        """What is made of the session as it stands, while nobody records in it."""
        with self._cache.held(session) as folded:
            folded.refresh()
            return make(folded.session)

    # ----------------------------------------------------------------------------------- keys

    def add_key(self, session: str, wish: Wish, replaces: str | None = None) -> NewKey:
        """Make one more key to a session, and revoke the one that it replaces, if any.

        Unusable where its player is not there; UnknownKey; LastKey where it replaces the only
        one that is left to the host, and does not last itself.
        """
        players = self.see(session, lambda session: tuple(session.record.players))
        if wish.player is not None and wish.player not in players:
            raise Unusable(f'there is no player "{wish.player}" in this session', field="player")
        return self.store.add_key(session, wish, replaces)

    def revoke_key(self, session: str, key: str) -> None:
        """Let a key open nothing any more; UnknownKey, LastKey."""
        if not self.store.revoke_key(session, key):
            raise UnknownKey(key)


def wishes(session: Session) -> list[Wish]:
    """The keys that a session begins with: its host's, one to look on, and one for each seat."""
    return [Wish("host"), Wish("view"), *(Wish("seat", one) for one in session.record.players)]


def read(session: Session, new: NewEvent) -> Event:
    """A new event as it reads in a session where it comes; Unusable."""
    types = session.game.by_type if session.game else codec.COMMON_TYPES
    return codec.decode(new.type, new.data, types)


def add(folded: Folded, new: NewEvent, event: Event, holder: Holder, at: str) -> Line:
    """Add a new event to a folded session; its line, sealed where it comes."""
    data = new.data
    if isinstance(event, MatchStarted) and event.rules is None and event.game in GAMES:
        data = {**data, "rules": GAMES[event.game].version}
        event = codec.decode(new.type, data)
    (line,) = sealed(folded.position, [(new.type, data)], at, holder.by)
    folded.add(Entry(line.seq, event, at, holder.by, line.hash))
    return line
