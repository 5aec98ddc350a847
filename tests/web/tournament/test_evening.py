"""A whole evening at Chiamata: 23 people with their phones, some of whom come late or leave.

The expected standings are computed here from the scores of the tables alone.
"""

import json
import random
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from tests.api.hall import Hall
from tests.evenings import event, replaced
from tests.web.tournament.visiting import Person, opened

MISSED = -4  # the last place of five
NAMES = ("ada", "bea", "ciro", "dora", "elio", "fede", "gino", "ida", "leo", "mara", "nina",
         "olga", "pia", "quinto", "rosa", "sara", "tito", "ugo", "vera", "walter", "xenia",
         "yuri", "zoe")  # fmt: skip


class Evening:
    """The hall, the phones by player, and for each round who sat at which session."""

    def __init__(self, rounds: int, hands: int) -> None:
        stage = {"rounds": rounds, "table": {"from": 5, "to": 6}, "hands": hands, "minutes": 30}
        self.hands = hands
        self.hall: Hall = opened(*NAMES, game="briscola_chiamata", stages=[
            {"name": "Rounds", "draw": "balanced", "points": "places", **stage},
        ])  # fmt: skip
        self.rng = random.Random(23)  # noqa: S311
        self.late = "bruno"
        self.phones = {player: self.admit(player) for player in NAMES}
        self.substitutes: dict[str, str] = {}  # by the entrant who is away
        self.seated: dict[int, dict[str, list[str]]] = {}
        self.really: dict[tuple[str, str], str] = {}  # who sat in the seat of a session

    def admit(self, player: str) -> Person:
        """Return a new phone that opens its player's link."""
        self.hall.add_key("entrant", player)
        return Person(self.hall, player)

    def draw(self, number: int) -> dict[str, list[str]]:
        """Draw, publish and start a round; return the players of each session in seat order."""
        draw = self.hall.ask("POST", "/draw", json={"seed": number}).get_json()["draw"]
        self.hall.do(event("round_drawn", **draw))
        sessions = self.hall.publish(number)
        self.hall.do(event("round_started", round=number, minutes=30))
        self.seated[number] = {
            str(sessions[place]): [self.substitutes.get(entrant, entrant) for entrant in table]
            for place, table in enumerate(draw["tables"], 1)
        }
        return self.seated[number]

    def play(self, session_id: str, seats: Sequence[str]) -> None:
        """Play the hands of a table: the bidder's phone records each hand in one form."""
        deals = self.hands * len(seats) // 5
        for deal in range(deals):
            version = self.end(session_id)["version"]
            dealer = seats[deal % len(seats)]
            playing = [seat for seat in seats if len(seats) == 5 or seat != dealer]
            bidder, partner = self.rng.sample(playing, 2)
            form = {
                "version": str(version), "key": f"{session_id}{deal}", "dealer": dealer,
                "0.type": "bid_made", "0.with:player": json.dumps({"player": bidder}),
                "0.with:bid": '{"bid":"2"}', "1.type": "partner_revealed",
                "1.with:player": json.dumps({"player": partner}),
                "2.type": "points_counted", "2.n:points.bidder": str(self.rng.randint(30, 90)),
            }  # fmt: skip
            answer = self.phones[bidder].post(f"/t/{session_id}/record", **form)
            assert answer.status_code == 303, answer.text

    def end(self, session_id: str) -> Any:
        """Return the version and the head of a session."""
        return self.hall.read(f"/api/sessions/{session_id}/events?limit=1")

    def read(self, session_id: str) -> Any:
        """Return the report of a session, as the director reads it."""
        return self.hall.read(f"/api/sessions/{session_id}")

    def expected(self) -> dict[str, Fraction]:
        """Return the points of all entrants: those behind at each table minus those before.

        Whoever came late has the points of a last place for the round before.
        """
        points = dict.fromkeys(map(self.entrant, self.phones), Fraction())
        if self.late in points:
            points[self.late] += MISSED
        for tables in self.seated.values():
            for session_id, seats in tables.items():
                totals = self.read(session_id)["matches"][-1]["totals"]
                scores = {seat: totals[seat] for seat in seats}
                for seat, score in scores.items():
                    behind = sum(other < score for other in scores.values())
                    before = sum(other > score for other in scores.values())
                    player = self.really.get((session_id, seat), seat)
                    points[self.entrant(player)] += behind - before
        return points

    def entrant(self, player: str) -> str:
        """Return for whom a player plays."""
        return next((away for away, plays in self.substitutes.items() if plays == player), player)

    def standings(self, who: str = "view") -> dict[str, Fraction]:
        """Return the points of the standings."""
        rows = self.hall.read("/standings", who)["rows"]
        return {row["entrant"]: Fraction(row["points"]) for row in rows}

    # ------------------------------------------------------------------- what goes wrong

    def change_the_field(self) -> None:
        """Zoe leaves, Bruno comes late, and Anna plays for Ada."""
        self.hall.do(
            event("entrant_withdrawn", entrant="zoe", from_round=2, reason="the last bus"),
            event("entrant_registered", id=self.late, name="Bruno", from_round=2,
                  players=[{"id": self.late, "name": "Bruno"}]),
            event("entrant_replaced", entrant="ada", player="ada", from_round=2,
                  substitute={"id": "anna", "name": "Anna"}),
        )  # fmt: skip
        self.substitutes["ada"] = "anna"
        self.phones |= {player: self.admit(player) for player in (self.late, "anna")}

    def exchange_two(self, number: int) -> None:
        """Two people of one table sat in each other's places, as they say later."""
        session_id, (one, other, *_) = next(iter(self.seated[number].items()))
        self.hall.do(event("seating_corrected", round=number, table=1, players={
            one: self.entrant(other), other: self.entrant(one),
        }))  # fmt: skip
        self.really |= {(session_id, one): other, (session_id, other): one}

    def correct_a_count(self, number: int) -> None:
        """The count of a hand of an earlier round was typed wrongly: the director corrects it."""
        session_id = next(iter(self.seated[number]))
        events = self.hall.read(f"/api/sessions/{session_id}/events")["events"]
        count = next(raw for raw in events if raw["type"] == "points_counted")
        before = count["data"]["points"]["bidder"]
        answer = self.hall.record(
            session_id, replaced(count["seq"], "points_counted", points={"bidder": 120 - before}),
            who="host", at=len(events),
        )  # fmt: skip
        assert answer.status_code == 201, answer.text


@pytest.mark.parametrize(("rounds", "hands"), [(2, 5), pytest.param(4, 10, marks=pytest.mark.soak)])
def test_an_evening_of_23_people(rounds: int, hands: int) -> None:
    evening = Evening(rounds, hands)
    hall = evening.hall
    for number in range(1, rounds + 1):
        tables = evening.draw(number)
        assert sorted(map(len, tables.values())) == [5, 6, 6, 6]
        for place, (session_id, seats) in enumerate(tables.items(), 1):
            for seat, player in enumerate(seats, 1):
                assert f"Table {place}, seat {seat}" in evening.phones[player].page().words
            evening.play(session_id, seats)
        assert evening.standings() == evening.expected()
        hall.do(event("round_closed", stage=1, round=number))
        if number == 1:
            evening.change_the_field()
    first = evening.standings()
    evening.correct_a_count(1)
    assert evening.standings() == evening.expected() != first
    corrected = evening.standings()
    evening.exchange_two(2)
    assert evening.standings("ada") == evening.expected() != corrected
    hall.do(event("tournament_closed", heads={
        session_id: evening.end(session_id)["head"]
        for tables in evening.seated.values() for session_id in tables
    }))  # fmt: skip
    assert hall.read("/standings")["changed"] == []
