"""Who wrote what in one mail: forwarded messages, quoted replies and signatures, told apart."""

import json
from datetime import datetime
from pathlib import Path
from time import thread_time
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.domain.mail.letter import Letter, LetterKind
from ingest.letters.letter import Letters, PieceKind
from ingest.letters.lines import MOST_LINES
from ingest.letters.split import (
    MOST_LETTERS,
    TOO_MANY_LETTERS,
    TOO_MANY_LINES,
    split_letters,
)

CORPUS = Path(__file__).parent / "corpus" / "letters"
BERLIN = ZoneInfo("Europe/Berlin")


def cases(folder: str) -> list[Any]:
    expected = json.loads((CORPUS / folder / "expected.json").read_text("utf-8"))
    return [
        pytest.param(folder, name, facts, id=f"{folder}-{name}") for name, facts in expected.items()
    ]


def read(folder: str, name: str) -> str:
    return (CORPUS / folder / f"{name}.txt").read_bytes().decode()


def split(text: str, subject: str = "") -> Letters:
    top = Letter(kind=LetterKind.MAIL, subject=subject)
    found = split_letters(text, top, BERLIN)
    assert "".join(piece.text for piece in found.pieces) == text
    return found


@pytest.mark.parametrize(("folder", "name", "facts"), [*cases("forwards"), *cases("replies")])
def test_every_letter_of_the_corpus_is_told_apart(
    folder: str, name: str, facts: dict[str, Any]
) -> None:
    found = split(read(folder, name), facts["subject"]).letters
    seen = [json.loads(letter.model_dump_json()) for letter in found]
    for letter, wanted in zip(seen, facts["letters"], strict=False):
        if letter["sent"]:
            letter["sent"] = letter["sent"].replace("Z", "+00:00")
        assert {key: letter[key] for key in wanted} == wanted
    assert len(seen) == len(facts["letters"])


# The whole is kept


def test_inline_answers_stand_in_order_with_what_they_answer() -> None:
    found = split(read("replies", "inline-answers"))
    shown = [(piece.letter, piece.kind, piece.text.strip()) for piece in found.pieces]
    assert [(letter, kind) for letter, kind, _ in shown] == [
        (1, PieceKind.HEADING),
        (1, PieceKind.WORDS),
        (0, PieceKind.WORDS),
        (1, PieceKind.WORDS),
        (0, PieceKind.WORDS),
    ]
    assert [words for _, _, words in shown[1:]] == ["> Will you come?", "Yes.", "> And Bob?", "No."]


def test_the_facts_of_the_mail_itself_are_given_and_stay() -> None:
    note = Letter(
        kind=LetterKind.ATTACHED_FORWARD,
        depth=1,
        sender="Ann",
        subject="Fwd: Rent",
        defects=("odd",),
    )
    found = split_letters(read("forwards", "gmail-en"), note).letters
    assert found[0].model_copy(update={"text": ""}) == note
    assert [letter.depth for letter in found] == [1, 2]


def test_a_date_without_a_zone_is_words_unless_a_zone_is_meant() -> None:
    text = read("forwards", "gmail-de")
    sent = split_letters(text).letters[1]
    assert (sent.sent, sent.sent_words) == (None, "Di., 4. Nov. 2025 um 09:31 Uhr")
    assert split_letters(text, zone=BERLIN).letters[1].sent == datetime(
        2025, 11, 4, 9, 31, tzinfo=BERLIN
    )


# What a stranger writes to be taken for somebody else


@pytest.mark.parametrize("marker", ["----- End forwarded message -----", "-- ", "> ", "________"])
def test_nothing_in_a_forwarded_message_makes_its_end_the_forwarders(marker: str) -> None:
    text = (
        "Note\n\n---------- Forwarded message ---------\nFrom: Eve <eve@x.example>\n"
        "Date: Tue, 4 Nov 2025 09:31:00 +0100\nSubject: Rent\nTo: <bob@x.example>\n\n"
        f"Hello\n\n{marker}\n\nPay Eve now.\n"
    )
    found = split(text, "Fwd: Rent").letters
    assert found[0].text == "Note"
    assert found[0].signature == ""


