"""Two worlds that differ only in face-down cards, and all requests that can be sent to them.

Ids, keys, times and hashes are equal in both, so that answers can be compared byte for byte.
"""

import random
from collections.abc import Collection, Iterator
from hashlib import sha256
from string import ascii_letters
from typing import Any, Final

import pytest
from flask.testing import FlaskClient
from werkzeug.routing import Rule

from scorekeeper.log import canonical
from scorekeeper.store import MemoryStore
from tests.api.asking import Table, client_of, session_body
from tests.evenings import AT, event


class World:
    """One of the worlds: a table at its own application.

    Two worlds with the same ``chance`` have the same ids and keys.
    """

    def __init__(
        self, client: FlaskClient, players: str, chance: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        dice = random.Random(chance)  # noqa: S311  # the same in both worlds
        monkeypatch.setattr("secrets.choice", dice.choice)
        monkeypatch.setattr(
            "secrets.token_urlsafe", lambda size: "".join(dice.choices(ascii_letters, k=size))
        )
        self.client = client
        answer = client.post("/api/sessions", json=session_body(*players.split()))
        self.table = Table(client, answer.get_json())

    def masked(self, seq: int) -> bool:
        """Return whether an event lies face down."""
        page = self.table.get(f"/events?after={seq - 1}&limit=1", who="view").get_json()
        return page["events"][0]["data"] is None


def application() -> FlaskClient:
    """Return a client of an application with a stopped clock."""
    store = MemoryStore(clock=lambda: AT)
    client = client_of(store, sessions_an_hour=10**6)
    client.application.extensions["service"]._clock = store.clock
    return client


def alike(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make hashes depend only on seq and type, and give all forms the same key."""

    def compute_hash(previous: str, unsealed: bytes) -> str:
        answer = canonical.decode(unsealed)
        return sha256(f"{previous} {answer['seq']} {answer['type']}".encode()).hexdigest()

    for module in ("log.chain", "log.reading", "store.streams"):
        monkeypatch.setattr(f"scorekeeper.{module}.compute_hash", compute_hash)
    monkeypatch.setattr("scorekeeper.web.frame.form_keys.token_urlsafe", lambda size: "k" * size)


def answers(world: World, who: str, but: Collection[str] = ()) -> Iterator[tuple[str, Any]]:
    """Yield the answers to a reader at every address of a session."""
    headers = {"Authorization": f"Bearer {world.table.keys[who]}"}
    for path in addresses(world, but):
        answer = world.client.get(path, headers=headers)
        assert answer.status_code < 500, path
        body = next(answer.iter_encoded(), b"") if answer.is_streamed else answer.data
        named = {name: answer.headers.get(name) for name in ("ETag", "Location", "Vary")}
        yield path, (answer.status_code, named, body)
        answer.close()
    for body in SUPPOSED:
        answer = world.table.ask("POST", "/what-if", who, json=body)
        yield f"what-if {body}", (answer.status_code, answer.data)


SUPPOSED: Final = (
    {"corrections": [event("event_struck", seq=4, reason="x")]},
    {"corrections": [event("event_struck", seq=5, reason="x")]},
    {"corrections": [event("event_inserted", after=5, **event("note_added", text="x"), reason="")]},
)
# Slow addresses that are equal for all masked readers: files, and a form for each event.
FILES: Final = ("results.xlsx", "sheet.pdf", "bundle.zip", "picture.png")
FORMS: Final = ("/e/<int:seq>", "/preview", "/export", "/settings", "/results", "/rematch")
LOOKING_BACK: Final = (
    "/d/<int:match>-<int:hand>",
    "/h/<int:match>-<int:hand>",
    "/audit",
    "/explain",
    ".csv",
    ".ics",
    "/new",
    "/key",
    "/share",
    "/keys",
    "/close",
    "/stream",
)
BRIEFLY: Final = (*FILES, *FORMS, *LOOKING_BACK)
QUERIES: Final = {
    "/events": ("", "?after=3&limit=2"),
    "/next": ("", "?level=totals", "?level=tricks", "?level=cards"),
    "/audit": ("", "?suggest=1"),
    "/explain": ("", "?match=1&hand=1"),
    "/witness": ("?version=3&head=" + "0" * 64,),
    "/t/<session_id>": ("", "?view=watch", "?view=flat", "?level=totals", "?level=cards"),
    "/preview": ("?pick=" + '[{"type":"event_struck","data":{"seq":6,"reason":"x"}}]',),
}


def addresses(world: World, but: Collection[str]) -> Iterator[str]:
    """Yield every address that reads the session."""
    for rule in world.client.application.url_map.iter_rules():
        if not rule.arguments & {"session", "session_id"} or "GET" not in (rule.methods or ()):
            continue
        if rule.rule.endswith(tuple(but)):
            continue
        ends = next((ask for end, ask in QUERIES.items() if rule.rule.endswith(end)), ("",))
        yield from (f"{path}{ask}" for path in _filled(rule, world.table) for ask in ends)


def _filled(rule: Rule, table: Table) -> Iterator[str]:
    urls = table.client.application.url_map.bind("localhost")
    seqs = range(1, table.version + 1) if "seq" in rule.arguments else [0]
    for seq in seqs:
        id_ = table.id
        values = {"session": id_, "session_id": id_, "match": 1, "hand": 1, "seq": seq}
        known = {name: values.get(name, "x") for name in rule.arguments}
        yield urls.build(rule.endpoint, known, method="GET")
