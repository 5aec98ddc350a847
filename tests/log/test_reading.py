"""The two ways to read a log, and what is done with damage."""

import io
import json
from collections.abc import Callable

import pytest

from scorekeeper.base.errors import TooLargeError, UnusableError
from scorekeeper.log.reading import MAX_LINE_BYTES, LogFile, is_time
from tests.evenings import AT, Raw, a_log, by_hand, event, opening, score, sealed

Edit = Callable[[list[bytes]], list[bytes]]


def read(log: bytes) -> list[tuple[int, str]]:
    return [(raw.seq, raw.type) for raw in LogFile(io.BytesIO(log))]


def refusal(log: bytes) -> str:
    with pytest.raises(UnusableError) as refused:
        read(log)
    return str(refused.value)


LOG = a_log()
TYPES = [(seq, raw["type"]) for seq, raw in enumerate(LOG, start=1)]


# ---------------------------------------------------------------------------------- by hand


def test_by_hand_events_are_numbered_in_file_order() -> None:
    assert read(by_hand(LOG)) == TYPES


@pytest.mark.parametrize(
    "edit",
    [
        lambda log: log.replace(b"\n", b"\r\n"),
        lambda log: log.replace(b"\n", b"\n\n  \n\t\r\n"),
        lambda log: b"\n \n" + log,
        lambda log: b"\xef\xbb\xbf" + log,
        lambda log: b"\n\xef\xbb\xbf" + log,
        lambda log: log.rstrip(b"\n"),
        lambda log: b"".join(b"  " + line[:-1] + b" \t\n" for line in log.splitlines(True)),
        lambda log: log.replace(b": ", b" :  "),
    ],
    ids=["CRLF", "blank lines", "blank first", "BOM", "BOM later", "no end", "indent", "spaces"],
)
def test_by_hand_blank_lines_and_spaces_do_not_matter(edit: Callable[[bytes], bytes]) -> None:
    log = edit(by_hand(LOG))
    assert read(log) == TYPES
    assert score(log) == score(by_hand(LOG))


def test_by_hand_empty_data_may_be_left_out() -> None:
    log = by_hand([opening("mara"), {"type": "session_closed"}])
    assert score(log)["session"]["closed"]


def test_by_hand_texts_are_normalized_to_nfc() -> None:
    log = by_hand([opening("zoe")]).replace("ë".encode(), "e\u0308".encode())
    assert score(log)["session"]["players"][0]["name"] == "Zo\u00eb"


def test_a_log_by_hand_has_no_head() -> None:
    assert score(by_hand(LOG))["session"]["head"] is None


# ----------------------------------------------------------------------------------- sealed


def test_a_sealed_log_is_read_with_its_own_numbers_and_head() -> None:
    log = sealed(LOG)
    assert read(log) == TYPES
    report = score(log)
    assert report["session"]["head"] == json.loads(log.splitlines()[-1])["hash"]
    assert report["findings"] == score(by_hand(LOG))["findings"]


@pytest.mark.parametrize("first_sealed", [True, False])
def test_hashes_on_some_lines_only_are_refused(first_sealed: bool) -> None:
    lines, plain = sealed(LOG).splitlines(True), by_hand(LOG).splitlines(True)
    if first_sealed:
        mixed = b"".join(lines[:3] + plain[3:])
        assert refusal(mixed) == "line 4, field at: missing in a sealed log"
    else:
        mixed = b"".join(plain[:3] + lines[3:])
        why = "line 4, field hash: this line has a hash, but the lines before have none"
        assert refusal(mixed) == why


# ----------------------------------------------------------------------------------- damage


def changed(log: list[Raw], event: int, /, **fields: object) -> bytes:
    """A sealed log in which the fields of one event were changed, and not its hash."""
    lines = sealed(log).splitlines()
    value = {**json.loads(lines[event - 1]), **fields}
    form = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    lines[event - 1] = form.encode()
    return b"".join(line + b"\n" for line in lines)


