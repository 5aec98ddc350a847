"""All spellings of a client's address by a proxy count as one address."""

import pytest

from scorekeeper.http.client import address_of, client_address
from tests.api.asking import client_of, created

SAME = {
    "192.0.2.7": ["192.0.2.7", "192.0.2.7:1", "192.0.2.7:65535", " 192.0.2.7 ",
                  "::ffff:192.0.2.7", "[::ffff:192.0.2.7]:443", "[192.0.2.7]:80"],
    "2001:db8:0:7::/64": ["2001:db8:0:7::1", "[2001:db8:0:7::1]", "[2001:DB8:0:7::1]:99",
                          "2001:0db8:0000:0007:ffff:ffff:ffff:ffff", "2001:db8:0:7:1:2:3:4"],
    "2001:db8:0:8::/64": ["2001:db8:0:8::1"],
    "::/64": ["::1", "[::1]:99"],
    "fe80::/64": ["fe80::1%eth0", "[fe80::2%eth0]:5"],
    "": ["", "unknown", "_hidden", "192.0.2.700", "192.0.2.7:", "192.0.2.7:x", "[::1", "::1]:9",
         "a" * 10**6, "[" * 10**6, "\x00", "é", "192.0.2.7, 192.0.2.8"],
}  # fmt: skip


@pytest.mark.parametrize(("address", "written"), SAME.items())
def test_all_spellings_are_one_address(address: str, written: list[str]) -> None:
    assert {address_of(each) for each in written} == {address}


def test_limits_count_by_address() -> None:
    """A thousand addresses of one network, or ports of one address, share the limit on guesses."""
    for written in ("[2001:db8::{}]:99", "192.0.2.7:{}"):
        client = client_of(proxies=1, failed_keys_an_hour=5)
        statuses = [
            client.get(f"/join/guess{n}", headers={"X-Forwarded-For": written.format(n)})
            for n in range(1, 11)
        ]
        assert [status.status_code for status in statuses] == [401] * 5 + [429] * 5


def test_other_addresses_have_their_own_limits() -> None:
    client = client_of(proxies=1, failed_keys_an_hour=1)
    for written in ("192.0.2.7", "192.0.2.8", "2001:db8:0:1::1", "2001:db8:0:2::1"):
        answer = client.get("/join/guess", headers={"X-Forwarded-For": written})
        assert answer.status_code == 401


def test_forwarded_address_is_ignored_without_a_proxy() -> None:
    app = created()
    with app.test_request_context(headers={"X-Forwarded-For": "192.0.2.7"},
                                  environ_base={"REMOTE_ADDR": "198.51.100.1"}):  # fmt: skip
        assert client_address() == "198.51.100.1"
