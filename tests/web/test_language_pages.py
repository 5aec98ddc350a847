"""Pages in the reader's language: its choice, and that no English is left on them."""

import calendar
import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from flask.testing import FlaskClient

from scorekeeper.games import GAMES
from scorekeeper.languages import catalogue_files as catalogue
from tests.api.asking import client_of, created
from tests.conftest import SOAK
from tests.thinned import thinned
from tests.web.looking import EVENINGS, LOGS, brought_in, cookie
from tests.web.marked import OPEN, Key, Marked, marked, unmarked
from tests.web.pages import EXAMPLE, STATIC, page_of, score

# Names in every language: of the product, of games, of people in the logs, of languages.
FORMATS = {"HTTP", "JSON", "JSONL", "OpenAPI", "CSV", "ICS", "PDF", "XLSX", "ZIP", "verify", "py"}
NAMES = {"Scorekeeper", "English", "Italiano", "Français", "UTC", *FORMATS}
NAMES |= set(calendar.month_name)
NAMES |= {word for game in GAMES.values() for word in re.findall(r"\w+", game.name)}
PEOPLE = re.compile(r'"(?:name|title|place|reason|text)":\s*"([^"]*)"')
PATHS = [
    "/", "/new", *(f"/new?pick={game}" for game in GAMES), "/code", "/code?code=abcdef", "/join",
    "/prefs",
    "/verify", "/score", "/score/example", "/score/mistake", "/rules", "/nothing", "/rules/bridge",
    *(f"/rules/{game}" for game in GAMES),
]  # fmt: skip
INCLUDED = {
    f"/score/{name}": (STATIC / f"{name}.jsonl").read_text("utf-8")
    for name in ("example", "mistake")
}
LEVELS = ["", "?level=totals", "?level=tricks", "?level=cards"]
IRREGULAR = [log for log in LOGS if re.search("irregular|audit|fault|out-of-turn|not-so", log.name)]
OF_A_SESSION = ["", "/log", "/h/1-1", "/audit", "/d/1-1", "/results", "/export", "/settings",
                "/settings/match", "/settings/end", "/settings/close", "/share"]  # fmt: skip


# ----------------------------------------------------------------------------- which language


@pytest.mark.parametrize(
    ("asked", "chosen", "language"),
    [
        ("it", "", "it"),
        ("fr-CH, it;q=0.8", "", "fr"),
        ("de, fr;q=0.5, it;q=0.7", "", "it"),
        ("de", "", "en"),
        ("", "", "en"),
        ("*", "", "en"),
        ("it", "prefs=lang=fr", "fr"),
        ("it", "prefs=lang=en", "en"),
        ("it", "prefs=lang=xx", "it"),
    ],
)
def test_language_is_the_chosen_or_requested_one(
    anybody: FlaskClient, asked: str, chosen: str, language: str
) -> None:
    answer = anybody.get("/", headers={"Accept-Language": asked, "Cookie": chosen})
    assert page_of(answer).all("html")[0]["lang"] == language
    assert answer.headers["Content-Language"] == language
    assert {"Accept-Language", "Cookie"} <= set(answer.vary)


@pytest.mark.parametrize(
    ("language", "words"),
    [("it", ["Ogni punto, e il suo perché", "in senso orario"]),
     ("fr", ["Chaque point, et sa raison", "dans le sens horaire"])],
)  # fmt: skip
def test_pages_and_rules_use_the_requested_language(
    client: FlaskClient, language: str, words: list[str]
) -> None:
    asked = {"Accept-Language": language}
    assert words[0] in page_of(client.get("/", headers=asked)).words
    assert words[1] in page_of(client.get("/rules/riparto", headers=asked)).words


def test_a_page_keeps_nothing_of_the_language_in_which_it_was_read_before() -> None:
    client = client_of()
    for language, wrong in (("en", "Wrong"), ("it", "Sbagliato"), ("fr", "Faux")):
        answer = client.get("/score/mistake", headers={"Accept-Language": language})
        assert f'<span class="grade">{wrong}</span>' in answer.text


def test_french_counts_none_as_one(client: FlaskClient) -> None:
    log = "".join(EXAMPLE.splitlines(keepends=True)[:1])
    answer = client.post("/score", data={"text": log}, headers={"Accept-Language": "fr"})
    assert "1 événement" in page_of(answer).words
    assert catalogue.read_catalogue("fr").plural_expr == "(n > 1)"
    assert catalogue.read_catalogue("it").plural_expr == "(n != 1)"


def test_responses_for_programs_are_english(anybody: FlaskClient) -> None:
    asked = {"Accept-Language": "it", "Content-Type": "application/x-ndjson"}
    answer = anybody.post("/api/score", data=EXAMPLE.encode(), headers=asked)
    plain = anybody.post("/api/score", data=EXAMPLE.encode(), content_type=asked["Content-Type"])
    assert answer.get_json() == plain.get_json()
    assert "Accept-Language" not in anybody.get("/api/games", headers=asked).vary


def test_cached_report_is_english_for_every_first_reader() -> None:
    table = brought_in(EXAMPLE)
    italian = {"Accept-Language": "it", **cookie(table, "host")}
    seen = table.client.get(f"/t/{table.id}/results", headers=italian)
    assert "Risultati" in seen.text
    answer = table.client.get(f"/api/sessions/{table.id}", headers=cookie(table, "host"))
    again = brought_in(EXAMPLE)
    plain = again.client.get(f"/api/sessions/{again.id}", headers=cookie(again, "host"))
    assert answer.get_json()["matches"] == plain.get_json()["matches"]


