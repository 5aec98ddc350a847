"""Corrections of whole things at the dispute desk, in all games.

Tests of ``web.dispute.whole``, ``web.dispute.drawing``, ``web.dispute.match_words``,
``web.wording.whole_kinds`` and ``service.amending``.
"""

import json
from concurrent.futures import ThreadPoolExecutor
from typing import Final
from urllib.parse import urlencode

import pytest

from scorekeeper.games import GAMES
from scorekeeper.play.prompts import Ask
from scorekeeper.repair.whole_corrections import WHOLE_KINDS
from scorekeeper.web.wording.whole_kinds import WHOLE_WORDS
from tests.api.asking import Table, hand, match
from tests.evenings import Raw, event, replaced
from tests.levels import games_and_levels
from tests.players.common import evening, seeded
from tests.samples import SAMPLES
from tests.thinned import thinned
from tests.web.looking import everybodys, forms, look, page, post
from tests.web.pages import Page, page_of
from tests.web.test_dispute_entries import types
from tests.web.test_face_down import plain

FOUR: Final = "mara leo nina ugo"
ASKED: Final = [kind for kind in WHOLE_KINDS if kind != "remove_hand"]
STAKE: Final = {"stake-currency": "EUR", "stake-point": "0.20", "stake-match": ""}


@pytest.fixture
def table() -> Table:
    """Return three hands of Riparto, of which the third was entered twice; Ugo only looks on."""
    table = Table.open(everybodys(), FOUR)
    table.do(match("mara leo nina"), *hand(), *hand("leo"), *hand("leo"), as_played=True)
    return table


def preview(kind: str, desk: str = "/d/1-3", **form: str) -> str:
    """Return the address of the page with what a correction would change."""
    return f"{desk}/preview?" + urlencode({"whole": kind, "reason": "so it was", **form})


def selected(page_: Page) -> dict[str, str]:
    """Return the lists and choices of a form as they are filled in."""
    fields: dict[str, str] = {}
    name = ""
    for tag, attrs in page_.tags:
        if tag == "select":
            name = attrs["name"]
        elif tag == "option" and name and (attrs["value"] and fields.get(name, "") == ""):
            fields[name] = attrs["value"] if "selected" in attrs else fields.get(name, "")
        elif tag == "input" and attrs.get("type") == "radio" and "checked" in attrs:
            fields[attrs["name"]] = attrs["value"]
    return fields


def agree(table: Table, desk: str, seats: str) -> None:
    """Let every one of these players sign the open proposal."""
    for who in seats.split():
        form = forms(page(table, desk, who))["sign"]
        answer = post(table, f"{desk}/sign", who, **form)
        assert answer.status_code == 303, answer.text


def caught_up(table: Table) -> Table:
    """Return a table that knows what was recorded by the pages."""
    table.version = table.get("/events").get_json()["version"]
    return table


def propose(table: Table, address: str, who: str = "leo", desk: str = "/d/1-3") -> None:
    form = forms(page(table, address, who))["propose"]
    answer = post(table, f"{desk}/propose", who, **{**form, "reason": "so it was"})
    assert answer.status_code == 303, answer.text


# --------------------------------------------------------------------------------- the desk


def test_desk_offers_each_kind_in_plain_words(table: Table) -> None:
    words = page(table, "/d/1-3", "leo").words
    assert "Or is something else wrong?" in words
    for kind, wording in WHOLE_WORDS.items():
        first_only = kind == "add_hand_before"
        assert (str(wording.wrong) in words) != first_only
    assert "A hand is missing before this one" in page(table, "/d/1-1", "leo").words
    for who in ("view", "ugo"):
        assert ("Or is something else wrong?" in page(table, "/d/1-3", who).words) == (who == "ugo")


def test_every_kind_has_words() -> None:
    assert set(WHOLE_WORDS) == set(WHOLE_KINDS)


