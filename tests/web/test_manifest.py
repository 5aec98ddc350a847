"""The manifest of the app, and its icons."""

import struct

from flask.testing import FlaskClient

from tests.web.pages import page_of


def test_every_page_names_the_manifest(client: FlaskClient) -> None:
    links = {link["rel"]: link["href"] for link in page_of(client.get("/")).all("link")}
    assert links["manifest"] == "/manifest.webmanifest"
    assert client.get(links["apple-touch-icon"], buffered=True).mimetype == "image/png"


def test_content_of_the_manifest(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    body = answer.get_json(force=True)
    assert answer.mimetype == "application/manifest+json"
    assert (body["start_url"], body["scope"], body["display"]) == ("/", "/", "standalone")
    assert {icon["purpose"] for icon in body["icons"]} == {"any", "maskable"}


def test_the_drawings_are_of_the_sizes_that_it_says(client: FlaskClient) -> None:
    for icon in client.get("/manifest.webmanifest").get_json(force=True)["icons"]:
        answer = client.get(icon["src"], buffered=True)
        assert (answer.status_code, answer.mimetype) == (200, icon["type"])
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", answer.data[16:24])
            assert icon["sizes"] == f"{width}x{height}"
