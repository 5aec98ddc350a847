"""``sheet.pdf``: it has the content of the report, for any names and texts.

Tests of ``exports.drawing`` and ``exports.paper``.
"""

import itertools
import json
import logging
import re
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

import pytest
from fpdf.bidi import BidiParagraph
from fpdf.enums import Align, TextDirection
from pypdf import PdfReader

from scorekeeper.exports import paper
from scorekeeper.exports.drawing import MAX_HANDS, format_gain
from scorekeeper.exports.filenames import LEFT_TO_RIGHT, keep_own_direction
from scorekeeper.exports.paper import BOX, FONT, Paper
from scorekeeper.exports.pdf import score_sheet
from scorekeeper.languages.money import with_minus_sign
from scorekeeper.report.marks import MARKS
from scorekeeper.report.sheet import Cell
from tests.evenings import Raw, event
from tests.exports.samples import (
    EVENINGS,
    NAMES,
    SEATS,
    disputed_and_corrected,
    evening_of,
    events_of,
    riparto,
)
from tests.thinned import thinned

MADE = datetime(2026, 11, 21, 20, 14, tzinfo=UTC)


def pages(data: bytes) -> list[list[str]]:
    """Return the texts of each page, in the order in which they were written."""
    return [page.extract_text().splitlines() for page in PdfReader(BytesIO(data)).pages]


def words(data: bytes) -> str:
    """Return all texts without whitespace."""
    return "".join("".join(line.split()) for page in pages(data) for line in page)


def printed_points(cell: Cell, *, won: bool, runs: bool) -> str:
    """Return the printed points of a cell, and with ``runs`` also the total."""
    if cell.points is None:
        return "·"
    mark = "★" if won else ""
    if not runs:
        return f"{mark}{cell.points}"
    return f"{mark}{format_gain(cell.points)}{with_minus_sign(cell.total or 0)}"


@pytest.fixture(scope="module")
def blank() -> Paper:
    return Paper("A title", MADE, "a foot")


# --------------------------------------------------------------------------------------- content


@pytest.mark.parametrize("path", EVENINGS, ids=lambda path: path.parent.name)
def test_sheet_has_the_content_of_the_report(path: Path) -> None:
    evening = evening_of(events_of(path))
    data = score_sheet(evening)
    text = words(data)
    for match in evening.matches:
        sheet = match.sheet
        assert f"Match{sheet.match}·{match.game}·".replace(" ", "") in text
        for name in sheet.columns.values():
            assert name.replace(" ", "") in text
        for row in sheet.rows:
            figures = [
                printed_points(
                    row.cells[side], won=row.winner == side, runs=sheet.counts != "hands"
                )
                for side in sheet.columns
            ]
            assert "".join(figures) in text, row
        assert "".join(map(with_minus_sign, sheet.totals.values())) in text
    assert str(evening.about.head) in text
    for section in evening.notes:
        for note in section.notes:
            assert all("".join(line.split()) in text for line in (note.text, *note.more)), note


def test_sheet_shows_changed_options() -> None:
    usual = words(score_sheet(evening_of(riparto(1))))
    assert "Playedwiththeusualoptions" in usual
    hands = words(score_sheet(evening_of(riparto(1, match_end={"hands": 3}))))
    assert "Whendoesamatchend?3hands" in hands
    chosen = words(score_sheet(evening_of(riparto(1, last_three="sweep"))))
    assert "Whogetsthefivepointsofthelastthreetricks?sweep" in chosen
    assert "usual" not in chosen


def test_marks_of_hands_are_explained() -> None:
    text = words(score_sheet(evening_of(disputed_and_corrected())))
    assert "1⚑○Mara" in text
    assert "2✎◐Leo" in text
    for mark in ("disputed", "corrected", "partly", "unsigned"):
        assert "".join(f"{MARKS[mark].sign}{MARKS[mark].word}".split()) in text
    assert MARKS["signed"].sign not in text
    for words_ in (
        "⚑Hand1DisputedbyMara:no", "before:Pointscounted:", "correctedbythehost",
        "◐Hand2acceptedbyLeo", "WhopayswhomMatch1",
    ):  # fmt: skip
        assert words_ in text