@pytest.mark.parametrize("kind", ASKED)
@pytest.mark.parametrize("language", ["en", "it", "fr"])
def test_form_of_each_kind_is_whole_in_each_language(
    table: Table, kind: str, language: str
) -> None:
    desk = "/d/1-1" if kind == "add_hand_before" else "/d/1-3"
    headers = {**table.cookie("leo"), "Accept-Language": language}
    answer = table.client.get(f"/t/{table.id}{desk}/whole/{kind}", headers=headers)
    seen = page_of(answer)
    assert (answer.status_code, seen.wrong) == (200, [])
    assert ("See what changes" in seen.words) == (language == "en")


@pytest.mark.parametrize(
    ("kind", "desk"),
    [("nothing", "/d/1-3"), ("add_hand_before", "/d/1-3"), ("remove_hand", "/d/1-3")],
)
def test_unknown_kind_leads_back_to_the_desk(table: Table, kind: str, desk: str) -> None:
    answer = look(table, f"{desk}/whole/{kind}", "leo")
    assert answer.status_code == (200 if kind == "remove_hand" else 303)


@pytest.mark.parametrize("kind", ["nothing", "add_hand_before"])
def test_preview_of_an_unknown_kind_shows_the_desk(table: Table, kind: str) -> None:
    seen = page(table, preview(kind), "leo", status=422)
    assert "Choose what should be corrected." in seen.words
    assert "Is something wrong with hand 3?" in seen.words


# ------------------------------------------------------------------------- removed and added hands


def test_hand_that_was_entered_twice_is_removed_by_all_seats(table: Table) -> None:
    seen = page(table, preview("remove_hand"), "leo")
    assert "Leo dealt did not happen" in seen.words
    assert "Every seat has to sign." in seen.words
    assert "Other hands" not in seen.words
    propose(table, preview("remove_hand"))
    assert len(table.report()["matches"][0]["hands"]) == 3
    agree(table, "/d/1-3", "mara leo nina")
    report = table.report()
    assert [each["dealer"] for each in report["matches"][0]["hands"]] == ["mara", "leo"]
    assert report["matches"][0]["totals"]["leo"] == 10
    assert look(table, "/d/1-3", "leo").status_code == 404
    assert "so it was" in page(table, "/log", "leo").words


def test_last_signature_leads_to_the_table_if_the_hand_is_gone(table: Table) -> None:
    propose(table, preview("remove_hand"))
    agree(table, "/d/1-3", "mara leo")
    form = forms(page(table, "/d/1-3", "nina"))["sign"]
    assert sent_to(table, "/d/1-3/sign", "nina", form) == f"/t/{table.id}"
    assert sent_to(table, "/d/1-3/sign", "nina", form) == f"/t/{table.id}"  # a double tap
    assert table.get("/events").get_json()["events"][-1]["type"] == "event_struck"
    assert len(table.report()["matches"][0]["hands"]) == 2


def test_signature_that_removed_a_hand_is_not_taken_back(table: Table) -> None:
    propose(table, preview("remove_hand"))
    agree(table, "/d/1-3", "mara leo nina")
    for who in ("mara", "leo", "nina"):
        answer = post(table, "/undo", who, version=caught_up(table).version, key="1" * 32)
        assert answer.status_code == 422, who


def sent_to(table: Table, path: str, who: str, form: dict[str, str]) -> str:
    answer = post(table, path, who, **form)
    assert answer.status_code == 303, answer.text
    return str(answer.headers["Location"])


def test_removed_hand_is_compared_with_itself(table: Table) -> None:
    """The hand after it has the same score under another number, and is not listed."""
    words = page(table, preview("remove_hand", "/d/1-1"), "leo").words
    assert "Other hands" not in words
    assert "Leo 5 – 15 10" in words


