"""Events that can never be recorded: each kind with the message that its author reads."""

from typing import Any

import pytest

from scorekeeper.base.errors import UnusableError
from tests.evenings import Raw, by_hand, event, inserted, opening, replaced, score, struck

FRIDAY = opening("mara", "leo", "nina", "ugo")
SEATS = ["mara", "leo", "nina"]
MATCH = event("match_started", game="riparto", seats=SEATS)
HAND = event("hand_started", dealer="mara")
BID = event("bid_made", player="leo", points=5)
COUNT = event("points_counted", points={"leo": 5, "nina": 10})


def card(player: str, code: str) -> Raw:
    return event("card_played", player=player, card=code)


def match(**changes: Any) -> Raw:
    return event("match_started", **{**MATCH["data"], **changes})


def refusal(log: bytes) -> str:
    with pytest.raises(UnusableError) as refused:
        score(log)
    return str(refused.value)


# Lines as bytes, each after a log that is fine so far.
LINES = [
    (b"{", "line 2: not JSON: expecting property name enclosed in double quotes at column 2"),
    (b"hand 2: Leo deals", "line 2: not JSON: expecting value at column 1"),
    (b'"note_added"', 'line 2: expected an object with "type" and "data", got "note_added"'),
    (b"[]", 'line 2: expected an object with "type" and "data", got an empty list'),
    (b"null", 'line 2: expected an object with "type" and "data", got null'),
    (b"{}", "line 2, field type: expected the type of an event, got null"),
    (b'{"type":7}', "line 2, field type: expected the type of an event, got 7"),
    (b'{"type":"note_added","data":null}', "line 2, field data: expected an object, got null"),
    (b'{"type":"note_added","data":[1]}', "line 2, field data: expected an object, got a list"),
    (b'{"type":"note_added"}',
     "line 2, field data.text: missing, expected a text of at most 10000 characters"),
    (b'{"type":"note_added","data":{"text":"a\\u0000b"}}',
     "line 2, field data.text: a control character is in the text"),
    (b'{"type":"note_added","data":{"text":"\\udc00"}}',
     "line 2: a lone surrogate is in a text"),
    (b'{"type":"note_added","data":{"text":"caf\xe9"}}', "line 2: not UTF-8 (byte 41 of the line)"),
    (b'{"type":"note_added","data":{"text":"a","text":"b"}}',
     "line 2, field text: the key is there twice"),
    (b'{"type":"note_added","data":{"text":"a"},"seq":2}',
     ('line 2, field seq: unknown field; a line by hand has "type" and "data", and a sealed one '
     "all of at, by, data, hash, seq, type")),
    (b'{"type":"note_added","data":{"text":"a"},"hash":"9f"}',
     "line 2, field hash: this line has a hash, but the lines before have none"),
    (b'{"type":"note_added","data":{"text":"a","by":"leo"}}',
     "line 2, field data.by: unknown field; note_added has text"),
    (b'{"type":"session_closed","data":{"text":"a"}}',
     "line 2, field data.text: unknown field; session_closed has no fields at all"),
    (b'{"type":"noted"}', 'line 2, field type: expected a known type of event, got "noted"'),
    (b'{"type":"player_joined","data":{"id":"ada","name":1.5}}',
     'line 2, field data.name: expected a whole number, got "1.5"'),
    (b'{"type":"event_struck","data":{"seq":1e2,"reason":""}}',
     'line 2, field data.seq: expected a whole number, got "1e2"'),
    (b'{"type":"event_struck","data":{"seq":9007199254740992,"reason":""}}',
     "line 2, field data.seq: a number beyond ±9007199254740991"),
    (b'{"type":"note_added","data":{"cards":["AS",{"n":1},{"n":-9007199254740992}],"more":1.5}}',
     "line 2, field data.cards.2.n: a number beyond ±9007199254740991"),
    (b'{"type":"note_added","data":1.5', 'line 2: expected a whole number, got "1.5"'),
    (b'{"type":' + b"[" * 5_000,
     "line 2: nested too deeply: more than 100 lists and objects in one another"),
]  # fmt: skip


@pytest.mark.parametrize(("line", "text"), LINES, ids=[text[8:50] for _, text in LINES])
def test_a_line_that_cannot_be_read(line: bytes, text: str) -> None:
    assert refusal(by_hand([FRIDAY]) + line + b"\n") == text


