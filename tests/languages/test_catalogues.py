"""Translation outside of pages: texts, plurals, words, and reasons with notes."""

import pytest

from scorekeeper.base.language import ENGLISH, speaking
from scorekeeper.languages.catalogues import LANGUAGES, REASON, get_language, gettext, ngettext
from scorekeeper.web.wording.dispute_reasons import OFFERED


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", "Match 3"), ("it", "Partita 3"), ("fr", "Partie 3"), ("xx", "Match 3")],
)
def test_text_is_translated_with_its_facts(language: str, expected: str) -> None:
    with speaking(get_language(language)):
        assert gettext("Match %(number)s", number=3) == expected
    assert gettext("Match %(number)s", number=3) == "Match 3"


@pytest.mark.parametrize(
    ("language", "expected"),
    [("en", ["0 hands", "1 hand", "2 hands"]), ("it", ["0 mani", "1 mano", "2 mani"]),
     ("fr", ["0 donne", "1 donne", "2 donnes"])],
)  # fmt: skip
def test_plural_follows_the_rule_of_the_language(language: str, expected: list[str]) -> None:
    with speaking(get_language(language)):
        texts = [
            ngettext("Still open after %(num)d hand", "Still open after %(num)d hands", number)
            for number in range(3)
        ]
    assert all(text.endswith(end) for text, end in zip(texts, expected, strict=True)), texts


@pytest.mark.parametrize("reason", OFFERED)
def test_offered_reason_is_translated_and_its_note_is_not(reason: str) -> None:
    french = get_language("fr")
    assert french.word(REASON, reason) != reason
    translated = french.word(REASON, f"{reason}: my ace: it was")
    assert translated == f"{french.word(REASON, reason)}\N{NO-BREAK SPACE}: my ace: it was"
    for language in (ENGLISH, get_language("en")):
        assert language.word(REASON, f"{reason}: my ace") == f"{reason}: my ace"


@pytest.mark.parametrize("typed", ["my ace", "Leo: my ace", ": Wrong score", "", "7"])
def test_typed_reason_is_not_translated(typed: str) -> None:
    assert {get_language(code).word(REASON, typed) for code in LANGUAGES} == {typed}
