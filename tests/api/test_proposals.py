"""Proposals in a session of several matches: permitted corrections and required signatures."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.service import quorum as quorum_module
from tests.api.answers import complaints
from tests.api.asking import Table, client_of, match, problem_of
from tests.api.throwing import PATIENT, TableValues
from tests.conftest import SOAK
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced, struck
from tests.players.common import seeded

PLAYERS: Final = "mara leo nina ugo ada zoe"
PATH: Final = "/api/sessions/{session}/events"


def totals(dealer: str, bidder: str, points: int, **others: int) -> list[Raw]:
    """Return a hand of Riparto by its totals; the unnamed player has the remaining points."""
    return [
        event("hand_started", dealer=dealer),
        event("bid_made", player=bidder, points=points),
        event("points_counted", points={bidder: points, **others}),
    ]


# Match 1 in event 2, its hand in 3 to 5, confirmed by all in 6 to 9; match 2 without Ugo in 10, its
# hand in 11 to 13, disputed in 14.
EVENING: Final = [
    match("mara leo nina ugo"), *totals("mara", "leo", 5, mara=6, nina=4),
    *[event("hand_confirmed", player=player) for player in ("mara", "leo", "nina", "ugo")],
    match("mara leo nina"), *totals("mara", "leo", 5, mara=10, nina=0),
    event("hand_disputed", player="leo", reason="no", match=2, hand=1),
]  # fmt: skip
COUNT: Final = replaced(13, "points_counted", points={"leo": 5, "mara": 8, "nina": 2})
ONE_MATCH: Final = struck(10)  # the first match continued without Ugo


@pytest.fixture
def table(on_memory: FlaskClient) -> Table:
    table = Table.open(on_memory, PLAYERS)
    table.do(*EVENING)
    return table


def proposal(*corrections: Raw, hand: int = 1, number: int = 2) -> Raw:
    return event("correction_proposed", corrections=list(corrections), reason="so it was",
                 match=number, hand=hand)  # fmt: skip


def propose(table: Table, *corrections: Raw, who: str = "leo") -> int:
    return int(table.do(proposal(*corrections), who=who)["version"])


def signature(seq: int, player: str) -> Raw:
    return event("proposal_signed", proposal=seq, player=player)


def sign(table: Table, seq: int, players: str) -> None:
    for player in players.split():
        table.do(signature(seq, player), who=player)


def ruling(seq: int) -> Raw:
    return event("dispute_settled", ruling="corrected", text="so it was", proposal=seq)


def refused(table: Table, *events: Raw, **more: Any) -> Raw:
    """Return why an append is refused; check that nothing is recorded."""
    answer = table.append(*events, **{"as_played": True, **more})
    assert answer.status_code == 422, answer.text
    assert complaints(table.client, PATH, answer) == []
    assert table.get("/events").get_json()["version"] == table.version
    problem: Raw = answer.get_json()
    return problem


# ------------------------------------------------------------------------ permitted corrections

ELSEWHERE: Final = [
    (struck(5), "hand 1 of match 1"),
    (replaced(5, "points_counted", points={"leo": 4, "mara": 11}), "hand 1 of match 1"),
    (inserted(5, "points_counted", points={"leo": 4, "mara": 11}), "hand 1 of match 1"),
    (inserted(3, "note_added", text="late"), "hand 1 of match 1"),
    (inserted(9, "hand_abandoned", reason="misdeal"), "hand 1 of match 1"),
    (inserted(5, "match_ended"), "hand 1 of match 1"),
    (replaced(3, "hand_started", dealer="ugo"), "hand 1 of match 1"),
    (replaced(2, "match_started", game="riparto", seats=["leo", "mara", "nina", "ugo"]),
     "match 1 itself"),
    (inserted(2, "penalty_given", side="leo", points=-3, reason="late"), "match 1 itself"),
    (struck(6), "said of hands"),
    (inserted(13, "hand_confirmed", player="nina"), "said of hands"),
    (inserted(13, "player_joined", id="otto", name="Otto"), "said of hands"),
    (inserted(14, "session_closed"), "said of hands"),
    (replaced(14, "note_added", text="no"), "said of hands"),
    (inserted(1, "note_added", text="late"), "said of hands"),
]  # fmt: skip


@pytest.mark.parametrize("who", ["leo", "host"])
@pytest.mark.parametrize(("correction", "where"), ELSEWHERE)
def test_proposal_cannot_correct_other_hands_or_matches(
    table: Table, correction: Raw, where: str, who: str
) -> None:
    why = refused(table, proposal(COUNT, correction), who=who)
    assert (why["code"], why["field"]) == ("unusable", "events.0.data.corrections.1")
    assert where in why["detail"]


@pytest.mark.parametrize("again", [struck, lambda seq: inserted(seq, "note_added", text="")])
def test_proposal_cannot_correct_a_correction(table: Table, again: Any) -> None:
    """Nor of an event that a correction struck, replaced or inserted."""
    table.do(struck(5), as_played=True)
    table.do(struck(15), as_played=True)
    table.do(replaced(5, "points_counted", points={"leo": 5, "mara": 10, "nina": 0}))
    table.do(inserted(5, "note_added", text="late"))
    for seq in (5, 18):
        assert "hand 1 of match 1" in refused(table, proposal(again(seq)), who="leo")["detail"]
    if again is struck:
        for seq in (15, 16, 17):
            assert "hand 1 of match 1" in refused(table, proposal(again(seq)), who="leo")["detail"]


OWN: Final = [
    [COUNT], [struck(13), inserted(12, "points_counted", points={"leo": 5, "nina": 10})],
    [inserted(13, "penalty_given", side="leo", points=-1, reason="late")],
    [inserted(10, "penalty_given", side="leo", points=-1, reason="late")],
    [replaced(10, "match_started", game="riparto", seats=["mara", "leo", "nina"],
              options={"match_end": {"target": 5}})],
    [replaced(11, "hand_started", dealer="nina")], [inserted(13, "match_ended")],
]  # fmt: skip


@pytest.mark.parametrize("corrections", OWN)
def test_players_of_a_match_sign_corrections_of_its_hands(
    table: Table, corrections: list[Raw]
) -> None:
    before = table.report()["matches"][0]
    seq = propose(table, *corrections)
    sign(table, seq, "mara leo nina")
    table.do(ruling(seq), *corrections, who="leo", as_played=True)
    assert table.report()["matches"][0] == before
    assert table.report()["disputes"][0]["state"] == "corrected"


def test_imported_invalid_proposal_cannot_be_carried_out(
    client: FlaskClient,
) -> None:
    everybody = PLAYERS.split()
    other = struck(5)
    log = [opening(*everybody), *EVENING, proposal(other),
           *[signature(15, player) for player in everybody]]  # fmt: skip
    answer = client.post("/api/sessions/import", data=by_hand(log),
                         content_type="application/x-ndjson")  # fmt: skip
    assert answer.status_code == 201, answer.text
    table = Table(client, answer.get_json())
    for who in ("leo", "host"):
        assert "hand 1 of match 1" in refused(table, ruling(15), other, who=who)["detail"]


# --------------------------------------------------------------------------- required signatures


def test_players_of_another_changed_match_have_to_sign(any_table: Table) -> None:
    """Without the start of the second match, its hand belongs to the first."""
    table = Table.open(any_table.client, PLAYERS)
    table.do(*EVENING)
    seq = propose(table, ONE_MATCH)
    would = table.ask("POST", "/what-if", "view", json={"proposal": seq}).get_json()
    assert would["matches"] == [1, 2]
    assert would["signatures"]["matches"] == [1, 2]
    assert set(would["signatures"]["missing"]) == {"mara", "leo", "nina", "ugo"}
    sign(table, seq, "mara leo nina")
    for who in ("leo", "host", "ugo"):
        why = refused(table, ruling(seq), ONE_MATCH, who=who)
        assert why["code"] == "no_quorum"
        assert "and of every seat of match 1; missing: ugo" in why["detail"]
    sign(table, seq, "ugo")
    table.do(ruling(seq), ONE_MATCH, who="leo", as_played=True)
    (only,) = table.report()["matches"]
    assert (only["totals"]["leo"], len(only["hands"])) == (10, 2)


def test_without_the_check_of_other_matches_three_players_change_a_fourth_ones_score(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control."""
    monkeypatch.setattr(quorum_module, "changed_matches", lambda session, corrections: {})
    seq = propose(table, ONE_MATCH)
    sign(table, seq, "mara leo nina")
    table.do(ruling(seq), ONE_MATCH, who="leo", as_played=True)
    assert table.report()["matches"][0]["totals"]["leo"] == 10


