"""``/guide``: the page of docs/ for players, in the reader's language, with its pictures."""

import re
from io import BytesIO
from pathlib import Path
from typing import Final

import pytest
from flask.testing import FlaskClient
from PIL import Image

from scorekeeper.languages import catalogue_files as catalogue
from scorekeeper.languages.catalogues import DEFAULT, LANGUAGES
from scorekeeper.web.reference import guide
from tests.web.pages import Page, page_of
from tools.pictures import LARGEST, OF_THE_GUIDE, OF_THE_README, SIZE, file_of

README: Final = (Path(__file__).parents[2] / "README.md").read_text("utf-8")


ADDRESS_OF: Final = {guide.PLAYERS: "/guide", guide.TOURNAMENTS: "/guide/tournaments"}
each_guide: Final = pytest.mark.parametrize("name", ADDRESS_OF)


def text_of(language: str, name: str = guide.PLAYERS) -> str:
    return guide.guide_file(language, name).read_text("utf-8")


def shown(client: FlaskClient, language: str, name: str = guide.PLAYERS) -> Page:
    return page_of(client.get(ADDRESS_OF[name], headers={"Accept-Language": language}))


@each_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_guide_is_in_the_language_of_the_reader(
    client: FlaskClient, language: str, name: str
) -> None:
    page = shown(client, language, name)
    assert page.all("html")[0]["lang"] == language
    (title,) = re.findall("^# (.+)$", text_of(language, name), re.MULTILINE)
    assert title in page.words
    kinds = ("h1", "h2", "h3", "p", "li", "img", "strong")
    parts = {tag: len(page.all(tag)) for tag in kinds}
    assert parts == {tag: len(shown(client, DEFAULT, name).all(tag)) for tag in kinds}


@each_guide
@pytest.mark.parametrize("language", LANGUAGES)
def test_names_in_the_guide_equal_those_on_the_pages(language: str, name: str) -> None:
    """Every text in bold is a button or a title, word for word."""
    called = re.findall(r"\*\*(.+?)\*\*", re.sub(r"[ \n]+", " ", text_of(language, name)))
    stored = catalogue.read_catalogue(language if language != DEFAULT else catalogue.TRANSLATED[0])
    words = {message.id if language == DEFAULT else message.string for message in stored}
    assert len(called) > 10
    assert set(called) - words == set(), "the pages have another name for it now"


@pytest.mark.parametrize("language", LANGUAGES)
def test_links_within_the_guide_lead_to_its_headings(client: FlaskClient, language: str) -> None:
    page = shown(client, language)
    anchors = [href[1:] for href in re.findall(r"\]\((#[^)]+)\)", text_of(language))]
    assert anchors
    assert set(anchors) <= {heading["id"] for heading in page.all("h2")}
    ids = [heading["id"] for kind in ("h1", "h2", "h3") for heading in page.all(kind)]
    assert len(set(ids)) == len(ids)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_picture_is_there_and_small(client: FlaskClient, language: str) -> None:
    images = shown(client, language).all("img")
    assert [image["src"] for image in images] == [
        f"/pictures/{file_of(name, language)}" for name in OF_THE_GUIDE
    ]
    for image in images:
        with client.get(image["src"]) as answer:
            assert len(answer.data) < LARGEST
            assert Image.open(BytesIO(answer.data)).size == (2 * SIZE["width"], 2 * SIZE["height"])
        assert image["alt"]


def test_every_picture_is_used() -> None:
    pictures = {file_of(name, language) for name in OF_THE_GUIDE for language in LANGUAGES}
    of_readme = [file_of(name, DEFAULT) for name in OF_THE_README]
    assert {path.name for path in (guide.FOLDER / "pictures").iterdir()} == {*pictures, *of_readme}
    assert re.findall(r"docs/pictures/([\w.-]+)", README) == of_readme


@each_guide
@pytest.mark.parametrize("language", ["it", "fr"])
def test_no_straight_apostrophe_stands_in_it(language: str, name: str) -> None:
    assert "'" not in text_of(language, name)


def test_reader_of_another_language_gets_the_english_guide(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "players.md").write_text("# Keep score\n\n<script>x</script>\n", "utf-8")
    monkeypatch.setattr(guide, "FOLDER", tmp_path)
    answer = client.get("/guide", headers={"Accept-Language": "fr"})
    assert page_of(answer).all("article")[0]["lang"] == "en"
    assert "<script>" not in answer.text
    assert "Nouvelle table" in answer.text  # what stands around it is in French


@pytest.mark.parametrize("name", ["nothing.png", "../players.md", "%2e%2e/players.md", ".."])
def test_nothing_but_pictures_is_given_away(client: FlaskClient, name: str) -> None:
    assert client.get(f"/pictures/{name}").status_code == 404


def test_the_first_page_and_the_foot_of_each_lead_to_the_guide(client: FlaskClient) -> None:
    for path, links in (("/", 2), ("/score", 1)):
        hrefs = [link["href"] for link in page_of(client.get(path)).all("a")]
        assert hrefs.count("/guide") == links