def damage(log: bytes) -> list[tuple[str, int]]:
    """Code and event of each finding that is about the log."""
    findings = score(log)["findings"]
    return [
        (f["code"], f["events"][0]) for f in findings if f["code"] in ("chain_broken", "seq_gap")
    ]


def test_intact_log_has_no_damage() -> None:
    assert damage(sealed(LOG)) == []


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("at", "2026-11-21T20:14:03.251Z"),
        ("at", "2026-13-21T20:14:03.250Z"),
        ("at", "yesterday"),
        ("by", "mara"),
        ("data", {"text": "quite another"}),
        ("hash", "0" * 64),
        ("hash", "no hash"),
        ("hash", ""),
    ],
)
def test_a_changed_event_breaks_the_chain_and_is_scored(field: str, value: object) -> None:
    damage_found = damage(changed(LOG, 3, **{field: value}))
    assert ("chain_broken", 3) in damage_found
    assert {code for code, _ in damage_found} == {"chain_broken"}
    assert damage_found[0] == ("chain_broken", 3)


def test_a_changed_number_is_a_gap() -> None:
    assert damage(changed(LOG, 3, seq=9))[:2] == [("seq_gap", 9), ("chain_broken", 9)]


@pytest.mark.parametrize(
    ("edit", "damage_found"),
    [
        (lambda ls: ls[:2] + ls[3:], [("seq_gap", 4), ("chain_broken", 4)]),
        (lambda ls: ls[:3] + ls[2:], [("seq_gap", 3), ("chain_broken", 3)]),
        (lambda ls: [b"\n", *ls], [("chain_broken", 1)]),
        (lambda ls: [b"\xef\xbb\xbf" + ls[0], *ls[1:]], [("chain_broken", 1)]),
        (lambda ls: [*ls[:2], b"\n", *ls[2:]], [("chain_broken", 2)]),
        (lambda ls: [*ls[:2], b"\n", b"\n", *ls[2:]], [("chain_broken", 2)]),
        (lambda ls: [*ls[:2], b" " + ls[2], *ls[3:]], [("chain_broken", 3)]),
        (lambda ls: [line.replace(b"\n", b"\r\n") for line in ls], [("chain_broken", 1)]),
        (lambda ls: [*ls[:-1], ls[-1][:-1]], [("chain_broken", len(LOG))]),
    ],
    ids=["dropped", "twice", "blank first", "BOM", "blank", "blanks", "space", "CRLF", "no end"],
)
def test_damage_is_scored_and_found(edit: Edit, damage_found: list[tuple[str, int]]) -> None:
    log = b"".join(edit(sealed(LOG).splitlines(True)))
    assert damage(log)[: len(damage_found)] == damage_found
    assert len(set(damage(log))) == len(damage(log))
    whole = score(sealed(LOG))
    assert score(log)["matches"] == whole["matches"], "the note is all that may be lost"


@pytest.mark.parametrize(
    ("edit", "says"),
    [
        (lambda ls: ls[:2] + ls[3:], "Event 4: event 3 is due here (line 3)"),
        (lambda ls: ls[:3] + ls[2:], "Event 3: event 4 is due here (line 4)"),
        (lambda ls: [b"\xef\xbb\xbf" + ls[0], *ls[1:]],
         "Event 1: a byte order mark comes before it"),
        (lambda ls: [b"\n", *ls], "Event 1: a blank line comes before it"),
        (lambda ls: [*ls[:2], b"\n", *ls[2:]], "Event 2: a blank line comes after it (line 3)"),
    ],
    ids=["dropped", "twice", "BOM", "blank first", "blank"],
)  # fmt: skip
def test_finding_describes_the_damage_and_its_place(edit: Edit, says: str) -> None:
    log = b"".join(edit(sealed(LOG).splitlines(True)))
    assert says in [finding["message"] for finding in score(log)["findings"]]


def test_an_event_not_in_nfc_is_damage() -> None:
    log = sealed([opening("zoe")])
    apart = log.replace("ë".encode(), "e\u0308".encode())
    assert damage(apart) == [("chain_broken", 1)]


