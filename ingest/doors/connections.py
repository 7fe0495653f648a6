"""How many connections a door takes, in all and from one address, and who goes when it is full."""

import asyncio
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any, Protocol, TypeAlias

Network: TypeAlias = IPv4Network | IPv6Network
Address: TypeAlias = IPv4Address | IPv6Address

GRACE = 2.0
"""Seconds that a connection may take to begin, also where the door is full."""
_HERE = IPv4Address("127.0.0.1")
"""Stands for a peer without an address, such as one on a Unix socket."""


@dataclass(frozen=True)
class ConnectionLimits:
    """The most connections of one door at one time.

    What is ``trusted`` has as many places of its own, and no limit an address: strangers cannot
    take a relay's places. Programs on this machine and in private networks often share an address,
    a relay's or a bridge's, so that such an address may have three quarters of the places.
    """

    most: int
    each: int = 10
    """From one address; an IPv6 address counts as its /64."""
    trusted: Sequence[Network] = ()
    grace: float = GRACE

    def trusts(self, address: Address) -> bool:
        return any(address in network for network in self.trusted)

    def most_from(self, address: Address) -> int:
        return max(self.each, self.most * 3 // 4) if address.is_private else self.each


class Connection(Protocol):
    """A connection, as the door that counts it sees it."""

    @property
    def idle_since(self) -> float | None:
        """Since when (on the loop's clock) it might have begun something; None: it has."""
        ...

    def send_away(self) -> None:
        """Close it, with a word, as another needs its place."""
        ...


@dataclass
class ConnectionPlaces:
    """The places of one door. Where there is none left, whoever idles longest loses theirs."""

    limits: ConnectionLimits
    _strangers: dict[Connection, Network] = field(default_factory=dict)
    _trusted: dict[Connection, Network] = field(default_factory=dict)

    def take(self, connection: Connection, transport: asyncio.BaseTransport) -> str:
        """Take a place for it; return why there is none, in plain words, or an empty text."""
        address = peer_of(transport)
        network = counted_as(address)
        if self.limits.trusts(address):
            taken, crowd = self._trusted, None
        else:
            taken = self._strangers
            from_there = sum(other == network for other in taken.values())
            crowd = network if from_there >= self.limits.most_from(address) else None
        if crowd is not None and not self._make_room(taken, crowd):
            return "Too many connections from your address, please try again later"
        if len(taken) >= self.limits.most and not self._make_room(taken):
            return "Too many connections, please try again later"
        taken[connection] = network
        return ""

    def leave(self, connection: Connection) -> None:
        """Give up its place, if it has one."""
        self._strangers.pop(connection, None)
        self._trusted.pop(connection, None)

    def __contains__(self, connection: object) -> bool:
        return connection in self._strangers or connection in self._trusted

    def _make_room(self, taken: dict[Connection, Network], crowd: Network | None = None) -> bool:
        """Send away one that idles: of the network with the most, the one that does so longest."""
        before = asyncio.get_running_loop().time() - self.limits.grace
        many = Counter(taken.values())
        idle = [
            (many[network], -since, connection)
            for connection, network in taken.items()
            if crowd in (None, network)
            and (since := connection.idle_since) is not None
            and since <= before
        ]
        if not idle:
            return False
        _, _, goes = max(idle, key=lambda one: one[:2])
        self.leave(goes)
        goes.send_away()
        return True


def peer_of(transport: asyncio.BaseTransport) -> Address:
    """Return the address at the other end."""
    peer: Any = transport.get_extra_info("peername")
    try:
        address = ip_address(str(peer[0]).partition("%")[0]) if peer else _HERE
    except ValueError:
        return _HERE
    if isinstance(address, IPv6Address) and address.ipv4_mapped is not None:
        return address.ipv4_mapped
    return address


def counted_as(address: Address) -> Network:
    """Return the network whose connections count as one's: of IPv6 what one customer is given."""
    return ip_network((address, 64 if address.version == 6 else 32), strict=False)  # noqa: PLR2004


def networks(given: str) -> tuple[Network, ...]:
    """Read addresses and networks, separated by commas. Raises ``ValueError`` for a wrong one."""
    return tuple(ip_network(one.strip()) for one in given.split(",") if one.strip())
