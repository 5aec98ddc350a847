"""``Idempotency-Key``: a repeated append is recorded once and gets the first answer."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tests.api.answers import complaints
from tests.api.asking import Table, client_of, hand, match, problem_of
from tests.evenings import event

PATH = "/api/sessions/{session}/events"
NOTE = event("note_added", text="a note")
OTHER = event("note_added", text="another")
LATE = event("bid_made", player="leo", points=4)


def version(table: Table) -> int:
    return int(table.get("/events").get_json()["version"])


def again(table: Table, known: str, key: str = "a") -> Any:
    headers = {"If-Match": known, "Idempotency-Key": key}
    return table.ask("POST", "/events", headers=headers, json={"events": [NOTE]})


def test_repetition_gets_the_first_answer_byte_for_byte(any_table: Table) -> None:
    first = any_table.append(NOTE, key="a")
    for _ in range(3):
        repeated = any_table.append(NOTE, at=1, key="a")
        assert (repeated.status_code, repeated.data) == (201, first.data)
        assert repeated.headers["ETag"] == first.headers["ETag"]
    assert version(any_table) == 2


def test_repetition_is_recognized_after_later_appends_at_another_version(any_table: Table) -> None:
    first = any_table.append(NOTE, key="a")
    any_table.do(match(), *hand())
    for known in ('"1"', '"2"', '"6"', '"99"'):
        repeated = again(any_table, known)
        assert (repeated.status_code, repeated.data) == (201, first.data), known
        assert repeated.headers["ETag"] == '"2"'
    assert version(any_table) == 6


def test_repetition_is_recognized_if_it_would_be_refused_now(any_table: Table) -> None:
    any_table.do(match(), event("hand_started", dealer="mara"))
    first = any_table.append(LATE, key="a")
    any_table.do(event("points_counted", points={"leo": 4, "mara": 11}), event("session_closed"))
    for at in (3, any_table.version):
        repeated = any_table.append(LATE, at=at, key="a")
        assert (repeated.status_code, repeated.data) == (201, first.data)


def test_repetition_is_recognized_by_another_process(any_table: Table) -> None:
    """Another application on the same store, with empty caches."""
    first = any_table.append(NOTE, key="a")
    store = any_table.client.application.extensions["service"].store
    any_table.client = client_of(store)
    assert any_table.append(NOTE, at=1, key="a").data == first.data
    assert version(any_table) == 2


def test_idempotency_key_with_another_body_is_refused(any_table: Table) -> None:
    any_table.do(NOTE, key="a")
    for at in (1, 2, 9):
        answer = any_table.append(OTHER, at=at, key="a")
        assert problem_of(answer) == (422, "idempotency_key_reused")
        assert complaints(any_table.client, PATH, answer) == []
        spaced = any_table.append(NOTE, at=at, key="a", as_played=False)
        assert problem_of(spaced) == (422, "idempotency_key_reused")
    assert problem_of(any_table.append(LATE, at=2, key="a")) == (422, "idempotency_key_reused")
    assert version(any_table) == 2


@pytest.mark.parametrize(
    ("events", "status"),
    [([event("note_added", text=7)], 422), ([LATE], 422),
     ([match(), *hand(), event("hand_started", dealer="mara")], 422)],
)  # fmt: skip
def test_refused_append_does_not_use_up_its_idempotency_key(
    any_table: Table, events: list[Any], status: int
) -> None:
    assert any_table.append(*events, key="a").status_code == status
    assert any_table.append(NOTE, at=7, key="a").status_code == 412
    assert any_table.append(NOTE, key="a").status_code == 201


def test_irregular_append_is_confirmed_with_the_same_idempotency_key(any_table: Table) -> None:
    wrong = [match(), *hand(), event("hand_started", dealer="mara")]
    assert problem_of(any_table.append(*wrong, key="a")) == (422, "irregular")
    first = any_table.append(*wrong, key="a", as_played=True)
    assert first.status_code == 201
    assert any_table.append(*wrong, at=1, key="a", as_played=True).data == first.data


def test_repetition_hides_no_irregularity_of_the_next_append(any_table: Table) -> None:
    """Repeated at the present version, it is folded before it is recognized."""
    low = event("bid_made", player="nina", points=3)
    any_table.do(match(), event("hand_started", dealer="mara"), LATE)
    first = any_table.append(low, key="a", as_played=True)
    assert any_table.append(low, key="a", as_played=True).data == first.data
    assert problem_of(any_table.append(low)) == (422, "irregular")


def test_idempotency_keys_belong_to_their_session(any_table: Table) -> None:
    other = Table.open(any_table.client)
    any_table.do(NOTE, key="a")
    assert other.append(OTHER, key="a").status_code == 201


def test_append_without_an_idempotency_key_is_recorded_again(table: Table) -> None:
    assert [table.append(NOTE).status_code for _ in range(2)] == [201, 201]
    assert table.version == 3


@pytest.mark.parametrize(
    "key", ["a", "A" * 200, " ", "~", 'a "quoted" one', "'; DROP TABLE request; --", "%00"]
)
def test_valid_idempotency_key_is_accepted(any_table: Table, key: str) -> None:
    first = any_table.append(NOTE, key=f"x{key}"[:200])
    assert first.status_code == 201
    assert any_table.append(NOTE, at=1, key=f"x{key}"[:200]).data == first.data


@pytest.mark.parametrize("key", ["", "x" * 201, "é", "a\tb", "a\x7fb"])
def test_invalid_idempotency_key_is_refused(table: Table, key: str) -> None:
    answer = table.append(NOTE, key=key)
    assert problem_of(answer) == (400, "malformed")
    assert complaints(table.client, PATH, answer) == []
    assert version(table) == 1


def test_repetition_needs_the_right_to_record(table: Table) -> None:
    table.do(NOTE, key="a")
    assert problem_of(table.append(NOTE, at=1, key="a", who="view")) == (403, "forbidden")
    assert problem_of(table.append(NOTE, at=1, key="a", who="")) == (401, "no_key")


def test_concurrent_repetitions_are_recorded_one_time(any_table: Table) -> None:
    """Some through another application, like another process."""
    store = any_table.client.application.extensions["service"].store
    tables = [any_table, Table.open(client_of(store))]
    tables[1].id, tables[1].keys = any_table.id, any_table.keys

    def send(n: int) -> tuple[int, bytes]:
        logical = n % 10
        headers = {"If-Match": '"1"' if logical == 0 else '"2"', "Idempotency-Key": f"{logical}"}
        body = {"events": [event("note_added", text=f"note {logical}")]}
        answer = tables[n % 2].ask("POST", "/events", headers=headers, json=body)
        return answer.status_code, answer.data

    with ThreadPoolExecutor(6) as pool:
        first = list(pool.map(send, [0] * 10))
        rest = list(pool.map(send, [1, 2, 3] * 6))
    assert len(set(first)) == 1
    assert first[0][0] == 201
    assert len({answer for answer in rest if answer[0] == 201}) == 1
    assert version(any_table) == 3