def test_players_of_another_changed_match_may_decline(table: Table) -> None:
    seq = propose(table, ONE_MATCH)
    table.do(event("proposal_declined", proposal=seq, player="ugo"), who="ugo")
    assert "was declined" in refused(table, signature(seq, "leo"), who="leo")["detail"]


@pytest.mark.parametrize("kind", ["proposal_signed", "proposal_declined"])
@pytest.mark.parametrize("player", ["ugo", "zoe"])
def test_players_of_unchanged_matches_cannot_sign_or_decline(
    table: Table, player: str, kind: str
) -> None:
    seq = propose(table, COUNT)
    word = event(kind, proposal=seq, player=player)
    for who in (player, "host"):
        why = refused(table, word, who=who)["detail"]
        assert why == f"{player} sits in no match that proposal {seq} changes"


def test_former_and_new_players_of_a_match_have_to_sign(table: Table) -> None:
    """Ugo played instead of Nina."""
    count = replaced(13, "points_counted", points={"leo": 5, "mara": 10})
    seats = replaced(10, "match_started", game="riparto", seats=["mara", "leo", "ugo"])
    both = [count, seats]
    seq = propose(table, *both)
    sign(table, seq, "mara leo")
    why = refused(table, signature(seq, "ugo"), ruling(seq), *both, who="ugo")
    assert why["detail"].endswith("missing: nina")
    sign(table, seq, "nina")
    assert refused(table, ruling(seq), *both)["detail"].endswith("missing: ugo")
    table.do(signature(seq, "ugo"), ruling(seq), *both, who="ugo", as_played=True)
    assert table.report()["matches"][1]["seats"] == ["mara", "leo", "ugo"]


