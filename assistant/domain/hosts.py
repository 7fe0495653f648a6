"""Names and addresses of machines, as limits compare them."""

import re
from ipaddress import IPv6Address, ip_address

_LABEL = re.compile(r"[a-z0-9_]([a-z0-9_-]*[a-z0-9_])?")
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
"""What a browser takes for the end of an IPv4 address: https://url.spec.whatwg.org/#host-parsing"""
_PRIVATE = frozenset({"localhost", "local", "internal", "lan", "home", "corp", "arpa", "onion"})
"""Last labels of names that no public name server answers for."""


def plain_host(name: str) -> str:
    """In small letters, as the name system has it (IDNA), without the root's dot."""
    small = name.strip().rstrip(".").lower()
    try:
        return small if small.isascii() else small.encode("idna").decode()
    except UnicodeError:
        return small


def is_host(host: str, entry: str) -> bool:
    """Whether an entry covers a host: ``example.org`` that one, ``*.example.org`` all below it."""
    name = plain_host(host)
    if entry.startswith("*."):
        return name.endswith(f".{plain_host(entry[2:])}")
    return name == plain_host(entry)


def is_public(host: str) -> bool:
    """Whether a name or an address can be one of the public Internet, by how it is written.

    A public name may still resolve to a private address: whoever connects checks the address.
    """
    name = plain_host(host)
    bare = name[1:-1] if name.startswith("[") and name.endswith("]") else name
    try:
        address = ip_address(bare)
    except ValueError:
        *before, last = name.split(".")
        known = all(_LABEL.fullmatch(label) for label in (*before, last))
        return known and bool(before) and last not in _PRIVATE and not _NUMBER.fullmatch(last)
    if isinstance(address, IPv6Address):
        address = address.ipv4_mapped or address.sixtofour or address
    return address.is_global and not address.is_multicast
