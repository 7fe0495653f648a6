"""Bytes are read by what their mail names, or it is said by what else."""

from time import thread_time

import pytest

from ingest.mime.charsets import decode
from ingest.mime.labels import charset_of
from tests.ingest.charset_samples import FRENCH


@pytest.mark.parametrize(
    ("label", "name"),
    [
        ("ISO-8859-1", "windows-1252"),
        ("latin1", "windows-1252"),
        ("iso8859_1", "windows-1252"),
        ("iso-8859-9", "windows-1254"),
        ("gb2312", "gb18030"),
        ("GB_2312-80", "gb18030"),
        ("cp936", "gb18030"),
        ("ks_c_5601-1987", "euc-kr"),
        ("x-sjis", "shift_jis"),
        ("windows-31j", "shift_jis"),
        ("utf8", "utf-8"),
        ("utf_8", "utf-8"),
        ('"utf-8"', "utf-8"),
        ("utf-8*en", "utf-8"),
        ("cp-1251", "windows-1251"),
        ("win-1251", "windows-1251"),
        ("windows_1252", "windows-1252"),
        ("ibm850", "cp850"),
        ("cp50221", "iso-2022-jp"),
        ("unicode-1-1-utf-7", "utf-7"),
        ("x-mac-ce", "x-mac-ce"),
        ("hz", "hz-gb-2312"),
    ],
)
def test_a_label_means_what_it_means_to_browsers_and_in_mail(label: str, name: str) -> None:
    found = charset_of(label)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "label",
    [None, "", "x-unknown", "default", "zlib", "rot13", "idna", "punycode", "unicode_escape",
     "hex", "undefined", "mbcs", "base64", "iso-2022-cn", "ütf-8", "a" * 100, "os"],
)  # fmt: skip
def test_what_is_no_character_set_is_unknown(label: str) -> None:
    assert charset_of(label) is None


@pytest.mark.parametrize(
    ("data", "label", "text", "charset"),
    [
        (b"\xef\xbb\xbfGr\xc3\xbcn", "iso-8859-1", "Grün", "utf-8"),
        ("\ufeffGrün".encode("utf-16-le"), "utf-8", "Grün", "utf-16le"),
        ("\ufeffGrün".encode("utf-32-be"), None, "Grün", "utf-32be"),
        (b"\xff\xfe\x00", "iso-8859-1", "ÿþ\0", "windows-1252"),
    ],
)
def test_a_byte_order_mark_is_believed(data: bytes, label: str, text: str, charset: str) -> None:
    assert decode(data, label)[:2] == (text, charset)


HTML = b'<html><head><meta http-equiv="Content-Type" content="text/html; charset=koi8-r"></head>'
RUSSIAN = "Съешь же ещё"


@pytest.mark.parametrize("label", [None, "x-unknown", "us-ascii"])
def test_html_without_a_valid_label_is_read_by_its_meta_element(label: str) -> None:
    found = decode(HTML + RUSSIAN.encode("koi8-r"), label, html=True)
    assert found.text.endswith(RUSSIAN)
    assert found.charset == "koi8-r"
    assert found.defects


def test_a_valid_label_is_believed_more_than_a_meta_element() -> None:
    found = decode(HTML + RUSSIAN.encode(), "utf-8", html=True)
    assert found.text.endswith(RUSSIAN)
    assert found.defects == ()


@pytest.mark.parametrize(
    ("data", "label", "said"),
    [
        (b"Gr\xfcn", "utf-8", "it is named utf-8, but its bytes look like windows-1252, and were"),
        (b"Gr\xc3\xbcn", "us-ascii", "it is named us-ascii, but its bytes look like utf-8, and"),
        (b"Gr\xc3\xbcn", None, "it names no character set, and was read as utf-8"),
        (b"Gr\xfcn", "viscii", "it names the unknown character set viscii, and was read as"),
        (b"plain", "viscii", "it names the unknown character set viscii, and was read as ASCII"),
        ("日本".encode("utf-16-be"), "utf-16", "it is named utf-16 without the order of its"),
        ("é".encode() * 20 + b"\xff", "utf-8", "1 place is not valid in utf-8, shown as \ufffd"),
        ("привет мир".encode("koi8-r") + b"\xd8\xd8", "utf-16le", "1 place is not valid"),
        ("words".encode("utf-32-le"), "us-ascii", "it holds 15 zeros, as no text does"),
        (b"\x1b$BF|K\\8l\x1b(B", "utf-8", "it is named utf-8, but its bytes look like iso-2022"),
    ],
)
def test_a_guess_or_a_replacement_is_a_defect(data: bytes, label: str, said: str) -> None:
    assert any(defect.startswith(said) for defect in decode(data, label).defects)


@pytest.mark.parametrize("label", [None, "us-ascii", "utf-8", "iso-8859-1", "unknown-8bit"])
def test_plain_ascii_has_no_defect(label: str) -> None:
    assert decode(b"plain words\r\n", label)[::2] == ("plain words\r\n", ())


@pytest.mark.parametrize(
    ("text", "label"),
    [("её", "koi8-r"), ("模板", "gbk"), ("联通", "gb2312"), ("Ålesund", "iso-8859-1")],
)
def test_a_short_text_as_named_is_not_taken_for_utf_8(text: str, label: str) -> None:
    assert decode(text.encode(label), label)[::2] == (text, ())


def test_japanese_of_windows_is_read_in_iso_2022_jp_and_euc_jp() -> None:
    text = "①㈱髙﨑日本"
    pairs = b"".join(_jis(char) for char in text)
    assert decode(b"\x1b$B" + pairs + b"\x1b(B ok", "iso-2022-jp").text == f"{text} ok"
    assert decode(bytes(byte | 0x80 for byte in pairs), "euc-jp").text == text


def _jis(char: str) -> bytes:
    """Encode as NEC's rows of JIS: 13 for signs, 89 to 92 for IBM's letters."""
    nec = {"①": b"-!", "㈱": b"-j", "髙": b"|b", "﨑": b"yu"}
    return nec.get(char) or char.encode("iso2022_jp")[3:5]


def test_no_lone_surrogate_comes_out() -> None:
    for data, label in ((b"+2AA-", "utf-7"), (b"\xd8\x00\x00a", "utf-16be")):
        found = decode(data, label)
        assert found.text.encode()
        assert found.defects


def test_a_character_set_is_detected_in_one_long_line_without_much_computing() -> None:
    data = b"a" * 3_000_000 + FRENCH.encode("latin-1")
    began = thread_time()
    found = decode(data, None)
    assert thread_time() - began < 1
    assert found.text.endswith(FRENCH)
