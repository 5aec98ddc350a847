"""The address under which other devices reach this machine, and recognition of its names."""

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from scorekeeper.config import HERE, Settings

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # phones at the table use the local network
DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def public_address(settings: Settings) -> str:
    """Return the URL of the service for other devices: the setting, or that of this machine.

    Without the setting, only this machine can use the URL if the service listens only to it, or if
    there is no network.
    """
    return (
        settings.public_url
        or f"http://{bracket_ipv6(reachable_host(settings.host))}:{settings.port}"
    )


def bracket_ipv6(host: str) -> str:
    """Return a host as it is written in a URL: an IPv6 address has brackets."""
    return f"[{host}]" if ":" in host else host


def reachable_host(host: str) -> str:
    """Return the host under which other devices reach a server that listens on ``host``.

    The address is that of the default route. Connecting a UDP socket sends no packet.
    """
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


def is_this_machine(host: str, scheme: str, local_address: str, port: str) -> bool:
    """Return whether the Host header of a request names this machine.

    ``local_address`` and ``port`` are the local end of its connection. An IP address must be that
    address; a name must be the host name of the machine, with or without ``.local``.
    """
    try:
        parts = urlsplit(f"//{host}")
        name, host_port = parts.hostname or "", parts.port or DEFAULT_PORTS[scheme]
    except ValueError:
        return False
    if str(host_port) != port or parts.netloc != host or "@" in host:
        return False
    if name == "localhost":
        return bracket_ipv6(normalized(local_address)) in HERE
    own_name = socket.gethostname().lower()
    if name in (own_name, f"{own_name}.local"):
        return True
    return normalized(name) == normalized(local_address)


def normalized(host: str) -> str:
    """Return an IP address in its normal form, IPv4 also if mapped into IPv6; else the host."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(getattr(address, "ipv4_mapped", None) or address)