def test_texts_of_templates_use_each_readers_language() -> None:
    """The template does not keep the language of its first reader."""
    app = created()
    template = app.jinja_env.from_string('{{ "" | labelled }}')
    app.add_url_rule("/label", view_func=template.render)
    for language, answer_text in (("fr", "\N{NO-BREAK SPACE}:"), ("en", ":")):
        answer = app.test_client().get("/label", headers={"Accept-Language": language})
        assert answer.text == answer_text


# ----------------------------------------------------------------------- nothing left in English


@pytest.fixture(scope="module")
def known() -> set[Key]:
    """The texts that the catalogues translate."""
    keys: set[Key] = set()
    for message in catalogue.read_catalogue("it"):
        text = message.id[0] if isinstance(message.id, tuple) else message.id
        keys.add((message.context, str(text)))
    return keys


@pytest.fixture(scope="module")
def anybody() -> FlaskClient:
    return client_of(sessions_an_hour=1000)


def looked_at(client: FlaskClient, log: str, paths: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Return pages of the session of a log."""
    table = brought_in(log, client)
    for path in paths:
        yield path, client.get(f"/t/{table.id}{path}", headers=cookie(table, "host"))


def left_in_english(html: str, log: str) -> set[str]:
    """Return the words of a page that were not looked up, and that no player typed."""
    people = typed_words(log)
    return {name for name in unmarked(html) - NAMES - people if not shortened(name, people)}


def new_in(language: Marked, known: set[Key]) -> set[Key]:
    """Return the texts without a translation, except earlier ones and typed reasons."""
    vain = language.asked - known
    return {(kind, text) for kind, text in vain if OPEN not in text and kind != "reason"}


def typed_words(log: str) -> set[str]:
    return {word for text in PEOPLE.findall(log) for word in re.findall(r"[^\W\d_]+", text)}


def shortened(word: str, names: set[str]) -> bool:
    """Return whether a word is the beginning of a name, as in a narrow column."""
    return any(name.startswith(word) for name in names)


@pytest.mark.parametrize("path", PATHS)
def test_pages_contain_only_translated_texts(
    anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch, known: set[Key], path: str
) -> None:
    with marked(monkeypatch) as language:
        answer = anybody.get(path)
    assert "⟦" in answer.text
    data = NAMES | (typed_words(INCLUDED[path]) if path in INCLUDED else set())
    assert unmarked(answer.text) - data - {"Mara", "Leo", "bridge"} == set()
    assert new_in(language, known) == set()


def test_refusals_contain_only_translated_texts(
    anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch, known: set[Key]
) -> None:
    table = brought_in(EXAMPLE, anybody)
    other = brought_in(EXAMPLE, anybody)
    wrong = {"Authorization": f"Bearer {other.keys['host']}"}
    with marked(monkeypatch) as language:
        answers = [
            *(anybody.get(f"/t/{session_id}") for session_id in (table.id, "nowhere")),
            anybody.get(f"/t/{table.id}", headers=wrong),
            *(anybody.get(f"/join/{key}") for key in ("x", *table.keys.values())),
            anybody.get("/code?code=zzzzzz"),
            *(score(anybody, log) for log in ("", EXAMPLE.replace("riparto", "bridge"))),
            *(anybody.get(f"/t/{table.id}/h/9-{n}", headers=cookie(table, "host")) for n in "19"),
            anybody.post("/new", data={"game": "riparto"}),
            anybody.post("/t/x", data={}),
        ]
    for answer in answers:
        assert left_in_english(answer.text, EXAMPLE) - {"code", "zzzzzz"} == set(), answer.request
    assert new_in(language, known) == set()


@pytest.mark.parametrize("log", thinned(EVENINGS, 2), ids=lambda path: path.parent.name)
def test_pages_of_a_session_contain_only_translated_texts(
    anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch, known: set[Key], log: Any
) -> None:
    text = log.read_text(encoding="utf-8")
    with marked(monkeypatch) as language:
        pages = [("a sheet", score(anybody, text)), *looked_at(anybody, text, OF_A_SESSION)]
        for name, answer in pages:
            assert answer.status_code == 200, name
            assert left_in_english(answer.text, text) == set(), name
    assert new_in(language, known) == set()


@pytest.mark.parametrize("log", thinned(EVENINGS, 2), ids=lambda path: path.parent.name)
def test_table_contains_only_translated_texts_during_play(
    anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch, known: set[Key], log: Any
) -> None:
    lines = log.read_text(encoding="utf-8").splitlines(keepends=True)
    with marked(monkeypatch) as language:
        for at, end in enumerate((1, 2, *range(3, min(len(lines), 50), 7 if SOAK else 13))):
            text = "".join(lines[:end])
            levels = LEVELS if SOAK else LEVELS[at % 2 :: 2]
            for name, answer in looked_at(anybody, text, levels):
                assert answer.status_code == 200, name
                assert left_in_english(answer.text, text) == set(), (end, name)
    assert new_in(language, known) == set()


@pytest.mark.parametrize("log", IRREGULAR, ids=lambda path: path.parent.name)
def test_dispute_contains_only_translated_texts(
    anybody: FlaskClient, monkeypatch: pytest.MonkeyPatch, known: set[Key], log: Any
) -> None:
    text = log.read_text(encoding="utf-8")
    with marked(monkeypatch) as language:
        for name, answer in looked_at(anybody, text, ["/audit", "/h/1-1", "/d/1-1"]):
            assert left_in_english(answer.text, text) == set(), name
    assert new_in(language, known) == set()


def test_untranslated_text_is_detected() -> None:
    html = (
        '<html lang="en"><p>⟦Won by ⟦x⟧⟧ <bdi>Mara</bdi> in hand</p><p lang="en">as is</p>'
        '<i title="Left">⟦a⟧</i></html>'
    )
    assert unmarked(html) == {"Mara", "in", "hand", "Left"}
