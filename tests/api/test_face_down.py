"""Face-down cards are shown only with the host's key until they are turned up.

Tests of ``log.face_down`` and ``report.masking``.
"""

import io
import itertools
import json
import zipfile
from collections.abc import Collection, Iterator, Mapping
from hashlib import sha256
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.exports import verifier
from scorekeeper.games.knock.rules import PACK
from scorekeeper.log import canonical
from scorekeeper.log.reading import verify
from scorekeeper.service import Holder
from tests.api.asking import Table, match, problem_of
from tests.api.worlds import (
    FILES,
    FORMS,
    LOOKING_BACK,
    World,
    alike,
    answers,
    application,
)
from tests.evenings import Raw, event, opening, replaced, struck
from tests.samples import SAMPLES, played
from tests.thinned import thinned

WORLDS: Final = {game: sample.worlds for game, sample in SAMPLES.items() if sample.worlds}
GAMES: Final = sorted(WORLDS)
BETRAYED: Final = {game: world.betrayed for game, world in WORLDS.items() if world.betrayed}
LAID: Final = ["QB", "7C"]
CORRECTION_KINDS: Final = ("struck", "replaced", "taken back")


# ---------------------------------------------------------------------------------- two worlds


@pytest.fixture(scope="module")
def clients() -> tuple[FlaskClient, FlaskClient]:
    """Return two applications."""
    return application(), application()


CHANCE: Final = itertools.count()


