# ruff: noqa: RUF001 (letters of other alphabets)
"""The parts that letters are read with: writers, dates, subjects, lines above quoted words."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.text.subjects import SubjectKind, bare_subject, subject_kind
from ingest.letters.dates import moment
from ingest.letters.inline import Marker, marker
from ingest.letters.mailboxes import without_links, writer
from ingest.letters.replies import Attribution, attribution

BERLIN = timezone(timedelta(hours=1))
AT = datetime(2025, 11, 4, 9, 31, tzinfo=BERLIN)


@pytest.mark.parametrize(
    ("words", "shown", "address"),
    [
        ("Ann Lee <ann@x.example>", "Ann Lee <ann@x.example>", "ann@x.example"),
        ('"Lee, Ann" <ann@x.example>', "Lee, Ann <ann@x.example>", "ann@x.example"),
        ('"Ann" [mailto:ann@x.example]', "Ann <ann@x.example>", "ann@x.example"),
        ("Ann <mailto:ann@x.example>", "Ann <ann@x.example>", "ann@x.example"),
        ("Ann <ann@x.example<mailto:ann@x.example>>", "Ann <ann@x.example>", "ann@x.example"),
        ("Ann <[ann@x.example](mailto:ann@x.example)>", "Ann <ann@x.example>", "ann@x.example"),
        ("Ann (<ann@x.example>)", "Ann <ann@x.example>", "ann@x.example"),
        ("'ann@x.example' <ann@x.example>", "ann@x.example", "ann@x.example"),
        ("ann@x.example", "ann@x.example", "ann@x.example"),
        ("<ann@x.example>", "ann@x.example", "ann@x.example"),
        ("**Ann Lee** <ann@x.example>", "Ann Lee <ann@x.example>", "ann@x.example"),
        ("Ann<ann@x.example>", "Ann <ann@x.example>", "ann@x.example"),
        ("boss@y.example <ann@x.example>", "boss@y.example <ann@x.example>", "ann@x.example"),
        ("Lee, Ann", "Lee, Ann", ""),
        ("", "", ""),
    ],
)
def test_a_writer_is_read_as_programs_show_one(words: str, shown: str, address: str) -> None:
    found = writer(words)
    assert (found.shown, found.address) == (shown, address)


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("Bob <[b@x.example](mailto:b@x.example)>, Cy", "Bob <b@x.example>, Cy"),
        ("Su <su@x.example<mailto:su@x.example>>; Cy", "Su <su@x.example>; Cy"),
        ("Bob <mailto:b@x.example>", "Bob <b@x.example>"),
        ("Bob <b@x.example>, [list] Cy", "Bob <b@x.example>, [list] Cy"),
        ("](mailto:", ""),
        ("", ""),
    ],
)
def test_links_are_taken_off_recipients(words: str, shown: str) -> None:
    assert without_links(words).strip("]") == shown


@pytest.mark.parametrize(
    "words",
    [
        "Tue, 4 Nov 2025 09:31:00 +0100",
        "Tue, Nov 4, 2025 at 9:31\u202fAM",
        "Tuesday, November 4, 2025 9:31 AM",
        "November 4th, 2025 at 9:31 AM GMT+1",
        "On Tuesday, November 4th, 2025 at 9:31 AM",
        "Tue Nov  4 09:31:00 CET 2025",
        "2025-11-04T09:31:00+01:00",
        "2025-11-04 08:31 UTC",
        "04.11.2025 09:31",
        "Di., 4. Nov. 2025 um 09:31 Uhr",
        "4. November 2025 um 09:31:00 MEZ",
        "mar. 4 nov. 2025 à 09:31",
        "mardi 4 novembre 2025 09h31",
        "le 4 novembre 2025 à 09:31",
        "martes, 4 de noviembre de 2025 9:31",
        "mar, 4 nov 2025 a las 9:31",
        "mar 4 nov 2025 alle ore 09:31",
        "di 4 nov 2025 om 09:31",
        "ter., 4 de nov. de 2025 às 09:31",
        "wt., 4 lis 2025 o 09:31",
        "tis 4 nov. 2025 kl. 09.31",
        "2025年11月4日(火) 9:31",
        "2025年11月4日(火) 午前9:31",
        "2025/11/04 9:31",
        "вт, 4 ноя 2025 в 09:31",
        "4 Kasım 2025 09:31",
    ],
)
def test_a_moment_is_read_in_many_languages(words: str) -> None:
    assert moment(words, BERLIN) == AT


@pytest.mark.parametrize(
    ("words", "wanted"),
    [
        ("11/24/2025 9:31 PM", datetime(2025, 11, 24, 21, 31, tzinfo=BERLIN)),
        ("24/11/2025 12:05 AM", datetime(2025, 11, 24, 0, 5, tzinfo=BERLIN)),
        ("4 Nov 2025 08:31 GMT", datetime(2025, 11, 4, 8, 31, tzinfo=UTC)),
        ("4 Nov 2025 09:31 PST", datetime(2025, 11, 4, 17, 31, tzinfo=UTC)),
    ],
)
def test_noon_and_zones_are_counted(words: str, wanted: datetime) -> None:
    assert moment(words, BERLIN) == wanted


@pytest.mark.parametrize(
    "words",
    [
        "",
        "yesterday at 9:31",
        "4 Nov 09:31",
        "4 Nov 2025",
        "04/11/2025 09:31",
        "31 Nov 2025 09:31",
        "4 Nov 2025 25:31",
        "4 Nov 2025 09:31 IST",
        "4 Nov 2025 09:31 +9999",
        "4 novembre 2025 à 09:31 heure d’été",
        "99999999999999999999",
    ],
)
def test_what_is_not_certain_stays_words(words: str) -> None:
    assert moment(words, BERLIN) is None


def test_words_without_a_zone_name_no_moment() -> None:
    assert moment("4 Nov 2025 09:31") is None


@pytest.mark.parametrize(
    ("subject", "bare", "kind"),
    [
        ("Fwd: Rent", "Rent", SubjectKind.FORWARD),
        ("WG: AW: Re: Rent", "Rent", SubjectKind.FORWARD),
        ("TR : Loyer", "Loyer", SubjectKind.FORWARD),
        ("I: R: Affitto", "Affitto", SubjectKind.FORWARD),
        ("RV: Alquiler", "Alquiler", SubjectKind.FORWARD),
        ("Doorst: Huur", "Huur", SubjectKind.FORWARD),
        ("ENC: Aluguel", "Aluguel", SubjectKind.FORWARD),
        ("PD: Odp: Czynsz", "Czynsz", SubjectKind.FORWARD),
        ("VB: SV: Hyra", "Hyra", SubjectKind.FORWARD),
        ("Re[2]: Fwd (3): Rent", "Rent", SubjectKind.REPLY),
        ("[Fwd: Re: Rent]", "Rent", SubjectKind.FORWARD),
        ("Fw:Rent", "Rent", SubjectKind.FORWARD),
        ("転送\uff1a家賃", "家賃", SubjectKind.FORWARD),
        ("  Rent  ", "Rent", SubjectKind.NEITHER),
        ("[list] Rent", "[list] Rent", SubjectKind.NEITHER),
        ("Regarding: Rent", "Regarding: Rent", SubjectKind.NEITHER),
        ("Re:", "", SubjectKind.REPLY),
        ("", "", SubjectKind.NEITHER),
    ],
)
def test_prefixes_are_taken_off_a_subject(subject: str, bare: str, kind: SubjectKind) -> None:
    assert (bare_subject(subject), subject_kind(subject)) == (bare, kind)


@pytest.mark.parametrize(
    ("subject", "kind"),
    [
        ("[#88121] Re: Washing machine", SubjectKind.REPLY),
        ("[EXT] [Garden]AW: Rent", SubjectKind.REPLY),
        ("[Garden] Fwd: Re: Rent", SubjectKind.FORWARD),
        ("Re: [Garden] Fwd: Rent", SubjectKind.REPLY),
        ("[Garden] [Fwd: Rent]", SubjectKind.FORWARD),
        ("[a [b] c] Re: Rent", SubjectKind.NEITHER),
        ("[" * 1000 + "Re: Rent", SubjectKind.NEITHER),
        ("[a]" * 1000 + "Re: Rent", SubjectKind.NEITHER),
    ],
)
def test_what_a_server_put_in_brackets_before_it_hides_no_prefix(
    subject: str, kind: SubjectKind
) -> None:
    assert subject_kind(subject) is kind


@given(st.lists(st.sampled_from(["Fwd:", "Re:", "AW: ", "[", "]", "Fwd", "x", " "])).map("".join))
def test_a_bare_subject_has_no_prefix_left(subject: str) -> None:
    bare = bare_subject(subject)
    assert bare_subject(bare) == bare
    assert bare in subject


def test_a_long_chain_of_prefixes_takes_little_time() -> None:
    assert bare_subject("Re: " * 100_000 + "Rent") == "Rent"


@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("---------- Forwarded message ---------", (Marker.FORWARD, "")),
        ("-------- Weitergeleitete Nachricht --------", (Marker.FORWARD, "")),
        ("\u2014\u2014\u2014 Forwarded message \u2014\u2014\u2014", (Marker.FORWARD, "")),
        ("*---------- Forwarded message ----------*", (Marker.FORWARD, "")),
        ("Begin forwarded message:", (Marker.BEGIN, "")),
        ("Début du message réexpédié :", (Marker.BEGIN, "")),
        ("-----Original Message-----", (Marker.ORIGINAL, "")),
        ("_" * 32, (Marker.RULE, "")),
        ("----- Forwarded Message -----From: a", (Marker.FORWARD, "From: a")),
        ("Forwarded message", None),
        ("I got a forwarded message:", None),
        ("---------- Forwarded", None),
        ("____", None),
        ("-- ", None),
        ("", None),
    ],
)
def test_a_marker_is_a_line_of_its_own(line: str, wanted: tuple[Marker, str] | None) -> None:
    assert marker(" ".join(line.split())) == wanted


@pytest.mark.parametrize(
    ("line", "sender", "sent"),
    [
        (
            "On Tue, Nov 4, 2025 at 9:31 AM Ann <a@x.org> wrote:",
            "Ann <a@x.org>",
            "Tue, Nov 4, 2025 at 9:31 AM",
        ),
        (
            "On 4 Nov 2025, at 09:31, Ann <a@x.org> wrote:",
            "Ann <a@x.org>",
            "4 Nov 2025, at 09:31",
        ),
        (
            "On 04/11/2025 09:31, Ann Lee wrote:",
            "Ann Lee",
            "04/11/2025 09:31",
        ),
        (
            "Am 04.11.25 um 09:31 schrieb Ann Lee:",
            "Ann Lee",
            "04.11.25 um 09:31",
        ),
        (
            "2025-11-04 09:31 GMT+01:00 Ann <a@x.org>:",
            "Ann <a@x.org>",
            "2025-11-04 09:31 GMT+01:00",
        ),
        (
            "Op 4 nov 2025, om 09:31 heeft Ann <a@x.org> het volgende geschreven:",
            "Ann <a@x.org>",
            "4 nov 2025, om 09:31",
        ),
        (
            "4 nov. 2025 kl. 09:31 skrev Ann <a@x.org>:",
            "Ann <a@x.org>",
            "4 nov. 2025 kl. 09:31",
        ),
        (
            "Den 4. nov. 2025 kl. 09.31 skrev Ann <a@x.org>:",
            "Ann <a@x.org>",
            "4. nov. 2025 kl. 09.31",
        ),
        (
            "вт, 4 нояб. 2025 г. в 09:31, Анна <a@x.org>:",
            "Анна <a@x.org>",
            "вт, 4 нояб. 2025 г. в 09:31",
        ),
    ],
)
def test_a_line_above_quoted_words_names_writer_and_date(line: str, sender: str, sent: str) -> None:
    assert attribution(line) == Attribution(sender, sent)


@pytest.mark.parametrize(
    "line",
    [
        "On Monday Ann wrote:",
        "Ann wrote:",
        "On 4 November 2025 we meet:",
        "The book that he wrote on 4 November 2025 was this",
        "Agenda for 2025:",
        ":",
        "",
    ],
)
def test_prose_is_no_line_above_quoted_words(line: str) -> None:
    assert attribution(line) is None


@given(st.text(max_size=300))
def test_any_words_are_read_without_an_error(words: str) -> None:
    writer(words)
    assert len(without_links(words)) <= len(words) + 2 * words.count("<mailto:")
    moment(words, BERLIN)
    attribution(f"On 2025 9:31 {words} wrote:")
    marker(words)
