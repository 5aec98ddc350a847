"""Trials of faults: each is made in a copy of the checkout, where the tests of its lines are run.

For a fault that they miss, two tests of the pages are run: one compares the catalogues of
translations with all texts of the code, and one checks that each reason of a refusal has its words.
"""

import compileall
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cache
from itertools import islice
from pathlib import Path
from py_compile import PycInvalidationMode
from queue import SimpleQueue
from typing import Final

from coverage import CoverageData

from tools.mutants.faults import Fault

FOLDER: Final = Path(".mutants")  # copies of the checkout, and records of its tests
PROCESSES: Final = 2
TEST_SECONDS_PER_FAULT: Final = 20.0  # of the quickest tests that run its lines
OVERHEAD_SECONDS: Final = 0.01  # of a test beside its own time
FIRST_TESTS: Final = 100  # run before the others
MAX_SECONDS_PER_FAULT: Final = 300
MAX_BYTES: Final = 4 * 2**30  # of memory of the tests of a fault
# Packages whose tests are run: those with faults and those that depend on them, without pages.
PACKAGES: Final = (
    "cards", "events", "play", "players", "games", "log", "session", "report", "repair", "store",
    "service", "exports", "live", "api", "cli",
)  # fmt: skip
FILES: Final = ("test_golden.py", "test_simulated_play.py", "test_near_misses.py", "test_fuzz.py")
GOLDEN: Final = "tests/test_golden.py::test_golden_log_gives_the_expected_digest"
CATALOGUE: Final = "test_the_catalogues_hold_all_texts_and_no_others[it]"
TESTS_OF_TEXTS: Final[dict[str, float]] = {  # run last, with their seconds
    f"tests/tools/test_language_catalogues.py::{CATALOGUE}": 6,
    "tests/web/test_refused_words.py::test_each_reason_has_its_words": 5,
}
SLOW: Final = ("test_schemathesis.py",)  # makes many requests, few of which run new lines
PYTEST: Final = (sys.executable, "-m", "pytest", "-q")
NOTING: Final = ("-p", "tools.mutants.noting", "-n", str(PROCESSES), "--dist", "loadfile")
CHOOSING: Final = ("-p", "tools.mutants.choosing", "-x", "-p", "no:cacheprovider",
                   "-p", "no:schemathesis", "-p", "no:anyio", "-p", "no:xdist")  # fmt: skip


@dataclass(frozen=True)
class Outcome:
    """The result of a fault, and the number of its tests."""

    fault: Fault
    result: str  # found, missed, or too long
    tests: int


def try_faults(faults: list[Fault]) -> Iterator[Outcome]:
    """Yield the outcome of each fault; a result for the same code is read from the last run."""
    FOLDER.mkdir(exist_ok=True)
    copies: SimpleQueue[Path] = SimpleQueue()
    for number in range(PROCESSES):
        copies.put(_copy(FOLDER / f"copy-{number}"))
    notes = _notes(FOLDER / "copy-0")
    chosen = _chosen(faults, notes)
    if any(_run(tests, FOLDER / "copy-0") for tests in (chosen[faults[0]], TESTS_OF_TEXTS)):
        raise SystemExit("the tests fail without a fault, too")
    known_file = notes / "found.json"
    known = json.loads(known_file.read_text()) if known_file.exists() else {}

    def outcome(fault: Fault) -> Outcome:
        key = json.dumps(asdict(fault))
        result = known.get(key)
        if result is None:
            copy = copies.get()
            result = _try(fault, chosen[fault], copy)
            copies.put(copy)
        if result != "missed":
            known[key] = result
            known_file.write_text(json.dumps(known))
        return Outcome(fault, result, len(chosen[fault]))

    with ThreadPoolExecutor(PROCESSES) as pool:
        yield from pool.map(outcome, faults)


# -------------------------------------------------------------------- the lines of each test