@pytest.mark.parametrize(("ruling", "flags"), [("unresolved", 1), ("upheld", 0)])
def test_dispute_without_agreement_is_shown(ruling: str, flags: int) -> None:
    evening = evening_of([
        *riparto(2),
        event("hand_disputed", player="mara", reason="no", match=1, hand=1),
        event("dispute_settled", ruling=ruling, text="", match=1, hand=1),
    ])  # fmt: skip
    assert words(score_sheet(evening)).count("endedwithoutagreement") == flags
    assert [evening.matches[0].marks[0].count("unresolved")] == [flags]


def test_short_sheet_has_larger_letters() -> None:
    def smallest(hands: int) -> float:
        sizes: set[float] = set()
        data = score_sheet(evening_of(riparto(hands)))
        PdfReader(BytesIO(data)).pages[0].extract_text(
            visitor_text=lambda text, _cm, _tm, _font, size: sizes.add(size if text.strip() else 99)
        )
        return min(sizes)

    assert smallest(2) >= 9
    assert smallest(20) < 9


def test_penalty_has_a_row_at_its_place() -> None:
    (path,) = (path for path in EVENINGS if path.parent.name == "picchetto")
    text = words(score_sheet(evening_of(events_of(path))))
    assert f"Penaltydroppedacard,andaskedwhichone{with_minus_sign(-5)}47" in text
    assert "Gameto150" in text
    assert "Game15160" in text


def test_sheet_without_a_match_says_so() -> None:
    assert "Nomatchwasplayed" in words(score_sheet(evening_of(riparto(0)[:1])))


def test_qr_code_has_the_command_that_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    codes = []
    monkeypatch.setattr(Paper, "qr", lambda self, text, *where: codes.append(text))
    evening = evening_of(riparto(1))
    score_sheet(evening)
    head = evening.about.head
    assert set(codes) == {f"verify.py 2026-11-21-friday.jsonl --count 5 --head {head}"}


# -------------------------------------------------------------------------------------- its pages


def test_twelve_hands_fit_on_one_page_however_long_the_names_are() -> None:
    """Notes below the table may need a second page."""
    events = riparto(0, *["W" * 60] * 3, title="T" * 60)
    for number in range(12):
        events += [*riparto(number + 1)[-3:]]
        events += [event("hand_confirmed", player=player) for player in ("mara", "leo", "nina")]
    first, *others = pages(score_sheet(evening_of(events)))
    assert "Total" in " ".join(first)
    assert len(others) <= 1
    usual = riparto(12)
    assert (
        len(pages(score_sheet(evening_of([*usual, event("hand_confirmed", player="mara")])))) == 1
    )


def test_head_is_repeated_on_each_page() -> None:
    read = pages(score_sheet(evening_of(riparto(70))))
    assert len(read) > 1
    for number, page in enumerate(read, start=1):
        text = " ".join(page)
        assert "Dealer" in text
        assert "How it ended" in text
        assert f"Page {number} of {len(read)}" in text
    text = " ".join(line for page in read for line in page)
    assert [text.count(f" {number} ") > 0 for number in (1, 35, 70)] == [True] * 3


def test_hands_on_paper_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("scorekeeper.exports.drawing.MAX_HANDS", 4)
    text = words(score_sheet(evening_of(riparto(9))))
    assert "andmore" in text
    assert text.count("declared5,took5") == 4
    assert "andmore" not in words(score_sheet(evening_of(riparto(3))))
    assert MAX_HANDS >= 500


def test_hundreds_of_matches_need_fewer_than_a_hundred_pages() -> None:
    """Page numbers have two digits at most, because their placeholder has two characters."""
    start = riparto(0)[1]
    data = score_sheet(evening_of([*riparto(0)[:1], *[start, event("match_ended")] * 600]))
    assert 50 < len(PdfReader(BytesIO(data)).pages) < 100


# ----------------------------------------------------------------------------------------- texts


def of_two_tables(*names: str) -> list[Raw]:
    """Return two matches of three hands, each with three of these six players."""
    opening, *first = riparto(3, *names[:3], title=names[0], place=names[1])
    others = json.dumps(riparto(3, *names[3:]))
    for player in SEATS:
        others = others.replace(f'"{player}"', f'"{player}2"')
    their_opening, *second = json.loads(others)
    opening["data"]["players"] += their_opening["data"]["players"]
    return [opening, *first, event("match_ended"), *second]


