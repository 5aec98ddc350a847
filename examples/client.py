"""Open a table, record a hand, read the report, and follow what others record.

python3 examples/client.py http://127.0.0.1:8000
"""

import json
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen
from uuid import uuid4

TRIES = 5
SILENCE_SECONDS = 90  # that the service may be silent; in a stream it is for a few at most


class Client:
    """The calls of one service, with the host's key of a table once it is open."""

    def __init__(self, service: str) -> None:
        self.api = f"{service.rstrip('/')}/api"
        self.headers: dict[str, str] = {}

    def send(self, path: str, body: Any = None, **headers: str) -> HTTPResponse:
        """Return the answer to a request, which is a POST if it has a body.

        Each try of a POST has the same Idempotency-Key, so it takes effect once.
        """
        headers = {**self.headers, **headers}
        if body is not None:
            headers |= {"Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
        data = json.dumps(body).encode() if body is not None else None
        for seconds in range(1, TRIES + 1):
            try:
                request = Request(self.api + path, data, headers)
                return urlopen(request, timeout=SILENCE_SECONDS)  # type: ignore[no-any-return]
            except HTTPError as error:
                if error.code not in (429, 503) or seconds == TRIES:
                    sys.exit(f"{self.api}{path}: {error}\n{error.read(500).decode()}")
                time.sleep(int(error.headers["Retry-After"]))
            except OSError as error:
                if seconds == TRIES:
                    sys.exit(f"{self.api}{path}: {error}")
                time.sleep(seconds)
        raise AssertionError

    def read(self, path: str, body: Any = None, **headers: str) -> Any:
        """Return the JSON of an answer."""
        with self.send(path, body, **headers) as answer:
            return json.load(answer)

    def open_table(self, title: str, **players: str) -> str:
        """Open a table, hold its host's key from now on, and return its path."""
        people = [{"id": player, "name": name} for player, name in players.items()]
        table = self.read("/sessions", {"title": title, "players": people})
        self.headers["Authorization"] = f"Bearer {table['keys']['host']}"
        return f"/sessions/{table['id']}"

    def record(self, table: str, version: int, *events: dict[str, Any]) -> int:
        """Record events after a version that the client has seen, and return the new version."""
        seen = {"If-Match": f'"{version}"'}
        return int(self.read(f"{table}/events", {"events": events}, **seen)["version"])

    def follow(self, table: str) -> Iterator[int]:
        """Yield the version at each change. A stream ends after a minute, and is opened again."""
        while True:
            with suppress(OSError, HTTPException), self.send(f"{table}/stream") as stream:
                for line in stream:
                    if line.startswith(b"data: "):
                        yield json.loads(line[len(b"data: ") :])["version"]


def main(service: str) -> None:
    """Record a hand of Riparto, print its score, and then each event that comes after it."""
    client = Client(service)
    table = client.open_table("Friday", mara="Mara", leo="Leo", nina="Nina")
    seen = client.record(
        table, 1,  # the version of a new table
        {"type": "match_started", "data": {"game": "riparto", "seats": ["mara", "leo", "nina"]}},
        {"type": "hand_started", "data": {"dealer": "mara"}},
        {"type": "bid_made", "data": {"player": "leo", "points": 5}},
        {"type": "points_counted", "data": {"points": {"leo": 5, "nina": 6}}},
    )  # fmt: skip
    for line in client.read(table)["matches"][0]["hands"][0]["lines"]:
        print(f"{line['side']} {line['points']:+}: {line['text']} ({line['rule']})")
    print("Following", table, client.headers["Authorization"], flush=True)
    for _ in client.follow(table):
        for event in client.read(f"{table}/events?after={seen}")["events"]:
            print(seen := event["seq"], event["type"], event["data"], flush=True)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        main(*sys.argv[1:2] or ["http://127.0.0.1:8000"])
