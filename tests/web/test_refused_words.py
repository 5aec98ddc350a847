"""The reasons why an event or a log is refused: each has a message.

Tests of ``web.wording.refused``, ``web.wording.refused_logs``, ``web.wording.refused_clubs`` and
``web.wording.refused_tournaments``.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest

import scorekeeper
from scorekeeper.base.errors import Cause, UnusableError
from scorekeeper.base.language import Language, speaking
from scorekeeper.events.references import LOOK_UPS
from scorekeeper.games import GAMES
from scorekeeper.languages.catalogues import LANGUAGES
from scorekeeper.log.codec import decode
from scorekeeper.play.counts import refuse_count
from scorekeeper.web.wording.refused import MESSAGES, message_for_log, message_for_players
from scorekeeper.web.wording.refused_logs import IN_A_LOG
from scorekeeper.web.wording.refused_tournaments import OF_TOURNAMENTS
from tests.api.asking import client_of
from tests.evenings import by_hand, score
from tests.log.test_unusable import EVENTS, FRIDAY, LINES

PACKAGE = Path(scorekeeper.__file__).parent


def words_of(error: UnusableError) -> str:
    with client_of().application.test_request_context():
        return message_for_players(error)


@pytest.mark.parametrize(
    ("points", "total", "words"),
    [
        ({"A": 101}, 100, "That already makes 101, but there are only 100 in all."),
        ({}, 100, "The count is not complete yet."),
        ({"A": 60}, None, "The count is not complete yet."),
    ],
)
def test_a_count(points: dict[str, int], total: int | None, words: str) -> None:
    with pytest.raises(UnusableError) as refused:
        refuse_count("data.points", points, ("A", "B"), total)
    assert words_of(refused.value) == words


@pytest.mark.parametrize("count", [9, "9", -1])
def test_a_number(count: object) -> None:
    with pytest.raises(UnusableError) as refused:
        decode("cards_exchanged", {"player": "mara", "count": count}, GAMES["picchetto"].by_type)
    assert words_of(refused.value) == f"This must be a number from 0 to 8, not {count}."


def test_a_number_without_an_end() -> None:
    with pytest.raises(UnusableError) as refused:
        decode("penalty_given", {"side": "mara", "points": "ten", "reason": "slow"})
    assert words_of(refused.value) == "This must be a number, not ten."


def test_message_for_a_missing_value() -> None:
    with pytest.raises(UnusableError) as refused:
        decode("penalty_given", {"side": "mara", "points": 1})
    assert words_of(refused.value) == "You still have to choose something."


# What makes a cause, and in which place of its arguments the reason stands.
MAKERS = {"Cause": 1, "expected": 2, "_make_error": 2, "_played_error": 3}
# Rooms in which nothing else is unusable than a log, or an event of one.
LOG_ROOMS = ("cards", "events", "play", "families", "games", "log", "session", "clubs")


@cache
def calls_by_module() -> dict[Path, list[ast.Call]]:
    """Return the calls in each module of the package."""
    trees = {path: ast.parse(path.read_text("utf-8")) for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        path: [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
        for path, tree in trees.items()
    }


def calls(*packages: str) -> Iterator[ast.Call]:
    """Yield the calls in the modules of some packages, or of all."""
    for path, found in calls_by_module().items():
        if not packages or path.relative_to(PACKAGE).parts[0] in packages:
            yield from found


def test_each_reason_has_its_words() -> None:
    """And no message has a reason that is never used."""
    reasons = {
        why.value
        for call in calls()
        for why in call.args[MAKERS.get(ast.unparse(call.func), len(call.args)) :][:1]
        if isinstance(why, ast.Constant)
    }
    looked_up = {why for _, _, why in LOOK_UPS}
    assert reasons | looked_up | {"no_number", "not_in_parts", "out_of_range"} == set(MESSAGES)
    assert set(IN_A_LOG) <= set(MESSAGES)


def test_each_message_of_a_tournament_can_be_filled() -> None:
    """Its facts are those of every error with its reason; a club may have other words for it."""
    lacking = []
    for call in calls("tournaments"):
        place = MAKERS.get(ast.unparse(call.func), len(call.args))
        for why in (arg.value for arg in call.args[place : place + 1]
                    if isinstance(arg, ast.Constant)):  # fmt: skip
            facts = {keyword.arg for keyword in call.keywords}
            facts |= {"got"} if ast.unparse(call.func) == "expected" else set()
            words = {**MESSAGES, **OF_TOURNAMENTS}[str(why)]
            wanted = set(re.findall(r"%\((\w+)\)", str(words)))
            if not wanted <= facts and None not in facts:
                lacking.append((str(why), wanted - facts))
    assert lacking == []


def test_every_error_of_a_log_has_a_reason() -> None:
    bare_expectations = {
        ast.unparse(call)
        for call in calls(*LOG_ROOMS)
        if ast.unparse(call.func) == "expected" and len(call.args) < 3
    }
    bare = [
        ast.unparse(call)
        for call in calls(*LOG_ROOMS)
        if ast.unparse(call.func) in ("UnusableError", "TooLargeSessionError")
        if isinstance(call.args[0], ast.Constant | ast.JoinedStr)
        or ast.unparse(call.args[0]) in bare_expectations
    ]
    assert bare == [
        "UnusableError(f'event {seq} would not be valid: {error.reason}')"
    ]  # of a what-if


REFUSED = [
    *(by_hand([FRIDAY]) + line + b"\n" for line, _ in LINES),
    *(by_hand(events) for many in EVENTS.values() for events, _ in many),
]


def refused(log: bytes) -> UnusableError:
    with pytest.raises(UnusableError) as error:
        score(log)
    return error.value


def in_languages() -> Iterator[Any]:
    """Each log in one language, by turns; in the soak in all of them."""
    for place, language in enumerate(LANGUAGES):
        yield pytest.param(language, REFUSED[place :: len(LANGUAGES)], id=language)
        yield pytest.param(language, REFUSED, marks=pytest.mark.soak, id=f"{language}-all")


@pytest.mark.parametrize(("language", "logs"), list(in_languages()))
def test_errors_of_a_log_are_shown_in_the_pages_language(language: str, logs: list[bytes]) -> None:
    client, reader = client_of(computations_an_hour=10**6), {"Accept-Language": language}
    for log in logs:
        error = refused(log)
        file = (BytesIO(log), "evening.jsonl")
        page = client.post("/score", data={"log": file}, headers=reader)
        assert page.status_code == 422
        shown = re.search(r"<dd><bdi>(.*?)</bdi></dd></div>\n</dl>", page.text)
        assert shown is not None
        with client.application.test_request_context(headers=reader):
            assert unescape(shown[1]) == message_for_log(error)
        assert language == "en" or str(error.reason) not in unescape(shown[1])
        assert "%(" not in shown[1]


class OwnNames(Language):
    """A language with its own names of games."""

    def word(self, kind: str, word: str) -> str:
        return f"<{word}>" if kind == "game" else word


@pytest.mark.parametrize(
    ("facts", "named"),
    [
        ({"game": "picchetto"}, "The game “<Picchetto>” has a fault"),
        ({"game": "Picchetto"}, "The game “<Picchetto>” has a fault"),
        ({"games": "Picchetto, bridge"}, "another game: <Picchetto>, bridge."),
    ],
)
def test_games_have_their_names_in_the_language(facts: dict[str, str], named: str) -> None:
    why = "game_failed" if "game" in facts else "of_another_game"
    error = UnusableError(Cause("as programs read it", why, **facts))
    with client_of().application.test_request_context(), speaking(OwnNames()):
        assert named in message_for_log(error)


def test_error_that_no_tap_causes_keeps_its_own_message() -> None:
    assert words_of(UnusableError("no such thing")) == "no such thing"
