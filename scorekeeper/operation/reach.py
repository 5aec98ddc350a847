"""Where others find this machine: the address that is told to them, and what leads here."""

import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from scorekeeper.config import HERE, Settings

EVERYWHERE: Final = ("0.0.0.0", "::")  # noqa: S104  # phones at the table come over the network
PORTS: Final = {"http": 80, "https": 443}


def public_address(settings: Settings) -> str:
    """The address that is told to others: the public one, or that of this machine."""
    return settings.public_url or f"http://{bracketed(reachable(settings.host))}:{settings.port}"


def bracketed(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


def reachable(host: str) -> str:
    """The host under which others find who listens on it; nothing is sent to find it out."""
    if host not in EVERYWHERE:
        return host
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("10.255.255.255", 9))
        except OSError:
            return "127.0.0.1"
        address: str = probe.getsockname()[0]
        return address


def leads_here(said: str, scheme: str, came_to: str, port: str) -> bool:
    """Whether a host, as a request says it, is this machine, to whose address and port it came.

    An address is, if it is the one that the connection came to; a name, if the machine calls
    itself so, alone or in the network at home.
    """
    try:
        parts = urlsplit(f"//{said}")
        name, at = parts.hostname or "", parts.port or PORTS[scheme]
    except ValueError:
        return False
    if str(at) != port or parts.netloc != said or "@" in said:
        return False
    if name == "localhost":
        return bracketed(plain(came_to)) in HERE
    mine = socket.gethostname().lower()
    return plain(name) == plain(came_to) or name in (mine, f"{mine}.local")


def plain(host: str) -> str:
    """A host; an address in one form, that of IPv4 also where it is written in one of IPv6."""
    try:
        address = ip_address(host)
    except ValueError:
        return host
    return str(getattr(address, "ipv4_mapped", None) or address)
