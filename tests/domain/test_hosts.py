"""Which hosts are public is told by how they are written, in every notation."""

import pytest

from assistant.domain.hosts import is_public


@pytest.mark.parametrize(
    "host",
    [
        "example.org", "EXAMPLE.org.", "a-b.example.co.uk", "bücher.example",
        "xn--bcher-kva.example", "1.1.1.1", "2606:4700:4700::1111", "[2606:4700:4700::1111]",
        "::ffff:1.1.1.1", "1a.2b",
    ],
)  # fmt: skip
def test_a_public_host(host: str) -> None:
    assert is_public(host)


@pytest.mark.parametrize(
    "host",
    [
        "", ".", "localhost", "localhost.", "LOCALHOST", "nas", "printer.local", "a.internal",
        "router.lan", "x.localhost", "127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1",
        "0177.0.0.1", "0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254",
        "100.64.0.1", "224.0.0.1", "255.255.255.255", "::", "::1", "[::1]", "fe80::1", "fc00::1",
        "::ffff:127.0.0.1", "::ffff:10.0.0.1", "2002:7f00:1::", "ff02::1", "example.org:80",
        "a@example.org", "exam ple.org", "example.org/", "a..b", "1.2.3.4.5", "example.0x1",
        "metadata.google.internal", "1.0.0.127.in-addr.arpa",
    ],
)  # fmt: skip
def test_what_is_no_public_host(host: str) -> None:
    assert not is_public(host)
