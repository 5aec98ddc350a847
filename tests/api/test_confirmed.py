"""A hand that every side has confirmed is changed only by a correction, with any key."""

from collections import Counter
from collections.abc import Iterator
from itertools import cycle, product
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.service import recording
from tests.api.answers import complaints
from tests.api.asking import Table, hand, match, problem_of
from tests.api.throwing import TableValues, patient
from tests.conftest import SOAK
from tests.evenings import Raw, by_hand, event, inserted, replaced, struck
from tests.players.common import PlayedHand, new_match, seeded
from tests.thinned import thinned

LEVELS: Final = ("totals", "tricks", "cards")
EACH: Final = 12 if SOAK else 1  # events of each type and form, for each key
OTHERS: Final = None if SOAK else 20  # of the same hand, and of others
OFFERED: Final = 3 if SOAK else 1  # choices of each prompt
# After these events, others belong to another hand or none, or need a new confirmation.
ON: Final = {"hand_started", "match_started", "match_ended", "session_closed"}
CORRECTS: Final = {"event_struck", "event_replaced", "event_inserted"}
PATH: Final = "/api/sessions/{session}/events"
COUNT: Final = event("points_counted", points={"leo": 4, "mara": 11})


# ------------------------------------------------------------- every event, game, level and key


class ConfirmedTable:
    """A session of random play whose last hand every side has confirmed."""

    def __init__(self, client: FlaskClient, game: str, level: str, seed: int) -> None:
        self.client, self.game, self.rng = client, game, seeded(seed)
        self.log, self.others = self.played(level)
        self.again()
        match_report = self.table.report()["matches"][0]
        self.before = self.outcome()
        self.seats: list[str] = match_report["seats"]
        self.sides: list[str] = [*match_report["sides"], "bidder", "defenders"]
        options = GAMES[game].options(match_report["options"], len(self.seats))
        pack = GAMES[game].pack(options, len(self.seats))
        self.cards = [card.code for card in pack.cards]

    def played(self, level: str) -> tuple[list[Raw], list[Raw]]:
        """Return the log, and events of two other hands that could belong to its last hand."""
        while True:
            opening, play = new_match(self.rng, self.game)
            hands = [play.play_hand()]
            while not play.over and len(hands) < 4:
                hands.append(play.play_hand())
            complete = [hand_ for hand_ in hands if level in complete_at(hand_)]
            if len(complete) > 1:
                signed = [event("hand_confirmed", player=seat) for seat in play.seats]
                log = [*opening, *complete[0].records[level], *signed]
                offered = [record for each in complete[1:] for name in each.records
                        for record in each.records[name][1:]]  # fmt: skip
                return log, offered

    def again(self) -> None:
        """Import the same session again."""
        answer = self.client.post("/api/sessions/import", data=by_hand(self.log),
                                  content_type="application/x-ndjson")  # fmt: skip
        self.table = Table(self.client, answer.get_json())

    def outcome(self) -> Any:
        """Return the result of the confirmed hand."""
        hand_ = self.table.report()["matches"][0]["hands"][0]
        return {name: hand_[name] for name in ("status", "scores", "lines")}

    def events_to_send(self) -> Iterator[Raw]:
        """Yield events to send: some of every type, those of other hands and of this hand."""
        values = TableValues(
            self.rng, self.game, self.seats, self.sides, self.cards, self.table.version
        )
        yield from values.events(EACH)
        own = [raw for raw in self.log[2:] if raw["type"] not in ("hand_started", "hand_confirmed")]
        sent = self.others + own
        self.rng.shuffle(sent)
        yield from sent[:OTHERS]

    def send_all(self, who: str) -> Counter[str]:
        """Send all events with one key; count the answers, and the changes of the hand by type."""
        answers: Counter[str] = Counter()
        for raw in self.events_to_send():
            answer = self.table.append(raw, who=who, as_played=True)
            if answer.status_code != 201:
                answers[problem_of(answer)[1]] += 1
                continue
            answers["recorded"] += 1
            if self.outcome() != self.before:
                answers[f"changed by {raw['type']}"] += 1
                self.again()
            elif raw["type"] in ON | CORRECTS:
                self.again()
        return answers