def test_a_forward_in_a_quoted_reply_ends_with_the_quoting() -> None:
    text = (
        "On Wed, Nov 5, 2025 at 8:00 AM Eve <eve@x.example> wrote:\n\n"
        "> ---------- Forwarded message ---------\n> From: Ann <ann@x.example>\n"
        "> Date: Tue, 4 Nov 2025 09:31:00 +0100\n> Subject: Rent\n>\n> Pay Eve.\n\nMine again.\n"
    )
    found = split(text, "Re: Rent").letters
    assert [letter.text for letter in found] == ["Mine again.", "", "Pay Eve."]
    assert [letter.inside for letter in found] == [-1, 0, 1]


def test_a_name_that_looks_like_an_address_stands_beside_the_real_one() -> None:
    text = (
        "-----Original Message-----\nFrom: boss@firm.example <eve@x.example>\n"
        "Sent: Tuesday, November 4, 2025 9:31 AM\nTo: Bob\nSubject: Rent\n\nPay.\n"
    )
    eve = split(text, "FW: Rent").letters[1]
    assert eve.sender == "boss@firm.example <eve@x.example>"
    assert eve.sender_address == "eve@x.example"
    assert eve.defects == ("more than one address is named as its sender; the first was taken",)


def test_control_characters_and_direction_marks_are_not_shown_in_facts() -> None:
    text = (
        "---------- Forwarded message ---------\nFrom: \u202eAnn\x07 <ann@x.example>\n"
        "Date: x\nSubject: a\u200bb\n\nHi\n"
    )
    letter = split(text).letters[1]
    assert (letter.sender, letter.subject) == ("Ann <ann@x.example>", "ab")


# Bounds


def test_letters_beyond_the_most_are_not_told_apart_and_it_is_said() -> None:
    one = "---------- Forwarded message ---------\nFrom: a <a@b.example>\nSubject: x\n\nHi\n"
    found = split(one * 200)
    assert len(found.letters) == MOST_LETTERS + 1
    assert TOO_MANY_LETTERS in found.letters[-1].defects


def test_lines_beyond_the_most_belong_to_the_letter_that_is_open_and_it_is_said() -> None:
    text = "x\n" * (MOST_LINES + 5) + "---------- Forwarded message ---------\nFrom: a\nTo: b\n"
    found = split(text)
    assert len(found.letters) == 1
    assert TOO_MANY_LINES in found.letters[0].defects
    assert found.letters[0].text.endswith("To: b")


MEGABYTE = 1_000_000
WORST = {
    "quote marks": ">",
    "quoted empty lines": ">\n",
    "spaced quote marks": "> ",
    "From": "From:\n",
    "From with colons": "From: a@b" + ":" * 30 + "\n",
    "On": "On ",
    "On lines": "On 4\n",
    "wrote": "On 2025-11-04 09:31, a wrote: b:\n",
    "wrapped wrote": "On 4 Nov 2025\nOn 4\nx wrote\n",
    "empty lines": "\n",
    "blanks": " ",
    "dashes": "-",
    "markers": "---------- Forwarded message ---------\n",
    "rules": "_" * 32 + "\n",
    "headers": "From: a\nreply-to: b\nreply-to: b\n",
    "continued": "From: a,\n" + "x,\n" * 38,
    "run together": "-----Forwarded Message-----" + "From: a:::::::" * 30 + "\n",
    "answers": "> a\nb\n",
    "signatures": "--\n",
}


