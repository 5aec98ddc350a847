"""A club over HTTP with its keys, and short calls for requests."""

from typing import Any, Final

from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from tests.api.asking import NO_KEY, Table, bearer, hand, match
from tests.evenings import Raw, event

PEOPLE: Final = ("mara", "leo", "nina")


class Circle:
    """A club for requests with its keys; ``keys`` are by role or member."""

    def __init__(self, client: FlaskClient, opened: Raw) -> None:
        self.client = client
        self.id: str = opened["id"]
        self.version: int = opened["version"]
        self.keys: dict[str, str] = dict(opened["keys"])

    @classmethod
    def open(cls, client: FlaskClient, *members: str, **more: Any) -> "Circle":
        """Open a club with these members, by default the usual three."""
        people = [{"id": member, "name": member.capitalize()} for member in members or PEOPLE]
        body = {"name": "Circolo", "currency": "EUR", "members": people, **more}
        answer = client.post("/api/clubs", json=body)
        assert answer.status_code == 201, answer.text
        return cls(client, answer.get_json())

    @property
    def path(self) -> str:
        """The path of the club."""
        return f"/api/clubs/{self.id}"

    def ask(self, method: str, path: str, who: str = "host", **more: Any) -> TestResponse:
        """Send a request with the key of ``who``."""
        headers = {**({} if who == NO_KEY else bearer(self.keys[who])), **more.pop("headers", {})}
        return self.client.open(self.path + path, method=method, headers=headers, **more)

    def get(self, path: str = "", who: str = "host", **more: Any) -> TestResponse:
        """Send a GET."""
        return self.ask("GET", path, who, **more)

    def append(
        self, *events: Raw, who: str = "host", keys: Any = (), key: str | None = None,
        at: int | None = None,
    ) -> TestResponse:  # fmt: skip
        """Append at the known version, with these keys to evenings; return the answer."""
        headers = {"If-Match": f'"{self.version if at is None else at}"'}
        if key is not None:
            headers["Idempotency-Key"] = key
        body: Raw = {"events": list(events)}
        if keys:
            body["keys"] = list(keys)
        answer = self.ask("POST", "/events", who, headers=headers, json=body)
        if answer.status_code == 201:
            self.version = max(self.version, answer.get_json()["version"])
        return answer

    def do(self, *events: Raw, **more: Any) -> Raw:
        """Append events, check that they are recorded, and return the answer."""
        answer = self.append(*events, **more)
        assert answer.status_code == 201, answer.text
        answered: Raw = answer.get_json()
        return answered

    def add_key(self, role: str, member: str | None = None) -> str:
        """Make a key, and store it under the member or the role."""
        body = {"role": role, **({"member": member} if member else {})}
        answer = self.ask("POST", "/keys", json=body)
        assert answer.status_code == 201, answer.text
        self.keys[member or role] = answer.get_json()["key"]
        return str(answer.get_json()["id"])

    def key_ids(self) -> dict[str, list[str]]:
        """Return the ids of the valid keys by role or member."""
        ids: dict[str, list[str]] = {}
        for key in self.get("/keys").get_json()["keys"]:
            if key["revoked"] is None:
                ids.setdefault(key["member"] or key["role"], []).append(key["id"])
        return ids

    def enter(self, table: Table, **more: Any) -> Raw:
        """Enter an evening with the key of its host."""
        return self.do(entering(table), keys=[table.keys["host"]], **more)

    def figures(self, season: str = "") -> dict[str, Any]:
        """Return the figures of the standings by member."""
        answer = self.get(f"/standings{f'?season={season}' if season else ''}")
        assert answer.status_code == 200, answer.text
        return {row["member"]: row["figure"] for row in answer.get_json()["rows"]}


def entering(table: Table, **players: str | None) -> Raw:
    """Return the event that enters an evening; players are members of the same id."""
    there = {key: key for key in table.keys if key not in ("host", "view")}
    return event("evening_entered", session=table.id, players={**there, **players})


def evening(client: FlaskClient, bidder: str = "leo", hands: int = 1) -> Table:
    """Record an evening of Riparto with won hands."""
    table = Table.open(client)
    table.do(
        match(),
        *(recorded for _ in range(hands) for recorded in hand(bidder=bidder)),
        as_played=True,
    )
    return table
