"""winmail.dat and opaque signed messages, opened."""

import struct
from datetime import UTC, datetime, timedelta
from time import process_time

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, pkcs7
from cryptography.x509.oid import NameOID
from hypothesis import given
from hypothesis import strategies as st

from ingest.extract.extracted import NotReadableError
from ingest.extract.kinds import kind_of
from ingest.extract.smime import open_signed
from ingest.extract.tnef import Opened, open_tnef, unpack_rtf
from tests.ingest.extract import samples
from tests.ingest.extract.samples import attribute, properties, tnef

MESSAGE = b"Content-Type: text/plain\r\n\r\nPay 99 EUR.\r\n"


def signed(*options: pkcs7.PKCS7Options) -> bytes:
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "ada")])
    now = datetime(2026, 11, 1, tzinfo=UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + timedelta(days=9))
    ).sign(key, hashes.SHA256())
    builder = pkcs7.PKCS7SignatureBuilder().set_data(MESSAGE)
    return builder.add_signer(certificate, key, hashes.SHA256()).sign(Encoding.DER, list(options))


def in_pieces(message: bytes) -> bytes:
    """Signed data as programs write it that do not know its length beforehand (BER)."""
    pieces = b"".join(
        b"\x04" + bytes([len(message[n : n + 20])]) + message[n : n + 20]
        for n in range(0, len(message), 20)
    )
    content = b"\xa0\x80\x24\x80" + pieces + b"\0\0\0\0"
    inner = b"\x30\x80\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x01" + content + b"\0\0"
    data = b"\x30\x80\x02\x01\x01\x31\0" + inner + b"\x31\0" + b"\0\0"
    oid = b"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x07\x02"
    return b"\x30\x80" + oid + b"\xa0\x80" + data + b"\0\0\0\0"


def test_a_signed_message_is_opened() -> None:
    data = signed(pkcs7.PKCS7Options.Binary)
    assert kind_of(data, "application/pkcs7-mime", "smime.p7m").said == "signed message (S/MIME)"
    assert open_signed(data) == MESSAGE


def test_a_signed_message_in_pieces_is_opened() -> None:
    assert open_signed(in_pieces(MESSAGE)) == MESSAGE


def test_a_signature_alone_says_so() -> None:
    with pytest.raises(NotReadableError, match="a signature alone"):
        open_signed(signed(pkcs7.PKCS7Options.DetachedSignature))


@given(st.binary(max_size=200), st.integers(0), st.binary(min_size=1, max_size=8))
def test_a_broken_signed_message_raises_nothing_else(data: bytes, at: int, damage: bytes) -> None:
    whole = in_pieces(MESSAGE)
    at %= len(whole)
    for hostile in (data, b"0\x80" + data, whole[:at] + damage + whole[at + len(damage) :]):
        try:
            open_signed(hostile)
        except NotReadableError:
            continue


def test_nested_elements_without_a_length_take_little_time() -> None:
    began = process_time()
    with pytest.raises(NotReadableError):
        open_signed(b"0\x80" * 500_000)
    assert process_time() - began < 2


def test_a_winmail_is_opened() -> None:
    found = open_tnef(samples.winmail())
    assert found.text == "Grüße\nAda"
    assert found.html == b"<p>Gr\xfc\xdfe</p>"
    assert [(part.name, part.type) for part in found.parts] == [
        ("report 2026.pdf", "application/pdf")
    ]
    assert found.parts[0].data == samples.pdf("in winmail")
    assert found.defects == ()


def test_a_winmail_that_ends_too_early_shows_what_is_there() -> None:
    found = open_tnef(samples.winmail()[:-300])
    assert found.text == "Grüße\nAda"
    assert found.defects == ("the winmail.dat ends too early",)


def test_compressed_rich_text_is_unpacked() -> None:
    # The example of MS-OXRTFCP section 4.1.1.
    packed = bytes.fromhex(
        "2d0000002b0000004c5a4675f1c5c7a703000a00726370673132354232"
        "0af32068656c090020627705b06c647d0a800fa0"
    )
    assert unpack_rtf(packed) == b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n"


def test_numbers_that_a_winmail_names_are_not_counted_to() -> None:
    many = struct.pack("<I", 0xFFFFFFFF)
    hostile = [
        tnef(attribute(0x69003, many + b"\x03\x10\x01\0" + many)),
        tnef(attribute(0x69003, many + b"\x1e\0\x01\0" + many + b"\0\0\0\0" * 50_000)),
        tnef(attribute(0x69003, many)),
        tnef(*[attribute(0x69002, b"")] * 200_000),
        tnef(
            attribute(0x69003, properties((0x102, 0x1009, b"\0" * 4 + many + b"LZFu" + b"x" * 9)))
        ),
    ]
    began = process_time()
    for data in hostile:
        assert open_tnef(data).parts == ()
    assert process_time() - began < 5


def test_many_attachments_of_a_winmail_are_shown_in_part() -> None:
    part = attribute(0x69002, b"", 2) + attribute(0x6800F, b"data", 2)
    found = open_tnef(tnef(*[part] * 150))
    assert len(found.parts) == 100
    assert found.defects == ("only 100 of its 150 attachments are shown",)


@given(st.integers(0), st.binary(min_size=1, max_size=12))
def test_a_broken_winmail_raises_nothing_else(at: int, damage: bytes) -> None:
    whole = samples.winmail()
    at %= len(whole)
    try:
        assert isinstance(open_tnef(whole[:at] + damage + whole[at + len(damage) :]), Opened)
    except NotReadableError:
        assert at < 6