@pytest.mark.parametrize("start", range(0, len(NAMES), 6))
def test_no_name_breaks_the_sheet(start: int, caplog: pytest.LogCaptureFixture) -> None:
    names = [NAMES[(start + n) % len(NAMES)] for n in range(6)]
    with caplog.at_level(logging.INFO):
        data = score_sheet(evening_of(of_two_tables(*names)))
    assert not caplog.records  # fontTools logs missing glyphs and pruned tables
    text = words(data)
    assert text.count("Dealer") == 2
    assert text.endswith("Page1of1")
    for row in ("·0+55·0", "·0·5+55", "+55·5·5"):
        assert text.count(row) == 2


def test_missing_characters_are_boxes(blank: Paper) -> None:
    assert blank.printable("aกb", "") == f"a{BOX}b"
    assert blank.printable("♠♥♦♣ ⚑✓ Zoë", "") == "♠♥♦♣ ⚑✓ Zoë"
    assert blank.printable("\ue000", "") == BOX  # otherwise it is replaced by the number of pages
    assert blank.printable("a\u202eb\u200f\tc❤\ufe0f", "") == "ab c❤"


def printed(*texts: str, **names: str) -> list[str]:
    """Print texts, with these names of players, and return what is read back."""
    sheet = Paper("A title", MADE, "a foot")
    sheet.write_at(20, 12, 100, "both styles", style="B")
    sheet.use_ids_for_unprintable(names)
    for line, text in enumerate(texts):
        sheet.write_at(20, 20 + 6 * line, 100, text)
    return PdfReader(BytesIO(bytes(sheet.output()))).pages[0].extract_text().splitlines()[1:-1]


def test_missing_characters_come_from_fallback_fonts() -> None:
    assert printed("日本", "Zoë 🎉") == ["日本", "Zoë 🎉"]


def test_letters_from_right_to_left_are_never_reversed(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = ["ליאו", "ליו bid 7", "Leo & ליאו"]
    lines = ["".join(line.split()) for line in printed(*texts)]
    assert [line.replace(LEFT_TO_RIGHT, "") for line in lines] == [
        text.replace(" ", "") for text in texts
    ]
    monkeypatch.setattr(Paper, "_shape", lambda self, text: None)
    assert printed("ליאו") == ["ואיל"], "without shaping, letters are reversed"


def test_arabic_letters_are_joined(blank: Paper) -> None:
    blank.set_font(FONT, "", 8.5)
    apart = blank.get_string_width("ليو")
    blank.write_at(20, 20, 100, "ليو")
    assert blank.get_string_width("ليو") < apart


def test_id_is_printed_for_an_unprintable_name() -> None:
    assert printed("กขค won 5", "김", leo="กขค", ada="김") == ["leo won 5", "ada"]
    assert printed("Mara", "日本", mara="Mara", nina="日本") == ["Mara", "日本"]


def test_line_is_not_wrapped_at_a_no_break_space(blank: Paper) -> None:
    """Such as before a colon in French."""
    whole = "Bris\u00a0: épées"
    for width in range(10, 30):
        assert not any(line.startswith(":") for line in blank.wrap(whole, width, 8, 4))
    assert blank.wrap(" a\t b\n", 99, 8, 2) == ["a b"]


def test_note_names_all_its_hands() -> None:
    events = riparto(0)
    for number in range(40):
        events += riparto(number + 1)[-3:]
        events += [event("hand_confirmed", player="mara")] if number % 2 else []
    text = words(score_sheet(evening_of(events)))
    odd = ",".join(str(number) for number in range(1, 41, 2))
    assert f"Hands{odd}" in text


@pytest.mark.parametrize("more", thinned(range(8), 2))
def test_list_of_hands_continues_on_the_next_page(more: int) -> None:
    events = riparto(0)
    for number in range(60 + more):
        events += riparto(number + 1)[-3:]
        events += [event("hand_confirmed", player="leo")] if number % 2 and number < 59 else []
    odd = ",".join(str(number) for number in range(1, 60, 2))
    assert f"Hands{odd}" in words(score_sheet(evening_of(events)))


def test_long_name_of_a_dealer_is_not_truncated() -> None:
    name = "Giovanni Battista"
    text = words(score_sheet(evening_of(riparto(1, name, "Leo", "Nina"))))
    assert "1○GiovanniBattistaLeo–declared5" in text


def test_all_players_are_named() -> None:
    start = riparto(1)
    start[0]["data"]["players"] += [{"id": f"p{n}", "name": f"Giovanni {n}"} for n in range(40)]
    assert "Giovanni0,Giovanni1," in words(score_sheet(evening_of(start)))
    assert "Giovanni38,Giovanni39" in words(score_sheet(evening_of(start)))


@pytest.mark.parametrize(
    ("title", "is_explained"), [("김 Friday", True), ("日本", False), ("□", False)]
)
def test_box_for_an_unprintable_letter_is_explained(title: str, is_explained: bool) -> None:
    """It is not explained for the name of a player, because the id is printed instead."""
    text = words(score_sheet(evening_of(riparto(1, "김", "Leo", "Nina", title=title))))
    assert ("□isaletterthatcannotbeprintedhere" in text) is is_explained
    assert "mara" in text


def test_texts_are_truncated_and_numbers_are_not(blank: Paper) -> None:
    lines = blank.wrap("one two three four five six " * 9, 30, 8, 2)
    assert len(lines) == 2
    assert lines[1].endswith("…")
    assert all(blank.get_string_width(line) <= 30 for line in lines)
    assert blank.wrap("short", 30, 8, 2) == ["short"]
    assert blank.wrap("", 30, 8, 2) == []
    blank.write_number(20, 20, 5, "-1234567")
    assert blank.font_size_pt < 8
    blank.write_at(20, 30, 5, "-1234567", align=Align.R)
    assert "-1234567" in PdfReader(BytesIO(bytes(blank.output()))).pages[0].extract_text()


def test_export_is_reproducible(monkeypatch: pytest.MonkeyPatch) -> None:
    evening = evening_of(riparto(30))
    first = score_sheet(evening)
    moved = datetime(2031, 1, 1, tzinfo=UTC).timestamp()
    monkeypatch.setattr("time.time", lambda: moved)
    assert score_sheet(evening) == first
    assert score_sheet(evening_of(riparto(31))) != first


def test_the_fonts_have_their_licence() -> None:
    others = {name: f"LICENSE-{name.removesuffix('.ttf')}" for name in paper.FALLBACKS.values()}
    assert {path.name for path in paper.FONTS.iterdir()} == {
        "LICENSE", *paper.FILES.values(), *others, *others.values()
    }  # fmt: skip
    for name, licence in others.items():
        assert (paper.FONTS / licence).read_text(encoding="utf-8").startswith(name)
    assert "Bitstream Vera" in (paper.FONTS / "LICENSE").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("Leo → ליאו 5", "Leo → ואיל 5"),
        ("ליאו לוי: -1+1", "יול ואיל: -1+1"),
        ("ליאו, ליו 2", "ואיל, ויל 2"),
        ("Leo & ליאו", "Leo & ואיל"),
    ],
)
def test_text_after_a_right_to_left_name_stays_to_its_right(text: str, seen: str) -> None:
    """Without a mark, digits after such a letter would be reordered to its left."""
    marked = keep_own_direction(text)
    drawn = BidiParagraph(marked, TextDirection.LTR).get_reordered_string()
    assert drawn.replace(LEFT_TO_RIGHT, "") == seen


