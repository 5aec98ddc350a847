"""Each store behaves like the reference model in any sequence of calls."""

from collections.abc import Callable
from typing import Any, cast

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from hypothesis.stateful import run_state_machine_as_test as run_machine

from scorekeeper.base.errors import ScorekeeperError
from scorekeeper.store import Store
from scorekeeper.store.contract import Key, KeyRequest
from tests.conftest import SOAK
from tests.store.asking import KEYS, OPENING, Clock, append, note, request
from tests.store.homes import Home
from tests.store.model import Model

EXAMPLES, STEPS = (500, 50) if SOAK else (15, 25)

FEW = st.integers(0, 3)
LATER = "2026-11-21T20:30:00.000Z"
NAMES = st.sampled_from(["one", "two", "three"])


class Twins(RuleBasedStateMachine):
    """A machine that makes every call to a store and to the model, and compares the outcomes."""

    home: Home

    @initialize()
    def begin(self) -> None:
        self.clock = Clock()
        self.model = cast("Store", Model(self.clock))
        self.store = self.home.set_clock(self.clock)
        self.sessions: list[tuple[str, str]] = []
        self.secrets: list[tuple[str, str]] = []
        self.add_session()

    def teardown(self) -> None:
        self.store.close()

    def both(self, call: Callable[[Store, int], Any]) -> Any:
        """Make a call to both, check that the value or error is equal, and return it."""
        outcomes = []
        for which, store in enumerate((self.model, self.store)):
            try:
                outcomes.append(call(store, which))
            except ScorekeeperError as error:
                facts = (getattr(error, "version", None), getattr(error, "head", None))
                outcomes.append((type(error), *facts))
        assert outcomes[0] == outcomes[1]
        return outcomes[0]

    def any_session(self, number: int) -> tuple[str, str]:
        return self.sessions[number % len(self.sessions)]

    # ------------------------------------------------------------------------------- streams

    @rule()
    def add_session(self) -> None:
        opened_in_both = [
            store.open_session(OPENING, "keeper", KEYS) for store in (self.model, self.store)
        ]
        assert opened_in_both[0].lines == opened_in_both[1].lines
        self.sessions.append((opened_in_both[0].id, opened_in_both[1].id))
        for keys in zip(opened_in_both[0].keys, opened_in_both[1].keys, strict=True):
            self.secrets.append((keys[0].secret, keys[1].secret))

    @rule(number=FEW, behind=st.sampled_from([0, 0, 0, 1, -1]), events=FEW,
          key=st.none() | NAMES, body=NAMES)  # fmt: skip
    def append(self, number: int, behind: int, events: int, key: str | None, body: str) -> None:
        ids = self.any_session(number)
        expected = self.model.position(ids[0]).version - behind
        new = [note(f"{body} {n}") for n in range(events)]
        asked = None if key is None else request(key, body.encode())
        self.both(lambda store, which: append(store, ids[which], expected, new, "mara", asked))

    @rule(number=FEW, after=st.integers(-1, 9))
    def read(self, number: int, after: int) -> None:
        ids = self.any_session(number)
        self.both(lambda store, which: store.read(ids[which], after))
        self.both(lambda store, which: store.hash_at(ids[which], after))

    @rule(number=FEW, key=NAMES, body=NAMES)
    def look_for_an_answer(self, number: int, key: str, body: str) -> None:
        ids, digest = self.any_session(number), request(key, body.encode()).digest
        self.both(lambda store, which: store.answered(ids[which], key, digest))

    @rule(number=FEW)
    def copy(self, number: int) -> None:
        ids = self.any_session(number)
        imported = []
        for store, session_id in zip((self.model, self.store), ids, strict=True):
            imported.append(store.import_sealed(store.export(session_id).splitlines(keepends=True)))
        assert imported[0].lines == imported[1].lines
        self.sessions.append((imported[0].id, imported[1].id))

    # ---------------------------------------------------------------------------------- keys

    @rule(number=FEW, role=st.sampled_from(["host", "view", "seat", "owner"]),
          player=st.none() | st.just("mara"), expires=st.none() | st.just(LATER))  # fmt: skip
    def add_key(self, number: int, role: Any, player: str | None, expires: str | None) -> None:
        ids, secrets = self.any_session(number), ["", ""]

        def add(store: Store, which: int) -> object:
            new = store.add_key(ids[which], KeyRequest(role, player, expires))
            secrets[which] = new.secret
            return shape(new.key)

        self.both(add)
        if all(secrets):
            self.secrets.append((secrets[0], secrets[1]))

    @rule(number=st.integers(0, 9), use=st.booleans(), revoke=st.booleans())
    def use_key(self, number: int, use: bool, revoke: bool) -> None:
        secrets = self.secrets[number % len(self.secrets)]

        def find(store: Store, which: int) -> object:
            key = store.find_key(secrets[which])
            if key is None:
                return None
            if use:
                store.touch_key(key)
            if revoke:
                store.revoke_key(key.stream_id, key.id)
            return shape(key)

        self.both(find)

    @rule(number=FEW)
    def list_keys(self, number: int) -> None:
        ids = self.any_session(number)
        self.both(lambda store, which: sorted(map(shape, store.keys(ids[which])), key=str))

    # -------------------------------------------------------------------------------- limits

    @rule(who=NAMES, most=st.integers(1, 3), window=st.sampled_from([1, 60]))
    def hit(self, who: str, most: int, window: int) -> None:
        me = f"{who} {id(self)}"  # the database may contain limits of other tests
        kind = f"in {window}"  # one kind has one window
        self.both(lambda store, which: store.wait(kind, me, most, window))
        self.both(lambda store, which: store.hit(kind, me, most, window))

    # --------------------------------------------------------------------------------- world

    @rule(seconds=st.sampled_from([0.001, 1, 59, 3600, -1, -7200]))
    def time_goes_by(self, seconds: float) -> None:
        self.clock.go(seconds)

    @rule()
    def restart(self) -> None:
        self.store.close()
        self.store = self.home.open(self.clock)

    @invariant()
    def logs_are_the_same(self) -> None:
        for ids in getattr(self, "sessions", [])[-2:]:
            self.both(lambda store, which, ids=ids: store.export(ids[which]))  # type: ignore[misc]


def shape(key: Key) -> tuple[object, ...]:
    """Return the facts of a key that must be equal in both."""
    return key.role, key.player, key.created, key.expires, key.revoked, key.last_used


def test_store_behaves_like_the_model(home: Home) -> None:
    class TwinsWithHome(Twins):
        pass

    TwinsWithHome.home = home

    several = settings(
        max_examples=EXAMPLES,
        stateful_step_count=STEPS,
        suppress_health_check=list(HealthCheck),
    )
    run_machine(TwinsWithHome, settings=several)