def test_strike_of_the_deal_removes_the_whole_hand(table: Table) -> None:
    seen = page(table, "/d/1-3/preview?seq=9&strike=1&reason=so", "leo")
    corrections = json.loads(forms(seen)["propose"]["corrections"])
    assert [raw["data"]["seq"] for raw in corrections] == [9, 10, 11]


def test_page_of_the_deal_offers_to_remove_the_hand(table: Table) -> None:
    seen = page(table, "/d/1-1/e/3", "leo")
    assert "The whole hand did not happen" in seen.words
    assert {"name": "whole", "value": "remove_hand", "type": "hidden"} in [
        attrs for tag, attrs in seen.tags if tag == "input"
    ]
    assert "It did not happen at all" in page(table, "/d/1-1/e/4", "leo").words


def test_hand_is_put_in_between_two_others(table: Table) -> None:
    form = {
        "f.dealer": "nina", "f.0-0-0.player": "nina", "f.0-0-0.points": "4",
        "f.1-0-0.points.nina": "4", "f.1-0-0.points.mara": "11",
    }  # fmt: skip
    words = page(table, preview("add_hand_after", "/d/1-1", **form), "leo").words
    assert "There would be a new hand 2: Mara 0, Leo 0, Nina 4" in words
    assert "Hand 2:" not in words
    propose(table, preview("add_hand_after", "/d/1-1", **form), desk="/d/1-1")
    agree(table, "/d/1-1", "mara leo nina")
    hands = table.report()["matches"][0]["hands"]
    assert [each["dealer"] for each in hands] == ["mara", "nina", "leo", "leo"]
    assert hands[1]["scores"]["nina"] == 4


@pytest.mark.parametrize(
    ("form", "why"),
    [
        ({}, "Choose who dealt."),
        ({"f.dealer": "zoe"}, "Choose who dealt."),
        ({"f.dealer": "mara", "f.0-0-0.player": "leo", "f.0-0-0.points": "50"}, "from 0 to 15"),
        ({"f.dealer": "mara", "f.0-0-0.player": "leo", "f.0-0-0.points": "many"}, "many"),
    ],
)
def test_form_that_cannot_be_recorded_says_why_and_stays_filled_in(
    table: Table, form: dict[str, str], why: str
) -> None:
    seen = page(table, preview("add_hand_after", **form), "leo", status=422)
    assert why in seen.words
    assert "Add a hand after this one" in seen.words
    if "f.0-0-0.points" in form:
        assert (
            f'value="{form["f.0-0-0.points"]}"'
            in look(table, preview("add_hand_after", **form), "leo").text
        )


# ------------------------------------------------------------------------- players, seats, rules


def test_player_is_exchanged_for_one_who_joined_later(table: Table) -> None:
    table.do(event("player_joined", id="zoe", name="Zoë"))
    address = preview("exchange_player", **{"f.player": "nina", "f.played": "zoe"})
    words = page(table, address, "leo").words
    assert "Who plays: Mara, Leo, Nina should read Who plays: Mara, Leo, Zoë" in words
    assert "Who has to sign: Mara, Leo, Nina, Zoë" in words
    propose(table, address)
    agree(table, "/d/1-3", "mara leo nina")
    assert table.report()["matches"][0]["seats"] == ["mara", "leo", "nina"]
    form = forms(page(table, "/d/1-3"))["sign"]
    answer = post(table, "/d/1-3/sign", **{**form, "player": "zoe"})
    assert answer.status_code == 303, answer.text
    assert table.report()["matches"][0]["seats"] == ["mara", "leo", "zoe"]


def test_newcomer_is_asked_to_sign_and_others_are_not(table: Table) -> None:
    propose(table, preview("exchange_player", **{"f.player": "nina", "f.played": "ugo"}))
    assert "Please sign hand 3" in page(table, "", "ugo").words
    assert "sign" in forms(page(table, "/d/1-3", "ugo"))
    caught_up(table).do(event("player_joined", id="zoe", name="Zoë"))
    stranger = post(table, "/d/1-3/sign", "view", version=table.version, proposal=13, player="zoe")
    assert stranger.status_code == 403