@pytest.mark.parametrize("points", [9, 1440, -1440, 123456])
@pytest.mark.parametrize("path", thinned(EVENINGS, 3))
def test_figures_of_a_row_do_not_touch(
    path: Path, points: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Penalties are in the columns of the sides, too; each row is at a height of its own."""
    boxes: list[tuple[int, int, float, float, float]] = []
    put = Paper._put

    def note(self: Paper, x: float, y: float, width: float, text: str, align: Align) -> None:
        start = x + width - self._measure(text) if align is Align.R else x
        if re.fullmatch(r"[★+\d\N{MINUS SIGN}]+", text):
            boxes.append((id(self), self.page, round(y, 2), start, start + self._measure(text)))
        put(self, x, y, width, text, align)

    monkeypatch.setattr(Paper, "_put", note)
    events = events_of(path)
    began = next(place for place, raw in enumerate(events) if raw["type"] == "match_started")
    sides = list(evening_of(events[: began + 1]).matches[0].sheet.columns)
    fines = [event("penalty_given", side=side, points=points, reason="-") for side in sides]
    score_sheet(evening_of([*events[: began + 1], *fines, *events[began + 1 : began + 4]]))
    assert len(boxes) > 2 * len(sides)
    for (*row, _start, end), (*other, start, _end) in itertools.pairwise(sorted(boxes)):
        assert row != other or start - end >= 0.5


def test_long_names_that_are_cut_differ_above_the_columns() -> None:
    long = "W" * 58
    [first, *_] = pages(score_sheet(evening_of(riparto(2, f"{long}A", f"{long}B", "Leo"))))
    assert {"…A", "…B"} <= set(" ".join(first).split())
