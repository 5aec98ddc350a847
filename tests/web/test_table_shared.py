"""Parts of a table, its log and its results are cached for all viewers with equal access.

After any entry, correction, undo or dispute, a viewer gets byte for byte the content that is made
for them alone, except for the keys of forms, which are new each time.

Tests of ``web.entry.moment``.
"""

import importlib
import re
from collections.abc import Hashable, Iterator
from itertools import product
from random import Random
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.service.shared import SharedCache
from scorekeeper.session.session import Session
from scorekeeper.web.entry import table as page_of_table
from scorekeeper.web.entry.board import build_board
from scorekeeper.web.frame import drawings
from tests.api.asking import bearer, client_of
from tests.browser.hands import GAMES as HANDS
from tests.conftest import SOAK
from tests.evenings import Raw, event
from tests.players.common import GAMES, seeded
from tests.thinned import thinned
from tests.web.tapping import FRAGMENT, Tapped
from tests.web.test_face_down import SECRET, secrets, two_worlds

STEPS: Final = 200 if SOAK else 9  # of a history
LOOKS: Final = 4 if SOAK else 2  # after each of them
KEY: Final = re.compile(r'name="key" value="[\w-]{22}(?=-)')
LANGUAGES: Final = ("en", "it", "fr")
VIEWS: Final = ("", "?view=watch", "?view=flat", "?level=totals", "?level=tricks", "?level=cards",
                "/log", "/results", "/results?match=1&to=1")  # fmt: skip


@pytest.fixture(scope="module")
def visited() -> FlaskClient:
    return client_of(sessions_an_hour=10**6)


def played(game: str, rng: Random) -> tuple[list[str], Iterator[Raw]]:
    """Yield the seats of a table, and the events of match after match."""
    module = importlib.import_module(f"tests.players.{game}")
    seats = ["mara", "leo", "nina", "ugo", "ada", "zoe"][: rng.choice(module.SEATS)]

    def told() -> Iterator[Raw]:
        while True:
            match = module.Match(rng, tuple(seats), {})
            yield event("match_started", game=game, seats=seats)
            while not match.over:
                yield from match.play_hand().records[rng.choice(["totals", "tricks", "cards"])]

    return seats, told()


def otherwise(table: Tapped, rng: Random) -> Raw:
    """Return an event outside of play: a correction, a dispute, a note, a penalty."""
    seq = rng.randrange(2, table.report()["version"] + 1)
    old = table.events()[seq - 1]
    return rng.choice([
        event("event_struck", seq=seq, reason="slip"),
        event("event_replaced", seq=seq, reason="slip", type=old["type"], data=old["data"]),
        event("event_inserted", after=seq, reason="slip", type="note_added", data={"text": "x"}),
        event("dispute_opened", id=f"d{seq}", match=1, hand=1, by=rng.choice(["mara", "leo"]),
              text="no"),
        event("note_added", text=f"note {seq}"),
        event("penalty_given", side=rng.choice(["mara", "A"]), points=2, reason="slip"),
        event("hand_abandoned", reason="slip"),
    ])  # fmt: skip


def tried(table: Tapped, raw: Raw) -> bool:
    """Record an event if possible; return whether it was recorded."""
    answer = table.client.post(
        f"/api/sessions/{table.id}/events",
        json={"events": [raw], "as_played": True},
        headers={**bearer(table.keys["host"]), "If-Match": f'"{table.report()["version"]}"'},
    )
    assert answer.status_code in (201, 409, 422), answer.text
    return answer.status_code == 201


class CountingCache(SharedCache):
    """The cache, with the number of parts that were made for it."""

    made = 0

    def put(self, key: Hashable, content: bytes) -> None:
        self.made += 1
        super().put(key, content)


