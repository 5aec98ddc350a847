"""Parsing of database URLs into addresses."""

from pathlib import Path

import pytest

from scorekeeper.store.addresses import PostgresServer, SqliteFile, parse


def server(url: str) -> PostgresServer:
    address = parse(url)
    assert isinstance(address, PostgresServer)
    return address


@pytest.mark.parametrize(
    "url",
    ["", "nonsense", "sqlite://", "sqlite:///:memory:", "mysql://host/x", "sqlite+aiosqlite:///x",
     "postgresql+asyncpg://host/x", "mysql://host:one,two/x", "postgresql://host/x?swordfish=1",
     "postgresql://host/x?options=-cx=y"],
)  # fmt: skip
def test_url_of_no_database_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match="expected a database such as sqlite:///") as refused:
        parse(url)
    assert "swordfish" not in str(refused.value)


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("me:swordfish@host:none/x", "expected port to be a number"),
        ("me@host/x?port=1,swordfish", "expected port to be a number"),
        ("me@host/x?connect_timeout=soon", "expected connect_timeout to be a number"),
        ("one,two/x?port=1,2,3", "expected one port, or one for each host"),
        ("one,two/x?hostaddr=10.0.0.1", "expected one hostaddr for each host"),
    ],
)
def test_malformed_connection_parameters_are_refused(rest: str, message: str) -> None:
    with pytest.raises(ValueError, match=message) as refused:
        parse(f"postgresql://{rest}")
    assert "swordfish" not in str(refused.value)


def test_sqlite_url_names_a_file() -> None:
    assert parse("sqlite:////var/lib/x.db") == SqliteFile(Path("/var/lib/x.db"))


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg"])
def test_postgresql_url_names_a_server(scheme: str) -> None:
    address = server(f"{scheme}://me:pass%40word@host:5433/base?sslmode=require&options=-cx%3Dy")
    arguments = address.with_timeouts(4).arguments
    assert (arguments["user"], arguments["password"]) == ("me", "pass@word")
    assert (arguments["host"], arguments["port"], arguments["dbname"]) == ("host", "5433", "base")
    assert arguments["sslmode"] == "require"
    assert arguments["options"].endswith(" -cx=y")
    assert "-c lock_timeout=2000 -c statement_timeout=3000 " in arguments["options"]
    assert "target_session_attrs" not in arguments  # a single standby may be read
    assert address.hosts() == (address.arguments,)


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
def test_url_may_name_several_hosts(url: str, hosts: list[tuple[str, str]]) -> None:
    several = server(f"postgresql://{url}").hosts()
    assert [(host["host"], host["port"]) for host in several] == hosts
    for host in several:
        assert host["target_session_attrs"] == "primary"  # a standby refuses writes
        assert host["dbname"] == "x"


def test_explicit_session_attributes_are_kept() -> None:
    first, second = server("postgresql://one,two/x?target_session_attrs=read-write").hosts()
    assert first["target_session_attrs"] == second["target_session_attrs"] == "read-write"


def test_hosts_may_have_addresses() -> None:
    hosts = server("postgresql://one,two/x?hostaddr=10.0.0.1,10.0.0.2").hosts()
    assert [(host["host"], host["hostaddr"]) for host in hosts] == [
        ("one", "10.0.0.1"), ("two", "10.0.0.2"),
    ]  # fmt: skip
