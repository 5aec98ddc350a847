"""The wheel serves from an environment with the packages of the lock file only."""

import os
import re
import venv
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path
from subprocess import run
from typing import Final
from zipfile import ZipFile

import pip
import pytest
from hatchling.builders.wheel import WheelBuilder
from packaging.requirements import Requirement

from scorekeeper import __version__
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.web.reference.guide import guide_file
from tests.operation.serving import CHECKOUT, Server, serving

# The folder in the wheel for files that are outside of the package in a checkout.
BUNDLED: Final = "scorekeeper/_bundled/"
# The guide of each language, by its title.
TITLES: Final = {
    language: guide_file(language).read_text("utf-8").partition("\n")[0].removeprefix("# ")
    for language in LANGUAGES
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of this checkout."""
    folder = str(tmp_path_factory.mktemp("dist"))
    return Path(next(WheelBuilder(str(CHECKOUT)).build(directory=folder)))


def locked() -> list[str]:
    """Return the names of the packages in requirements.lock for this platform."""
    text = (CHECKOUT / "requirements.lock").read_text("utf-8")
    requirements = map(Requirement, re.findall(r"^(\w.+?) \\$", text, re.MULTILINE))
    return [item.name for item in requirements if item.marker is None or item.marker.evaluate()]


def create_environment(folder: Path) -> Path:
    """Create an environment with only the packages of the lock file, and return its ``bin``.

    The packages are links into the environment of the tests, so that no network is needed.
    """
    venv.create(folder, symlinks=True)
    (packages,) = folder.glob("lib/python*/site-packages")
    for name in locked():
        files = distribution(name).files or ()
        for top in {file.parts[0] for file in files} - {"..", "__pycache__"}:
            link = packages / top
            if not link.exists():
                link.symlink_to(Path(str(distribution(name).locate_file(top))))
    return folder / "bin"


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Run the service from the wheel in an empty folder."""
    folder = tmp_path_factory.mktemp("installed")
    bin_ = create_environment(folder / "env")
    # pip is the tests' own, run by the Python of the bare environment; it sees no index.
    run(
        [bin_ / "python", Path(pip.__file__).parent, "install", "--quiet", "--isolated",
         "--no-index", "--no-compile", wheel],
        env={"PATH": os.environ["PATH"], "PIP_CONFIG_FILE": os.devnull}, check=True,
    )  # fmt: skip
    command = ("env", "-u", "PYTHONPATH", str(bin_ / "scorekeeper"), "serve")
    with serving(folder, command=command) as server:
        yield server


def test_the_wheel_contains_the_package_and_its_bundled_files(wheel: Path) -> None:
    assert f"-{__version__}-" in wheel.name
    with ZipFile(wheel) as archive:
        names = set(archive.namelist())
    packages = {name.partition("/")[0] for name in names}
    assert {name for name in packages if not name.endswith(".dist-info")} == {"scorekeeper"}
    bundled = dict.fromkeys(("templates", "migrations", "samples", "docs/pictures"), BUNDLED)
    for folder, prefix in {"scorekeeper": "", **bundled}.items():
        for path in (CHECKOUT / folder).rglob("*.*"):
            if "__pycache__" not in path.parts:
                assert f"{prefix}{path.relative_to(CHECKOUT)}" in names, path


def test_the_service_runs_from_the_wheel(installed: Server) -> None:
    assert installed.get("/readyz").status == 200
    for path in ("/", "/static/style.css", "/rules/picchetto", "/pictures/table-fr.png",
                 "/api/schemas/club", "/api/samples", "/api/samples/club.jsonl"):  # fmt: skip
        assert installed.get(path).status == 200, path
    for language, title in TITLES.items():
        guide = installed.get("/guide", Accept_Language=language).body.decode()
        assert f">{title}</h1>" in guide
    table = installed.open_session()
    key = {"Authorization": f"Bearer {table['keys']['host']}"}
    assert installed.get(f"/api/sessions/{table['id']}/events", **key).json["version"] == 1
