"""An evening as it is taken away: all that the files are made of, as it stood at one moment."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.events.common import HandAbandoned
from scorekeeper.report.narration import voice_of
from scorekeeper.report.report import report as report_of
from scorekeeper.report.sheet import Row, Sheet, changed_options, sheets
from scorekeeper.session.matches import HandRecord
from scorekeeper.session.session import Session
from scorekeeper.store import Position

# The years that a file in a zip archive can be of.
EARLIEST: Final = datetime(1980, 1, 1, tzinfo=UTC)
LATEST: Final = datetime(2107, 12, 31, 23, 59, 58, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Played:
    """A match: its sheet, its game, the options that are not the usual ones, and its hands.

    ``gists`` say in a few words what each hand came to; ``unresolved`` are the numbers of those
    about which the table could not agree.
    """

    sheet: Sheet
    game: str
    options: Sequence[str]
    gists: Sequence[str]
    unresolved: frozenset[int] = frozenset()

    def flag(self, row: Row) -> str:
        """What is to be known before a hand's score is relied on, in a word; mostly nothing."""
        unresolved = "unresolved" if row.hand in self.unresolved else ""
        return "disputed" if row.disputed else unresolved

    @property
    def outcome(self) -> str:
        """Who won it, or that nobody did yet."""
        names = " and ".join(self.sheet.columns[side] for side in self.sheet.winners)
        if not names:
            return "open" if self.sheet.status != "finished" else "over"
        return f"shared by {names}" if len(self.sheet.winners) > 1 else f"won by {names}"

    def penalties(self, game: int) -> dict[str, int]:
        """By how much penalties changed the score of a game of the match, by side."""
        rows = [row for row in self.sheet.rows if row.game == game]
        return {
            side: score - sum(row.cells[side].points or 0 for row in rows)
            for side, score in self.sheet.games[game - 1]["scores"].items()
        }


@dataclass(frozen=True, slots=True)
class Evening:
    """A session at one version; ``first`` is the hash of its first event, in times in UTC."""

    id: str
    report: Mapping[str, Any]
    matches: Sequence[Played]
    first: str
    began: datetime
    ended: datetime

    @classmethod
    def of(cls, id_: str, session: Session) -> "Evening":
        """The evening of a session with events, in English."""
        entries = list(session.corrections.recorded.values())
        with speaking(ENGLISH):
            report = report_of(session)
            return cls(
                id=id_,
                report=report,
                matches=list(_matches(session, report)),
                first=entries[0].hash,
                began=moment(entries[0].at),
                ended=moment(max(entry.at for entry in entries)),
            )

    @property
    def position(self) -> Position:
        """The version that it is true of."""
        return Position(self.about["events"], self.about["head"])

    @property
    def about(self) -> Mapping[str, Any]:
        """The session itself, as the report has it."""
        told: Mapping[str, Any] = self.report["session"]
        return told

    @property
    def players(self) -> list[str]:
        """The names of all who were there."""
        return [player["name"] for player in self.about["players"]]

    @property
    def hours(self) -> str:
        """From when to when, as people write it."""
        day = "{0.day} {0:%B %Y}, {0:%H:%M}"
        same = self.began.date() == self.ended.date()
        until = f"{self.ended:%H:%M}" if same else day.format(self.ended)
        return f"{day.format(self.began)} to {until} UTC"

    @property
    def command(self) -> str:
        """What to run to prove that a log is the one that this was made of."""
        version, head = self.position
        return f"verify.py {self.id}.jsonl --count {version} --head {head}"


def moment(at: str) -> datetime:
    """A time as a log writes it, so far as every kind of file can hold it."""
    return max(EARLIEST, min(LATEST, datetime.fromisoformat(at)))


def _matches(session: Session, report: Mapping[str, Any]) -> Iterator[Played]:
    for told, sheet in zip(report["matches"], sheets(report), strict=True):
        record = session.structure.matches[told["match"] - 1]
        hands = zip(told["hands"], record.hands, strict=True)
        yield Played(
            sheet=sheet,
            game=record.game.name,
            options=changed_options(sheet, record.game),
            gists=[_gist(session, sheet, hand, one) for hand, one in hands],
            unresolved=frozenset(_unresolved(report, told["match"])),
        )


def _unresolved(report: Mapping[str, Any], match: int) -> Iterator[int]:
    """The hands of a match whose last dispute was settled without an agreement."""
    last = {one["hand"]: one["state"] for one in report["disputes"] if one["match"] == match}
    yield from (hand for hand, state in last.items() if state == "unresolved")


def _gist(session: Session, sheet: Sheet, hand: Mapping[str, Any], record: HandRecord) -> str:
    """The weightiest line of a hand's score, or why there is none."""
    if hand["lines"]:
        line = max(hand["lines"], key=lambda line: abs(line["points"]))
        return f"{sheet.columns.get(line['side'], line['side'])} – {line['text']}"
    voice = voice_of(session, record.match)
    why = [voice.tell(e.event) for e in record.entries if isinstance(e.event, HandAbandoned)]
    return why[-1] if why else ""
