"""The documents and files for who runs the service: what they name is there."""

import json
import re
import shlex
from pathlib import Path
from subprocess import run
from typing import Any, Final

import pytest
import yaml
from click.testing import CliRunner

from scorekeeper.cli import COMMANDS, main
from scorekeeper.config import Settings, read_settings, table

CHECKOUT: Final = Path(__file__).parents[2]
GUIDE: Final = (CHECKOUT / "docs" / "operation.md").read_text(encoding="utf-8")
DOCKERFILE: Final = (CHECKOUT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ")
COMPOSE: Final[Any] = yaml.safe_load((CHECKOUT / "compose.yaml").read_text(encoding="utf-8"))
SETTINGS: Final = {f"SCOREKEEPER_{name.upper()}" for name in Settings.model_fields}
FILES: Final = (
    "Dockerfile", "compose.yaml", "Makefile", "README.md", "CONTRIBUTING.md", "SECURITY.md",
    *(str(path.relative_to(CHECKOUT)) for path in sorted(CHECKOUT.glob("docs/*.md"))),
)  # fmt: skip


def instructions(word: str) -> list[str]:
    """What follows a word of the Dockerfile, each time."""
    return re.findall(rf"^{word} (.+)$", DOCKERFILE, re.MULTILINE)


def given(service: str) -> dict[str, str]:
    """The environment of a service, with what would stand in .env."""
    told: dict[str, str] = {}
    for name, value in COMPOSE["services"][service]["environment"].items():
        plain = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", str(value))
        told[name] = re.sub(r"\$\{(\w+):\?\}", r"\1", plain)
    return told


# ------------------------------------------------------------------------------- for all of them


@pytest.mark.parametrize("name", FILES)
def test_only_settings_that_exist_are_named(name: str) -> None:
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"SCOREKEEPER_[A-Z_]+", text))
    assert named - SETTINGS == set()


@pytest.mark.parametrize("name", FILES)
def test_only_commands_that_exist_are_named(name: str) -> None:
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    called = r"(?:-m scorekeeper|^scorekeeper|`scorekeeper|\S=\S+ scorekeeper) ([a-z]+)"
    named = re.findall(called, text, re.MULTILINE)
    assert set(named) - set(COMMANDS) == set()


def test_the_guide_has_the_table_of_settings() -> None:
    assert f"\n{table()}\n" in GUIDE


@pytest.mark.parametrize("command", ["backup", "restore", "verify", "export", "import", "migrate"])
def test_the_guide_tells_of_each_command(command: str) -> None:
    assert f"scorekeeper {command}" in " ".join(GUIDE.split())


def test_the_guide_names_only_files_and_targets_that_exist() -> None:
    for name in re.findall(r"`([\w./-]+\.(?:yaml|lock|py|md))`", GUIDE):
        assert (CHECKOUT / name).exists(), name
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
    for target in re.findall(r"^make (\S+)", GUIDE, re.MULTILINE):
        assert f"\n{target}:" in makefile, target


def test_the_backup_of_the_guide_is_made_and_put_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA_DIR", str(tmp_path))
    made, restored = re.findall(r"^scorekeeper ((?:backup|restore) .*)$", GUIDE, re.MULTILINE)
    day = re.findall(r"scores-(.*?)\.db", restored)[0]
    for line in ("migrate", made.replace("$(date +%F)", day), restored):
        arguments = line.replace("/backups", str(tmp_path)).split()
        outcome = CliRunner().invoke(main, arguments)
        assert outcome.exit_code == 0, outcome.output


def test_make_takes_the_port() -> None:
    for given, wanted in (([], "serve"), (["PORT=8080"], "serve --port 8080")):
        told = run(
            ["make", "--no-print-directory", "-n", "run", *given],
            cwd=CHECKOUT,
            capture_output=True,
            check=True,
        )
        assert told.stdout.decode().strip().endswith(f"-m scorekeeper {wanted}")


# ---------------------------------------------------------------------------------- container


def test_the_image_holds_what_the_service_needs_and_no_more() -> None:
    copied = [one for line in instructions("COPY") if "--from" not in line
              for one in line.split()[:-1]]  # fmt: skip
    assert set(copied) == {
        "requirements.lock", "pyproject.toml", "gunicorn.conf.py", "docs", "migrations",
        "templates", "scorekeeper",
    }  # fmt: skip
    for name in copied:
        assert (CHECKOUT / name).exists()
    ignored = (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert [line[1:] for line in ignored if line.startswith("!")] == copied


def test_the_image_is_built_from_the_lock_file_and_runs_without_rights() -> None:
    (install,) = [line for line in instructions("RUN") if "pip install" in line]
    assert "--require-hashes" in install
    assert install.split()[-2:] == ["-r", "/tmp/requirements.lock"]  # noqa: S108
    (user,) = instructions("USER")
    assert f" {user} " in instructions("RUN")[2] + " "
    assert instructions("VOLUME") == ["/data"]
    assert "SCOREKEEPER_DATA_DIR=/data" in DOCKERFILE


def test_the_image_starts_the_service_and_asks_whether_it_is_ready() -> None:
    assert json.loads(instructions("CMD")[-1]) == ["python", "-m", "scorekeeper", "serve"]
    (check,) = instructions("HEALTHCHECK")
    program, option, code = json.loads(check.partition("CMD ")[2])
    assert (program, option) == ("python", "-c")
    compile(code, "the health check", "exec")
    assert "/readyz" in code


def test_the_services_fit_together() -> None:
    assert set(COMPOSE["services"]) == {"scorekeeper", "database"}
    environment = given("scorekeeper")
    assert set(environment) <= SETTINGS
    values = {name.removeprefix("SCOREKEEPER_").lower(): value or None
              for name, value in environment.items()}  # fmt: skip
    settings = read_settings(**values)
    database = given("database")
    owner = f"{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}"
    assert settings.owner_url == f"postgresql://{owner}@database/{database['POSTGRES_DB']}"
    assert settings.store_url == "postgresql://scorekeeper:SERVICE_PASSWORD@database/scorekeeper"
    assert settings.workers == 2
    mounts = [one for service in COMPOSE["services"].values() for one in service["volumes"]]
    assert {one.partition(":")[0] for one in mounts} == set(COMPOSE["volumes"])
    (port,) = COMPOSE["services"]["scorekeeper"]["ports"]
    assert port.rpartition(":")[2] == str(settings.port) == instructions("EXPOSE")[0]


# ------------------------------------------------------------------------------------ systemd


def test_the_unit_names_what_exists() -> None:
    unit = re.search(r"```ini\n(.*?)```", GUIDE, re.DOTALL)
    assert unit is not None
    lines = [line.partition("=") for line in unit.group(1).splitlines() if "=" in line[1:]]
    values = {name: value for name, _, value in lines if name != "Environment"}
    assert shlex.split(values["ExecStart"])[1:] == ["-m", "scorekeeper", "serve"]
    given = dict(value.split("=", 1) for name, _, value in lines if name == "Environment")
    assert set(given) <= SETTINGS
    settings = read_settings(**{
        name.removeprefix("SCOREKEEPER_").lower(): value for name, value in given.items()
    })  # fmt: skip
    assert settings.secure
    assert settings.proxies == 1
    assert str(settings.data_dir) == f"/var/lib/{values['StateDirectory']}"
