"""The README and pages of docs/ show real output and name existing files, commands and types."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

import click
import pytest
from click.testing import CliRunner

from scorekeeper import __version__
from scorekeeper.cli import COMMANDS, main
from scorekeeper.clubs.events import CLUB_EVENTS
from scorekeeper.events.common import COMMON
from scorekeeper.events.fields import parts_of
from scorekeeper.events.playing import PLAY
from scorekeeper.games import GAMES
from scorekeeper.log.reading import verify
from scorekeeper.tournaments.events import TOURNAMENT_EVENTS
from tests.test_structure import LAYERS

CHECKOUT: Final = Path(__file__).parents[1]
MODEL: Final = CHECKOUT / "examples" / "tressette"
PAGES: Final = {
    str(path.relative_to(CHECKOUT)): path.read_text("utf-8")
    for path in sorted([*CHECKOUT.glob("*.md"), *CHECKOUT.glob("docs/*.md"), MODEL / "README.md"])
}
README: Final = PAGES["README.md"]
LONGEST: Final = 250  # lines of the README
MAKEFILE: Final = (CHECKOUT / "Makefile").read_text("utf-8")
PROJECT: Final = tomllib.loads((CHECKOUT / "pyproject.toml").read_text("utf-8"))


# ------------------------------------------------------------------------------- for all of them


def test_the_readme_is_short_and_says_how_to_begin() -> None:
    assert len(README.splitlines()) <= LONGEST
    assert {"make run", "make test"} <= {line.strip() for line in README.splitlines()}


@pytest.mark.parametrize("page", PAGES)
def test_every_link_leads_to_a_file(page: str) -> None:
    folder = (CHECKOUT / page).parent
    for link in re.findall(r"\]\(([^)\s]+)\)", PAGES[page]):
        assert link.startswith("https://") or (folder / link.partition("#")[0]).exists(), link


@pytest.mark.parametrize("page", PAGES)
def test_files_and_targets_that_are_named_exist(page: str) -> None:
    roots = ((CHECKOUT / page).parent, CHECKOUT, CHECKOUT / "scorekeeper")
    folders = "tests|scorekeeper|benchmarks|tools|docs|examples"
    named = re.findall(rf"`((?:{folders})/[\w./-]+)`", PAGES[page])
    assert [path for path in named if not any((root / path).exists() for root in roots)] == []
    for target in re.findall(r"(?:`|^ {4})make ([a-z]+)", PAGES[page], re.MULTILINE):
        assert f"\n{target}:" in MAKEFILE, target


def test_every_page_of_docs_is_found_from_the_readme() -> None:
    pages = {page for page in PAGES if page.startswith("docs/")}
    assert pages - set(re.findall(r"\]\((docs/[^)]+)\)", README)) - {"docs/glossary.md"} == set()


# ----------------------------------------------------------------------------------- commands

LOGS: Final = {
    name: log
    for text in PAGES.values()
    for name, log in re.findall(r"`(\w+\.jsonl)`:\n\n```jsonl\n(.*?)```", text, re.DOTALL)
}
CONSOLE: Final = [
    shown
    for text in PAGES.values()
    for shown in re.findall(
        r"```console\n\$ \.venv/bin/python -m scorekeeper (.*?)\n(.*?)```", text, re.DOTALL
    )
]
# Scripts that no test can run, by their first lines, and why.
NOT_RUN: Final = {
    "git clone … /opt/scorekeeper && cd /opt/scorekeeper": "it installs from the network",
    "python3 -m venv /opt/scorekeeper && cd /opt/scorekeeper": "it installs from the network; "
    "test_wheel.py does the same without",
    "docker build -t scorekeeper .": "it needs docker; test_documents.py looks at the Dockerfile",
    'scorekeeper club open "Circolo del venerdì" --currency EUR --zone Europe/Rome old-logs': (
        "tests/cli/test_clubs.py runs it on fifty logs"
    ),
    "scorekeeper delete SESSION": "tests/cli/test_deleting.py runs it on a session and a club",
    "scorekeeper keys SESSION --role host": "tests/cli/test_keys.py runs it on a session",
    "scorekeeper backup /backups/scores-$(date +%F).db": "test_documents.py runs it in a folder",
    "SCOREKEEPER_DATABASE_URL=postgresql://owner@host/scores scorekeeper migrate --app-role "
    "scorekeeper": "it needs such a server; tests/store looks at what the role may do",
    ".venv/bin/python -m pip install -e examples/tressette": "it changes the environment; the "
    "example's own tests find it installed",
}


def scripts() -> Iterator[Any]:
    """Yield each block for a shell, with its output if the page shows it."""
    block = r"^( *)```sh\n((?:(?!```).)*)```(?:\n\n```(?:csv|text)\n(.*?)```)?"
    for page, text in PAGES.items():
        for _, script, shown in re.findall(block, text, re.DOTALL | re.MULTILINE):
            yield pytest.param(dedent(script), shown, id=f"{page}: {script.strip()[:30]}")


SCRIPTS: Final = list(scripts())
RUN: Final = [script for script in SCRIPTS if script.values[0].partition("\n")[0] not in NOT_RUN]


def test_there_are_logs_and_commands_to_compare() -> None:
    assert len(LOGS["friday.jsonl"].splitlines()) == 10
    assert len(CONSOLE) == 3
    assert len(SCRIPTS) - len(RUN) == len(NOT_RUN)


@pytest.mark.parametrize(("command", "shown"), CONSOLE)
def test_commands_print_the_shown_output(
    command: str, shown: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, log in LOGS.items():
        Path(name).write_text(log, encoding="utf-8")
    outcome = CliRunner().invoke(main, command.split())
    assert outcome.exit_code == ("ERROR" in shown)
    assert outcome.output == shown


@pytest.mark.parametrize(("script", "shown"), RUN)
def test_scripts_print_the_shown_output(
    script: str, shown: str, live_server: str, tmp_path: Path
) -> None:
    if "$TABLE" in script and "TABLE=" not in script:
        table = next(other.values[0] for other in RUN if "TABLE=" in other.values[0])
        script = f"{{\n{table}}} > table\n{script}"
    if "examples/" in script:
        shutil.copytree(MODEL, tmp_path / "examples" / MODEL.name)
    if "samples/" in script:
        shutil.copytree(CHECKOUT / "samples", tmp_path / "samples")
    script = "set -eu\n" + script.replace("http://127.0.0.1:8000", live_server)
    outcome = subprocess.run(
        ["bash", "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    printed = outcome.stdout.lstrip("\ufeff").replace("\r\n", "\n")
    assert re.sub("[0-9a-f]{64}", "…", printed) == shown
    if "report" in script:
        prompts = json.loads((tmp_path / "prompts").read_text("utf-8"))
        assert "points_counted" in {prompt["type"] for prompt in prompts}
        report = json.loads((tmp_path / "report").read_text("utf-8"))
        assert report["matches"][0]["totals"] == {"mara": 0, "leo": 5, "nina": 0}
    if "friday-sealed" in script:
        with (tmp_path / "friday-sealed.jsonl").open("rb") as log:
            assert verify(log).ok
    if "scopa" in script:
        copied = tmp_path / "examples" / "scopa"
        assert (copied / "scorekeeper_scopa" / "events.py").exists()
        assert "essette" not in "".join(
            f"{path} {path.read_text('utf-8')}" for path in copied.rglob("*.py")
        )


def test_every_command_is_explained_with_options_that_it_has() -> None:
    rows = re.findall(
        r"^\| (`[a-z]+(?: [^|`]*)?`(?:, `[^|`]*`)?) \|(.*)\|$",
        PAGES["docs/log-format.md"] + PAGES["docs/operation.md"], re.MULTILINE,
    )  # fmt: skip
    explained = set()
    for named, says in rows:
        names = set(re.findall(r"`([a-z]+)", named)) & set(COMMANDS)
        explained |= names
        known = {
            option for name in names for parameter in parameters(name) for option in parameter.opts
        }
        assert not names or set(re.findall(r"--[a-z-]+", named + says)) <= known, named
    assert set(COMMANDS) - explained == set()


def parameters(name: str) -> Iterator[click.Parameter]:
    """Yield the parameters of a command and, for a group, of each of its commands."""
    shown_command = command(name)
    yield from shown_command.params
    for parameter in (
        shown_command.commands.values() if isinstance(shown_command, click.Group) else ()
    ):
        yield from parameter.params


def command(name: str) -> click.Command:
    subcommand = main.get_command(click.Context(main), name)
    assert isinstance(subcommand, click.Command)
    return subcommand


# -------------------------------------------------------------------------------------- lists


def test_every_game_is_listed() -> None:
    for game in GAMES.values():
        assert f"| `{game.id}` |" in README


def test_every_file_to_take_home_has_a_line(app: Any) -> None:
    listed = re.findall(r"^\* `([\w.]+)`: ", README, re.MULTILINE)
    routes = {rule.rule.rpartition("/")[2] for rule in app.url_map.iter_rules()
              if rule.endpoint.startswith("exports.") and "session" in rule.arguments}  # fmt: skip
    assert sorted(listed) == sorted(routes)


def test_the_events_stand_in_tables_with_their_fields() -> None:
    rows = re.findall(r"^\| `(\w+_\w+)` \| (.*?) ?\|", PAGES["docs/log-format.md"], re.MULTILINE)
    # Events of all logs stand only in the first table.
    expected = [
        (
            declared.TYPE,
            ", ".join(f"`{part.log_name}{'?' * part.optional}`" for part in parts_of(declared)),
        )
        for declared in (
            *COMMON,
            *PLAY,
            *(declared for declared in CLUB_EVENTS if declared not in COMMON),
            *(declared for declared in TOURNAMENT_EVENTS if declared not in COMMON),
        )
    ]
    assert sorted(rows) == sorted(expected)


def test_layers_in_the_picture_are_those_that_are_tested() -> None:
    (picture,) = re.findall(r"```text\n(base → .*?)```", PAGES["docs/developers.md"], re.DOTALL)
    drawn = [tuple(layer.split(" · ")) for layer in re.split(r"\s*→ ", " ".join(picture.split()))]
    layers = [layer for layer in LAYERS if not layer[0].startswith("__")]
    assert list(map(sorted, drawn)) == list(map(sorted, layers))
    for package in {package for layer in layers for package in layer} - {"app"}:
        assert re.search(rf"^\| .*`{package}/?`.* \|", PAGES["docs/developers.md"], re.MULTILINE), (
            package
        )


def test_developers_find_the_modules_and_types_that_their_page_names() -> None:
    page = PAGES["docs/developers.md"]
    named = set(re.findall(r"`((?:[a-z_]+/)+(?:[\w*]+/)*[\w.]*)`", page))
    roots = (CHECKOUT, CHECKOUT / "scorekeeper", CHECKOUT / "scorekeeper" / "web")
    assert len(named) > 50
    assert [path for path in named if not any(list(root.glob(path)) for root in roots)] == []
    glossary = page.partition("\n## Glossary\n")[2].partition("\n## ")[0]
    columns = [row.split("|")[3] for row in re.findall(r"^\| .*\|$", glossary, re.MULTILINE)]
    types = set(re.findall(r"`([A-Z]\w+)`", " ".join(columns)))
    sources = (path.read_text("utf-8") for path in (CHECKOUT / "scorekeeper").rglob("*.py"))
    declared = set(re.findall(r"^class (\w+)", "\n".join(sources), re.MULTILINE))
    assert len(types) > 30
    assert types <= declared


def test_the_version_has_its_changes() -> None:
    changes = PAGES["CHANGELOG.md"]
    versions = re.findall(r"^## \[([\d.]+)\] - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)
    assert versions[0] == __version__
    assert CliRunner().invoke(main, ["--version"]).output == f"scorekeeper {__version__}\n"
    kinds = {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}
    assert set(re.findall(r"^### (.+)$", changes, re.MULTILINE)) <= kinds


def test_the_source_package_holds_every_page() -> None:
    kept = {
        path.strip("/") for path in PROJECT["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    }
    assert {page.partition("/")[0] for page in PAGES} <= kept
    assert [path for path in kept if not list(CHECKOUT.glob(path))] == []


# --------------------------------------------------------------------------------- "Add a game"

ADDING: Final = PAGES["docs/add-a-game.md"]


def test_every_file_of_the_model_is_walked_through() -> None:
    named = re.findall(r"^\| `([^`]+)` \|", ADDING, re.MULTILINE)
    assert len(named) > 5
    assert [name for name in named if not (MODEL / name).exists()] == []
    package = MODEL / "scorekeeper_tressette"
    assert {path.name for path in package.glob("*.py")} <= {Path(name).name for name in named}


def test_the_event_that_is_shown_is_declared_so() -> None:
    (shown,) = re.findall(r"```python\n(.*?)```", ADDING, re.DOTALL)
    declared = (MODEL / "scorekeeper_tressette" / "events.py").read_text("utf-8")
    assert dedent(shown) in declared


def test_the_project_names_the_python_that_runs_the_suite() -> None:
    named = f"Programming Language :: Python :: 3.{sys.version_info.minor}"
    assert named in PROJECT["project"]["classifiers"]
