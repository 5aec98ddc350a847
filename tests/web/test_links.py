"""Links for other phones use the configured address, not the host of a request."""

import re
from socket import gethostname
from typing import Any, Final

import pytest
import segno

from scorekeeper.operation.reach import is_this_machine
from scorekeeper.web.phone.links import draw_qr_code
from tests.api.asking import Table, client_of
from tests.web.looking import cookie
from tests.web.pages import page_of

MINE: Final = "192.0.2.7"  # at which the service listens
CONFIGURED: Final = f"http://{MINE}:8000"
NAME: Final = gethostname().lower()

FORGED: Final = (
    "evil.example", "evil.example:8000", f"{MINE}:80", f"{MINE}:8001", MINE, "192.0.2.8:8000",
    f"{MINE}.evil.example:8000", f"{NAME}.evil.example:8000", f"evil{NAME}:8000", f"{NAME}:8001",
    "localhost:8000", "127.0.0.1:8000", "[::1]:8000", f"x@{MINE}:8000", f"{MINE}:8000/x",
    f"{MINE}:8000@evil.example", f"{MINE}:99999", f"{MINE}:x", "[", "[192.0.2.7]:8000", "",
)  # fmt: skip
HONEST: Final = (f"{MINE}:8000", f"{NAME}:8000", f"{NAME}.local:8000", f"{NAME.upper()}:8000")


def link(table: Table, host: str, **more: Any) -> str:
    """Return the origin of the link that the host makes for another phone."""
    environ = {"SERVER_NAME": MINE, "SERVER_PORT": "8000", "HTTP_HOST": host, **more}
    answer = table.client.post(
        f"/t/{table.id}/settings/link",
        data={"for": "view"},
        headers={**cookie(table, "host"), "Sec-Fetch-Site": "same-origin"},
        environ_overrides=environ,
    )
    assert answer.status_code == 200, answer.text
    (address,) = {a["href"] for a in page_of(answer).all("a") if "/join/" in a["href"]}
    return address.partition("/join/")[0]


@pytest.fixture(scope="module")
def table() -> Table:
    return Table.open(client_of(host=MINE))


@pytest.mark.parametrize("host", FORGED)
def test_a_name_that_is_not_ours_is_in_no_link(table: Table, host: str) -> None:
    assert link(table, host) == CONFIGURED


@pytest.mark.parametrize("host", HONEST)
def test_host_name_of_this_machine_is_used_in_links(table: Table, host: str) -> None:
    assert link(table, host).lower() == f"http://{host}".lower()


def test_proxy_headers_are_ignored_without_a_proxy(table: Table) -> None:
    headers = {f"HTTP_X_FORWARDED_{name}": "evil.example" for name in ("HOST", "SERVER", "PROTO")}
    assert link(table, f"{MINE}:8000", **headers) == CONFIGURED


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"proxies": 1}, CONFIGURED),
        ({"proxies": 1, "public_url": "http://scores.example"}, "http://scores.example"),
        ({"proxies": 1, "trusted_hosts": ("b.example",)}, "http://b.example"),
    ],
)
def test_host_behind_a_proxy_must_be_configured(settings: dict[str, Any], expected: str) -> None:
    table = Table.open(client_of(host=MINE, **settings))
    assert link(table, "a.example", HTTP_X_FORWARDED_HOST="b.example") == expected


def test_a_trusted_name_is_in_links_and_another_is_not_answered() -> None:
    table = Table.open(client_of(host=MINE, trusted_hosts=("scores.example",)))
    assert link(table, "scores.example") == "http://scores.example"
    answer = table.client.get("/", headers={"Host": "evil.example"})
    assert answer.status_code == 400


def test_the_public_address_goes_before_all() -> None:
    table = Table.open(client_of(host=MINE, public_url="http://scores.example"))
    for host in (*FORGED, *HONEST):
        assert link(table, host) == "http://scores.example"


@pytest.mark.parametrize("path", ["/", "//", "//rules//riparto", "/rules/", "/api/docs/", "/api/",
                                  "//evil.example/rules", "/t//x", "/docs", "/table"])  # fmt: skip
def test_redirections_do_not_use_the_requested_host(table: Table, path: str) -> None:
    for host in ("evil.example", "EVIL.example:80", "evil.example:8080", "localhost@evil.example"):
        answer = table.client.get(path, headers={"Host": host})
        where = answer.headers.get("Location", "/")
        assert "evil" not in where.lower() or "evil" in path
        assert re.match("/(?!/)|/$", where)


@pytest.mark.parametrize(
    ("address", "came_to"),
    [
        ("192.168.1.7:8000", "::ffff:192.168.1.7"),
        ("[fd00::7]:8000", "fd00::7"),
        ("[FD00:0::7]:8000", "fd00::7"),
        ("localhost:8000", "127.0.0.1"),
        ("localhost:8000", "::1"),
    ],
)
def test_an_address_is_the_same_in_any_form(address: str, came_to: str) -> None:
    assert is_this_machine(address, "http", came_to, "8000")
    assert not is_this_machine(address, "http", "192.168.1.9", "8000")


def test_a_code_is_drawn_by_the_mask_that_cameras_read_best(
    one_mask: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other tests draw with the first of the eight masks, which is faster."""
    text = f"{CONFIGURED}/join/234"
    quick = draw_qr_code(text)
    monkeypatch.setattr(segno, "make", one_mask)
    assert draw_qr_code(text) != quick
    assert one_mask(text, error="m", micro=False).mask != 0
