"""A stranger's message becomes facts and words, or a reason why not. Never anything else."""

from contextlib import suppress
from datetime import UTC, datetime
from email.header import Header

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.errors import Unreadable
from assistant.domain.limits import MailLimits
from assistant.domain.mail import Parsed
from ingest.parse import file_name, parse
from tests.ingest.messages import HEAD, PLAIN, file, mixed, nested, words

LIMITS = MailLimits()


def read(raw: bytes) -> Parsed:
    return parse(raw, LIMITS)


def test_a_plain_mail_gives_its_facts_and_its_words() -> None:
    assert read(PLAIN) == Parsed(
        message_id="<1@example.org>",
        sender="Jürg <juerg@example.org>",
        sender_address="juerg@example.org",
        recipients="ada@example.org, Bob <bob@example.org>",
        subject="Lunch",
        sent=datetime(2026, 11, 3, 9, tzinfo=UTC),
        text="At noon?\nYours",
    )


@pytest.mark.parametrize("raw", [HEAD + b"\r\n", HEAD, b"Subject: Lunch"])
def test_a_mail_without_a_body_has_no_text(raw: bytes) -> None:
    parsed = read(raw)
    assert (parsed.subject, parsed.text) == ("Lunch", "")


def test_a_text_without_a_header_is_read_and_the_defect_named() -> None:
    parsed = read(b"hello\n")
    assert parsed.text == "hello"
    assert "MissingHeaderBodySeparatorDefect" in parsed.defects[0]


# Whose words are whose

INNER = mixed(
    words("the stranger's words"),
    file(b"inner.pdf"),
    b"Content-Type: message/rfc822\r\n\r\nSubject: innermost\r\n\r\nthe first words",
    head=b"From: mallory@example.net\r\nSubject: inner\r\n",
    boundary=b"inner",
)


def test_an_embedded_message_stays_closed() -> None:
    parsed = read(mixed(words("my words"), b"Content-Type: message/rfc822\r\n\r\n" + INNER))
    assert (parsed.text, parsed.subject, parsed.sender_address) == (
        "my words",
        "Lunch",
        "juerg@example.org",
    )
    (forwarded,) = parsed.attachments
    assert (forwarded.name, forwarded.content_type) == ("forwarded-1.eml", "message/rfc822")
    assert forwarded.data == INNER


def test_what_was_taken_off_can_be_read_like_a_mail_of_its_own() -> None:
    outer = read(mixed(words("mine"), b"Content-Type: message/rfc822\r\n\r\n" + INNER))
    inner = read(outer.attachments[0].data)
    assert (inner.subject, inner.text) == ("inner", "the stranger's words")
    assert [part.name for part in inner.attachments] == ["inner.pdf", "forwarded-1.eml"]


def test_long_header_lines_of_an_embedded_message_are_not_folded_again() -> None:
    inner = b"DKIM-Signature: v=1; " + b"b=abc " * 60 + b"x\r\nSubject: s\r\n\r\nbody\r\n"
    outer = read(mixed(words("mine"), b"Content-Type: message/rfc822\r\n\r\n" + inner))
    assert outer.attachments[0].data.rstrip() == inner.rstrip()


def test_a_mail_that_is_nothing_but_an_embedded_message_has_no_text_of_its_own() -> None:
    parsed = read(b"Subject: out\r\nContent-Type: message/rfc822\r\n\r\nSubject: in\r\n\r\nwords")
    assert (parsed.subject, parsed.text) == ("out", "")
    assert parsed.attachments[0].data == b"Subject: in\r\n\r\nwords"


def test_an_embedded_message_in_base64_is_decoded() -> None:
    part = (
        b"Content-Type: message/rfc822\r\nContent-Transfer-Encoding: base64\r\n\r\n"
        b"U3ViamVjdDogaW4NCg0Kd29yZHM="
    )
    parsed = read(mixed(words("mine"), part))
    assert parsed.text == "mine"
    assert parsed.attachments[0].data == b"Subject: in\r\n\r\nwords"


def test_a_tree_that_was_attached_adds_nothing_to_the_text() -> None:
    tree = mixed(words("not mine"), head=b"Content-Disposition: attachment\r\n", boundary=b"t")
    parsed = read(mixed(words("mine"), tree))
    assert parsed.text == "mine"
    assert b"not mine" in parsed.attachments[0].data