class Looks:
    """Requests for a table, and the number of parts that were made for them."""

    def __init__(self, table: Tapped, monkeypatch: pytest.MonkeyPatch) -> None:
        self._table, self._patch = table, monkeypatch
        self._service = table.client.application.extensions["service"]
        self._shared = CountingCache()
        self.hiding: set[bool] = set()  # whether something lay face down for who looked
        monkeypatch.setattr(self._service, "_shared", self._shared)
        monkeypatch.setattr(page_of_table, "build_board", self._recording_board)

    def _recording_board(self, session: Session, *args: Any, **more: Any) -> Any:
        self.hiding.add(bool(session.hidden))
        return build_board(session, *args, **more)

    @property
    def made(self) -> int:
        """The number of parts made so far."""
        return self._shared.made

    def look(self, who: str, view: str, language: str) -> str:
        """Return the content, with the keys of forms made equal."""
        answer = self._table.get(view, who, **{"Accept-Language": language}, **FRAGMENT)
        assert answer.status_code == 200
        return KEY.sub("", answer.text)

    def alone(self, *way: str) -> str:
        """Return the same content, made for this viewer alone."""
        with self._patch.context() as afresh:
            afresh.setattr(self._service, "_shared", SharedCache())
            afresh.setattr(page_of_table, "MOMENTS", SharedCache(weigh=lambda _: 1))
            afresh.setattr(drawings, "_render_cached", lambda macro, facts, *_: macro(*facts))
            return self.look(*way)


def orders() -> Iterator[Any]:
    """Each game with its first viewer, by turns; in the soak in both orders."""
    for place, game in enumerate(SECRET):
        for number, first in enumerate(("host", "view")):
            marks = [] if number == place % 2 else [pytest.mark.soak]
            yield pytest.param(game, first, marks=marks)


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_cached_content_equals_content_made_for_one_viewer(
    visited: FlaskClient, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = seeded(1)
    seats, events = played(game, rng)
    table = Tapped.open(visited, " ".join(seats), next(events))
    looks, corrected = Looks(table, monkeypatch), 0
    ways = list(product(("view", "host", *seats), VIEWS, LANGUAGES))
    for _ in range(STEPS):
        if rng.random() < 0.4:
            corrected += tried(table, otherwise(table, rng))
        else:
            tried(table, next(events))
        for way in rng.sample(ways, LOOKS):
            shown, content = looks.look(*way), looks.made
            assert (looks.look(*way), looks.made) == (shown, content)
            assert looks.alone(*way) == shown
    assert corrected > STEPS / 10


@pytest.mark.parametrize(("game", "first"), list(orders()))
def test_cached_content_reveals_no_face_down_card(
    visited: FlaskClient, game: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = HANDS[game].split()
    table = Tapped.open(visited, HANDS[game], event("match_started", game=game, seats=seats))
    looks = Looks(table, monkeypatch)
    everybody = sorted(("host", "view", *seats[:2]), key=lambda who: who != first)
    for raw in two_worlds(game, *secrets(game)[0])[0]:
        table.record(raw, as_played=True)
        shown = {who: looks.look(who, "?level=cards", "en") for who in everybody}
        assert shown == {who: looks.alone(who, "?level=cards", "en") for who in everybody}
    assert looks.hiding == {True, False}


def test_phones_that_show_the_same_version_share_what_follows(
    visited: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that watch a table ask after each entry, with the version that they show."""
    seats = ["mara", "leo", "nina"]
    started = event("match_started", game="riparto", seats=seats)
    table = Tapped.open(visited, " ".join(seats), started, event("hand_started", dealer="mara"))
    looks = Looks(table, monkeypatch)
    for version in (3, 4):
        table.record(event("note_added", text="Coffee"))
        before = looks.made
        for _ in range(5):
            answer = table.get(who="view", **FRAGMENT, **{"X-Shown": str(version)})
            assert "Coffee" in answer.text
        assert looks.made == before + 1


def test_each_response_has_its_own_form_keys(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo nina", event("match_started", game="riparto",
                                                        seats=["mara", "leo", "nina"]))  # fmt: skip
    shown = [table.get(who="mara", **FRAGMENT).text for _ in range(3)]
    keys = [set(KEY.findall(page)) for page in shown]
    assert [len(key) for key in keys] == [1, 1, 1]
    assert len(set.union(*keys)) == 3
    assert page_of_table.A_KEY not in "".join(shown)


def test_revoked_key_gets_no_cached_content(visited: FlaskClient) -> None:
    table = Tapped.open(visited, "mara leo nina")
    assert table.get(who="view", **FRAGMENT).status_code == 200
    path, host = f"/api/sessions/{table.id}/keys", bearer(table.keys["host"])
    keys = visited.get(path, headers=host).get_json()["keys"]
    (view,) = [key["id"] for key in keys if key["role"] == "view"]
    assert visited.delete(f"{path}/{view}", headers=host).status_code == 204
    assert table.get(who="view", **FRAGMENT).status_code == 401
