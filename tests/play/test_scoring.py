"""Score lines, findings, and texts in the reader's language."""

import pytest

from scorekeeper.cards.packs import FOOL, Card
from scorekeeper.play.scoring import (
    SEVERITY,
    Check,
    Finding,
    Observation,
    ScoreLine,
    Severity,
    Text,
    Word,
    add_up,
    run_checks,
)
from tests.play.plain import PACK, hand


def test_score_of_a_side_is_the_sum_of_its_lines() -> None:
    lines = [
        ScoreLine(side, n, "X1", Text(""), (1,)) for side, n in (("a", 3), ("b", 1), ("a", -5))
    ]
    assert add_up(lines, "abc") == {"a": -2, "b": 1, "c": 0}
    assert add_up([], "ab") == {"a": 0, "b": 0}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (Text("{player} played {card}", player="Ada", card=Card.parse("KS")), "Ada played K♠"),
        (Text("{cards}", cards=(Card.parse("7C"), FOOL)), "7♣, the Fool"),
        (Text("Three {rank}s", rank=Word("ranks", "K")), "Three kings"),
        (Text("{what}; {n}", what=Text("so {n}", n=1), n=2), "so 1; 2"),
        (Text("{player}", player="{card}"), "{card}"),  # what players wrote is no template
    ],
)
def test_text_is_filled_with_its_facts(text: Text, expected: str) -> None:
    assert text.say(PACK.show) == expected


def test_texts_are_equal_by_template_and_facts() -> None:
    assert Text("{n}", n=1) == Text("{n}", n=1)
    assert Text("{n}", n=1) != Text("{n}", n=2)
    assert Text("1") != "1"
    assert repr(Text("{n} cards", n=1)) == "Text('1 cards')"


def test_severity_of_a_finding_follows_its_code() -> None:
    assert Finding("revoke", "X1", Text("")).severity is Severity.ERROR
    assert Finding("incomplete", "X1", Text("")).severity is Severity.WARNING
    assert Finding("not_recorded", "X1", Text("")).severity is Severity.INFO
    with pytest.raises(KeyError):
        Finding("no_such_code", "X1", Text(""))
    assert set(SEVERITY.values()) == set(Severity)


def test_every_check_runs_independently_of_the_others() -> None:
    two_findings = Check(
        "revoke", "X1", lambda deal: [Observation((1,), Text("")), Observation((2,), Text(""))]
    )
    no_finding = Check("revoke", "X2", lambda deal: [])
    too_many = Check("too_many", "X3", lambda deal: [Observation((deal.tricks.due,), Text(""))])
    observed = [
        (check.rule, sight.events)
        for check, sight in run_checks((two_findings, no_finding, too_many), hand("a!"))
    ]
    assert observed == [("X1", (1,)), ("X1", (2,)), ("X3", (2,))]