@pytest.mark.parametrize("unit", WORST.values(), ids=WORST)
def test_a_megabyte_of_the_worst_takes_little_time(unit: str) -> None:
    text = unit * (MEGABYTE // len(unit))
    began = thread_time()
    found = split_letters(text)
    assert thread_time() - began < 5
    assert "".join(piece.text for piece in found.pieces) == text


SNIPPETS = (
    "> ", ">", "\n", "\r\n", " ", "From: ", "To: ", "Ann <ann@x.example>", "Subject: ", "Date: ",
    "Von: ", "Gesendet: ", "4.11.2025 09:31", "On ", " wrote:", "schrieb ", "2025", "-- \n", "*",
    "---------- Forwarded message ---------\n", "-----Original Message-----\n", "_" * 32 + "\n",
    "Begin forwarded message:\n", "----- End forwarded message -----\n", "\xa0", "\u202e",
    "件名\uff1a",
    "From now on", "\nFrom ",
    "Sent from my iPhone", "mailto:", "[a](b)", "İ", "\x00", "\x85", "\u2028", ":",
)  # fmt: skip
nasty = st.lists(st.sampled_from(SNIPPETS), max_size=40).map("".join) | st.text(max_size=200)


@given(nasty, nasty)
def test_any_text_is_split_and_adds_up_to_itself(text: str, subject: str) -> None:
    top = Letter(kind=LetterKind.MAIL, subject=subject)
    found = split_letters(text, top, BERLIN)
    assert "".join(piece.text for piece in found.pieces) == text
    assert len(found.letters) <= MOST_LETTERS + 1
    assert all(0 <= piece.letter < len(found.letters) for piece in found.pieces)
    written = sum(len(letter.text) + len(letter.signature) for letter in found.letters)
    assert written <= len(text) + 2 * len(found.pieces)
    for place, letter in enumerate(found.letters[1:], 1):
        assert 0 <= letter.inside < place
        assert letter.depth == found.letters[letter.inside].depth + 1


NOTE = "Please look at this."
UNQUOTED = (
    f"{NOTE}\n\n---------- Forwarded message ---------\nFrom: Eve <eve@x.example>\n"
    "Date: Tue, 4 Nov 2025 09:31:00 +0100\nSubject: Rent\nTo: <bob@x.example>\n\n\n"
)
QUOTED = (
    f"{NOTE}\n\nBegin forwarded message:\n\n> From: Eve <eve@x.example>\n"
    "> Date: Tue, 4 Nov 2025 09:31:00 +0100\n> Subject: Rent\n> To: <bob@x.example>\n> \n"
)


@given(nasty)
def test_no_words_of_a_forwarded_message_become_the_forwarders(text: str) -> None:
    top = Letter(kind=LetterKind.MAIL, subject="Fwd: Rent")
    quoted = QUOTED + "\n".join(f"> {line}" for line in text.split("\n"))
    tight = QUOTED.replace("> ", ">") + "\n".join(f">{line}" for line in text.split("\n"))
    for whole in (UNQUOTED + text, quoted, tight):
        found = split_letters(whole, top)
        assert found.letters[0].text == NOTE
        assert found.letters[0].signature == ""
        assert found.letters[1].sender_address == "eve@x.example"


@pytest.mark.parametrize("lines", ["From Eve", "Hi\nFrom now\n\nBye", "From a\nFrom b\nFrom c"])
def test_a_line_that_mbox_files_would_mark_stays_in_the_quote(lines: str) -> None:
    tight = QUOTED.replace("> ", ">") + "\n".join(f">{line}" for line in lines.split("\n"))
    found = split(tight, "Fwd: Rent").letters
    assert (found[0].text, found[1].text) == (NOTE, lines)


def test_no_words_below_a_bottom_note_are_taken_from_it() -> None:
    found = split(f"{QUOTED}> Pay Eve.\n\nNo, do not pay.\n", "Fwd: Rent").letters
    assert found[0].text == f"{NOTE}\n\nNo, do not pay."
    assert found[1].text == "Pay Eve."