@pytest.mark.parametrize(
    ("field", "value", "why"),
    [
        ("seq", 0, "line 3, field seq: expected a whole number from 1 on, got 0"),
        ("seq", "3", 'line 3, field seq: expected a whole number from 1 on, got "3"'),
        ("seq", True, "line 3, field seq: expected a whole number from 1 on, got true"),
        ("type", None, "line 3, field type: expected a text, got null"),
        ("type", "jump", 'line 3, field type: expected a known type of event, got "jump"'),
        ("data", [], "line 3, field data: expected an object, got an empty list"),
        ("data", {"txt": ""}, "line 3, field data.text: missing, expected a text of at most"),
        ("by", "zorro", "line 3, field by: expected a player of this session, keeper or import"),
        ("by", "K P", "line 3, field by: expected a player's id, keeper or import"),
        ("by", None, "line 3, field by: expected a player's id, keeper or import, got null"),
        ("hash", 7, "line 3, field hash: expected a text, got 7"),
        ("at", 7, "line 3, field at: expected a text, got 7"),
        ("extra", 1, "line 3, field extra: expected one of at, by, data, hash, seq, type"),
    ],
)  # fmt: skip
def test_a_sealed_line_that_cannot_be_decoded_is_unusable(
    field: str, value: object, why: str
) -> None:
    with pytest.raises(UnusableError) as refused:
        score(changed(LOG, 3, **{field: value}))
    assert str(refused.value).startswith(why)


@pytest.mark.parametrize("field", ["at", "by", "data", "hash", "seq", "type"])
def test_a_sealed_line_has_all_six_fields(field: str) -> None:
    lines = sealed(LOG).splitlines()
    value = json.loads(lines[2])
    del value[field]
    lines[2] = json.dumps(value).encode()
    assert refusal(b"\n".join(lines)) == f"line 3, field {field}: missing in a sealed log"


@pytest.mark.parametrize(
    ("text", "good"),
    [
        (AT, True),
        ("2024-02-29T23:59:59.999Z", True),
        ("2026-02-29T20:14:03.250Z", False),
        ("2026-11-21T24:00:00.000Z", False),
        ("2026-11-21T20:14:60.000Z", False),
        ("2026-11-21T20:14:03Z", False),
        ("2026-11-21T20:14:03.25Z", False),
        ("2026-11-21T20:14:03.250+00:00", False),
        ("2026-11-21 20:14:03.250Z", False),
        ("2026-11-21T20:14:03.250Z\n", False),
        ("2026-11-21t20:14:03.250z", False),
        (AT.replace("2", "\u0662"), False),
        ("0000-11-21T20:14:03.250Z", False),
        ("", False),
    ],
)
def test_time_has_exactly_one_form(text: str, good: bool) -> None:
    assert is_time(text) == good


# ----------------------------------------------------------------------------------- limits


def test_a_line_too_long_is_refused() -> None:
    log = by_hand([opening("mara"), event("note_added", text="x" * MAX_LINE_BYTES)])
    with pytest.raises(TooLargeError, match=f"line 2: longer than {MAX_LINE_BYTES} bytes"):
        read(log)


def test_file_is_refused_at_the_first_byte_too_many() -> None:
    log = by_hand([opening("mara"), *[event("note_added", text="")] * 100])
    assert len(list(LogFile(io.BytesIO(log), largest=len(log)))) == 101
    with pytest.raises(TooLargeError, match="larger than 0 MiB"):
        list(LogFile(io.BytesIO(log), largest=len(log) - 1))


@pytest.mark.parametrize("log", [b"", b"\n", b" \n\t\n", b"\r\n\r\n"])
def test_a_log_without_an_event_is_refused(log: bytes) -> None:
    assert refusal(log) == "line 1: no event in it: a log begins with session_opened"


def test_repeated_key_among_very_many_is_found_quickly() -> None:
    keys = ",".join(f'"k{n}":0' for n in range(90_000))
    assert "the key is there twice" in refusal(f'{{{keys},"k89999":0}}'.encode())