@pytest.mark.parametrize(
    "more", [match("ada zoe nina"), event("hand_started", dealer="leo"),
             replaced(3, "hand_started", dealer="nina")],
)  # fmt: skip
def test_effect_of_a_proposal_is_checked_again_when_it_is_carried_out(
    table: Table, more: Raw
) -> None:
    """Players did not sign for later events that would move into their match."""
    seq = propose(table, ONE_MATCH)
    sign(table, seq, "mara leo nina ugo")
    table.do(event("note_added", text="Coffee"))
    table.do(more, as_played=True)
    why = refused(table, ruling(seq), ONE_MATCH, who="leo")["detail"]
    assert "changes other matches, and the record went on after it: propose it again" in why
    would = table.ask("POST", "/what-if", json={"proposal": seq}).get_json()
    assert "signatures" not in would
    table.do(event("proposal_declined", proposal=seq, player="ugo"), who="ugo")
    if more["type"] != "match_started":
        return
    seq = propose(table, ONE_MATCH)  # the third match would become the second
    sign(table, seq, "mara leo nina ugo")
    why = refused(table, ruling(seq), ONE_MATCH, who="leo")["detail"]
    assert why.endswith("missing: ada, zoe")
    sign(table, seq, "ada zoe")
    table.do(ruling(seq), ONE_MATCH, who="zoe", as_played=True)


def test_later_hand_does_not_block_a_proposal_within_its_match(table: Table) -> None:
    seq = propose(table, COUNT)
    sign(table, seq, "mara leo nina")
    table.do(event("hand_started", dealer="leo"))
    table.do(ruling(seq), COUNT, who="leo", as_played=True)


def test_quorum_of_sides_does_not_suffice_for_other_matches(on_memory: FlaskClient) -> None:
    """In time one player of each side of the disputed match suffices."""
    table = Table.open(on_memory, PLAYERS)
    seats = ["mara", "leo", "nina", "ugo"]
    table.do(
        event("match_started", game="briscola_regina", seats=seats),
        event("hand_started", dealer="mara"), event("points_counted", points={"A": 70}),
        match("ada zoe nina"),
        event("hand_disputed", player="leo", reason="no", match=1, hand=1),
    )  # fmt: skip
    count = replaced(4, "points_counted", points={"A": 69})
    seq = int(table.do(proposal(count, number=1), who="leo")["version"])
    signatures = table.ask("POST", "/what-if", json={"proposal": seq}).get_json()["signatures"]
    assert signatures == {
        "matches": [1],
        "needed": "sides",
        "of": ["A", "B"],
        "missing": ["A", "B"],
    }
    sign(table, seq, "leo nina")
    table.do(ruling(seq), count, who="leo", as_played=True)


# -------------------------------------------------------------------------------- attacks


def append_concurrently(
    table: Table, batches: Sequence[tuple[str, list[Raw]]], at: int
) -> list[Any]:
    """Send concurrent appends at one version; return the answers."""

    def send(requests: tuple[str, list[Raw]]) -> Any:
        who, events = requests
        mine = Table.__new__(Table)
        mine.__dict__.update(table.__dict__, client=table.client.application.test_client(False))
        return mine.append(*events, who=who, at=at, as_played=True)

    with ThreadPoolExecutor(len(batches)) as pool:
        return list(pool.map(send, batches))


