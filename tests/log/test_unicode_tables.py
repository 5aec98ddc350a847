"""One verdict on a log, whatever Unicode tables the running Python has."""

import io
import random
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import unicodedata2  # type: ignore[import-not-found]

from scorekeeper.clubs import values
from scorekeeper.events import names
from scorekeeper.exports import verifier
from scorekeeper.log import canonical
from scorekeeper.log.reading import verify
from scorekeeper.session.session import Session
from tests.conftest import SOAK
from tests.evenings import event, opening, sealed
from tests.other_pythons import other_pythons

LOGS = 10_000 if SOAK else 100
# Combining marks that Unicode assigned in 15.0 and 16.0, beside marks of other classes.
NEWER_MARKS = "\U00010efd\U00010efe\U0001e08f\u0897\U00010d69"
PIECES = (*NEWER_MARKS, "x", "\u0301", "\u0316", "\u0345", "É", "\U0001fae8", "🂡", "\uac00")
IN_ORDER_BY_NEWER_TABLES = "x\u0301\U00010efd"

NEWEST = SimpleNamespace(
    category=unicodedata2.category,
    combining=unicodedata2.combining,
    normalize=unicodedata2.normalize,
    is_normalized=lambda form, text: unicodedata2.normalize(form, text) == text,
    unidata_version=unicodedata2.unidata_version,
)


def log_with(text: str) -> bytes:
    """Return a sealed log with a note."""
    return sealed([opening("mara", "leo"), event("note_added", text=text)], by="keeper")


def logs(many: int) -> list[bytes]:
    """Return sealed logs whose texts hold marks that newer tables would put in another order."""
    rng = random.Random(52)  # noqa: S311
    return [
        log_with(canonical.to_nfc("".join(rng.choices(PIECES, k=rng.randrange(1, 8)))))
        for _ in range(many)
    ]


@pytest.fixture
def newest_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the program and the verifier run as under the newest tables of Unicode."""
    for module in (canonical, names, values, verifier):
        monkeypatch.setattr(module, "unicodedata", NEWEST)


def verdicts(log: bytes) -> tuple[bool, bool]:
    """Return whether the program and the verifier that stands alone find a log intact."""
    return verify(io.BytesIO(log)).ok, verifier.verify(io.BytesIO(log)).code == verifier.WHOLE


def test_the_newest_tables_would_change_these_logs() -> None:
    assert unicodedata2.normalize("NFC", IN_ORDER_BY_NEWER_TABLES) != IN_ORDER_BY_NEWER_TABLES
    assert canonical.to_nfc(IN_ORDER_BY_NEWER_TABLES) == IN_ORDER_BY_NEWER_TABLES


def test_an_honest_log_is_intact_under_the_newest_tables(newest_tables: None) -> None:
    for log in (log_with(IN_ORDER_BY_NEWER_TABLES), *logs(LOGS)):
        assert verdicts(log) == (True, True), log
        assert Session.read(io.BytesIO(log)).corrections.head


def test_a_log_by_hand_is_sealed_alike_under_the_newest_tables(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before = logs(LOGS)
    monkeypatch.setattr(canonical, "unicodedata", NEWEST)
    assert logs(LOGS) == before


def test_text_that_is_not_in_normal_form_is_damage_under_all_tables(
    request: pytest.FixtureRequest,
) -> None:
    log = log_with("x\u00e9\U00010efd").replace("\u00e9".encode(), "e\u0301".encode())
    assert verdicts(log) == (False, False)
    request.getfixturevalue("newest_tables")
    assert verdicts(log) == (False, False)


@pytest.mark.parametrize("char", ["\U0001fae8", NEWER_MARKS[0]])
def test_names_of_newer_characters_are_visible_under_all_tables(
    char: str, request: pytest.FixtureRequest
) -> None:
    assert names.is_visible(char)
    request.getfixturevalue("newest_tables")
    assert names.is_visible(char)


@pytest.mark.parametrize("name", ["\ua7cb", "x\u0301\U00010efd", "STRASSE \ua7dc"])
def test_names_of_house_rules_are_compared_alike_under_all_tables(
    name: str, request: pytest.FixtureRequest
) -> None:
    plain = values.normalize_name(name)
    request.getfixturevalue("newest_tables")
    assert values.normalize_name(name) == plain


@pytest.mark.parametrize("minor", other_pythons() or [sys.version_info.minor])
def test_the_verifier_gives_one_verdict_under_each_python(minor: int, tmp_path: Path) -> None:
    python = other_pythons().get(minor, sys.executable)
    paths = [tmp_path / f"{place}.jsonl" for place in range(20)]
    for path, log in zip(paths, [log_with(IN_ORDER_BY_NEWER_TABLES), *logs(19)], strict=True):
        path.write_bytes(log)
    program = Path(verifier.__file__).parent
    asked = (
        "import sys, verifier; print([verifier.verify(open(p, 'rb')).code for p in sys.argv[1:]])"
    )
    done: Any = subprocess.run(
        [python, "-c", asked, *map(str, paths)],
        cwd=program, capture_output=True, check=True, text=True,
    )  # fmt: skip
    assert done.stdout.split() == str([verifier.WHOLE] * 20).split()