# Events, the last of which is refused.
EVENTS: dict[str, list[tuple[list[Raw], str]]] = {
    "session": [
        ([MATCH], "line 1, field type: a log begins with session_opened, got match_started"),
        ([struck(1)], "line 1, field data.seq: expected the seq of an earlier event, got 1"),
        ([FRIDAY, FRIDAY], "line 2, field type: session_opened may be only the first event"),
        ([event("session_opened", title="F", players=[], format=2)],
         "line 1, field data.format: expected the number 1, got 2"),
        ([opening("Mara")],
         'line 1, field data.players.0.id: expected a new player\'s id, got "Mara"'),
        ([opening("bidder")],
         'line 1, field data.players.0.id: expected a new player\'s id, got "bidder"'),
        ([opening("x" * 33)], "line 1, field data.players.0.id: expected a new player's id, got"),
        ([opening("mara", "mara")],
         'line 1, field data.players.1.id: the id "mara" belongs to Mara already'),
        ([FRIDAY, event("player_joined", id="leo", name="Leo B.")],
         'line 2, field data.id: the id "leo" belongs to Leo already'),
        ([FRIDAY, event("player_joined", id="ada", name="Ada\nB.")],
         ("line 2, field data.name: expected a text of 1 to 60 characters without control "
         'characters, got "Ada\\nB."')),
        ([FRIDAY, event("player_joined", id="ada", name="")], "line 2, field data.name: exp"),
        ([FRIDAY, event("player_joined", id="ada", name="x" * 61)], "line 2, field data.name: exp"),
        ([FRIDAY, event("session_closed"), event("note_added", text="")],
         "line 3, field type: the session has been closed"),
        ([FRIDAY, event("session_closed"), event("session_closed")],
         "line 3, field type: the session has been closed"),
    ],
    "match": [
        ([FRIDAY, match(game="poker")],
         'line 2, field data.game: no game "'),
        ([FRIDAY, match(rules=7)],
         "line 2, field data.rules: expected a version of the rules of riparto (1), got 7"),
        ([FRIDAY, match(rules=0)],
         "line 2, field data.rules: expected a whole number from 1 on, got 0"),
        ([FRIDAY, match(seats=["mara", "leo"])],
         "line 2, field data.seats: expected 3 or 4 players for Riparto, got 2"),
        ([FRIDAY, match(seats=[])], "line 2, field data.seats: expected a list, each a player"),
        ([FRIDAY, match(seats=["mara", "leo", "mara"])],
         "line 2, field data.seats: the list has the same thing twice"),
        ([FRIDAY, match(seats=["mara", "leo", "zorro"])],
         'line 2, field data.seats.2: expected a player of this session, got "zorro"'),
        ([FRIDAY, match(options={"colour": "red"})],
         "line 2, field data.options.colour: expected an option of this game: "),
        ([FRIDAY, match(options={"last_three": "nobody"})],
         ("line 2, field data.options.last_three: expected majority or sweep or last_trick, got "
         '"nobody"')),
        ([FRIDAY, match(options={"match_end": {"target": 0}})],
         ('line 2, field data.options.match_end: expected open or {"target": N} or {"hands": N}, '
         "got an object")),
        ([FRIDAY, match(options=[])], "line 2, field data.options: expected an object"),
        ([FRIDAY, event("match_ended")], "line 2, field type: no match has been started"),
        ([FRIDAY, event("penalty_given", side="leo", points=1, reason="")],
         "line 2, field type: no match has been started"),
        ([FRIDAY, MATCH, event("penalty_given", side="zorro", points=1, reason="")],
         'line 3, field data.side: expected a side (mara, leo, nina), got "zorro"'),
    ],
    "hand": [
        ([FRIDAY, HAND], "line 2, field type: no match has been started"),
        ([FRIDAY, BID], ('line 2, field type: "bid_made" is an event of a match, and no match has '
         "been started")),
        ([FRIDAY, MATCH, event("hand_started", dealer="ugo")],
         ("line 3, field data.dealer: expected a player seated in this match (mara, leo, nina)"
         ', got "ugo"')),
        ([FRIDAY, MATCH, BID], "line 3, field type: no hand of this match has been started"),
        ([FRIDAY, MATCH, HAND, BID, COUNT, MATCH, card("leo", "AS")],
         "line 7, field type: no hand of this match has been started"),
        ([FRIDAY, MATCH, event("match_ended"), HAND],
         "line 4, field type: the match has ended; a new one has to be started"),
        ([FRIDAY, match(options={"match_end": {"hands": 1}}), HAND, BID, COUNT, HAND],
         "line 6, field type: the match has ended; a new one has to be started"),
        ([FRIDAY, MATCH, HAND, event("bris_called", player="leo", suit="S")],
         'line 4, field type: "bris_called" is an event of another game (Briscola Regina)'),
        ([FRIDAY, MATCH, HAND, event("bid_made", player="leo", points=16)],
         "line 4, field data.points: expected a whole number from 0 to 15, got 16"),
        ([FRIDAY, MATCH, HAND, event("bid_made", player="ugo", points=5)],
         ("line 4, field data.player: expected a player who takes part in this hand (leo, nina, "
         'mara), got "ugo"')),
        ([FRIDAY, MATCH, HAND, event("hand_abandoned", reason="", player="ugo")],
         "line 4, field data.player: expected a player seated in this match"),
        ([FRIDAY, MATCH, HAND, event("hand_confirmed", player="leo")],
         "line 4, field type: no hand of this match is complete"),
    ],
    "cards": [
        ([FRIDAY, MATCH, HAND, card("leo", "AB")],
         "line 4, field data.card: expected a card of this match's french pack, got \"AB\""),
        ([FRIDAY, MATCH, HAND, card("leo", "2S")],
         "line 4, field data.card: expected a card of this match's french pack, got \"2S\""),
        ([FRIDAY, MATCH, HAND, card("leo", "ace of spades")],
         'line 4, field data.card: expected a card, such as AS or 10H, got "ace of spades"'),
        ([FRIDAY, MATCH, HAND, card("leo", "AS"), card("nina", "KS"), card("mara", "QS"),
          card("leo", "AS")],
         "line 7, field data.card: Leo has already played A♠ in this hand (event 4)"),
        ([FRIDAY, MATCH, HAND, card("leo", "AS"), card("leo", "KS")],
         "line 5, field data.player: Leo has already played A♠ to this trick (event 4)"),
        ([FRIDAY, MATCH, HAND, event("cards_shown", player="leo", cards=[])],
         "line 4, field data.cards: expected a list, each a card, such as AS or 10H, got an empty"),
        ([FRIDAY, MATCH, HAND, event("cards_shown", player="leo", cards=["AS", "AS"])],
         "line 4, field data.cards: the list has the same thing twice"),
        ([FRIDAY, MATCH, HAND, event("cards_shown", player="leo", cards=["AS", "A5"])],
         'line 4, field data.cards.1: expected a card, such as AS or 10H, got "A5"'),
        ([FRIDAY, MATCH, HAND, event("cards_shown", player="leo", cards=["AS", "2S"])],
         "line 4, field data.cards.1: expected a card of this match's french pack, got \"2S\""),
        ([FRIDAY, MATCH, HAND, event("trick_taken", player="leo", trick=0)],
         "line 4, field data.trick: expected a whole number from 1 on, got 0"),
    ],
    "counts": [
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": -1, "nina": 1})],
         "line 4, field data.points.leo: expected a whole number from 0 on, got -1"),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": "5"})],
         'line 4, field data.points.leo: expected a whole number from 0 on, got "5"'),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": True})],
         "line 4, field data.points.leo: expected a whole number from 0 on, got true"),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": 5})],
         ("line 4, field data.points: expected a count for all sides but one, nothing came for "
         "mara, nina")),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={})],
         ("line 4, field data.points: expected a count for all sides but one, nothing came for "
         "mara, leo, nina")),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": 9, "nina": 7})],
         "line 4, field data.points: expected at most 15 in all, so that mara has the rest, got "),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": 9, "ugo": 7})],
         ("line 4, field data.points.ugo: expected a side that the count is given for (mara, leo, "
         'nina), got "ugo"')),
        ([FRIDAY, MATCH, HAND, event("points_counted", points={"leo": 5, "nina": 5},
                                     tricks={"leo": 5, "nina": 5})],
         "line 4, field data.tricks: expected at most 9 in all, so that mara has the rest, got 10"),
        ([FRIDAY, match(options={"last_three": "sweep"}), HAND, COUNT],
         "line 4, field data.points: expected a count for every side, nothing came for mara"),
        ([FRIDAY, MATCH, HAND, event("score_claimed", scores={"ugo": 1})],
         'line 4, field data.scores.ugo: expected a side (mara, leo, nina), got "ugo"'),
    ],
    "disputes": [
        ([FRIDAY, event("hand_disputed", player="leo", reason="")],
         "line 2, field type: no match has been started"),
        ([FRIDAY, MATCH, HAND, event("hand_disputed", player="leo", reason="")],
         "line 4, field data.hand: no hand of this match is complete"),
        ([FRIDAY, MATCH, HAND, event("hand_disputed", player="leo", reason="", hand=2)],
         "line 4, field data.hand: expected the number of a hand that was started, got 2"),
        ([FRIDAY, MATCH, HAND, event("hand_disputed", player="leo", reason="", match=2)],
         "line 4, field data.match: expected the number of a match that was started, got 2"),
        ([FRIDAY, MATCH, HAND, event("hand_disputed", player="ugo", reason="", hand=1)],
         ("line 4, field data.player: expected a player seated in this match (mara, leo, nina)"
         ', got "ugo"')),
        ([FRIDAY, MATCH, HAND, event("proposal_signed", proposal=3, player="leo")],
         "line 4, field data.proposal: expected the seq of a proposal, got 3"),
        ([FRIDAY, MATCH, HAND, event("dispute_settled", ruling="upheld", text="")],
         "line 4, field type: no dispute is open"),
        ([FRIDAY, MATCH, HAND, event("dispute_settled", ruling="maybe", text="", hand=1)],
         'line 4, field data.ruling: expected "corrected" or "upheld" or "unresolved", got'),
        ([FRIDAY, MATCH, HAND,
          event("correction_proposed", hand=1, reason="", corrections=[{"type": "note_added",
                                                                        "data": {}}])],
         ('line 4, field data.corrections.0.type: expected "event_struck" or "event_replaced" or '
         '"event_inserted", got "note_added"')),
    ],
    "corrections": [
        ([FRIDAY, MATCH, struck(9)],
         "line 3, field data.seq: expected the seq of an earlier event, got 9"),
        ([FRIDAY, MATCH, struck(3)],
         "line 3, field data.seq: expected the seq of an earlier event, got 3"),
        ([FRIDAY, MATCH, inserted(3, "note_added", text="")],
         "line 3, field data.after: expected the seq of an earlier event, got 3"),
        ([FRIDAY, struck(1)], "line 2, field data.seq: session_opened cannot be struck"),
        ([FRIDAY, replaced(1, "note_added", text="")],
         "line 2, field data.seq: session_opened cannot be replaced"),
        ([FRIDAY, MATCH, HAND, BID, struck(4), replaced(5, "note_added", text="")],
         "line 6, field data.seq: event_struck cannot be replaced"),
        ([FRIDAY, MATCH, inserted(2, "event_struck", seq=2, reason="")],
         "line 3, field data.type: a correction cannot contain another correction"),
        ([FRIDAY, MATCH, replaced(2, "session_opened", title="x", players=[])],
         "line 3, field data.type: session_opened may be only the first event"),
        ([FRIDAY, MATCH, HAND, BID, replaced(4, "bid_made", player="leo", points=16)],
         "line 5, field data.data.points: expected a whole number from 0 to 15, got 16"),
        ([FRIDAY, MATCH, HAND, BID, replaced(4, "bid_offered", player="leo")],
         'line 5, field data.type: expected a known type of event, got "bid_offered"'),
        ([FRIDAY, MATCH, HAND, BID, replaced(4, "bid_made", player="ugo", points=5)],
         "line 5, field data.data.player: expected a player who takes part in this hand (leo, nin"),
        ([FRIDAY, MATCH, HAND, BID, inserted(2, "bid_made", player="leo", points=5)],
         "line 5, field data.type: no hand of this match has been started"),
        ([FRIDAY, MATCH, HAND, BID, inserted(4, "hand_started", dealer="ugo")],
         "line 5, field data.data.dealer: expected a player seated in this match"),
        ([FRIDAY, MATCH, HAND, card("leo", "AS"),
          inserted(3, "card_played", player="leo", card="KS")],
         ("line 5: with this correction event 4 is no longer valid: Leo has already played K♠ to "
          "this trick (event 5)")),
        ([FRIDAY, MATCH, HAND, BID, struck(2)],
         "line 5: with this correction event 3 is no longer valid: no match has been started"),
        ([FRIDAY, MATCH, HAND, BID, replaced(2, "match_started", game="riparto",
                                             seats=["ugo", "mara", "nina"])],
         ("line 5: with this correction event 4 is no longer valid: expected a player who takes "
          'part in this hand (nina, ugo, mara), got "leo"')),
    ],
}  # fmt: skip


@pytest.mark.parametrize(
    ("events", "text"),
    [
        pytest.param(*case, id=f"{k}-{n}")
        for k, many in EVENTS.items()
        for n, case in enumerate(many)
    ],
)
def test_an_event_that_can_never_be_recorded(events: list[Raw], text: str) -> None:
    assert refusal(by_hand(events)).startswith(text)


def test_all_but_the_last_event_can_be_recorded() -> None:
    for many in EVENTS.values():
        for events, _ in many:
            if len(events) > 1:
                report = score(by_hand(events[:-1]))
                assert report["session"]["events"] == len(events) - 1


def test_the_line_is_that_of_the_file() -> None:
    log = b"\n\n" + by_hand([FRIDAY]) + b"\n" + by_hand([HAND])
    assert refusal(log) == "line 5, field type: no match has been started"


def test_an_evening_without_an_event_is_no_log() -> None:
    assert refusal(b"") == "line 1: no event in it: a log begins with session_opened"
