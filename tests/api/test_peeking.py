"""No seat alone can reveal face-down cards or the partner.

Tests of ``report.masking`` and ``service.permissions``, from outside.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from tests.api.asking import Table, problem_of
from tests.api.test_face_down import LOOKS_ON, differences
from tests.api.worlds import BRIEFLY, World, alike, application
from tests.conftest import SOAK
from tests.evenings import Raw, event, struck
from tests.samples import SAMPLES, Step, Worlds, laid
from tests.thinned import thinned, thinned_rows

WORLDS: Final = {game: sample.worlds for game, sample in SAMPLES.items() if sample.worlds}
HIDING: Final = sorted(WORLDS)
HOW_MANY_TRICKS: Final = (7, 8, 9, 12, 13)  # in a hand of some game
SLOW_FROM: Final = 100  # events of a session, with which each request takes longer
CALLED: Final = ("briscola_chiamata", "briscola_col_monte")


@pytest.fixture(scope="module")
def clients() -> tuple[FlaskClient, FlaskClient]:
    """Return two applications."""
    return application(), application()


@pytest.fixture
def pair(clients: tuple[FlaskClient, FlaskClient], monkeypatch: pytest.MonkeyPatch) -> "Pair":
    """Return a maker of two worlds."""
    return Pair(clients, monkeypatch)


class Pair:
    """A maker of two worlds that differ only in face-down cards."""

    chance = 10_000

    def __init__(self, clients: Sequence[FlaskClient], monkeypatch: pytest.MonkeyPatch) -> None:
        self.clients, self.monkeypatch = clients, monkeypatch

    def worlds(self, script: Worlds, steps: Sequence[Step] | None = None) -> tuple[World, World]:
        """Return two worlds after these steps."""
        alike(self.monkeypatch)
        Pair.chance += 1
        one, other = (
            World(client, script.players, Pair.chance, self.monkeypatch) for client in self.clients
        )
        for step in script.steps if steps is None else steps:
            for world, events in ((one, step.one), (other, step.other)):
                world.table.do(*events, who=step.who, as_played=True)
        return one, other

    def table(self, script: Worlds) -> Table:
        """Return a table in the middle of a hand."""
        return self.worlds(script)[0].table


def visible(table: Table, who: str) -> set[int]:
    """Return the seqs of the events that a reader sees with their data."""
    events = table.get("/events", who).get_json()["events"]
    return {recorded["seq"] for recorded in events if recorded["data"] is not None}


def last(table: Table, who: str = "view") -> Raw:
    """Return the last event as visible to a reader."""
    event: Raw = table.get("/events", who).get_json()["events"][-1]
    return event


def hand_of(table: Table, who: str) -> Raw:
    """Return the last hand of the report."""
    hand: Raw = table.get(who=who).get_json()["matches"][-1]["hands"][-1]
    return hand


# --------------------------------------------------------------------------- the partner's own word


def by_the_partner(script: Worlds) -> list[tuple[Step, Step]]:
    """Return the steps of two worlds in which the partner records the partner."""
    steps = []
    for step in script.steps:
        one, other = step, step
        if step.one[0]["type"] == "partner_revealed":
            one, other = (step._replace(who=it[0]["data"]["player"]) for it in step[:2])
        steps.append((one, other))
    return steps


@pytest.mark.parametrize("game", thinned(CALLED, 2))
def test_recorder_of_the_partner_is_hidden(pair: Pair, game: str) -> None:
    script = WORLDS[game]
    worlds = pair.worlds(script, ())
    for one, other in by_the_partner(script):
        worlds[0].table.do(*one.one, who=one.who, as_played=True)
        worlds[1].table.do(*other.other, who=other.who, as_played=True)
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []
    told_by = {raw["by"] for raw in worlds[0].table.get("/events").get_json()["events"]
               if raw["type"] == "partner_revealed"}  # fmt: skip
    assert told_by == {"keeper"}


def revealed(pair: Pair, who: str = "nina") -> Table:
    """Return a table of Chiamata at which a seat has just recorded the partner."""
    table = pair.worlds(WORLDS["briscola_chiamata"], WORLDS["briscola_chiamata"].steps[:3])[0].table
    table.do(event("partner_revealed", player="nina"), who=who, key="mine")
    return table


def test_only_the_key_that_recorded_the_partner_can_strike_it(
    pair: Pair,
) -> None:
    table = revealed(pair)
    seq = table.version
    for other in ("mara", "leo", "ugo"):
        assert problem_of(table.append(struck(seq), who=other)) == (403, "forbidden")
    again = table.add_key("seat", player="nina").get_json()["key"]
    table.keys["another phone"] = again
    assert problem_of(table.append(struck(seq), who="another phone")) == (403, "forbidden")
    table.do(struck(seq), who="nina")
    assert last(table)["by"] == "keeper"
    table.do(event("partner_revealed", player="ugo"), who="ugo")
    table.do(struck(table.version))
    assert visible(table, "mara") >= {table.version}


def test_other_seat_cannot_name_another_face_down_partner(pair: Pair) -> None:
    table = revealed(pair)
    first = table.version
    for who in ("mara", "ugo"):
        for player in ("nina", "ugo"):
            refused = table.append(event("partner_revealed", player=player), who=who)
            assert problem_of(refused) == (403, "forbidden")
    assert table.version == first
    count = event("points_counted", points={"bidder": 75})
    table.do(count, who="mara")  # can be struck, so the partner still lies face down
    late = event("partner_revealed", player="ugo")
    assert problem_of(table.append(late, who="mara", as_played=True)) == (403, "forbidden")
    table.do(struck(table.version), who="mara")
    assert problem_of(table.append(count, late, who="ugo", as_played=True)) == (403, "forbidden")
    table.do(event("partner_revealed", player="zoe"), who="nina")
    table.do(event("partner_revealed", player="ugo"), as_played=True)
    again = event("partner_revealed", player="nina")
    assert problem_of(table.append(again, who="nina")) == (
        403,
        "forbidden",
    )  # the host's entry is valid now
    table.do(event("points_counted", points={"bidder": 75}))
    table.do(again, who="mara", as_played=True)  # open now: the author is visible to all


def test_recorder_of_a_partner_that_is_face_down_again_is_hidden(pair: Pair) -> None:
    worlds = pair.worlds(WORLDS["briscola_chiamata"], WORLDS["briscola_chiamata"].steps[:3])
    for world, who in zip(worlds, ("nina", "ugo"), strict=True):
        world.table.do(event("points_counted", points={"bidder": 75}))
        end = world.table.version
        world.table.do(event("partner_revealed", player=who), who=who)
        assert last(world.table)["by"] == who
        world.table.do(struck(end))
    assert differences(worlds, dict.fromkeys(("view", "mara"), BRIEFLY)) == []
    for world, who in zip(worlds, ("nina", "ugo"), strict=True):
        named = world.table.version - 1
        seen = world.table.get("/events", "view").get_json()["events"][named - 1]
        assert (seen["by"], seen["data"]) == ("keeper", None)
        world.table.do(struck(named), who=who)
    assert differences(worlds, dict.fromkeys(("view", "mara"), BRIEFLY)) == []


def test_recorder_of_a_struck_partner_is_hidden(pair: Pair) -> None:
    worlds = pair.worlds(WORLDS["briscola_chiamata"], WORLDS["briscola_chiamata"].steps[:3])
    for world, who in zip(worlds, ("nina", "ugo"), strict=True):
        world.table.do(event("partner_revealed", player=who), who=who)
        world.table.do(struck(world.table.version), who=who)
    assert differences(worlds, dict.fromkeys(("view", "mara"), BRIEFLY)) == []


def test_earlier_event_can_be_struck_after_the_partner(pair: Pair) -> None:
    """Otherwise a refusal would reveal who recorded the partner."""
    table = pair.worlds(WORLDS["briscola_chiamata"], WORLDS["briscola_chiamata"].steps[:3])[0].table
    table.do(event("note_added", text="Tea."), who="nina")
    note = table.version
    table.do(event("partner_revealed", player="nina"), who="nina")
    table.do(struck(note), who="nina")


def test_repeated_request_about_the_partner_needs_the_same_key(pair: Pair) -> None:
    table = revealed(pair)
    at, same = table.version - 1, event("partner_revealed", player="nina")
    first = table.append(same, who="nina", key="mine", at=at)
    assert (first.status_code, first.get_json()["events"][0]["data"]) == (201, None)
    for who in ("ugo", "host"):
        guess = table.append(same, who=who, key="mine", at=at)
        assert problem_of(guess) == (422, "idempotency_key_reused")


def test_partner_recorded_after_the_hand_has_an_author(pair: Pair) -> None:
    table = pair.worlds(WORLDS["briscola_chiamata"], WORLDS["briscola_chiamata"].steps[:3])[0].table
    table.do(
        event("points_counted", points={"bidder": 75}),
        event("partner_revealed", player="nina"),
        who="nina",
    )
    assert last(table)["by"] == "nina"
    assert last(table)["data"]["player"] == "nina"
    assert "awaiting" not in hand_of(table, "mara")


# ----------------------------------------------------------------------- one seat, by its own word


def every_event(game: str, table: Table, who: str) -> Iterator[tuple[Raw, ...]]:
    """Yield the attempts of a seat: all prompted events, and all that end a hand or show a card."""
    script = WORLDS[game]
    seats = script.players.split()[: SAMPLES[game].seats]
    for prompt in table.get("/next", who).get_json():
        for data in (*prompt["choices"][:2], *prompt["choices"][-1:]):
            yield (event(prompt["type"], **data),)
    yield script.end.one
    yield (event("hand_abandoned", reason="misdeal"),)
    yield (event("rest_claimed", player=seats[0]),)
    yield (event("outcome_recorded", made=True),)
    for tricks in HOW_MANY_TRICKS:
        yield tuple(event("trick_taken", player=seats[1]) for _ in range(tricks))
    for seat in seats:
        yield (event("hand_started", dealer=seat),)
        yield (*script.end.one, event("hand_started", dealer=seat))
        yield (event("rest_claimed", player=seat), event("hand_started", dealer=seat))
        yield (event("hand_abandoned", reason="x"), event("hand_started", dealer=seat),
               *script.end.one)  # fmt: skip
    for card in sorted(card.code for card in all_cards(game, len(seats)))[:: 1 if SOAK else 3]:
        yield (event("card_played", player=seats[-1], card=card),)
        yield (event("cards_shown", player=seats[-1], cards=[card]),)
    yield (*script.end.one, event("note_added", text="x"))
    for kind in ("match_ended", "session_closed", "match_started", "penalty_given"):
        yield (event(kind),)
    yield (*script.end.one, event("partner_revealed", player=seats[3 % len(seats)]))
    yield (*script.end.one, event("score_claimed", scores={}))


def all_cards(game: str, seats: int) -> Sequence[Any]:
    """Return the cards of a game."""
    rules_of_game = GAMES[game]
    return rules_of_game.pack(rules_of_game.options(None, seats), seats).cards


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_seat_cannot_turn_up_cards_by_events_that_it_can_strike(pair: Pair, game: str) -> None:
    table, who = pair.table(WORLDS[game]), "mara"
    before = visible(table, who)
    lying = set(range(1, table.version + 1)) - before
    assert lying
    tried = 0
    for events in every_event(game, table, who):
        if table.version > SLOW_FROM:
            table = pair.table(WORLDS[game])
        start = table.version
        if table.append(*events, who=who, as_played=True).status_code != 201:
            continue
        tried += 1
        if visible(table, who) & lying:  # visible to all, permanently
            assert {event["type"] for event in events} & {"hand_confirmed", "partner_revealed"}
            for seq in range(table.version, 0, -1):
                table.append(struck(seq), who=who, as_played=True)
            assert visible(table, who) & lying
            table = pair.table(WORLDS[game])
            continue
        for seq in range(table.version, start, -1):
            table.do(struck(seq), who=who, as_played=True)
            assert not visible(table, who) & lying, (events, seq)
    assert tried > 20


@pytest.mark.parametrize("game", thinned(HIDING, 3))
def test_end_by_one_seat_reveals_nothing_until_accepted(pair: Pair, game: str) -> None:
    script = WORLDS[game]
    worlds = pair.worlds(script)
    for world in worlds:
        world.table.do(*script.end.one, who="mara", as_played=True)
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []
    table = worlds[0].table
    for who in ("mara", "view", "leo"):
        hand = hand_of(table, who)
        assert (hand["status"], hand["awaiting"], hand["lines"]) == ("open", "acceptance", [])
        assert set(hand["scores"].values()) == {0}
        match = table.get(who=who).get_json()["matches"][-1]
        assert (match["winners"], set(match["totals"].values())) == ([], {0})
    assert "awaiting" not in hand_of(table, "host")
    prompts = table.get("/next", "leo").get_json()
    assert [prompt["type"] for prompt in prompts] == [
        "hand_confirmed",
        "event_struck",
        "hand_disputed",
    ]
    refused = [world.table.append(event("hand_started", dealer="leo"), who="mara")
               for world in worlds]  # fmt: skip
    assert problem_of(refused[0]) == (403, "forbidden")
    assert refused[0].data == refused[1].data


def ended(pair: Pair, game: str, who: str) -> tuple[Table, set[int]]:
    """Return a table at which a seat has just ended a hand, and its face-down events."""
    table, script = pair.table(WORLDS[game]), WORLDS[game]
    lying = set(range(1, table.version + 1)) - visible(table, "view")
    table.do(*script.end.one, who=who, as_played=True)
    assert not visible(table, who) & lying
    return table, lying


ACCEPTED: Final = {
    "another seat": ("leo", event("note_added", text="x")),
    "the host": ("host", event("note_added", text="x")),
    "another accepts": ("leo", event("hand_confirmed", player="leo")),
    "the recorder accepts": ("mara", event("hand_confirmed", player="mara")),
    "the host accepts": ("host", event("hand_confirmed", player="mara")),
    "disputed": ("leo", event("hand_disputed", player="leo", reason="x", match=1, hand=1)),
}


@pytest.mark.parametrize(
    ("game", "how"), thinned_rows([(game, how) for game in HIDING for how in ACCEPTED], 7)
)
def test_accepted_end_turns_up_cards_permanently(pair: Pair, game: str, how: str) -> None:
    table, lying = ended(pair, game, "mara")
    end = table.version
    who, word = ACCEPTED[how]
    table.do(word, who=who)
    for reader in ("view", "mara"):
        assert visible(table, reader) >= lying
        assert "awaiting" not in hand_of(table, reader)
        assert table.get(who=reader).data == table.get().data
    for seq in range(table.version, 0, -1):
        answer = table.append(struck(seq), who="mara", as_played=True)
        assert answer.status_code in (403, 422), seq
    table.do(struck(end))  # an entry of the host


def test_every_offered_choice_can_be_recorded(pair: Pair) -> None:
    for kind, who in (
        ("hand_confirmed", "leo"),
        ("event_struck", "mara"),
        ("hand_disputed", "leo"),
    ):
        table, _ = ended(pair, "knock", "mara")
        prompts = table.get("/next", who).get_json()
        choices = next(prompt["choices"] for prompt in prompts if prompt["type"] == kind)
        mine = next(choice for choice in choices if choice.get("player", who) == who)
        table.do(event(kind, **mine), who=who)


@pytest.mark.parametrize("game", thinned(HIDING, 2))
def test_end_by_the_host_turns_up_all_cards(pair: Pair, game: str) -> None:
    table, script = pair.table(WORLDS[game]), WORLDS[game]
    table.do(*script.end.one, who="host", as_played=True)
    assert visible(table, "view") == set(range(1, table.version + 1))
    assert last(table)["by"] == "keeper"


def test_seat_ends_a_hand_without_face_down_cards(table: Table) -> None:
    match = event("match_started", game="riparto", seats=["mara", "leo", "nina"])
    counts = event("points_counted", points={"leo": 5, "mara": 5, "nina": 5})
    table.do(match, event("hand_started", dealer="mara"))
    table.do(event("bid_made", player="leo", points=5), counts, who="leo")
    hand = hand_of(table, "view")
    assert hand["status"] == "complete"
    assert "awaiting" not in hand


def test_called_card_played_by_one_seat_alone_reveals_no_partner(pair: Pair) -> None:
    table = pair.table(WORLDS["briscola_chiamata"])
    (partner,) = set(range(1, table.version + 1)) - visible(table, "view")
    table.do(event("card_played", player="zoe", card="KS"), who="mara", as_played=True)
    assert partner not in visible(table, "mara")
    table.do(struck(table.version), who="mara")
    table.do(event("card_played", player="zoe", card="KS"), who="mara", as_played=True)
    played = table.version
    table.do(event("card_played", player="nina", card="2S"), who="nina", as_played=True)
    assert partner in visible(table, "mara")
    assert problem_of(table.append(struck(played), who="mara")) == (403, "forbidden")


def test_refusal_does_not_reveal_whether_the_match_is_over(pair: Pair) -> None:
    """The score, and so the end of the match, depends on the partner."""
    script = WORLDS["briscola_chiamata"]
    begin = event("match_started", game="briscola_chiamata", seats=script.players.split(),
                  options={"match_end": {"hands": 1}})  # fmt: skip
    steps = [Step((begin, script.steps[0].one[1]), (begin, script.steps[0].one[1])),
             *script.steps[1:]]  # fmt: skip
    worlds = pair.worlds(script, steps)
    for world in worlds:
        world.table.do(*script.end.one, who="mara")
        for who in ("mara", "leo"):
            refused = world.table.append(event("hand_started", dealer="leo"), who=who)
            assert problem_of(refused) == (403, "forbidden")
        assert world.table.get(who="view").get_json()["matches"][0]["status"] == "open"
    assert differences(worlds, LOOKS_ON) == []


# ------------------------------------------------------- an end that may or may not be complete

MONTE: Final = WORLDS["briscola_col_monte"]
# The bidder laid away the called card and plays alone, or a player holds it, and the hand is
# complete only after an event that names that player.
LAID_AWAY_OR_HELD: Final = (*MONTE.steps[:3], laid("leo", "4B 5B 6B AS 2C", "4B 5B 6B 7B 2C"))
ENDS: Final = {
    "outcome": event("outcome_recorded", made=True),
    "count": event("points_counted", points={"bidder": 75}),
    "rest": event("rest_claimed", player="nina"),
}
NEXT_HAND: Final = event("hand_started", dealer="leo")
DISPUTED: Final = event("hand_disputed", player="nina", reason="x")
ACCEPTS: Final = event("hand_confirmed", player="nina")


@pytest.mark.parametrize("end", thinned(ENDS, 2))
def test_end_does_not_reveal_whether_the_hand_is_complete(pair: Pair, end: str) -> None:
    worlds = pair.worlds(MONTE, LAID_AWAY_OR_HELD)
    at = worlds[0].table.version

    def alike_in_both(*events: Raw, status: int) -> None:
        answer, other = (
            world.table.append(*events, who="nina", as_played=True) for world in worlds
        )
        assert (answer.status_code, answer.data) == (status, other.data)

    alike_in_both(ENDS[end], NEXT_HAND, struck(3), status=403)
    alike_in_both(ENDS[end], status=201)
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []
    alike_in_both(NEXT_HAND, status=403)
    alike_in_both(DISPUTED, status=201)
    assert differences(worlds, {"mara": BRIEFLY}) == []
    for seq in range(worlds[0].table.version, at, -1):
        alike_in_both(struck(seq), status=201)
    assert differences(worlds, {"mara": BRIEFLY}) == []


def test_accepted_end_leaves_an_incomplete_hand_open(pair: Pair) -> None:
    worlds = pair.worlds(MONTE, LAID_AWAY_OR_HELD)
    for world, status in zip(worlds, ("complete", "open"), strict=True):
        table = world.table
        table.do(ENDS["count"], who="nina")
        for seat in MONTE.players.split():
            table.do(event("hand_confirmed", player=seat), who=seat)
        assert visible(table, "view") == set(range(1, table.version + 1))
        hand = hand_of(table, "view")
        assert (hand["status"], "awaiting" in hand) == (status, False)
    table = worlds[1].table
    assert "partner_revealed" in [raw["type"] for raw in table.get("/next", "mara").get_json()]
    table.do(event("partner_revealed", player="zoe"), who="zoe")
    assert hand_of(table, "view")["status"] == "complete"
    assert hand_of(table, "view")["confirmed"] == []


def test_partner_named_after_an_end_by_the_same_seat_stays_hidden(pair: Pair) -> None:
    """In col Monte the bidder's lay-away still lies face down then."""
    steps = [*MONTE.steps[:3], laid("leo", "4B 5B 6B 7B 2C", "4B 5B 6B 7B 2C")]
    worlds = pair.worlds(MONTE, steps)
    for world, partner in zip(worlds, ("zoe", "ugo"), strict=True):
        world.table.do(ENDS["count"], who="nina")
        world.table.do(event("partner_revealed", player=partner), who="nina")
        assert (last(world.table)["by"], last(world.table)["data"]) == ("keeper", None)
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []
    for world in worlds:
        table = world.table
        named = table.version
        assert problem_of(table.append(struck(named), who="leo")) == (403, "forbidden")
        table.do(struck(named), who="nina")
        table.do(struck(named - 1), who="nina")
    assert differences(worlds, {**LOOKS_ON, "mara": BRIEFLY}) == []
