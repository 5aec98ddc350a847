"""Events in words: every event of every game has a sentence, and all its facts are in it.

Tests of ``events.sentences``.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from scorekeeper.base.paths import resource
from scorekeeper.events.event import Event
from scorekeeper.events.fields import Nested, parts_of
from scorekeeper.events.sentences import Voice
from scorekeeper.games import GAMES
from scorekeeper.log import codec
from scorekeeper.log.reading import LogFile
from scorekeeper.log.schema import list_classes

GOLDEN = Path(__file__).parents[1] / "golden"
MESSAGES = resource("scorekeeper/translations/it/LC_MESSAGES/messages.po").read_text("utf-8")
NAMES = {"mara": "Mara", "leo": "Leo", "A": "Mara & Leo"}


def tell(game: str, kind: str, **data: Any) -> str:
    pack = GAMES[game].pack(GAMES[game].options(None, max(GAMES[game].seats)), 4)
    voice = Voice(NAMES, pack.show, pack.suit_name)
    return voice.describe(codec.decode(kind, data, GAMES[game].by_type))


@pytest.mark.parametrize(
    ("game", "kind", "data", "sentence"),
    [
        ("riparto", "card_played", {"player": "leo", "card": "7C"}, "Leo played 7♣"),
        ("knock", "card_played", {"player": "leo", "card": "FOOL"}, "Leo played the Fool"),
        ("riparto", "trick_taken", {"player": "leo"}, "Leo took the trick"),
        ("riparto", "trick_taken", {"player": "leo", "trick": 3}, "Leo took trick 3"),
        ("riparto", "bid_made", {"player": "leo", "points": 0}, "Leo bid 0"),
        ("briscola_chiamata", "bid_made", {"player": "leo", "bid": "K"}, "Leo bid king"),
        ("briscola_chiamata", "bid_made", {"player": "leo", "bid": 72}, "Leo bid 72"),
        ("briscola_chiamata", "bid_made", {"player": "leo", "bid": "pass"}, "Leo passed"),
        ("riparto", "hierarchy_declared", {"player": "leo", "suits": []},
         "Leo declared no hierarchy"),
        ("riparto", "hierarchy_declared", {"player": "leo", "suits": ["S", "H", "D", "C"]},
         "Leo declared the hierarchy spades, hearts, diamonds, clubs"),
        ("riparto", "set_distributed", {"player": "leo", "set": 2, "given": {"mara": "9S"}},
         "Leo dealt out insieme 2, gave Mara 9♠"),
        ("riparto", "outcome_recorded", {"made": False}, "The contract was lost"),
        ("riparto", "penalty_given", {"side": "leo", "points": -5, "reason": "late"},
         "Penalty for Leo, -5: late"),
        ("knock", "points_counted", {"points": {"A": 57}, "tricks": {"A": 7}},
         "Points counted: Mara & Leo 57; tricks: Mara & Leo 7"),
        ("knock", "signal_made", {"player": "leo", "signal": "last_trump"},
         "Leo signalled last trump"),
        ("picchetto", "shown", {"player": "leo", "category": "set", "count": 3, "rank": "K"},
         "Leo showed a set of 3 kings"),
        ("picchetto", "answered", {"player": "leo", "category": "point", "answer": "not_good"},
         "Leo answered “not good” to the point"),
        ("briscola_regina", "bris_called", {"player": "leo", "suit": "D"},
         "Leo called Bris in coins"),
        ("riparto", "note_added", {"text": "{player} [x]"}, "Note: {player} [x]"),
    ],
)  # fmt: skip
def test_sentence_of_an_event(game: str, kind: str, data: dict[str, Any], sentence: str) -> None:
    assert tell(game, kind, **data) == sentence


EVENTS = list(
    dict.fromkeys(
        event_type
        for g in GAMES.values()
        for f in g.by_type.values()
        for event_type in list_classes(f)
    )
)


@pytest.mark.parametrize("declared", EVENTS, ids=lambda declared: declared.__name__)
def test_every_event_has_a_sentence(declared: type[Event]) -> None:
    assert declared.SAYS or declared.SAYS_OF or declared.TYPE.startswith("event_")


def test_sentences_of_golden_events_have_all_facts() -> None:
    silent = {"match_started", "correction_proposed", "session_opened"}
    for path in GOLDEN.glob("*/*.jsonl"):
        game = GAMES[path.parent.name]
        with path.open("rb") as stream:
            for raw in LogFile(stream):
                if raw.type in silent or raw.type.startswith("event_"):
                    continue
                event = codec.decode(raw.type, raw.data, game.by_type)
                sentence = Voice().describe(event)
                for part in parts_of(type(event)):
                    value = raw.data.get(part.name)
                    if isinstance(value, int) and not isinstance(value, bool):
                        assert str(value) in sentence, sentence
                assert not any(isinstance(p.kind, Nested) for p in parts_of(type(event)))
                assert json.dumps(sentence)


@pytest.mark.parametrize("declared", EVENTS, ids=lambda declared: declared.__name__)
def test_titles_and_labels_are_in_the_catalogues(
    declared: type[Event],
) -> None:
    called = {declared.TITLE, declared.TITLE_AFTER, declared.NOUN, *(declared.TOGETHER or ())}
    called |= {
        sentence
        for part in parts_of(declared)
        for sentence in (part.label, part.asks, *part.called.values())
    }
    assert [text for text in called if text and f'msgid "{text}"\n' not in MESSAGES] == []