def test_player_who_never_sat_there_says_so_themselves(table: Table) -> None:
    """What opens a dispute needs a seat, which the proposal takes away."""
    address = preview("exchange_player", **{"f.player": "leo", "f.played": "ugo"})
    propose(table, address, "leo")
    assert types(table, 11) == ["correction_proposed"]
    agree(table, "/d/1-3", "mara leo nina ugo")
    assert table.report()["matches"][0]["totals"] == {"mara": 0, "ugo": 15, "nina": 0}


def test_revoked_phone_proposes_nothing(table: Table) -> None:
    form = forms(page(table, preview("remove_hand"), "leo"))["propose"]
    (key,) = table.key_ids()["leo"]
    assert table.ask("DELETE", f"/keys/{key}").status_code == 204
    answer = post(table, "/d/1-3/propose", "leo", **{**form, "reason": "so"})
    assert answer.status_code == 401
    assert table.get("/events").get_json()["version"] == 11


def test_six_phones_at_once_propose_one_thing(table: Table) -> None:
    form = forms(page(table, preview("remove_hand"), "leo"))["propose"]
    with ThreadPoolExecutor(6) as phones:
        answers = list(
            phones.map(
                lambda _: post(table, "/d/1-3/propose", "leo", **{**form, "reason": "so"}), range(6)
            )
        )
    assert {answer.status_code for answer in answers} == {303}
    assert types(table, 11) == ["hand_disputed", "correction_proposed"]


def test_whole_thing_is_corrected_after_the_evening_was_closed(table: Table) -> None:
    table.do(event("session_closed"))
    propose(table, preview("remove_hand"))
    agree(table, "/d/1-3", "mara leo nina")
    assert len(table.report()["matches"][0]["hands"]) == 2


def test_players_of_another_match_do_not_sign(table: Table) -> None:
    table.do(match("mara leo ugo"), event("hand_started", dealer="mara"))
    address = preview("remove_hand")
    assert "Who has to sign: Mara, Leo, Nina" in page(table, address, "leo").words
    for desk, who in (("/d/1-3", "ugo"), ("/d/2-1", "nina")):
        form = {"version": table.version, "corrections": "[]", "reason": "so", "player": who}
        assert post(table, f"{desk}/propose", who, **form).status_code == 422
    propose(table, address)
    assert "sign" not in forms(page(table, "/d/1-3", "ugo"))
    form = {**forms(page(table, "/d/1-3", "leo"))["sign"], "player": "ugo"}
    answer = post(table, "/d/1-3/sign", "ugo", **form)
    assert answer.status_code == 422
    assert "Only players of a match that this changes" in page_of(answer).words
    agree(table, "/d/1-3", "mara leo nina")
    assert [len(each["hands"]) for each in table.report()["matches"]] == [2, 1]


def test_hand_with_too_many_events_says_so_on_the_page(table: Table) -> None:
    claims = [event("score_claimed", scores={"mara": number}) for number in range(998)]
    table.do(*claims, as_played=True)
    words = page(table, preview("remove_hand"), "leo", status=422).words
    assert "This needs 1001 corrections, and at most 1000 can be made together." in words


# --------------------------------------------------------------------------- the host alone


def test_host_corrects_at_once_what_not_every_side_accepted(table: Table) -> None:
    for who in ("mara", "leo"):
        table.do(event("hand_confirmed", player=who), who=who)
    seen = page(table, preview("remove_hand"), "host")
    assert "the host may correct it now, or propose it" in seen.words
    form = {**forms(seen)["propose"], "whole": "1", "reason": "twice"}
    answer = post(table, "/d/1-3/correct", "host", **form)
    assert answer.headers["Location"] == f"/t/{table.id}"
    assert types(table, 13) == ["correction_begun", *["event_struck"] * 3]
    assert len(table.report()["matches"][0]["hands"]) == 2


