"""What the URL of a database says, and what is made of it."""

from pathlib import Path

import pytest

from scorekeeper.store.addresses import PostgresServer, SqliteFile, parse


def server(url: str) -> PostgresServer:
    found = parse(url)
    assert isinstance(found, PostgresServer)
    return found


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://host/x", "sqlite+aiosqlite:///x",
     "postgresql+asyncpg://host/x", "mysql://host:one,two/x", "postgresql://host/x?swordfish=1",
     "postgresql://host/x?options=-cx=y"],
)  # fmt: skip
def test_a_url_of_no_database_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected a database such as sqlite:///") as refused:
        parse(url)
    assert "swordfish" not in str(refused.value)


@pytest.mark.parametrize(
    ("rest", "said"),
    [
        ("me:swordfish@host:none/x", "expected port to be a number"),
        ("me@host/x?port=1,swordfish", "expected port to be a number"),
        ("me@host/x?connect_timeout=soon", "expected connect_timeout to be a number"),
        ("one,two/x?port=1,2,3", "expected one port, or one for each host"),
        ("one,two/x?hostaddr=10.0.0.1", "expected one hostaddr for each host"),
    ],
)
def test_what_no_server_can_be_asked_with_is_refused(rest: str, said: str) -> None:
    with pytest.raises(ValueError, match=said) as refused:
        parse(f"postgresql://{rest}")
    assert "swordfish" not in str(refused.value)


def test_a_file() -> None:
    assert parse("sqlite:////var/lib/x.db") == SqliteFile(Path("/var/lib/x.db"))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_a_server(scheme: str) -> None:
    found = server(f"{scheme}://me:pass%40word@host:5433/base?sslmode=require&options=-cx%3Dy")
    said = found.hasty(4).arguments
    assert (said["user"], said["password"]) == ("me", "pass@word")
    assert (said["host"], said["port"], said["dbname"]) == ("host", "5433", "base")
    assert said["sslmode"] == "require"
    assert said["options"].endswith(" -cx=y")
    assert "-c lock_timeout=2000 -c statement_timeout=3000 " in said["options"]
    assert "target_session_attrs" not in said  # what only follows can be read
    assert found.hosts() == (found.arguments,)


@pytest.mark.parametrize(
    ("url", "hosts"),
    [
        ("one:5432,two:5433/x", [("one", "5432"), ("two", "5433")]),
        ("one,two:5433/x", [("one", ""), ("two", "5433")]),
        ("[::1]:5432,two:5433/x", [("::1", "5432"), ("two", "5433")]),
        ("/x?host=one,two&port=6000", [("one", "6000"), ("two", "6000")]),
        ("me:word@one:1,two:2,three:3/x", [("one", "1"), ("two", "2"), ("three", "3")]),
    ],
)
def test_several_hosts(url: str, hosts: list[tuple[str, str]]) -> None:
    found = server(f"postgresql://{url}")
    assert [(one["host"], one["port"]) for one in found.hosts()] == hosts
    for one in found.hosts():  # nobody can write where others only follow
        assert one["target_session_attrs"] == "primary"
        assert one["dbname"] == "x"


def test_what_is_said_of_the_hosts_is_heeded() -> None:
    (one, other) = server("postgresql://one,two/x?target_session_attrs=read-write").hosts()
    assert one["target_session_attrs"] == other["target_session_attrs"] == "read-write"


def test_the_addresses_of_hosts() -> None:
    found = server("postgresql://one,two/x?hostaddr=10.0.0.1,10.0.0.2").hosts()
    assert [(one["host"], one["hostaddr"]) for one in found] == [
        ("one", "10.0.0.1"), ("two", "10.0.0.2"),
    ]  # fmt: skip