def test_every_message_of_a_digest_is_taken_off() -> None:
    parsed = read(mixed(b"\r\nSubject: a\r\n\r\none", b"\r\nSubject: b\r\n\r\ntwo", kind=b"digest"))
    assert parsed.text == ""
    assert [part.name for part in parsed.attachments] == ["forwarded-1.eml", "forwarded-2.eml"]


# Text and HTML


def test_plain_text_is_preferred_to_the_same_in_html() -> None:
    parsed = read(mixed(words("plain"), words("<p>rich</p>", "html"), kind=b"alternative"))
    assert parsed.text == "plain"


def test_an_empty_plain_text_is_no_reason_to_miss_the_html() -> None:
    parsed = read(mixed(words(" \r\n"), words("<p>rich</p>", "html"), kind=b"alternative"))
    assert parsed.text == "rich"


def test_a_footer_in_plain_text_does_not_replace_an_html_mail() -> None:
    parsed = read(mixed(words("<p>rich</p>", "html"), words("a list's footer")))
    assert parsed.text == "a list's footer\n\nrich"


def test_an_html_mail_keeps_its_links_and_loses_its_hidden_words() -> None:
    source = (
        "<html><head><title>t</title><style>p{}</style></head><body>"
        '<div style="display:none !important">preheader</div>'
        '<span style="VISIBILITY: hidden">ghost</span><div hidden>attic</div>'
        '<div style="max-height:0px;overflow:hidden">cellar</div>'
        '<div style="font-size:0">tiny</div><!-- comment --><script>run()</script>'
        '<p>See <a href="https://example.org/x">the plan</a></p></body></html>'
    )
    parsed = read(HEAD + words(source, "html"))
    assert parsed.text == "See [the plan](https://example.org/x)"


def test_html_whose_layout_hides_only_its_own_size_keeps_its_words() -> None:
    source = '<div style="font-size:0;opacity:0.9"><p style="font-size:14px">Seen</p></div>'
    assert read(HEAD + words(source, "html")).text == "Seen"


def test_styles_cannot_blow_up_a_text() -> None:
    source = '<p style="padding-left:100000000em;margin-top:1000000em">x</p>' * 50
    assert len(read(HEAD + words(source, "html")).text) < 1_000


@pytest.mark.parametrize("trouble", [ValueError("nested"), TimeoutError("it took too long")])
def test_html_that_cannot_be_turned_into_text_is_a_defect(trouble: Exception) -> None:
    def fail(_source: str) -> str:
        raise trouble

    parsed = parse(HEAD + words("<p>x</p>", "html"), LIMITS, from_html=fail)
    assert parsed.text == ""
    assert str(trouble) in parsed.defects[0]


@pytest.mark.parametrize(
    "source", ["", "<!-- only a comment -->", "<", "\0<p>\0</p>", "<html hidden>x"]
)
def test_html_of_any_kind_is_turned_into_some_text(source: str) -> None:
    assert isinstance(read(HEAD + words(source, "html")).text, str)


def test_fields_that_nobody_asks_for_are_not_looked_into() -> None:
    stations = b"Received: nonsense\r\nReply-To: <<>, @\r\nResent-Date: never\r\n" * 20
    mail = HEAD + b"X-Much: more\r\n" + words("<p>x</p>", "html")
    assert read(stations + mail) == read(mail)
    assert read(stations + mail).defects == ()


# Character sets and dates


@pytest.mark.parametrize("charset", [b"klingon", b"utf-8", b"ascii", b"\xff", b"utf-16", b"rot13"])
def test_a_bad_character_set_is_a_defect_and_no_error(charset: bytes) -> None:
    parsed = read(HEAD + b"Content-Type: text/plain; charset=" + charset + b"\r\n\r\nh\xe4llo")
    assert parsed.subject == "Lunch"
    parsed.text.encode()


def test_a_character_set_that_is_coded_itself_is_no_error() -> None:
    raw = b"Content-Type: text/plain; charset*=x''%ff; name*0=y\r\n\r\nh\xe4llo"
    assert read(HEAD + raw).subject == "Lunch"


@pytest.mark.parametrize("end", [b"", b"--x", b"--x\r\n\r\nhi", b"hi"])
def test_a_multipart_that_breaks_off_is_read_as_far_as_it_goes(end: bytes) -> None:
    parsed = read(HEAD + b"Content-Type: multipart/mixed; boundary=x\r\n\r\n" + end)
    assert parsed.subject == "Lunch"
    assert parsed.defects


