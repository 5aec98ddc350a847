"""A session of the tests, to which events are added one by one."""

import json
from collections.abc import Iterable, Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

from scorekeeper.base.views import to_json_values
from scorekeeper.log.reading import RawEvent
from scorekeeper.log.writing import sealed_lines
from scorekeeper.report.report import view_report
from scorekeeper.report.views import ReportView
from scorekeeper.session.session import Session

Raw = dict[str, Any]

AT = "2026-11-21T20:14:03.250Z"
GOLDEN = Path(__file__).parent / "golden"
NAMES = {"mara": "Mara", "leo": "Leo", "nina": "Nina", "ugo": "Ugo", "ada": "Ada", "zoe": "Zoë"}


def event(kind: str, /, **data: Any) -> Raw:
    """Return an event as a log by hand has it on a line."""
    return {"type": kind, "data": data}


def opening(*players: str) -> Raw:
    """Return the first event of a session with these players."""
    seated = [{"id": player, "name": NAMES.get(player, player)} for player in players]
    return event("session_opened", title="Friday", players=seated)


def struck(seq: int) -> Raw:
    """Return a strike of an event."""
    return event("event_struck", seq=seq, reason="typed wrongly")


def replaced(seq: int, kind: str, /, **data: Any) -> Raw:
    """Return a replacement by an event of this type with this data."""
    return event("event_replaced", seq=seq, **event(kind, **data), reason="typed wrongly")


def inserted(after: int, kind: str, /, **data: Any) -> Raw:
    """Return an insertion of an event of this type with this data."""
    return event("event_inserted", after=after, **event(kind, **data), reason="left out")


def as_a_set(corrections: Sequence[Raw]) -> list[Raw]:
    """Return corrections as they are recorded: several as a set."""
    begun = event("correction_begun", count=len(corrections), reason="worked out")
    return [*([begun] if len(corrections) > 1 else []), *corrections]


def build_report(session: Session) -> dict[str, Any]:
    """Return the report of a session, as its JSON has it."""
    return to_json_values(view_report(session))


class Evening:
    """A session at the table; the next event gets the next seq."""

    def __init__(self, *events: Raw) -> None:
        self.session = Session()
        self.log: list[Raw] = []
        for raw in events:
            self.add(raw)

    def add(self, raw: Raw, by: str = "") -> int:
        """Add an event and return its seq.

        Raises `UnusableError` if the session refuses it.
        """
        seq = len(self.log) + 1
        self.session.add_line(RawEvent(seq, seq, raw["type"], raw.get("data", {}), by=by))
        self.log.append(raw)
        return seq

    def say(self, kind: str, /, **data: Any) -> int:
        """Add an event of this type with this data, and return its seq."""
        return self.add(event(kind, **data))

    def strike(self, seq: int) -> int:
        return self.add(struck(seq))

    def replace(self, seq: int, kind: str, /, **data: Any) -> int:
        return self.add(replaced(seq, kind, **data))

    def insert(self, after: int, kind: str, /, **data: Any) -> int:
        return self.add(inserted(after, kind, **data))

    @property
    def view(self) -> ReportView:
        return view_report(self.session)

    @property
    def report(self) -> dict[str, Any]:
        """The report, as its JSON has it."""
        return to_json_values(self.view)

    def match(self, number: int = 1) -> dict[str, Any]:
        """A match of the report."""
        shown: dict[str, Any] = self.report["matches"][number - 1]
        return shown

    def hand(self, number: int, match: int = 1) -> dict[str, Any]:
        """A hand of the report."""
        shown: dict[str, Any] = self.match(match)["hands"][number - 1]
        return shown

    @property
    def codes(self) -> list[str]:
        """The codes of the findings, but for what was merely not recorded."""
        codes = [finding["code"] for finding in self.report["findings"]]
        return [code for code in codes if code != "not_recorded"]


def riparto(*, end: Any = "open", seats: str = "mara leo nina", **options: Any) -> Evening:
    """An evening at which a match of Riparto has been started, in event 2."""
    table = seats.split()
    return Evening(
        opening(*table, *[player for player in NAMES if player not in table]),
        event("match_started", game="riparto", seats=table, options={"match_end": end, **options}),
    )


def play_hand(evening: Evening, dealer: str, bidder: str = "mara", bid: int = 5) -> list[int]:
    """Add a hand of Riparto for three by its totals, made by the bidder; return the three seqs."""
    seats = evening.session.structure.matches[-1].seats
    others = [seat for seat in seats if seat != bidder]
    points = {bidder: bid, others[0]: 15 - bid, others[1]: 0}
    return [
        evening.say("hand_started", dealer=dealer),
        evening.say("bid_made", player=bidder, points=bid),
        evening.say("points_counted", points=points),
    ]


def by_hand(events: Iterable[Raw]) -> bytes:
    """Return a log by hand."""
    return "".join(json.dumps(raw, ensure_ascii=False) + "\n" for raw in events).encode()


def sealed(events: Iterable[Raw], by: str = "import", at: str = AT) -> bytes:
    """Return a sealed log, all of whose entries were recorded at one time."""
    pairs = [(raw["type"], raw.get("data", {})) for raw in events]
    return b"".join(sealed_lines(pairs, at=at, by=by))


def score(log: bytes) -> dict[str, Any]:
    """Return the report of a log file."""
    return build_report(Session.read(BytesIO(log)))


def a_log() -> list[Raw]:
    """Return a short session with cards, tricks, a count, a correction and text beyond ASCII."""
    evening = riparto(end={"target": 21})
    evening.say("note_added", text="È già “tardi”:\n\t5 × 3 = 15 \\ ok? 🂡")
    evening.say("hand_started", dealer="mara")
    evening.say("bid_made", player="leo", points=4)
    evening.say("card_played", player="leo", card="10H")
    evening.say("trick_taken", player="nina")
    count = evening.say("points_counted", points={"leo": 4, "nina": 11, "mara": 0})
    evening.replace(count, "points_counted", points={"leo": 4, "mara": 11})
    evening.say("penalty_given", side="nina", points=-3, reason="")
    evening.say("session_closed")
    return evening.log


def golden_logs() -> list[Path]:
    """Return the paths of all golden logs."""
    return sorted(GOLDEN.glob("*/*.jsonl"))


def golden_evenings() -> list[Path]:
    """Return the path of the golden log of a whole evening of each game."""
    return [path for path in golden_logs() if path.stem == "evening"]
