"""Guesses of keys are limited across all processes, without effect on clients with a key."""

import random
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from itertools import count, repeat
from typing import Any, Final

import pytest

from scorekeeper.store import open_store
from scorekeeper.store.keyring import LETTERS
from tests.conftest import SOAK
from tests.faults.phones import Phone
from tests.faults.running import WRONG_KEYS, RestartableServer, ServerPair

PHONES: Final = 8
NOTES: Final = 10 if SOAK else 5  # of each
TOO_MANY: Final = WRONG_KEYS + (50 if SOAK else 20)  # guesses


def wrong(session: Any, number: int) -> Any:
    """Return a session with a wrong key."""
    return {**session, "keys": {"host": f"guess-{number:06}-{'x' * 20}"}}


def guess(
    running: RestartableServer, session: Any, address: str, numbers: Sequence[int]
) -> Counter[int]:
    """Guess keys with forged forwarding headers; count the answers by status."""
    statuses = Counter[int]()
    for number in numbers:
        with closing(Phone(running.port, wrong(session, number), address=address)) as phone:
            answer = phone.ask(
                X_Forwarded_For=f"203.0.113.{number % 256}", Forwarded="for=10.0.0.1"
            )
            statuses[answer.status] += 1
            assert answer.status == 401 or int(answer.headers["Retry-After"]) > 1
    return statuses


def record(running: RestartableServer, session: Any, address: str, name: int) -> list[int]:
    """Record with the right key; return the statuses."""
    with closing(Phone(running.port, session, address=address)) as phone:
        return [phone.insist("a note", f"{name} {n}").status for n in range(NOTES)]


def guess_and_record(servers: Sequence[RestartableServer], guesses: int) -> None:
    """Guess through all servers concurrently, from an address at which others record."""
    session = servers[0].server.open_session()
    address = f"127.0.{random.randint(1, 254)}.{random.randint(2, 254)}"  # noqa: S311
    ways = [server for server in servers for _ in range(2)]
    parts = [range(n, guesses, len(ways)) for n in range(len(ways))]
    with ThreadPoolExecutor(len(ways) + PHONES) as pool:
        guessing = [pool.submit(guess, way, session, address, part)
                    for way, part in zip(ways, parts, strict=True)]  # fmt: skip
        honest = pool.map(
            record, repeat(servers[0]), repeat(session), repeat(address), range(PHONES)
        )
        assert list(honest) == [[201] * NOTES] * PHONES
    statuses = sum((future.result() for future in guessing), Counter[int]())
    assert statuses == {401: WRONG_KEYS, 429: guesses - WRONG_KEYS}


def test_guesses_of_keys_are_refused_and_right_keys_work(on_postgres: ServerPair) -> None:
    guess_and_record([on_postgres.sound, on_postgres.altered], TOO_MANY)


@pytest.mark.soak
def test_service_that_counts_no_guesses_is_detected(on_postgres: ServerPair) -> None:
    with (
        on_postgres.altered.with_fault("counts nothing"),
        pytest.raises(AssertionError, match=r"Counter\(\{401: "),
    ):
        guess_and_record([on_postgres.sound, on_postgres.altered], TOO_MANY)


# ------------------------------------------------------------------------------------- codes

OF_AN_ADDRESS: Final = 15  # wrong codes in an hour that are looked up, with any beginning


def post_code(running: RestartableServer, address: str, code: str, number: int = 0) -> int:
    """Post a code with a forged forwarding header; return the status."""
    connection = HTTPConnection("127.0.0.1", running.port, timeout=30, source_address=(address, 0))
    with closing(connection):
        headers = {"Content-Type": "application/x-www-form-urlencoded",
                   "Sec-Fetch-Site": "same-origin",
                   "X-Forwarded-For": f"203.0.113.{number % 256}"}  # fmt: skip
        connection.request("POST", "/code", f"code={code}&show=seats", headers)
        answer = connection.getresponse()
        assert answer.status != 429 or int(answer.headers["Retry-After"]) > 1
        return answer.status


def test_guesses_of_codes_are_limited_and_the_right_code_works(on_postgres: ServerPair) -> None:
    """Through two processes concurrently, some of them with the beginning of the right code."""
    running, session = on_postgres.sound, on_postgres.sound.server.open_session()
    a, b = random.randint(1, 254), random.randint(1, 254)  # noqa: S311
    guessing_address, other_address = f"127.{a}.{b}.2", f"127.{a}.{b}.3"
    with open_store(on_postgres.url) as store:
        code = store.new_code(session["id"], 900)
        tails = ["".join(random.choices(LETTERS, k=4)) for _ in range(100)]  # noqa: S311
        others = [f"{begun}{tail}" for tail in tails for begun in ("22", "33", "44")]
        guesses = [other for other in others if other[:2] != code[:2]][:100]
        with ThreadPoolExecutor(4) as pool:
            statuses = Counter(
                pool.map(post_code, repeat(running), repeat(guessing_address), guesses, count())
            )
        assert set(statuses) == {404, 429}
        assert OF_AN_ADDRESS <= statuses[404] <= OF_AN_ADDRESS + 4  # and requests in progress
        assert [post_code(running, guessing_address, code) for _ in range(PHONES)] == [200] * PHONES
        near = [f"{code[:2]}{tail}" for tail in tails if tail != code[2:]]
        with ThreadPoolExecutor(4) as pool:
            statuses = Counter(
                pool.map(post_code, repeat(running), repeat(guessing_address), near, count())
            )
        assert set(statuses) == {429}
        assert store.wait("wrong code begun so", code[:2], OF_AN_ADDRESS, 3600) > 0
        assert post_code(running, other_address, code) == 200  # other addresses are not limited