def complete_at(hand: PlayedHand) -> list[str]:
    """Return the levels at which a hand is complete."""
    if hand.abandoned:
        return []
    return [
        name for name, expected in hand.expected.items() if expected.get("status") == "complete"
    ]


def changed(answers: Counter[str]) -> set[str]:
    """Return the types of the events that changed the hand."""
    return {
        answer.removeprefix("changed by ") for answer in answers if answer.startswith("changed by ")
    }


@pytest.mark.parametrize("game", thinned(GAMES, 2))
def test_no_event_of_a_seat_changes_a_confirmed_hand(game: str) -> None:
    answers: Counter[str] = Counter()
    level_of = dict(zip(GAMES, cycle(reversed(LEVELS))))
    for seed, level in product(range(10), LEVELS) if SOAK else [(0, level_of[game])]:
        room = ConfirmedTable(patient(), game, level, seed)
        answers += room.send_all(room.rng.choice(room.seats))
    assert not changed(answers), answers
    assert answers["confirmed"], answers
    assert answers["recorded"], answers


@pytest.mark.parametrize("game", thinned([*GAMES][::-1], 2))
def test_host_changes_a_confirmed_hand_only_by_corrections(game: str) -> None:
    answers: Counter[str] = Counter()
    for seed, level in product(range(10), LEVELS) if SOAK else [(0, "totals")]:
        answers += ConfirmedTable(patient(), game, level, seed).send_all("host")
    assert changed(answers) <= CORRECTS, answers