@pytest.mark.parametrize("enough", [False, True])
def test_six_concurrent_rulings_take_effect_one_time_with_all_signatures(
    any_table: Table, enough: bool
) -> None:
    table = Table.open(any_table.client, PLAYERS)
    table.do(*EVENING)
    before = table.report()["matches"]
    seq = propose(table, ONE_MATCH)
    sign(table, seq, "mara nina ugo" if enough else "nina")
    end = [ruling(seq), ONE_MATCH]
    alone = [signature(seq, "leo"), *end]
    requests = [("leo", alone), ("mara", [signature(seq, "mara"), *end]), ("leo", alone),
             ("mara", end), ("leo", [*end, *alone]), ("mara", [ONE_MATCH])]  # fmt: skip
    version = table.version
    answers = append_concurrently(table, requests, version)
    assert sum(answer.status_code == 201 for answer in answers) == enough
    assert {answer.status_code for answer in answers} <= {201, 403, 412, 422}
    if not enough:
        assert table.report()["matches"] == before
    for stale in (version - 1, version - 2):
        assert {answer.status_code for answer in append_concurrently(table, requests, stale)} == {
            412
        }


# -------------------------------------------------------------------------------- random proposals


def evening(seed: int) -> tuple[Table, TableValues]:
    """Record three matches of Riparto with different seats, all hands by their totals."""
    rng = seeded(seed)
    table = Table.open(client_of(correction_quorum="seats", **PATIENT), PLAYERS)
    for _ in range(3):
        seats = rng.sample(PLAYERS.split(), 3)
        table.do(match(" ".join(seats)))
        for hand in range(2):
            bidder, other, _third = rng.sample(seats, 3)
            table.do(*totals(seats[hand], bidder, 5, **{other: 10}))
    table.do(event("note_added", text="late"), struck(4), as_played=True)
    cards = [card.code for card in GAMES["riparto"].pack({}, 3).cards]
    everybody = PLAYERS.split()
    return table, TableValues(rng, "riparto", everybody, everybody, cards, table.version)


def proposed(table: Table, values: TableValues) -> Iterator[tuple[int, list[Raw]]]:
    """Yield random valid proposals and their corrections."""
    for _ in range(200 if SOAK else 40):
        kind = values.rng.choice(["event_struck", "event_replaced", "event_inserted"])
        corrections = [values.correction(kind) for _ in range(values.rng.choice((1, 1, 2)))]
        if values.rng.random() < 0.5:  # of that hand or its match rather than any
            for correction in corrections:
                name = "after" if kind == "event_inserted" else "seq"
                correction["data"][name] = values.rng.choice([9, 10, 11, 12, 16, 17, 18])
        proposed_event = proposal(*corrections, hand=values.rng.choice((1, 2)), number=2)
        answer = table.append(proposed_event, who=values.rng.choice(values.seats))
        if answer.status_code == 201:
            yield table.version, corrections
        else:
            assert problem_of(answer)[0] == 422


def test_proposal_needs_the_seats_of_every_changed_match() -> None:
    assert sum(carried_out(seed) for seed in (range(12) if SOAK else (4,)))


def carried_out(seed: int) -> int:
    """Return how many random proposals of a session were carried out."""
    table, values = evening(seed)
    carried = 0
    for seq, corrections in proposed(table, values):
        signed = values.rng.sample(values.seats, values.rng.choice((2, 4, 6)))
        for player in signed:
            table.append(signature(seq, player), who=player)
        before = table.report()
        have = {
            signed_["player"] for dispute in before["disputes"] for each in dispute["proposals"]
            if each["seq"] == seq for signed_ in each["signed"]
        }  # fmt: skip
        answer = table.append(ruling(seq), *corrections, who=signed[0], as_played=True)
        after = table.report()
        if answer.status_code != 201:
            assert after["matches"] == before["matches"]
            table.do(
                event("proposal_declined", proposal=seq, player=before["matches"][1]["seats"][0])
            )
            continue
        carried += 1
        for number in range(max(len(before["matches"]), len(after["matches"]))):
            was, now = (each["matches"][number : number + 1] for each in (before, after))
            if was != now:
                assert have >= {seat for proposal_ in (*was, *now) for seat in proposal_["seats"]}
    return carried
