"""``scorekeeper delete``: it asks twice, and deletes a whole session or club."""

from pathlib import Path

import pytest
from click.testing import Result

from scorekeeper.log.writing import now
from scorekeeper.store import Store, sealed
from scorekeeper.store.contract import Position
from tests.cli.asking import SEALED, run, words
from tests.store.asking import note

pytestmark = pytest.mark.usefixtures("empty_folder")


def delete(stream_id: str, *answers: str) -> Result:
    """Run the command, and answer its questions."""
    return run("delete", stream_id, stdin="".join(f"{line}\n" for line in answers).encode())


def test_it_says_what_it_deletes_and_asks_twice(session_id: str) -> None:
    outcome = delete(session_id, session_id, "y")
    assert outcome.exit_code == 0
    assert "session: Friday players: Zoë 3 events" in words(outcome)
    assert "To delete it for ever, type its id" in outcome.output
    assert f"{session_id} is deleted" in outcome.output
    assert "Zoë" not in Path("var/scorekeeper.db").read_bytes().decode("utf-8", "replace")
    assert run("sessions").output.startswith("no sessions in ")
    again = run("export", session_id)
    assert again.exit_code == 2
    assert again.output.startswith(f"{session_id} was deleted by the operator on 20")


@pytest.mark.parametrize(
    "answers", [(), ("",), ("23456789abcd", "y"), ("ID",), ("ID", "n"), ("ID", ""), ("y", "y")]
)
def test_any_other_answer_deletes_nothing(session_id: str, answers: tuple[str, ...]) -> None:
    outcome = delete(session_id, *(session_id if text == "ID" else text for text in answers))
    assert outcome.exit_code != 0
    assert run("export", session_id).stdout_bytes == SEALED


@pytest.mark.parametrize("stream_id", ["23456789abcd", "o23456789abc", "x", "-", "../x"])
def test_unknown_id_is_refused(store: Store, stream_id: str) -> None:
    outcome = delete(stream_id, stream_id, "y")
    assert outcome.exit_code == 2
    assert "there is no" in outcome.output


def test_session_is_deleted_for_the_first_one_who_asks(store: Store, session_id: str) -> None:
    store.delete_stream(session_id)
    outcome = delete(session_id, session_id, "y")
    assert outcome.exit_code == 2
    assert "was deleted by the operator on" in outcome.output


def test_club_is_deleted_and_its_evenings_stay(store: Store) -> None:
    Path("logs").mkdir()
    Path("logs/friday.jsonl").write_bytes(SEALED)
    opened = run("club", "open", "Circolo", "logs").output.split()
    club_id = opened[opened.index("club") + 1]
    (session,) = store.sessions()
    outcome = delete(club_id, club_id, "y")
    assert outcome.exit_code == 0, outcome.output
    assert "club: Circolo members and guests: Zoë evenings that it counts, which stay: 1" in words(
        outcome
    )
    assert run("club", "list").output.startswith("no clubs in ")
    assert run("export", session.id).exit_code == 0
    after = Position(session.version, session.head)
    assert store.append(session.id, after, sealed(after, [note()], now(), "keeper")) is None


def test_repeated_import_under_another_key_is_another_session(session_id: str) -> None:
    assert delete(session_id, session_id, "y").exit_code == 0
    Path("friday.jsonl").write_bytes(SEALED)
    made = run("import", "friday.jsonl").output.split()
    assert made[1] != session_id
