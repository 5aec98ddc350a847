"""``scorekeeper tournament list``, ``export`` and ``import``, and other commands about them."""

import json
from pathlib import Path

import pytest

from scorekeeper.store import Store
from tests.cli.asking import damage, run, words
from tests.tournaments.hall import drawn, opening, registrations

pytestmark = pytest.mark.usefixtures("store")

LINES = [opening(game="riparto"), *registrations(3), drawn(1, (1, 2, 3))]
BY_HAND = b"".join(json.dumps(line).encode() + b"\n" for line in LINES)


@pytest.fixture
def tournament_id(store: Store) -> str:
    """Import a tournament whose first round is drawn."""
    outcome = run("tournament", "import", "-", stdin=BY_HAND)
    assert outcome.exit_code == 0, outcome.output
    printed = outcome.output.split()
    assert printed[0::2] == ["tournament", "director", "view"]
    return str(printed[1])


def test_tournament_is_listed_exported_and_imported_again(store: Store, tournament_id: str) -> None:
    assert f"{tournament_id} Sagra 3 0" in words(run("tournament", "list"))
    log = run("tournament", "export", tournament_id).stdout_bytes
    assert log == store.export(tournament_id)
    assert b'"tables"' in log  # the operator's copy has the draws
    again = run("tournament", "import", "-", stdin=log).output.split()[1]
    assert store.export(again) == log
    assert run("verify", "-", "--count", "5").exit_code != 0


def test_without_tournaments_it_says_so(store: Store) -> None:
    path = Path("var/scorekeeper.db").absolute()
    assert words(run("tournament", "list")) == f"no tournaments in {path}"
    assert run("tournament", "import", "-", stdin=b"{}\n").exit_code == 2
    for id_ in ("x", "23456789abcd", "o23456789abc", "i23456789abc"):
        outcome = run("tournament", "export", id_)
        assert outcome.exit_code == 2
        assert f'there is no tournament "{id_}"' in outcome.output


def test_other_commands_call_it_a_tournament(store: Store, tournament_id: str) -> None:
    listed = words(run("keys", tournament_id))
    assert "host" in listed
    made = run("keys", tournament_id, "--role", "seat", "--player", "e1")
    assert made.exit_code == 0, made.output
    assert run("keys", tournament_id, "--role", "seat", "--player", "keeper").exit_code == 0
    refused = run("keys", tournament_id, "--role", "seat", "--player", "zoe")
    assert "expected a player of this tournament" in words(refused)
    assert run("sessions").output.startswith("no sessions in ")
    assert run("club", "list").output.startswith("no clubs in ")
    damage("UPDATE events SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 2")
    assert f"tournament {tournament_id} is damaged at event 2" in run("verify", "--all").output


def test_tournament_is_deleted_whole(store: Store, tournament_id: str) -> None:
    answers = f"{tournament_id}\ny\n".encode()
    outcome = run("delete", tournament_id, stdin=answers)
    assert outcome.exit_code == 0, outcome.output
    assert "tournament: Sagra entrants: E1, E2, E3 sessions of its tables, which stay: 0" in words(
        outcome
    )
    assert "was deleted by the operator on" in run("tournament", "export", tournament_id).output


def test_unusable_tournament_is_not_restored(store: Store) -> None:
    bad = store.open_tournament(
        [("tournament_opened", LINES[0]["data"]), ("entrant_present", {"entrant": "zoe"})], "keeper"
    ).id
    assert run("backup", "all.zip", "--bundle").exit_code == 0
    Path("var/scorekeeper.db").unlink()
    outcome = run("restore", "all.zip")
    assert outcome.exit_code == 2
    assert f"tournament {bad}, event 2: the log cannot be used: expected an entrant" in (
        outcome.output
    )


def test_schema_of_the_log_of_a_tournament_is_printed() -> None:
    schema = json.loads(run("schema", "tournament").output)
    assert "round_drawn" in schema["properties"]["type"]["enum"]