def test_raw_bytes_in_a_header_are_replaced() -> None:
    assert read(b"Subject: caf\xe9\r\nFrom: J\xfcrg <j@example.org>\r\n\r\n").subject.startswith(
        "caf"
    )


@pytest.mark.parametrize(
    ("date", "sent"),
    [
        (b"Tue, 3 Nov 2026 10:00:00 +0100", datetime(2026, 11, 3, 9, tzinfo=UTC)),
        (b"3 Nov 2026 10:00 -0000", datetime(2026, 11, 3, 10, tzinfo=UTC)),
        (b"3 Nov 2026 10:00 XYZ", datetime(2026, 11, 3, 10, tzinfo=UTC)),
        (b"3 Nov 2026 10:00", None),
        (b"1 Jan 99999 10:00 +0000", None),
        (b"31 Dec 9999 23:59:59 -2359", None),
        (b"30 Feb 2026 10:00 +0000", None),
        (b"yesterday", None),
        (b"", None),
    ],
)
def test_a_date_is_aware_or_none(date: bytes, sent: datetime | None) -> None:
    assert read(b"Date: " + date + b"\r\n\r\nx").sent == sent


# Headers that lie


def test_what_cannot_be_seen_is_taken_out_of_a_subject() -> None:
    subject = Header("pay\u202egnp.exe\u200b\u2066 now\x07\x1b[31m\u2028!", "utf-8").encode()
    assert read(f"Subject: {subject}\r\n\r\n".encode()).subject == "paygnp.exe now[31m !"


def test_a_name_cannot_look_like_an_address() -> None:
    raw = b'From: "boss@example.org <boss@example.org>" <mallory@example.net>\r\n\r\n'
    parsed = read(raw)
    assert parsed.sender == "boss@example.org boss@example.org <mallory@example.net>"
    assert parsed.sender_address == "mallory@example.net"


def test_two_thousand_brackets_in_from_do_no_harm() -> None:
    parsed = read(b"From: " + b"(" * 2_000 + b" <a@example.org>\r\nSubject: x\r\n\r\nhi")
    assert (parsed.subject, parsed.text, parsed.sender_address) == ("x", "hi", "")
    assert len(parsed.sender) <= 200


def test_closed_brackets_in_from_are_a_comment() -> None:
    raw = b"From: " + b"(" * 2_000 + b")" * 2_000 + b" Ada <a@example.org>\r\n\r\nhi"
    assert read(raw).sender == "Ada <a@example.org>"


def test_of_a_header_that_comes_twice_the_first_counts() -> None:
    parsed = read(b"Subject: one\r\nSubject: two\r\nFrom: a@b.c\r\nFrom: x@y.z\r\n\r\n")
    assert (parsed.subject, parsed.sender_address) == ("one", "a@b.c")


def test_lengths_are_bounded() -> None:
    long = b"x" * 50_000
    parsed = read(
        b"Subject: "
        + long
        + b"\r\nFrom: "
        + long
        + b" <"
        + long
        + b"@b.c>\r\nTo: "
        + b"a@b.c, " * 5_000
        + b"a@b.c\r\nMessage-ID: "
        + long
        + b"\r\n\r\n"
    )
    assert len(parsed.subject) == 998
    assert len(parsed.sender) <= 200 + 3 + 320
    assert len(parsed.sender_address) <= 320
    assert len(parsed.recipients) <= 2_000
    assert len(parsed.message_id) <= 998


# Attachments


def test_an_attachment_keeps_its_bytes_and_its_name() -> None:
    (part,) = read(mixed(words("hi"), file(b"plan.pdf"))).attachments
    assert (part.name, part.content_type, part.data) == ("plan.pdf", "application/pdf", b"hello")


def test_base64_without_its_padding_is_decoded() -> None:
    assert read(mixed(words("hi"), file(b"a.pdf", b"aGVsbG8"))).attachments[0].data == b"hello"


