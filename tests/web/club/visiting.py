"""A club in its members' browsers: each is a phone that keeps its cookies."""

from collections.abc import Mapping
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.log.chain import START, seal
from tests.api.asking import created
from tests.evenings import Raw, event
from tests.web.pages import Page, page_of

OWN: Final = {"Origin": "http://localhost"}
GOLDEN: Final = Path(__file__).parents[2] / "golden"


@cache
def service() -> Flask:
    """The application of all clubs, which are independent of one another."""
    return created(sessions_an_hour=10**6, failed_keys_an_hour=10**6, computations_an_hour=10**6)


class Visit:
    """A phone that visits a club."""

    def __init__(self, app: Flask, club_id: str = "") -> None:
        self.app = app
        self.phone: FlaskClient = app.test_client()
        self.club_id = club_id

    @classmethod
    def found(cls, *members: str, zone: str = "UTC", **more: str) -> "Visit":
        """Open a new club on the phone of its host and first member."""
        names = members or ("Mara", "Leo", "Nina")
        visit = cls(service())
        visit.phone.set_cookie("zone", zone)
        others = "\n".join(names[1:])
        form = {"name": "Circolo", "me": names[0], "others": others, "money": "no", **more}
        answer = visit.phone.post("/club/new", data=form, headers=OWN)
        assert answer.status_code == 303, answer.text
        visit.club_id = answer.headers["Location"].rpartition("/")[2]
        return visit

    def look(self, path: str = "") -> TestResponse:
        """Return the response for one of its pages."""
        return self.phone.get(f"/club/{self.club_id}{path}")

    def page(self, path: str = "", status: int = 200) -> Page:
        """Return one of its pages, which must be well formed."""
        return well_formed(self.look(path), status)

    def post(self, path: str, **form: Any) -> TestResponse:
        """Return the response to a form of one of its pages."""
        return self.phone.post(f"/club/{self.club_id}{path}", data=form, headers=OWN)

    def refused(self, path: str, **form: Any) -> Page:
        """Return the page with the error of a form."""
        return well_formed(self.post(path, **form), 422)

    def done(self, path: str, **form: Any) -> str:
        """Return the address to which an accepted form redirected."""
        answer = self.post(path, **form)
        assert answer.status_code == 303, page_of(answer).words
        return answer.headers["Location"]

    def enter(self, *logs: bytes | Path, **more: str) -> Page:
        """Enter the evenings of logs; return the page with the results."""
        read = [log if isinstance(log, bytes) else log.read_bytes() for log in logs]
        files = [(BytesIO(content), f"{place}.jsonl") for place, content in enumerate(read)]
        answer = self.phone.post(
            f"/club/{self.club_id}/enter/files", data={"log": files, "join": "yes", **more},
            headers=OWN, content_type="multipart/form-data",
        )  # fmt: skip
        return well_formed(answer)

    def other(self, role: str, member: str = "") -> "Visit":
        """Return another phone, for which a link was made."""
        asked = f"as {member}" if member else role
        page = page_of(self.post("/settings/link", **{"for": asked}))
        (link,) = [a["href"] for a in page.all("a") if "/join/" in a.get("href", "")]
        other = Visit(self.app, self.club_id)
        key = link.rpartition("/")[2]
        assert other.phone.post("/join", data={"key": key}, headers=OWN).status_code == 303
        return other


def well_formed(answer: TestResponse, status: int = 200) -> Page:
    """Return the page of a response, which must be well formed."""
    assert answer.status_code == status, page_of(answer).words
    page = page_of(answer)
    assert page.wrong == []
    return page


def riparto(
    day: str = "2026-10-02", winner: str = "mara", seats: str = "mara leo nina", title: str = "",
    names: Mapping[str, str] | None = None, **more: Any,
) -> bytes:  # fmt: skip
    """Return the log of a Riparto evening with one hand of five points, won by the bidder."""
    players = seats.split()
    others = [player for player in players if player != winner]
    counts = dict.fromkeys(players, 0) | {winner: 5, others[0]: 10}
    events = [
        event("session_opened", title=title or f"Evening of {day}",
              players=[{"id": player, "name": (names or {}).get(player, player.capitalize())}
                       for player in players]),
        event("match_started", game="riparto", seats=players, **more),
        event("hand_started", dealer=players[0]),
        event("bid_made", player=winner, points=5),
        event("points_counted", points=counts),
        event("match_ended"),
    ]  # fmt: skip
    return log_of(events, day)


def log_of(events: list[Raw], day: str) -> bytes:
    """Return a sealed log of these events; the day may have its hour, as ``2026-10-02T23``."""
    hour = day if "T" in day else f"{day}T20"
    lines, before = list[bytes](), START
    for seq, raw in enumerate(events, start=1):
        at = f"{hour}:{seq:02}:00.000Z"
        sealed = seal(before, seq, raw["type"], raw["data"], at, "keeper")
        before = sealed.hash
        lines.append(sealed.line + b"\n")
    return b"".join(lines)
