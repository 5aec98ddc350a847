"""One address with endless requests does not keep others from reading and recording.

Tests of ``server.threads``, ``http.turns`` and ``answers.answer_queue``.
"""

import os
import time
from contextlib import ExitStack, closing
from typing import Final

from tests.conftest import SOAK, Figure
from tests.faults.looping import ATTACKER, looping, request
from tests.faults.phones import Phone
from tests.faults.test_abandoned import faulty
from tests.faults.test_slow import import_session
from tests.operation.serving import Server

SECONDS: Final = float(os.environ.get("SOAK_MINUTES", "1")) * 60 / 10 if SOAK else 0.5
NOTES: Final = 4000  # of the log that the attacker reads
PHONES: Final = 200
OTHER: Final = "127.0.0.3"
TABLES: Final = 4  # with wrong hands, for which the attacker wants corrections
HANDS: Final = 20  # at each of them
FILES: Final = ("text", "results.csv")
SLOWEST_ANSWER: Final = 5.0  # seconds, on a busy machine


def log(server: Server) -> bytes:
    """Return a request for a large log."""
    opening = {"title": "x", "players": [{"id": "a", "name": "A"}]}
    notes = [{"type": "note_added", "data": {"text": f"{n} {'x' * 900}"}} for n in range(NOTES)]
    imported = import_session(server, [{"type": "session_opened", "data": opening}, *notes])
    path = f"/api/sessions/{imported['id']}/log.jsonl"
    return request("GET", path, Authorization=f"Bearer {imported['keys']['view']}")


def test_endless_reads_from_one_address_do_not_delay_reads_from_others(
    unlimited: Server, figure: Figure
) -> None:
    sent = log(unlimited)
    times: list[float] = []
    with looping(unlimited.port, sent) as imported, closing(table(unlimited, OTHER)) as phone:
        end = time.monotonic() + SECONDS
        while time.monotonic() < end or len(times) < 10:
            began = time.monotonic()
            assert phone.ask().status == 200
            times.append(time.monotonic() - began)
            assert phone.insist("a note", f"note {len(times)}").status == 201
    figure(f"{len(times)} reads beside {imported}, the slowest {max(times) * 1000:.0f} ms")
    assert imported[200] > 0


def searches(server: Server) -> list[bytes]:
    """Return requests for suggestions at several tables, each of which takes seconds."""
    tables = [import_session(server, faulty(HANDS)) for _ in range(TABLES)]
    return [
        request(
            "GET",
            f"/api/sessions/{table['id']}/audit?suggest=1{hand}",
            Authorization=f"Bearer {table['keys']['view']}",
        )
        for hand in ("", *(f"&hand={number}" for number in range(1, HANDS)))
        for table in tables
    ]


def test_endless_long_answers_for_one_address_do_not_delay_those_for_others(
    unlimited: Server, figure: Figure
) -> None:
    times: list[float] = []
    attack = looping(unlimited.port, searches(unlimited))
    with attack as wanted, closing(table(unlimited, OTHER)) as phone:
        time.sleep(SECONDS)  # until all places to wait are taken
        for form in FILES:  # a helper process starts, and imports what it needs for them
            assert phone.ask(more=f"/{form}").status == 200
        end = time.monotonic() + 4 * SECONDS
        while time.monotonic() < end or len(times) < 10:
            for form in FILES:
                began = time.monotonic()
                answer = phone.ask(more=f"/{form}")
                assert answer.status == 200, answer.body
                times.append(time.monotonic() - began)
            assert phone.insist("a note", f"note {len(times)}").status == 201
    figure(f"{len(times)} files beside {wanted}, the slowest {max(times) * 1000:.0f} ms")
    assert max(times) < SLOWEST_ANSWER
    assert wanted[503] > 0  # the attacker asked for more than there is


def table(server: Server, address: str) -> Phone:
    """Open a session and return a phone at it."""
    return Phone(server.port, server.open_session(), address=address)


def test_two_hundred_phones_behind_one_address_are_all_served(unlimited: Server) -> None:
    """Without requests from other addresses, one address can use everything."""
    with ExitStack() as stack:
        imported = unlimited.open_session()
        phones = [
            stack.enter_context(closing(Phone(unlimited.port, imported, address=ATTACKER)))
            for _ in range(PHONES)
        ]
        for phone in phones:
            phone.connection.request("GET", phone.path, headers=phone.bearer)
        for phone in phones:
            answer = phone.connection.getresponse()
            answer.read()
            assert answer.status == 200
