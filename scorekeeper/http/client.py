"""The network address of a client, by which limits are counted."""

import re
from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final

from flask import request
from werkzeug.http import parse_list_header

HOME_PREFIX_BITS: Final = 64  # of an IPv6 address: one home has all addresses with the same prefix
WIDER_PREFIX_BITS: Final = (56, 48)  # that a provider may assign to one customer

# As a proxy may write it: bare, with a port, or in brackets.
_WRITTEN: Final = re.compile(r"\[([^\[\]]{1,64})\](?::[0-9]{1,5})?|([0-9.]{7,15}):[0-9]{1,5}")


def client_address() -> str:
    """Return the normal form of the request's client address, by which limits are counted.

    With the setting `PROXIES`, it is the address that the outermost of our proxies saw. Empty if
    unknown.
    """
    return address_of(request.remote_addr or "")


@lru_cache(4096)
def address_of(written: str) -> str:
    """Return an address in its normal form, or an empty text if ``written`` is none.

    An IPv6 address is reduced to its network of 64 bits.

    >>> address_of("192.0.2.7:5678"), address_of("::ffff:192.0.2.7")
    ('192.0.2.7', '192.0.2.7')
    >>> address_of("[2001:db8::1]:99"), address_of("unknown")
    ('2001:db8::/64', '')
    """
    matched = _WRITTEN.fullmatch(written.strip())
    bare = (matched[1] or matched[2]) if matched else written.strip()
    try:
        address = ip_address(bare.partition("%")[0])  # without the name of an interface
    except ValueError:
        return ""
    return str(_counted(address))


@lru_cache(4096)
def networks_of(address: str) -> tuple[str, ...]:
    """Return the address of a client, and for IPv6 the wider networks that may be one customer's.

    >>> networks_of("2001:db8:5:678::/64")
    ('2001:db8:5:678::/64', '2001:db8:5:600::/56', '2001:db8:5::/48')
    >>> networks_of("192.0.2.7")
    ('192.0.2.7',)
    """
    if not address.endswith(f"/{HOME_PREFIX_BITS}"):
        return (address,)
    home = ip_network(address)
    return address, *(str(home.supernet(new_prefix=bits)) for bits in WIDER_PREFIX_BITS)


def forwarded_address(header: str, proxies: int) -> str:
    """Return the address in ``X-Forwarded-For`` that the outermost of our proxies has added.

    It is empty if fewer proxies than ``proxies`` have added one.

    >>> forwarded_address("10.0.0.1, 192.0.2.7, 198.51.100.1", 2)
    '192.0.2.7'
    """
    addresses = parse_list_header(header)
    return addresses[-proxies] if len(addresses) >= proxies else ""


def _counted(address: IPv4Address | IPv6Address) -> object:
    """Return an IPv4 address, also one mapped into IPv6; else the IPv6 network of one home."""
    if isinstance(address, IPv4Address):
        return address
    return address.ipv4_mapped or ip_network((address, HOME_PREFIX_BITS), strict=False)