def test_what_every_side_accepted_is_proposed_by_the_host_too(table: Table) -> None:
    form = forms(page(table, preview("remove_hand"), "host"))["propose"]
    for who in ("mara", "leo", "nina"):
        table.do(event("hand_confirmed", player=who), who=who)
    seen = page(table, preview("remove_hand"), "host")
    assert "the host may correct it now" not in seen.words
    form = {**forms(seen)["propose"], "whole": "1", "reason": "twice"}
    assert post(table, "/d/1-3/correct", "host", **form).status_code == 422
    words = page(table, preview("change_stake", "/d/1-1", **STAKE), "host").words
    assert "the host may correct it now" not in words
    words = page(table, preview("remove_hand", "/d/1-2"), "host").words
    assert "the host may correct it now" in words


def test_seat_corrects_nothing_at_once(table: Table) -> None:
    form = {**forms(page(table, preview("remove_hand"), "leo"))["propose"], "whole": "1"}
    assert post(table, "/d/1-3/correct", "leo", **form).status_code == 422
    assert table.get("/events").get_json()["version"] == 11


def test_hand_at_play_is_corrected_by_the_host_unless_others_are_accepted(table: Table) -> None:
    table.do(event("hand_started", dealer="nina"))
    seen = page(table, preview("change_stake", "/d/1-4", **STAKE), "host")
    assert "Correct it now" in seen.words
    answer = post(table, "/d/1-4/correct", "host", **{**forms(seen)["correct"], "reason": "so"})
    assert answer.status_code == 303
    assert table.report()["matches"][0]["stake"]["point"] == 20
    assert "Or is something else wrong?" not in page(table, "/d/1-4", "leo").words


# -------------------------------------------------------------- what cannot be carried out


def test_proposal_that_cannot_be_carried_out_any_more_says_why(table: Table) -> None:
    propose(table, preview("exchange_player", **{"f.player": "leo", "f.played": "ugo"}), "mara")
    caught_up(table).do(*hand("nina"), as_played=True)
    seen = page(table, "/d/1-3", "mara")
    assert "As things are now, this could not be recorded." in seen.words
    assert "can no longer stay" in seen.words
    assert not {"sign", "apply"} & set(forms(seen))


def test_hand_after_the_end_of_a_match_is_not_offered() -> None:
    table = Table.open(everybodys())
    table.do(match(match_end={"hands": 1}), *hand())
    form = {"f.dealer": "leo", "f.0-0-0.player": "leo", "f.0-0-0.points": "4"}
    words = page(table, preview("add_hand_after", "/d/1-1", **form), "leo", status=422).words
    assert "The match is over." in words


@pytest.mark.parametrize("kind", ["change_rules", "change_stake", "reorder_seats"])
def test_form_as_it_is_changes_nothing(table: Table, kind: str) -> None:
    form = selected(page(table, f"/d/1-3/whole/{kind}", "leo"))
    words = page(table, preview(kind, **form), "leo", status=422).words
    assert "This changes nothing: it is recorded so already." in words


# ------------------------------------------------------------------------------ cards face down

WORLDS: Final = {game: sample.worlds for game, sample in SAMPLES.items() if sample.worlds}


def worlds_of(game: str) -> list[Table]:
    """Return two tables that differ in what lies face down; before it is a hand of no points."""
    script = WORLDS[game]
    assert script
    first, *steps = script.steps
    start, deal = first.one
    tables = []
    for one in (True, False):
        table = Table.open(everybodys(), f"{script.players} zoe2")
        table.do(start, deal, event("hand_abandoned", reason="misdeal"), deal, as_played=True)
        for step in steps:
            table.do(*(step.one if one else step.other), who=step.who, as_played=True)
        tables.append(table)
    return tables


