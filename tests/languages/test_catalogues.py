"""What is looked up outside of pages: texts, numbers of things, words, reasons with their notes."""

import pytest

from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.languages.catalogues import LANGUAGES, REASON, gettext, in_language, ngettext
from scorekeeper.web.wording.dispute_reasons import OFFERED


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Match 3"), ("it", "Partita 3"), ("fr", "Partie 3"), ("xx", "Match 3")],
)
def test_a_text_is_said_with_its_facts(language: str, said: str) -> None:
    with speaking(in_language(language)):
        assert gettext("Match %(number)s", number=3) == said
    assert gettext("Match %(number)s", number=3) == "Match 3"


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", ["0 hands", "1 hand", "2 hands"]), ("it", ["0 mani", "1 mano", "2 mani"]),
     ("fr", ["0 donne", "1 donne", "2 donnes"])],
)  # fmt: skip
def test_things_are_counted_as_the_language_does(language: str, said: list[str]) -> None:
    with speaking(in_language(language)):
        told = [
            ngettext("Still open after %(num)d hand", "Still open after %(num)d hands", many)
            for many in range(3)
        ]
    assert all(one.endswith(end) for one, end in zip(told, said, strict=True)), told


@pytest.mark.parametrize("reason", OFFERED)
def test_a_reason_that_was_offered_is_translated_and_its_note_is_not(reason: str) -> None:
    french = in_language("fr")
    assert french.word(REASON, reason) != reason
    said = french.word(REASON, f"{reason}: my ace: it was")
    assert said == f"{french.word(REASON, reason)}\N{NO-BREAK SPACE}: my ace: it was"
    for language in (ENGLISH, in_language("en")):
        assert language.word(REASON, f"{reason}: my ace") == f"{reason}: my ace"


@pytest.mark.parametrize("typed", ["my ace", "Leo: my ace", ": Wrong score", "", "7"])
def test_what_somebody_typed_stays_as_it_is(typed: str) -> None:
    assert {in_language(one).word(REASON, typed) for one in LANGUAGES} == {typed}
