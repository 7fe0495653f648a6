"""Header fields are decoded and taken apart, as mail programs write them."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ingest.mime.addresses import Mailbox, parse_addresses
from ingest.mime.encoded_words import decode_words
from ingest.mime.parameters import parse_parameters

# Encoded words


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (b"plain words", "plain words"),
        (b"=?utf-8?q?Gr=C3=BC=C3=9Fe?=", "Grüße"),
        (b"=?UTF-8?Q?Gr=c3=bc?= =?utf-8?b?w5/DiQ==?=", "GrüßÉ"),
        (b"=?utf-8?q?a?=\r\n =?utf-8?q?b?=\r\n\tc", "ab\tc".replace("\t", " ")),
        (b"=?utf-8?q?Gr=C3?= =?utf-8?q?=BC?=", "Grü"),
        (b"=?utf-8?b?4pw=?=\r\n =?utf-8?b?kw==?= sent", "✓ sent".replace("✓", "✓")),
        (b"=?iso-8859-1?q?=FC?= =?utf-8?q?=C3=BC?=", "üü"),
        (b"=?utf-8?q?a b c?= d", "a b c d"),
        (b"=?utf-8?q?a\r\n b?=", "a b"),
        (b"a=?utf-8?q?=C3=BC?=b", "aüb"),
        (b"=?utf-8?b?w7w?=", "ü"),
        (b"=?utf-8?q??=", ""),
        (b"=?utf-8*de?q?=C3=BC?=", "ü"),
        (b"=? utf-8 ?q?x?=", "=? utf-8 ?q?x?="),
        (b'"=?utf-8?q?=C3=BC?="', '"ü"'),
        (b"=?utf-8?q?a_b=5Fc?=", "a b_c"),
        (b"=?gb2312?b?xOPKxw==?= =?gb2312?b?y60=?=", "你是谁"),
        (b"=?gb2312?b?xOPK?= =?gb2312?b?x8ut?=", "你是谁"),
        ("Grüße".encode(), "Grüße"),
        (b"C++ - 1 = 1?", "C++ - 1 = 1?"),
    ],
)
def test_a_field_is_decoded(value: bytes, text: str) -> None:
    assert decode_words(value) == (text, ())


@pytest.mark.parametrize(
    ("value", "text", "said"),
    [
        (b"=?utf-8?q?open", "=?utf-8?q?open", "no end"),
        (b"=?utf-8?q?open =?utf-8?q?=C3=BC?=", "=?utf-8?q?open ü", "no end"),
        (b"=?foo?q?=FC?=", "ü", "unknown character set foo"),
        (b"=?utf-8?b?w7w!?=", "ü", "no base64"),
        (b"=?utf-8?b?w7wx1?=", "ü1", "left over"),
        (b"=?utf-8?q?1=2?=", "1=2", "codes nothing"),
        (b"=?utf-8?q?=FC?=", "ü", "look like windows-1252"),
        (b"Gr\xfc\xdfe", "Grüße", "read as windows-1252, which nothing names"),
        (b"\x1b$BF|K\\\x1b(B", "日本", "read as iso-2022-jp"),
        (b"zero \x00 and bell \x07", "zero   and bell", "control characters"),
    ],
)
def test_what_was_guessed_or_left_out_is_a_defect(value: bytes, text: str, said: str) -> None:
    words = decode_words(value)
    assert words.text == text
    assert said in " ".join(words.defects)


def test_raw_bytes_are_read_by_the_character_set_of_the_body() -> None:
    words = decode_words("Съешь же".encode("koi8-r"), "koi8-r")
    assert words.text == "Съешь же"
    assert words.defects == ("its raw bytes were read as koi8-r, the character set of the body",)


def test_a_line_break_in_an_encoded_word_makes_no_line() -> None:
    assert decode_words(b"=?utf-8?q?a=0D=0AFrom:_b=E2=80=A8c?=").text == "a  From: b c"


# Parameters


@pytest.mark.parametrize(
    ("value", "name", "text"),
    [
        (b"a/b; charset=utf-8", "charset", "utf-8"),
        (b'a/b; CharSet = "utf-8"; x=y', "charset", "utf-8"),
        (b'a/b; name="a;b \\"c\\".txt"', "name", 'a;b "c".txt'),
        (b"a/b; name=my report.pdf; x=y", "name", "my report.pdf"),
        (b"a/b; name*=utf-8'de'Gr%C3%BC%C3%9Fe", "name", "Grüße"),
        (b"a/b; name*=\"utf-8''Gr%C3%BC%C3%9Fe\"", "name", "Grüße"),
        (b"a/b; name=x; name*=utf-8''y", "name", "y"),
        (b"a/b; name*1=b; name*0=a; name*2=c", "name", "abc"),
        (b"a/b; name*0*=utf-8''Gr%C3; name*1*=%BC; name*2=%41", "name", "Grü%41"),
        (b"a/b; name*0==?utf-8?q?Gr=; name*1=C3=BC?=", "name", "Grü"),
        (b'a/b; name="=?utf-8?q?Gr=C3=BC?="', "name", "Grü"),
        ('a/b; name="Grüße"'.encode(), "name", "Grüße"),
        (b"a/b; name=first; name=second", "name", "first"),
        (b"a/b;\r\n\tname=\r\n folded", "name", "folded"),
        (b'a/b; name=""', "name", ""),
    ],
)
def test_a_parameter_is_read(value: bytes, name: str, text: str) -> None:
    found = parse_parameters(value)
    assert (found.value, found.named[name], found.defects) == ("a/b", text, ())


@pytest.mark.parametrize(
    ("value", "name", "text", "said"),
    [
        (b'a/b; name="open; charset=utf-8', "charset", "utf-8", "not closed"),
        (b"a/b; name*0=a; name*2=c", "name", "ac", "missing"),
        (b"a/b; name*=nonsense''%FC", "name", "ü", "unknown character set nonsense"),
        (b'a/b; name="\xfc"', "name", "ü", "windows-1252"),
        (b"a/b" + b"; a=b" * 300 + b"; z=y", "a", "b", "more than 200 parameters"),
    ],
)
def test_a_broken_parameter_is_read_with_a_defect(
    value: bytes, name: str, text: str, said: str
) -> None:
    found = parse_parameters(value)
    assert found.named[name] == text
    assert said in " ".join(found.defects)


# Addresses


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (b"ada@example.org", [("", "ada@example.org")]),
        (b"Ada L <ada@example.org>", [("Ada L", "ada@example.org")]),
        (b'"L, Ada" <ada@example.org>, b@c.de', [("L, Ada", "ada@example.org"), ("", "b@c.de")]),
        (b"ada@example.org (Ada (L))", [("Ada (L)", "ada@example.org")]),
        (b"=?utf-8?q?J=C3=BCrg=2C_K=2E?= <j@c.de>", [("Jürg, K.", "j@c.de")]),
        (b'"=?utf-8?q?J=C3=BCrg?=" <j@c.de>', [("Jürg", "j@c.de")]),
        ("Jürg <jürg@grün.de>".encode(), [("Jürg", "jürg@grün.de")]),
        (b"<@a.de,@b.de:c@d.de>", [("", "c@d.de")]),
        (b'"a b"@c.de', [("", '"a b"@c.de')]),
        (b"a@b.de; c@d.de", [("", "a@b.de"), ("", "c@d.de")]),
        (b"Ada\r\n <ada@example.org>,\r\n\tb@c.de", [("Ada", "ada@example.org"), ("", "b@c.de")]),
        (b"a@[192.0.2.1]", [("", "a@[192.0.2.1]")]),
        (b", ,a@b.de,", [("", "a@b.de")]),
        (b"", []),
    ],
)
def test_a_list_of_addresses_is_read(value: bytes, found: list[tuple[str, str]]) -> None:
    read = parse_addresses(value)
    assert [(mailbox.name, mailbox.address) for mailbox in read.found] == found
    assert read.defects == ()


def test_a_group_names_its_mailboxes() -> None:
    read = parse_addresses(b"=?utf-8?q?B=C3=BCro?=: a@b.de, C <c@d.de>; e@f.de, none:;")
    assert [(mailbox.group, mailbox.address) for mailbox in read.found] == [
        ("Büro", "a@b.de"),
        ("Büro", "c@d.de"),
        ("", "e@f.de"),
    ]
    assert read.groups == ("Büro", "none")


@pytest.mark.parametrize(
    ("value", "shown", "said"),
    [
        (b"L, Ada <ada@c.de>", ["L, Ada <ada@c.de>"], "without quotation marks"),
        (b"nobody", ["nobody"], "could not be read: nobody"),
        (b'"Ada <ada@c.de>', ["Ada <ada@c.de>"], "not closed"),
        (b"Ada (work <ada@c.de>", ["Ada work <ada@c.de>"], "not closed"),
        (b"Ada <ada@c.de", ["Ada <ada@c.de>"], "not closed"),
        (b"a@b@c.de", ["a at b at c.de"], "could not be read"),
        (b'"bank@good.com" <evil@bad.de>', ["evil@bad.de"], "looks like an address"),
        (b"=?utf-8?q?bank=40good=2Ecom?= <evil@bad.de>", ["evil@bad.de"], "looks like an address"),
        ("bank\uff20good.com <evil@bad.de>".encode(), ["evil@bad.de"], "looks like an address"),
        (b"=?utf-8?q?a=3Cb=3E=E2=80=AE?= <evil@bad.de>", ["ab <evil@bad.de>"], ""),
        (b"M\xfcller <m@c.de>", ["Müller <m@c.de>"], "windows-1252"),
        (b"a@b.de," * 1_200, ["a@b.de"] * 1_000, "only the first 1000 addresses"),
    ],
)
def test_a_doubtful_list_is_read_with_a_defect(value: bytes, shown: list[str], said: str) -> None:
    read = parse_addresses(value)
    assert [mailbox.shown for mailbox in read.found] == shown
    assert said in " ".join(read.defects)


@given(st.text(max_size=40), st.text(max_size=40))
def test_what_is_shown_ends_in_the_one_address(name: str, group: str) -> None:
    shown = Mailbox(name, "evil@bad.de", group).shown
    assert shown == "evil@bad.de" or shown.endswith(" <evil@bad.de>")
    assert shown.count("@") == 1


WORDS = st.text("abcdefgh xyz", min_size=1, max_size=12).map(str.strip).filter(bool)
LOCALS = st.text("abcdefgh.+-", min_size=1, max_size=12)


@given(st.lists(st.tuples(WORDS, LOCALS), min_size=1, max_size=5))
def test_well_formed_lists_are_read_whole(people: list[tuple[str, str]]) -> None:
    value = ", ".join(f'"{name}" <{local}@example.org>' for name, local in people)
    read = parse_addresses(value.encode())
    assert [(each.name.split(), each.address) for each in read.found] == [
        (name.split(), f"{local}@example.org") for name, local in people
    ]


# Whatever comes

BOMBS = [
    b"=?a?q?" * 40_000,
    b"=?a?q?=FC?= x" * 20_000,
    b"=?utf-8?q?=FC=FC=FC=FC=FC=FC=FC=FC=FC?= x" * 6_000,
    b":" * 250_000,
    b"x" * 125_000 + b"@" + b":" * 125_000,
    b'"\\' * 125_000,
    b"(" * 250_000,
    b"<" * 250_000,
    b"a@b," * 64_000,
    b'"' + b";" * 250_000,
    b"a;" + b"b*0=c;" * 40_000,
    b'a; b="' + b"\\" * 250_000,
    b"\r\n " * 80_000,
    b"\xfc " * 125_000,
]


@pytest.mark.slow
@pytest.mark.parametrize("value", BOMBS, ids=lambda value: repr(value[:12]))
def test_the_cost_of_a_field_is_bounded(value: bytes) -> None:
    for read in (decode_words, parse_parameters, parse_addresses):
        before = time.thread_time()
        read(value)
        assert time.thread_time() - before < 1.5


_PIECES = st.sampled_from(
    [b"=?", b"?=", b"?q?", b"?b?", b"utf-8", b"=C3", b"\xfc", b'"', b"\\", b"<", b">", b"(", b")",
     b",", b";", b":", b"@", b"*0*=", b"''", b"%", b"\r\n ", b"\x1b$B", b"a", b" ", b"\0"]
)  # fmt: skip


@given(st.one_of(st.binary(max_size=200), st.lists(_PIECES, max_size=40).map(b"".join)))
def test_any_bytes_are_a_field(value: bytes) -> None:
    words = decode_words(value)
    assert "\n" not in words.text
    words.text.encode()
    found = parse_parameters(value)
    for text in (found.value, *found.named.values()):
        text.encode()
    for mailbox in parse_addresses(value).found:
        assert len(mailbox.shown) <= 600
        assert mailbox.address.count("@") <= 2
        mailbox.shown.encode()