def _copy(folder: Path) -> Path:
    """Copy the checkout, compiled so that Python recompiles a module that changes."""
    shutil.rmtree(folder, ignore_errors=True)
    listed = ("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
    names = subprocess.run(listed, check=True, capture_output=True, text=True).stdout.split("\0")
    for name in names:
        if Path(name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(name, folder / name)
    mode = PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(folder / "scorekeeper", quiet=2, invalidation_mode=mode)
    return folder


def _digest(paths: list[Path]) -> str:
    return hashlib.sha256(b"".join(path.read_bytes() for path in sorted(paths))).hexdigest()[:16]


def _notes(copy: Path) -> Path:
    """Return the folder with the lines that each test runs; only new test files are run for it."""
    tests = [copy / "tests" / name for name in FILES]
    for package in PACKAGES:
        tests += sorted(copy.glob(f"tests/{package}/test_*.py"))
    code = _digest(list(copy.glob("scorekeeper/**/*.py")))
    folder = FOLDER / code
    folder.mkdir(exist_ok=True)
    noted_file = folder / "noted.json"
    noted = json.loads(noted_file.read_text()) if noted_file.exists() else {}
    now = {str(path.relative_to(copy)): _digest([path]) for path in tests if path.name not in SLOW}
    new = [name for name, digest in now.items() if noted.get(name) != digest]
    if new:
        print(f"noting what the tests of {len(new)} files run", flush=True)
        notes = {"MUTANTS_NOTES": str(folder.absolute())}
        subprocess.run([*PYTEST, *NOTING, *new], cwd=copy, check=False, env=_environment(**notes))
        noted_file.write_text(json.dumps(noted | now))
    return folder


def _environment(**more: str) -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": ".", "REQUIRE_POSTGRES": "1", **more}


def _chosen(faults: list[Fault], notes: Path) -> dict[Fault, dict[str, float]]:
    """Return for each fault the tests that run its line, with their seconds, within the limit.

    Lines that only an import runs have the tests of their folder, and those that name it.
    """
    seconds: dict[str, float] = {}
    for file in notes.glob("seconds.*"):
        noted = json.loads(file.read_text())
        existing = (test for test in noted if Path(_file(test)).exists())
        seconds |= {test: noted[test] + OVERHEAD_SECONDS for test in existing}
    data = CoverageData(str(notes / "all"))
    for file in notes.glob("lines.*"):
        of_process = CoverageData(str(file))
        of_process.read()
        data.update(of_process, map_path=lambda path: path[path.rindex("/scorekeeper/") + 1 :])
    folders: dict[str, set[str]] = {}
    by_line: dict[str, dict[int, list[str]]] = {}
    for path in data.measured_files():
        by_line[path] = data.contexts_by_lineno(path)
        ran = {test for tests in by_line[path].values() for test in tests}
        folders.setdefault(str(Path(path).parent), set()).update(ran)
    chosen, in_turn = {}, _in_turn(seconds)
    for fault in faults:
        lines = by_line.get(fault.path, {})
        first, last = fault.lines
        tests = {test for line in range(first, last + 1) for test in lines.get(line, ())}
        tests &= set(seconds)
        if not (fault.in_function and tests):
            folder = Path(fault.path).parent
            tests = folders.get(str(folder), set()) & set(seconds)
            tests |= {test for test in seconds if folder.name in test}
        chosen[fault] = _quickest(fault, tests, seconds, in_turn)
    return chosen


@cache
def _file(test: str) -> str:
    return test.partition("::")[0]


def _quickest(
    fault: Fault, tests: set[str], seconds: dict[str, float], in_turn: list[str]
) -> dict[str, float]:
    """Return the quickest of these tests that fit in the time, which all files share.

    Golden logs, which check every figure, and tests named after the module, its package or a family
    come first, in half of the time. Other tests of the same files are added, because a shared
    fixture is made by the first test that uses it.
    """
    golden = [test for test in in_turn if test in tests and test.startswith(GOLDEN)]
    names = _names(fault.path)
    alike = {test: sum(name in test for name in names) for test in tests}
    first = sorted(tests, key=lambda test: (-alike[test], seconds[test]))[:FIRST_TESTS]
    named = [test for test in in_turn if alike.get(test)]
    files = {_file(test) for test in tests}
    others = [test for test in in_turn if _file(test) in files]
    spent, chosen = 0.0, dict[str, float]()
    for most, some in (
        (TEST_SECONDS_PER_FAULT / 2, [*golden, *first, *named]),
        (TEST_SECONDS_PER_FAULT, others),
    ):
        for test in some:
            if test not in chosen and (spent + seconds[test] < most or not chosen):
                spent += seconds[test]
                chosen[test] = seconds[test]
    return chosen


@cache
def _names(path: str) -> frozenset[str]:
    """Return the names of a module, of its package, and of the families that it imports."""
    families = re.findall(r"scorekeeper\.families\.(\w+)", Path(path).read_text(encoding="utf-8"))
    return frozenset((Path(path).stem, Path(path).parent.name, *families))


def _in_turn(seconds: dict[str, float]) -> list[str]:
    """Return all tests, the quickest of each file first, with equal shares of time for files."""
    spent: Counter[str] = Counter()
    until: dict[str, int] = {}
    for test in sorted(seconds, key=seconds.__getitem__):
        spent[_file(test)] += round(1000 * seconds[test])
        until[test] = spent[_file(test)]
    return sorted(seconds, key=until.__getitem__)


# ------------------------------------------------------------------------------- one fault


def _try(fault: Fault, tests: dict[str, float], copy: Path) -> str:
    """Return the result of a fault: found, missed, or too long."""
    module = copy / fault.path
    source = module.read_bytes()
    first = dict(islice(tests.items(), FIRST_TESTS))
    others = dict(islice(tests.items(), FIRST_TESTS, None))
    module.write_bytes(fault.made_in(source))
    try:
        code = _run(first, copy) or _run(others, copy) or _run(TESTS_OF_TEXTS, copy)
    finally:
        module.write_bytes(source)
    return {0: "missed", -signal.SIGALRM: "too long"}.get(code, "found")


def _run(tests: dict[str, float], copy: Path) -> int:
    """Run tests in a copy until one fails; return 0 if none does."""
    if not tests:
        return 0
    chosen = (copy / "chosen.json").absolute()
    chosen.write_text(json.dumps(tests))
    files = dict.fromkeys(map(_file, tests))
    run = subprocess.Popen([*PYTEST, *CHOOSING, *files], cwd=copy, start_new_session=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                           env=_environment(MUTANTS_CHOSEN=str(chosen)))  # fmt: skip
    resource.prlimit(run.pid, resource.RLIMIT_AS, (MAX_BYTES, MAX_BYTES))
    try:
        return run.wait(MAX_SECONDS_PER_FAULT)
    except subprocess.TimeoutExpired:
        return -signal.SIGALRM
    finally:
        with suppress(ProcessLookupError):
            os.killpg(run.pid, signal.SIGKILL)
        run.wait()
