"""Who guesses keys is stopped, in all processes together; who has one does not notice."""

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
from tests.faults.running import WRONG_KEYS, Again, Two

PHONES: Final = 8
NOTES: Final = 10 if SOAK else 5  # of each
TOO_MANY: Final = WRONG_KEYS + (50 if SOAK else 20)  # guesses


def wrong(session: Any, number: int) -> Any:
    """A session with a key that is none."""
    return {**session, "keys": {"host": f"guess-{number:06}-{'x' * 20}"}}


def guess(running: Again, session: Any, address: str, numbers: Sequence[int]) -> Counter[int]:
    """How often each status was answered to who guesses, and says to be somebody else."""
    told = Counter[int]()
    for number in numbers:
        with closing(Phone(running.port, wrong(session, number), address=address)) as phone:
            answer = phone.ask(
                X_Forwarded_For=f"203.0.113.{number % 256}", Forwarded="for=10.0.0.1"
            )
            told[answer.status] += 1
            assert answer.status == 401 or int(answer.headers["Retry-After"]) > 1
    return told


def record(running: Again, session: Any, address: str, name: int) -> list[int]:
    """The statuses that are answered to who has a key."""
    with closing(Phone(running.port, session, address=address)) as phone:
        return [phone.insist("a note", f"{name} {n}").status for n in range(NOTES)]


def guess_and_record(servers: Sequence[Again], guesses: int) -> None:
    """Guess through all servers at once, from an address from which others record."""
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
    told = sum((one.result() for one in guessing), Counter[int]())
    assert told == {401: WRONG_KEYS, 429: guesses - WRONG_KEYS}


def test_who_guesses_is_stopped_and_who_has_a_key_is_not(on_postgres: Two) -> None:
    guess_and_record([on_postgres.sound, on_postgres.altered], TOO_MANY)


@pytest.mark.soak
def test_a_service_that_counts_nothing_is_found_out(on_postgres: Two) -> None:
    with (
        on_postgres.altered.broken("counts nothing"),
        pytest.raises(AssertionError, match=r"Counter\(\{401: "),
    ):
        guess_and_record([on_postgres.sound, on_postgres.altered], TOO_MANY)


# ------------------------------------------------------------------------------------- codes

OF_AN_ADDRESS: Final = 15  # wrong codes in an hour that are looked up whatever they begin with


def post_code(running: Again, address: str, code: str, number: int = 0) -> int:
    """The status that is answered to who posts a code, and says to be somebody else."""
    connection = HTTPConnection("127.0.0.1", running.port, timeout=30, source_address=(address, 0))
    with closing(connection):
        headers = {"Content-Type": "application/x-www-form-urlencoded",
                   "Sec-Fetch-Site": "same-origin",
                   "X-Forwarded-For": f"203.0.113.{number % 256}"}  # fmt: skip
        connection.request("POST", "/code", f"code={code}&show=seats", headers)
        answer = connection.getresponse()
        assert answer.status != 429 or int(answer.headers["Retry-After"]) > 1
        return answer.status


def test_who_guesses_codes_learns_of_few_and_who_has_one_is_let_in(on_postgres: Two) -> None:
    """Through two processes at once, some of them with the beginning of the right one."""
    running, session = on_postgres.sound, on_postgres.sound.server.open_session()
    a, b = random.randint(1, 254), random.randint(1, 254)  # noqa: S311
    here, elsewhere = f"127.{a}.{b}.2", f"127.{a}.{b}.3"
    with open_store(on_postgres.url) as store:
        code = store.new_code(session["id"], 900)
        tails = ["".join(random.choices(LETTERS, k=4)) for _ in range(100)]  # noqa: S311
        others = [f"{begun}{tail}" for tail in tails for begun in ("22", "33", "44")]
        guesses = [other for other in others if other[:2] != code[:2]][:100]
        with ThreadPoolExecutor(4) as pool:
            told = Counter(pool.map(post_code, repeat(running), repeat(here), guesses, count()))
        assert set(told) == {404, 429}
        assert OF_AN_ADDRESS <= told[404] <= OF_AN_ADDRESS + 4  # and those then under way
        assert [post_code(running, here, code) for _ in range(PHONES)] == [200] * PHONES
        near = [f"{code[:2]}{tail}" for tail in tails if tail != code[2:]]
        with ThreadPoolExecutor(4) as pool:
            told = Counter(pool.map(post_code, repeat(running), repeat(here), near, count()))
        assert set(told) == {429}
        assert store.wait("wrong code begun so", code[:2], OF_AN_ADDRESS, 3600) > 0
        assert post_code(running, elsewhere, code) == 200  # and others do not notice