@pytest.mark.parametrize("game", list(GAMES) if SOAK else ["riparto"])
def test_without_the_check_a_seat_changes_confirmed_hands(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A control: without the check, these events change hands."""
    monkeypatch.setattr(recording, "refuse_changed", lambda session, bound: None)
    room = ConfirmedTable(patient(), game, "totals", 0)
    assert changed(room.send_all(room.rng.choice(room.seats)))


# ------------------------------------------------------------------------------------- by hand


@pytest.fixture
def confirmed(on_memory: FlaskClient) -> Table:
    """Record a hand of Riparto in events 3 to 5, which all players confirm in 6 to 8."""
    table = Table.open(on_memory)
    table.do(match(), *hand())
    sign(table, "mara", "leo", "nina")
    return table


def sign(table: Table, *players: str) -> None:
    for player in players:
        table.do(event("hand_confirmed", player=player), who=player)


def first(table: Table) -> Raw:
    hand_: Raw = table.report()["matches"][0]["hands"][0]
    return hand_


def refused(table: Table, *events: Raw, **more: Any) -> Raw:
    """Return the problem of an append to a confirmed hand; check that nothing is recorded."""
    answer = table.append(*events, as_played=True, **more)
    assert problem_of(answer) == (422, "confirmed")
    assert complaints(table.client, PATH, answer) == []
    assert table.get("/events").get_json()["version"] == table.version
    problem: Raw = answer.get_json()
    return problem


@pytest.mark.parametrize("who", ["leo", "host"])
def test_change_of_a_confirmed_hand_needs_a_correction(confirmed: Table, who: str) -> None:
    before = first(confirmed)
    problem = refused(confirmed, COUNT, who=who)
    assert (problem["match"], problem["hand"]) == (1, 1)
    assert "dispute the hand" in problem["detail"]
    assert first(confirmed) == before


def test_repeated_card_does_not_remove_the_score_of_a_confirmed_hand() -> None:
    room = ConfirmedTable(patient(), "riparto", "cards", 0)
    card = next(raw["data"]["card"] for raw in room.log if raw["type"] == "card_played")
    for seat in room.seats:
        answer = room.table.append(event("card_played", player=seat, card=card), who=seat,
                                   as_played=True)  # fmt: skip
        assert answer.status_code == 422
    assert room.outcome() == room.before


def test_last_event_of_a_batch_cannot_change_a_confirmed_hand(confirmed: Table) -> None:
    refused(confirmed, event("note_added", text="Coffee"), COUNT, who="leo")


def test_confirmation_within_a_batch_protects_the_hand_from_later_events(
    on_memory: FlaskClient,
) -> None:
    table = Table.open(on_memory)
    table.do(match(), *hand())
    sign(table, "mara", "leo")
    refused(table, event("hand_confirmed", player="nina"), COUNT, who="nina")


def test_host_abandons_a_confirmed_hand_by_a_correction(confirmed: Table) -> None:
    abandoned = event("hand_abandoned", reason="misdeal")
    refused(confirmed, abandoned)
    confirmed.do(inserted(5, "hand_abandoned", reason="misdeal"))
    assert first(confirmed)["status"] == "abandoned"


def test_host_corrects_a_confirmed_hand(confirmed: Table) -> None:
    confirmed.do(replaced(5, "points_counted", **COUNT["data"]), as_played=True)
    assert first(confirmed)["confirmed"] == []
    confirmed.do(event("points_counted", points={"leo": 5, "mara": 10}), who="leo", as_played=True)


def test_events_without_effect_on_the_confirmed_hand_are_recorded(confirmed: Table) -> None:
    before = first(confirmed)
    for harmless in (
        event("note_added", text="Coffee"),
        event("score_claimed", scores={"leo": 7}),
        event("cards_shown", player="leo", cards=["10H"]),
    ):
        confirmed.do(harmless, who="leo", as_played=True)
    assert first(confirmed) == before
    confirmed.do(event("hand_disputed", player="leo", reason="I took six"), who="leo")
    confirmed.do(event("penalty_given", side="mara", points=-1, reason="late"))
    after = first(confirmed)
    assert after["totals"]["mara"] == before["totals"]["mara"] - 1
    assert {**after, "totals": 0, "disputed": False} == {**before, "totals": 0}
    refused(confirmed, COUNT, who="leo")
    confirmed.do(*hand(dealer="leo"), who="nina")
    confirmed.do(event("match_ended"), event("session_closed"))


def test_hand_without_all_confirmations_can_be_changed(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory)
    table.do(match(), *hand())
    sign(table, "mara", "leo")
    table.do(COUNT, who="leo", as_played=True)
    assert first(table)["confirmed"] == []


def test_one_player_confirms_for_each_side(on_memory: FlaskClient) -> None:
    table = Table.open(on_memory, "mara leo nina ugo")
    table.do(
        event("match_started", game="briscola_regina", seats=["mara", "leo", "nina", "ugo"]),
        event("hand_started", dealer="mara"), event("points_counted", points={"A": 70}),
    )  # fmt: skip
    other = event("points_counted", points={"A": 60})
    sign(table, "leo", "ugo")  # of one side
    table.do(other, who="leo", as_played=True)
    sign(table, "ugo", "nina")
    refused(table, event("points_counted", points={"A": 70}), who="leo")


def test_offered_events_do_not_change_a_confirmed_hand() -> None:
    for seed, game in enumerate(GAMES):
        room = ConfirmedTable(patient(), game, "totals", seed)
        for prompt in room.table.ask("GET", "/next").get_json():
            for choice in prompt["choices"][:OFFERED]:
                room.table.do(event(prompt["type"], **choice))
                assert room.outcome() == room.before
                room.again()


def test_strike_in_an_earlier_hand_cannot_change_a_later_confirmed_hand(
    on_memory: FlaskClient,
) -> None:
    """Without the second count the first hand would have ended the match."""
    table = Table.open(on_memory)
    table.do(match(match_end={"target": 9}), *hand(points=9))
    table.do(event("points_counted", points={"leo": 8, "mara": 7}), who="leo", as_played=True)
    table.do(*hand(dealer="leo", bidder="nina", points=4))
    sign(table, "mara", "nina")
    table.do(event("hand_confirmed", player="leo"))
    problem = refused(table, struck(6), who="leo")
    assert (problem["match"], problem["hand"]) == (1, 2)
    table.do(struck(6), as_played=True)
    assert table.report()["matches"][0]["hands"][1]["status"] == "incomplete"


def test_striking_the_next_hand_cannot_move_its_entries_into_a_confirmed_hand(
    confirmed: Table,
) -> None:
    """Striking its start would move the entries of others into the previous hand."""
    confirmed.do(event("hand_started", dealer="leo"), who="leo")
    confirmed.do(COUNT, who="nina", as_played=True)
    refused(confirmed, struck(9), who="leo")
