"""A tournament over HTTP with its keys, and short calls for requests.

The director's key is called that of the host, as in the store.
"""

from typing import Any

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import NO_KEY, bearer
from tests.evenings import Raw, event
from tests.tournaments import hall

GAME = "riparto"  # three at a table


def opening_body(*entrants: str, **more: Any) -> Raw:
    """Return the body that opens a tournament with these entrants, by default of Riparto."""
    whole = {"game": GAME, **more}
    data = hall.opening({"rounds": 2, "table": {"from": 3, "to": 3}}, **whole)["data"]
    del data["format"]
    return {**data, "registered": [hall.registered(entrant)["data"] for entrant in entrants]}


class Hall:
    """A tournament for requests with its keys; ``keys`` are by role or player."""

    def __init__(self, client: FlaskClient, opened: Raw) -> None:
        self.client = client
        self.id: str = opened["id"]
        self.version: int = opened["version"]
        self.keys = {"host": opened["keys"]["director"], "view": opened["keys"]["view"]}

    @classmethod
    def open(cls, client: FlaskClient, *entrants: str, **more: Any) -> "Hall":
        """Open a tournament, by default with six entrants, at two tables of three."""
        people = entrants or ("ada", "bea", "ciro", "dora", "elio", "fede")
        answer = client.post("/api/tournaments", json=opening_body(*people, **more))
        assert answer.status_code == 201, answer.text
        return cls(client, answer.get_json())

    @property
    def path(self) -> str:
        """The path of the tournament."""
        return f"/api/tournaments/{self.id}"

    def ask(self, method: str, path: str, who: str = "host", **more: Any) -> TestResponse:
        """Send a request with the key of ``who``; a path outside begins with ``/api``."""
        headers = {**({} if who == NO_KEY else bearer(self.keys[who])), **more.pop("headers", {})}
        whole = path if path.startswith("/api/") else self.path + path
        return self.client.open(whole, method=method, headers=headers, **more)

    def get(self, path: str = "", who: str = "host", **more: Any) -> TestResponse:
        """Send a GET."""
        return self.ask("GET", path, who, **more)

    def read(self, path: str = "", who: str = "host", **more: Any) -> Any:
        """Send a GET, and return the JSON of the answer."""
        answer = self.get(path, who, **more)
        assert answer.status_code == 200, answer.text
        return answer.get_json()

    def append(
        self, *events: Raw, who: str = "host", key: str | None = None, at: int | None = None,
        path: str = "/events", body: Raw | None = None,
    ) -> TestResponse:  # fmt: skip
        """Append at the known version; return the answer."""
        headers = {"If-Match": f'"{self.version if at is None else at}"'}
        if key is not None:
            headers["Idempotency-Key"] = key
        sent = {"events": list(events)} if body is None else body
        answer = self.ask("POST", path, who, headers=headers, json=sent)
        if answer.status_code == 201:
            self.version = max(self.version, answer.get_json()["version"])
        return answer

    def do(self, *events: Raw, **more: Any) -> Raw:
        """Append events, check that they are recorded, and return the answer."""
        answer = self.append(*events, **more)
        assert answer.status_code == 201, answer.text
        answered: Raw = answer.get_json()
        return answered

    def draw(self, number: int, *tables: str, **more: Any) -> Raw:
        """Draw a round: each table is a text with its entrants."""
        data = {"stage": 1, "round": number, "tables": [table.split() for table in tables],
                "byes": [], "generator": hall.GENERATOR, "heads": {}, **more}  # fmt: skip
        return self.do(event("round_drawn", **data))

    def publish(self, number: int = 1, *paper: int, **more: Any) -> dict[int, str | None]:
        """Publish a round, and return the sessions of its tables."""
        body = {"round": number, "paper": list(paper)}
        answered = self.do(path="/publish", body=body, **more)
        sessions = answered["events"][0]["data"]["sessions"]
        return {int(table): session and session["session"] for table, session in sessions.items()}

    def add_key(self, role: str, player: str | None = None) -> str:
        """Make a key, store it under the player or the role, and return its id."""
        body = {"role": role, **({"player": player} if player else {})}
        answer = self.ask("POST", "/keys", json=body)
        assert answer.status_code == 201, answer.text
        self.keys[player or role] = answer.get_json()["key"]
        return str(answer.get_json()["id"])

    def key_ids(self) -> dict[str, list[str]]:
        """Return the ids of the valid keys by role or player."""
        ids: dict[str, list[str]] = {}
        for key in self.read("/keys")["keys"]:
            if key["revoked"] is None:
                ids.setdefault(key["player"] or key["role"], []).append(key["id"])
        return ids

    def record(self, session_id: str, *events: Raw, who: str, at: int) -> TestResponse:
        """Append to the session of a table."""
        return self.ask(
            "POST", f"/api/sessions/{session_id}/events", who,
            headers={"If-Match": f'"{at}"'}, json={"events": list(events), "as_played": True},
        )  # fmt: skip