@pytest.mark.parametrize("game", thinned(WORLDS, 2))
def test_nothing_face_down_shows_in_an_effect_or_a_proposal(game: str) -> None:
    tables = worlds_of(game)
    seats = tables[0].report()["matches"][0]["seats"]
    forms_ = {**answers(seats, tables[0]), "add_hand_after": {"f.dealer": seats[0]}}
    forms_ |= {f"exchange_player {seat}": {"f.player": seat, "f.played": "zoe2"} for seat in seats}
    forms_ |= {"exchange_player": {"f.player": seats[0], "f.played": seats[1]}}
    for name, form in forms_.items():
        address = preview(name.partition(" ")[0], "/d/1-1", **form)
        seen = [look(table, address, seats[0]) for table in tables]
        texts = [plain(answer.text) for answer in seen]
        assert texts[0] == texts[1], name
        proposals = [forms(page_of(answer)).get("propose") for answer in seen]
        if proposals[0] and proposals[1]:
            sent_ = [
                post(table, "/d/1-1/propose", seats[0], **{**proposal, "reason": "so"})
                for table, proposal in zip(tables, proposals, strict=True)
                if proposal
            ]
            assert len({answer.status_code for answer in sent_}) == 1, name
            desks = [plain(look(table, "/d/1-1", seats[1]).text) for table in tables]
            assert desks[0] == desks[1], name
            for table in tables:
                declined = forms(page(table, "/d/1-1", seats[1])).get("decline")
                if declined:
                    post(table, "/d/1-1/decline", seats[1], **declined)


@pytest.mark.parametrize("game", WORLDS)
def test_seats_are_not_changed_under_what_lies_face_down(game: str) -> None:
    """Whether a hidden partner loses their seat would show in what can be recorded."""
    for table in worlds_of(game):
        start = table.report()["matches"][0]
        seats = start["seats"]
        for seat in seats:
            anew = ["zoe2" if other == seat else other for other in seats]
            data = {"game": game, "seats": anew, "options": start["options"]}
            raw = replaced(2, "match_started", **data)
            answer = caught_up(table).append(
                event("correction_proposed", corrections=[raw], reason="so", match=1, hand=1),
                who=seats[0],
            )
            assert answer.status_code == 422
            assert "face down" in answer.get_json()["detail"]


# ---------------------------------------------------------------------------------- all games


def opened(game: str, level: str) -> tuple[Table, list[str]]:
    """Return a table with two complete hands of a game, and its seats."""
    logs = (evening(seeded(number), game, level, hands=2) for number in range(1, 100))
    log = next(log for log in logs if [each.abandoned for _, each in log.hands] == [False] * 2)
    events = [raw for raw in log.events if raw["type"] not in ("session_closed", "match_ended")]
    first, *rest = events
    client = everybodys()
    answer = client.post("/api/sessions", json=first["data"])
    table = Table(client, answer.get_json())
    table.do(event("player_joined", id="late", name="Late"))
    table.do(*rest, as_played=True)
    return table, list(rest[0]["data"]["seats"])


def answers(seats: list[str], table: Table) -> dict[str, dict[str, str]]:
    """Return a filled-in form of each kind."""
    report = table.report()["matches"][0]
    dealer = next(seat for seat in seats if seat != report["hands"][0]["dealer"])
    turned = [*seats[1:], seats[0]]
    return {
        "remove_hand": {},
        "exchange_player": {"f.player": seats[0], "f.played": "late"},
        "change_dealer": {"f.dealer": dealer},
        "reorder_seats": {f"f.seats.{place}": seat for place, seat in enumerate(turned)},
        "change_stake": STAKE,
    }