def test_a_part_without_a_name_that_is_no_text_is_an_attachment() -> None:
    image = b"Content-Type: image/png\r\nContent-Transfer-Encoding: base64\r\n\r\naGVsbG8="
    parsed = read(mixed(words("hi"), image, b"Content-Disposition: attachment\r\n\r\nnotes"))
    assert parsed.text == "hi"
    assert [(p.name, p.data) for p in parsed.attachments] == [
        ("part-3.png", b"hello"),
        ("part-4.txt", b"notes"),
    ]


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\Windows\\win.ini", "win.ini"),
        ("/", "attachment-7"),
        ("..", "attachment-7"),
        ("", "attachment-7"),
        ("in\u202egnp.exe", "ingnp.exe"),
        ("a\x00b\r\nc.txt", "ab c.txt"),
        ('what: "is"? <this>|*.txt', "what_ _is__ _this___.txt"),
        (" .hidden ", "hidden"),
    ],
)
def test_a_file_name_is_a_base_name_and_nothing_else(given: str, name: str) -> None:
    assert file_name(given, 7) == name


def test_a_long_file_name_keeps_its_ending() -> None:
    name = file_name("x" * 5_000 + ".tar.gz", 1)
    assert len(name) == 200
    assert name.startswith("xxx")


def test_attachment_names_from_a_message_are_safe() -> None:
    (part,) = read(mixed(words("hi"), file(b"../../../root/.ssh/id.pdf"))).attachments
    assert part.name == "id.pdf"


# Limits


@pytest.mark.parametrize(
    ("raw", "reason"),
    [
        (b"", "empty"),
        (b" \r\n", "empty"),
        (b"x" * (LIMITS.message + 1), "bytes"),
        (b"X: y\r\n" * 5_000 + b"\r\nhi", "more than 1000 header fields"),
        (b"X: " + b"y" * 300_000 + b"\r\n\r\nhi", "header has more than 262144 bytes"),
        (nested(25), "more than 20 levels of nested parts"),
        (nested(300, b"line\r\n" * 150_000), "more than 200 nested parts"),
        (nested(5_000), "more than 200 nested parts"),
        (mixed(*[words("x")] * 201), "more than 200 parts"),
        (mixed(*[file(b"a.pdf")] * 101), "more than 100 attachments"),
        (mixed(b"X: y\r\n" * 1_001 + b"\r\nhi"), "more than 1000 header fields"),
    ],
)
def test_what_is_over_a_limit_is_refused_with_the_reason(raw: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=reason):
        read(raw)


def test_what_decodes_to_too_much_is_refused() -> None:
    with pytest.raises(Unreadable, match="decodes to"):
        parse(mixed(words("hi"), file(b"a.pdf")), MailLimits(decoded=5))


def test_a_mail_at_a_limit_is_read() -> None:
    assert read(nested(18)).subject == "Lunch"
    assert len(read(mixed(*[file(b"a.pdf")] * 100)).attachments) == 100


# Anything at all

LINES = st.sampled_from(
    [
        b"From: a@b.c",
        b"From: =?utf-8?q?=ff?= <",
        b"Subject: =?x?b?!!!?=",
        b"Date: 1 Jan 0000 99:99 +9999",
        b"Content-Type: multipart/mixed; boundary=x",
        b'Content-Type: multipart/alternative; boundary="x',
        b"Content-Type: multipart/digest; boundary=x",
        b"Content-Type: message/rfc822",
        b"Content-Type: message/delivery-status",
        b"Content-Type: text/html; charset=utf-7",
        b"Content-Type: text/plain; charset*=x''%ff; name*0*=utf-8''%e2; name*1=z",
        b"Content-Type: ;;=/",
        b"Content-Disposition: attachment; filename*=utf-8''..%2f%00",
        b"Content-Disposition: inline; filename=a",
        b"Content-Transfer-Encoding: base64",
        b"Content-Transfer-Encoding: quoted-printable",
        b"Content-Transfer-Encoding: x-uuencode",
        b"begin 666 a",
        b"Content-ID: <x@y>",
        b"--x",
        b"--x--",
        b"",
        b" folded",
        b"aGVsbG8",
        b"=E2=82",
        b"<p>hi<table><tr><td>",
    ]
)


@given(
    st.one_of(
        st.binary(max_size=400),
        st.lists(st.one_of(LINES, st.binary(max_size=20)), max_size=30).map(b"\r\n".join),
    )
)
def test_any_bytes_are_parsed_or_unreadable(raw: bytes) -> None:
    with suppress(Unreadable):
        parsed = read(raw)
        parsed.model_dump_json(exclude={"attachments"}).encode()
        assert all(
            part.name and part.name == file_name(part.name, 1) for part in parsed.attachments
        )


def test_reading_twice_gives_the_same() -> None:
    raw = mixed(words("hi"), b"Content-Disposition: attachment\r\n\r\nnotes", file(b""))
    assert read(raw) == read(raw)
