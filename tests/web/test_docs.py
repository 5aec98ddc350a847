"""``/api/docs``: the OpenAPI document as a page."""

from flask.testing import FlaskClient

from tests.web.pages import page_of


def test_every_call_every_schema_and_every_member_is_printed(client: FlaskClient) -> None:
    spec = client.get("/api/openapi.json").get_json()
    text = page_of(client.get("/api/docs")).words
    for path, calls in spec["paths"].items():
        for method, call in calls.items():
            if method != "parameters":
                assert f"{method.upper()} {path} {call['summary']}" in text
    for name, schema in spec["components"]["schemas"].items():
        assert f" {name} " in text
        for member, described in schema["properties"].items():
            assert f"{member} " in text
            assert described["description"] in text


def test_the_document_is_linked(client: FlaskClient) -> None:
    links = [a["href"] for a in page_of(client.get("/api/docs")).all("a")]
    assert "/api/openapi.json" in links


def test_the_shorter_address_leads_there(client: FlaskClient) -> None:
    assert client.get("/api").headers["Location"] == "/api/docs"
