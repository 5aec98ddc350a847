"""Documents and files for operators name only settings, commands and files that exist."""

import json
import os
import re
import shlex
import sys
from pathlib import Path
from subprocess import run
from typing import Any, Final

import pytest
import yaml
from click.testing import CliRunner

from scorekeeper.cli import COMMANDS, main
from scorekeeper.cli.settings_file import read_variables
from scorekeeper.config import Settings, read_settings, settings_table

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
    """Return the arguments of all instructions of the Dockerfile with this name."""
    return re.findall(rf"^{word} (.+)$", DOCKERFILE, re.MULTILINE)


def compose_environment(service: str) -> dict[str, str]:
    """Return the environment of a service; a required variable has its name as its value."""
    variables: dict[str, str] = {}
    for name, value in COMPOSE["services"][service]["environment"].items():
        with_defaults = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", str(value))
        variables[name] = re.sub(r"\$\{(\w+):\?\}", r"\1", with_defaults)
    return variables


# -------------------------------------------------------------------------------- all documents


@pytest.mark.parametrize("name", FILES)
def test_only_settings_that_exist_are_named(name: str) -> None:
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    named = set(re.findall(r"(?<!_)SCOREKEEPER_[A-Z_]+", text))
    assert named - SETTINGS == set()


@pytest.mark.parametrize("name", FILES)
def test_only_commands_that_exist_are_named(name: str) -> None:
    text = (CHECKOUT / name).read_text(encoding="utf-8")
    called = r"(?:-m scorekeeper|^scorekeeper|`scorekeeper|\S=\S+ scorekeeper) ([a-z]+)"
    named = re.findall(called, text, re.MULTILINE)
    assert set(named) - set(COMMANDS) == set()


def test_the_guide_has_the_table_of_settings() -> None:
    assert f"\n{settings_table()}\n" in GUIDE


@pytest.mark.parametrize("command", ["backup", "restore", "verify", "export", "import", "migrate"])
def test_the_guide_documents_each_command(command: str) -> None:
    assert f"scorekeeper {command}" in " ".join(GUIDE.split())


def test_the_guide_names_only_files_and_targets_that_exist() -> None:
    for name in re.findall(r"`([\w./-]+\.(?:yaml|lock|py|md))`", GUIDE):
        assert (CHECKOUT / name).exists(), name
    makefile = (CHECKOUT / "Makefile").read_text(encoding="utf-8").replace("$(VENV)", ".venv")
    for target in re.findall(r"^make (\S+)", GUIDE, re.MULTILINE):
        assert f"\n{target}:" in makefile, target


def test_the_backup_commands_of_the_guide_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SCOREKEEPER_DATA_DIR", str(tmp_path))
    evening = CHECKOUT / "samples" / "riparto-evening.jsonl"
    backup, restore = re.findall(r"^scorekeeper ((?:backup|restore) .*)$", GUIDE, re.MULTILINE)
    day = re.findall(r"scores-(.*?)\.db", restore)[0]
    assert CliRunner().invoke(main, ["migrate"]).exit_code == 0
    assert CliRunner().invoke(main, ["import", str(evening)]).exit_code == 0
    for line in (backup.replace("$(date +%F)", day), restore):
        arguments = line.replace("/backups", str(tmp_path)).split()
        outcome = CliRunner().invoke(main, arguments)
        assert outcome.exit_code == 0, outcome.output


