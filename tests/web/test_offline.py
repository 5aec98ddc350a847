"""The service worker, with which a phone opens its last table without a network."""

from flask.testing import FlaskClient

from tests.web.pages import STATIC


def test_the_worker_is_served_at_the_root_and_never_kept(client: FlaskClient) -> None:
    answer = client.get("/sw.js", buffered=True)
    assert answer.status_code == 200
    assert answer.mimetype == "text/javascript"
    assert answer.headers["Cache-Control"] == "no-cache"
    assert answer.data == (STATIC / "sw.js").read_bytes()


def test_a_worker_that_is_known_is_not_sent_again(client: FlaskClient) -> None:
    mark = client.get("/sw.js", buffered=True).headers["ETag"]
    again = client.get("/sw.js", headers={"If-None-Match": mark}, buffered=True)
    assert again.status_code == 304
