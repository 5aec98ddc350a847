"""A session over HTTP with its keys, and short calls for requests."""

import atexit
import json
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any, Final

from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from scorekeeper.app import create_app
from scorekeeper.config import read_settings
from scorekeeper.http.access import phone_cookie
from scorekeeper.store import MemoryStore, Store
from tests.evenings import NAMES, Raw, event

NO_KEY: Final = ""  # a request without a key


@cache
def data_dir() -> Path:
    """Return a folder for all applications of this process, which then compile templates once."""
    folder = Path(mkdtemp())
    atexit.register(rmtree, folder)
    return folder


def created(store: Store | None = None, **settings: Any) -> Flask:
    """Return a new application."""
    app = create_app(read_settings(**{"data_dir": data_dir(), **settings}), store or MemoryStore())
    app.testing = True
    return app


def client_of(store: Store | None = None, **settings: Any) -> FlaskClient:
    """Return a client of a new application, which keeps no cookies."""
    return created(store, **settings).test_client(use_cookies=False)


def bearer(secret: str) -> dict[str, str]:
    """Return the header with a key."""
    return {"Authorization": f"Bearer {secret}"}


def phone_of(key: str) -> str:
    """Return the secret of the phone that holds a key in tests."""
    return key[::-1]


def cookie_of(client: FlaskClient, *keys: str, **more: str) -> dict[str, str]:
    """Return the header of a phone that holds keys, with ``more`` cookies.

    Each key that opens something is given to the phone, without a request.
    """
    app, phone = client.application, phone_of(keys[0])
    for key in map(app.extensions["service"].store.find_key, keys):
        if key is not None:
            app.extensions["service"].store.take_key(phone, key)
    with app.app_context():
        jar = {phone_cookie(): phone, **more}
    return {"Cookie": "; ".join(f"{name}={value}" for name, value in jar.items())}


def session_body(*players: str, **more: Any) -> Raw:
    """Return the body that opens a session."""
    there = [{"id": player, "name": NAMES.get(player, player)} for player in players]
    return {"title": "Friday", "players": there, **more}


class Table:
    """A session for requests with the keys of its table; ``keys`` are by role or player."""

    def __init__(self, client: FlaskClient, opened: Raw) -> None:
        self.client = client
        self.id: str = opened["id"]
        self.version: int = opened["version"]
        self.head: str = opened["head"]
        keys = opened["keys"]
        self.keys: dict[str, str] = {
            "host": keys["host"], "view": keys["view"], **keys["seats"],
        }  # fmt: skip

    @classmethod
    def open(cls, client: FlaskClient, players: str = "mara leo nina") -> "Table":
        """Open a session with these players."""
        answer = client.post("/api/sessions", json=session_body(*players.split()))
        assert answer.status_code == 201, answer.get_data(as_text=True)
        return cls(client, answer.get_json())

    @classmethod
    def riparto(cls, client: FlaskClient, **options: Any) -> "Table":
        """Open a session, and begin a match of Riparto and its first hand."""
        table = cls.open(client)
        table.do(match(**options), event("hand_started", dealer="mara"))
        return table

    @property
    def path(self) -> str:
        """The path of the session."""
        return f"/api/sessions/{self.id}"

    def ask(self, method: str, path: str, who: str = "host", **more: Any) -> TestResponse:
        """Send a request with the key of ``who``."""
        headers = {**({} if who == NO_KEY else bearer(self.keys[who])), **more.pop("headers", {})}
        return self.client.open(self.path + path, method=method, headers=headers, **more)

    def cookie(self, who: str = "host", **more: str) -> dict[str, str]:
        """Return the header of the phone that holds the key of ``who``, with ``more`` cookies."""
        return cookie_of(self.client, self.keys[who], **more)

    def get(self, path: str = "", who: str = "host", **headers: str) -> TestResponse:
        """Send a GET; underscores in the names of headers become hyphens."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.ask("GET", path, who, headers=named)

    def tag(self, who: str = "host", version: int | None = None) -> str:
        """Return the entity tag of an answer to ``who``, at the last version or another one."""
        masked = "" if who == "host" else "-masked"
        return f'"{self.version if version is None else version}{masked}"'

    def report(self) -> Raw:
        """Return the report."""
        body: Raw = self.get().get_json()
        return body

    def append(
        self,
        *events: Raw,
        who: str = "host",
        at: int | None = None,
        key: str | None = None,
        as_played: bool | None = None,
    ) -> TestResponse:
        """Append at a version, by default the last known one; return the answer."""
        body: Raw = {"events": list(events)}
        if as_played is not None:
            body["as_played"] = as_played
        headers = {"If-Match": f'"{self.version if at is None else at}"'}
        if key is not None:
            headers["Idempotency-Key"] = key
        answer = self.ask("POST", "/events", who, headers=headers, json=body)
        if answer.status_code == 201:
            self.version = max(self.version, answer.get_json()["version"])
            self.head = answer.get_json()["head"]
        return answer

    def do(self, *events: Raw, **more: Any) -> Raw:
        """Append events, check that they are recorded, and return the answer."""
        answer = self.append(*events, **more)
        assert answer.status_code == 201, answer.get_data(as_text=True)
        body: Raw = answer.get_json()
        return body

    def add_key(self, role: str, who: str = "host", **more: Any) -> TestResponse:
        """Request a key; return the answer."""
        return self.ask("POST", "/keys", who, json={"role": role, **more})

    def key_ids(self) -> dict[str, list[str]]:
        """Return the ids of the valid keys by role or player."""
        ids: dict[str, list[str]] = {}
        for key in self.get("/keys").get_json()["keys"]:
            if key["revoked"] is None:
                ids.setdefault(key["player"] or key["role"], []).append(key["id"])
        return ids


def match(seats: str = "mara leo nina", **options: Any) -> Raw:
    """Return the event that starts a match of Riparto."""
    more = {"options": options} if options else {}
    return event("match_started", game="riparto", seats=seats.split(), **more)


def hand(dealer: str = "mara", bidder: str = "leo", points: int = 5) -> list[Raw]:
    """Return a hand of Riparto by its totals, won by the bidder."""
    others = [player for player in ("mara", "leo", "nina") if player != bidder]
    counts = {bidder: points, others[0]: 15 - points, others[1]: 0}
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=bidder, points=points),
        event("points_counted", points=counts),
    ]


def problem_of(answer: TestResponse) -> tuple[int, str]:
    """Return the status and the code of a problem."""
    assert answer.mimetype == "application/problem+json", answer.get_data(as_text=True)
    problem = json.loads(answer.data)
    assert problem["status"] == answer.status_code
    return answer.status_code, problem["code"]