def test_nightly_backup_of_the_guide_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands of its unit run one after the other, with another folder."""
    (unit,) = [unit for unit in re.findall(r"```ini\n(.*?)```", GUIDE, re.DOTALL)
               if "Type=oneshot" in unit]  # fmt: skip
    values = dict(line.split("=", 1) for line in unit.splitlines() if "=" in line)
    monkeypatch.setenv("SCOREKEEPER_DATA_DIR", str(tmp_path / "var"))
    evening = CHECKOUT / "samples" / "riparto-evening.jsonl"
    for line in (("migrate",), ("import", str(evening))):
        assert CliRunner().invoke(main, line).exit_code == 0
    folder = tmp_path / "backups"
    folder.mkdir()
    (folder / "scores-old").touch()
    os.utime(folder / "scores-old", (0, 0))
    for name in ("ExecStart", "ExecStartPost"):
        command = values[name].replace("$$", "$").replace("%%", "%")
        command = command.replace("/var/lib/scorekeeper-backups", str(folder))
        command = command.replace(".venv/bin/python", sys.executable)
        run(shlex.split(command), cwd=CHECKOUT, check=True)
    (made,) = folder.iterdir()
    assert re.fullmatch(r"scores-\d{4}-\d\d-\d\d-\d{4}", made.name)
    assert CliRunner().invoke(main, ["restore", str(made)]).exit_code == 0


def test_make_run_accepts_a_port() -> None:
    for variables, command in (([], "serve"), (["PORT=8080"], "serve --port 8080")):
        make = run(
            ["make", "--no-print-directory", "-n", "run", *variables],
            cwd=CHECKOUT,
            capture_output=True,
            check=True,
        )
        assert make.stdout.decode().strip().endswith(f"-m scorekeeper {command}")


# ---------------------------------------------------------------------------------- container


def test_the_image_contains_only_files_that_the_service_needs() -> None:
    copied = [name for line in instructions("COPY") if "--from" not in line
              for name in line.split()[:-1]]  # fmt: skip
    assert set(copied) == {
        "requirements.lock", "pyproject.toml", "gunicorn.conf.py", "docs", "migrations",
        "samples", "templates", "scorekeeper",
    }  # fmt: skip
    for name in copied:
        assert (CHECKOUT / name).exists()
    ignored = (CHECKOUT / ".dockerignore").read_text(encoding="utf-8").split("\n")
    assert [line[1:] for line in ignored if line.startswith("!")] == copied


def test_the_image_installs_the_lock_file_and_runs_without_privileges() -> None:
    (install,) = [line for line in instructions("RUN") if "pip install" in line]
    assert "--require-hashes" in install
    assert install.split()[-2:] == ["-r", "/tmp/requirements.lock"]  # noqa: S108
    (user,) = instructions("USER")
    assert f" {user} " in instructions("RUN")[2] + " "
    assert instructions("VOLUME") == ["/data"]
    assert "SCOREKEEPER_DATA_DIR=/data" in DOCKERFILE


def test_the_image_starts_the_service_and_checks_its_health() -> None:
    assert json.loads(instructions("CMD")[-1]) == ["python", "-m", "scorekeeper", "serve"]
    (check,) = instructions("HEALTHCHECK")
    program, option, code = json.loads(check.partition("CMD ")[2])
    assert (program, option) == ("python", "-c")
    compile(code, "the health check", "exec")
    assert "/readyz" in code


def test_the_services_fit_together() -> None:
    assert set(COMPOSE["services"]) == {"scorekeeper", "database"}
    environment = compose_environment("scorekeeper")
    assert set(environment) <= SETTINGS
    values = {name.removeprefix("SCOREKEEPER_").lower(): value or None
              for name, value in environment.items()}  # fmt: skip
    settings = read_settings(**values)
    database = compose_environment("database")
    owner = f"{database['POSTGRES_USER']}:{database['POSTGRES_PASSWORD']}"
    assert settings.owner_url == f"postgresql://{owner}@database/{database['POSTGRES_DB']}"
    assert settings.store_url == "postgresql://scorekeeper:SERVICE_PASSWORD@database/scorekeeper"
    assert settings.workers == 2
    mounts = [mount for service in COMPOSE["services"].values() for mount in service["volumes"]]
    assert {mount.partition(":")[0] for mount in mounts} == set(COMPOSE["volumes"])
    (port,) = COMPOSE["services"]["scorekeeper"]["ports"]
    assert port.rpartition(":")[2] == str(settings.port) == instructions("EXPOSE")[0]


# ------------------------------------------------------------------------------------ systemd


def test_the_systemd_unit_uses_existing_settings() -> None:
    unit = re.search(r"```ini\n(.*?)```", GUIDE, re.DOTALL)
    assert unit is not None
    lines = [line.partition("=") for line in unit.group(1).splitlines() if "=" in line[1:]]
    values = {name: value for name, _, value in lines}
    assert shlex.split(values["ExecStart"])[1:] == ["-m", "scorekeeper", "serve"]
    assert values["EnvironmentFile"] == "/etc/scorekeeper.env"
    file = re.search(r"`/etc/scorekeeper.env`.*?```text\n(.*?)```", GUIDE, re.DOTALL)
    assert file is not None
    variables = dict(read_variables(file.group(1)))
    assert set(variables) <= SETTINGS
    settings = read_settings(**{
        name.removeprefix("SCOREKEEPER_").lower(): value for name, value in variables.items()
    })  # fmt: skip
    assert settings.secure
    assert settings.proxies == 1
    assert str(settings.data_dir) == f"/var/lib/{values['StateDirectory']}"