@pytest.mark.parametrize(("game", "level"), games_and_levels())
def test_each_kind_is_shown_and_carried_out_in_each_game(game: str, level: str) -> None:
    table, seats = opened(game, level)
    for kind in answers(seats, table):
        form, before = answers(seats, table)[kind], table.version
        seen = page(table, preview(kind, "/d/1-1", **form), "host")
        sendable = {**forms(seen)["propose"], "player": seats[-1], "reason": "so it was"}
        answer = post(table, "/d/1-1/propose", "host", **sendable)
        assert answer.status_code == 303, (kind, answer.text)
        missing = [*dict.fromkeys((*seats, "late"))] if kind == "exchange_player" else seats
        for player in missing:
            form = {**forms(page(table, "/d/1-1", "host"))["sign"], "player": player}
            answer = post(table, "/d/1-1/sign", "host", **form)
            assert answer.status_code == 303, (kind, answer.text)
        caught_up(table)
        assert table.version > before
        rulings = [each["state"] for each in table.report()["disputes"]]
        assert kind == "remove_hand" or rulings[-1] == "corrected"
        if kind == "remove_hand":
            assert len(table.report()["matches"][0]["hands"]) == 1
        if kind == "exchange_player":
            seats = ["late", *seats[1:]]


@pytest.mark.parametrize("game", GAMES)
def test_form_for_a_hand_asks_what_the_totals_need(game: str) -> None:
    table, _ = opened(game, "totals")
    dealer = table.report()["matches"][0]["hands"][1]["dealer"]
    path = f"/d/1-1/whole/add_hand_after?f.dealer={dealer}"
    seen = page(table, path, "host")
    names = {
        attrs["name"]
        for tag, attrs in seen.tags
        if tag in ("select", "input") and attrs.get("name", "").startswith("f.")
    }
    for number, ask in enumerate(asks_of(game)):
        for place in range(len(ask.events)):
            assert any(name.startswith(f"f.{number}-0-{place}.") for name in names), names


def asks_of(game: str) -> tuple[Ask, ...]:
    """Return the questions of a game's form for totals, which none of our games computes."""
    totals = GAMES[game].totals
    assert not callable(totals)
    return totals


def filled(game: str, events: list[Raw]) -> dict[str, str]:
    """Return the form of a hand by its totals, filled in with its events."""
    form: dict[str, str] = {}
    for number, ask in enumerate(asks_of(game)):
        kinds = [declared.TYPE for declared in ask.events]
        recorded = [
            raw for raw in events if raw["type"] in kinds and raw["data"].get("bid") != "pass"
        ]
        for time, raw in enumerate(recorded[-ask.times :]):
            prefix = f"f.{number}-{time}-{kinds.index(raw['type'])}"
            for name, value in raw["data"].items():
                if isinstance(value, dict):
                    form |= {f"{prefix}.{name}.{key}": str(item) for key, item in value.items()}
                else:
                    form[f"{prefix}.{name}"] = str(value).lower() if value is True else str(value)
    return form


@pytest.mark.parametrize("game", GAMES)
def test_hand_is_put_in_by_its_form_in_each_game(game: str) -> None:
    """The second hand, entered once more between the two, scores what it scores."""
    table, _ = opened(game, "totals")
    log = [json.loads(line) for line in table.get("/log.jsonl").data.splitlines()]
    start = [place for place, raw in enumerate(log) if raw["type"] == "hand_started"][1]
    before = table.report()["matches"][0]["hands"][1]["scores"]
    if game == "picchetto":  # whose evenings here record what was shown, and not the points
        before = dict(zip(before, (42, 17), strict=True))
        log.append(event("points_counted", points=before))
    form = {"f.dealer": log[start]["data"]["dealer"], **filled(game, log[start:])}
    seen = page(table, preview("add_hand_after", "/d/1-1", **form), "host")
    assert "There would be a new hand 2:" in seen.words
    sendable = {**forms(seen)["propose"], "whole": "1", "reason": "left out"}
    assert post(table, "/d/1-1/correct", "host", **sendable).status_code == 303
    hands = table.report()["matches"][0]["hands"]
    assert [each["status"] for each in hands] == ["complete"] * 3
    assert hands[1]["scores"] == before
