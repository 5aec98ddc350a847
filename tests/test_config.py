"""Settings: accepted and refused values, error messages, and derived values.

Tests of ``config`` and ``operation.reach``.
"""

from typing import Any
from urllib.parse import urlsplit

import pytest

from scorekeeper import config
from scorekeeper.cli.serve import print_address
from scorekeeper.config import Settings, SettingsError, read_settings, unknown_variables
from scorekeeper.operation.reach import public_address

PG = "postgresql://scorekeeper:swordfish@host/scores"


@pytest.fixture(autouse=True)
def nothing_set(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in Settings.model_fields:
        monkeypatch.delenv(f"SCOREKEEPER_{name.upper()}", raising=False)


@pytest.fixture
def of(monkeypatch: pytest.MonkeyPatch) -> Any:
    """Return a function that reads the settings of an environment."""

    def read(**variables: str) -> Settings:
        for name, value in variables.items():
            monkeypatch.setenv(f"SCOREKEEPER_{name.upper()}", value)
        return read_settings()

    return read


def test_defaults() -> None:
    settings = read_settings()
    assert settings.store_url == settings.owner_url == "sqlite:///var/scorekeeper.db"
    assert (settings.threads, settings.workers, settings.most_streams) == (32, 1, 2000)
    assert (settings.hosts, settings.secure, settings.proxies) == (None, False, 0)
    assert (settings.metrics, settings.log_level, settings.log_format) == (False, "info", "json")


@pytest.mark.parametrize(
    ("variables", "name", "value"),
    [
        ({"data_dir": "/srv/x"}, "store_url", "sqlite:////srv/x/scorekeeper.db"),
        ({"data_dir": "/srv/x", "database_url": "memory:"}, "store_url", "memory:"),
        ({"database_url": PG}, "owner_url", PG),
        ({"database_url": PG, "database_owner_url": PG + "2"}, "owner_url", PG + "2"),
        ({"database_url": PG, "workers": "4"}, "workers", 4),
        ({"workers": "2"}, "workers", 2),
        ({"threads": "2", "most_streams": "20000"}, "most_streams", 20_000),
        ({"most_streams": "0"}, "most_streams", 0),
        ({"trusted_hosts": "a.example, .b.example"}, "hosts",
         ["a.example", ".b.example", "localhost", "127.0.0.1", "[::1]"]),
        ({"trusted_hosts": ""}, "hosts", None),
        ({"public_url": "https://Scores.example/"}, "public_url", "https://scores.example"),
        ({"public_url": "https://scores.example:8443"}, "secure", True),
        ({"public_url": "http://192.168.0.7:8000"}, "secure", False),
        ({"public_url": ""}, "public_url", None),
        ({"metrics": "1"}, "metrics", True),
        ({"log_level": "WARNING"}, "log_level", "warning"),
        ({"log_format": "Text"}, "log_format", "text"),
    ],
)  # fmt: skip
def test_settings_of_the_environment(
    of: Any, variables: dict[str, str], name: str, value: object
) -> None:
    assert getattr(of(**variables), name) == value


@pytest.mark.parametrize(
    ("variables", "message"),
    [
        ({"threads": "many"}, "THREADS should be a valid integer"),
        ({"threads": "1"}, "THREADS should be greater than or equal to 2"),
        ({"port": "65536"}, "PORT should be less than or equal to 65535"),
        ({"port": "tcp://10.0.0.1:80"}, "PORT should be a valid integer"),
        ({"workers": "2", "database_url": "memory:"}, "WORKERS: more than 1 needs a database"),
        ({"workers": "0"}, "WORKERS should be greater"),
        ({"most_streams": "20001"}, "MOST_STREAMS should be less than or equal to 20000"),
        ({"database_url": "mysql://me:swordfish@host/x"}, "DATABASE_URL: expected a database"),
        ({"database_url": "swordfish"}, "DATABASE_URL: expected a database"),
        ({"database_url": "sqlite://"}, "DATABASE_URL: expected a database"),
        (
            {"database_owner_url": "sqlite:///swordfish"},
            "DATABASE_OWNER_URL: expected a PostgreSQL",
        ),
        ({"public_url": "scores.example"}, "PUBLIC_URL: expected http:// or https://"),
        ({"public_url": "https://scores.example/path"}, "PUBLIC_URL: expected http:// or https://"),
        ({"public_url": "https://me:swordfish@x"}, "PUBLIC_URL: expected http:// or https://"),
        ({"public_url": "javascript://x"}, "PUBLIC_URL: expected http:// or https://"),
        ({"proxies": "-1"}, "PROXIES should be greater than or equal to 0"),
        ({"metrics": "perhaps"}, "METRICS should be a valid boolean"),
        ({"log_level": "loud"}, "LOG_LEVEL should be 'debug', 'info', 'warning' or 'error'"),
        ({"log_format": "xml"}, "LOG_FORMAT should be 'json' or 'text'"),
        ({"sessions_an_hour": "0"}, "SESSIONS_AN_HOUR should be greater"),
        ({"failed_keys_an_hour": ""}, None),
    ],
)
def test_refusal_is_one_line_without_the_refused_value(
    of: Any, variables: dict[str, str], message: str | None
) -> None:
    if message is None:
        of(**variables)
        return
    with pytest.raises(SettingsError) as refused:
        of(**variables)
    assert str(refused.value).startswith(f"SCOREKEEPER_{message}")
    assert "\n" not in str(refused.value)
    assert "swordfish" not in str(refused.value)


def test_all_errors_are_reported_together(of: Any) -> None:
    with pytest.raises(SettingsError) as refused:
        of(threads="many", port="x", log_level="loud", data_dir="/srv")
    names = [line.partition(" ")[0] for line in str(refused.value).splitlines()]
    assert names == ["SCOREKEEPER_PORT", "SCOREKEEPER_THREADS", "SCOREKEEPER_LOG_LEVEL"]


def test_no_secret_shows(of: Any) -> None:
    settings = of(
        database_url=PG, database_owner_url=PG, app_role_password="swordfish",
    )  # fmt: skip
    assert "swordfish" not in f"{settings!r} {settings} {settings.model_dump()}"


def test_unknown_settings_are_found() -> None:
    names = ["SCOREKEEPER_THREAD", "scorekeeper_thread", "SCOREKEEPER_THREADS", "PATH", "Threads"]
    assert unknown_variables([*names, "scorekeeper_threads"]) == [
        "SCOREKEEPER_THREAD",
        "scorekeeper_thread",
    ]


def test_the_table_has_every_setting_with_its_default() -> None:
    rows = [line.strip("| ").split(" | ") for line in config.settings_table().splitlines()]
    assert {len(row) for row in rows} == {3}
    names = {name.strip("`"): default for name, default, _ in rows[2:]}
    assert list(names) == [f"SCOREKEEPER_{name.upper()}" for name in Settings.model_fields]
    assert names["SCOREKEEPER_THREADS"] == "`32`"
    assert names["SCOREKEEPER_METRICS"] == "`false`"
    assert names["SCOREKEEPER_MOST_STREAMS"] == "`2000`"


# ------------------------------------------------------------------------- printed at the start


@pytest.mark.parametrize(
    ("variables", "hint"),
    [
        ({}, True),
        ({"host": "::"}, True),
        ({"public_url": "https://scores.example"}, True),
        ({"trusted_hosts": ("scores.example",)}, False),
        ({"host": "127.0.0.1"}, False),
    ],
)
def test_server_without_trusted_hosts_prints_how_to_set_them(
    capsys: pytest.CaptureFixture[str], variables: dict[str, Any], hint: bool
) -> None:
    settings = read_settings(**variables)
    print_address(settings)
    lines = capsys.readouterr().out.splitlines()
    host = urlsplit(public_address(settings)).hostname
    message = [line for line in lines if f"SCOREKEEPER_TRUSTED_HOSTS={host} " in line]
    assert len(message) == hint