@pytest.fixture
def worlds(
    clients: tuple[FlaskClient, FlaskClient],
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> tuple[World, World]:
    """Return two worlds in the middle of a hand."""
    players, steps, *_ = WORLDS[request.param]
    alike(monkeypatch)
    chance = next(CHANCE)
    here, there = (World(client, players, chance, monkeypatch) for client in clients)
    pair = here, there
    for step in steps:
        answer, other = (
            world.table.append(*events, who=step.who, as_played=True)
            for world, events in zip(pair, (step.one, step.other), strict=True)
        )
        assert answer.status_code == 201, answer.get_data(as_text=True)
        if step.who != "host":
            assert answer.data == other.data
    return pair


LOOKS_ON: Final = {"view": (*FILES, *FORMS)}
MADE_APART: Final = ("results.xlsx", "sheet.pdf")  # both of them are in the bundle


def differences(worlds: tuple[World, World], readers: Mapping[str, Collection[str]]) -> list[str]:
    """Return the answers that differ between the worlds, for readers and excluded addresses."""
    different = []
    for who, but in readers.items():
        pairs = zip(*(answers(world, who, but) for world in worlds), strict=True)
        different += [f"{who}: {path}" for (path, one), (_, other) in pairs if one != other]
    return different


@pytest.mark.parametrize("worlds", GAMES, indirect=True)
def test_answers_do_not_depend_on_face_down_cards(
    worlds: tuple[World, World], request: pytest.FixtureRequest
) -> None:
    """Each address is requested by at least one of three readers; files vary by game."""
    place = GAMES.index(request.node.callspec.params["worlds"])
    files = [file for n, file in enumerate(FILES) if n != place % len(FILES)]
    *_, other = sorted(set(worlds[0].table.keys) - {"host", "view", "mara"})
    readers = {
        "mara": (*FILES, *LOOKING_BACK),
        other: (*FILES, *FORMS),
        "view": (*files, *FORMS, *LOOKING_BACK),
    }
    assert differences(worlds, readers) == []


@pytest.mark.soak
@pytest.mark.parametrize("worlds", GAMES, indirect=True)
def test_public_answers_do_not_depend_on_face_down_cards(worlds: tuple[World, World]) -> None:
    assert differences(worlds, dict.fromkeys({*worlds[0].table.keys} - {"host"}, ())) == []


@pytest.mark.parametrize("worlds", GAMES[:1], indirect=True)
def test_answers_differ_without_the_mask(
    worlds: tuple[World, World], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Holder, "sees_all", property(lambda holder: True))
    different = differences(worlds, {"view": (*FORMS, *LOOKING_BACK, *MADE_APART)})
    for end in ("/events", "/log.jsonl", "/bundle.zip"):
        assert any(path.endswith(end) for path in different)


@pytest.mark.parametrize("worlds", thinned(sorted(BETRAYED), 2), indirect=True)
def test_prompts_do_not_depend_on_face_down_cards(
    worlds: tuple[World, World], request: pytest.FixtureRequest
) -> None:
    who, cards = BETRAYED[request.node.callspec.params["worlds"]]
    events = played(cards).one
    answer, other = (world.table.append(*events, who=who) for world in worlds)
    assert (answer.status_code, answer.data) == (201, other.data)
    findings = [world.table.get(who="host").get_json()["findings"] for world in worlds]
    assert findings[0] != findings[1]  # the host sees them
    assert differences(worlds, LOOKS_ON) == []


def corrected() -> Iterator[Any]:
    """Each way of correction in another game; in the soak each game in all ways."""
    for place, game in enumerate(GAMES):
        for number, way in enumerate(CORRECTION_KINDS):
            marks = [] if number == place else [pytest.mark.soak]
            yield pytest.param(game, way, marks=marks, id=f"{game}-{way}")


@pytest.mark.parametrize(("worlds", "way"), list(corrected()), indirect=["worlds"])
def test_corrected_face_down_cards_are_not_revealed(worlds: tuple[World, World], way: str) -> None:
    """A struck entry, a replaced one, and a hand whose start was struck."""
    for world in worlds:
        log = world.table.get("/events").get_json()["events"]
        hidden = [raw for raw in log if world.masked(raw["seq"])]
        first = hidden[0]
        if way == "struck":
            world.table.do(struck(first["seq"]), as_played=True)
        elif way == "replaced":
            world.table.do(replaced(first["seq"], first["type"], **first["data"]), as_played=True)
        else:
            backward = [struck(raw["seq"]) for raw in reversed(log[2:])]
            world.table.do(*backward, as_played=True)
    assert differences(worlds, LOOKS_ON) == []


@pytest.mark.parametrize(
    "worlds", thinned(GAMES, len(GAMES), GAMES[len(CORRECTION_KINDS) :].__contains__), indirect=True
)
@pytest.mark.parametrize("taken_back", [False, True])
def test_correction_set_of_face_down_cards_and_its_reason_are_hidden(
    worlds: tuple[World, World], taken_back: bool
) -> None:
    for world in worlds:
        log = world.table.get("/events").get_json()["events"]
        first = next(raw for raw in log if world.masked(raw["seq"]))
        again = replaced(first["seq"], first["type"], **first["data"])
        whole = [struck(raw["seq"]) for raw in reversed(log[2:])]
        begun = world.table.version + 1
        corrections = [again, *whole] if taken_back else [again, struck(first["seq"]), again]
        world.table.do(
            event("correction_begun", count=len(corrections), reason=str(first["data"])),
            *corrections,
            as_played=True,
        )
        assert world.masked(begun)
    assert differences(worlds, LOOKS_ON) == []


def test_cards_stay_face_down_after_a_late_strike_of_the_start_of_their_hand(
    clients: tuple[FlaskClient, FlaskClient],
) -> None:
    table = Table.open(clients[0], "mara leo")
    table.do(
        event("match_started", game="picchetto", seats=["mara", "leo"]),
        event("hand_started", dealer="leo"),
        event("tricks_counted", tricks={"mara": 7, "leo": 5}, last="mara"),
        event("hand_started", dealer="mara"),
        event("cards_exchanged", player="leo", count=2, discarded=["7S", "8S"]),
        struck(5),
        as_played=True,
    )
    for path in ("", "/events", "/log.jsonl", "/audit"):
        assert "7S" in table.get(path).text or path in ("", "/audit"), path
        for who in ("view", "mara"):
            assert "7S" not in table.get(path, who).text, path


# The suite tests the first game and those that are not corrected above.
@pytest.mark.parametrize(
    "worlds", thinned(GAMES, len(GAMES), GAMES[len(CORRECTION_KINDS) :].__contains__), indirect=True
)
def test_proposal_about_face_down_cards_is_hidden(worlds: tuple[World, World]) -> None:
    for world in worlds:
        log = world.table.get("/events").get_json()["events"]
        first = next(raw for raw in log if world.masked(raw["seq"]))
        again = replaced(first["seq"], first["type"], **first["data"])
        world.table.do(
            event("correction_proposed", corrections=[again], reason="so", match=1, hand=1)
        )
    assert differences(worlds, LOOKS_ON) == []


@pytest.mark.parametrize("worlds", GAMES, indirect=True)
def test_question_about_a_count_does_not_reveal_face_down_cards(
    worlds: tuple[World, World], request: pytest.FixtureRequest
) -> None:
    """A refusal reveals nothing, even if the refused event would turn the cards up."""
    (end,) = WORLDS[request.node.callspec.params["worlds"]].end.one
    next_hand = event("hand_started", dealer="mara")
    refused = [world.table.append(end, next_hand, who="mara") for world in worlds]
    assert refused[0].status_code == refused[1].status_code
    if refused[0].status_code != 201:  # all readers may get a question about the next dealer
        assert refused[0].data == refused[1].data
        answers = [world.table.append(end, who="mara") for world in worlds]
        assert [answer.status_code for answer in answers] == [201, 201]


def test_visible_fault_is_reported_although_the_cards_turn_up(
    clients: tuple[FlaskClient, FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    """An impossible count is sent together with the event that ends the hand."""
    script = WORLDS["knock"]
    table = World(clients[0], script.players, next(CHANCE), monkeypatch).table
    for step in script.steps:
        table.append(*step.one, who=step.who, as_played=True)
    wrong = event("points_counted", points={"A": 60, "B": 41})
    answer = table.append(wrong, *script.end.one, who="mara")
    assert (answer.status_code, answer.get_json()["code"]) == (422, "irregular")
    assert [finding["code"] for finding in answer.get_json()["findings"]] == ["total_mismatch"]
    assert table.append(*script.end.one, who="mara").status_code == 201


# ------------------------------------------------------------------------------- turned up again


@pytest.mark.parametrize("worlds", GAMES, indirect=True)
def test_host_sees_all_cards_and_others_after_the_hand(
    worlds: tuple[World, World], request: pytest.FixtureRequest
) -> None:
    table = worlds[0].table
    sealed = table.get("/log.jsonl").data
    masked = table.get("/log.jsonl", who="view").data
    lines = list(zip(sealed.splitlines(), masked.splitlines(), strict=True))
    hidden = [(json.loads(line), json.loads(other)) for line, other in lines if line != other]
    assert hidden
    for raw, other in hidden:
        assert other == {**raw, "data": None}
        assert len(raw["data"]["salt"]) == 22
    assert len({raw["data"]["salt"] for raw, _ in hidden}) == len(hidden)
    table.do(*WORLDS[request.node.callspec.params["worlds"]].end.one, who="mara", as_played=True)
    table.do(event("note_added", text="So it was."), who="leo")
    whole = table.get("/log.jsonl", who="mara").data
    assert whole == table.get("/log.jsonl").data
    assert whole.startswith(sealed)
    assert verify(io.BytesIO(whole)).ok
    assert table.get(who="mara").data == table.get().data


def test_recorder_sees_no_more_than_other_seats(table: Table) -> None:
    knock(table)
    answer = table.do(event("cards_laid_away", player="ugo", cards=LAID), who="ugo", key="laid")
    assert answer["events"][0]["data"] is None
    again = table.append(
        event("cards_laid_away", player="ugo", cards=LAID), who="ugo", key="laid", at=3
    )
    assert again.get_json() == answer


def knock(table: Table) -> None:
    """Record a hand of Knock! that Ugo deals."""
    seats = ["mara", "leo", "nina", "ugo"]
    table.do(event("player_joined", id="ugo", name="Ugo"))
    table.keys["ugo"] = table.add_key("seat", player="ugo").get_json()["key"]
    table.do(event("match_started", game="knock", seats=seats), event("hand_started", dealer="ugo"))


def test_repeated_request_with_another_key_reveals_nothing(table: Table) -> None:
    """Nor does the answer reveal whether the cards were guessed."""
    knock(table)
    at, laid = table.version, event("cards_laid_away", player="ugo", cards=LAID)
    assert table.append(laid, key="first", at=at).get_json()["events"][0]["data"]["cards"] == LAID
    for cards in (LAID, ["QB", "7D"]):
        guess = event("cards_laid_away", player="ugo", cards=cards)
        answer = table.append(guess, who="leo", key="first", at=at)
        assert problem_of(answer) == (422, "idempotency_key_reused")


def broken(line: bytes, previous: str) -> list[str]:
    """Return the laid-away cards by comparing all possible ones with the hash."""
    decoded = json.loads(line)
    public = {name: decoded[name] for name in ("at", "by", "seq", "type")}
    codes = [card.code for card in PACK.cards]
    for pair in itertools.permutations(codes, 2):
        data = {"player": "ugo", "cards": list(pair)}
        unsealed = canonical.encode({**public, "data": data})
        if sha256(previous.encode() + b"\n" + unsealed).hexdigest() == decoded["hash"]:
            return list(pair)
    return []


@pytest.mark.parametrize("salted", [True, False])
def test_hash_does_not_reveal_which_of_few_possible_cards(
    table: Table, monkeypatch: pytest.MonkeyPatch, *, salted: bool
) -> None:
    if not salted:  # control
        monkeypatch.setattr("scorekeeper.service.recording.add_salt", lambda kind, data: data)
    knock(table)
    table.do(event("cards_laid_away", player="ugo", cards=LAID))
    *_, before, line = table.get("/log.jsonl", who="leo").data.splitlines()
    assert json.loads(line)["data"] is None
    assert broken(line, json.loads(before)["hash"]) == ([] if salted else LAID)


@pytest.mark.parametrize("hides", [True, False])
def test_reason_of_a_set_that_hides_cards_cannot_be_guessed(table: Table, *, hides: bool) -> None:
    """A set that puts no card in needs no salt, and gets none."""
    knock(table)
    table.do(event("cards_laid_away", player="ugo", cards=LAID), event("note_added", text="x"))
    laid = table.version - 1
    again = replaced(laid, "cards_laid_away", player="ugo", cards=LAID)
    other = replaced(laid + 1, "note_added", text="y")
    begun = event("correction_begun", count=2, reason=" ".join(LAID))
    table.do(begun, again if hides else other, other, as_played=True)
    before, line, *_ = table.get("/log.jsonl", who="leo").data.splitlines()[-4:]
    shown = json.loads(line)
    assert (shown["type"], shown["data"]) == ("correction_begun", None if hides else begun["data"])
    unsealed = {**shown, "data": begun["data"]}
    known = unsealed.pop("hash")
    previous = json.loads(before)["hash"].encode()
    tried = sha256(previous + b"\n" + canonical.encode(unsealed)).hexdigest()
    assert (tried == known) is not hides


def test_masked_log_cannot_be_verified_scored_or_imported(table: Table) -> None:
    knock(table)
    table.do(event("cards_laid_away", player="ugo", cards=LAID))
    log = table.get("/log.jsonl", who="leo").data
    verdict = verify(io.BytesIO(log))
    assert (verdict.ok, verdict.first_bad_line) == (False, table.version)
    assert "lay face down" in verdict.reason
    alone = verifier.verify(io.BytesIO(log))
    assert (alone.code, alone.line) == (verifier.DAMAGED, table.version)
    assert "lay face down" in alone.reason
    for path in ("/api/sessions/import", "/api/score"):
        refused = table.client.post(path, data=log, content_type="application/x-ndjson")
        assert problem_of(refused) == (422, "unusable")
        assert "lay face down" in refused.get_json()["detail"]
        assert refused.get_json()["line"] == table.version


def test_archive_states_that_it_cannot_be_verified_yet(table: Table) -> None:
    knock(table)
    table.do(event("cards_laid_away", player="ugo", cards=LAID))
    for who, says in (("leo", True), ("host", False)):
        with zipfile.ZipFile(io.BytesIO(table.get("/bundle.zip", who=who).data)) as archive:
            assert ("Not yet: 1 event lay face down" in archive.read("README.txt").decode()) is says
            assert (b'"data":null' in archive.read("log.jsonl")) is says


def test_given_salt_is_stored_and_has_no_meaning(table: Table) -> None:
    knock(table)
    salt = "A" * 22
    laid = table.do(event("cards_laid_away", player="ugo", cards=LAID, salt=salt))
    assert laid["events"][0]["data"]["salt"] == salt
    plain = table.do(event("cards_laid_away", player="ugo"), as_played=True)
    assert plain["events"][0]["data"] == {"player": "ugo"}
    for wrong in ("A" * 21, "A" * 21 + "!", 7):
        refused = table.append(event("cards_laid_away", player="ugo", cards=LAID, salt=wrong))
        assert refused.get_json()["field"] == "events.0.data.salt"
    refused = table.append(event("card_played", player="mara", card="NS", salt=salt))
    assert refused.get_json()["field"] == "events.0.data.salt"


def test_imported_log_that_ends_with_face_down_cards_gets_a_salt(table: Table) -> None:
    seats = ["mara", "leo", "nina", "ugo"]
    laid = event("cards_laid_away", player="ugo", cards=LAID)
    hands = [
        event("hand_started", dealer="ugo"), laid, event("points_counted", points={"A": 60}),
        event("hand_started", dealer="mara"),
        event("cards_laid_away", player="mara", cards=LAID),
    ]  # fmt: skip
    log = [opening(*seats), event("match_started", game="knock", seats=seats), *hands]
    answer = table.client.post(
        "/api/sessions/import",
        data=b"".join(json.dumps(raw).encode() + b"\n" for raw in log),
        content_type="application/x-ndjson",
    )
    there = Table(table.client, answer.get_json())
    seen = [raw["data"] for raw in there.get("/events").get_json()["events"]]
    assert seen[3] == laid["data"]
    assert len(seen[-1]["salt"]) == 22
    known = [raw["data"] for raw in there.get("/events", who="ugo").get_json()["events"]]
    assert known == [*seen[:-1], None]


NO_OBJECTS: Final[tuple[Any, ...]] = ([], None, "x", 3)
MALFORMED: Final[list[tuple[str, Any]]] = [
    *(("correction_proposed", {"corrections": [{"type": "event_inserted", "data": data}]})
      for data in NO_OBJECTS),
    *(("correction_proposed", {"corrections": value}) for value in (None, "x", 3, [None])),
    ("event_replaced", {"seq": 1, "type": [], "data": {}}),
    ("event_replaced", {"type": {}}),
]  # fmt: skip


@pytest.mark.parametrize(("kind", "data"), MALFORMED)
@pytest.mark.parametrize("member", ["event_inserted", "event_replaced"])
def test_malformed_member_of_a_set_is_refused(
    any_table: Table, member: str, kind: str, data: Raw
) -> None:
    any_table.do(match())
    at = {"after": 1} if member == "event_inserted" else {"seq": 2}
    begun = event("correction_begun", count=2, reason="worked out")
    wrong = event(member, **at, type=kind, data=data, reason="x")
    answer = any_table.append(begun, wrong, event("event_struck", seq=2, reason="x"))
    assert problem_of(answer) == (422, "unusable")
